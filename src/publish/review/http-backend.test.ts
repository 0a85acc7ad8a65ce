import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createChatClient, systemClock } from "../../chat/index.js";
import { createRandom } from "../../core/index.js";
import { createHttpBackend } from "./backends/http.js";
import { runReviewRound } from "./run-round.js";
import { answerAll, parseSample } from "./testing.js";

const document = parseSample();
const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close().closeAllConnections()));

interface Asked {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** A chat server that answers with the given texts in turn; a number is a status. */
async function serve(answers: readonly (string | number)[]) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const answer = answers[Math.min(asked.length, answers.length - 1)];
      asked.push(JSON.parse(body) as Asked); // what our client sent
      if (typeof answer === "number") {
        response.writeHead(answer, { "content-type": "application/json" }).end('{"error":{"message":"no"}}');
        return;
      }
      const choice = { index: 0, message: { role: "assistant", content: answer }, finish_reason: "stop" };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(
        JSON.stringify({
          id: "1",
          object: "chat.completion",
          model: "qwen3-32b-0101",
          choices: [choice],
          usage: { prompt_tokens: 11, completion_tokens: 7 },
        }),
      );
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return { asked, baseUrl: `http://127.0.0.1:${port}` };
}

async function review(baseUrl: string) {
  const client = createChatClient({
    endpoints: [{ baseUrl, model: "qwen3-32b" }],
    retry: { maxAttempts: 1 },
    circuit: { patienceSeconds: 1 },
    environment: {},
    clock: systemClock,
    random: createRandom(1),
  });
  let sessions = 0;
  const backend = createHttpBackend({
    client,
    reviewer: { id: "qwen3-32b", family: "qwen" },
    createSessionId: () => `h-${(sessions += 1)}`,
    timeoutSeconds: 20,
  });
  try {
    const parties = { author: { id: "ann", family: "human" } };
    return await runReviewRound(document, ["math"], backend, { round: 1, parties, now: () => 0 });
  } finally {
    await client.close();
  }
}

test("an endpoint reviews: family, answering model and tokens are on record", async () => {
  const { asked, baseUrl } = await serve([JSON.stringify(answerAll(document, "math"))]);
  const { round } = await review(baseUrl);
  expect(round).toMatchObject({
    verdict: "PASS",
    independent: true,
    reviewer_family: "qwen",
    reviewer_model: "qwen3-32b-0101",
    usage: { input: 11, output: 7 },
  });
  expect(asked[0].messages.map(({ role }) => role)).toEqual(["system", "user"]);
});

test("an endpoint that wraps its answer in prose is asked once for the form, with the validator's words alone", async () => {
  const { asked, baseUrl } = await serve(["Sure! All good.", JSON.stringify(answerAll(document, "math"))]);
  const { round } = await review(baseUrl);
  expect(round).toMatchObject({ verdict: "PASS", attempts: 2 });
  expect(asked[1].messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
  expect(Object.keys(JSON.parse(asked[1].messages[3].content) as object)).toEqual(["schema", "validator_messages"]);
});

test.each([
  { name: "prose twice", answers: ["no", "no"], verdict: "ERROR", reason: "response-invalid" },
  { name: "a refused key", answers: [401], verdict: "REVIEW_UNAVAILABLE", reason: "reviewer-not-started" },
  { name: "a server that breaks", answers: [500], verdict: "ERROR", reason: "reviewer-failed" },
])("an endpoint with $name is $verdict", async ({ answers, verdict, reason }) => {
  const { baseUrl } = await serve(answers);
  expect((await review(baseUrl)).round.pass_results[0]).toMatchObject({ verdict, reason_code: reason });
});

test("an endpoint that is not there is REVIEW_UNAVAILABLE", async () => {
  expect((await review("http://127.0.0.1:9")).round.pass_results[0]).toMatchObject({
    verdict: "REVIEW_UNAVAILABLE",
    reason_code: "reviewer-not-started",
  });
});
