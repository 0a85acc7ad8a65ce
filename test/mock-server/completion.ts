import { isJsonObject, type JsonObject, type JsonValue } from "../../src/core/index.js";
import type { CompletionReply } from "./reply.js";

/** Splits text into the mock's tokens: words with the space before them. Joined they are the text again. */
export function splitTokens(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** Returns a token's id: a number that depends on its text alone. */
function toTokenId(token: string): number {
  let id = 7;
  for (let i = 0; i < token.length; i += 1) id = (id * 31 + token.charCodeAt(i)) % 50_000;
  return id;
}

/** Returns a token's made-up log-probability: between -1 and 0, from its text alone. */
function toLogProb(token: string): number {
  return -(toTokenId(token) % 100) / 100;
}

function describeToken(token: string): JsonObject {
  return { token, logprob: toLogProb(token), bytes: [...Buffer.from(token)], top_logprobs: [] };
}

/** A completion's parts before they are written whole or in pieces. */
interface Parts {
  readonly message: JsonObject;
  readonly finishReason: string;
  readonly usage: JsonObject | undefined;
  readonly tokens: readonly string[];
  readonly hasLogProbs: boolean;
  readonly hasIds: boolean;
  readonly promptIds: readonly number[];
}

function readParts(reply: CompletionReply, request: JsonObject): Parts {
  const { content = null, toolCalls = [], message = {}, usage, logProbs = true, tokenIds = true } = reply;
  const messageCount = Array.isArray(request["messages"]) ? request["messages"].length : 0;
  const calls = toolCalls.map(({ id, name, arguments: values }, i) => ({
    id: id ?? `call_${messageCount}_${i}`,
    type: "function",
    function: { name, arguments: typeof values === "string" ? values : JSON.stringify(values) },
  }));
  const text = typeof content === "string" ? content : "";
  const said = [message["reasoning_content"], message["refusal"]].filter((words) => typeof words === "string");
  const written = [...said, text, ...calls.map((call) => JSON.stringify(call.function))].join("");
  const tokens = splitTokens(written);
  const promptTokens = splitTokens(JSON.stringify(request["messages"] ?? []));
  const counted = {
    prompt_tokens: promptTokens.length,
    completion_tokens: tokens.length,
    total_tokens: promptTokens.length + tokens.length,
  };
  return {
    message: { role: "assistant", content, ...(calls.length === 0 ? {} : { tool_calls: calls }), ...message },
    finishReason: reply.finishReason ?? (calls.length > 0 ? "tool_calls" : "stop"),
    usage: usage === null ? undefined : (usage ?? counted),
    tokens,
    hasLogProbs: logProbs && request["logprobs"] === true,
    hasIds: tokenIds && request["return_token_ids"] === true,
    promptIds: promptTokens.map(toTokenId),
  };
}

function createHead(request: JsonObject, callIndex: number, object: string): JsonObject {
  return { id: `chatcmpl-mock-${callIndex}`, object, created: 1_700_000_000, model: request["model"] ?? "mock" };
}

/** Returns the body of an answer sent whole. */
export function renderCompletion(reply: CompletionReply, request: JsonObject, callIndex: number): JsonObject {
  const { message, finishReason, usage, tokens, hasLogProbs, hasIds, promptIds } = readParts(reply, request);
  return {
    ...createHead(request, callIndex, "chat.completion"),
    choices: [
      {
        index: 0,
        message,
        finish_reason: finishReason,
        logprobs: hasLogProbs ? { content: tokens.map(describeToken), refusal: null } : null,
        ...(hasIds ? { token_ids: tokens.map(toTokenId) } : {}),
      },
    ],
    ...(hasIds ? { prompt_token_ids: promptIds } : {}),
    ...(usage === undefined ? {} : { usage }),
  };
}

/** Returns a call's deltas: the name first, then the arguments in two pieces. */
function splitCall(call: JsonValue, index: number): JsonObject[] {
  if (!isJsonObject(call) || !isJsonObject(call["function"])) return [{ tool_calls: [call] }];
  const { name, arguments: values } = call["function"];
  const text = typeof values === "string" ? values : "";
  const half = Math.ceil(text.length / 2);
  return [
    { tool_calls: [{ index, id: call["id"], type: "function", function: { name, arguments: "" } }] },
    ...[text.slice(0, half), text.slice(half)]
      .filter((piece) => piece !== "")
      .map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ];
}

/** Returns the data of each event of an answer sent piece by piece, `[DONE]` not included. */
export function renderPieces(reply: CompletionReply, request: JsonObject, callIndex: number): JsonObject[] {
  const { message, finishReason, usage, tokens, hasLogProbs, hasIds, promptIds } = readParts(reply, request);
  const head = createHead(request, callIndex, "chat.completion.chunk");
  const { content, tool_calls: calls, role, ...rest } = message;
  const deltas: JsonObject[] = [{ role, content: "" }];
  for (const [name, value] of Object.entries(rest)) {
    for (const piece of typeof value === "string" ? splitTokens(value) : [value]) deltas.push({ [name]: piece });
  }
  for (const piece of typeof content === "string" ? splitTokens(content) : []) deltas.push({ content: piece });
  if (Array.isArray(calls)) calls.forEach((call: JsonValue, i) => deltas.push(...splitCall(call, i)));
  const pieces = deltas.map((delta, i): JsonObject => {
    // All tokens ride on the first piece: clients must not expect one token a piece.
    const logprobs = hasLogProbs && i === 0 ? { content: tokens.map(describeToken), refusal: null } : null;
    const ids = hasIds && i === 0 ? { token_ids: tokens.map(toTokenId) } : {};
    const choice = { index: 0, delta, finish_reason: null, logprobs, ...ids };
    return { ...head, choices: [choice], ...(hasIds && i === 0 ? { prompt_token_ids: promptIds } : {}) };
  });
  pieces.push({ ...head, choices: [{ index: 0, delta: {}, finish_reason: finishReason, logprobs: null }] });
  const { stream_options: options } = request;
  if (usage !== undefined && isJsonObject(options) && options["include_usage"] === true)
    pieces.push({ ...head, choices: [], usage });
  return pieces;
}
