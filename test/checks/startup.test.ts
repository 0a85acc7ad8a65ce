// `turnwise --help` starts within some 40 ms of an empty Node only while it loads nothing but the parser of arguments:
// every command loads its libraries when it runs. Counting modules says so without a clock.
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { plantTree } from "./tree.js";

const root = resolve(import.meta.dirname, "../..");
const hook = `export async function load(url, context, next) { process._rawDebug(url); return next(url, context); }\n`;

test("turnwise --help loads the command line, core and commander, and nothing else", () => {
  const folder = plantTree({
    "hook.mjs": hook,
    "register.mjs": 'import { register } from "node:module";\nregister("./hook.mjs", import.meta.url);\n',
  });
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ["--import", pathToFileURL(join(folder, "register.mjs")).href, join(root, "dist/cli/main.js"), "--help"],
    { encoding: "utf8" },
  );
  expect(status).toBe(0);
  expect(stdout).toContain("Usage: turnwise");
  const loaded = stderr.split("\n").filter((line) => line.startsWith("file:"));
  const places = loaded
    .map((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)|dist\/([^/]+)/.exec(url))
    .map((found) => found?.[1] ?? found?.[2]);
  expect(new Set(places)).toEqual(new Set(["@commander-js/extra-typings", "cli", "core"]));
});
