// internal
import { createParser } from "eventsource-parser";
import { isJsonObject, type JsonObject, type JsonValue } from "../core/index.js";
import { badResponse, classifyErrorBody, findErrorBody, type Failure } from "./failure.js";

interface PartialCall {
  id: string | undefined;
  name: string;
  arguments: string;
}

/** Puts the pieces of one streamed completion together into the form that an unstreamed one has. */
export interface StreamAssembly {
  /** Takes the next piece of the body. */
  feed(text: string): void;
  /** The stream said that it is complete. */
  readonly isDone: boolean;
  /** Returns the completion's JSON, or why there is none. Call at the end of the body. */
  finish(): JsonObject | Failure;
}

function appendText(target: Record<string, string>, delta: JsonObject, name: string): void {
  const piece = delta[name];
  if (typeof piece === "string") target[name] = (target[name] ?? "") + piece;
}

/** Adds the deltas of tool calls: by index where given, else a new id or a whole call begins a new one. */
function addCalls(calls: PartialCall[], deltas: readonly JsonValue[]): void {
  for (const delta of deltas) {
    if (!isJsonObject(delta)) continue;
    const { index, id, function: body } = delta;
    const { name, arguments: written }: JsonObject = isJsonObject(body) ? body : {};
    const callId = typeof id === "string" && id !== "" ? id : undefined;
    const last = calls.at(-1);
    const isNew = last === undefined || (callId !== undefined && callId !== last.id) || (callId === undefined && name !== undefined);
    const position = typeof index === "number" && index >= 0 && index <= calls.length ? index : isNew ? calls.length : calls.length - 1;
    const call = (calls[position] ??= { id: undefined, name: "", arguments: "" });
    call.id ??= callId;
    if (typeof name === "string" && call.name === "") call.name = name;
    if (typeof written === "string") call.arguments += written;
    else if (isJsonObject(written)) call.arguments += JSON.stringify(written);
  }
}

function addItems(target: Record<string, JsonValue[]>, source: JsonObject, name: string): void {
  const items = source[name];
  if (!Array.isArray(items)) return;
  const list = (target[name] ??= []);
  for (const item of items as readonly JsonValue[]) list.push(item); // an array of JSON values
}

/** Returns an empty assembly. `from` names the endpoint in messages. */
export function createStreamAssembly(from: string): StreamAssembly {
  const texts: Record<string, string> = {};
  const lists: Record<string, JsonValue[]> = {};
  const logProbs: Record<string, JsonValue[]> = {};
  const calls: PartialCall[] = [];
  const top: Record<string, JsonValue> = {};
  let finishReason: JsonValue | undefined;
  let failure: Failure | undefined;
  let isDone = false;
  let hasChoice = false;

  function addChoice(choice: JsonObject): void {
    hasChoice = true;
    const { delta, message, finish_reason: reason, logprobs } = choice;
    const part = isJsonObject(delta) ? delta : isJsonObject(message) ? message : {};
    for (const name of ["content", "reasoning_content", "reasoning", "refusal"]) appendText(texts, part, name);
    addItems(lists, part, "reasoning_details");
    if (Array.isArray(part["content"])) addItems(lists, part, "content");
    addItems(lists, choice, "token_ids");
    addItems(lists, choice, "prompt_token_ids");
    if (isJsonObject(logprobs)) addItems(logProbs, logprobs, "content");
    if (Array.isArray(part["tool_calls"])) addCalls(calls, part["tool_calls"] as readonly JsonValue[]); // an array of JSON values
    else if (isJsonObject(part["function_call"])) addCalls(calls, [{ index: 0, function: part["function_call"] }]);
    if (reason !== undefined && reason !== null && reason !== "") finishReason = reason;
  }

  function addChunk(data: string): void {
    if (data === "[DONE]") {
      isDone = true;
      return;
    }
    let chunk: unknown;
    try {
      chunk = JSON.parse(data);
    } catch {
      failure ??= badResponse(`"${from}" streamed a piece that is not JSON: ${data.slice(0, 120)}`);
      return;
    }
    if (!isJsonObject(chunk)) return;
    const error = findErrorBody(chunk);
    if (error !== undefined) failure ??= classifyErrorBody(error, from);
    for (const name of ["model", "usage", "prompt_token_ids"]) {
      const value = chunk[name];
      if (value !== undefined && value !== null) top[name] = value;
    }
    const choice: unknown = Array.isArray(chunk["choices"]) ? chunk["choices"][0] : undefined;
    if (!isJsonObject(choice)) return;
    const choiceError = findErrorBody(choice);
    if (choiceError !== undefined) failure ??= classifyErrorBody(choiceError, from);
    addChoice(choice);
  }

  function finish(): JsonObject | Failure {
    if (failure !== undefined) return failure;
    if (!hasChoice) return badResponse(`"${from}" streamed an answer without any choice`);
    if (finishReason === undefined && !isDone) return badResponse(`"${from}" ended its stream before the answer was complete`);
    const { token_ids: tokenIds, prompt_token_ids: promptIds, ...messageLists } = lists;
    const toolCalls = calls.map(({ id, name, arguments: written }) => ({ id, type: "function", function: { name, arguments: written } }));
    return {
      ...top,
      choices: [
        {
          message: { content: null, ...texts, ...messageLists, ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}) },
          finish_reason: finishReason ?? null,
          ...(logProbs["content"] === undefined ? {} : { logprobs: { content: logProbs["content"] } }),
          ...(tokenIds === undefined ? {} : { token_ids: tokenIds }),
          ...(promptIds === undefined ? {} : { prompt_token_ids: promptIds }),
        },
      ],
    };
  }

  const parser = createParser({ onEvent: ({ data }) => addChunk(data) });
  return {
    feed: (text) => parser.feed(text),
    get isDone() {
      return isDone;
    },
    finish() {
      // A last event without its blank line still counts.
      parser.feed("\n\n");
      return finish();
    },
  };
}
