import fc from "fast-check";
import { expect, test } from "vitest";
import { balanceByCapability, hallucinationRate, makeNegatives, parseReact, toDialogue } from "./agent-flan.js";
import { buildWebRecords, countPatches, parseWebAction, renderWebAction, type WebAction } from "./web-record.js";

const react = [
  "Thought: I need the year",
  "of its opening",
  "Action: search",
  'Action Input: {"q": "Eiffel"}',
  "Observation: opened in 1889",
  "Thought: now I know",
  "Final Answer: 1889",
].join("\n");

test("toDialogue() keeps every piece of content and no token of the scaffold", () => {
  const steps = parseReact(react);
  expect(steps).toEqual([
    {
      thought: "I need the year\nof its opening",
      call: { name: "search", argumentsText: '{"q": "Eiffel"}' },
      observation: "opened in 1889",
    },
    { thought: "now I know", answer: "1889" },
  ]);
  const dialogue = toDialogue(steps);
  const text = dialogue.map((message) => message.text).join("\n");
  expect(text).not.toMatch(/thought:|action:|action input:|observation:|final answer:/i);
  for (const content of ["of its opening", 'search {"q": "Eiffel"}', "opened in 1889", "now I know", "1889"]) {
    expect(text).toContain(content);
  }
  // What the agent did not write is never an assistant's message: it must not be trained on.
  expect(dialogue.filter(({ role }) => role === "user").map((message) => message.text)).toContain("opened in 1889");
});

test("parseReact() takes text without labels for a thought and leaves out actions without a name", () => {
  expect(parseReact("just thinking\nAction:   \nObservation: x")).toEqual([
    { thought: "just thinking", observation: "x" },
  ]);
  expect(parseReact("Action: a\nAction: b").map(({ call }) => call?.name)).toEqual(["a", "b"]);
});

test("balanceByCapability() gives slowly learnt capabilities more, and sums to 1", () => {
  const shares = balanceByCapability([
    { capability: "format", lossBefore: 2, lossNow: 0.4 },
    { capability: "reasoning", lossBefore: 2, lossNow: 1.6 },
    { capability: "worse", lossBefore: 1, lossNow: 3 },
  ]);
  const [format, reasoning, worse] = [...shares.values()];
  expect(reasoning / format).toBeCloseTo(0.8 / 0.2, 12);
  expect(worse / reasoning).toBeCloseTo(0.2 / 0.05, 12);
  expect(format + reasoning + worse).toBeCloseTo(1, 12);
});

test("makeNegatives() keeps the ratio exactly and both kinds in balance", () => {
  const sources = { toolQuestions: ["weather?"], chatQuestions: ["joke?", "rhyme?"], tools: ["search"] };
  const negatives = makeNegatives(50, 0.1, sources);
  expect(negatives.map(({ kind }) => kind)).toEqual([
    "tool_not_offered",
    "no_tool_needed",
    "tool_not_offered",
    "no_tool_needed",
    "tool_not_offered",
  ]);
  expect(negatives.filter(({ kind }) => kind === "tool_not_offered").every(({ tools }) => tools.length === 0)).toBe(
    true,
  );
  expect(() => makeNegatives(10, 0.5, { ...sources, chatQuestions: [] })).toThrow("a kind has no question");
});

test("hallucinationRate() counts calls by kind of prompt on ten answers", () => {
  const answers = Array.from({ length: 10 }, (_, i) => ({
    kind: i < 4 ? ("tool_not_offered" as const) : ("no_tool_needed" as const),
    hasCall: i === 0 || i > 6,
  }));
  expect(hallucinationRate(answers)).toEqual({ tool_not_offered: 0.25, no_tool_needed: 0.5 });
  expect(hallucinationRate([])).toEqual({ tool_not_offered: undefined, no_tool_needed: undefined });
});

const moment = (action: WebAction, width = 160, height = 210) => ({
  screenshot: { width, height },
  html: "<p>",
  action,
});

test("buildWebRecords() shows the last two frames and counts their patches", () => {
  const click: WebAction = { kind: "click", ref: "5" };
  const records = buildWebRecords("go", [
    moment(click),
    moment({ kind: "type", ref: "6", text: 'a "b"' }),
    moment(click, 161, 16),
  ]);
  expect(records.map(({ frames }) => frames)).toEqual([[0], [0, 1], [1, 2]]);
  expect(countPatches(160, 210)).toBe(10 * 14);
  expect(records.map(({ imageTokens }) => imageTokens)).toEqual([140, 280, 140 + 11]);
  expect(records[2].history).toEqual(['click "5"', 'type "6" "a \\"b\\""']);
});

test("parseWebAction() reads back whatever renderWebAction() writes, and nothing else", () => {
  const actions = fc.oneof(
    fc.record({ kind: fc.constant("click" as const), ref: fc.string() }),
    fc.record({ kind: fc.constant("type" as const), ref: fc.string(), text: fc.string({ unit: "binary" }) }),
  );
  fc.assert(
    fc.property(actions, (action) => {
      expect(parseWebAction(renderWebAction(action))).toEqual(action);
    }),
  );
  for (const text of ["click", 'click "1" "2"', 'scroll "1"', 'click "\\x"'])
    expect(parseWebAction(text)).toBeUndefined();
});
