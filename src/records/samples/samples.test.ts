import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TokenSample } from "../../core/index.js";
import { readTokenizer } from "./tokenizer.js";
import { readTokenSamples, type TokenSampleOptions } from "./read-token-samples.js";

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "turnwise-samples-"))));
afterAll(() => rm(folder, { recursive: true }));

async function read(
  records: readonly unknown[] | string,
  options: TokenSampleOptions & { readonly format?: string } = {},
) {
  const path = join(folder, "samples.jsonl");
  await writeFile(
    path,
    typeof records === "string" ? records : records.map((record) => `${JSON.stringify(record)}\n`).join(""),
  );
  const file = await readTokenSamples(path, options.format, options);
  const samples: TokenSample[] = [];
  for await (const sample of file.samples) samples.push(sample);
  return { ...file, samples };
}

const mask = (digits: string): boolean[] => Array.from(digits, (digit) => digit === "1");

test("verl's agent loop output puts mask and log-probs behind the prompt", async () => {
  const { format, samples } = await read([
    {
      prompt_ids: [1, 2],
      response_ids: [3, 4, 5],
      response_mask: [1, 0, 1],
      response_logprobs: [-0.5, 0, -0.1],
      turns: [{ prompt_ids: [1, 2], completion_ids: [3] }],
    },
  ]);
  expect(format).toBe("verl-samples");
  expect(samples[0]).toMatchObject({
    id: "1",
    line: 1,
    ids: [1, 2, 3, 4, 5],
    lossMask: mask("00101"),
    logProbs: [undefined, undefined, -0.5, 0, -0.1],
    turns: [{ ids: [3], promptIds: [1, 2] }],
  });
});

test("a padded row of a verl batch knows its padding, and a list that fits nothing is kept by its length", async () => {
  const { samples } = await read([
    { prompts: [[0, 1]], responses: [[3, 4, 0]], attention_mask: [[0, 1, 1, 1, 0]], response_mask: [[1, 1, 0]] },
    { prompts: [1], responses: [2, 3], response_mask: [1] },
  ]);
  expect(samples[0]).toMatchObject({
    ids: [0, 1, 3, 4, 0],
    lossMask: mask("00110"),
    roles: ["padding", undefined, undefined, undefined, "padding"],
  });
  expect(samples[1]).toMatchObject({ lengths: { response_mask: 1 } });
});

test("TRL's online samples multiply their masks; supervised ones read labels", async () => {
  const { format, samples } = await read([
    {
      prompt_ids: [1],
      completion_ids: [2, 3, 4],
      completion_mask: [1, 1, 0],
      env_mask: [1, 0, 1],
      logprobs: [-1, 0, -1],
      eos_token_id: 4,
    },
    { input_ids: [1, 2, 3], labels: [-100, 2, 3], attention_mask: [1, 1, 1] },
    { input_ids: [1, 2, 3], assistant_masks: [0, 1, 1] },
  ]);
  expect(format).toBe("trl-samples");
  expect(samples[0]).toMatchObject({ lossMask: mask("0100"), endIds: [4] });
  expect(samples[1]).toMatchObject({ lossMask: mask("011"), targetIds: [1, 2, 3] });
  expect(samples[2].lossMask).toEqual(mask("011"));
});

test("Tinker's targets are moved to the tokens they stand for; without a mask the advantage decides", async () => {
  const model_input = {
    chunks: [
      { type: "encoded_text", tokens: [1, 2] },
      { type: "encoded_text", tokens: [3] },
    ],
  };
  const { format, samples, unread } = await read([
    {
      model_input,
      loss_fn_inputs: {
        target_tokens: { data: [2, 3, 4] },
        logprobs: { data: [0, -0.5, -0.2] },
        weights: { data: [0, 1, 1] },
      },
    },
    { model_input, loss_fn_inputs: { target_tokens: [2, 3, 4], advantages: { data: [0, 0, -0.7] } } },
    { model_input: { chunks: [{ type: "image" }] }, loss_fn_inputs: { target_tokens: [2] } },
    { model_input, loss_fn_inputs: { target_tokens: [2, 3] } },
  ]);
  expect(format).toBe("tinker-datum");
  expect(samples[0]).toMatchObject({
    ids: [1, 2, 3, 4],
    targetIds: [1, 2, 3, 4],
    lossMask: mask("0011"),
    logProbs: [undefined, 0, -0.5, -0.2],
  });
  expect(samples[1].lossMask).toEqual(mask("0001"));
  expect(samples[2]).toMatchObject({ lengths: { target_tokens: 2 } });
  expect(unread).toEqual(["line 3: a chunk of its input holds no token ids: images cannot be audited"]);
});

test("verifiers' message graph gives a sample for each branch, with roles and provenance", async () => {
  const nodes = [
    { message: { role: "user" }, sampled: false, token_ids: [1, 2], mask: [false, false] },
    {
      parent: 0,
      message: { role: "assistant" },
      sampled: true,
      token_ids: [3, 4],
      mask: [true, true],
      logprobs: [-0.1, -0.2],
    },
    { parent: 1, message: { role: "tool" }, sampled: false, token_ids: [5], mask: [false] },
    {
      parent: 2,
      message: { role: "assistant" },
      sampled: true,
      token_ids: [6, 7],
      mask: [false, true],
      logprobs: [-0.3],
    },
    { parent: 0, message: { role: "assistant" }, sampled: false, token_ids: [8], mask: [true] },
  ];
  const { format, samples } = await read([{ id: "e", traces: [{ id: "t", nodes }] }]);
  expect(format).toBe("verifiers-tokens");
  expect(samples.map(({ id, ids }) => [id, ids])).toEqual([
    ["t branch 1", [1, 2, 3, 4, 5, 6, 7]],
    ["t branch 2", [1, 2, 8]],
  ]);
  expect(samples[0]).toMatchObject({
    lossMask: mask("0011001"),
    actionMask: mask("0011001"),
    logProbs: [undefined, undefined, -0.1, -0.2, undefined, undefined, -0.3],
  });
  expect(samples[1]).toMatchObject({ lossMask: mask("001"), actionMask: mask("000") });
});

test("verifiers' older steps know the step before", async () => {
  const step = (prompt_ids: number[], completion_ids: number[]) => ({
    tokens: {
      prompt_ids,
      completion_ids,
      completion_mask: completion_ids.map(() => 1),
      completion_logprobs: completion_ids.map(() => -1),
      is_truncated: false,
    },
  });
  const { samples } = await read([{ example_id: 4, trajectory: [step([1], [2, 3]), step([1, 3, 9], [5])] }]);
  expect(samples.map(({ id }) => id)).toEqual(["4 step 1", "4 step 2"]);
  expect(samples[1]).toMatchObject({
    ids: [1, 3, 9, 5],
    lossMask: mask("0001"),
    turns: [
      { promptIds: [1], ids: [2, 3] },
      { promptIds: [1, 3, 9], ids: [5] },
    ],
  });
});

test("own samples are read as they are; broken lines are listed and the rest is kept", async () => {
  const { format, samples, unread } = await read(
    '{"ids": [1, 2], "lossMask": [0, 1], "roles": ["user", "assistant"], "id": "a"}\n[1]\n{"ids": ["x"], "lossMask": [1]}\n{"ids": [3], "lossMask": [1], "logProbs": [NaN]}\n{"ids": [1, 2',
  );
  expect(format).toBe("turnwise-samples");
  expect(samples).toMatchObject([
    { id: "a", roles: ["user", "assistant"] },
    { id: "4", logProbs: [{ $number: "NaN" }] },
  ]);
  expect(unread.map((problem) => problem.split(":")[0])).toEqual(["line 2", "line 3", "line 5"]);
});

test.each([
  { field: "turns", value: "three", reason: "it is no list of turns" },
  { field: "turns", value: [{ prompt_ids: [1] }], reason: "turn 1 has no ids" },
  { field: "turns", value: [{ ids: ["a"] }], reason: 'turn 1 has "ids" that cannot be used' },
  { field: "action_mask", value: "011", reason: 'it is "011", where a list of 0 and 1 is allowed' },
  { field: "action_mask", value: [0, "1", 1], reason: 'entry 1 is "1", where 0 and 1 are allowed' },
  { field: "roles", value: { user: 1 }, reason: "it is no list with a role for each token" },
  { field: "texts", value: [1, 2, 3], reason: "entry 0 is no text" },
  { field: "denominator", value: "2", reason: 'it is "2", where a number from 0 is allowed' },
  { field: "denominator", value: -1, reason: "it is -1" },
  { field: "logProbs", value: [["a", -1]], reason: 'entry 0 is "a", where numbers and null are allowed' },
  { field: "end_ids", value: ["</s>"], reason: 'entry 0 is "</s>"' },
  { field: "is_truncated", value: "yes", reason: 'it is "yes"' },
])("$field $value is noted as unusable, and the sample is kept", async ({ field, value, reason }) => {
  const { samples, unread } = await read([{ ids: [1, 2, 3], lossMask: [0, 1, 1], [field]: value }]);
  expect(unread).toEqual([]);
  expect(samples[0].unusable).toEqual([{ name: field, reason: expect.stringContaining(reason) as unknown }]);
  expect(samples[0].lossMask).toEqual(mask("011"));
});

test.each([
  { name: "own", record: { ids: [1, 2], lossMask: [2, -1] }, field: "lossMask" },
  { name: "verl", record: { prompt_ids: [1], response_ids: [2, 3], response_mask: "11" }, field: "response_mask" },
  { name: "verl prompt", record: { prompt_ids: "a", response_ids: [2], response_mask: [1] }, field: "prompt_ids" },
  { name: "TRL", record: { prompt_ids: [1], completion_ids: [2], env_mask: [NaN] }, field: "env_mask" },
  { name: "TRL labels", record: { input_ids: [1, 2], labels: [-100, 0.5] }, field: "labels" },
  {
    name: "Tinker",
    record: { model_input: { chunks: [{ tokens: [1] }] }, loss_fn_inputs: { target_tokens: [2], weights: [-1] } },
    field: "weights",
  },
  {
    name: "verifiers",
    record: { nodes: [{ token_ids: [1], mask: [2], sampled: true }] },
    field: "mask of node 0",
  },
])("a loss mask of $name that cannot be used is essential, and nothing stands in for it", async ({ record, field }) => {
  const { samples } = await read([record]);
  expect(samples[0].unusable).toMatchObject([{ name: field, isEssential: true }]);
});

test("roles are known by the words of other formats; a word that is not known is named", async () => {
  const { samples } = await read([
    { ids: [1, 2, 3, 4], lossMask: [0, 1, 0, 1], roles: ["human", "gpt", "observation", "GPT"] },
    { ids: [1, 2], lossMask: [0, 1], roles: ["narrator", null] },
  ]);
  expect(samples[0].roles).toEqual(["user", "assistant", "tool", "assistant"]);
  expect(samples[0].unknownRoles).toBeUndefined();
  expect(samples[1]).toMatchObject({ roles: [undefined, undefined], unknownRoles: ["narrator"] });
});

test("what the file does not state comes from the options", async () => {
  const path = join(folder, "tokenizer.json");
  await writeFile(
    path,
    JSON.stringify({
      model: { vocab: { Ġgo: 1, Ċ: 2, â: 4 } },
      added_tokens: [{ id: 3, content: "<|im_end|>", special: true }],
    }),
  );
  const tokenizer = await readTokenizer(path);
  const { samples } = await read([{ ids: [1, 2, 3, 9], lossMask: [1, 1, 1, 1] }], {
    tokenizer,
    endIds: [3],
    templateIds: [8],
  });
  expect(samples[0]).toMatchObject({ texts: [" go", "\n", "<|im_end|>", ""], endIds: [3], templateIds: [8] });
});

test.each([
  { name: "an empty file", text: "", message: /empty/ },
  { name: "a file without records", text: "1\n2\n", message: /holds no record/ },
  { name: "records of another kind", text: '{"messages": [], "score": 1}\n', message: /fields are messages, score/ },
])("$name is refused with the reason", async ({ text, message }) => {
  await expect(read(text)).rejects.toMatchObject({ kind: "input", message: expect.stringMatching(message) as unknown });
});

test("an unknown format is a usage error", async () => {
  await expect(read([{ ids: [1], lossMask: [1] }], { format: "csv" })).rejects.toMatchObject({ kind: "usage" });
});
