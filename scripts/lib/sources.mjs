// What the repository checks share: finding source files, parsing them, and reporting what was found.
import { readFileSync, readdirSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";

/**
 * One problem with its place; `line` counts from 1.
 * @typedef {{ readonly file: string, readonly line: number, readonly message: string }} Problem
 */

/**
 * Returns the TypeScript files under a folder in a stable order, as paths with forward slashes relative to `root`.
 * Folders named `fixtures` hold data, not code, and are left out. A folder that does not exist has no files.
 * @param {string} root
 * @param {string} folder relative to `root`
 * @returns {string[]}
 */
export function listSources(root, folder) {
  return listFiles(root, folder).filter((file) => /\.(ts|tsx|mts)$/.test(file) && !file.endsWith(".d.ts"));
}

/**
 * Returns every file under a folder, `fixtures`, `node_modules` and dot folders left out.
 * @param {string} root
 * @param {string} folder relative to `root`
 * @returns {string[]}
 */
export function listFiles(root, folder) {
  let entries;
  try {
    entries = readdirSync(join(root, folder), { withFileTypes: true });
  } catch {
    return []; // Not there (yet): nothing to check.
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (!entry.isDirectory()) return [path];
      if (entry.name === "fixtures" || entry.name === "node_modules" || entry.name.startsWith(".")) return [];
      return listFiles(root, path);
    });
}

/**
 * Returns the syntax tree of a file, with parents.
 * @param {string} root
 * @param {string} file relative to `root`
 */
export function parseSource(root, file) {
  return ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true);
}

/**
 * Returns the line of a node, counted from 1.
 * @param {ts.Node} node
 */
export function lineOf(node) {
  const source = node.getSourceFile();
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}

/** @param {string} file */
export function isTestFile(file) {
  return /\.test\.(ts|tsx)$/.test(file);
}

/**
 * Runs `check` on the repository when the module is the program, prints each problem as `file:line message` and sets
 * the exit code to 1 if there is one; does nothing when the module is imported.
 * @param {string} moduleUrl `import.meta.url` of the check
 * @param {(root: string) => readonly Problem[] | Promise<readonly Problem[]>} check
 * @param {string} fine what to print when there is no problem
 */
export async function runCheck(moduleUrl, check, fine) {
  const program = process.argv[1];
  if (program === undefined || pathToFileURL(resolve(program)).href !== moduleUrl) return;
  const problems = await check(process.cwd());
  for (const { file, line, message } of problems) process.stdout.write(`${file}:${line} ${message}\n`);
  process.stdout.write(problems.length === 0 ? `${fine}\n` : `${problems.length} problems\n`);
  if (problems.length > 0) process.exitCode = 1;
}

/**
 * Returns a path relative to `root` with forward slashes.
 * @param {string} root
 * @param {string} path
 */
export function toRelative(root, path) {
  return relative(root, path).split(sep).join("/");
}
