// internal
import ts from "typescript";
import type { NamePlace } from "./python-names.js";
import type { SyntaxFault } from "./python-parser.js";

/** What is wrong with the form of a TypeScript or JavaScript block, and the names it defines and uses. */
export interface ScriptFacts {
  readonly faults: readonly SyntaxFault[];
  readonly definitions: readonly (NamePlace & { readonly isImport: boolean })[];
  /** One entry for each name, at its first use. */
  readonly undefinedNames: readonly NamePlace[];
}

const extensions: { readonly [language: string]: string } = {
  ts: "ts",
  typescript: "ts",
  mts: "ts",
  cts: "ts",
  tsx: "tsx",
  js: "js",
  javascript: "js",
  mjs: "js",
  cjs: "js",
  node: "js",
  jsx: "jsx",
};

/** Returns whether blocks of the language are read by the TypeScript compiler. */
export function isScriptLanguage(language: string): boolean {
  return Object.hasOwn(extensions, language);
}

/** Names that Node.js defines and the compiler's own libraries do not. */
const nodeGlobals: ReadonlySet<string> = new Set(
  "process Buffer require module exports __dirname __filename global setImmediate clearImmediate NodeJS".split(" "),
);

/** Diagnostics that say a name is not defined, in the forms for values, namespaces and shorthand properties. */
const undefinedCodes: ReadonlySet<number> = new Set([
  2304, 2503, 2552, 2580, 2581, 2582, 2583, 2584, 2591, 2592, 2593, 2868, 18004,
]);

const options: ts.CompilerOptions = {
  allowJs: true,
  checkJs: true,
  jsx: ts.JsxEmit.Preserve,
  lib: ["lib.es2024.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.esnext.disposable.d.ts"],
  module: ts.ModuleKind.ESNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  noEmit: true,
  noResolve: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2024,
  types: [],
};

/** The compiler's libraries, parsed once for a process: they are the larger part of the work. */
const libraries = new Map<string, ts.SourceFile | undefined>();

function createHost(sources: ReadonlyMap<string, string>): ts.CompilerHost {
  const files = new Map<string, ts.SourceFile>();
  const host = ts.createCompilerHost(options);
  const folder = host.getDefaultLibLocation?.() ?? "";
  const readFile = host.getSourceFile.bind(host);
  return {
    ...host,
    getSourceFile(name, version) {
      const source = sources.get(name);
      if (source !== undefined) {
        // The options that come with the version make every block a module.
        const file = files.get(name) ?? ts.createSourceFile(name, source, version, true);
        files.set(name, file);
        return file;
      }
      if (!name.startsWith(folder)) return undefined;
      if (!libraries.has(name)) libraries.set(name, readFile(name, version));
      return libraries.get(name);
    },
    fileExists: (name) =>
      sources.has(name) || libraries.has(name) || (name.startsWith(folder) && host.fileExists(name)),
    getCurrentDirectory: () => "/",
    writeFile: () => undefined,
  };
}

function listPatternNames(name: ts.BindingName): ts.Identifier[] {
  if (ts.isIdentifier(name)) return [name];
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : listPatternNames(element.name)));
}

function listImportNames({ importClause }: ts.ImportDeclaration): ts.Identifier[] {
  if (importClause === undefined) return [];
  const { name, namedBindings } = importClause;
  const named =
    namedBindings === undefined
      ? []
      : ts.isNamespaceImport(namedBindings)
        ? [namedBindings.name]
        : namedBindings.elements.map((element) => element.name);
  return [...(name === undefined ? [] : [name]), ...named];
}

/** Returns the names that a statement of the top level declares. */
function listDeclared(statement: ts.Statement): readonly ts.Node[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => listPatternNames(name));
  if (ts.isImportDeclaration(statement)) return listImportNames(statement);
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement) ||
    ts.isModuleDeclaration(statement) ||
    ts.isImportEqualsDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name] : [];
}

function getLine(file: ts.SourceFile, at: number): number {
  return file.getLineAndCharacterOfPosition(at).line + 1;
}

function readUndefined(file: ts.SourceFile, program: ts.Program): NamePlace[] {
  const places = new Map<string, NamePlace>();
  for (const { code, start, length } of program.getSemanticDiagnostics(file)) {
    if (!undefinedCodes.has(code) || start === undefined) continue;
    const name = file.text.slice(start, start + (length ?? 0));
    if (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) && !nodeGlobals.has(name) && !places.has(name))
      places.set(name, { name, line: getLine(file, start) });
  }
  return [...places.values()].sort((a, b) => a.line - b.line);
}

/** Returns whether code that begins with a brace is one value, as documentation shows results; as a program it may be none. */
function isValue(code: string): boolean {
  if (!/^\s*(?:\/\/[^\n]*\s*)*\{/.test(code)) return false;
  const wrapped = ts.transpileModule(`(${code.trimEnd().replace(/;$/, "")}\n)`, { reportDiagnostics: true });
  return (wrapped.diagnostics ?? []).length === 0;
}

/**
 * Returns the facts of each block, every block read as a module of its own. Names of blocks that cannot be parsed are
 * not judged. Imports are not followed: what a block imports counts as defined.
 */
export function analyzeScripts(blocks: readonly { readonly language: string; readonly code: string }[]): ScriptFacts[] {
  if (blocks.length === 0) return [];
  const sources = new Map(
    blocks.map(({ language, code }, i) => [`/block-${i}.${extensions[language] ?? "ts"}`, code] as const),
  );
  const program = ts.createProgram([...sources.keys()], options, createHost(sources));
  return [...sources.keys()].map((name) => {
    const file = program.getSourceFile(name);
    if (file === undefined) throw new Error(`The compiler lost ${name}`);
    const found = isValue(file.text) ? [] : program.getSyntacticDiagnostics(file);
    const faults = found.map(({ start, messageText }) => ({
      line: getLine(file, start),
      message: ts.flattenDiagnosticMessageText(messageText, ": ").replace(/\.$/, ""),
    }));
    const definitions = file.statements.flatMap((statement) =>
      listDeclared(statement).map((node) => ({
        name: node.getText(file),
        line: getLine(file, node.getStart(file)),
        isImport: ts.isImportDeclaration(statement),
      })),
    );
    return {
      faults,
      definitions,
      undefinedNames: faults.length > 0 || isValue(file.text) ? [] : readUndefined(file, program),
    };
  });
}
