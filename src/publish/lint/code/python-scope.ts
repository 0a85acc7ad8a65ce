// internal
import type { Node } from "web-tree-sitter";

/** Where a name was first bound. */
export interface PythonBinding {
  /** Offset from which the name can be used; 0 when order plays no part. */
  readonly at: number;
  /** 1-based line of the binding. */
  readonly line: number;
  readonly isImport: boolean;
}

/** A region of names. Class bodies that are scopes of their own hide their names from functions inside. */
export interface PythonScope {
  readonly kind: "module" | "function" | "class" | "comprehension";
  readonly bindings: Map<string, PythonBinding>;
  readonly outer: PythonScope | undefined;
  /** Names that a `global` statement sends to the module. */
  readonly globals: Set<string>;
}

/** Notes a binding; of several the first counts. */
export function bindName(scope: PythonScope, name: string, at: number, line: number, isImport: boolean): void {
  const known = scope.bindings.get(name);
  if (known === undefined || known.at > at) scope.bindings.set(name, { at, line, isImport });
}

/** Binds every name of an assignment target and returns the expressions in it that are uses, as `a[i]` uses `a` and `i`. */
export function bindTarget(node: Node, scope: PythonScope, at: number): readonly Node[] {
  switch (node.type) {
    case "identifier":
      bindName(scope, node.text, at, node.startPosition.row + 1, false);
      return [];
    case "attribute":
    case "subscript":
      return [node];
    case "default_parameter":
    case "typed_default_parameter":
    case "typed_parameter":
    case "keyword_separator":
    case "positional_separator":
      return [];
    default:
      return node.namedChildren.flatMap((child) => bindTarget(child, scope, at));
  }
}

/** Binds the captures of a `match` pattern and returns its uses: classes, and values written with a dot. */
export function bindPattern(node: Node, scope: PythonScope): readonly Node[] {
  const { type, namedChildren } = node;
  if (type === "identifier") {
    bindName(scope, node.text, node.endIndex, node.startPosition.row + 1, false);
    return [];
  }
  if (type === "dotted_name") {
    const [first, ...rest] = namedChildren;
    return rest.length > 0 ? [first] : bindPattern(first, scope);
  }
  if (type === "class_pattern" || type === "keyword_pattern") {
    const [head, ...rest] = namedChildren;
    // The name of a keyword is no use of a variable; the name of a class is one.
    const uses = type === "class_pattern" ? [head.type === "dotted_name" ? head.namedChildren[0] : head] : [];
    return [...uses, ...rest.flatMap((child) => bindPattern(child, scope))];
  }
  return namedChildren.flatMap((child) => bindPattern(child, scope));
}
