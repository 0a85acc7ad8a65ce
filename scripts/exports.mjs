// Writes each folder's index.ts from what its files export, by name, sorted. With --check it only compares.
// A file whose first line is "// internal" keeps its exports inside the folder.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readExports } from "./lib/declarations.mjs";
import { isTestFile, listSources, runCheck } from "./lib/sources.mjs";

/** @typedef {import("./lib/sources.mjs").Problem} Problem */

/**
 * Returns the folders of src/ that have an index: all but the command line, which is a program.
 * @param {string} root
 */
export function listFolders(root) {
  return readdirSync(join(root, "src"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "cli")
    .map(({ name }) => name)
    .sort();
}

/**
 * Returns the files whose exports a folder's index lists: no tests, and no browser programs (`client`).
 * @param {string} root
 * @param {string} folder
 */
export function listPublicSources(root, folder) {
  return listSources(root, `src/${folder}`).filter(
    (file) => !isTestFile(file) && file !== `src/${folder}/index.ts` && !file.includes("/client/"),
  );
}

/**
 * Returns the index of a folder as text, and what is wrong with the folder's exports: forms that cannot be listed, and
 * names that two files export.
 * @param {string} root
 * @param {string} folder
 */
export function renderIndex(root, folder) {
  /** @type {Problem[]} */
  const problems = [];
  /** @type {Map<string, string>} */
  const owners = new Map();
  const lines = [];
  for (const file of listPublicSources(root, folder)) {
    const exported = readExports(root, file);
    problems.push(...exported.problems);
    for (const { name, line } of exported.declarations) {
      const owner = owners.get(name);
      if (owner === undefined) owners.set(name, file);
      else
        problems.push({
          file,
          line,
          message: `Name "${name}" is exported by ${owner} too: names are unique within a folder`,
        });
    }
    const from = `./${file.slice(`src/${folder}/`.length).replace(/\.tsx?$/, ".js")}`;
    const names = (/** @type {boolean} */ isType) =>
      exported.declarations.filter((each) => each.isType === isType).map(({ name }) => name);
    lines.push(...renderExport("export type", names(true), from), ...renderExport("export", names(false), from));
  }
  return { text: lines.length === 0 ? "export {};\n" : `${lines.join("\n")}\n`, problems };
}

/**
 * Returns the lines of one re-export, broken the way the formatter breaks them.
 * @param {string} keyword
 * @param {string[]} names
 * @param {string} from
 */
function renderExport(keyword, names, from) {
  if (names.length === 0) return [];
  const sorted = names.sort();
  const line = `${keyword} { ${sorted.join(", ")} } from "${from}";`;
  if (line.length <= 120) return [line];
  return [`${keyword} {`, ...sorted.map((name) => `  ${name},`), `} from "${from}";`];
}

/**
 * Writes or, with `isCheck`, compares every index; an index is written even where names clash, so that work can go on.
 * @param {string} root
 * @param {boolean} isCheck
 * @returns {Problem[]}
 */
export function updateIndexes(root, isCheck) {
  return listFolders(root).flatMap((folder) => {
    const { text, problems } = renderIndex(root, folder);
    const file = `src/${folder}/index.ts`;
    const path = join(root, file);
    if (existsSync(path) && readFileSync(path, "utf8") === text) return problems;
    if (isCheck)
      return [
        ...problems,
        { file, line: 1, message: 'Index does not list what the folder exports: run "npm run exports"' },
      ];
    writeFileSync(path, text);
    process.stdout.write(`wrote ${file}\n`);
    return problems;
  });
}

await runCheck(
  import.meta.url,
  (root) => updateIndexes(root, process.argv.includes("--check")),
  "indexes list what the folders export",
);
