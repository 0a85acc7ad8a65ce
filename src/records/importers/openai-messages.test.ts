import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Trajectory } from "../../core/index.js";
import { exportOpenaiMessages } from "../exporters/openai-messages.js";
import { createSampleTrajectory } from "../testing.js";
import { importFile } from "./import-file.js";
import type { ImportItem, ImportOptions } from "./importer.js";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "turnwise-openai-"));
});
afterAll(() => rm(folder, { recursive: true }));

let fileCount = 0;
async function importText(text: string, options: ImportOptions = {}, format = "openai-messages") {
  fileCount += 1;
  const path = join(folder, `chats-${fileCount}.jsonl`);
  await writeFile(path, text);
  const items: ImportItem[] = [];
  for await (const item of (await importFile(path, format, options)).items) items.push(item);
  const trajectories = items.flatMap((item) => (item.type === "trajectory" ? [item.trajectory] : []));
  const problems = items.flatMap((item) =>
    item.type === "problem" ? [`${item.severity} ${item.problemClass} at ${item.position}`] : [],
  );
  return { trajectories, problems };
}

function importRecords(records: readonly unknown[], options: ImportOptions = {}, format?: string) {
  return importText(records.map((record) => `${JSON.stringify(record)}\n`).join(""), options, format);
}

async function exportText(trajectories: readonly Trajectory[]): Promise<string> {
  let text = "";
  for await (const line of exportOpenaiMessages(trajectories)) text += line;
  return text;
}

const user = { role: "user", content: "2+2?" };
const answer = { role: "assistant", content: "4" };
const chat = [user, answer];

test("an episode whose source says nothing has unknown success and stop reason", async () => {
  const { trajectories, problems } = await importRecords([{ messages: chat }]);
  expect(problems).toEqual([]);
  expect(trajectories).toMatchObject([
    { stopReason: { type: "unknown" }, budget: {}, terminalRule: "hard", sampleIndex: 0 },
  ]);
  expect(trajectories[0].success).toBeUndefined();
  expect(trajectories[0].episodeReturn).toBeUndefined();
});

test.each([
  { name: "a reward of 1 without a threshold", record: { reward: 1 }, success: undefined, reward: 1 },
  { name: "a reward that reaches the threshold", record: { reward: 0.5 }, threshold: 0.5, success: true, reward: 0.5 },
  {
    name: "a reward below it",
    record: { reward: -2 },
    threshold: 0.5,
    success: false,
    reward: -2,
    note: "outside 0 to 1",
  },
  { name: "a reward above 1", record: { reward: 3.5 }, success: undefined, reward: 3.5, note: "outside 0 to 1" },
  {
    name: "a reward of null",
    record: { reward: null },
    threshold: 0.5,
    success: undefined,
    reward: { $number: "unknown" },
  },
  {
    name: "a reward in words",
    record: { reward: "good" },
    threshold: 0.5,
    success: undefined,
    reward: undefined,
    note: "no number",
  },
  { name: "a reward written as text", record: { reward: "0.25" }, success: undefined, reward: 0.25 },
  { name: "a success flag", record: { success: false }, success: false, reward: undefined },
  { name: "a success flag of 1", record: { success: 1 }, success: true, reward: undefined },
  { name: "a success flag in words", record: { success: "Passed" }, success: true, reward: undefined },
  { name: "a success flag of null", record: { success: null, reward: 1 }, success: undefined, reward: 1 },
  {
    name: "success with reward 0",
    record: { success: true, reward: 0 },
    success: true,
    reward: 0,
    problem: "contradiction",
  },
  {
    name: "failure with reward 1",
    record: { success: false, reward: 1 },
    success: false,
    reward: 1,
    problem: "contradiction",
  },
])("reads $name", async ({ record, threshold, success, reward, note, problem }) => {
  const { trajectories, problems } = await importRecords([{ messages: chat, ...record }], {
    successThreshold: threshold,
  });
  expect(trajectories[0].success).toBe(success);
  expect(trajectories[0].episodeReturn).toEqual(reward);
  expect(problems.join()).toContain(problem ?? "");
  if (problem === undefined) expect(problems).toEqual([]);
  if (note !== undefined) expect(trajectories[0].provenance?.notes.join("\n")).toContain(note);
});

test("a reward of NaN is kept as a tag and decides nothing", async () => {
  const { trajectories } = await importText(`{"messages": ${JSON.stringify(chat)}, "reward": NaN}\n`, {
    successThreshold: 0.5,
  });
  expect(trajectories[0].episodeReturn).toEqual({ $number: "NaN" });
  expect(trajectories[0].success).toBeUndefined();
});

test("fields are named by options, dotted paths included", async () => {
  const record = { messages: chat, eval: { score: 0.9, ok: true }, info: { problem: 17 } };
  const { trajectories } = await importRecords([record], {
    rewardField: "eval.score",
    successField: "eval.ok",
    taskField: "info.problem",
    policyId: "mine",
  });
  expect(trajectories).toMatchObject([
    { success: true, episodeReturn: 0.9, task: { id: "17" }, policy: { id: "mine" } },
  ]);
});

test("the same prompt is the same task; repeated attempts are further samples", async () => {
  const { trajectories, problems } = await importRecords([
    { messages: chat },
    { messages: chat },
    { messages: [{ role: "user", content: "3+3?" }, answer] },
  ]);
  expect(trajectories.map(({ sampleIndex }) => sampleIndex)).toEqual([0, 1, 0]);
  expect(trajectories[0].task.hash).toBe(trajectories[1].task.hash);
  expect(trajectories[2].task.hash).not.toBe(trajectories[0].task.hash);
  expect(new Set(trajectories.map(({ episodeId }) => episodeId)).size).toBe(3);
  expect(problems).toEqual([]);
});

test("stated sample numbers make copies duplicates and others conflicts", async () => {
  const row = { messages: chat, task_id: "a", sample_index: 0, success: true };
  const { trajectories, problems } = await importRecords([
    row,
    row,
    { ...row, success: false },
    { ...row, sample_index: 1 },
  ]);
  expect(problems).toEqual(["skipped duplicate at 2", "repaired conflict at 3"]);
  expect(trajectories.map(({ sampleIndex, success }) => [sampleIndex, success])).toEqual(
    [
      [0, true],
      [1, false],
      [2, true],
    ].map(([index, success]) => [index, success]),
  );
});

test("one id for tasks of different content is two tasks, and that is reported once", async () => {
  const other = [{ role: "user", content: "3+3?" }, answer];
  const { trajectories, problems } = await importRecords([
    { messages: chat, task_id: "a" },
    { messages: other, task_id: "a" },
    { messages: other, task_id: "a" },
  ]);
  expect(trajectories.map(({ task, sampleIndex }) => [task.id, sampleIndex])).toEqual([
    ["a", 0],
    ["a", 0],
    ["a", 1],
  ]);
  expect(problems).toEqual(["repaired same_id at 2"]);
});

test("more turns than the stated limit are kept and reported", async () => {
  const { trajectories, problems } = await importRecords([{ messages: [...chat, user, answer], max_turns: 1 }]);
  expect(trajectories).toMatchObject([{ budget: { maxTurns: 1 }, turns: [{}, {}] }]);
  expect(trajectories[0].provenance?.notes.at(-1)).toBe("2 turns although the stated limit is 1");
  expect(problems).toEqual(["repaired contradiction at 1"]);
});

test("a logged call gives usage, log-probs and the model to the answer's turn", async () => {
  const request = { model: "m", messages: [user], tools: [{ type: "function", function: { name: "f" } }] };
  const response = {
    model: "m-2",
    choices: [
      { index: 0, finish_reason: "stop", message: answer, logprobs: { content: [{ token: "4", logprob: -0.5 }] } },
    ],
    usage: { prompt_tokens: 9, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 4 } },
  };
  const batch = { custom_id: "x", body: request, response: { status_code: 200, body: response } };
  for (const record of [{ request, response }, batch]) {
    const { trajectories } = await importRecords([record]);
    expect(trajectories).toMatchObject([
      {
        policy: { id: "m-2" },
        turns: [
          {
            observation: { text: "2+2?" },
            action: { text: "4" },
            usage: { promptTokens: 9, completionTokens: 1, cachedTokens: 4 },
            tokens: { texts: ["4"], logProbs: [-0.5] },
          },
        ],
      },
    ]);
  }
});

test("assistant messages of a prompt are examples, those of its completion are turns", async () => {
  const { trajectories } = await importRecords([
    { prompt: [...chat, { role: "user", content: "3+3?" }], completion: [{ role: "assistant", content: "6" }] },
  ]);
  expect(trajectories[0].turns).toMatchObject([{ observation: { text: "2+2?\n\n4\n\n3+3?" }, action: { text: "6" } }]);
});

test("records without a conversation are named, and a record without an answer has 0 turns", async () => {
  const { trajectories, problems } = await importRecords([{ a: 1 }, { messages: [user] }, [user, answer], 7]);
  expect(problems).toEqual(["skipped no_messages at 1", "repaired no_turns at 2", "skipped not_a_record at 4"]);
  expect(trajectories.map(({ turns }) => turns.length)).toEqual([0, 1]);
});

test("a JSON array of records is read like lines", async () => {
  const { trajectories } = await importText(JSON.stringify([{ messages: chat }, { messages: chat }], null, 2));
  expect(trajectories.map(({ provenance }) => provenance?.position)).toEqual([0, 1]);
});

test("the format is recognised", async () => {
  for (const record of [{ messages: chat }, { id: 7, messages: chat }, chat]) {
    const { trajectories } = await importRecords([record], {}, "auto");
    expect(trajectories[0].provenance?.format).toBe("openai-messages");
  }
});

const call = (name: string, text: string, id = "c1") => ({ id, type: "function", function: { name, arguments: text } });
const oddRecords = [
  { messages: chat },
  {
    messages: [
      { role: "system", content: "Be brief." },
      { role: "developer", content: "Really." },
      user,
      answer,
      { role: "user", content: "" },
    ],
  },
  {
    messages: [
      user,
      { role: "assistant", content: null, tool_calls: [call("f", '{"a": 1}')] },
      { role: "tool", tool_call_id: "c1", content: "ok" },
      answer,
    ],
  },
  {
    messages: [
      user,
      { role: "assistant", content: "", tool_calls: [call("f", '{"a":'), call("g", "[]", "c2")] },
      { role: "tool", content: "x" },
      { role: "tool", tool_call_id: "c2", name: "g", content: "bad", is_error: true },
      user,
      answer,
    ],
  },
  {
    messages: [
      user,
      { role: "assistant", tool_calls: ['{"name":"f","arguments":{}}'] },
      { role: "function", name: "f", content: "y" },
      { role: "assistant", content: "a", function_call: { name: "f", arguments: "{}" } },
    ],
  },
  {
    messages: [
      user,
      { content: "no role" },
      {
        role: "user",
        content: [
          { type: "text", text: "see" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        ],
        name: "bob",
      },
      { role: "assistant", content: [{ type: "text", text: "a" }], weight: 0, refusal: null },
    ],
  },
  {
    messages: [
      answer,
      answer,
      { role: "tool", content: null },
      { role: "tool" },
      { role: "tool", tool_call_id: 7, content: [{ type: "text", text: "p" }] },
    ],
  },
  {
    messages: [
      user,
      { role: "assistant", content: "a", reasoning: "hm" },
      { role: "assistant", content: "b", reasoning_content: "hm", reasoning: "other" },
      { role: "assistant", content: "\ud800", tool_calls: null },
    ],
  },
  {
    messages: chat,
    tools: [{ type: "function", function: { name: "f", parameters: {} } }],
    reward: 0.5,
    success: true,
    task_id: 7,
    sample_index: 3,
    unknown: { kept: [1, null] },
  },
  { prompt: [...chat, user], completion: [answer, user, answer] },
];

test("import, export and import again give the same episodes, and the export is the record that was imported", async () => {
  const first = await importRecords(oddRecords);
  const text = await exportText(first.trajectories);
  expect(
    text
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line)),
  ).toEqual(oddRecords);
  const second = await importText(text);
  const strip = ({ provenance: _provenance, policy: _policy, episodeId: _id, ...rest }: Trajectory) => rest;
  expect(second.trajectories.map(strip)).toEqual(first.trajectories.map(strip));
  expect(second.problems).toEqual(first.problems);
});

test("an export of our own episodes carries outcome, task, sample, budget and stop reason through an import", async () => {
  const stops: Trajectory["stopReason"][] = [
    { type: "env_end", kind: "wrong_final" },
    { type: "max_turns" },
    { type: "quit" },
    { type: "error", boundary: "policy", errorClass: "timeout", message: "late" },
    { type: "unknown" },
  ];
  const episodes = stops.map((stopReason, sampleIndex) =>
    createSampleTrajectory({ stopReason, sampleIndex, extra: undefined, closing: undefined, provenance: undefined }),
  );
  const { trajectories, problems } = await importText(await exportText(episodes));
  expect(problems).toEqual([]);
  for (const [index, trajectory] of trajectories.entries()) {
    expect(trajectory).toMatchObject({
      task: { id: "task-1" },
      sampleIndex: index,
      policy: { id: "base" },
      env: { id: "lookup", version: "1" },
      budget: { maxTurns: 4 },
      stopReason: stops[index],
      success: false,
      episodeReturn: 0,
    });
    expect(trajectory.turns.map(({ action }) => action.text)).toEqual(
      episodes[index].turns.map(({ action }) => action.text),
    );
    expect(trajectory.turns[1].observation.toolResults).toEqual(episodes[index].turns[1].observation.toolResults);
  }
});
