// Checks the rules of form that the linter does not know: every type assertion gives its reason, importing a module
// does nothing, and no file names a place on somebody's machine.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { isTestFile, lineOf, listSources, parseSource, runCheck } from "./lib/sources.mjs";

/** @typedef {import("./lib/sources.mjs").Problem} Problem */

/** Programs: running them is their purpose. */
const isProgram = (/** @type {string} */ file) => file === "src/cli/main.ts" || file.includes("/client/");

/**
 * Returns every breach of form under `src/`, and every private path in the files that git tracks.
 * @param {string} root
 */
export function checkStyle(root) {
  const sources = listSources(root, "src").filter((file) => !isTestFile(file) && !file.endsWith("/index.ts"));
  return [
    ...sources.flatMap((file) => checkSource(file, parseSource(root, file))),
    ...findPrivatePaths(root, listTracked(root)),
  ];
}

/**
 * @param {string} file
 * @param {ts.SourceFile} source
 */
function checkSource(file, source) {
  const lines = source.text.split("\n");
  /** @type {Problem[]} */
  const problems = [];
  /** @param {ts.Node} node @param {boolean} isTopLevel */
  const visit = (node, isTopLevel) => {
    if (isUnreasonedAssertion(node, lines)) {
      problems.push({
        file,
        line: lineOf(node),
        message: 'Give the reason of "as" in a comment on its line, or do without it',
      });
    }
    if (isTopLevel && hasEffect(node))
      problems.push({
        file,
        line: lineOf(node),
        message: "Importing a module does nothing: move this into a function",
      });
    // A loop at the top level fills a table of the module; it stays within it.
    ts.forEachChild(node, (child) =>
      visit(child, isTopLevel && !ts.isFunctionLike(child) && !ts.isIterationStatement(child, false)),
    );
  };
  visit(source, !isProgram(file));
  return problems;
}

/**
 * @param {ts.Node} node
 * @param {readonly string[]} lines
 */
function isUnreasonedAssertion(node, lines) {
  if (!ts.isAsExpression(node) && !ts.isTypeAssertionExpression(node)) return false;
  if (node.type.getText() === "const") return false;
  const source = node.getSourceFile();
  const first = source.getLineAndCharacterOfPosition(node.getStart()).line;
  const last = source.getLineAndCharacterOfPosition(node.getEnd()).line;
  const isBeside = lines.slice(first, last + 1).some((line) => /\/\/ |\/\*/.test(line));
  const isAbove = /^\s*(\/\/|\*|\/\*)/.test(lines[first - 1] ?? "");
  return !isBeside && !isAbove;
}

/** @param {ts.Node} node */
function hasEffect(node) {
  if (ts.isExpressionStatement(node)) return !ts.isStringLiteral(node.expression);
  return ts.isPropertyAccessExpression(node) && /^process\.(env|argv|stdout|stderr)$/.test(node.getText());
}

/**
 * Returns the text files that git tracks; everything under the usual folders where there is no git.
 * @param {string} root
 */
function listTracked(root) {
  try {
    return execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
      .split("\0")
      .filter(Boolean);
  } catch {
    return ["src", "scripts", "test", "bench", "docs", "examples"].flatMap((folder) => listSources(root, folder));
  }
}

/** A home, a workspace or a temporary folder of one machine, as an absolute path. */
const privatePath = /(?<![\w./:$}-])\/(?:home|root|Users|work|workspace|mnt)\/[\w.]+/;

/**
 * @param {string} root
 * @param {readonly string[]} files
 */
function findPrivatePaths(root, files) {
  /** @type {Problem[]} */
  const problems = [];
  for (const file of files) {
    if (!/\.(ts|tsx|mjs|js|json|jsonc|md|html|css|yml|yaml|sh)$|(^|\/)[^.]+$/.test(file) || file.includes("/fixtures/"))
      continue;
    if (!existsSync(join(root, file))) continue; // Deleted but not yet committed.
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .forEach((text, index) => {
        const found = privatePath.exec(text);
        if (found !== null)
          problems.push({ file, line: index + 1, message: `Path "${found[0]}" exists on one machine only` });
      });
  }
  return problems;
}

await runCheck(import.meta.url, checkStyle, "assertions give reasons, imports do nothing, no private paths");
