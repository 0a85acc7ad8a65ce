import { expect, test } from "vitest";
import { createSource, hasRealData, importAll, importReal, type FileContent } from "../../../test/support/importing.js";
import { traceLine, verifiersLine } from "../../../test/support/import-samples.js";
import type { JsonObject, JsonValue, Trajectory } from "../../core/index.js";
import type { ImportOptions } from "./importer.js";
import { verifiersImporter } from "./verifiers.js";

async function readLines(
  lines: readonly (JsonValue | string)[],
  files: Record<string, FileContent> = {},
  options: ImportOptions = {},
) {
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  return importAll(verifiersImporter, createSource("run/results.jsonl", text, files), options);
}

async function readOne(
  changes: JsonObject,
  files: Record<string, FileContent> = {},
  options: ImportOptions = {},
): Promise<Trajectory> {
  const { trajectories } = await readLines([{ ...verifiersLine, ...changes }], files, options);
  return trajectories[0];
}

test("reads turns, tool errors, scores and sampled tokens of a legacy line", async () => {
  const trajectory = await readOne({});
  expect(trajectory.turns).toHaveLength(2);
  expect(trajectory.turns[0]).toMatchObject({
    observation: { text: "Use the tools.\n\nWhich barn is red?" },
    action: { toolCalls: [{ id: "c1", name: "search", arguments: { query: "red barn" } }] },
    flags: { toolError: true },
    tokens: { ids: [3, 4], logProbs: [-0.1, -0.2], promptIds: [1, 2] },
  });
  expect(trajectory).toMatchObject({
    success: true,
    episodeReturn: 1,
    scores: { judge: 1, calls: 1 },
    stopReason: { type: "env_end", kind: "solved" },
    terminalRule: "hard",
  });
});

test.each([
  {
    name: "max_turns_reached",
    changes: { stop_condition: "max_turns_reached", reward: 0 },
    stop: { type: "max_turns" },
    success: false,
  },
  {
    name: "a context that overflowed",
    changes: { stop_condition: "prompt_too_long", reward: 0 },
    stop: { type: "context_overflow" },
    success: false,
  },
  {
    name: "an error, whatever the reward",
    changes: { error: { error: "ModelError", message: "boom" }, reward: 0 },
    stop: { type: "error", errorClass: "ModelError" },
    success: undefined,
  },
  {
    name: "a task's own name",
    changes: { stop_condition: "barn_found" },
    stop: { type: "env_end", kind: "solved" },
    success: true,
  },
  {
    name: "no condition and a call left unanswered",
    changes: {
      stop_condition: undefined,
      reward: 0,
      completion: [
        { role: "assistant", content: "", tool_calls: [{ id: "c", function: { name: "search", arguments: "{}" } }] },
      ],
    },
    stop: { type: "unknown" },
    success: false,
  },
])("translates the stop: $name", async ({ changes, stop, success }) => {
  const trajectory = await readOne(changes);
  expect(trajectory.stopReason).toMatchObject(stop);
  expect(trajectory.success).toBe(success);
});

test.each([
  { name: "null", reward: null, success: undefined },
  { name: "missing", reward: undefined, success: undefined },
  { name: "above 1", reward: 7, success: true },
  { name: "below 0", reward: -2, success: false },
  { name: "at the threshold", reward: 0.5, success: true },
  { name: "a text", reward: "high", success: undefined },
])("a reward that is $name", async ({ reward, success }) => {
  const trajectory = await readOne({ reward });
  expect(trajectory.success).toBe(success);
});

test("keeps a NaN reward as a tag and leaves success unknown", async () => {
  const { trajectories, problems } = await readLines([
    JSON.stringify({ ...verifiersLine, reward: "@" }).replace('"@"', "NaN"),
  ]);
  expect(trajectories[0].episodeReturn).toEqual({ $number: "NaN" });
  expect(trajectories[0].success).toBeUndefined();
  expect(problems).toMatchObject([{ severity: "repaired" }]);
});

test.each([
  { name: "content null", message: { role: "assistant", content: null }, action: { text: "" } },
  { name: "content missing", message: { role: "assistant" }, action: { text: "" } },
  { name: "calls null", message: { role: "assistant", content: "a", tool_calls: null }, action: { text: "a" } },
  {
    name: "calls as JSON texts",
    message: {
      role: "assistant",
      content: "",
      tool_calls: ['{"id":"x","function":{"name":"search","arguments":"{}"}}'],
    },
    action: { toolCalls: [{ id: "x", name: "search", arguments: {} }] },
  },
  {
    name: "arguments that are no JSON",
    message: {
      role: "assistant",
      content: "",
      tool_calls: [{ id: "x", function: { name: "search", arguments: "{query: " } }],
    },
    action: { toolCalls: [{ id: "x", name: "search", rawArguments: "{query: " }] },
  },
])("one assistant message is one turn: $name", async ({ message, action }) => {
  const trajectory = await readOne({ completion: [message] });
  expect(trajectory.turns).toMatchObject([{ action }]);
});

test("several calls of one message are one turn, and a tool nobody offered is marked", async () => {
  const call = (name: string) => ({ id: name, function: { name, arguments: "{}" } });
  const trajectory = await readOne({
    completion: [{ role: "assistant", content: "", tool_calls: [call("search"), call("fly")] }],
  });
  expect(trajectory.turns).toHaveLength(1);
  expect(trajectory.turns[0].flags).toEqual({ unknownTool: true });
});

test("knows a task by its question and answer, not by its example id", async () => {
  const other = { ...verifiersLine, prompt: [{ role: "user", content: "Which barn is blue?" }] };
  const { trajectories } = await readLines([
    verifiersLine,
    other,
    { ...verifiersLine, example_id: 99 },
    { ...verifiersLine, answer: "south" },
  ]);
  expect(new Set(trajectories.map(({ task }) => task.hash)).size).toBe(3);
  expect(trajectories.map(({ sampleIndex }) => sampleIndex)).toEqual([0, 0, 1, 0]);
});

test("the system prompt is the scaffold's and does not change the task", async () => {
  const plain = await readOne({ prompt: [{ role: "user", content: "Which barn is red?" }] });
  expect(plain.task.hash).toBe((await readOne({})).task.hash);
});

test("takes policy, env, limit and threshold from metadata.json", async () => {
  const metadata = { env_id: "barns", model: "tiny", env_args: { max_turns: 2 }, pass_threshold: 0.9 };
  const trajectory = await readOne({ reward: 0.8, stop_condition: undefined }, { "run/metadata.json": metadata });
  expect(trajectory).toMatchObject({
    policy: { id: "tiny" },
    env: { id: "barns" },
    budget: { maxTurns: 2 },
    success: false,
    stopReason: { type: "max_turns" },
  });
});

test("goes on without a metadata.json that cannot be read, and says so", async () => {
  const { trajectories, problems } = await readLines([verifiersLine], { "run/metadata.json": "{" });
  expect(trajectories).toHaveLength(1);
  expect(problems).toMatchObject([{ severity: "repaired", problemClass: "sibling_unreadable" }]);
});

test("reads up to a line that is still being written, and reports lines that are no records", async () => {
  const { trajectories, problems } = await readLines([
    verifiersLine,
    { other: 1 },
    JSON.stringify(verifiersLine).slice(0, 40),
  ]);
  expect(trajectories).toHaveLength(1);
  expect(problems.map(({ problemClass, position }) => [problemClass, position])).toEqual([
    ["not_a_record", 2],
    ["torn_tail", 3],
  ]);
});

test("reads a v1 trace: sampled nodes, masked tokens, weighted reward, the agent's limit", async () => {
  const { trajectories } = await importAll(verifiersImporter, createSource("traces.jsonl", JSON.stringify(traceLine)));
  expect(trajectories).toHaveLength(1);
  expect(trajectories[0]).toMatchObject({
    success: true,
    episodeReturn: 1,
    budget: { maxTurns: 4 },
    task: { id: "barn-1" },
    policy: { id: "tiny" },
    env: { id: "barns" },
  });
  expect(trajectories[0].turns).toMatchObject([
    {
      usage: { promptTokens: 7, completionTokens: 3, cachedTokens: 2 },
      tokens: { ids: [8, 9], logProbs: [-0.1, -0.2] },
    },
    { action: { text: "north" }, observation: { toolResults: [{ callId: "c1", text: "north" }] } },
  ]);
});

test("keeps the traces of several agents apart, and a reward that was not computed unknown", async () => {
  const [trace] = traceLine["traces"] as JsonObject[]; // the sample has one
  const two = { ...traceLine, traces: [trace, { ...trace, agent: { name: "critic" }, rewards: { exact: null } }] };
  const { trajectories } = await importAll(verifiersImporter, createSource("traces.jsonl", JSON.stringify(two)));
  expect(trajectories.map(({ policy, success }) => [policy.id, success])).toEqual([
    ["tiny as solver", true],
    ["tiny as critic", undefined],
  ]);
});

test("an errored v1 trace has no outcome", async () => {
  const [trace] = traceLine["traces"] as JsonObject[]; // the sample has one
  const failed = {
    ...traceLine,
    traces: [
      { ...trace, ok: false, errors: [{ type: "ProviderError", message: "429" }], rewards: { exact: { score: 0 } } },
    ],
  };
  const { trajectories } = await importAll(verifiersImporter, createSource("traces.jsonl", JSON.stringify(failed)));
  expect(trajectories[0]).toMatchObject({
    stopReason: { type: "error", boundary: "policy", errorClass: "ProviderError" },
  });
  expect(trajectories[0].success).toBeUndefined();
});

test.skipIf(!hasRealData)("another set of questions under the same example ids shares no task", async () => {
  const wiki = "verifiers-evals/wiki_search";
  const a = await importReal(
    verifiersImporter,
    `${wiki}/wiki-search--qwen--qwen3-4b-instruct-2507/e762fd98/results.jsonl.gz`,
  );
  const b = await importReal(
    verifiersImporter,
    `${wiki}/wiki-search--qwen--qwen3-30b-a3b-instruct-2507/6c9b879e/results.jsonl.gz`,
  );
  const known = new Set(a.trajectories.map(({ task }) => task.hash));
  expect(b.trajectories.filter(({ task }) => known.has(task.hash)).length).toBeLessThan(b.trajectories.length / 2);
});

test.skipIf(!hasRealData)("refuses the result file that is a Git LFS pointer", async () => {
  const path = "verifiers-evals/math_python/math-python--gpt-4.1-mini/25f52552/results.jsonl.gz";
  await expect(importReal(verifiersImporter, path)).rejects.toMatchObject({ kind: "input" });
});

test("keeps what the steps of a record hold: by turn where they match, else beside the turns", async () => {
  const steps = verifiersLine["trajectory"] as JsonObject[]; // a list in the sample
  const matched = await readOne({ trajectory: steps.map((step) => ({ ...step, reward: 0.5, advantage: -1 })) });
  expect(matched.turns[1].extra?.["step"]).toEqual({ reward: 0.5, advantage: -1 });
  expect(matched.extra?.["trajectory"]).toBeUndefined();
  const unmatched = await readOne({ trajectory: steps.slice(1) });
  expect(unmatched.turns[0].tokens).toBeUndefined();
  expect(unmatched.extra?.["trajectory"]).toHaveLength(1);
});
