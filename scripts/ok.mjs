// The whole gate: every check of the repository, then every test. Prints a line per check and ends with one line,
// `N passed, N failed`, that counts checks and tests together. With --quick the tests are left out.
import { spawn } from "node:child_process";

/**
 * The checks in order; the build comes first because types, docs and the package are checked against it.
 * @type {readonly { readonly name: string, readonly command: readonly string[] }[]}
 */
const checks = [
  { name: "build", command: ["node", "scripts/build.mjs"] },
  { name: "types", command: ["node", "node_modules/typescript/bin/tsc", "--noEmit", "-p", "tsconfig.json"] },
  { name: "lint", command: ["node", "node_modules/oxlint/bin/oxlint"] },
  { name: "format", command: ["node", "node_modules/oxfmt/bin/oxfmt", "--check", "."] },
  { name: "imports", command: ["node", "scripts/check-imports.mjs"] },
  { name: "exports", command: ["node", "scripts/exports.mjs", "--check"] },
  { name: "doc comments", command: ["node", "scripts/check-docs-comments.mjs"] },
  { name: "style", command: ["node", "scripts/check-style.mjs"] },
  { name: "package", command: ["node", "scripts/check-package.mjs"] },
];

/**
 * Runs a command without input; the output is passed on as it comes with `isLive`, and returned in any case.
 * @param {readonly string[]} command
 * @param {boolean} isLive
 * @returns {Promise<{ readonly code: number, readonly output: string }>}
 */
function run([program, ...args], isLive) {
  return new Promise((resolve) => {
    const child = spawn(program === "node" ? process.execPath : String(program), args, {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const collect = (/** @type {Buffer} */ chunk) => {
      output += chunk.toString("utf8");
      if (isLive) process.stdout.write(chunk);
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.on("error", (error) => resolve({ code: 127, output: error.message }));
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

/**
 * Returns how many tests passed and failed, from the closing line of the test run. A run that ended badly without
 * saying so is one failure.
 * @param {{ readonly code: number, readonly output: string }} result
 */
function countTests({ code, output }) {
  const line = [...output.matchAll(/^(\d+) passed, (\d+) failed, (\d+) skipped$/gm)].at(-1);
  const passed = Number(line?.[1] ?? 0);
  const failed = Number(line?.[2] ?? 0);
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}

let passed = 0;
let failed = 0;
for (const { name, command } of checks) {
  const start = performance.now();
  const { code, output } = await run(command, false);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  if (code === 0) passed += 1;
  else failed += 1;
  process.stdout.write(`${code === 0 ? "ok    " : "FAILED"} ${name} (${seconds} s)\n`);
  if (code !== 0) process.stdout.write(`${output.trimEnd()}\n`);
}
if (!process.argv.includes("--quick")) {
  const tests = countTests(await run(["node", "scripts/test.mjs", "--built"], true));
  passed += tests.passed;
  failed += tests.failed;
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;
