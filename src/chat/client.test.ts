import { afterEach, expect, test } from "vitest";
import { catchPolicyError, createMockKit, hello } from "../../test/mock-server/kit.js";
import { errorReply, faultReply, textReply, toolReply, type FaultName } from "../../test/mock-server/reply.js";

const { serve, serveReplies, connect, closeAll } = createMockKit();
afterEach(closeAll);

test("complete() sends the request and reads the answer", async () => {
  const server = await serveReplies(toolReply([{ id: "c1", name: "f", arguments: { x: 1 } }]));
  const { client } = connect([server], {
    extraBody: { top_k: 3 },
    priceTable: { mock: { promptPerMillion: 1e6, completionPerMillion: 0 } },
  });
  const tool = { name: "f", description: "does f", parameters: { type: "object" } };
  const answer = await client.complete({
    ...hello,
    tools: [tool],
    temperature: 0.5,
    topP: 0.9,
    maxTokens: 7,
    seed: 3,
    stop: ["\n"],
    extraBody: { min_p: 0.1 },
  });
  expect(server.calls[0].body).toEqual({
    model: "mock",
    messages: hello.messages,
    tools: [{ type: "function", function: tool }],
    temperature: 0.5,
    top_p: 0.9,
    max_tokens: 7,
    seed: 3,
    stop: ["\n"],
    top_k: 3,
    min_p: 0.1,
  });
  expect(answer).toMatchObject({
    message: { content: "", toolCalls: [{ id: "c1", name: "f", arguments: { x: 1 } }] },
    finishReason: "tool_calls",
    usage: { promptTokens: 2, completionTokens: 1, cost: 2, requests: 1 },
    requestCount: 1,
    baseUrl: server.url,
  });
});

test.each([false, true])(
  "complete() returns log-probabilities and token ids when asked (streaming: %s)",
  async (streaming) => {
    const server = await serveReplies(textReply("one two"));
    const { client } = connect([server], { streaming });
    const { tokens, message, usage } = await client.complete({ ...hello, logProbs: true, tokenIds: true });
    expect(message.content).toBe("one two");
    expect(usage).toMatchObject({ promptTokens: 2, completionTokens: 2 });
    expect(tokens?.texts).toEqual(["one", " two"]);
    expect(tokens?.ids).toHaveLength(2);
    expect(tokens?.logProbs).toHaveLength(2);
    expect(tokens?.promptIds).toHaveLength(2);
  },
);

const passingFaults: readonly {
  readonly fault: FaultName;
  readonly errorClass: string;
  readonly streaming: boolean;
}[] = [
  { fault: "rate_limit", errorClass: "rate_limit", streaming: false },
  { fault: "rate_limit_retry_after", errorClass: "rate_limit", streaming: false },
  { fault: "server_error", errorClass: "server_error", streaming: false },
  { fault: "bad_gateway", errorClass: "server_error", streaming: false },
  { fault: "error_in_200", errorClass: "server_error", streaming: false },
  { fault: "finish_reason_error", errorClass: "bad_response", streaming: false },
  { fault: "finish_reason_error", errorClass: "bad_response", streaming: true },
  { fault: "empty_choices", errorClass: "bad_response", streaming: false },
  { fault: "broken_json", errorClass: "bad_response", streaming: false },
  { fault: "reset", errorClass: "connection", streaming: false },
  { fault: "error_in_stream", errorClass: "server_error", streaming: true },
  { fault: "reset_in_stream", errorClass: "connection", streaming: true },
  { fault: "cut_stream", errorClass: "bad_response", streaming: true },
];
test.each(passingFaults)(
  "complete() tries again after $fault (streaming: $streaming)",
  async ({ fault, errorClass, streaming }) => {
    const server = await serveReplies(faultReply(fault), faultReply(fault));
    const { client, events } = connect([server], { streaming });
    const answer = await client.complete(hello);
    expect(answer.message.content).toBe("ok");
    expect(answer).toMatchObject({ requestCount: 3, usage: { requests: 3 } });
    expect(events.filter(({ type }) => type === "retry")).toMatchObject([
      { errorClass, attemptCount: 1 },
      { errorClass, attemptCount: 2 },
    ]);
  },
);

test.each(passingFaults)(
  "complete() gives up on lasting $fault with its class (streaming: $streaming)",
  async ({ fault, errorClass, streaming }) => {
    const server = await serve(() => faultReply(fault));
    const { client } = connect([server], { streaming, retry: { maxAttempts: 3 } });
    const error = await catchPolicyError(client.complete(hello));
    expect(error).toMatchObject({ errorClass, usage: { requests: 3 } });
    expect(error.message).toContain("(after 3 attempts)");
    expect(error.message).toContain(server.url);
    expect(server.callCount).toBe(3);
  },
);

test.each([
  { name: "400", reply: errorReply(400, "bad"), errorClass: "bad_request" },
  { name: "401", reply: faultReply("unauthorized"), errorClass: "authentication" },
  { name: "403", reply: errorReply(403, "no"), errorClass: "authentication" },
  { name: "404", reply: errorReply(404, "The model does not exist"), errorClass: "not_found" },
  { name: "422", reply: errorReply(422, "bad"), errorClass: "bad_request" },
  { name: "a full context", reply: faultReply("context_overflow"), errorClass: "context_overflow" },
  {
    name: "a redirect",
    reply: { type: "http", status: 301, headers: { location: "https://h/v1" }, body: "" } as const,
    errorClass: "bad_response",
  },
  { name: "an HTML page from the start", reply: faultReply("html"), errorClass: "bad_response" },
])("complete() does not try again after $name", async ({ reply, errorClass }) => {
  const server = await serve(() => reply);
  const { client } = connect([server]);
  expect(await catchPolicyError(client.complete(hello))).toMatchObject({ errorClass, usage: { requests: 1 } });
  expect(server.callCount).toBe(1);
});

test("complete() takes an HTML page for a passing fault once the endpoint has worked", async () => {
  const server = await serve(({ index }) => (index === 1 ? faultReply("html") : textReply("ok")));
  const { client } = connect([server]);
  await client.complete(hello);
  expect(await client.complete(hello)).toMatchObject({ requestCount: 2 });
});

test("complete() says what may be wrong with the base URL when it gets an HTML page", async () => {
  const { client } = connect([await serve(() => faultReply("html"))]);
  expect((await catchPolicyError(client.complete(hello))).message).toMatch(
    /HTML page instead of JSON: check the base URL/,
  );
});

test.each([false, true])(
  "complete() gives up a server that hangs after the timeout (streaming: %s)",
  async (streaming) => {
    const server = await serve(() => (streaming ? { type: "stream", events: [], end: "hang" } : { type: "hang" }));
    const { client } = connect([server], { streaming, timeoutSeconds: 0.05, retry: { maxAttempts: 1 } });
    expect(await catchPolicyError(client.complete(hello))).toMatchObject({
      errorClass: "timeout",
      usage: { requests: 1 },
    });
  },
);

test("complete() does not mistake a slow stream for silence", async () => {
  const server = await serveReplies(textReply("one two three four five six", { delaySeconds: 0.03 }));
  const { client } = connect([server], { streaming: true, timeoutSeconds: 0.15 });
  expect((await client.complete(hello)).message.content).toBe("one two three four five six");
});

test("complete() reads a whole answer when the server ignores that streaming was asked for", async () => {
  const body = JSON.stringify({ choices: [{ message: { content: "whole" }, finish_reason: "stop" }] });
  const server = await serve(() => ({
    type: "http",
    status: 200,
    headers: { "content-type": "application/json" },
    body,
  }));
  expect((await connect([server], { streaming: true }).client.complete(hello)).message.content).toBe("whole");
});
