// What a source file exports, read from its syntax tree.
import ts from "typescript";
import { lineOf, parseSource } from "./sources.mjs";

/**
 * One exported declaration. `isType` is true where nothing is left of it at run time.
 * @typedef {{ readonly name: string, readonly isType: boolean, readonly line: number, readonly hasDoc: boolean }} Declaration
 * @typedef {{ readonly declarations: readonly Declaration[], readonly problems: readonly import("./sources.mjs").Problem[] }} Exports
 */

/**
 * Returns the exported declarations of a file, and a problem for each export in a form that cannot be listed by name:
 * the project puts `export` on the declaration. An overloaded function is one declaration, documented by its first
 * signature. A file whose first line is `// internal` exports nothing beyond its folder.
 * @param {string} root
 * @param {string} file
 * @returns {Exports}
 */
export function readExports(root, file) {
  const source = parseSource(root, file);
  /** @type {Map<string, Declaration>} */
  const declarations = new Map();
  /** @type {import("./sources.mjs").Problem[]} */
  const problems = [];
  if (source.text.startsWith("// internal")) return { declarations: [], problems };
  for (const statement of source.statements) {
    const fault = findFault(statement);
    if (fault !== undefined) problems.push({ file, line: lineOf(statement), message: fault });
    else
      for (const each of listDeclared(statement)) if (!declarations.has(each.name)) declarations.set(each.name, each);
  }
  return { declarations: [...declarations.values()], problems };
}

/** @param {ts.Statement} statement */
function findFault(statement) {
  if (ts.isExportAssignment(statement)) return "Export by name: there are no default exports";
  if (ts.isExportDeclaration(statement))
    return 'Put "export" on the declaration: lists and "export *" stand only in index.ts';
  if (!isExported(statement)) return undefined;
  if (hasModifier(statement, ts.SyntaxKind.DefaultKeyword)) return "Export by name: there are no default exports";
  if (!ts.isVariableStatement(statement)) return undefined;
  if (!(statement.declarationList.flags & ts.NodeFlags.Const))
    return "Export a const: a variable that others see changing is shared state";
  const isPlain = statement.declarationList.declarations.every(({ name }) => ts.isIdentifier(name));
  return isPlain ? undefined : "Export plain names: a pattern cannot be listed";
}

/**
 * @param {ts.Statement} statement
 * @returns {Declaration[]}
 */
function listDeclared(statement) {
  if (!isExported(statement)) return [];
  const hasDoc = ts.getJSDocCommentsAndTags(statement).some(ts.isJSDoc);
  const line = lineOf(statement);
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => ({
      name: name.getText(),
      isType: false,
      line,
      hasDoc,
    }));
  }
  const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
  const isNamed =
    isType ||
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isEnumDeclaration(statement);
  return isNamed && statement.name !== undefined ? [{ name: statement.name.text, isType, line, hasDoc }] : [];
}

/** @param {ts.Statement} statement */
function isExported(statement) {
  return hasModifier(statement, ts.SyntaxKind.ExportKeyword);
}

/** @param {ts.Statement} statement @param {ts.SyntaxKind} kind */
function hasModifier(statement, kind) {
  return (
    ts.canHaveModifiers(statement) && (ts.getModifiers(statement) ?? []).some((modifier) => modifier.kind === kind)
  );
}
