// internal
import { Agent } from "undici";
import { errorMessage, PolicyError } from "../core/index.js";
import { badResponse, classifyStatus, isHtml, type Failure } from "./failure.js";
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

/** Returns the error code of what a socket or undici threw, looking through its causes. */
function findCode(error: unknown): string | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth += 1) {
    const { code } = current as { readonly code?: unknown }; // Node's and undici's errors carry a code
    if (typeof code === "string") return code;
  }
  return undefined;
}

/** Returns the failure that a thrown network error means. */
export function classifyNetworkError(error: unknown, from: string, hasAnswered: boolean): Failure {
  const code = findCode(error);
  const what = code === undefined ? errorMessage(error) : `${errorMessage(error) || "no connection"} (${code})`;
  const base = { isRetryable: true, isOutage: true, cause: error };
  switch (code) {
    case "UND_ERR_HEADERS_TIMEOUT":
    case "UND_ERR_BODY_TIMEOUT":
    case "UND_ERR_CONNECT_TIMEOUT":
    case "ETIMEDOUT":
      return { ...base, errorClass: "timeout", message: `"${from}" did not answer in time: ${what}` };
    case "ECONNREFUSED":
      return {
        ...base,
        errorClass: "connection",
        message: `Cannot reach "${from}": nothing listens there (ECONNREFUSED): start the server or correct the base URL`,
      };
    case "ENOTFOUND":
      return {
        ...base,
        isRetryable: hasAnswered,
        errorClass: "connection",
        message: `Cannot reach "${from}": its host name is not known (ENOTFOUND): correct the base URL or check the network`,
      };
    default: {
      // A certificate does not mend itself.
      const isCertificate = code !== undefined && /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME|^ERR_(SSL|TLS)/.test(code);
      return {
        ...base,
        isRetryable: !isCertificate,
        errorClass: "connection",
        message: `Connection to "${from}" failed: ${what}`,
      };
    }
  }
}

/** Returns what a request to this target answered: its status, and whole body. */
async function readJsonText(text: string, contentType: string, from: string, options: SendOptions): Promise<Outcome> {
  if (isHtml(text, contentType)) {
    const message = `"${from}" answered with an HTML page instead of JSON: check the base URL, which normally ends in "/v1"`;
    return { type: "failure", failure: { ...badResponse(message), isRetryable: options.hasAnswered, isOutage: true } };
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    const start = text.replace(/\s+/g, " ").slice(0, 120);
    return {
      type: "failure",
      failure: { ...badResponse(`"${from}" answered with text that is not JSON: "${start}"`), isOutage: true },
    };
  }
  return toOutcome(readAnswer(body, from, options.isThinkSplit));
}

function toOutcome(result: ReadAnswer | Failure): Outcome {
  return "errorClass" in result ? { type: "failure", failure: result } : { type: "answer", answer: result };
}

async function readStream(body: AsyncIterable<Uint8Array>, from: string, options: SendOptions): Promise<Outcome> {
  const assembly = new StreamAssembly(from);
  const decoder = new TextDecoder();
  try {
    for await (const piece of body) assembly.feed(decoder.decode(piece, { stream: true }));
  } catch (error) {
    // A connection that breaks after the stream said that it is complete took nothing away.
    if (!assembly.isDone || options.signal?.aborted === true) throw error;
  }
  const completion = assembly.finish();
  if (isFailure(completion)) return { type: "failure", failure: completion };
  return toOutcome(readAnswer(completion, from, options.isThinkSplit));
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
  const { baseUrl, headers } = target;
  const from = baseUrl.text;
  const { signal, hasAnswered } = options;
  let outcome: Outcome;
  try {
    const response = await agent.request({
      origin: baseUrl.origin,
      path: `${baseUrl.path}/chat/completions${baseUrl.search}`,
      method: "POST",
      headers,
      body,
      signal,
    });
    const contentType = String(response.headers["content-type"] ?? "");
    if (response.statusCode >= 200 && response.statusCode < 300) {
      outcome = contentType.includes("text/event-stream")
        ? await readStream(response.body, from, options)
        : await readJsonText(await response.body.text(), contentType, from, options);
    } else {
      const failure = classifyStatus(response.statusCode, await response.body.text(), contentType, from);
      const retryAfter = response.headers["retry-after"];
      const seconds = typeof retryAfter === "string" ? parseRetryAfter(retryAfter, options.now()) : undefined;
      outcome = {
        type: "failure",
        failure: { ...failure, ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }) },
      };
    }
  } catch (error) {
    if (signal?.aborted === true) throw createAbortError(signal);
    outcome = { type: "failure", failure: classifyNetworkError(error, from, hasAnswered) };
  }
  if (outcome.type === "answer") return outcome;
  return { type: "failure", failure: { ...outcome.failure, message: target.redact(outcome.failure.message) } };
}

/** Returns the error for a call that its caller gave up. */
export function createAbortError(signal: AbortSignal): PolicyError {
  return new PolicyError("aborted", `The call was aborted: ${errorMessage(signal.reason)}`, { cause: signal.reason });
}
