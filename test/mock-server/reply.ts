import type { JsonObject, JsonValue } from "../../src/core/index.js";

/** A tool call as the mock says it. `arguments` given as text is sent as it is, so it can be broken. */
export interface MockToolCall {
  readonly id?: string;
  readonly name: string;
  readonly arguments: JsonObject | string;
}

/** A completion: sent whole, or piece by piece when the request asks for streaming. */
export interface CompletionReply {
  readonly type: "completion";
  readonly content?: JsonValue;
  readonly toolCalls?: readonly MockToolCall[];
  /** Fields put into the message as they are: `reasoning_content`, `refusal`, `function_call`, odd `tool_calls`. */
  readonly message?: JsonObject;
  /** Default `tool_calls` when there are calls, else `stop`. */
  readonly finishReason?: string;
  /** Default counted from the text lengths; `null` leaves it out. */
  readonly usage?: JsonObject | null;
  /** Add log-probabilities when the request asks for them. Default true. */
  readonly logProbs?: boolean;
  /** Add token ids when the request asks for them. Default true. */
  readonly tokenIds?: boolean;
  /** Wait before the answer, and before each piece of a stream. Default 0. */
  readonly delaySeconds?: number;
}

/** Anything HTTP: errors, HTML pages, broken JSON. */
export interface HttpReply {
  readonly type: "http";
  readonly status: number;
  readonly headers?: { readonly [name: string]: string };
  readonly body: string;
}

/** A stream written event by event; `end` says how it stops. */
export interface StreamReply {
  readonly type: "stream";
  /** Data of each event; text is sent as it is, a value as JSON. */
  readonly events: readonly JsonValue[];
  /** `done` writes `[DONE]`, `cut` ends the body without it, `reset` breaks the connection, `hang` stays silent. Default `done`. */
  readonly end?: "done" | "cut" | "reset" | "hang";
}

/** A body without an end: the same piece again and again until the client leaves. */
export interface EndlessReply {
  readonly type: "endless";
  readonly contentType: string;
  readonly piece: string;
  /** Wait before each piece. Default 0: as fast as the client reads. */
  readonly delaySeconds?: number;
}

/** What the mock does with one request. */
export type Reply =
  | CompletionReply
  | HttpReply
  | StreamReply
  | EndlessReply
  | { readonly type: "reset" }
  | { readonly type: "hang" };

/** Returns an answer of plain text. */
export function textReply(content: string, more: Omit<CompletionReply, "type" | "content"> = {}): CompletionReply {
  return { type: "completion", content, ...more };
}

/** Returns an answer that calls tools. */
export function toolReply(
  toolCalls: readonly MockToolCall[],
  more: Omit<CompletionReply, "type" | "toolCalls"> = {},
): CompletionReply {
  return { type: "completion", content: null, toolCalls, ...more };
}

/** Returns an HTTP error whose body has OpenAI's form. */
export function errorReply(
  status: number,
  message: string,
  more: { readonly code?: string; readonly retryAfter?: string } = {},
): HttpReply {
  const { code = null, retryAfter } = more;
  return {
    type: "http",
    status,
    headers: { "content-type": "application/json", ...(retryAfter === undefined ? {} : { "retry-after": retryAfter }) },
    body: JSON.stringify({
      error: { message, type: status >= 500 ? "server_error" : "invalid_request_error", param: null, code },
    }),
  };
}

function pieceOf(delta: JsonObject, finishReason: string | null = null): JsonObject {
  return {
    id: "chatcmpl-mock",
    object: "chat.completion.chunk",
    created: 0,
    model: "mock",
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  };
}

/** Every fault that the mock knows by name. */
export const faultNames = [
  "rate_limit",
  "rate_limit_retry_after",
  "server_error",
  "bad_gateway",
  "error_in_200",
  "error_in_stream",
  "finish_reason_error",
  "reset",
  "reset_in_stream",
  "cut_stream",
  "hang",
  "blank_forever",
  "comments_forever",
  "endless_answer",
  "endless_stream",
  "error_event",
  "null_answer",
  "role_only_stream",
  "reasoning_only",
  "context_overflow",
  "broken_arguments",
  "empty_choices",
  "html",
  "broken_json",
  "unauthorized",
] as const;
/** Name of a fault. */
export type FaultName = (typeof faultNames)[number];

/** Returns the reply of a named fault. */
export function faultReply(name: FaultName): Reply {
  switch (name) {
    case "rate_limit":
      return errorReply(429, "Rate limit reached for requests", { code: "rate_limit_exceeded" });
    case "rate_limit_retry_after":
      return errorReply(429, "Rate limit reached for requests", { code: "rate_limit_exceeded", retryAfter: "2" });
    case "server_error":
      return errorReply(500, "The server had an error while processing your request");
    case "bad_gateway":
      return {
        type: "http",
        status: 502,
        headers: { "content-type": "text/html" },
        body: "<html><h1>502 Bad Gateway</h1></html>",
      };
    case "error_in_200":
      return {
        type: "http",
        status: 200,
        headers: { "content-type": "application/json" },
        body: '{"error":{"message":"Provider returned error","code":502}}',
      };
    case "error_in_stream":
      return {
        type: "stream",
        events: [
          pieceOf({ role: "assistant", content: "Let" }),
          { error: { message: "Engine died", type: "server_error" } },
        ],
        end: "cut",
      };
    case "finish_reason_error":
      return { type: "completion", content: "Let me", finishReason: "error" };
    case "reset":
      return { type: "reset" };
    case "reset_in_stream":
      return { type: "stream", events: [pieceOf({ role: "assistant", content: "Let" })], end: "reset" };
    case "cut_stream":
      return { type: "stream", events: [pieceOf({ role: "assistant", content: "Let" })], end: "cut" };
    case "hang":
      return { type: "hang" };
    case "blank_forever":
      return { type: "endless", contentType: "application/json", piece: " \n", delaySeconds: 0.02 };
    case "comments_forever":
      return { type: "endless", contentType: "text/event-stream", piece: ": ping\n\n", delaySeconds: 0.02 };
    case "endless_answer":
      return { type: "endless", contentType: "application/json", piece: "[".repeat(1 << 20) };
    case "endless_stream": {
      const data = JSON.stringify(pieceOf({ content: "and on ".repeat(1 << 17) }));
      return { type: "endless", contentType: "text/event-stream", piece: `data: ${data}\n\n` };
    }
    case "error_event":
      return {
        type: "http",
        status: 200,
        headers: { "content-type": "text/event-stream" },
        body: `data: ${JSON.stringify(pieceOf({ role: "assistant", content: "" }))}\n\nevent: error\ndata: {"message":"overloaded"}\n\ndata: [DONE]\n\n`,
      };
    case "null_answer":
      return {
        type: "http",
        status: 200,
        headers: { "content-type": "application/json" },
        body: '{"choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":null},"finish_reason":null}],"usage":null}',
      };
    case "role_only_stream":
      return { type: "stream", events: [pieceOf({ role: "assistant", content: "" })] };
    case "reasoning_only":
      return {
        type: "completion",
        content: null,
        message: { reasoning_content: "First I should consider" },
        finishReason: "length",
      };
    case "context_overflow":
      return errorReply(
        400,
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
        { code: "context_length_exceeded" },
      );
    case "broken_arguments":
      return toolReply([{ id: "call_broken", name: "move", arguments: '{"direction": "le' }]);
    case "empty_choices":
      return {
        type: "http",
        status: 200,
        headers: { "content-type": "application/json" },
        body: '{"id":"x","object":"chat.completion","choices":[]}',
      };
    case "html":
      return {
        type: "http",
        status: 200,
        headers: { "content-type": "text/html" },
        body: "<!doctype html><title>Sign in</title>",
      };
    case "broken_json":
      return {
        type: "http",
        status: 200,
        headers: { "content-type": "application/json" },
        body: '{"id":"x","choices":[{"mess',
      };
    case "unauthorized":
      return errorReply(401, "Incorrect API key provided: sk-abcd****wxyz", { code: "invalid_api_key" });
    default:
      return name satisfies never;
  }
}
