// Checks who imports whom. The table is an allowlist, and type imports count.
//
// Files named *.test.ts may import anything (a test of `evaluate` may play real envs), so nothing but the existence
// of what they import is checked, by the compiler. Everything else under src/, contract suites included, obeys.
import { existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import ts from "typescript";
import { isTestFile, lineOf, listSources, parseSource, runCheck, toRelative } from "./lib/sources.mjs";

/**
 * Which folders of src/ each folder may import.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const layout = {
  core: [],
  stats: ["core"],
  chat: ["core"],
  sandbox: ["core"],
  page: ["core"],
  rollout: ["core"],
  envs: ["core", "sandbox"],
  policies: ["core", "chat"],
  scorers: ["core", "sandbox"],
  records: ["core"],
  evaluate: ["core", "stats", "rollout"],
  diagnose: ["core", "stats", "rollout"],
  train: ["core", "stats", "rollout"],
  trainers: ["core", "train"],
  adapters: ["core", "records", "train"],
  report: ["core", "stats", "page"],
  publish: ["core", "stats", "chat", "sandbox", "page"],
  viewer: ["core", "records", "report", "page"],
  commands: [
    ..."core stats chat sandbox page rollout envs policies scorers records evaluate diagnose".split(" "),
    ..."train trainers adapters report publish viewer".split(" "),
  ],
  cli: ["core", "commands"],
};

/** Folders that run in a browser: no third-party package, no `node:` module, no clock, random or network of their own. */
export const pureFolders = ["core", "stats", "rollout", "evaluate", "diagnose"];

/** What a pure folder must be handed instead of reaching for. */
const impureNames = new Set(
  "process Buffer fetch performance console require localStorage WebSocket XMLHttpRequest".split(" "),
);
const impureCalls = new Set(["Math.random", "Date.now", "crypto.getRandomValues", "crypto.randomUUID"]);

/**
 * An import as written, with the file it leads to when that is inside the repository.
 * @typedef {{ readonly specifier: string, readonly target: string | undefined, readonly line: number }} Import
 */

/**
 * Returns every problem with the imports under `src/` and `examples/` of a repository.
 * @param {string} root
 * @returns {import("./lib/sources.mjs").Problem[]}
 */
export function checkImports(root) {
  const files = listSources(root, "src").filter((file) => !isTestFile(file));
  const sources = files.map((file) => ({ file, source: parseSource(root, file) }));
  const graph = new Map(sources.map(({ file, source }) => [file, listImports(root, file, source)]));
  const declared = readDependencies(root);
  const usable = new Set([...declared, ...readOptionalPeers(root)]);
  const problems = [];
  for (const { file, source } of sources) {
    for (const each of graph.get(file) ?? []) {
      const message = findImportFault(file, each, usable);
      if (message !== undefined) problems.push({ file, line: each.line, message });
    }
    if (pureFolders.includes(folderOf(file) ?? "")) problems.push(...findImpurities(file, source));
  }
  return [...problems, ...findCycles(graph), ...findUnused(root, graph, declared), ...checkExamples(root)];
}

/**
 * Returns what is wrong with one import, or `undefined`.
 * @param {string} file
 * @param {Import} each
 * @param {ReadonlySet<string>} declared names of the packages that may be imported
 */
function findImportFault(file, { specifier, target }, declared) {
  const folder = folderOf(file);
  if (folder === undefined) return "Sources lie in a folder of src/, not in src/ itself";
  const allowed = layout[folder];
  if (allowed === undefined) return `Folder "src/${folder}" is not in the table of scripts/check-imports.mjs`;
  if (!specifier.startsWith(".")) return findPackageFault(folder, specifier, declared);
  if (target === undefined) return `Import "${specifier}" leads to no file`;
  if (!target.startsWith("src/")) return `Import "${specifier}" leaves src/`;
  if (isTestFile(target)) return `Import "${specifier}" is a test: only tests import tests`;
  const other = folderOf(target);
  if (other === folder) {
    return target === `src/${folder}/index.ts`
      ? `Import the file inside "${folder}", not the folder's own index`
      : undefined;
  }
  if (other === undefined || !allowed.includes(other)) {
    const list = allowed.length === 0 ? "no other folder" : allowed.join(", ");
    return `Folder "${folder}" must not import "${other ?? target}": it may import ${list}`;
  }
  if (target !== `src/${other}/index.ts`) return `Import "${other}" through its index: "../${other}/index.js"`;
  return undefined;
}

/**
 * @param {string} folder
 * @param {string} specifier
 * @param {ReadonlySet<string>} declared
 */
function findPackageFault(folder, specifier, declared) {
  if (pureFolders.includes(folder))
    return `Folder "${folder}" uses no package and no node: module: found "${specifier}"`;
  if (isBuiltin(specifier)) return specifier.startsWith("node:") ? undefined : `Write "node:${specifier}"`;
  const name = packageOf(specifier);
  if (name === "turnwise") return "Import the package's own folders by relative path";
  // Packages of types alone, such as mdast, are declared as @types/mdast.
  return declared.has(name) || declared.has(`@types/${name}`)
    ? undefined
    : `Package "${name}" is not among the dependencies of package.json`;
}

/**
 * Returns where a browser-safe folder reaches for a clock, random numbers, the network or the machine.
 * @param {string} file
 * @param {ts.SourceFile} source
 */
function findImpurities(file, source) {
  /** @type {import("./lib/sources.mjs").Problem[]} */
  const problems = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    const name = impureNameOf(node);
    if (name !== undefined) {
      problems.push({
        file,
        line: lineOf(node),
        message: `Folder "${folderOf(file)}" takes "${name}" as an argument instead of using it`,
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return problems;
}

/** @param {ts.Node} node */
function impureNameOf(node) {
  if (ts.isPropertyAccessExpression(node) && impureCalls.has(node.getText())) return node.getText();
  if (ts.isNewExpression(node) && node.expression.getText() === "Date" && (node.arguments?.length ?? 0) === 0)
    return "new Date()";
  if (!ts.isIdentifier(node) || !impureNames.has(node.text)) return undefined;
  const { parent } = node;
  const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node;
  const isExpression =
    !isMember && (ts.isPropertyAccessExpression(parent) || ts.isCallExpression(parent) || ts.isNewExpression(parent));
  return isExpression && parent.getChildAt(0) === node ? node.text : undefined;
}

/**
 * Returns one problem for each group of files that import each other in a circle, at the import that closes it.
 * @param {ReadonlyMap<string, readonly Import[]>} graph
 */
function findCycles(graph) {
  /** @type {import("./lib/sources.mjs").Problem[]} */
  const problems = [];
  const done = new Set();
  /** @param {string} file @param {readonly string[]} path */
  const visit = (file, path) => {
    for (const { target, line } of graph.get(file) ?? []) {
      if (target === undefined || !graph.has(target) || done.has(target)) continue;
      const start = path.indexOf(target);
      if (start < 0) visit(target, [...path, target]);
      else
        problems.push({ file, line, message: `Import closes a cycle: ${[...path.slice(start), target].join(" -> ")}` });
    }
    done.add(file);
  };
  for (const file of graph.keys()) if (!done.has(file)) visit(file, [file]);
  return problems;
}

/**
 * Returns one problem for each runtime dependency that nothing imports and that no other dependency asks for as a peer.
 * @param {string} root
 * @param {ReadonlyMap<string, readonly Import[]>} graph
 * @param {ReadonlySet<string>} declared
 */
function findUnused(root, graph, declared) {
  const used = new Set([...graph.values()].flat().map(({ specifier }) => packageOf(specifier)));
  const typed = [...used].map((name) => `@types/${name}`);
  for (const name of typed) used.add(name);
  // A file inside a package, such as a WebAssembly module, is named by what is resolved.
  for (const file of graph.keys()) {
    for (const [, specifier] of readFileSync(join(root, file), "utf8").matchAll(/\bresolve\("([^"./][^"]*)"/g)) {
      used.add(packageOf(specifier));
    }
  }
  const peers = new Set(
    [...declared].flatMap((name) => Object.keys(readManifest(root, `node_modules/${name}`).peerDependencies ?? {})),
  );
  const lines = declared.size === 0 ? [] : readFileSync(join(root, "package.json"), "utf8").split("\n");
  return [...declared]
    .filter((name) => !used.has(name) && !peers.has(name))
    .map((name) => ({
      file: "package.json",
      line: lines.findIndex((text) => text.includes(`"${name}":`)) + 1,
      message: `Dependency "${name}" is imported by no file under src/`,
    }));
}

/**
 * Examples are written as a user would write them: from the package, its folders, `node:` and files beside them.
 * @param {string} root
 */
function checkExamples(root) {
  return listSources(root, "examples").flatMap((file) =>
    listImports(root, file, parseSource(root, file)).flatMap(({ specifier, target, line }) => {
      const isOwn = specifier === "turnwise" || specifier.startsWith("turnwise/") || specifier.startsWith("node:");
      if (isOwn || (target?.startsWith("examples/") ?? false)) return [];
      return [
        {
          file,
          line,
          message: `An example imports "turnwise", node: modules and files beside it: found "${specifier}"`,
        },
      ];
    }),
  );
}

/**
 * Returns static, dynamic and type imports and re-exports of a file. A dynamic import of a computed name is left out.
 * @param {string} root
 * @param {string} file
 * @param {ts.SourceFile} source
 * @returns {Import[]}
 */
function listImports(root, file, source) {
  /** @type {Import[]} */
  const imports = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    const name = specifierOf(node);
    if (name !== undefined)
      imports.push({ specifier: name.text, target: resolveImport(root, file, name.text), line: lineOf(name) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return imports;
}

/**
 * Returns the literal that names the imported module, if the node is an import.
 * @param {ts.Node} node
 */
function specifierOf(node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return asLiteral(node.moduleSpecifier);
  if (ts.isExternalModuleReference(node)) return asLiteral(node.expression);
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? asLiteral(node.argument.literal) : undefined;
  if (!ts.isCallExpression(node)) return undefined;
  const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword || node.expression.getText() === "require";
  return isImport ? asLiteral(node.arguments[0]) : undefined;
}

/** @param {ts.Node | undefined} node */
function asLiteral(node) {
  return node !== undefined && ts.isStringLiteralLike(node) ? node : undefined;
}

/**
 * Returns the source file a relative import leads to: `./a.js` is written in `./a.ts` or `./a.tsx`.
 * @param {string} root
 * @param {string} file
 * @param {string} specifier
 */
function resolveImport(root, file, specifier) {
  if (!specifier.startsWith(".")) return undefined;
  const path = join(root, dirname(file), specifier);
  const candidates = [path.replace(/\.js$/, ".ts"), path.replace(/\.jsx?$/, ".tsx"), path];
  const found = candidates.find((candidate) => existsSync(candidate));
  return found === undefined ? undefined : toRelative(root, found);
}

/**
 * Returns the folder of src/ that a file lies in.
 * @param {string} file
 */
function folderOf(file) {
  return /^src\/([^/]+)\//.exec(file)?.[1];
}

/** @param {string} specifier */
function packageOf(specifier) {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

/** @param {string} root */
function readDependencies(root) {
  return new Set(Object.keys(readManifest(root, ".").dependencies ?? {}));
}

/**
 * Packages that a user adds for one capability: imported where it is used, with a clear message when they are missing.
 * @param {string} root
 */
function readOptionalPeers(root) {
  return Object.keys(readManifest(root, ".").peerDependencies ?? {});
}

/**
 * What this check reads of a package.json.
 * @typedef {{ dependencies?: Record<string, string>, peerDependencies?: Record<string, string> }} Manifest
 */

/**
 * Returns what a folder's package.json says of dependencies; nothing where there is none.
 * @param {string} root
 * @param {string} folder
 */
function readManifest(root, folder) {
  const path = join(root, folder, "package.json");
  const text = existsSync(path) ? readFileSync(path, "utf8") : "{}";
  return /** @type {Manifest} */ (JSON.parse(text));
}

await runCheck(import.meta.url, checkImports, "imports follow the table, without cycles");
