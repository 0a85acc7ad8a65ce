import { expect, test } from "vitest";
import type { Action, ToolCall, ToolSpec } from "../core/index.js";
import { applyCommands, createCallAction, readCommand, type CommandAnswer } from "./commands.js";

const tools: readonly ToolSpec[] = [
  {
    name: "add",
    description: "Adds.",
    parameters: {
      type: "object",
      properties: {
        count: { type: "integer", minimum: 1, maximum: 9 },
        unit: { type: "string", enum: ["one", "ten"] },
        note: { type: ["string", "null"] },
      },
      required: ["count"],
      additionalProperties: false,
    },
  },
  { name: "stop", description: "Ends.", parameters: { type: "object", properties: {} } },
];
const add = (values: object): ToolCall => ({ name: "add", arguments: { ...values } });

test.each([
  { name: "an unknown tool", call: { name: "jump" }, text: 'There is no tool "jump": the tools are "add", "stop"' },
  { name: "a missing argument", call: add({}), text: '"add" needs "count"' },
  { name: "no arguments at all", call: { name: "add" }, text: '"add" needs "count"' },
  {
    name: "a text for a number",
    call: add({ count: "3" }),
    text: '"count" of "add" must be a whole number in 1..9: found "3"',
  },
  { name: "a fraction", call: add({ count: 1.5 }), text: '"count" of "add" must be a whole number in 1..9: found 1.5' },
  {
    name: "a number out of range",
    call: add({ count: 10 }),
    text: '"count" of "add" must be a whole number in 1..9: found 10',
  },
  {
    name: "a value that is not listed",
    call: add({ count: 1, unit: "two" }),
    text: '"unit" of "add" must be one of "one", "ten": found "two"',
  },
  {
    name: "an object for a text",
    call: add({ count: 1, note: {} }),
    text: '"note" of "add" must be of type ["string","null"]: found {}',
  },
  { name: "an argument that is not taken", call: add({ count: 1, depth: 2 }), text: '"add" does not take "depth"' },
  {
    name: "broken JSON",
    call: { name: "add", rawArguments: "{" },
    text: 'The arguments of "add" are not a JSON object: "{"',
  },
])("readCommand() refuses $name and says what is allowed", ({ call, text }) => {
  expect(readCommand(call, tools)).toMatchObject({ text, flags: { invalid: true } });
});
test.each([
  { name: "all arguments", call: add({ count: 9, unit: "ten", note: null }) },
  { name: "only the required ones", call: add({ count: 1 }) },
  { name: "no arguments where none are needed", call: { name: "stop" } },
  { name: "empty raw arguments where none are needed", call: { name: "stop", rawArguments: " " } },
  { name: "an extra argument where the schema does not forbid it", call: { name: "stop", arguments: { why: "done" } } },
])("readCommand() takes $name", ({ call }) => {
  expect(readCommand(call, tools)).toEqual({
    call,
    name: call.name,
    values: "arguments" in call ? call.arguments : {},
  });
});
test("readCommand() flags an unknown tool as such", () => {
  expect(readCommand({ name: "jump" }, tools)).toMatchObject({ flags: { invalid: true, unknownTool: true } });
});

function apply(
  state: number,
  { name, values }: { readonly name: string; readonly values: object },
): CommandAnswer<number> {
  if (name === "stop") return { state, text: "stopped", ended: "solved", reward: 1 };
  const { count } = values as { readonly count: number }; // the schema allows nothing else
  return count === 9
    ? { state, text: "too much", flags: { toolError: true } }
    : { state: state + count, text: `now ${state + count}`, reward: 0.5 };
}
const run = (action: Action) =>
  applyCommands(action, tools, 0, apply, { describe: (state) => `[${state}]`, invalidReward: -1 });

test("applyCommands() carries out calls in order, as one turn", () => {
  const toolCalls = [
    { id: "a", ...add({ count: 2 }) },
    { id: "b", ...add({ count: 3 }) },
  ];
  expect(run({ text: "", toolCalls })).toEqual({
    state: 5,
    observation: {
      text: "now 2\nnow 5\n[5]",
      toolResults: [
        { callId: "a", name: "add", text: "now 2" },
        { callId: "b", name: "add", text: "now 5\n[5]" },
      ],
    },
    reward: 1,
    toolCalls: 2,
    envSteps: 2,
  });
});
test("applyCommands() goes on after a call that cannot be carried out", () => {
  const result = run({
    text: "",
    toolCalls: [add({ count: 2 }), { name: "jump" }, add({ count: 9 }), add({ count: 1 })],
  });
  expect(result).toMatchObject({
    state: 3,
    reward: 0,
    toolCalls: 4,
    envSteps: 3,
    flags: { invalid: true, unknownTool: true, toolError: true },
  });
  expect(result.observation.toolResults?.map(({ isError }) => isError)).toEqual([undefined, true, true, undefined]);
});
test("applyCommands() carries out nothing after the end, and still answers every call", () => {
  const result = run({
    text: "",
    toolCalls: [add({ count: 2 }), { name: "stop" }, add({ count: 1 }), { name: "jump" }],
  });
  expect(result).toMatchObject({ state: 2, ended: "solved", reward: 1.5, toolCalls: 2, envSteps: 2 });
  expect(result.flags).toBeUndefined();
  expect(result.observation.toolResults).toHaveLength(4);
  expect(result.observation.text).toBe(
    "now 2\nstopped\nNot carried out: the episode had ended\nNot carried out: the episode had ended",
  );
});
test.each([
  {
    name: "an unparsable action",
    action: { text: "hm", invalid: "no action found in the text" },
    reason: "no action found in the text",
  },
  {
    name: "an unparsable action that holds calls",
    action: { ...createCallAction("stop"), invalid: "two at once" },
    reason: "two at once",
  },
  { name: "text alone", action: { text: "hm" }, reason: "it holds no call of a tool" },
  { name: "a quit", action: { text: "", quit: true as const }, reason: "the agent stopped" },
])("applyCommands() changes nothing for $name", ({ action, reason }) => {
  expect(run(action)).toEqual({
    state: 0,
    observation: { text: `Nothing was carried out: ${reason}. The tools are "add", "stop".\n[0]` },
    reward: -1,
    flags: { invalid: true },
    toolCalls: 0,
    envSteps: 0,
  });
});
