import { expect, test } from "vitest";
import type { Action, Observation, PolicyRequest, Turn } from "../../core/index.js";
import { createRandom, createTask } from "../../core/index.js";
import type { ChatPolicyOptions } from "./config.js";
import { renderMessages } from "./messages.js";

const tools = [
  { name: "move", description: "Moves.", parameters: { type: "object", properties: { to: { type: "string" } } } },
];
const text = { instructions: "Write <action>move DIRECTION</action>.", examples: [] };

function turn(observation: Observation | string, action: Action, notice?: string): Turn {
  return {
    observation: typeof observation === "string" ? { text: observation } : observation,
    action,
    ...(notice === undefined ? {} : { notice }),
  };
}

function render(
  turns: readonly Turn[],
  observation: Observation | string,
  options: Partial<ChatPolicyOptions> = {},
  request: Partial<PolicyRequest> = {},
) {
  const full: PolicyRequest = {
    task: createTask("e", 1),
    env: { id: "e", instructions: "Reach the goal.", tools, text },
    turns,
    observation: typeof observation === "string" ? { text: observation } : observation,
    turnIndex: turns.length,
    samplingSeed: 1,
    random: createRandom(1),
    ...request,
  };
  const client = {
    endpoints: [],
    extraBody: {},
    complete: () => Promise.reject(new Error("unused")),
    close: () => Promise.resolve(),
  };
  const [system, ...messages] = renderMessages(full, { id: "p", client, ...options });
  return { system: system.content, messages };
}

const call = { id: "c1", name: "move", arguments: { to: "left" } };
const messageCall = { id: "c1", type: "function", function: { name: "move", arguments: '{"to":"left"}' } };

test("the first messages are the system prompt and the task", () => {
  const { system, messages } = render([], "Map");
  expect(system).toBe("Reach the goal.\n\nAct by calling the tools. A message without a tool call ends the episode.");
  expect(messages).toEqual([{ role: "user", content: "Map" }]);
});

test("the text surface tells how actions are written, in the grammar that is read", () => {
  expect(render([], "Map", { surface: "text" }).system).toBe(
    "Reach the goal.\n\nWrite <action>move DIRECTION</action>.\nWrite one action per turn in the form <action>...</action>. The last one counts.",
  );
  const grammar = { type: "line", prefix: "Action:" } as const;
  expect(render([], "Map", { surface: "text", grammar }).system).toContain("Write Action: move DIRECTION.");
});

test("a system prompt of one's own may use the parts", () => {
  expect(render([], "Map", { systemPrompt: "Hi. {instructions}" }).system).toBe("Hi. Reach the goal.");
  expect(render([], "Map", { systemPrompt: "Only this $& {other}" }).system).toBe("Only this $& {other}");
});

test("calls and their results are shown with their ids, in order", () => {
  const action = { text: "go", toolCalls: [call, { ...call, id: "c2" }] };
  const observation = {
    text: "two\none",
    toolResults: [
      { callId: "c2", text: "two" },
      { callId: "c1", text: "one" },
    ],
  };
  expect(render([turn("Map", action)], observation).messages).toEqual([
    { role: "user", content: "Map" },
    { role: "assistant", content: "go", tool_calls: [messageCall, { ...messageCall, id: "c2" }] },
    { role: "tool", tool_call_id: "c1", content: "one" },
    { role: "tool", tool_call_id: "c2", content: "two" },
  ]);
});

test("an observation that only repeats its results is not said twice", () => {
  const observation = { text: "one", toolResults: [{ callId: "c1", text: "one" }] };
  expect(render([turn("Map", { text: "", toolCalls: [call] })], observation).messages.slice(1)).toEqual([
    { role: "assistant", content: "", tool_calls: [messageCall] },
    { role: "tool", tool_call_id: "c1", content: "one" },
  ]);
});

test.each([
  {
    name: "results without ids go by place",
    toolResults: [{ text: "one" }, { text: "two" }],
    contents: ["one", "two"],
  },
  {
    name: "a result with an unknown id takes the free call",
    toolResults: [
      { callId: "x", text: "one" },
      { callId: "c2", text: "two" },
    ],
    contents: ["one", "two"],
  },
  {
    name: "a call without result is answered all the same",
    toolResults: [{ callId: "c2", text: "two" }],
    contents: ["Not carried out.", "two"],
  },
  { name: "no results at all", toolResults: [], contents: ["Not carried out.", "Not carried out."] },
])("every call is answered: $name", ({ toolResults, contents }) => {
  const action = { text: "", toolCalls: [call, { ...call, id: "c2" }] };
  const { messages } = render([turn("Map", action)], {
    text: toolResults.map((result) => result.text).join("\n"),
    toolResults,
  });
  expect(messages.slice(2).map(({ content }) => content)).toEqual(contents);
});

test("what the env says about an action it did not carry out answers the last call", () => {
  const action = { text: "", toolCalls: [{ id: "c1", name: "move", rawArguments: '{"to": ' }], invalid: "bad" };
  const { messages } = render([turn("Map", action)], "Nothing was carried out: bad.");
  expect(messages.slice(1)).toEqual([
    {
      role: "assistant",
      content: "",
      tool_calls: [{ ...messageCall, function: { name: "move", arguments: '{"to": ' } }],
    },
    { role: "tool", tool_call_id: "c1", content: "Nothing was carried out: bad." },
  ]);
});

test("calls without ids get ones made from their place, nine letters and digits", () => {
  const action = { text: "", toolCalls: [{ name: "move", arguments: {} }] };
  const { messages } = render([turn("Map", { text: "x" }), turn("y", action)], {
    text: "ok",
    toolResults: [{ text: "ok" }],
  });
  expect(messages.at(-1)).toEqual({ role: "tool", tool_call_id: "c00010000", content: "ok" });
});

test("a budget text told once stands with the task, one told every turn at the end of each observation", () => {
  const first = turn("Map", { text: "", toolCalls: [call] }, "Turns left: 2.");
  const observation = { text: "one", toolResults: [{ callId: "c1", text: "one" }] };
  const { messages } = render([first], observation, {}, { notice: "Turns left: 1." });
  expect(messages[0].content).toBe("Map\n\nTurns left: 2.");
  expect(messages.at(-1)?.content).toBe("one\n\nTurns left: 1.");
});

test("on the text surface answers are user messages and calls stay inside the text", () => {
  const action = { text: "I go. <action>move left</action>", toolCalls: [call] };
  expect(
    render([turn("Map", action)], { text: "one", toolResults: [{ callId: "c1", text: "one" }] }, { surface: "text" })
      .messages,
  ).toEqual([
    { role: "user", content: "Map" },
    { role: "assistant", content: "I go. <action>move left</action>" },
    { role: "user", content: "one" },
  ]);
});

test("on the text surface calls made without text are written in the grammar", () => {
  const { messages } = render([turn("Map", { text: "", toolCalls: [call] })], "one", { surface: "text" });
  expect(messages[1].content).toBe('<action>move {"to":"left"}</action>');
});

test.each([
  [{}, { role: "assistant", content: "go" }],
  [{ sendReasoningBack: true }, { role: "assistant", content: "go", reasoning_content: "why" }],
  [
    { sendReasoningBack: true, reasoningForm: "reasoning" },
    { role: "assistant", content: "go", reasoning: "why" },
  ],
  [
    { sendReasoningBack: true, reasoningForm: "think_tag" },
    { role: "assistant", content: "<think>\nwhy\n</think>\n\ngo" },
  ],
] as const)("reasoning is sent back or not: %j", (options, expected) => {
  expect(render([turn("Map", { text: "go", reasoning: "why" })], "one", options).messages[1]).toEqual(expected);
});

test("a shortened history keeps the task and says what is left out", () => {
  const turns = [0, 1, 2].map((i) =>
    turn(i === 0 ? "Map" : `seen ${i}`, { text: "", toolCalls: [{ ...call, id: `c${i}` }] }),
  );
  const { messages } = render(turns, "seen 3", { maxHistoryTurns: 1 });
  expect(messages).toEqual([
    { role: "user", content: "Map\n\n[2 earlier turns are left out]\n\nseen 2" },
    { role: "assistant", content: "", tool_calls: [{ ...messageCall, id: "c2" }] },
    { role: "tool", tool_call_id: "c2", content: "seen 3" },
  ]);
});

test("the closing prompt is the last thing the user says", () => {
  const tooled = render([turn("Map", { text: "", toolCalls: [call] })], "one", {}, { closingPrompt: "Answer now." });
  expect(tooled.messages.at(-1)).toEqual({ role: "user", content: "Answer now." });
  const plain = render([turn("Map", { text: "x" })], "one", { surface: "text" }, { closingPrompt: "Answer now." });
  expect(plain.messages.at(-1)).toEqual({ role: "user", content: "one\n\nAnswer now." });
});

test("an env without tools is talked to in plain text", () => {
  const env = { id: "e", instructions: "Guess.", tools: [] };
  const { system, messages } = render([turn("Start", { text: "5" })], "higher", {}, { env });
  expect(system).toBe("Guess.");
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
});

test("messages taken over from earlier turns are those made anew", () => {
  const turns: Turn[] = [];
  const env = { id: "e", instructions: "Reach the goal.", tools, text };
  const client = {
    endpoints: [],
    extraBody: {},
    complete: () => Promise.reject(new Error("unused")),
    close: async () => {},
  };
  const transcripts = new WeakMap();
  for (const surface of ["tools", "text"] as const) {
    const options: ChatPolicyOptions = { id: "p", client, surface };
    turns.length = 0;
    transcripts.delete(turns);
    for (let i = 0; i < 6; i += 1) {
      const observation = { text: `Map ${i}`, toolResults: i % 2 === 0 ? [] : [{ callId: "c1", text: `moved ${i}` }] };
      const notice = i === 4 ? undefined : `${6 - i} left`;
      const shared = { task: createTask("e", 1), samplingSeed: 1, random: createRandom(1), turnIndex: i };
      const closingPrompt = i === 3 ? "Answer now." : undefined;
      const request: PolicyRequest = { ...shared, env, turns, observation, notice, closingPrompt };
      expect(renderMessages(request, options, transcripts)).toEqual(renderMessages(request, options));
      // Asked again, as after an action that was thrown away, with another observation.
      const other = { ...request, observation: { text: "Other" } };
      expect(renderMessages(other, options, transcripts)).toEqual(renderMessages(other, options));
      turns.push(turn(observation, i % 2 === 0 ? { text: "", toolCalls: [call] } : { text: `said ${i}` }, notice));
    }
    turns.splice(3, 3, turn("Elsewhere", { text: "another history in the same list" }));
    const shared = { task: createTask("e", 1), samplingSeed: 1, random: createRandom(1), turnIndex: 4 };
    const request: PolicyRequest = { ...shared, env, turns, observation: { text: "Map" } };
    expect(renderMessages(request, options, transcripts)).toEqual(renderMessages(request, options));
  }
});
