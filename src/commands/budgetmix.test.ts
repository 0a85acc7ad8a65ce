import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { VerlRow } from "../adapters/index.js";
import { runCli } from "../cli/run-cli.js";
import type { BudgetPlan, Trajectory } from "../core/index.js";
import { renderRuleReference } from "../diagnose/index.js";
import { createVaultEnv } from "../envs/index.js";
import { createScriptedPreset } from "../policies/index.js";
import { runEpisode } from "../rollout/index.js";
import { budgetRules } from "../train/index.js";
import { budgetmixAudit } from "./budgetmix-audit.js";
import { parseBudgetMix } from "./parse-budget-mix.js";
import { readTaskFile } from "./read-task-file.js";

let folder: string;
let planFolder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "turnwise-budgetmix-"));
  planFolder = join(folder, "plan");
  const args = ["-e", "vault", "--mix", "fixed:1,8", "--updates", "8", "--batch", "16", "--group", "4", "--tasks", "4"];
  await run("budgetmix", "plan", ...args, "--export", "verl,verl-parquet,trl,jsonl", "-o", planFolder);
});
afterAll(() => rm(folder, { recursive: true }));

async function run(...args: readonly string[]) {
  const text = { out: "", error: "" };
  const code = await runCli(args, {
    stdout: { write: (part: string) => (text.out += part) },
    stderr: { write: (part: string) => (text.error += part) },
  });
  return { code, ...text };
}

async function readPlan(): Promise<BudgetPlan> {
  return JSON.parse(await readFile(join(planFolder, "plan.json"), "utf8")) as BudgetPlan;
}

/** Plays a plan with a scripted policy and writes the episodes as turnwise records. */
async function play(
  name: string,
  change: (trajectory: Trajectory) => Trajectory = (trajectory) => trajectory,
): Promise<string> {
  const plan = await readPlan();
  const env = createVaultEnv();
  const tasks = new Map(
    (await readTaskFile(join(planFolder, "tasks.jsonl"), "vault")).map((task) => [task.hash, task]),
  );
  const lines: string[] = [];
  for (const { group, taskHash, maxTurns, envSeed, samplingSeeds } of plan.rows) {
    const task = tasks.get(taskHash);
    if (task === undefined) throw new Error(`no task ${taskHash}`);
    for (const samplingSeed of samplingSeeds) {
      const trajectory = await runEpisode(env, createScriptedPreset("trained"), task, {
        budget: { maxTurns },
        disclosure: plan.disclosure,
        envSeed,
        samplingSeed,
        groupId: group,
      });
      lines.push(`${JSON.stringify(change(trajectory))}\n`);
    }
  }
  const path = join(folder, name);
  await writeFile(path, lines.join(""));
  return path;
}

test("budgetmix plan writes the plan with its tasks and the rows trainers take, and says what it holds", async () => {
  const plan = await readPlan();
  const out = join(folder, "again");
  const args = ["-e", "vault", "--mix", "fixed:1,8", "--updates", "8", "--batch", "16", "--group", "4", "--tasks", "4"];
  const printed = await run("budgetmix", "plan", ...args, "-o", out);
  expect(printed.code).toBe(0);
  expect(printed.out).toContain("Plan       128 episodes: 32 groups of 4 in 8 updates, 4 tasks of vault");
  expect(printed.out).toMatch(/T=8 +16 +64 +50\.0 % +4\n/);
  expect(printed.out).toMatch(/0-7 +2 +2\n/);
  expect(printed.out).toContain(`Next       turnwise budgetmix audit ${out} ROLLOUTS`);
  expect(JSON.parse(await readFile(join(out, "plan.json"), "utf8"))).toEqual(plan);
  const verl = (await readFile(join(planFolder, "verl.jsonl"), "utf8")).trim().split("\n");
  expect(verl).toHaveLength(32);
  expect((JSON.parse(verl[0]) as VerlRow).extra_info.max_turns).toBe(plan.rows[0].maxTurns);
  expect((await readFile(join(planFolder, "verl.parquet"))).subarray(0, 4).toString()).toBe("PAR1");
  expect((await readFile(join(planFolder, "episodes.jsonl"), "utf8")).trim().split("\n")).toHaveLength(128);
});

test("an audit of the plan played to the letter passes what it can judge, and shows what budgets weigh", async () => {
  const rollouts = await play("sound.jsonl");
  const { code, out } = await run("budgetmix", "audit", planFolder, rollouts);
  expect(out).not.toContain("FAIL");
  expect(code).toBe(0);
  expect(out).toContain("pass A1  plan-conformity: 128 of 128 rollouts belong to 32 of 32 planned groups");
  expect(out).toContain(
    "pass A3  told-budget: the prompts of 128 of 128 rollouts were read; budgets are told (countdown)",
  );
  expect(out).toMatch(/T=8 +64 +50\.0 % +50\.0 %/);
  expect(out).toContain("128 rollouts: ");
});

test("a violation is shown with its row, and the exit code is 1", async () => {
  const broken = (await readPlan()).rows.find(({ maxTurns }) => maxTurns === 8)?.group ?? "";
  const rollouts = await play("broken.jsonl", (trajectory) =>
    trajectory.groupId === broken ? { ...trajectory, budget: { maxTurns: 7 } } : trajectory,
  );
  const { code, out } = await run("budgetmix", "audit", planFolder, rollouts, "--max-findings", "1");
  expect(code).toBe(1);
  expect(out).toContain(`error: a rollout of group "${broken}" was played with T=7, planned is T=8 (${rollouts}`);
  expect(out).toContain("and 3 more");
});

test("tasks and seeds of an evaluation that training used are found", async () => {
  const rollouts = await play("used.jsonl");
  const { checks, hasFailed } = await budgetmixAudit(planFolder, [rollouts], { evaluation: [rollouts] });
  expect(hasFailed).toBe(true);
  const failed = checks.filter(({ verdict }) => verdict === "fail");
  expect(failed.map(({ number, findingCount }) => [number, findingCount])).toEqual([
    ["A8", 128],
    ["A10", 4],
  ]);
});

test("a folder of verl dumps is audited; what the dump keeps of the rows decides what can be judged", async () => {
  const rows = (await readFile(join(planFolder, "verl.jsonl"), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as VerlRow);
  const dumps = join(folder, "dumps");
  await mkdir(dumps);
  for (let update = 0; update < 8; update += 1) {
    const lines = rows
      .filter(({ extra_info }) => extra_info.update === update)
      .flatMap(({ prompt, extra_info, data_source }) =>
        [0, 1, 2, 3].map((member) => ({
          input: `system\n${prompt[0].content}\nuser\n${prompt[1].content}\nassistant\n`,
          output: extra_info.max_turns === 1 ? "force" : "read colour",
          gts: "",
          score: member % 2,
          step: update + 1,
          uid: `${extra_info.group_key}_${member}_0`,
          data_source,
          num_turns: 2,
          ...(update === 3 && member === 0 ? { max_turns: 5 } : extra_info),
        })),
      );
    await writeFile(join(dumps, `${update + 1}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }
  const { checks, sources } = await budgetmixAudit(planFolder, [dumps], { aggregation: "sequence_mean" });
  expect(sources.map(({ format, rolloutCount }) => `${format} ${rolloutCount}`)).toEqual(
    Array.from({ length: 8 }, () => "verl 16"),
  );
  const verdicts = Object.fromEntries(checks.map(({ number, verdict }) => [number, verdict]));
  expect(verdicts).toEqual({
    A1: "fail",
    A2: "fail",
    A3: "fail",
    A4: "pass",
    A5: "pass",
    A6: "pass",
    A7: "pass",
    A8: "pass",
    A9: "not_judged",
    A10: "pass",
    A11: "pass",
  });
  expect(checks[1].findings[0].place).toMatchObject({ file: join(dumps, "4.jsonl") });
});

test.each([
  { text: "fixed:2,4", mix: { type: "fixed", budgets: [2, 4] } },
  {
    text: "weights:2=1,8=3",
    mix: {
      type: "weights",
      weights: [
        { maxTurns: 2, weight: 1 },
        { maxTurns: 8, weight: 3 },
      ],
    },
  },
  { text: "log-uniform:1-16", mix: { type: "log_uniform", min: 1, max: 16 } },
  { text: "curriculum:5,8,10@100", mix: { type: "curriculum", caps: [5, 8, 10], every: 100 } },
  { text: "published:babyai", mix: { type: "curriculum", caps: [6, 13, 20], every: 100 } },
  { text: '{"type":"fixed","budgets":[3]}', mix: { type: "fixed", budgets: [3] } },
])("parseBudgetMix() reads $text", ({ text, mix }) => {
  expect(parseBudgetMix(text)).toEqual(mix);
});

test.each([
  { args: ["plan", "-e", "vault", "--mix", "even:2"], code: 2, says: '"even" is no kind of mix' },
  { args: ["plan", "-e", "vault", "--mix", "weights:2=1=5"], code: 2, says: '"2=1=5" is not of the form T=WEIGHT' },
  { args: ["plan", "-e", "vault", "--mix", "log-uniform:1-4-9"], code: 2, says: "not of the form MIN-MAX" },
  { args: ["plan", "-e", "vault", "--mix", "curriculum:5,8"], code: 2, says: "not of the form CAPS@UPDATES" },
  { args: ["plan", "-e", "vault", "--mix", "fixed:2", "--tasks", "1e15"], code: 2, says: "at most 1000000 are drawn" },
  { args: ["plan", "-e", "vault", "--mix", "fixed:2,x"], code: 2, says: '"x" is no number' },
  { args: ["plan", "-e", "vault", "--mix", "{"], code: 2, says: "it is not JSON" },
  { args: ["plan", "-e", "vault", "--mix", "published:me"], code: 2, says: "published curricula are webarena" },
  { args: ["plan", "-e", "castle", "--mix", "fixed:2"], code: 2, says: 'Cannot find env "castle"' },
  { args: ["plan", "-e", "vault", "--mix", "fixed:2,9", "--cap", "8"], code: 2, says: "Choose budgets of at most 8" },
  {
    args: ["plan", "-e", "vault", "--mix", "fixed:2", "--group", "1"],
    code: 2,
    says: "a group of one has no baseline",
  },
  { args: ["plan", "-e", "vault", "--mix", "fixed:2", "--batch", "9"], code: 2, says: "1 would be left over" },
  { args: ["plan", "-e", "vault", "--mix", "weights:2=0"], code: 2, says: "all weights are 0" },
  {
    args: ["plan", "-e", "vault", "--mix", "fixed:2", "--tasks-file", "nowhere.jsonl"],
    code: 3,
    says: "nowhere.jsonl",
  },
  { args: ["audit"], code: 2, says: "Cannot audit without a plan" },
  { args: ["audit", "nowhere.json", "x"], code: 3, says: "nowhere.json" },
])("budgetmix $args.0 ends with $code: $says", async ({ args, code, says }) => {
  const result = await run("budgetmix", ...args);
  expect(result.error).toContain(says);
  expect(result.code).toBe(code);
});

test("budgetmix audit refuses nothing to audit, a changed plan, and a folder without rollouts", async () => {
  expect(await run("budgetmix", "audit", planFolder)).toMatchObject({
    code: 2,
    error: expect.stringContaining("Name rollouts") as string,
  });
  const changed = join(folder, "changed.json");
  await writeFile(changed, JSON.stringify({ ...(await readPlan()), seed: 99 }));
  const refused = await run("budgetmix", "audit", changed, planFolder);
  expect(refused).toMatchObject({
    code: 3,
    error: expect.stringContaining("it was changed after it was made") as string,
  });
  await mkdir(join(folder, "void"));
  const empty = await run("budgetmix", "audit", planFolder, join(folder, "void"));
  expect(empty).toMatchObject({ code: 3, error: expect.stringContaining("it holds neither a run") as string });
});

test("budgetmix audit lists its checks, and prints one JSON document", async () => {
  expect((await run("budgetmix", "audit", "--list")).out).toContain("A5  token-share: Compares the weight");
  const rollouts = await play("json.jsonl");
  const { out } = await run(
    "budgetmix",
    "audit",
    planFolder,
    rollouts,
    "--json",
    "--threshold",
    "token-share.maxShift=0.9",
  );
  expect(JSON.parse(out)).toMatchObject({ kind: "budgetmix", rolloutCount: 128, hasFailed: false });
});

test("docs/budgetmix-checks.md is what the checks say of themselves", async () => {
  const rules = budgetRules.map((rule) => ({ ...rule, id: `${rule.number} ${rule.id}` }));
  const text = [
    "# The checks of a BudgetMix audit",
    "",
    "Written by a test from the checks themselves. `turnwise budgetmix audit PLAN ROLLOUTS` runs them; a threshold is changed",
    "with `--threshold RULE.NAME=VALUE`, without the number before the rule. How to use it:",
    "[What BudgetMix does and how to plan it](guides/budgetmix.md).",
    "",
    renderRuleReference(rules),
  ].join("\n");
  await expect(`${text.trimEnd()}\n`).toMatchFileSnapshot("../../docs/budgetmix-checks.md");
});
