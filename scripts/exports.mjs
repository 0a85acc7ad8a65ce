// Writes each folder's index.ts from what its files export, by name, sorted. With --check it only compares.
// A file whose first line is "// internal" keeps its exports inside the folder.
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

const check = process.argv.includes("--check");

/** Returns the source files under a folder, tests and index files left out, in a stable order. */
function listSources(folder) {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) return name === "fixtures" || name === "client" ? [] : listSources(path);
      return name.endsWith(".ts") && !name.endsWith(".test.ts") && name !== "index.ts" ? [path] : [];
    });
}

const declaration =
  /^export (?:declare )?(?:(async function\*?|function\*?|const|let|class|abstract class)|(interface|type)) ([A-Za-z_$][\w$]*)/gm;

let stale = 0;
for (const folder of readdirSync("src")) {
  const root = join("src", folder);
  if (!statSync(root).isDirectory() || folder === "cli") continue;
  const lines = [];
  for (const path of listSources(root)) {
    const text = readFileSync(path, "utf8");
    if (text.startsWith("// internal")) continue;
    const values = [];
    const types = [];
    for (const [, value, , name] of text.matchAll(declaration)) (value ? values : types).push(name);
    const from = `./${relative(root, path).replaceAll("\\", "/").replace(/\.ts$/, ".js")}`;
    if (types.length > 0) lines.push(`export type { ${[...new Set(types)].sort().join(", ")} } from "${from}";`);
    if (values.length > 0) lines.push(`export { ${[...new Set(values)].sort().join(", ")} } from "${from}";`);
  }
  const index = join(root, "index.ts");
  const text = lines.length === 0 ? "export {};\n" : `${lines.join("\n")}\n`;
  const current = existsSync(index) ? readFileSync(index, "utf8") : "";
  if (current === text) continue;
  if (check) {
    process.stdout.write(`${index} does not list what the folder exports: run "npm run exports"\n`);
    stale += 1;
  } else {
    writeFileSync(index, text);
    process.stdout.write(`wrote ${index}\n`);
  }
}
process.exitCode = stale > 0 ? 1 : 0;
