import { expect, test } from "vitest";
import { checkDocComments } from "../../scripts/check-docs-comments.mjs";
import { renderPackageExports } from "../../scripts/check-package.mjs";
import { renderIndex, updateIndexes } from "../../scripts/exports.mjs";
import { plantTree } from "./tree.js";

test("renderIndex() lists types and values of each file by name, sorted, and leaves out tests and internal files", () => {
  const root = plantTree({
    "src/core/b.ts": "export interface B {}\nexport function b() {}\nexport const a = 1;\n",
    "src/core/deep/c.ts": "export class C {}\nexport async function* stream() {}\n",
    "src/core/hidden.ts": "// internal\nexport const hidden = 1;\n",
    "src/core/b.test.ts": "export const x = 1;\n",
    "src/core/fixtures/d.ts": "export const d = 1;\n",
  });
  expect(renderIndex(root, "core")).toEqual({
    text: 'export type { B } from "./b.js";\nexport { a, b } from "./b.js";\nexport { C, stream } from "./deep/c.js";\n',
    problems: [],
  });
});

test("renderIndex() breaks a line of more than 120 characters as the formatter does", () => {
  const names = Array.from({ length: 12 }, (_, index) => `someLongName${String(index).padStart(2, "0")}`);
  const root = plantTree({ "src/core/a.ts": names.map((name) => `export const ${name} = 1;\n`).join("") });
  expect(renderIndex(root, "core").text).toBe(
    `export {\n${names.map((name) => `  ${name},\n`).join("")}} from "./a.js";\n`,
  );
});

test("renderIndex() counts an overloaded function once", () => {
  const text =
    "export function f(a: string): void;\nexport function f(a: number): void;\nexport function f(): void {}\n";
  expect(renderIndex(plantTree({ "src/core/a.ts": text }), "core").text).toBe('export { f } from "./a.js";\n');
});

test.each([
  { text: "export default 1;", found: "Export by name: there are no default exports" },
  { text: "export default function f() {}", found: "Export by name: there are no default exports" },
  { text: "const a = 1;\nexport { a };", found: 'Put "export" on the declaration' },
  { text: 'export * from "./b.js";', found: 'Put "export" on the declaration' },
  { text: "export let a = 1;", found: "Export a const" },
  { text: "export const { a } = { a: 1 };", found: "Export plain names" },
])("renderIndex() reports $text", ({ text, found }) => {
  const { problems } = renderIndex(plantTree({ "src/core/a.ts": text }), "core");
  expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining(found)]);
});

test("renderIndex() reports a name that two files of a folder export", () => {
  const root = plantTree({ "src/core/a.ts": "export const x = 1;\n", "src/core/b.ts": "\nexport type x = 1;\n" });
  expect(renderIndex(root, "core").problems).toEqual([
    {
      file: "src/core/b.ts",
      line: 2,
      message: 'Name "x" is exported by src/core/a.ts too: names are unique within a folder',
    },
  ]);
});

test("updateIndexes() reports a stale index, writes it, and is content afterwards", () => {
  const root = plantTree({ "src/core/a.ts": "export const a = 1;\n", "src/core/index.ts": "", "src/cli/main.ts": "" });
  expect(updateIndexes(root, true).map(({ file }) => file)).toEqual(["src/core/index.ts"]);
  expect(updateIndexes(root, false)).toEqual([]);
  expect(updateIndexes(root, true)).toEqual([]);
});

test("checkDocComments() reports public declarations without a doc comment, and no others", () => {
  const root = plantTree({
    "src/core/a.ts":
      "/** Documented. */\nexport const a = 1;\n// Not a doc comment.\nexport interface B {}\nconst c = 1;\n",
    "src/core/b.ts": "// internal\nexport const d = 1;\n",
    "src/cli/main.ts": "export const e = 1;\n",
  });
  expect(checkDocComments(root)).toEqual([
    { file: "src/core/a.ts", line: 4, message: 'Exported "B" has no doc comment' },
  ]);
});

test("renderPackageExports() gives the commands the top level and every other folder that exports something a subpath", () => {
  const root = plantTree({
    "src/commands/a.ts": "export const a = 1;\n",
    "src/stats/a.ts": "export const a = 1;\n",
    "src/empty/a.ts": "// internal\nexport const a = 1;\n",
    "src/cli/main.ts": "",
  });
  expect(renderPackageExports(root)).toEqual({
    ".": { types: "./dist/commands/index.d.ts", default: "./dist/commands/index.js" },
    "./stats": { types: "./dist/stats/index.d.ts", default: "./dist/stats/index.js" },
    "./package.json": "./package.json",
  });
});
