// internal
import type { Node } from "web-tree-sitter";
import { pythonBuiltins } from "./python-builtins.js";
import { bindName, bindPattern, bindTarget, type PythonScope } from "./python-scope.js";

/** A name at a place; lines are 1-based within the code. */
export interface NamePlace {
  readonly name: string;
  readonly line: number;
}

/** What a block of code defines for later ones, and what it uses without defining it. */
export interface PythonNames {
  readonly definitions: readonly (NamePlace & { readonly isImport: boolean })[];
  /** One entry for each name, at its first use. */
  readonly undefinedNames: readonly NamePlace[];
  /** Names that are used before the line of the same block that binds them. */
  readonly lateNames: readonly (NamePlace & { readonly boundLine: number; readonly isImport: boolean })[];
  /** Whether a wildcard import may define anything. */
  readonly hasWildcard: boolean;
}

interface Load extends NamePlace {
  readonly at: number;
  readonly scope: PythonScope;
}

/** The walk over one block: scopes with what they bind, and every use of a name. */
class Walk {
  readonly loads: Load[] = [];
  readonly module: PythonScope = { kind: "module", bindings: new Map(), outer: undefined, globals: new Set() };
  hasWildcard = false;

  visit(node: Node, scope: PythonScope): void {
    switch (node.type) {
      case "identifier":
        this.loads.push({ name: node.text, line: node.startPosition.row + 1, at: node.startIndex, scope });
        return;
      case "attribute":
        return this.#visitField(node, "object", scope);
      case "keyword_argument":
        return this.#visitField(node, "value", scope);
      case "import_statement":
      case "import_from_statement":
        return this.#visitImport(node, scope);
      case "future_import_statement":
        return;
      case "function_definition":
      case "lambda":
        return this.#visitFunction(node, scope);
      case "class_definition":
        return this.#visitClass(node, scope);
      case "list_comprehension":
      case "set_comprehension":
      case "dictionary_comprehension":
      case "generator_expression":
        return this.#visitComprehension(node, scope);
      case "case_clause":
        return this.#visitCase(node, scope);
      default:
        return this.#visitBinding(node, scope);
    }
  }

  #visitField(node: Node, field: string, scope: PythonScope): void {
    const child = node.childForFieldName(field);
    if (child !== null) this.visit(child, scope);
  }

  #visitChildren(node: Node, scope: PythonScope, except: readonly (Node | null)[] = []): void {
    const ids = new Set(except.map((child) => child?.id));
    for (const child of node.namedChildren) if (!ids.has(child.id)) this.visit(child, scope);
  }

  /** Binds the names of a target; the expressions inside it, such as `a[i]`, are uses. */
  #bind(target: Node | null, scope: PythonScope, at: number): void {
    if (target !== null) for (const use of bindTarget(target, scope, at)) this.visit(use, scope);
  }

  #visitImport(node: Node, scope: PythonScope): void {
    for (const name of node.childrenForFieldName("name")) {
      const bound = name.childForFieldName("alias") ?? name.namedChildren[0] ?? name;
      bindName(scope, bound.text, node.endIndex, node.startPosition.row + 1, true);
    }
    if (node.namedChildren.some(({ type }) => type === "wildcard_import")) this.hasWildcard = true;
  }

  #visitFunction(node: Node, scope: PythonScope): void {
    const name = node.childForFieldName("name");
    if (name !== null) bindName(scope, name.text, node.startIndex, name.startPosition.row + 1, false);
    const inner: PythonScope = { kind: "function", bindings: new Map(), outer: scope, globals: new Set() };
    const typeParameters = node.childForFieldName("type_parameters");
    if (typeParameters !== null) this.#bindTypeParameters(typeParameters, inner);
    for (const parameter of node.childForFieldName("parameters")?.namedChildren ?? []) {
      const value = parameter.childForFieldName("value");
      const type = parameter.childForFieldName("type");
      if (value !== null) this.visit(value, scope);
      if (type !== null) this.visit(type, inner);
      const bound = parameter.childForFieldName("name") ?? parameter;
      if (bound.type === "typed_parameter") {
        const [first] = bound.namedChildren;
        bindTarget(first, inner, 0);
      } else bindTarget(bound, inner, 0);
    }
    this.#visitField(node, "return_type", inner);
    this.#visitField(node, "body", inner);
  }

  #bindTypeParameters(node: Node, scope: PythonScope): void {
    for (const child of node.descendantsOfType("identifier"))
      bindName(scope, child.text, 0, child.startPosition.row + 1, false);
  }

  #visitClass(node: Node, scope: PythonScope): void {
    const name = node.childForFieldName("name");
    const outer: PythonScope = { kind: "comprehension", bindings: new Map(), outer: scope, globals: new Set() };
    const typeParameters = node.childForFieldName("type_parameters");
    if (typeParameters !== null) this.#bindTypeParameters(typeParameters, outer);
    this.#visitField(node, "superclasses", outer);
    const inner: PythonScope = { kind: "class", bindings: new Map(), outer, globals: new Set() };
    this.#visitField(node, "body", inner);
    if (name !== null) bindName(scope, name.text, node.startIndex, name.startPosition.row + 1, false);
  }

  /** The first iterable belongs to the scope around; everything else to the comprehension's own. */
  #visitComprehension(node: Node, scope: PythonScope): void {
    const inner: PythonScope = { kind: "comprehension", bindings: new Map(), outer: scope, globals: new Set() };
    const clauses = node.namedChildren.filter(({ type }) => type === "for_in_clause");
    clauses.forEach((clause, i) => {
      const [left, right] = [clause.childForFieldName("left"), clause.childForFieldName("right")];
      if (right !== null) this.visit(right, i === 0 ? scope : inner);
      this.#bind(left, inner, 0);
    });
    this.#visitChildren(node, inner, clauses);
  }

  #visitCase(node: Node, scope: PythonScope): void {
    for (const child of node.namedChildren) {
      if (child.type === "case_pattern") for (const use of bindPattern(child, scope)) this.visit(use, scope);
      else this.visit(child, scope);
    }
  }

  /** Statements and expressions that bind names in the scope they stand in. */
  #visitBinding(node: Node, scope: PythonScope): void {
    const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
    switch (node.type) {
      case "assignment":
        if (right !== null) this.visit(right, scope);
        this.#visitField(node, "type", scope);
        return this.#bind(left, scope, node.endIndex);
      case "augmented_assignment":
        this.#visitChildren(node, scope);
        return this.#bind(left, scope, node.endIndex);
      case "for_statement":
        if (right !== null) this.visit(right, scope);
        this.#bind(left, scope, right?.endIndex ?? node.startIndex);
        return this.#visitChildren(node, scope, [left, right]);
      case "named_expression": {
        this.#visitField(node, "value", scope);
        let target = scope;
        while (target.kind === "comprehension" && target.outer !== undefined) target = target.outer;
        return this.#bind(node.childForFieldName("name"), target, node.endIndex);
      }
      case "as_pattern": {
        const alias = node.childForFieldName("alias");
        this.#visitChildren(node, scope, [alias]);
        return this.#bind(alias, scope, alias?.endIndex ?? 0);
      }
      case "type_alias_statement": {
        const [name, ...parameters] = left?.descendantsOfType("identifier") ?? [];
        if (name !== undefined) bindName(scope, name.text, node.startIndex, name.startPosition.row + 1, false);
        const inner: PythonScope = { kind: "function", bindings: new Map(), outer: scope, globals: new Set() };
        for (const parameter of parameters) bindName(inner, parameter.text, 0, 0, false);
        return right === null ? undefined : this.visit(right, inner);
      }
      case "global_statement":
        for (const name of node.namedChildren) {
          scope.globals.add(name.text);
          bindName(this.module, name.text, 0, name.startPosition.row + 1, false);
        }
        return;
      case "nonlocal_statement":
        return;
      default:
        return this.#visitChildren(node, scope);
    }
  }
}

/** How a use resolves: where its name is bound, or whether it is bound only later on. */
function resolve(load: Load): "bound" | "late" | "unbound" {
  let isImmediate = true;
  for (let scope: PythonScope | undefined = load.scope; scope !== undefined; scope = scope.outer) {
    // The names of a class are not seen by the functions in it.
    const isHidden = scope.kind === "class" && scope !== load.scope;
    const binding = isHidden || scope.globals.has(load.name) ? undefined : scope.bindings.get(load.name);
    if (binding !== undefined) {
      const isOrdered = isImmediate && (scope.kind === "module" || scope.kind === "class");
      if (!isOrdered || binding.at <= load.at) return "bound";
      if (scope.kind === "module") return "late";
    }
    if (scope.kind === "function") isImmediate = false;
  }
  return "unbound";
}

/** Returns the names that a parsed block defines at its top level and those it uses without defining them. */
export function findPythonNames(root: Node): PythonNames {
  const walk = new Walk();
  walk.visit(root, walk.module);
  const undefinedNames = new Map<string, NamePlace>();
  const lateNames = new Map<string, NamePlace & { boundLine: number; isImport: boolean }>();
  for (const load of walk.loads) {
    const { name, line } = load;
    if (pythonBuiltins.has(name)) continue;
    const how = resolve(load);
    const binding = walk.module.bindings.get(name);
    if (how === "late" && binding !== undefined && !lateNames.has(name))
      lateNames.set(name, { name, line, boundLine: binding.line, isImport: binding.isImport });
    if (how === "unbound" && !undefinedNames.has(name)) undefinedNames.set(name, { name, line });
  }
  return {
    definitions: [...walk.module.bindings].map(([name, { line, isImport }]) => ({ name, line, isImport })),
    undefinedNames: [...undefinedNames.values()],
    lateNames: [...lateNames.values()],
    hasWildcard: walk.hasWildcard,
  };
}
