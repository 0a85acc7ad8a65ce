import { expect, test } from "vitest";
import { createSource, hasRealData, importAll, importReal } from "../../../test/support/importing.js";
import { intercodeRecord } from "../../../test/support/import-samples.js";
import type { JsonObject, JsonValue } from "../../core/index.js";
import { intercodeImporter } from "./intercode.js";

const read = (...records: readonly JsonValue[]) =>
  importAll(
    intercodeImporter,
    createSource("ic_bash_multiturn_gpt-4_10_turns_fs_1.json", Object.fromEntries(records.entries())),
  );

async function readHistory(history: JsonObject, summary: JsonObject = {}) {
  const { trajectories, problems } = await read({ ...intercodeRecord, turn_history: history, summary });
  return { trajectory: trajectories[0], problems };
}

test("reads each turn with its reward and grade; a reward just below 1 is no success", async () => {
  const { trajectories } = await read(intercodeRecord);
  expect(trajectories[0]).toMatchObject({
    policy: { id: "gpt-4" },
    env: { id: "ic_bash" },
    budget: { maxTurns: 10 },
    terminalRule: "act",
    success: true,
    stopReason: { type: "env_end", kind: "solved" },
    turns: [
      { observation: { text: "Count the files" }, action: { text: "ls" }, reward: 0.99, solvedAfter: false },
      { observation: { text: "a b" }, reward: 1, solvedAfter: true },
    ],
    finalObservation: { text: "2" },
    extra: { hardness: "easy" },
  });
});

test.each([
  { name: "going on after success keeps it", rewards: [1, 0.5], solvedAfter: [true, true], success: true },
  {
    name: "a missing reward leaves the grade unknown",
    rewards: [null, 0.5],
    solvedAfter: [undefined, undefined],
    success: undefined,
  },
  { name: "a reward above 1 is no success", rewards: [2, 1.0001], solvedAfter: [false, false], success: false },
  { name: "a reward below 0", rewards: [-1, 1], solvedAfter: [false, true], success: true },
  { name: "fewer rewards than turns", rewards: [0], solvedAfter: [false, undefined], success: undefined },
  {
    name: "a reward that is a tag for NaN",
    rewards: [{ $number: "NaN" }, 1],
    solvedAfter: [undefined, true],
    success: true,
  },
])("grades turns: $name", async ({ rewards, solvedAfter, success }) => {
  const { trajectory } = await readHistory({
    actions: ["a", "b"],
    observations: ["x", "y"],
    rewards,
    valid_action: [true, true],
  });
  expect(trajectory.turns.map((turn) => turn.solvedAfter)).toEqual(solvedAfter);
  expect(trajectory.success).toBe(success);
});

test("an action that could not be run is marked", async () => {
  const { trajectory } = await readHistory(
    { actions: ["a"], observations: ["Error"], rewards: [0], valid_action: [false] },
    { turns_max: 1 },
  );
  expect(trajectory.turns[0].flags).toEqual({ toolError: true });
  expect(trajectory.stopReason).toEqual({ type: "max_turns" });
});

test("reports a summary that contradicts the turns, and more turns than the limit", async () => {
  const history = { actions: ["a", "b"], observations: ["x", "y"], rewards: [0, 0], valid_action: [true, true] };
  const { trajectory, problems } = await readHistory(history, { max_reward: 1, turns_max: 1 });
  expect(problems.map(({ problemClass }) => problemClass)).toEqual(["contradiction", "over_budget"]);
  expect(trajectory.success).toBe(false);
  expect(trajectory.turns).toHaveLength(2);
});

test("keeps the thoughts of the ReAct runs as reasoning and other lists turn by turn", async () => {
  const { trajectory } = await readHistory({
    actions: ["a"],
    thoughts: ["hm"],
    plans: ["p"],
    observations: ["x"],
    rewards: [0],
    valid_action: [true],
  });
  expect(trajectory.turns[0]).toMatchObject({ action: { reasoning: "hm" }, extra: { plans: "p" } });
});

test("a person's run has one grade at the end", async () => {
  const human = {
    environment: "ic_sql",
    query_idx: 7,
    query: "Q",
    gold: "SELECT 1",
    reward: 1,
    trajectory: [
      { action: "show tables", observation: "t" },
      { action: "select 1", observation: "1" },
    ],
  };
  const { trajectories } = await importAll(
    intercodeImporter,
    createSource("ic_sql_multiturn_human_10_turns.json", { 7: human }),
  );
  expect(trajectories[0]).toMatchObject({
    policy: { id: "human" },
    terminalRule: "hard",
    success: true,
    task: { id: "7" },
  });
  expect(trajectories[0].turns.map((turn) => turn.solvedAfter)).toEqual([undefined, undefined]);
});

test("the same question in another file system is another task; a copied record is dropped", async () => {
  const other = { ...intercodeRecord, dataset: "./data/nl2bash/nl2bash_fs_2.json" };
  const { trajectories, problems } = await read(intercodeRecord, other, intercodeRecord, {
    ...intercodeRecord,
    hardness: "hard",
  });
  expect(new Set(trajectories.map(({ task }) => task.hash)).size).toBe(2);
  expect(trajectories.map(({ sampleIndex }) => sampleIndex)).toEqual([0, 0, 1]);
  expect(problems.map(({ severity }) => severity)).toEqual(["skipped", "repaired"]);
});

test.skipIf(!hasRealData)("people and models are asked the same SQL tasks", async () => {
  const people = await importReal(intercodeImporter, "intercode/sql/human/ic_sql_multiturn_human_10_turns.json.gz");
  const models = await importReal(intercodeImporter, "intercode/sql/gpt-4/ic_sql_multiturn_gpt-4_10_turns.json.gz");
  const known = new Set(models.trajectories.map(({ task }) => task.hash));
  expect(people.trajectories.filter(({ task }) => known.has(task.hash))).toHaveLength(15);
  expect(people.trajectories.filter(({ success }) => success === true)).toHaveLength(13);
});

test.each([
  { path: "sql/gpt-4/ic_sql_multiturn_gpt-4_10_turns.json", policy: "gpt-4", version: "unknown" },
  { path: "sql/gpt-3.5/ic_sql_multiturn_gpt-3.5-1_turns.json", policy: "gpt-3.5", version: "unknown" },
  { path: "sql/gpt-3.5/ic_sql_react_10_turns.json", policy: "gpt-3.5 with react", version: "unknown" },
  { path: "bash/gpt-3.5/ic_bash_plan_solve_fs_1.json", policy: "gpt-3.5 with plan_solve", version: "unknown" },
  { path: "ctf/ic_ctf_gpt-4_25_turns.json", policy: "gpt-4", version: "unknown" },
  {
    path: "sql/chat-bison-001/ic_sql_multiturn_chat-bison-001_10_turns_handicap.json",
    policy: "chat-bison-001",
    version: "handicap",
  },
  { path: "results.json", policy: "unknown", version: "unknown" },
])("names policy and env by file and folder: $path", async ({ path, policy, version }) => {
  const { trajectories } = await importAll(intercodeImporter, createSource(path, { 0: intercodeRecord }));
  expect(trajectories[0]).toMatchObject({ policy: { id: policy }, env: { version } });
});

test.each([
  { last: "submit", stop: { type: "env_end", kind: "wrong_final" } },
  { last: "skip", stop: { type: "quit" } },
  { last: "blocked", stop: { type: "env_end", kind: "env_fail" } },
  { last: "ls", stop: { type: "unknown" } },
])("an unsolved run that ends with $last", async ({ last, stop }) => {
  const history = { actions: ["a", last], observations: ["x", "y"], rewards: [0, 0], valid_action: [true, true] };
  expect((await readHistory(history, { turns_max: 10 })).trajectory.stopReason).toEqual(stop);
});

test("reads plan-and-solve runs, whose records lie beside their settings", async () => {
  const content = { meta: { env: "bash", refine: false }, logs: { 0: intercodeRecord } };
  const { trajectories } = await importAll(intercodeImporter, createSource("ic_bash_plan_solve_fs_1.json", content));
  expect(trajectories).toHaveLength(1);
});

test("tasks of one question with other numbers are told apart", async () => {
  const { trajectories } = await read(intercodeRecord, { ...intercodeRecord, task_id: 5 });
  expect(new Set(trajectories.map(({ task }) => task.hash)).size).toBe(2);
});
