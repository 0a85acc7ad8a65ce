import { afterEach, expect, test } from "vitest";
import { createRandom, type TextScoreRequest } from "../core/index.js";
import type { MockScoring } from "../../test/mock-server/scoring.js";
import { startMockServer, type MockServer } from "../../test/mock-server/server.js";
import { textReply } from "../../test/mock-server/reply.js";
import { systemClock } from "./clock.js";
import { readPromptTokens, scoreByIds, scoreByText } from "./completions-answer.js";
import { createCompletionsScorer, type CompletionsScorerOptions } from "./completions-scorer.js";

const servers: MockServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** A model whose next token has a log-prob of minus the id of the token before, over 10. */
const bigram: MockScoring["logProb"] = (_model, tokens, position) => -Number(tokens[position - 1]) / 10;

async function start(scoring: MockScoring, more: Partial<CompletionsScorerOptions> = {}) {
  const server = await startMockServer({ script: () => textReply("x"), scoring });
  servers.push(server);
  const endpoint = { baseUrl: server.url, model: "m" };
  const scorer = createCompletionsScorer({
    endpoint,
    environment: {},
    clock: systemClock,
    random: createRandom(1),
    ...more,
  });
  return { server, scorer };
}

const byIds: TextScoreRequest = { prompt: { kind: "ids", ids: [5, 7] }, continuation: { kind: "ids", ids: [2, 9] } };
const byText: TextScoreRequest = {
  prompt: { kind: "text", text: "one two" },
  continuation: { kind: "text", text: " three four" },
};

test.each(["prompt_logprobs", "echo"] as const)(
  "createCompletionsScorer() scores the given ids over %s, each after all before it",
  async (dialect) => {
    const { server, scorer } = await start({ dialect, logProb: bigram });
    expect(await scorer.score([byIds, byIds])).toEqual([
      { kind: "scored", logProbs: [-0.7, -0.2], texts: [" t2", " t9"] },
      { kind: "scored", logProbs: [-0.7, -0.2], texts: [" t2", " t9"] },
    ]);
    // It asks both ways once, then only the one that works.
    expect(server.callCount).toBe(dialect === "echo" ? 3 : 2);
    expect(server.calls.at(-1)?.body["prompt"]).toEqual([5, 7, 2, 9]);
    await scorer.close?.();
  },
);

test.each(["prompt_logprobs", "echo"] as const)(
  "createCompletionsScorer() places tokens in text over %s",
  async (dialect) => {
    const { scorer } = await start({ dialect, logProb: (_model, _tokens, position) => -position });
    expect(await scorer.score([byText])).toEqual([{ kind: "scored", logProbs: [-2, -3], texts: [" three", " four"] }]);
    const across = {
      prompt: { kind: "text", text: "one tw" },
      continuation: { kind: "text", text: "o three" },
    } as const;
    expect(await scorer.score([across])).toEqual([
      { kind: "scored", logProbs: [-2], texts: [" three"], straddlingTokens: 1 },
    ]);
    await scorer.close?.();
  },
);

test.each([
  { name: "gives none", dialect: "none", says: "hold no log-probs of the text they were given" },
  { name: "refuses the fields", dialect: "refuse", says: "unknown field" },
] as const)(
  "createCompletionsScorer() says not available, and stops asking, where a server $name",
  async ({ dialect, says }) => {
    const { server, scorer } = await start({ dialect });
    const scores = await scorer.score([byIds, byIds, byIds]);
    expect(scores.map(({ kind }) => kind)).toEqual(["not_available", "not_available", "not_available"]);
    expect(JSON.stringify(scores[2])).toContain(says);
    expect(server.callCount).toBe(2);
    await scorer.close?.();
  },
);

test("createCompletionsScorer() passes on that a server is not there, after its attempts", async () => {
  const { server, scorer } = await start({}, { retry: { maxAttempts: 2, baseSeconds: 0.001 } });
  await server.close();
  await expect(scorer.score([byIds])).rejects.toMatchObject({ name: "PolicyError", errorClass: "connection" });
  await scorer.close?.();
});

test("createCompletionsScorer() refuses a mixed request and a missing key", async () => {
  const { scorer } = await start({});
  await expect(
    scorer.score([{ prompt: { kind: "ids", ids: [1] }, continuation: { kind: "text", text: "x" } }]),
  ).rejects.toThrow("not both ids or both text");
  await scorer.close?.();
  const endpoint = { baseUrl: "http://localhost:1/v1", model: "m", apiKeyVariable: "NONE" };
  expect(() =>
    createCompletionsScorer({ endpoint, environment: {}, clock: systemClock, random: createRandom(1) }),
  ).toThrow('"NONE"');
});

test("readPromptTokens() takes the token that stands there, not likelier ones beside it", () => {
  const entry = (id: number, logprob: number) => ({ [id]: { logprob, rank: 1, decoded_token: `<${id}>` } });
  const body = { choices: [{ prompt_logprobs: [null, { ...entry(4, -0.1), ...entry(8, -3) }] }] };
  const tokens = readPromptTokens(body, [1, 8]);
  expect(tokens?.logProbs).toEqual([undefined, -3]);
  // Without ids nothing says which of the two it is.
  expect(readPromptTokens(body, undefined)).toBeUndefined();
});

test.each([
  { name: "too few log-probs", tokens: { logProbs: [undefined, -1] }, says: "2 log-probs for 3 tokens" },
  {
    name: "another token than was given",
    tokens: { logProbs: [undefined, -1, -1], ids: [1, 2, 4] },
    says: "token 2 is not the one",
  },
  { name: "a gap", tokens: { logProbs: [undefined, undefined, -1] }, says: "left out" },
])("scoreByIds() refuses $name", ({ tokens, says }) => {
  const score = scoreByIds(tokens, [1, 2, 3], 2);
  expect(score.kind === "not_available" && score.reason).toContain(says);
});

test.each([
  { name: "no token texts", tokens: { logProbs: [undefined, -1] }, says: "no token texts" },
  {
    name: "texts that do not add up",
    tokens: { logProbs: [undefined, -1], texts: ["ab", "x"] },
    says: "do not add up",
  },
  { name: "no token in the continuation", tokens: { logProbs: [undefined], texts: ["abcd"] }, says: "no token begins" },
])("scoreByText() refuses $name", ({ tokens, says }) => {
  const score = scoreByText(tokens, "ab", "cd");
  expect(score.kind === "not_available" && score.reason).toContain(says);
});
