// Runs the tests, `npm test`: builds (unless --built says it is done), sees to a browser, and starts vitest with the
// remaining arguments. Exits with vitest's code.
import { spawnSync } from "node:child_process";

const args = process.argv.slice(2).filter((argument) => argument !== "--built");
const run = (/** @type {string[]} */ command) => spawnSync(process.execPath, command, { stdio: "inherit" }).status ?? 1;

const built = process.argv.includes("--built") ? 0 : run(["scripts/build.mjs"]);
// Without a browser its tests are skipped.
if (built === 0) run(["--import", "tsx", "scripts/ensure-chromium.ts"]);
process.exitCode = built === 0 ? run(["node_modules/vitest/vitest.mjs", "run", ...args]) : built;
if (built !== 0) process.stdout.write("0 passed, 1 failed, 0 skipped\n"); // The build; the compiler has said why.
