import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../core/index.js";
import { renderCompletion, renderPieces } from "../../test/mock-server/completion.js";
import type { CompletionReply } from "../../test/mock-server/reply.js";
import { readAnswer } from "./read-answer.js";
import { StreamAssembly } from "./stream.js";

function assemble(events: readonly (JsonObject | string)[]): unknown {
  const assembly = new StreamAssembly("h");
  for (const event of events) assembly.feed(`data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
  return readFinished(assembly.finish());
}

function readFinished(completion: object): unknown {
  return "errorClass" in completion ? completion : readAnswer(completion, "h", true);
}

function piece(delta: JsonObject, more: JsonObject = {}): JsonObject {
  return { choices: [{ index: 0, delta, ...more }] };
}

const replies: readonly CompletionReply[] = [
  { type: "completion", content: "Go left now. " },
  { type: "completion", content: "", message: { reasoning_content: "thinking it over" }, finishReason: "length" },
  { type: "completion", content: "<think>one two</think>three" },
  { type: "completion", content: null, message: { refusal: "I will not" } },
  {
    type: "completion",
    content: "calling",
    toolCalls: [
      { name: "f", arguments: { x: "ü \n 1" } },
      { name: "g", arguments: "{broken" },
      { name: "h", arguments: {} },
    ],
  },
];

test.each(replies.map((reply, i) => ({ i, reply })))(
  "a streamed answer reads like the whole one ($i), however the bytes are cut",
  ({ reply }) => {
    const request = {
      logprobs: true,
      return_token_ids: true,
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: "user", content: "hi there" }],
    };
    const whole = readAnswer(renderCompletion(reply, request, 3), "h", true);
    const bytes = [...renderPieces(reply, request, 3).map((event) => JSON.stringify(event)), "[DONE]"]
      .map((data) => `data: ${data}\n\n`)
      .join("");
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: bytes.length }), { maxLength: 12 }), (cuts) => {
        const assembly = new StreamAssembly("h");
        let from = 0;
        for (const to of [...cuts.sort((a, b) => a - b), bytes.length]) {
          assembly.feed(bytes.slice(from, to));
          from = to;
        }
        expect(readFinished(assembly.finish())).toEqual(whole);
      }),
      { numRuns: 30 },
    );
  },
);

test.each([
  {
    name: "two calls without index, told apart by id",
    deltas: [
      { tool_calls: [{ id: "a", function: { name: "f", arguments: '{"x":1}' } }] },
      { tool_calls: [{ id: "b", function: { name: "g", arguments: "{}" } }] },
    ],
    expected: [
      { id: "a", name: "f", arguments: { x: 1 } },
      { id: "b", name: "g", arguments: {} },
    ],
  },
  {
    name: "a whole call with arguments as an object",
    deltas: [{ tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: { x: 1 } } }] }],
    expected: [{ id: "a", name: "f", arguments: { x: 1 } }],
  },
  {
    name: "an id repeated on every piece",
    deltas: [
      { tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: '{"x"' } }] },
      { tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: ":1}" } }] },
    ],
    expected: [{ id: "a", name: "f", arguments: { x: 1 } }],
  },
  {
    name: "interleaved pieces",
    deltas: [
      {
        tool_calls: [
          { index: 0, id: "a", function: { name: "f", arguments: "" } },
          { index: 1, id: "b", function: { name: "g", arguments: "" } },
        ],
      },
      { tool_calls: [{ index: 1, function: { arguments: '{"y":2}' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"x":1}' } }] },
    ],
    expected: [
      { id: "a", name: "f", arguments: { x: 1 } },
      { id: "b", name: "g", arguments: { y: 2 } },
    ],
  },
  {
    name: "one JSON text of a list, in pieces",
    deltas: [{ tool_calls: '[{"id":"a","name":"f",' }, { tool_calls: '"arguments":{"x":1}}]' }],
    expected: [{ id: "a", name: "f", arguments: { x: 1 } }],
  },
  {
    name: "one object in place of a list",
    deltas: [{ tool_calls: { id: "a", function: { name: "f", arguments: '{"x":1}' } } }],
    expected: [{ id: "a", name: "f", arguments: { x: 1 } }],
  },
  {
    name: "a list of JSON texts",
    deltas: [{ tool_calls: ['{"id":"a","name":"f","arguments":{"x":1}}'] }],
    expected: [{ id: "a", name: "f", arguments: { x: 1 } }],
  },
  {
    name: "no function wrapper",
    deltas: [{ tool_calls: [{ index: 0, id: "a", name: "f", arguments: '{"x":1}' }] }],
    expected: [{ id: "a", name: "f", arguments: { x: 1 } }],
  },
  {
    name: "the old function_call in pieces",
    deltas: [{ function_call: { name: "f", arguments: '{"x"' } }, { function_call: { arguments: ":1}" } }],
    expected: [{ name: "f", arguments: { x: 1 } }],
  },
])("streamed tool calls: $name", ({ deltas, expected }) => {
  const events = [...deltas.map((delta) => piece(delta as JsonObject)), piece({}, { finish_reason: "tool_calls" })]; // all JSON
  expect(assemble(events)).toMatchObject({ message: { toolCalls: expected }, finishReason: "tool_calls" });
});

test("a stream without [DONE] is complete when it gave a finish reason", () => {
  expect(assemble([piece({ content: "a" }), piece({}, { finish_reason: "stop" })])).toMatchObject({
    message: { content: "a" },
  });
});
test("a stream without finish reason is complete when it says [DONE]", () => {
  expect(assemble([piece({ content: "a" }), "[DONE]"])).toMatchObject({ message: { content: "a" } });
});
test("a last event without its blank line still counts", () => {
  const assembly = new StreamAssembly("h");
  assembly.feed(`data: ${JSON.stringify(piece({ content: "a" }, { finish_reason: "stop" }))}`);
  expect(readFinished(assembly.finish())).toMatchObject({ message: { content: "a" } });
});
test("comments and other event types in a stream do no harm", () => {
  const assembly = new StreamAssembly("h");
  assembly.feed(
    `: OPENROUTER PROCESSING\n\nevent: ping\ndata: {}\n\ndata: ${JSON.stringify(piece({ content: "a" }, { finish_reason: "stop" }))}\r\n\r\n`,
  );
  expect(readFinished(assembly.finish())).toMatchObject({ message: { content: "a" } });
});

test.each([
  { name: "neither finish reason nor [DONE]", events: [piece({ content: "a" })], errorClass: "bad_response" },
  {
    name: "an error event",
    events: [piece({ content: "a" }), { error: { message: "Engine died" } }],
    errorClass: "server_error",
  },
  {
    name: "an error inside a choice",
    events: [{ choices: [{ delta: {}, finish_reason: "error", error: { code: 429, message: "slow" } }] }],
    errorClass: "rate_limit",
  },
  {
    name: "finish reason error",
    events: [piece({ content: "a" }, { finish_reason: "error" })],
    errorClass: "bad_response",
  },
  {
    name: "a context overflow",
    events: [{ error: { code: "context_length_exceeded", message: "too long" } }],
    errorClass: "context_overflow",
  },
  {
    name: "a role and no more",
    events: [piece({ role: "assistant", content: "" }), "[DONE]"],
    errorClass: "bad_response",
  },
  {
    name: "content that holds no text",
    events: [piece({ content: [["a"]] }), piece({}, { finish_reason: "stop" })],
    errorClass: "bad_response",
  },
  {
    name: "content that is an object",
    events: [piece({ content: { a: "b" } }), piece({}, { finish_reason: "stop" })],
    errorClass: "bad_response",
  },
  {
    name: "tool calls that are none",
    events: [piece({ tool_calls: [null] }), piece({}, { finish_reason: "tool_calls" })],
    errorClass: "bad_response",
  },
  { name: "no choice", events: ["[DONE]"], errorClass: "bad_response" },
  { name: "a piece that is not JSON", events: ["{oops"], errorClass: "bad_response" },
])("a stream with $name is a failure", ({ events, errorClass }) => {
  expect(assemble(events)).toMatchObject({ errorClass });
});

test.each([
  { data: '{"message":"overloaded"}', errorClass: "server_error" },
  { data: "overloaded", errorClass: "server_error" },
  { data: '{"error":{"message":"slow down","code":429}}', errorClass: "rate_limit" },
  { data: '{"message":"This model\'s maximum context length is 10 tokens"}', errorClass: "context_overflow" },
])("an error event $data fails the stream, whatever came before", ({ data, errorClass }) => {
  const assembly = new StreamAssembly("h");
  const first = JSON.stringify(piece({ content: "Let" }, { finish_reason: "stop" }));
  assembly.feed(`data: ${first}\n\nevent: error\ndata: ${data}\n\ndata: [DONE]\n\n`);
  expect(assembly.finish()).toMatchObject({ errorClass, isRetryable: errorClass !== "context_overflow" });
});

test("streamed content may change between text and parts", () => {
  const thinking = [{ type: "thinking", thinking: [{ type: "text", text: "mm" }] }];
  const events = [piece({ content: "a" }), piece({ content: thinking }), piece({ content: "b" }), "[DONE]"];
  expect(assemble(events)).toMatchObject({ message: { content: "ab", reasoning: "mm" } });
});

test.each([
  { name: "comments", pieces: [": ping\n\n", ": pi", "ng\n", "\n"], expected: [false, false, false, false] },
  { name: "blank lines", pieces: ["\n", "\r\n", " \n"], expected: [false, false, false] },
  { name: "empty events", pieces: ["data:\n\n", "event: ping\ndata: {}\n\n"], expected: [false, false] },
  { name: "a piece of the answer", pieces: [`data: ${JSON.stringify(piece({ content: "a" }))}\n\n`], expected: [true] },
  {
    name: "half a piece of the answer",
    pieces: [": ping\n\ndata: {", '"choices":', "  "],
    expected: [true, true, false],
  },
  { name: "its usage", pieces: ['data: {"choices":[],"usage":{"prompt_tokens":1}}\n\n'], expected: [true] },
  { name: "its end", pieces: ["data: [DONE]\n\n"], expected: [true] },
])("feed() tells what brings an answer on from signs of life: $name", ({ pieces, expected }) => {
  const assembly = new StreamAssembly("h");
  expect(pieces.map((text) => assembly.feed(text))).toEqual(expected);
});
