import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { isJsonObject, type JsonObject } from "../../src/core/index.js";
import { renderCompletion, renderPieces } from "./completion.js";
import { errorReply, type CompletionReply, type EndlessReply, type Reply, type StreamReply } from "./reply.js";
import { findScoringFault, renderScoring, type MockScoring } from "./scoring.js";

/** One chat completion request as the mock received it. */
export interface MockCall {
  /** Position among the requests, from 0. */
  readonly index: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
}

/** Settings of a mock server. */
export interface MockServerOptions {
  /** Decides what each request gets. Must not throw. */
  readonly script: (call: MockCall) => Reply | Promise<Reply>;
  /** Default 0: any free one. */
  readonly port?: number;
  /** Names on the list of models. Default `mock`. */
  readonly models?: readonly string[];
  /** The key that requests must carry; absent accepts all. */
  readonly apiKey?: string;
  /** Keep received requests. Default true; long runs turn it off. */
  readonly recording?: boolean;
  /**
   * Answer every chat request with this, written once beforehand, without looking at the request: for benchmarks.
   * The script is not asked.
   */
  readonly instant?: CompletionReply;
  /** How `/v1/completions` answers requests for log-probs of given text. */
  readonly scoring?: MockScoring;
}

/** A running mock server. */
export interface MockServer {
  /** Base URL, ends in `/v1`. */
  readonly url: string;
  /** Requests received so far. */
  readonly calls: readonly MockCall[];
  readonly callCount: number;
  /** Most chat requests that were being answered at once. */
  readonly peakConcurrency: number;
  /** Stops it and breaks connections that are still open. */
  close(): Promise<void>;
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function writeEvent(response: ServerResponse, data: unknown): void {
  response.write(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
}

async function sendStream(
  response: ServerResponse,
  { events, end = "done" }: StreamReply,
  delaySeconds: number,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const event of events) {
    if (delaySeconds > 0) await sleep(delaySeconds * 1000);
    writeEvent(response, event);
  }
  if (end === "hang") return;
  if (end === "reset") {
    // Let what was written leave first, else the client sees a refused connection and not a broken stream.
    await new Promise((resolve) => setImmediate(resolve));
    response.socket?.resetAndDestroy();
    return;
  }
  if (end === "done") writeEvent(response, "[DONE]");
  response.end();
}

async function sendEndless(
  response: ServerResponse,
  { contentType, piece, delaySeconds = 0 }: EndlessReply,
): Promise<void> {
  response.writeHead(200, { "content-type": contentType });
  const left = once(response, "close");
  while (!response.destroyed) {
    if (delaySeconds > 0) await sleep(delaySeconds * 1000);
    if (!response.write(piece)) await Promise.race([once(response, "drain"), left]);
  }
}

async function sendCompletion(
  response: ServerResponse,
  reply: CompletionReply,
  { body, index }: MockCall,
): Promise<void> {
  const { delaySeconds = 0 } = reply;
  if (body["stream"] === true)
    return sendStream(response, { type: "stream", events: renderPieces(reply, body, index) }, delaySeconds);
  if (delaySeconds > 0) await sleep(delaySeconds * 1000);
  sendJson(response, 200, renderCompletion(reply, body, index));
}

async function sendReply(response: ServerResponse, reply: Reply, call: MockCall): Promise<void> {
  switch (reply.type) {
    case "completion":
      return sendCompletion(response, reply, call);
    case "http":
      response.writeHead(reply.status, reply.headers);
      response.end(reply.body);
      return;
    case "stream":
      return sendStream(response, reply, 0);
    case "endless":
      return sendEndless(response, reply);
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "hang":
      return;
    default:
      return reply satisfies never;
  }
}

async function readBody(request: IncomingMessage): Promise<JsonObject | undefined> {
  const pieces: Uint8Array[] = [];
  for await (const piece of request) pieces.push(piece as Uint8Array); // a request without encoding yields bytes
  try {
    const body: unknown = JSON.parse(Buffer.concat(pieces).toString("utf8"));
    return isJsonObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** Returns what is wrong with a request, as a server of this protocol would refuse it, or `undefined`. */
function findRequestFault(body: JsonObject): string | undefined {
  const { model, messages } = body;
  if (typeof model !== "string") return "you must provide a model parameter";
  if (!Array.isArray(messages) || messages.length === 0) return "'messages' must hold at least one message";
  const open = new Set<string>();
  for (const message of messages as readonly unknown[]) {
    // an array of JSON values
    if (!isJsonObject(message)) return "a message must be an object";
    const { role, tool_call_id: answered, tool_calls: calls } = message;
    if (role !== "tool" && open.size > 0) return `tool_call_ids without response messages: ${[...open].join(", ")}`;
    if (role === "tool" && (typeof answered !== "string" || !open.delete(answered)))
      return "a 'tool' message must answer a preceding tool call";
    for (const call of Array.isArray(calls) ? (calls as readonly unknown[]) : []) {
      // an array of JSON values
      if (!isJsonObject(call) || typeof call["id"] !== "string") return "a tool call needs an id";
      open.add(call["id"]);
    }
  }
  if (open.size > 0) return `tool_call_ids without response messages: ${[...open].join(", ")}`;
  if (Array.isArray(body["tools"]) && body["tools"].length === 0) return "[] is too short - 'tools'";
  return undefined;
}

/** Starts an OpenAI-compatible server on this machine whose answers a script decides. */
export async function startMockServer(options: MockServerOptions): Promise<MockServer> {
  const { script, port = 0, models = ["mock"], apiKey, recording = true } = options;
  const calls: MockCall[] = [];
  let callCount = 0;
  let running = 0;
  let peakConcurrency = 0;

  const canned =
    options.instant === undefined ? undefined : Buffer.from(JSON.stringify(renderCompletion(options.instant, {}, 0)));

  async function answerChat(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (canned !== undefined) {
      callCount += 1;
      request.resume();
      response.writeHead(200, { "content-type": "application/json", "content-length": canned.length });
      response.end(canned);
      return;
    }
    const body = await readBody(request);
    if (body === undefined)
      return sendJson(
        response,
        400,
        JSON.parse(errorReply(400, "We could not parse the JSON body of your request.").body),
      );
    const call: MockCall = { index: callCount, headers: request.headers, body };
    callCount += 1;
    if (recording) calls.push(call);
    const fault = findRequestFault(body);
    const reply = fault === undefined ? await script(call) : errorReply(400, fault);
    await sendReply(response, reply, call);
  }

  async function answerScoring(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { scoring = {} } = options;
    const body = (await readBody(request)) ?? {};
    callCount += 1;
    const fault = scoring.dialect === "refuse" ? "unknown field" : findScoringFault(body);
    const call = { index: callCount - 1, headers: request.headers, body };
    if (recording) calls.push(call);
    if (fault !== undefined) return sendReply(response, errorReply(400, fault), call);
    sendJson(response, 200, renderScoring(body, scoring));
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`) {
      return sendReply(response, errorReply(401, "Incorrect API key provided", { code: "invalid_api_key" }), {
        index: 0,
        headers: {},
        body: {},
      });
    }
    if (request.method === "GET" && pathname === "/v1/models") {
      return sendJson(response, 200, {
        object: "list",
        data: models.map((id) => ({ id, object: "model", created: 0, owned_by: "mock" })),
      });
    }
    if (request.method === "POST" && pathname === "/v1/completions") return answerScoring(request, response);
    if (request.method !== "POST" || pathname !== "/v1/chat/completions") {
      return sendJson(response, 404, {
        error: {
          message: `Unknown request URL: ${request.method} ${pathname}`,
          type: "invalid_request_error",
          param: null,
          code: null,
        },
      });
    }
    running += 1;
    peakConcurrency = Math.max(peakConcurrency, running);
    response.once("close", () => {
      running -= 1;
    });
    return answerChat(request, response);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const { port: bound } = server.address() as AddressInfo; // listening on TCP
  return {
    url: `http://127.0.0.1:${bound}/v1`,
    calls,
    get callCount() {
      return callCount;
    },
    get peakConcurrency() {
      return peakConcurrency;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
