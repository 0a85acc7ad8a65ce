import { afterEach, expect, test } from "vitest";
import { createMockKit } from "../../../test/mock-server/kit.js";
import { createPlayer } from "../../../test/mock-server/player.js";
import { textReply, toolReply, type Reply } from "../../../test/mock-server/reply.js";
import { createRandom, createTask, policyContractChecks, type PolicyRequest } from "../../core/index.js";
import { createFrozenLakeEnv, createLookupEnv, createVaultEnv } from "../../envs/index.js";
import { createChatPolicy } from "./chat-policy.js";
import type { ChatPolicyOptions } from "./config.js";

const { serve, connect, closeAll } = createMockKit();
afterEach(closeAll);

const tools = [
  { name: "move", description: "Moves.", parameters: { type: "object", properties: { to: { type: "string" } } } },
  { name: "look", description: "Looks.", parameters: { type: "object", properties: {} } },
];

function createRequest(more: Partial<PolicyRequest> = {}): PolicyRequest {
  return {
    task: createTask("e", 1),
    env: {
      id: "e",
      instructions: "Reach the goal.",
      tools,
      text: { instructions: "Write <action>move DIRECTION</action>.", examples: [] },
    },
    turns: [],
    observation: { text: "Map" },
    turnIndex: 3,
    samplingSeed: 7,
    random: createRandom(7),
    ...more,
  };
}

async function act(reply: Reply, options: Partial<ChatPolicyOptions> = {}, request: Partial<PolicyRequest> = {}) {
  const server = await serve(() => reply);
  const policy = createChatPolicy({ id: "p", client: connect([server]).client, ...options });
  const result = await policy.act(createRequest(request));
  return { ...result, body: server.calls[0].body, policy };
}

const move = { id: "x1", name: "move", arguments: { to: "left" } };
test.each<{ name: string; reply: Reply; options?: Partial<ChatPolicyOptions>; action: unknown }>([
  {
    name: "tool calls in order",
    reply: toolReply([move, { id: "x2", name: "look", arguments: {} }]),
    action: { text: "", toolCalls: [move, { id: "x2", name: "look", arguments: {} }] },
  },
  {
    name: "text beside a call",
    reply: toolReply([move], { content: "I go left." }),
    action: { text: "I go left.", toolCalls: [move] },
  },
  {
    name: "reasoning apart",
    reply: toolReply([move], { message: { reasoning_content: "why" } }),
    action: { text: "", reasoning: "why", toolCalls: [move] },
  },
  {
    name: "the same id twice, the second replaced",
    reply: toolReply([move, move]),
    action: { text: "", toolCalls: [move, { ...move, id: "c00030001" }] },
  },
  {
    name: "a missing id, made from the place",
    reply: { type: "completion", message: { tool_calls: [{ function: { name: "look", arguments: "" } }] } },
    action: { text: "", toolCalls: [{ id: "c00030000", name: "look", arguments: {} }] },
  },
  {
    name: "broken arguments as invalid, kept raw",
    reply: toolReply([{ ...move, arguments: '{"to": ' }]),
    action: {
      text: "",
      toolCalls: [{ id: "x1", name: "move", rawArguments: '{"to": ' }],
      invalid: 'the arguments of "move" are not a JSON object',
    },
  },
  {
    name: "one broken call among good ones as a call",
    reply: toolReply([
      { ...move, arguments: "[" },
      { id: "x2", name: "look", arguments: {} },
    ]),
    action: {
      text: "",
      toolCalls: [
        { id: "x1", name: "move", rawArguments: "[" },
        { id: "x2", name: "look", arguments: {} },
      ],
    },
  },
  {
    name: "a tool that does not exist as a call",
    reply: toolReply([{ id: "x1", name: "fly", arguments: {} }]),
    action: { text: "", toolCalls: [{ id: "x1", name: "fly", arguments: {} }] },
  },
  { name: "no call as a quit", reply: textReply("I give up."), action: { text: "I give up.", quit: true } },
  {
    name: "no call as invalid when told so",
    reply: textReply("Hm."),
    options: { noToolCall: "invalid" },
    action: { text: "Hm.", invalid: "the message holds no tool call" },
  },
  {
    name: "a refusal as a quit with its words",
    reply: { type: "completion", message: { refusal: "I will not." } },
    action: { text: "I will not.", quit: true },
  },
  {
    name: "reasoning only, cut at the limit, as invalid",
    reply: { type: "completion", content: null, message: { reasoning_content: "First" }, finishReason: "length" },
    action: { text: "", reasoning: "First", invalid: "the answer was cut at the token limit before it held an action" },
  },
  {
    name: "a filtered answer as invalid",
    reply: { type: "completion", content: null, finishReason: "content_filter" },
    action: { text: "", invalid: "the server's content filter held the answer back" },
  },
  {
    name: "a text action",
    reply: textReply("So: <action>move left</action>"),
    options: { surface: "text" },
    action: { text: "So: <action>move left</action>", toolCalls: [{ name: "move", arguments: { to: "left" } }] },
  },
  {
    name: "a text action in another grammar",
    reply: textReply("So:\nAction: move left"),
    options: { surface: "text", grammar: { type: "line", prefix: "Action:" } },
    action: { text: "So:\nAction: move left", toolCalls: [{ name: "move", arguments: { to: "left" } }] },
  },
  {
    name: "a text quit",
    reply: textReply("<action>quit</action>"),
    options: { surface: "text" },
    action: { text: "<action>quit</action>", quit: true },
  },
  {
    name: "a text without action as invalid",
    reply: textReply("Hm."),
    options: { surface: "text" },
    action: { text: "Hm.", invalid: "no action found in the text" },
  },
  {
    name: "a text cut at the limit as invalid",
    reply: textReply("Hm, I", { finishReason: "length" }),
    options: { surface: "text" },
    action: { text: "Hm, I", invalid: "the answer was cut at the token limit before it held an action" },
  },
  {
    name: "think tags apart from a text action",
    reply: textReply("<think><action>look</action></think><action>move left</action>"),
    options: { surface: "text" },
    action: {
      text: "<action>move left</action>",
      reasoning: "<action>look</action>",
      toolCalls: [{ name: "move", arguments: { to: "left" } }],
    },
  },
])("act() reads $name", async ({ reply, options, action }) => {
  expect((await act(reply, options)).action).toEqual(action);
});

test("act() takes the text itself where the env has no tools", async () => {
  const env = { id: "e", instructions: "Guess.", tools: [] };
  const { action, body } = await act(textReply("42"), {}, { env });
  expect(action).toEqual({ text: "42" });
  expect(body).not.toHaveProperty("tools");
});

test("act() answers a closing prompt with its text, without tools", async () => {
  const { action, body } = await act(textReply("Paris"), {}, { closingPrompt: "Answer now." });
  expect(action).toEqual({ text: "Paris" });
  expect(body).not.toHaveProperty("tools");
});

test("act() sends its settings, the tools, and a seed that follows from the episode and the turn", async () => {
  const options = { temperature: 0.3, topP: 0.8, maxTokens: 50, extraBody: { top_k: 1 } };
  const { body } = await act(toolReply([move]), options);
  expect(body).toMatchObject({ temperature: 0.3, top_p: 0.8, max_tokens: 50, top_k: 1 });
  expect(body["tools"]).toEqual(tools.map((tool) => ({ type: "function", function: tool })));
  const again = await act(toolReply([move]), options);
  expect(again.body).toEqual(body);
  const seeds = [
    body["seed"],
    (await act(toolReply([move]), {}, { turnIndex: 4 })).body["seed"],
    (await act(toolReply([move]), {}, { samplingSeed: 8 })).body["seed"],
  ];
  expect(new Set(seeds).size).toBe(3);
  expect((await act(toolReply([move]), { sendSeed: false })).body).not.toHaveProperty("seed");
});

test("act() returns usage, log-probabilities and ids", async () => {
  const { usage, tokens } = await act(textReply("a b", { usage: { prompt_tokens: 5, completion_tokens: 2 } }), {
    logProbs: true,
    tokenIds: true,
  });
  expect(usage).toEqual({ promptTokens: 5, completionTokens: 2, requests: 1 });
  expect(tokens?.ids).toHaveLength(2);
  expect(tokens?.logProbs).toHaveLength(2);
});

test("the config holds what defines the behaviour, as JSON, and neither addresses nor keys", async () => {
  const server = await serve(() => textReply("ok"));
  const endpoints = ["m2", "m1", "m2"].map((model) => ({ baseUrl: server.url, model, apiKeyVariable: "KEY" }));
  const { client } = connect([], { endpoints, environment: { KEY: "secret-key" }, extraBody: { top_k: 5 } });
  const { config } = createChatPolicy({ id: "p", client, surface: "text", temperature: 0, extraBody: { min_p: 0.1 } });
  expect(config).toEqual({
    type: "chat",
    models: ["m1", "m2"],
    surface: "text",
    grammar: { type: "tag", tag: "action" },
    temperature: 0,
    sendSeed: true,
    sendReasoningBack: false,
    extraBody: { top_k: 5, min_p: 0.1 },
  });
});

test.each([{ maxHistoryTurns: 0 }, { maxTokens: 1.5 }])("createChatPolicy() refuses %j", async (options) => {
  const { client } = connect([await serve(() => textReply("ok"))]);
  expect(() => createChatPolicy({ id: "p", client, ...options })).toThrow(/must be a whole number of at least 1/);
});

const envs = [createFrozenLakeEnv(), createVaultEnv(), createLookupEnv()];
test.each(envs.flatMap((env) => (["tools", "text"] as const).map((surface) => ({ env, id: env.id, surface }))))(
  "the chat policy keeps the policy contract in $id over $surface",
  async ({ env, surface }) => {
    const server = await serve(createPlayer("random", 3));
    const create = () => createChatPolicy({ id: "chat", client: connect([server]).client, surface });
    const { length } = policyContractChecks(create(), env);
    // Each check gets a policy of its own: one of them closes it.
    for (let i = 0; i < length; i += 1) await policyContractChecks(create(), env)[i].run();
    expect(length).toBeGreaterThan(4);
  },
);
