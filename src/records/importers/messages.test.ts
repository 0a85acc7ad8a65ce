import { expect, test } from "vitest";
import type { JsonValue } from "../../core/index.js";
import { translateMessages } from "./messages.js";

const call = (name: string, text: string, id = "c1") => ({ id, type: "function", function: { name, arguments: text } });

test("translateMessages() makes each assistant message a turn and gives it what came before", () => {
  const { turns, finalObservation, messageIndexes, notes } = translateMessages([
    { role: "system", content: "Be brief." },
    { role: "user", content: "Find x." },
    { role: "assistant", content: "", tool_calls: [call("search", '{"q":"x"}')] },
    { role: "tool", tool_call_id: "c1", content: "x is 4" },
    { role: "assistant", content: "4" },
    { role: "user", content: "Thanks" },
  ]);
  expect(turns).toEqual([
    {
      observation: { text: "Be brief.\n\nFind x." },
      action: { text: "", toolCalls: [{ id: "c1", name: "search", arguments: { q: "x" } }] },
      extra: {
        observed: [
          { length: 9, fields: { role: "system" } },
          { length: 7, fields: { role: "user" } },
        ],
      },
    },
    { observation: { text: "", toolResults: [{ callId: "c1", text: "x is 4" }] }, action: { text: "4" } },
  ]);
  expect(finalObservation).toEqual({ text: "Thanks" });
  expect(messageIndexes).toEqual([2, 4]);
  expect(notes).toEqual([]);
});

test.each<{ name: string; message: JsonValue; action: object; flags?: object; note?: string }>([
  { name: "content null", message: { role: "assistant", content: null }, action: { text: "" } },
  { name: "content empty", message: { role: "assistant", content: "" }, action: { text: "" } },
  { name: "content missing", message: { role: "assistant" }, action: { text: "" } },
  {
    name: "content in parts",
    message: {
      role: "assistant",
      content: [{ type: "text", text: "a" }, { type: "image_url" }, { type: "text", text: "b" }],
    },
    action: { text: "a\nb" },
  },
  { name: "tool_calls null", message: { role: "assistant", content: "a", tool_calls: null }, action: { text: "a" } },
  {
    name: "tool_calls as JSON strings",
    message: { role: "assistant", content: "", tool_calls: ['{"id":"c1","name":"f","arguments":{"a":1}}'] },
    action: { text: "", toolCalls: [{ id: "c1", name: "f", arguments: { a: 1 } }] },
    note: "JSON text",
  },
  {
    name: "tool_calls as one JSON text",
    message: { role: "assistant", content: "", tool_calls: '[{"function":{"name":"f","arguments":"{}"}}]' },
    action: { text: "", toolCalls: [{ name: "f", arguments: {} }] },
  },
  {
    name: "several calls",
    message: { role: "assistant", content: "", tool_calls: [call("f", "{}"), call("f", "{}", "c2")] },
    action: {
      text: "",
      toolCalls: [
        { id: "c1", name: "f", arguments: {} },
        { id: "c2", name: "f", arguments: {} },
      ],
    },
    note: "several tool calls",
  },
  {
    name: "the old function_call",
    message: { role: "assistant", content: null, function_call: { name: "f", arguments: '{"a":1}' } },
    action: { text: "", toolCalls: [{ name: "f", arguments: { a: 1 } }] },
  },
  {
    name: "arguments that are not JSON",
    message: { role: "assistant", content: "", tool_calls: [call("f", '{"a":')] },
    action: { text: "", toolCalls: [{ id: "c1", name: "f", rawArguments: '{"a":' }] },
    flags: { invalid: true },
    note: "marked invalid",
  },
  {
    name: "arguments that are a list",
    message: { role: "assistant", content: "", tool_calls: [call("f", "[1]")] },
    action: { text: "", toolCalls: [{ id: "c1", name: "f", rawArguments: "[1]" }] },
    flags: { invalid: true },
  },
  {
    name: "a call that is no call",
    message: { role: "assistant", content: "", tool_calls: [7] },
    action: { text: "", toolCalls: [{ name: "", rawArguments: "7" }] },
    flags: { invalid: true, unknownTool: true },
  },
  {
    name: "a hallucinated tool",
    message: { role: "assistant", content: "", tool_calls: [call("g", "{}")] },
    action: { text: "", toolCalls: [{ id: "c1", name: "g", arguments: {} }] },
    flags: { unknownTool: true },
    note: "unknownTool",
  },
  {
    name: "reasoning kept apart",
    message: { role: "assistant", content: "a", reasoning_content: "hm" },
    action: { text: "a", reasoning: "hm" },
  },
  {
    name: "the other name of reasoning",
    message: { role: "assistant", content: "a", reasoning: "hm" },
    action: { text: "a", reasoning: "hm" },
  },
  {
    name: "no role",
    message: { content: "a" },
    action: { text: "a" },
    note: "without a role is taken as an assistant message",
  },
  { name: "the role model", message: { role: "model", content: "a" }, action: { text: "a" } },
])("translateMessages() reads an assistant message with $name", ({ message, action, flags, note }) => {
  const { turns, notes } = translateMessages([{ role: "user", content: "q" }, message], { toolNames: new Set(["f"]) });
  expect(turns).toHaveLength(1);
  expect(turns[0].action).toEqual(action);
  expect(turns[0].flags).toEqual(flags);
  if (note !== undefined) expect(notes.join("\n")).toContain(note);
});

test("translateMessages() takes a message without a role that has calls for the assistant's, at the very beginning too", () => {
  expect(translateMessages([{ tool_calls: [call("f", "{}")] }]).turns).toHaveLength(1);
  expect(translateMessages([{ content: "hello" }]).turns).toHaveLength(0);
});

test("translateMessages() keeps tool results without an id in their order and marks errors on the turn that called", () => {
  const { turns, notes } = translateMessages([
    { role: "assistant", content: "", tool_calls: [call("f", "{}"), call("f", "{}", "c2")] },
    { role: "tool", content: "one" },
    { role: "function", name: "f", content: "two", is_error: true },
    { role: "assistant", content: "done" },
  ]);
  expect(turns[0].flags).toEqual({ toolError: true });
  expect(turns[1].observation.toolResults).toEqual([{ text: "one" }, { name: "f", text: "two", isError: true }]);
  expect(notes.join("\n")).toContain("without an id");
});

test("translateMessages() lets the caller name roles, so a simulated user's tool calls are no turns", () => {
  const { turns } = translateMessages(
    [
      { role: "user", content: "", tool_calls: [call("check", "{}")] },
      { role: "tool", content: "ok", requestor: "user" },
      { role: "assistant", content: "done" },
    ],
    { getRole: (message) => (message.requestor === "user" ? "user" : undefined) },
  );
  expect(turns).toHaveLength(1);
  expect(turns[0].observation.toolResults).toBeUndefined();
});
