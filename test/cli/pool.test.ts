import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RecoveryResult, StepEvaluation } from "../../src/core/index.js";
import { createFolder, runTurnwise } from "./cli.js";

const folder = createFolder();
afterAll(() => folder.remove());
const run = (...args: string[]) => runTurnwise(args, { cwd: folder.path });
const both = ["-p", "scripted:base", "-p", "scripted:better-recovery"];

beforeAll(async () => {
  await run(
    "eval",
    "budget",
    "-e",
    "sokoban",
    ...both,
    "--tasks",
    "6",
    "-n",
    "3",
    "-T",
    "24",
    "--replicates",
    "100",
    "-o",
    "run",
  );
  await run("pool", "errors", "run", "-o", "pool");
});

test("turnwise pool errors writes the pool and says what it holds and what to do next", async () => {
  const result = await run("pool", "errors", "run", "-o", "pool");
  expect(result.code).toBe(0);
  expect(result.stdout).toMatch(/^Prefixes {3}\d+ first errors in 6 tasks/);
  expect(result.stdout).toContain("Next       turnwise eval recovery pool --policy POLICY");
  const { folder: written, card } = JSON.parse((await run("pool", "errors", "run", "-o", "pool", "--json")).stdout) as {
    folder: string;
    card: unknown;
  };
  expect(written).toBe("pool");
  expect(card).toEqual(JSON.parse(readFileSync(join(folder.path, "pool/pool.json"), "utf8")));
});

test("turnwise eval recovery and eval step print figures, and with --json one document", async () => {
  const recovery = await run(
    "eval",
    "recovery",
    "pool",
    ...both,
    "-b",
    "2,8",
    "-n",
    "2",
    "--replicates",
    "100",
    "-o",
    "recovery",
  );
  expect([recovery.code, recovery.stdout.includes("RECOVERY FROM ERRORS")]).toEqual([0, true]);
  const again = await run(
    "eval",
    "recovery",
    "pool",
    ...both,
    "-b",
    "2,8",
    "-n",
    "2",
    "--replicates",
    "100",
    "-o",
    "recovery",
    "--json",
  );
  const { report } = JSON.parse(again.stdout) as { report: { recovery: RecoveryResult } };
  expect(report.recovery.budgets).toEqual([2, 8]);
  const step = await run("eval", "step", "pool", ...both, "-n", "2", "--replicates", "100", "-o", "steps", "--json");
  const { report: stepReport } = JSON.parse(step.stdout) as { report: { steps: StepEvaluation } };
  expect(stepReport.steps.rows).toHaveLength(2);
});

test.each([
  { args: ["pool", "errors", "nowhere"], code: 3, says: "no such file or folder" },
  { args: ["pool", "errors", "run", "--per-task", "0"], code: 2, says: "no whole number from 1" },
  { args: ["pool", "errors", "run", "--per-task", "1", "-o", "pool"], code: 3, says: "it holds another one" },
  { args: ["pool", "errors", "run", "--rule", "rule.txt"], code: 2, says: "it is no module file" },
  { args: ["eval", "recovery", "run", ...both], code: 3, says: "pool.json" },
  { args: ["eval", "recovery", "pool"], code: 2, says: "Name at least one with --policy" },
  { args: ["eval", "recovery", "pool", ...both, "-b", "0"], code: 2, says: "no whole number from 1" },
  { args: ["eval", "recovery", "pool", ...both, "--context", "none"], code: 2, says: "full, summary, state_only" },
  {
    args: ["eval", "recovery", "pool", ...both, "--terminal-rule", "answer_only"],
    code: 2,
    says: "takes no closing answer",
  },
  { args: ["eval", "step", "pool", ...both, "-e", "vault"], code: 3, says: 'made in env "sokoban"' },
  { args: ["report", "recovery"], code: 2, says: "begins in the middle of another" },
])("turnwise $args ends with $code and says $says, without a stack trace", async ({ args, code, says }) => {
  const result = await run(...args);
  expect(result.stderr).toContain(says);
  expect(result.stderr).not.toMatch(/\n\s+at /);
  expect([result.code, result.stdout]).toEqual([code, ""]);
});

test.each([
  {
    name: "waits for what nothing settles",
    body: "await new Promise(() => {});",
    says: "waits for a promise that nothing",
  },
  {
    name: "has a function that never settles",
    body: "const findError = () => new Promise(() => {}); export const rule = { id: 'x', sensitivity: 1, specificity: 1, checkedCount: 1, findError };",
    says: "waits for a promise that nothing",
  },
  { name: "ends the process", body: "process.exit(0);", says: "a module called process.exit()" },
])("turnwise ends with code 3 and a word when a module $name", async ({ body, says }) => {
  const path = join(folder.path, "early.mjs");
  writeFileSync(path, body);
  const result = await run("pool", "errors", "run", "--rule", path, "-o", "never");
  expect(result.stderr).toContain(says);
  expect([result.code, result.stdout, existsSync(join(folder.path, "never"))]).toEqual([3, "", false]);
});

test("a run that was cut short says to run the same command again, and nothing else", async () => {
  const result = await run("eval", "recovery", "pool", ...both, "-b", "2", "-n", "2", "--limit", "1", "-o", "partial");
  expect(result.stdout).toContain("run the same command to continue");
  expect(result.stdout).not.toContain("Next");
});
