import { expect, test } from "vitest";
import { checkImports, layout, pureFolders } from "../../scripts/check-imports.mjs";
import { plantTree } from "./tree.js";

const index = 'export type { A } from "./a.js";\n';
const core = { "src/core/index.ts": index, "src/core/a.ts": "export interface A {}\n" };

/** Returns the problems of a planted tree as `file:line message`. */
function check(files: Readonly<Record<string, string>>): string[] {
  return checkImports(plantTree(files)).map(({ file, line, message }) => `${file}:${line} ${message}`);
}

test("checkImports() finds nothing in a tree that follows the table", () => {
  expect(
    check({
      ...core,
      "src/records/store.ts": 'import { open } from "node:fs/promises";\nimport type { A } from "../core/index.js";\n',
      "src/records/importers/b.ts": 'import type { A } from "../../core/index.js";\nimport "../store.js";\n',
      "src/records/store.test.ts": 'import { x } from "../evaluate/deep/file.js";\nimport { test } from "vitest";\n',
    }),
  ).toEqual([]);
});

test.each([
  {
    name: "a folder that is not allowed, even for a type",
    text: 'import type { R } from "../rollout/index.js";',
    found: ':1 Folder "stats" must not import "rollout": it may import core',
  },
  {
    name: "a dynamic import",
    text: 'export const f = () =>\n  import("../rollout/index.js");',
    found: ':2 Folder "stats" must not import "rollout": it may import core',
  },
  {
    name: "a type written as import()",
    text: 'export type T = import("../rollout/index.js").R;',
    found: ':1 Folder "stats" must not import "rollout": it may import core',
  },
  {
    name: "a re-export",
    text: 'export * from "../rollout/index.js";',
    found: ':1 Folder "stats" must not import "rollout": it may import core',
  },
  {
    name: "a file behind another folder's index",
    text: 'import { A } from "../core/a.js";',
    found: ':1 Import "core" through its index: "../core/index.js"',
  },
  {
    name: "the own index",
    text: 'import { B } from "./index.js";',
    found: ':1 Import the file inside "stats", not the folder\'s own index',
  },
  {
    name: "a node: module in a pure folder",
    text: 'import { readFileSync } from "node:fs";',
    found: ':1 Folder "stats" uses no package and no node: module: found "node:fs"',
  },
  {
    name: "a package in a pure folder",
    text: 'import { z } from "zod";',
    found: ':1 Folder "stats" uses no package and no node: module: found "zod"',
  },
  {
    name: "a file that is not there",
    text: 'import { x } from "./gone.js";',
    found: ':1 Import "./gone.js" leads to no file',
  },
  {
    name: "a test",
    text: 'import { x } from "./x.test.js";',
    found: ':1 Import "./x.test.js" is a test: only tests import tests',
  },
  {
    name: "a way out of src",
    text: 'import { x } from "../../test/x.js";',
    found: ':1 Import "../../test/x.js" leaves src/',
  },
  {
    name: "a random number",
    text: "export const f = () => Math.random();",
    found: ':1 Folder "stats" takes "Math.random" as an argument instead of using it',
  },
  {
    name: "the clock",
    text: "export const f = () => [Date.now, new Date()];",
    found: ':1 Folder "stats" takes "Date.now" as an argument instead of using it',
  },
  {
    name: "the machine",
    text: 'export const f = () =>\n  process.env["HOME"];',
    found: ':2 Folder "stats" takes "process" as an argument instead of using it',
  },
])("checkImports() reports $name", ({ text, found }) => {
  const files = {
    ...core,
    "src/stats/index.ts": "export {};\n",
    "src/stats/b.ts": text,
    "src/stats/x.test.ts": "export const x = 1;\n",
    "src/rollout/index.ts": "export {};\n",
    "test/x.ts": "export const x = 1;\n",
  };
  expect(check(files)).toContain(`src/stats/b.ts${found}`);
});

test("checkImports() lets a pure folder name a member or a variable like a global", () => {
  expect(check({ "src/stats/a.ts": "export const f = (o: { process(): void }) => o.process();\n" })).toEqual([]);
});

test("checkImports() reports a cycle between files at the import that closes it", () => {
  const files = {
    "src/core/a.ts": 'import type { B } from "./b.js";\n',
    "src/core/b.ts": '\nimport type { C } from "./c.js";\n',
    "src/core/c.ts": 'import type { A } from "./a.js";\n',
  };
  expect(check(files)).toEqual([
    "src/core/c.ts:1 Import closes a cycle: src/core/a.ts -> src/core/b.ts -> src/core/c.ts -> src/core/a.ts",
  ]);
});

test("checkImports() reports a folder that the table does not know, and a file in src itself", () => {
  const files = { "src/extra/a.ts": 'import "node:fs";\n', "src/a.ts": 'import "node:fs";\n' };
  expect(check(files)).toEqual([
    "src/a.ts:1 Sources lie in a folder of src/, not in src/ itself",
    'src/extra/a.ts:1 Folder "src/extra" is not in the table of scripts/check-imports.mjs',
  ]);
});

test("checkImports() holds imported packages and dependencies against each other", () => {
  const files = {
    "package.json":
      '{\n  "dependencies": {\n    "undici": "1.0.0",\n    "zod": "1.0.0",\n    "asked-for": "1.0.0"\n  }\n}\n',
    "node_modules/undici/package.json": '{ "peerDependencies": { "asked-for": "1" } }',
    "src/chat/a.ts": 'import { request } from "undici";\nimport { x } from "@scope/other/sub";\nimport "fs";\n',
  };
  expect(check(files)).toEqual([
    'src/chat/a.ts:2 Package "@scope/other" is not among the dependencies of package.json',
    'src/chat/a.ts:3 Write "node:fs"',
    'package.json:4 Dependency "zod" is imported by no file under src/',
  ]);
});

test("checkImports() wants examples to import the package as a user does", () => {
  const files = {
    "examples/a.ts":
      'import { x } from "turnwise/core";\nimport { y } from "./b.js";\nimport "../src/core/index.js";\n',
    "examples/b.ts": 'import "node:fs";\n',
  };
  expect(check(files)).toEqual([
    'examples/a.ts:3 An example imports "turnwise", node: modules and files beside it: found "../src/core/index.js"',
  ]);
});

test("the table knows only folders of the table, and pure folders import only pure folders", () => {
  for (const [folder, allowed] of Object.entries(layout)) {
    for (const other of allowed) {
      expect(Object.keys(layout)).toContain(other);
      if (pureFolders.includes(folder)) expect(pureFolders).toContain(other);
    }
  }
});
