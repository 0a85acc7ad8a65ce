// internal
import { Agent } from "undici";
import { errorMessage, PolicyError } from "../core/index.js";
import { badResponse, classifyStatus, isHtml, type Failure } from "./failure.js";
import { classifyNetworkError } from "./network-failure.js";
import { readAnswer, type ReadAnswer } from "./read-answer.js";
import { parseRetryAfter } from "./retry.js";
import { StreamAssembly } from "./stream.js";
import type { Target } from "./target.js";

/** What an attempt came to. */
export type Outcome =
  | { readonly type: "answer"; readonly answer: ReadAnswer }
  | { readonly type: "failure"; readonly failure: Failure };

/** How to send one attempt. */
export interface SendOptions {
  readonly isThinkSplit: boolean;
  readonly signal?: AbortSignal;
  /** Seconds since 1970, for `Retry-After` dates. */
  readonly now: () => number;
  /** Whether this endpoint has answered properly before: then an HTML page or an unknown host may be passing. */
  readonly hasAnswered: boolean;
}

/** Returns the agent that holds the connections: one for each call in flight. */
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

/** What a server sent, before it is known what it says. */
interface Received {
  readonly status: number;
  readonly contentType: string;
  /** Seconds that the server asks to wait. */
  readonly retryAfterSeconds: number | undefined;
  /** The whole body, or its events put together. */
  readonly body: string | StreamAssembly;
}

/** Returns what the headers ask to wait: OpenAI's milliseconds are finer than the standard's seconds. */
function readRetryAfter(
  headers: { readonly [name: string]: string | string[] | undefined },
  now: number,
): number | undefined {
  const milliseconds = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds / 1000;
  const header = headers["retry-after"];
  return typeof header === "string" ? parseRetryAfter(header, now) : undefined;
}

async function readEvents(
  body: AsyncIterable<Uint8Array>,
  from: string,
  signal: AbortSignal | undefined,
): Promise<StreamAssembly> {
  const assembly = new StreamAssembly(from);
  const decoder = new TextDecoder();
  try {
    for await (const piece of body) assembly.feed(decoder.decode(piece, { stream: true }));
  } catch (error) {
    // A connection that breaks after the stream said that it is complete took nothing away.
    if (!assembly.isDone || signal?.aborted === true) throw error;
  }
  return assembly;
}

/** Sends the request and reads what comes back. Rejects with what the socket, undici or the signal throws. */
async function exchange(
  agent: Agent,
  { baseUrl, headers }: Target,
  body: string,
  options: SendOptions,
): Promise<Received> {
  const { signal, now } = options;
  const path = `${baseUrl.path}/chat/completions${baseUrl.search}`;
  const response = await agent.request({ origin: baseUrl.origin, path, method: "POST", headers, body, signal });
  const contentType = String(response.headers["content-type"] ?? "");
  const isStream = response.statusCode < 300 && contentType.includes("text/event-stream");
  return {
    status: response.statusCode,
    contentType,
    retryAfterSeconds: readRetryAfter(response.headers, now()),
    body: isStream ? await readEvents(response.body, baseUrl.text, signal) : await response.body.text(),
  };
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

/**
 * Sends one chat completion request and returns its answer or failure. What the endpoint does wrong is returned,
 * with the key blotted out of messages.
 *
 * @throws {PolicyError} of class `aborted` when the caller's signal is aborted.
 */
export async function sendAttempt(agent: Agent, target: Target, body: string, options: SendOptions): Promise<Outcome> {
  const from = target.baseUrl.text;
  const { signal, hasAnswered } = options;
  let received: Received;
  try {
    received = await exchange(agent, target, body, options);
  } catch (error) {
    if (signal?.aborted === true) throw createAbortError(signal);
    return { type: "failure", failure: classifyNetworkError(error, from, hasAnswered) };
  }
  const result = readReceived(received, from, options);
  if (!isFailure(result)) return { type: "answer", answer: result };
  const { retryAfterSeconds } = received;
  const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return { type: "failure", failure: { ...result, ...wait, message: target.redact(result.message) } };
}

/** Returns the error for a call that its caller gave up. */
export function createAbortError(signal: AbortSignal): PolicyError {
  return new PolicyError("aborted", `The call was aborted: ${errorMessage(signal.reason)}`, { cause: signal.reason });
}
