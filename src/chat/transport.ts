// internal
import { Agent } from "undici";
import { errorMessage, PolicyError } from "../core/index.js";
import type { Connections } from "./connections.js";
import { EndlessAnswerError, exchange, type ExchangeOptions, type Received } from "./exchange.js";
import { badResponse, classifyStatus, isHtml, type Failure } from "./failure.js";
import { classifyNetworkError } from "./network-failure.js";
import { readAnswer, type ReadAnswer } from "./read-answer.js";
import type { Target } from "./target.js";

/** What an attempt came to. */
export type Outcome =
  | { readonly type: "answer"; readonly answer: ReadAnswer }
  | { readonly type: "failure"; readonly failure: Failure };

/** How to send one attempt. */
export interface SendOptions extends ExchangeOptions {
  readonly isThinkSplit: boolean;
  /** Whether this endpoint has answered properly before: then an HTML page or an unknown host may be passing. */
  readonly hasAnswered: boolean;
}

/** Returns an agent for the occasional request; those of a {@linkcode HttpChatClient} go over {@linkcode Connections}. */
export function createAgent(maxConcurrency: number, timeoutSeconds: number): Agent {
  const milliseconds = timeoutSeconds * 1000;
  return new Agent({
    connections: maxConcurrency,
    pipelining: 1,
    headersTimeout: milliseconds,
    bodyTimeout: milliseconds,
    connect: { timeout: Math.min(milliseconds, 30_000) },
    keepAliveTimeout: 30_000,
  });
}

/** Returns what a whole body of a successful answer says. */
function readText(text: string, contentType: string, from: string, options: SendOptions): ReadAnswer | Failure {
  if (isHtml(text, contentType)) {
    const message = `"${from}" answered with an HTML page instead of JSON: check the base URL, which normally ends in "/v1"`;
    return { ...badResponse(message), isRetryable: options.hasAnswered, isOutage: true };
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    const start = text.replace(/\s+/g, " ").slice(0, 120);
    return { ...badResponse(`"${from}" answered with text that is not JSON: "${start}"`), isOutage: true };
  }
  return readAnswer(body, from, options.isThinkSplit);
}

function readReceived(
  { status, contentType, body }: Received,
  from: string,
  options: SendOptions,
): ReadAnswer | Failure {
  if (typeof body === "string") {
    const isSuccess = status >= 200 && status < 300;
    return isSuccess ? readText(body, contentType, from, options) : classifyStatus(status, body, contentType, from);
  }
  const completion = body.finish();
  return isFailure(completion) ? completion : readAnswer(completion, from, options.isThinkSplit);
}

function isFailure(value: object): value is Failure {
  return "errorClass" in value;
}

/** Returns what an answer comes to, with the endpoint's key blotted out of messages. */
function readOutcome(received: Received, target: Target, options: SendOptions): Outcome {
  const result = readReceived(received, target.baseUrl.text, options);
  if (!isFailure(result)) return { type: "answer", answer: result };
  const { retryAfterSeconds } = received;
  const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return { type: "failure", failure: { ...result, ...wait, message: target.redact(result.message) } };
}

/**
 * Sends one chat completion request and returns its answer or failure. What the endpoint does wrong is returned,
 * with the key blotted out of messages.
 *
 * @throws {PolicyError} of class `aborted` when the caller's signal is aborted.
 */
export function sendAttempt(
  connections: Connections,
  target: Target,
  body: Buffer,
  options: SendOptions,
): Promise<Outcome> {
  const { signal, hasAnswered } = options;
  return exchange(connections, target, body, options).then(
    (received) => readOutcome(received, target, options),
    (error: unknown): Outcome => {
      if (signal?.aborted === true) throw createAbortError(signal);
      const from = target.baseUrl.text;
      if (error instanceof EndlessAnswerError) {
        return { type: "failure", failure: badResponse(`"${from}" does not end its answer: ${error.message}`) };
      }
      return { type: "failure", failure: classifyNetworkError(error, from, hasAnswered) };
    },
  );
}

/** Returns the error for a call that its caller gave up. */
export function createAbortError(signal: AbortSignal): PolicyError {
  return new PolicyError("aborted", `The call was aborted: ${errorMessage(signal.reason)}`, { cause: signal.reason });
}
