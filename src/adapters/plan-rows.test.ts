import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import { createTask } from "../core/index.js";
import { createLookupEnv, createVaultEnv } from "../envs/index.js";
import { planBudgetMix } from "../train/index.js";
import { renderPlanPrompts, toEpisodeRows, type PlanPrompt } from "./plan/plan-prompts.js";
import { toTrlRow } from "./trl/trl-rows.js";
import { encodeVerlParquet } from "./verl/verl-parquet.js";
import { toVerlRow } from "./verl/verl-rows.js";

const env = createLookupEnv();
const tasks = env.makeTasks?.({ split: "train", level: 1, taskCount: 4, seed: 1 }) ?? [];
const plan = planBudgetMix({
  env,
  tasks,
  mix: { type: "fixed", budgets: [2, 8] },
  updates: 2,
  batchSize: 16,
  groupSize: 4,
  disclosure: "static",
  seed: 1,
});

async function collect(): Promise<PlanPrompt[]> {
  const prompts: PlanPrompt[] = [];
  for await (const prompt of renderPlanPrompts(plan, env, tasks)) prompts.push(prompt);
  return prompts;
}

test("a verl row has the budget in extra_info and data_source, and its text in the prompt", async () => {
  const [prompt] = await collect();
  const row = toVerlRow(plan, prompt, { index: 0, agentName: "budget_tool_agent" });
  const { maxTurns, group } = plan.rows[0];
  expect(row.data_source).toBe(`lookup/T${maxTurns}`);
  expect(row.extra_info).toMatchObject({ max_turns: maxTurns, group_key: group, index: 0, plan_hash: plan.hash });
  expect(row.prompt[1].content).toMatch(/^Question: .*\n\nYou have \d turns in all\.$/);
  expect(row.prompt[1].content).toContain(`You have ${maxTurns} turns`);
  expect(row.agent_name).toBe("budget_tool_agent");
});

test("no answer of a task stands in a prompt", async () => {
  const prompts = await collect();
  // A comparison names its candidates, and so its answer.
  const bridges = prompts.filter(({ task }) => (task.data as { readonly kind: string }).kind === "bridge");
  expect(bridges.length).toBeGreaterThan(0);
  const leaks = bridges.filter(({ task, system, user }) =>
    (task.data as { readonly answers: readonly string[] }).answers.some((answer) =>
      `${system}\n${user}`.includes(answer),
    ),
  );
  expect(leaks).toEqual([]);
});

test("verl rows in parquet are the rows, with lists and structs", async () => {
  const rows = (await collect()).map((prompt, index) => toVerlRow(plan, prompt, { index }));
  const bytes = await encodeVerlParquet(rows);
  const file = bytes.slice().buffer;
  const read = await parquetReadObjects({ file });
  const plain = JSON.parse(
    JSON.stringify(read, (_, value: unknown) => (typeof value === "bigint" ? Number(value) : value)),
  ) as unknown;
  expect(plain).toEqual(JSON.parse(JSON.stringify(rows)));
  const names = parquetMetadata(file).schema.map(({ name }) => name);
  expect(names.slice(0, 8)).toEqual(["root", "data_source", "prompt", "list", "element", "role", "content", "ability"]);
  await expect(encodeVerlParquet([])).rejects.toThrow("there are none");
});

test("a TRL row has its budget and task as columns", async () => {
  const [prompt] = await collect();
  const row = toTrlRow(plan, prompt);
  expect(row).toMatchObject({ environment: "lookup", max_turns: plan.rows[0].maxTurns, group_key: "u0g0", update: 0 });
  expect(JSON.parse(row.task)).toEqual(prompt.task.data);
});

test("episode rows name one sampling seed each", () => {
  const rows = toEpisodeRows(plan);
  expect(rows).toHaveLength(32);
  expect(rows[1]).toMatchObject({ group: "u0g0", samplingSeed: plan.rows[0].samplingSeeds[1] });
  expect(rows[1]).not.toHaveProperty("samplingSeeds");
});

test("prompts are refused for another env, another version, and a task that is not given", async () => {
  const render = async (...given: Parameters<typeof renderPlanPrompts>) => {
    for await (const _ of renderPlanPrompts(...given)) break;
  };
  await expect(render(plan, createVaultEnv(), tasks)).rejects.toThrow(
    'plan for env "lookup" version 1 with env "vault"',
  );
  await expect(render(plan, { ...env, version: "2" }, tasks)).rejects.toThrow("the same seed may show another episode");
  await expect(render(plan, env, [createTask("lookup", 1)])).rejects.toThrow(
    'Cannot render the prompt of group "u0g0"',
  );
});
