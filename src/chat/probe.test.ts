import { afterEach, expect, test } from "vitest";
import { createPlayer } from "../../test/mock-server/player.js";
import { errorReply, faultReply, textReply, type Reply } from "../../test/mock-server/reply.js";
import { startMockServer, type MockCall, type MockServerOptions } from "../../test/mock-server/server.js";
import type { EndpointCheck } from "./endpoint-check.js";
import { probeEndpoint } from "./probe.js";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const { close } of opened.splice(0)) await close();
});

async function probe(options: MockServerOptions, more: Partial<Parameters<typeof probeEndpoint>[0]> = {}) {
  const server = await startMockServer(options);
  opened.push(server);
  const result = await probeEndpoint({ baseUrl: server.url, environment: {}, timeoutSeconds: 5, ...more });
  return { result, server, statuses: Object.fromEntries(result.checks.map(({ name, status }) => [name, status])) };
}

function find(checks: readonly EndpointCheck[], name: string): EndpointCheck | undefined {
  return checks.find((check) => check.name === name);
}

/** A server that can do everything: calls tools, and its text depends on the seed. */
function answerAll(call: MockCall): Reply {
  return call.body["tools"] === undefined
    ? textReply(`ready ${JSON.stringify(call.body["seed"])}`)
    : createPlayer("first")(call);
}

test("probeEndpoint() finds everything on a server that has everything", async () => {
  const { result, statuses } = await probe({ script: answerAll, models: ["m1", "m2"] });
  expect(statuses).toEqual({
    reachable: "ok",
    models: "ok",
    chat: "ok",
    usage: "ok",
    tools: "ok",
    "log-probs": "ok",
    "token ids": "ok",
    seed: "ok",
    streaming: "ok",
  });
  expect(result).toMatchObject({ model: "m1", models: ["m1", "m2"] });
});

test("probeEndpoint() notes what a plain server lacks", async () => {
  const { result, statuses } = await probe({
    script: () => textReply("ready", { usage: null, logProbs: false, tokenIds: false }),
  });
  expect(statuses).toEqual({
    reachable: "ok",
    models: "ok",
    chat: "ok",
    usage: "note",
    tools: "note",
    "log-probs": "note",
    "token ids": "note",
    seed: "note",
    streaming: "note",
  });
  expect(find(result.checks, "tools")?.remedy).toMatch(/text surface/);
  expect(find(result.checks, "seed")?.found).toMatch(/cannot tell/);
});

test("probeEndpoint() notes a seed that is not honoured and fields that are refused", async () => {
  const { result } = await probe({
    script: ({ index, body }) =>
      body["return_token_ids"] === true
        ? errorReply(400, "Unrecognized request argument: return_token_ids")
        : textReply(`story ${index}`),
  });
  expect(find(result.checks, "seed")?.status).toBe("note");
  expect(find(result.checks, "seed")?.found).toMatch(/two different texts/);
  expect(find(result.checks, "token ids")?.status).toBe("note");
  expect(find(result.checks, "token ids")?.found).toMatch(/refused: .*Unrecognized/);
});

test("probeEndpoint() finds out that the limit must be called max_completion_tokens", async () => {
  const { result, statuses } = await probe({
    script: (call) =>
      call.body["max_tokens"] === undefined
        ? answerAll(call)
        : errorReply(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
  });
  expect(find(result.checks, "chat")).toMatchObject({
    status: "note",
    remedy: 'Set "maxTokensField" to "max_completion_tokens"',
  });
  expect(statuses).toMatchObject({ tools: "ok", seed: "ok", streaming: "ok" });
});

test("probeEndpoint() stops at a wrong key", async () => {
  const { statuses, result } = await probe(
    { script: answerAll, apiKey: "right" },
    { apiKeyVariable: "KEY", environment: { KEY: "wrong-key" } },
  );
  expect(statuses).toEqual({ reachable: "missing" });
  expect(result.checks[0].found).toMatch(/401.*check the API key/);
  expect(JSON.stringify(result)).not.toContain("wrong-key");
});

test("probeEndpoint() stops when the chat fails", async () => {
  const { statuses, server } = await probe({ script: () => faultReply("unauthorized") });
  expect(statuses).toEqual({ reachable: "ok", models: "ok", chat: "missing" });
  expect(server.callCount).toBe(1);
});

test("probeEndpoint() notes a model that is not listed and goes on", async () => {
  const { result, statuses } = await probe({ script: answerAll }, { model: "other" });
  expect(find(result.checks, "models")?.found).toBe('"other" is not listed; the list has "mock"');
  expect(statuses["chat"]).toBe("ok");
});

test("probeEndpoint() says what to do about a wrong path", async () => {
  const server = await startMockServer({ script: answerAll });
  opened.push(server);
  const { checks } = await probeEndpoint({ baseUrl: server.url.replace("/v1", "/api"), environment: {} });
  expect(find(checks, "models")?.status).toBe("missing");
  expect(find(checks, "models")?.remedy).toMatch(/ends in "\/v1"/);
});

test("probeEndpoint() says that nothing listens", async () => {
  const server = await startMockServer({ script: answerAll });
  await server.close();
  const { checks } = await probeEndpoint({ baseUrl: server.url, environment: {} });
  expect(checks.map(({ name, status }) => [name, status])).toEqual([["reachable", "missing"]]);
  expect(checks[0].found).toMatch(/nothing listens there/);
});
