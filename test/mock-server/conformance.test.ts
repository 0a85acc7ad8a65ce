import OpenAI from "openai";
import { afterEach, expect, test } from "vitest";
import { createMockKit } from "./kit.js";
import { faultReply, textReply, toolReply, type Reply } from "./reply.js";
import type { MockServer } from "./server.js";

// The mock is only worth something if other clients take it for the real thing.

const { serve, closeAll } = createMockKit();
afterEach(closeAll);

async function connectOpenAi(reply: Reply): Promise<{ readonly openai: OpenAI; readonly server: MockServer }> {
  const server = await serve(() => reply, { apiKey: "k" });
  return { server, openai: new OpenAI({ baseURL: server.url, apiKey: "k", maxRetries: 0 }) };
}

const messages = [{ role: "user" as const, content: "hello there" }];
const tools = [
  {
    type: "function" as const,
    function: { name: "move", parameters: { type: "object", properties: { to: { type: "string" } } } },
  },
];

test("the official client lists the mock's models", async () => {
  const { openai } = await connectOpenAi(textReply("ok"));
  expect((await openai.models.list()).data.map(({ id }) => id)).toEqual(["mock"]);
});

test("the official client reads text, usage and log-probabilities", async () => {
  const { openai } = await connectOpenAi(textReply("one two"));
  const { choices, usage, object } = await openai.chat.completions.create({ model: "mock", messages, logprobs: true });
  expect(object).toBe("chat.completion");
  expect(choices[0].message.content).toBe("one two");
  expect(choices[0].finish_reason).toBe("stop");
  expect(choices[0].logprobs?.content?.map(({ token }) => token)).toEqual(["one", " two"]);
  expect(usage).toEqual({ prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 });
});

test("the official client reads tool calls", async () => {
  const { openai } = await connectOpenAi(toolReply([{ id: "c1", name: "move", arguments: { to: "left" } }]));
  const { choices } = await openai.chat.completions.create({ model: "mock", messages, tools });
  expect(choices[0].finish_reason).toBe("tool_calls");
  expect(choices[0].message.tool_calls).toEqual([
    { id: "c1", type: "function", function: { name: "move", arguments: '{"to":"left"}' } },
  ]);
});

test("the official client's streaming helper puts the mock's pieces together", async () => {
  const { openai } = await connectOpenAi(
    toolReply(
      [
        { id: "c1", name: "move", arguments: { to: "left" } },
        { id: "c2", name: "move", arguments: "{}" },
      ],
      { content: "I go now" },
    ),
  );
  const stream = openai.chat.completions.stream({
    model: "mock",
    messages,
    tools,
    stream_options: { include_usage: true },
  });
  const { choices, usage } = await stream.finalChatCompletion();
  expect(choices[0].message.content).toBe("I go now");
  expect(choices[0].message.tool_calls?.map(({ id, function: body }) => [id, body.arguments])).toEqual([
    ["c1", '{"to":"left"}'],
    ["c2", "{}"],
  ]);
  expect(usage?.completion_tokens).toBeGreaterThan(0);
});

test("the official client recognises the mock's errors", async () => {
  const limited = await connectOpenAi(faultReply("rate_limit_retry_after"));
  const error: unknown = await limited.openai.chat.completions
    .create({ model: "mock", messages })
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(OpenAI.RateLimitError);
  expect(error).toMatchObject({ status: 429, code: "rate_limit_exceeded" });
  const full = await connectOpenAi(faultReply("context_overflow"));
  await expect(full.openai.chat.completions.create({ model: "mock", messages })).rejects.toMatchObject({
    status: 400,
    code: "context_length_exceeded",
  });
  const reset = await connectOpenAi(faultReply("reset"));
  await expect(reset.openai.chat.completions.create({ model: "mock", messages })).rejects.toBeInstanceOf(
    OpenAI.APIConnectionError,
  );
  const keyless = new OpenAI({ baseURL: reset.server.url, apiKey: "wrong", maxRetries: 0 });
  await expect(keyless.chat.completions.create({ model: "mock", messages })).rejects.toBeInstanceOf(
    OpenAI.AuthenticationError,
  );
});

test("the mock refuses what real servers refuse: a call without an answer, an empty list of tools", async () => {
  const { openai } = await connectOpenAi(textReply("ok"));
  const call = { id: "c1", type: "function" as const, function: { name: "move", arguments: "{}" } };
  const unanswered = [...messages, { role: "assistant" as const, content: null, tool_calls: [call] }, ...messages];
  await expect(openai.chat.completions.create({ model: "mock", messages: unanswered })).rejects.toMatchObject({
    status: 400,
  });
  await expect(openai.chat.completions.create({ model: "mock", messages, tools: [] })).rejects.toMatchObject({
    status: 400,
  });
});
