import { afterEach, expect, test, vi } from "vitest";
import { createInstantClock, createManualClock } from "../../test/mock-server/manual-clock.js";
import {
  errorReply,
  faultReply,
  textReply,
  toolReply,
  type FaultName,
  type Reply,
} from "../../test/mock-server/reply.js";
import { startMockServer, type MockServer } from "../../test/mock-server/server.js";
import { createRandom, PolicyError } from "../core/index.js";
import { createChatClient, type ChatClient } from "./client.js";
import { systemClock } from "./clock.js";
import type { ChatRequest } from "./message.js";
import type { ChatClientOptions, ChatEvent } from "./settings.js";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const { close } of opened.splice(0).reverse()) await close();
});

async function serve(
  script: (index: number) => Reply | Promise<Reply>,
  options: { readonly apiKey?: string } = {},
): Promise<MockServer> {
  const server = await startMockServer({ script: ({ index }) => script(index), ...options });
  opened.push(server);
  return server;
}

/** Serves these replies in order, then "ok". */
function serveReplies(...replies: readonly Reply[]): Promise<MockServer> {
  return serve((index) => replies[index] ?? textReply("ok"));
}

interface Connected {
  readonly client: ChatClient;
  readonly events: ChatEvent[];
}

function connect(servers: readonly (MockServer | string)[], options: Partial<ChatClientOptions> = {}): Connected {
  const events: ChatEvent[] = [];
  const client = createChatClient({
    endpoints: servers.map((server) => ({ baseUrl: typeof server === "string" ? server : server.url, model: "mock" })),
    environment: {},
    clock: createInstantClock(),
    random: createRandom("client test"),
    onEvent: (event) => events.push(event),
    ...options,
  });
  opened.push(client);
  return { client, events };
}

const hello: ChatRequest = { messages: [{ role: "user", content: "hello there" }] };

async function catchError(promise: Promise<unknown>): Promise<PolicyError> {
  const error: unknown = await promise.then(
    () => new Error("it did not fail"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof PolicyError)) throw error;
  return error;
}

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
    const error = await catchError(client.complete(hello));
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
  expect(await catchError(client.complete(hello))).toMatchObject({ errorClass, usage: { requests: 1 } });
  expect(server.callCount).toBe(1);
});

test("complete() takes an HTML page for a passing fault once the endpoint has worked", async () => {
  const server = await serve((index) => (index === 1 ? faultReply("html") : textReply("ok")));
  const { client } = connect([server]);
  await client.complete(hello);
  expect(await client.complete(hello)).toMatchObject({ requestCount: 2 });
});

test("complete() says what may be wrong with the base URL when it gets an HTML page", async () => {
  const { client } = connect([await serve(() => faultReply("html"))]);
  expect((await catchError(client.complete(hello))).message).toMatch(/HTML page instead of JSON: check the base URL/);
});

test.each([false, true])(
  "complete() gives up a server that hangs after the timeout (streaming: %s)",
  async (streaming) => {
    const server = await serve(() => (streaming ? { type: "stream", events: [], end: "hang" } : { type: "hang" }));
    const { client } = connect([server], { streaming, timeoutSeconds: 0.05, retry: { maxAttempts: 1 } });
    expect(await catchError(client.complete(hello))).toMatchObject({ errorClass: "timeout", usage: { requests: 1 } });
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

test.each([
  ["seconds", "20", 20],
  ["a date", new Date((1_700_000_000 + 30) * 1000).toUTCString(), 30],
])("complete() waits as long as Retry-After says in %s", async (_form, retryAfter, seconds) => {
  const server = await serveReplies(errorReply(429, "slow", { retryAfter }));
  const clock = createInstantClock();
  const { client, events } = connect([server], { clock });
  await client.complete(hello);
  expect(clock.sleeps).toEqual([seconds]);
  expect(events[0]).toEqual({ type: "rate_limited", baseUrl: server.url, pauseSeconds: seconds });
});

test("complete() fails at once when Retry-After is longer than the patience limit", async () => {
  const server = await serve(() => errorReply(429, "come back tomorrow", { retryAfter: "86400" }));
  const { client } = connect([server]);
  expect(await catchError(client.complete(hello))).toMatchObject({ errorClass: "rate_limit", usage: { requests: 1 } });
});

test("complete() takes another endpoint at once when one fails", async () => {
  const bad = await serve(() => faultReply("server_error"));
  const good = await serve(() => textReply("ok"));
  const clock = createInstantClock();
  const { client } = connect([bad, good], { clock });
  expect(await client.complete(hello)).toMatchObject({ requestCount: 2, baseUrl: good.url });
  expect(clock.sleeps).toEqual([]);
});

test("complete() spreads calls over the endpoints by what is in flight", async () => {
  const servers = await Promise.all([1, 2, 3].map(() => serve(() => textReply("ok", { delaySeconds: 0.05 }))));
  const { client } = connect(servers);
  await Promise.all(Array.from({ length: 12 }, () => client.complete(hello)));
  expect(servers.map(({ callCount }) => callCount)).toEqual([4, 4, 4]);
});

test("complete() keeps at most maxConcurrency requests in flight at an endpoint", async () => {
  const server = await serve(() => textReply("ok", { delaySeconds: 0.01 }));
  const { client } = connect([server], { maxConcurrency: 3 });
  await Promise.all(Array.from({ length: 12 }, () => client.complete(hello)));
  expect(server.peakConcurrency).toBe(3);
});

test("an outage opens the circuit: calls wait, one probes, and no call is used up", async () => {
  let isDown = true;
  const server = await serve(() => (isDown ? faultReply("server_error") : textReply("ok")));
  const clock = createManualClock();
  const { client, events } = connect([server], {
    clock,
    maxConcurrency: 4,
    retry: { maxAttempts: 2 },
    circuit: { failureThreshold: 4, openSeconds: 10 },
  });
  const answers = Promise.all(Array.from({ length: 20 }, () => client.complete(hello)));
  await vi.waitFor(() => expect(events.some(({ type }) => type === "circuit_open")).toBe(true));
  await clock.advance(0);
  const before = server.callCount;
  expect(before).toBeLessThanOrEqual(8);
  await clock.advance(9);
  expect(server.callCount).toBe(before);
  await clock.advance(1);
  await vi.waitFor(() => expect(events.filter(({ type }) => type === "circuit_open")).toHaveLength(2));
  expect(server.callCount).toBe(before + 1);
  isDown = false;
  await clock.advance(20);
  expect(await answers).toHaveLength(20);
  expect(events.filter(({ type }) => type === "circuit_closed")).toEqual([
    { type: "circuit_closed", baseUrl: server.url, outageSeconds: 30 },
  ]);
});

test("an outage longer than the patience limit ends waiting and new calls with class outage", async () => {
  const server = await serve(() => faultReply("reset"));
  const clock = createManualClock();
  const { client, events } = connect([server], {
    clock,
    circuit: { failureThreshold: 2, openSeconds: 1000, maxOpenSeconds: 1000, patienceSeconds: 100 },
  });
  const errors = Promise.all(Array.from({ length: 3 }, () => catchError(client.complete(hello))));
  await vi.waitFor(() => expect(events.some(({ type }) => type === "circuit_open")).toBe(true));
  await clock.advance(100);
  expect((await errors).map(({ errorClass }) => errorClass)).toEqual(["outage", "outage", "outage"]);
  const late = await catchError(client.complete(hello));
  expect(late).toMatchObject({ errorClass: "outage", usage: { requests: 0 } });
  expect((await errors)[0].message).toMatch(/longer than the patience limit; last error: Connection to/);
});

test("an open circuit of one endpoint leaves the work to the others", async () => {
  const bad = await serve(() => faultReply("reset"));
  const good = await serve(() => textReply("ok"));
  const { client, events } = connect([bad, good], { clock: createManualClock(), circuit: { failureThreshold: 2 } });
  for (let i = 0; i < 6; i += 1) await client.complete(hello);
  expect(bad.callCount).toBe(2);
  expect(good.callCount).toBe(6);
  expect(events.filter(({ type }) => type === "circuit_open")).toHaveLength(1);
});

test("a server that is not there is explained", async () => {
  const server = await startMockServer({ script: () => textReply("ok") });
  await server.close();
  const { client } = connect([server], { retry: { maxAttempts: 2 } });
  const error = await catchError(client.complete(hello));
  expect(error.errorClass).toBe("connection");
  expect(error.message).toMatch(
    /Cannot reach "http:\/\/127\.0\.0\.1:\d+\/v1": nothing listens there \(ECONNREFUSED\): start the server or correct the base URL/,
  );
});

test("an aborted call stops at once, whether in flight, backing off or in line", async () => {
  const server = await serve((index) => (index === 0 ? { type: "hang" } : faultReply("server_error")));
  const clock = createManualClock();
  const { client } = connect([server], { clock, maxConcurrency: 1 });
  const inFlight = new AbortController();
  const first = catchError(client.complete(hello, { signal: inFlight.signal }));
  await vi.waitFor(() => expect(server.callCount).toBe(1));
  const inLine = new AbortController();
  const second = catchError(client.complete(hello, { signal: inLine.signal }));
  inLine.abort(new Error("time is up"));
  expect(await second).toMatchObject({ errorClass: "aborted", usage: { requests: 0 } });
  inFlight.abort(new Error("time is up"));
  expect(await first).toMatchObject({
    errorClass: "aborted",
    usage: { requests: 1 },
    message: "The call was aborted: time is up",
  });
  const backingOff = new AbortController();
  const third = catchError(client.complete(hello, { signal: backingOff.signal }));
  await vi.waitFor(() => expect(clock.sleeps).toHaveLength(1));
  backingOff.abort(new Error("time is up"));
  expect(await third).toMatchObject({ errorClass: "aborted", usage: { requests: 1 } });
});

test("close() ends calls in flight and in line with class aborted", async () => {
  const server = await serve(() => ({ type: "hang" }));
  const { client } = connect([server], { maxConcurrency: 1, clock: systemClock });
  const calls = [catchError(client.complete(hello)), catchError(client.complete(hello))];
  await vi.waitFor(() => expect(server.callCount).toBe(1));
  await client.close();
  expect((await Promise.all(calls)).map(({ errorClass }) => errorClass)).toEqual(["aborted", "aborted"]);
  expect((await catchError(client.complete(hello))).errorClass).toBe("aborted");
});

test("requests per minute hold per endpoint", async () => {
  const server = await serve(() => textReply("ok"));
  const clock = createInstantClock();
  const start = clock.now();
  const { client } = connect([server], { clock, requestsPerMinute: 30 });
  for (let i = 0; i < 5; i += 1) await client.complete(hello);
  expect(clock.now() - start).toBeCloseTo(8, 5);
});

test("tokens per minute are put right by what the server counted", async () => {
  const server = await serve(() => textReply("ok", { usage: { prompt_tokens: 90, completion_tokens: 10 } }));
  const clock = createInstantClock();
  const start = clock.now();
  const { client } = connect([server], { clock, tokensPerMinute: 600 });
  for (let i = 0; i < 4; i += 1) await client.complete({ ...hello, maxTokens: 5000 });
  // Ten tokens a second and a hundred a call, less the one second's worth in the bucket at the start.
  expect(clock.now() - start).toBeGreaterThan(26);
  expect(clock.now() - start).toBeLessThan(31);
});

test("the key is sent, and appears nowhere else", async () => {
  const server = await serve(
    () => errorReply(500, "token secret-key-123 and Bearer secret-key-123 and sk-abcdef12 failed"),
    { apiKey: "secret-key-123" },
  );
  const events: ChatEvent[] = [];
  const { client } = connect([], {
    endpoints: [{ baseUrl: server.url, model: "mock", apiKeyVariable: "KEY" }],
    environment: { KEY: " secret-key-123\n" },
    retry: { maxAttempts: 2 },
    onEvent: (event) => events.push(event),
  });
  const error = await catchError(client.complete(hello));
  expect(server.calls[0].headers.authorization).toBe("Bearer secret-key-123");
  expect(error.message).toContain("token [redacted] and Bearer [redacted] and [redacted] failed");
  expect(JSON.stringify([client, client.endpoints, events, error.message])).not.toContain("secret-key");
});

test("a key can travel in a header of its own", async () => {
  const server = await serve(() => textReply("ok"));
  const { client } = connect([], {
    endpoints: [
      { baseUrl: server.url, model: "m", apiKeyVariable: "KEY", apiKeyHeader: "api-key", headers: { "x-title": "t" } },
    ],
    environment: { KEY: "k" },
  });
  await client.complete(hello);
  expect(server.calls[0].headers).toMatchObject({ "api-key": "k", "x-title": "t" });
  expect(server.calls[0].headers.authorization).toBeUndefined();
});

test.each([
  { name: "no endpoint", options: { endpoints: [] }, message: /no endpoint is given/ },
  {
    name: "a key variable that is not set",
    options: { endpoints: [{ baseUrl: "http://h", model: "m", apiKeyVariable: "KEY" }] },
    message: /environment variable "KEY" for its API key is not set/,
  },
  {
    name: "an empty key variable",
    options: { endpoints: [{ baseUrl: "http://h", model: "m", apiKeyVariable: "KEY" }], environment: { KEY: "" } },
    message: /"KEY"/,
  },
  { name: "no model", options: { endpoints: [{ baseUrl: "http://h", model: "" }] }, message: /no model is named/ },
])("createChatClient() refuses $name", ({ options, message }) => {
  expect(() => connect([], options)).toThrow(message);
});

test("the cost that a server states is taken when there is no price, and failed attempts are paid for", async () => {
  const usage = { prompt_tokens: 1, completion_tokens: 1, cost: 0.5 };
  const server = await serveReplies(textReply("x", { usage, finishReason: "error" }), textReply("ok", { usage }));
  const { usage: used } = await connect([server]).client.complete(hello);
  expect(used).toEqual({ promptTokens: 1, completionTokens: 1, cost: 1, requests: 2 });
});

test("max_completion_tokens can be asked for instead of max_tokens", async () => {
  const server = await serve(() => textReply("ok"));
  await connect([server], { maxTokensField: "max_completion_tokens" }).client.complete({ ...hello, maxTokens: 5 });
  expect(server.calls[0].body).toMatchObject({ max_completion_tokens: 5 });
  expect(server.calls[0].body).not.toHaveProperty("max_tokens");
});
