import { expect, test } from "vitest";
import {
  createSource,
  createZip,
  hasRealData,
  importAll,
  importReal,
  type Packing,
} from "../../../test/support/importing.js";
import { inspectLog } from "../../../test/support/import-samples.js";
import type { JsonObject, JsonValue } from "../../core/index.js";
import type { ImportOptions } from "./importer.js";
import { inspectImporter } from "./inspect.js";

const { samples: sampleList, ...header } = inspectLog;
const [sample] = sampleList as JsonObject[]; // the sample log has one

async function readSample(changes: JsonObject, headerChanges: JsonObject = {}, options: ImportOptions = {}) {
  const log = { ...header, ...headerChanges, samples: [{ ...sample, ...changes }] };
  const { trajectories } = await importAll(inspectImporter, createSource("log.json", log), options);
  return trajectories[0];
}

test("reads generated messages as turns, with usage, timing, reasoning and tool errors", async () => {
  const trajectory = await readSample({});
  expect(trajectory.turns).toHaveLength(2);
  expect(trajectory.turns[0]).toMatchObject({
    observation: { text: "Which barn is red?" },
    action: {
      text: "I search.",
      reasoning: "Look.",
      toolCalls: [{ id: "c1", name: "search", arguments: { query: "barn" } }],
    },
    flags: { toolError: true },
    usage: { promptTokens: 7, completionTokens: 2, cachedTokens: 3 },
    timing: { policySeconds: 0.5, envSeconds: 0.25 },
    tokens: { texts: ["I"], logProbs: [-0.1] },
  });
  expect(trajectory).toMatchObject({
    policy: { id: "tiny" },
    env: { id: "inspect/barns", version: "0" },
    task: { id: "b1" },
    budget: { maxTurns: 5 },
    success: true,
    scores: { match: 1, "style.tone": 1, "style.length": 2 },
    stopReason: { type: "env_end", kind: "solved" },
  });
});

test.each([
  { value: "C", success: true },
  { value: "I", success: false },
  { value: "P", success: false },
  { value: "N", success: false },
  { value: true, success: true },
  { value: "yes", success: true },
  { value: "1.0", success: true },
  { value: 0.99, success: false },
  { value: null, success: undefined },
  { value: "maybe", success: undefined },
  { value: { a: 1 }, success: undefined },
] as { value: JsonValue; success: boolean | undefined }[])("a score of $value", async ({ value, success }) => {
  expect((await readSample({ scores: { match: { value } } })).success).toBe(success);
});

test("takes the log's first scorer, or the one that is named", async () => {
  const scores = { other: { value: 0 }, match: { value: "C" } };
  expect((await readSample({ scores })).success).toBe(true);
  expect((await readSample({ scores }, {}, { successField: "other" })).success).toBe(false);
  expect((await readSample({ scores }, {}, { successField: "scores.other.value" })).success).toBe(false);
  expect((await readSample({ scores: { match: { value: "P" } } }, {}, { successThreshold: 0.5 })).success).toBe(true);
});

test.each([
  { limit: "turn", stop: "max_turns" },
  { limit: "message", stop: "max_turns" },
  { limit: "token", stop: "max_tokens" },
  { limit: "time", stop: "max_seconds" },
  { limit: "working", stop: "max_seconds" },
  { limit: "cost", stop: "max_cost" },
  { limit: "context", stop: "context_overflow" },
  { limit: "operator", stop: "error" },
  { limit: "custom", stop: "unknown" },
])("a limit of type $limit ends as $stop", async ({ limit, stop }) => {
  const trajectory = await readSample({ limit: { type: limit, limit: 3 } });
  expect(trajectory.stopReason.type).toBe(stop);
});

test("an errored sample has no outcome, also when it was scored, and the model's fault is told from the env's", async () => {
  const model = await readSample({
    error: { message: "RateLimitError(429)", traceback: 'File "inspect_ai/model/_model.py"' },
  });
  expect(model.stopReason).toMatchObject({ type: "error", boundary: "policy", errorClass: "RateLimitError" });
  expect(model.success).toBeUndefined();
  const env = await readSample({ error: { message: "boom", traceback: "" } });
  expect(env.stopReason).toMatchObject({ type: "error", boundary: "env" });
});

test("epochs are samples of one task; a copied sample is dropped, a second one of the same epoch kept and named", async () => {
  const samples = [sample, { ...sample, epoch: 2 }, sample, { ...sample, target: "south" }];
  const { trajectories, problems } = await importAll(inspectImporter, createSource("log.json", { ...header, samples }));
  expect(trajectories.map(({ sampleIndex }) => sampleIndex)).toEqual([0, 1, 2]);
  expect(problems.map(({ severity }) => severity)).toEqual(["skipped", "repaired"]);
});

test("the same id with another question is another task", async () => {
  expect((await readSample({ input: "Which barn is blue?" })).task.hash).not.toBe((await readSample({})).task.hash);
});

test("only generated messages are turns in logs that say which are", async () => {
  const messages = [...(sample["messages"] as JsonObject[]), { role: "assistant", content: "put there by the solver" }]; // the sample's are objects
  expect((await readSample({ messages })).turns).toHaveLength(2);
});

test("a log from before sources and spans: every assistant message is a turn, the score stands alone", async () => {
  const old = {
    id: 7,
    epoch: 1,
    input: "Q",
    messages: [
      { role: "user", content: "Q" },
      { role: "assistant", content: "attachment://x" },
    ],
    score: { value: "I" },
    transcript: { events: [], content: { x: "A" } },
    scores: undefined,
    events: undefined,
    attachments: undefined,
  };
  const trajectory = await readSample(old);
  expect(trajectory).toMatchObject({ task: { id: "7" }, success: false, turns: [{ action: { text: "A" } }] });
});

test("flags calls that could not be parsed and tools that do not exist", async () => {
  const answer = (message: string): JsonObject => ({
    role: "tool",
    tool_call_id: "c",
    function: "fly",
    content: "",
    error: { type: "parsing", message },
  });
  const call = {
    role: "assistant",
    source: "generate",
    content: "",
    tool_calls: [{ id: "c", function: "fly", arguments: {} }],
  };
  expect((await readSample({ messages: [call, answer("Tool fly not found")] })).turns[0].flags).toEqual({
    toolError: true,
    unknownTool: true,
  });
  expect((await readSample({ messages: [call, answer("bad JSON")] })).turns[0].flags).toEqual({
    toolError: true,
    invalid: true,
  });
});

test("a compacted conversation is read from the model events, without those of scorers and tools", async () => {
  const output = (id: string): JsonObject => ({ choices: [{ message: { id, role: "assistant", content: id } }] });
  const events = [
    { event: "span_begin", id: "solve", type: "solver" },
    { event: "model", span_id: "solve", input_refs: [[0, 1]], output: output("a1") },
    { event: "span_begin", id: "tool", type: "tool", parent_id: "solve" },
    { event: "model", span_id: "tool", input_refs: [[0, 1]], output: output("sub") },
    { event: "compaction", span_id: "solve", tokens_before: 9, tokens_after: 3 },
    { event: "model", span_id: "solve", input_refs: [[2, 3]], output: { choices: [], error: "429" } },
    { event: "model", span_id: "solve", input_refs: [[2, 3]], output: output("a2") },
    { event: "span_begin", id: "score", type: "scorers" },
    { event: "model", span_id: "score", input_refs: [[0, 1]], output: output("judge") },
  ];
  const pool = [
    { id: "u", role: "user", content: "Q" },
    { id: "a1", role: "assistant", content: "a1" },
    { id: "s", role: "user", content: "Summary" },
  ];
  const trajectory = await readSample({ events, events_data: { messages: pool, calls: [] }, messages: [pool[2]] });
  expect(trajectory.turns.map(({ observation, action }) => [observation.text, action.text])).toEqual([
    ["Q", "a1"],
    ["Summary", "a2"],
  ]);
  expect(trajectory.provenance?.notes.join(" ")).toContain("compacted");
});

test("keeps images beside the text", async () => {
  const image = { type: "image", image: "data:image/png;base64,AAAA" };
  const messages = [
    { role: "user", content: [{ type: "text", text: "What is this?" }, image] },
    { role: "assistant", content: "A barn" },
  ];
  const trajectory = await readSample({ messages });
  expect(trajectory.turns[0].observation.text).toBe("What is this?");
  expect(JSON.stringify(trajectory.turns[0].extra)).toContain("data:image/png;base64,AAAA");
});

const packings: readonly Packing[] = ["stored", "deflate", "zstd", "zstd_frames"];

test.each(packings)("reads an archive whose members are packed as %s", async (packing) => {
  const archive = createZip([
    { name: "_journal/start.json", content: { version: 2, eval: header["eval"], plan: {} }, packing },
    { name: "samples/b1_epoch_1.json", content: sample, packing },
    { name: "summaries.json", content: [], packing },
    { name: "header.json", content: header, packing },
  ]);
  const { trajectories, problems } = await importAll(inspectImporter, createSource("log.eval", archive));
  expect(problems).toEqual([]);
  expect(trajectories).toMatchObject([{ success: true, task: { id: "b1" }, policy: { id: "tiny" } }]);
});

test("reads a chunked sample: messages by range, attachments by position", async () => {
  const { messages, attachments: _, events, ...shell } = sample;
  const [first, ...others] = messages as JsonObject[]; // the sample's are objects
  const prefix = "samples/a/b_epoch_1";
  const archive = createZip([
    {
      name: `${prefix}/sample.json`,
      content: {
        ...shell,
        input: "attachment://0",
        message_refs: [
          [0, 1],
          [1, 4],
        ],
      },
    },
    { name: `${prefix}/messages/2.json`, content: others.slice(1) },
    { name: `${prefix}/messages/0.json`, content: [{ ...first, content: "attachment://0" }, others[0]] },
    { name: `${prefix}/events/0.json`, content: events as object }, // a list
    { name: `${prefix}/events/stats.json`, content: {} },
    { name: `${prefix}/attachments/0.json`, content: ["Which barn is red?"] },
    { name: "header.json", content: header },
  ]);
  const { trajectories } = await importAll(inspectImporter, createSource("log.eval", archive));
  const [chunked] = trajectories;
  const whole = await readSample({});
  expect(chunked.turns).toEqual(whole.turns);
  expect(chunked.task.hash).toBe(whole.task.hash);
});

test("an unfinished archive gives the samples written so far and says what is missing", async () => {
  const start = { version: 2, eval: { ...(header["eval"] as JsonObject), dataset: { sample_ids: ["b1", "b2"] } } }; // an object in the sample
  const archive = createZip(
    [
      { name: "_journal/start.json", content: start },
      { name: "samples/b1_epoch_1.json", content: sample },
    ],
    true,
  );
  const { trajectories, problems } = await importAll(inspectImporter, createSource("log.eval", archive));
  expect(trajectories).toHaveLength(1);
  expect(problems.map(({ problemClass }) => problemClass)).toEqual(["torn_tail", "missing_episodes"]);
  expect(problems[1].message).toContain("1 of 2");
});

test("a damaged member costs that sample alone", async () => {
  const archive = createZip([
    { name: "samples/b1_epoch_1.json", content: sample, checksum: 5 },
    { name: "samples/b2_epoch_1.json", content: { ...sample, id: "b2" } },
    { name: "samples/b3_epoch_1.json", content: '{"id": 3' },
    { name: "header.json", content: header },
  ]);
  const { trajectories, problems } = await importAll(inspectImporter, createSource("log.eval", archive));
  expect(trajectories.map(({ task }) => task.id)).toEqual(["b2"]);
  expect(problems.map(({ severity, problemClass }) => [severity, problemClass])).toEqual([
    ["skipped", "damaged_member"],
    ["skipped", "damaged_member"],
  ]);
});

test.skipIf(!hasRealData).each([
  { file: "test_eval_log/log_streaming.eval", samples: 4, solved: 3, turns: 4 },
  { file: "test_eval_log/log_message_deduplication.eval", samples: 1, solved: 0, turns: 6 },
  { file: "test_eval_log/log_images.json.gz", samples: 1, solved: 0, turns: 1 },
  { file: "test_logs/2025-05-12T20-27-36-04-00_browser.json.gz", samples: 1, solved: 1, turns: 5 },
  { file: "test_logs/2025-05-12T20-28-13-04-00_popularity.json.gz", samples: 3, solved: 2, turns: 3 },
  { file: "logs/2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval", samples: 10, solved: 8, turns: 10 },
])("reads the public log $file", async ({ file, samples, solved, turns }) => {
  const { trajectories, problems } = await importReal(inspectImporter, `inspect-logs/${file}`);
  expect(problems).toEqual([]);
  expect(trajectories).toHaveLength(samples);
  expect(trajectories.filter(({ success }) => success === true)).toHaveLength(solved);
  expect(trajectories.reduce((sum, trajectory) => sum + trajectory.turns.length, 0)).toBe(turns);
});

test.skipIf(!hasRealData)("a cancelled log without samples gives no record and says so", async () => {
  const { trajectories, problems } = await importReal(
    inspectImporter,
    "inspect-logs/test_logs/2025-05-12T20-28-13-04-00_no-samples.json.gz",
  );
  expect(trajectories).toEqual([]);
  expect(problems).toMatchObject([{ problemClass: "missing_episodes" }]);
  expect(problems[0].message).toContain("cancelled");
});
