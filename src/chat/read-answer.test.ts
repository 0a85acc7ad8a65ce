import { expect, test } from "vitest";
import type { JsonObject } from "../core/index.js";
import { readAnswer, readUsage, type ReadAnswer } from "./read-answer.js";

function read(
  message: JsonObject,
  more: { readonly choice?: JsonObject; readonly body?: JsonObject } = {},
): ReadAnswer {
  const result = readAnswer({ choices: [{ message, finish_reason: "stop", ...more.choice }], ...more.body }, "h", true);
  if ("errorClass" in result) throw new Error(result.message);
  return result;
}

test.each([
  { name: "text", message: { content: "hi" }, expected: { content: "hi", toolCalls: [] } },
  { name: "null", message: { content: null }, expected: { content: "", toolCalls: [] } },
  { name: "nothing", message: {}, expected: { content: "", toolCalls: [] } },
  {
    name: "parts",
    message: { content: [{ type: "text", text: "a" }, "b", { type: "image_url" }] },
    expected: { content: "ab", toolCalls: [] },
  },
  {
    name: "thinking parts",
    message: {
      content: [
        { type: "thinking", thinking: [{ type: "text", text: "mm" }] },
        { type: "text", text: "a" },
      ],
    },
    expected: { content: "a", toolCalls: [], reasoning: "mm" },
  },
  {
    name: "a refusal",
    message: { content: null, refusal: "No." },
    expected: { content: "", toolCalls: [], refusal: "No." },
  },
  {
    name: "reasoning_content",
    message: { content: "a", reasoning_content: "r" },
    expected: { content: "a", toolCalls: [], reasoning: "r" },
  },
  {
    name: "reasoning",
    message: { content: "a", reasoning: "r" },
    expected: { content: "a", toolCalls: [], reasoning: "r" },
  },
  {
    name: "reasoning said twice",
    message: { content: "a", reasoning: "r", reasoning_details: [{ type: "reasoning.text", text: "r" }] },
    expected: { content: "a", toolCalls: [], reasoning: "r" },
  },
  {
    name: "reasoning_details alone",
    message: {
      content: "a",
      reasoning_details: [
        { type: "reasoning.summary", summary: "s" },
        { type: "reasoning.encrypted", data: "x" },
      ],
    },
    expected: { content: "a", toolCalls: [], reasoning: "s" },
  },
  {
    name: "think tags",
    message: { content: "<think>r</think>a" },
    expected: { content: "a", toolCalls: [], reasoning: "r" },
  },
  {
    name: "an unclosed think tag",
    message: { content: "<think>r" },
    expected: { content: "", toolCalls: [], reasoning: "r" },
  },
  {
    name: "think tags beside a reasoning field, left alone",
    message: { content: "<think>x</think>a", reasoning: "r" },
    expected: { content: "<think>x</think>a", toolCalls: [], reasoning: "r" },
  },
])("readAnswer() reads content: $name", ({ message, expected }) => {
  expect(read(message).message).toEqual(expected);
});

const call = { id: "c1", type: "function", function: { name: "f", arguments: '{"x":1}' } };
test.each([
  { name: "null", toolCalls: null, expected: [] },
  { name: "an empty list", toolCalls: [], expected: [] },
  { name: "objects", toolCalls: [call], expected: [{ id: "c1", name: "f", arguments: { x: 1 } }] },
  { name: "JSON texts", toolCalls: [JSON.stringify(call)], expected: [{ id: "c1", name: "f", arguments: { x: 1 } }] },
  { name: "one object", toolCalls: call, expected: [{ id: "c1", name: "f", arguments: { x: 1 } }] },
  {
    name: "one JSON text of a list",
    toolCalls: JSON.stringify([call, { ...call, id: "c2" }]),
    expected: [
      { id: "c1", name: "f", arguments: { x: 1 } },
      { id: "c2", name: "f", arguments: { x: 1 } },
    ],
  },
  { name: "an empty text", toolCalls: " ", expected: [] },
  { name: "the text null", toolCalls: "null", expected: [] },
  { name: "text that is no JSON", toolCalls: ["f(1)"], expected: [{ name: "", rawArguments: "f(1)" }] },
  { name: "a missing id", toolCalls: [{ ...call, id: undefined }], expected: [{ name: "f", arguments: { x: 1 } }] },
  { name: "a null id", toolCalls: [{ ...call, id: null }], expected: [{ name: "f", arguments: { x: 1 } }] },
  {
    name: "no function wrapper",
    toolCalls: [{ id: "c1", name: "f", arguments: { x: 1 } }],
    expected: [{ id: "c1", name: "f", arguments: { x: 1 } }],
  },
  {
    name: "arguments as an object",
    toolCalls: [{ id: "c1", function: { name: "f", arguments: { x: 1 } } }],
    expected: [{ id: "c1", name: "f", arguments: { x: 1 } }],
  },
  {
    name: "empty arguments",
    toolCalls: [{ id: "c1", function: { name: "f", arguments: "" } }],
    expected: [{ id: "c1", name: "f", arguments: {} }],
  },
  {
    name: "missing arguments",
    toolCalls: [{ id: "c1", function: { name: "f" } }],
    expected: [{ id: "c1", name: "f", arguments: {} }],
  },
  {
    name: "broken arguments, kept raw",
    toolCalls: [{ id: "c1", function: { name: "f", arguments: '{"x": ' } }],
    expected: [{ id: "c1", name: "f", rawArguments: '{"x": ' }],
  },
  {
    name: "arguments that are a list, kept raw",
    toolCalls: [{ id: "c1", function: { name: "f", arguments: "[1]" } }],
    expected: [{ id: "c1", name: "f", rawArguments: "[1]" }],
  },
  {
    name: "arguments that are a JSON number, kept raw",
    toolCalls: [{ id: "c1", function: { name: "f", arguments: 3 } }],
    expected: [{ id: "c1", name: "f", rawArguments: "3" }],
  },
  {
    name: "several, in order",
    toolCalls: [call, { ...call, id: "c2" }],
    expected: [
      { id: "c1", name: "f", arguments: { x: 1 } },
      { id: "c2", name: "f", arguments: { x: 1 } },
    ],
  },
])("readAnswer() reads tool calls: $name", ({ toolCalls, expected }) => {
  expect(read({ content: null, tool_calls: toolCalls }).message.toolCalls).toEqual(expected);
});

test("readAnswer() reads the old function_call", () => {
  expect(read({ function_call: { name: "f", arguments: '{"x":1}' } }).message.toolCalls).toEqual([
    { name: "f", arguments: { x: 1 } },
  ]);
});

test.each([
  { name: "nothing", usage: undefined, expected: {} },
  {
    name: "OpenAI's details",
    usage: {
      prompt_tokens: 9,
      completion_tokens: 5,
      total_tokens: 14,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 3 },
    },
    expected: { promptTokens: 9, completionTokens: 5, cachedTokens: 4, reasoningTokens: 3 },
  },
  {
    name: "null details",
    usage: { prompt_tokens: 9, completion_tokens: 5, prompt_tokens_details: null },
    expected: { promptTokens: 9, completionTokens: 5 },
  },
  {
    name: "DeepSeek's cache hits",
    usage: { prompt_tokens: 9, completion_tokens: 5, prompt_cache_hit_tokens: 2 },
    expected: { promptTokens: 9, completionTokens: 5, cachedTokens: 2 },
  },
  {
    name: "a stated cost",
    usage: { prompt_tokens: 9, completion_tokens: 0, cost: 0.25 },
    expected: { promptTokens: 9, completionTokens: 0, cost: 0.25 },
  },
])("readUsage() reads $name", ({ usage, expected }) => {
  expect(readUsage(usage as never)).toEqual(expected); // odd values on purpose
});

test("readAnswer() reads log-probabilities, an infinite or missing one tagged", () => {
  const logprobs = {
    content: [
      { token: "a", logprob: -0.5 },
      { token: "b", logprob: null },
    ],
  };
  expect(read({ content: "ab" }, { choice: { logprobs } }).tokens).toEqual({
    texts: ["a", "b"],
    logProbs: [-0.5, { $number: "unknown" }],
  });
});

test("readAnswer() reads vLLM's token ids beside the choice and at the top", () => {
  const { tokens } = read({ content: "ab" }, { choice: { token_ids: [5, 6] }, body: { prompt_token_ids: [1, 2, 3] } });
  expect(tokens).toEqual({ ids: [5, 6], promptIds: [1, 2, 3] });
});

test("readAnswer() reads ids written in place of token texts", () => {
  const logprobs = { content: [{ token: "token_id:42", logprob: -1 }] };
  expect(read({ content: "a" }, { choice: { logprobs } }).tokens).toEqual({ ids: [42], logProbs: [-1] });
});

test("readAnswer() knows no tokens when the server gives none", () => {
  expect(read({ content: "a" }, { choice: { logprobs: null } }).tokens).toBeUndefined();
});

test.each([
  { name: "an error body", body: { error: { message: "x", code: 503 } }, errorClass: "server_error" },
  { name: "an error of type text", body: { error: "boom" }, errorClass: "server_error" },
  { name: "an old vLLM error", body: { object: "error", message: "no", code: 400 }, errorClass: "bad_request" },
  { name: "no choices", body: { choices: [] }, errorClass: "bad_response" },
  { name: "choices null", body: { choices: null }, errorClass: "bad_response" },
  {
    name: "an error inside the choice",
    body: { choices: [{ error: { message: "x", code: 502 }, finish_reason: "error" }] },
    errorClass: "server_error",
  },
  {
    name: "finish reason error",
    body: { choices: [{ message: { content: "a" }, finish_reason: "error" }] },
    errorClass: "bad_response",
  },
  { name: "no message", body: { choices: [{ finish_reason: "stop" }] }, errorClass: "bad_response" },
  {
    name: "nothing said at all",
    body: {
      choices: [{ message: { role: "assistant", content: null, tool_calls: null }, finish_reason: null }],
      usage: null,
    },
    errorClass: "bad_response",
  },
  ...[
    { name: "nested lists", content: [["a"], [{ type: "text", text: "b" }]] },
    { name: "an object", content: { text: "a" } },
    { name: "a number", content: 7 },
    { name: "only a picture", content: [{ type: "image_url" }] },
  ].map(({ name, content }) => ({
    name: `content that is ${name}`,
    body: { choices: [{ message: { content }, finish_reason: "stop" }] },
    errorClass: "bad_response",
  })),
  ...["f(1)", '"f"', 5, [null], [[call]]].map((toolCalls) => ({
    name: `tool calls that are ${JSON.stringify(toolCalls)}`,
    body: { choices: [{ message: { content: "", tool_calls: toolCalls }, finish_reason: "tool_calls" }] },
    errorClass: "bad_response",
  })),
  { name: "a list", body: [], errorClass: "bad_response" },
  { name: "null", body: null, errorClass: "bad_response" },
])("readAnswer() fails on $name", ({ body, errorClass }) => {
  expect(readAnswer(body, "h", true)).toMatchObject({ errorClass });
});

test.each([
  { name: "an empty text", content: "" },
  { name: "null", content: null },
  { name: "an empty list", content: [] },
  { name: "an empty text part", content: [{ type: "text", text: "" }] },
])("readAnswer() takes $name with a finish reason for the model's own empty answer", ({ content }) => {
  expect(read({ content })).toMatchObject({ message: { content: "", toolCalls: [] }, finishReason: "stop" });
});

test.each([
  { name: "content", message: { content: "a" } },
  { name: "reasoning", message: { reasoning: "r" } },
  { name: "a refusal", message: { refusal: "No." } },
  { name: "a tool call", message: { tool_calls: [call] } },
])("readAnswer() needs no finish reason beside $name", ({ message }) => {
  expect(read(message, { choice: { finish_reason: null } }).finishReason).toBeUndefined();
});

function nest(depth: number): string {
  return `{"a":`.repeat(depth) + "1" + "}".repeat(depth);
}

test.each([
  { name: "text", write: (text: string): unknown => text },
  { name: "an object", write: (text: string): unknown => JSON.parse(text) },
])("readAnswer() keeps arguments raw that are nested too deep, given as $name", ({ write }) => {
  const readDepth = (depth: number): unknown => {
    const named = { name: "f", arguments: write(nest(depth)) };
    return read({ tool_calls: [{ function: named }] } as JsonObject).message.toolCalls; // all JSON
  };
  // an object by its text
  expect(readDepth(500)).toEqual([{ name: "f", arguments: JSON.parse(nest(500)) as JsonObject }]);
  for (const depth of [501, 20_000]) expect(readDepth(depth)).toEqual([{ name: "f", rawArguments: nest(depth) }]);
});

test("readAnswer() reads an error nested 20,000 levels deep as a failure", () => {
  const body = { error: JSON.parse(nest(20_000)) as JsonObject }; // an object by its text
  expect(readAnswer(body, "h", true)).toMatchObject({ errorClass: "server_error" });
});
