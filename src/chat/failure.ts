// internal
import { isJsonObject, type JsonObject, type TurnUsage } from "../core/index.js";
import type { ChatErrorClass } from "./error-class.js";
import { writeJson } from "./write-json.js";

/** One failed attempt: what went wrong and whether trying again can help. */
export interface Failure {
  readonly errorClass: ChatErrorClass | "context_overflow";
  readonly message: string;
  readonly isRetryable: boolean;
  /** What the server asked to wait. */
  readonly retryAfterSeconds?: number;
  /** The endpoint did not answer as a working server would: counts towards an outage. */
  readonly isOutage: boolean;
  readonly cause?: unknown;
  readonly usage?: TurnUsage;
}

/** Says that a prompt does not fit, in the words and codes of the servers that were looked up. */
const contextPatterns: readonly RegExp[] = [
  /context_length_exceeded|exceed_context_size|context_window_exceeded|string_above_max_length/,
  /maximum (context|prompt|model|input) length|max(imum)?[ _]model[ _]len/,
  /(exceed\w*|longer than|greater than|larger than|overflow\w*|too large for|beyond)[^.\n]{0,60}(context|maximum number of (input )?tokens)/,
  /context (length|size|window|limit)[^.\n]{0,40}(exceed|overflow|reached)/,
  /(prompt|input|request|conversation) is too long|too many (input )?tokens|input token count[^.\n]{0,40}exceeds/,
  /tokens?`? \+ `?max_(new_)?tokens`?[^.\n]{0,30}(must be|exceed)/,
  /reduce the length of the (messages|prompt|input)/,
  /max_(completion_)?tokens must be at least 1, got -?\d/,
];

/** Says whether an error text means that the prompt no longer fits the model's context. */
export function isContextOverflow(text: string): boolean {
  const lower = text.toLowerCase();
  return contextPatterns.some((pattern) => pattern.test(lower));
}

/** Returns the error object of an answer, or `undefined` when the answer holds none. */
export function findErrorBody(body: unknown): JsonObject | undefined {
  if (!isJsonObject(body)) return undefined;
  const { error } = body;
  if (isJsonObject(error)) return error;
  if (typeof error === "string" && error !== "") return { message: error };
  if (body["object"] === "error") return body;
  return undefined;
}

/** Returns what an error body says, as one line of at most 400 characters. */
export function describeErrorBody(text: string): string {
  let words = text;
  try {
    const body: unknown = JSON.parse(text);
    const error = findErrorBody(body) ?? body;
    if (isJsonObject(error)) {
      const { message, detail, code, type, metadata } = error;
      const inner = isJsonObject(metadata) && typeof metadata["raw"] === "string" ? ` (${metadata["raw"]})` : "";
      const label = [type, code].filter((part) => typeof part === "string" || typeof part === "number").join(", ");
      const main = typeof message === "string" ? message : writeJson(message ?? detail ?? error);
      words = `${main}${inner}${label === "" ? "" : ` [${label}]`}`;
    }
  } catch {
    // Not JSON: the text itself is what the server said.
  }
  const line = words.replace(/\s+/g, " ").trim();
  return line.length > 400 ? `${line.slice(0, 400)}…` : line;
}

/** Says whether a body is an HTML page. */
export function isHtml(text: string, contentType: string): boolean {
  return contentType.includes("text/html") || /^\s*<(!doctype|html)/i.test(text);
}

function classify(status: number): Pick<Failure, "errorClass" | "isRetryable" | "isOutage"> {
  if (status === 429) return { errorClass: "rate_limit", isRetryable: true, isOutage: false };
  if (status === 408) return { errorClass: "timeout", isRetryable: true, isOutage: true };
  if (status === 409 || status === 425) return { errorClass: "server_error", isRetryable: true, isOutage: false };
  if (status >= 500) return { errorClass: "server_error", isRetryable: true, isOutage: true };
  if (status === 401 || status === 402 || status === 403) {
    return { errorClass: "authentication", isRetryable: false, isOutage: false };
  }
  if (status === 404 || status === 405) return { errorClass: "not_found", isRetryable: false, isOutage: false };
  if (status >= 400) return { errorClass: "bad_request", isRetryable: false, isOutage: false };
  return { errorClass: "bad_response", isRetryable: false, isOutage: false };
}

const remedies: { readonly [status: number]: string } = {
  401: ": check the API key's variable",
  402: ": the account has no credit",
  403: ": the key is not allowed to do this",
  404: ": check the base URL and the model name",
  405: ": check the base URL",
};

/** Returns the failure that an HTTP status (or an error code inside an answer) with this body text means. */
export function classifyStatus(status: number, text: string, contentType: string, from: string): Failure {
  const words = isHtml(text, contentType) ? "an HTML page" : describeErrorBody(text);
  const said = words === "" ? "" : `: ${words}`;
  const message = `"${from}" answered with status ${status}${said}${remedies[status] ?? ""}`;
  if (status >= 400 && status !== 429 && isContextOverflow(text)) {
    return { errorClass: "context_overflow", message, isRetryable: false, isOutage: false };
  }
  if (status >= 300 && status < 400) {
    return { ...classify(status), message: `${message}: use the address that it redirects to` };
  }
  // An exhausted account answers 429 too, and no waiting helps.
  if (status === 429 && /insufficient_quota|exceeded your current quota/.test(text)) {
    return { ...classify(status), isRetryable: false, message };
  }
  return { ...classify(status), message };
}

/** Returns the failure that an error object inside a 200 answer or a stream means. */
export function classifyErrorBody(error: JsonObject, from: string): Failure {
  const { code, status, status_code: statusCode } = error;
  const text = writeJson(error);
  const number = [code, status, statusCode].map(Number).find((value) => value >= 400 && value < 600);
  if (number !== undefined) return classifyStatus(number, text, "", from);
  const message = `"${from}" answered with an error: ${describeErrorBody(text)}`;
  if (isContextOverflow(text)) return { errorClass: "context_overflow", message, isRetryable: false, isOutage: false };
  if (/rate.?limit/i.test(text)) return { errorClass: "rate_limit", message, isRetryable: true, isOutage: false };
  if (/invalid_request_error|BadRequestError/.test(text)) {
    return { errorClass: "bad_request", message, isRetryable: false, isOutage: false };
  }
  return { errorClass: "server_error", message, isRetryable: true, isOutage: true };
}

/** Returns the failure of an answer that is not what the protocol says; another try may go better. */
export function badResponse(message: string, usage?: TurnUsage): Failure {
  return {
    errorClass: "bad_response",
    message,
    isRetryable: true,
    isOutage: false,
    ...(usage === undefined ? {} : { usage }),
  };
}
