// Checks what is published: the exports of package.json mirror the folders of src/, publint finds nothing, and the
// archive holds what runs and nothing else. With --write the exports are rewritten first. Needs a build.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { listFolders, renderIndex } from "./exports.mjs";
import { runCheck } from "./lib/sources.mjs";

/**
 * What this check reads of package.json.
 * @typedef {{ exports: unknown, files: string[], bin: Record<string, string>, scripts: Record<string, string> }} Manifest
 * @typedef {import("./lib/sources.mjs").Problem} Problem
 */

/**
 * Returns the `exports` that belong to the folders: the commands are the top level, every other folder that exports
 * something is a subpath of its name.
 * @param {string} root
 */
export function renderPackageExports(root) {
  const entry = (/** @type {string} */ folder) => ({
    types: `./dist/${folder}/index.d.ts`,
    default: `./dist/${folder}/index.js`,
  });
  const folders = listFolders(root).filter(
    (folder) => folder !== "commands" && renderIndex(root, folder).text !== "export {};\n",
  );
  return {
    ".": entry("commands"),
    ...Object.fromEntries(folders.map((folder) => [`./${folder}`, entry(folder)])),
    "./package.json": "./package.json",
  };
}

/**
 * Rewrites the exports of package.json.
 * @param {string} root
 */
export function writePackageExports(root) {
  const manifest = readManifest(root);
  const rendered = renderPackageExports(root);
  if (JSON.stringify(manifest.exports) === JSON.stringify(rendered)) return;
  manifest.exports = rendered;
  writeFileSync(join(root, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  process.stdout.write("wrote package.json\n");
}

/**
 * Returns every problem with the package as it would be published.
 * @param {string} root
 * @returns {Promise<Problem[]>}
 */
export async function checkPackage(root) {
  const manifest = readManifest(root);
  const problem = (/** @type {string} */ message) => ({ file: "package.json", line: 1, message });
  const problems = [];
  if (JSON.stringify(manifest.exports) !== JSON.stringify(renderPackageExports(root))) {
    problems.push(problem('Exports do not mirror the folders of src/: run "npm run exports"'));
  }
  if (!existsSync(join(root, "dist"))) return [...problems, problem('There is no dist/ to check: run "npm run build"')];
  const { messages } = await publint({ pkgDir: root, strict: true });
  problems.push(...messages.map((message) => problem(formatMessage(message, manifest) ?? message.code)));
  return [...problems, ...findPackedFaults(root, manifest).map(problem)];
}

/**
 * Returns what is wrong with the list of files that `npm pack` would ship.
 * @param {string} root
 * @param {Manifest} manifest
 */
function findPackedFaults(root, manifest) {
  const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [archive] = /** @type {{ files: { path: string }[] }[]} */ (JSON.parse(output));
  const packed = new Set(archive?.files.map(({ path }) => path));
  const unwanted = [...packed].filter((path) =>
    /\.test\.|\/fixtures\/|\.map$|\.tsbuildinfo$|^(src|test|bench|scripts)\//.test(path),
  );
  const needed = [
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    ...Object.values(manifest.bin).map((path) => path.replace(/^\.\//, "")),
  ];
  const empty = manifest.files.filter((path) => !path.startsWith("!") && !existsSync(join(root, path)));
  return [
    ...unwanted.map((path) => `The archive would ship "${path}"`),
    ...needed.filter((path) => !packed.has(path)).map((path) => `The archive lacks "${path}"`),
    ...empty.map((path) => `Entry "${path}" of "files" does not exist`),
  ];
}

/** @param {string} root */
function readManifest(root) {
  return /** @type {Manifest} */ (JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
}

if (process.argv.includes("--write")) writePackageExports(process.cwd());
else await runCheck(import.meta.url, checkPackage, "the package ships what it should");
