import { afterEach, expect, test, vi } from "vitest";
import { catchPolicyError, createMockKit, hello } from "../../test/mock-server/kit.js";
import { createInstantClock, createManualClock } from "../../test/mock-server/manual-clock.js";
import { errorReply, faultReply, textReply } from "../../test/mock-server/reply.js";
import { startMockServer } from "../../test/mock-server/server.js";
import { systemClock } from "./clock.js";
import type { ChatEvent } from "./settings.js";

const { serve, serveReplies, connect, closeAll } = createMockKit();
afterEach(closeAll);

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

test("complete() takes the finer wait that some servers state in milliseconds", async () => {
  const headers = { "content-type": "application/json", "retry-after": "1", "retry-after-ms": "250" };
  const server = await serveReplies({ type: "http", status: 503, headers, body: "{}" });
  const clock = createInstantClock();
  await connect([server], { clock }).client.complete(hello);
  expect(clock.sleeps).toEqual([0.25]);
});

test("complete() fails at once when Retry-After is longer than the patience limit", async () => {
  const server = await serve(() => errorReply(429, "come back tomorrow", { retryAfter: "86400" }));
  const { client } = connect([server]);
  expect(await catchPolicyError(client.complete(hello))).toMatchObject({
    errorClass: "rate_limit",
    usage: { requests: 1 },
  });
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
  const errors = Promise.all(Array.from({ length: 3 }, () => catchPolicyError(client.complete(hello))));
  await vi.waitFor(() => expect(events.some(({ type }) => type === "circuit_open")).toBe(true));
  await clock.advance(100);
  expect((await errors).map(({ errorClass }) => errorClass)).toEqual(["outage", "outage", "outage"]);
  const late = await catchPolicyError(client.complete(hello));
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
  const error = await catchPolicyError(client.complete(hello));
  expect(error.errorClass).toBe("connection");
  expect(error.message).toMatch(
    /Cannot reach "http:\/\/127\.0\.0\.1:\d+\/v1": nothing listens there \(ECONNREFUSED\): start the server or correct the base URL/,
  );
});

test("an aborted call stops at once, whether in flight, backing off or in line", async () => {
  const server = await serve(({ index }) => (index === 0 ? { type: "hang" } : faultReply("server_error")));
  const clock = createManualClock();
  const { client } = connect([server], { clock, maxConcurrency: 1 });
  const inFlight = new AbortController();
  const first = catchPolicyError(client.complete(hello, { signal: inFlight.signal }));
  await vi.waitFor(() => expect(server.callCount).toBe(1));
  const inLine = new AbortController();
  const second = catchPolicyError(client.complete(hello, { signal: inLine.signal }));
  inLine.abort(new Error("time is up"));
  expect(await second).toMatchObject({ errorClass: "aborted", usage: { requests: 0 } });
  inFlight.abort(new Error("time is up"));
  expect(await first).toMatchObject({
    errorClass: "aborted",
    usage: { requests: 1 },
    message: "The call was aborted: time is up",
  });
  const backingOff = new AbortController();
  const third = catchPolicyError(client.complete(hello, { signal: backingOff.signal }));
  await vi.waitFor(() => expect(clock.sleeps).toHaveLength(1));
  backingOff.abort(new Error("time is up"));
  expect(await third).toMatchObject({ errorClass: "aborted", usage: { requests: 1 } });
});

test("close() ends calls in flight and in line with class aborted", async () => {
  const server = await serve(() => ({ type: "hang" }));
  const { client } = connect([server], { maxConcurrency: 1, clock: systemClock });
  const calls = [catchPolicyError(client.complete(hello)), catchPolicyError(client.complete(hello))];
  await vi.waitFor(() => expect(server.callCount).toBe(1));
  await client.close();
  expect((await Promise.all(calls)).map(({ errorClass }) => errorClass)).toEqual(["aborted", "aborted"]);
  expect((await catchPolicyError(client.complete(hello))).errorClass).toBe("aborted");
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
  const error = await catchPolicyError(client.complete(hello));
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
