// internal
import { createParser, type EventSourceParser } from "eventsource-parser";
import { isJsonObject, type JsonObject, type JsonValue } from "../core/index.js";
import { badResponse, classifyErrorBody, findErrorBody, type Failure } from "./failure.js";
import { asList } from "./json-list.js";

interface PartialCall {
  id: string | undefined;
  name: string;
  arguments: string;
}

/** Finds which call a delta belongs to: by index where given, else a new id or a named call begins a new one. */
function findCallPosition(
  calls: readonly PartialCall[],
  index: JsonValue | undefined,
  id: string | undefined,
  hasName: boolean,
): number {
  if (typeof index === "number" && index >= 0 && index <= calls.length) return index;
  const last = calls.at(-1);
  const isNew = last === undefined || (id === undefined ? hasName : id !== last.id);
  return isNew ? calls.length : calls.length - 1;
}

/** Adds the deltas of tool calls to the calls so far. */
function addCalls(calls: PartialCall[], deltas: readonly JsonValue[]): void {
  for (const delta of deltas) {
    if (!isJsonObject(delta)) continue;
    const { index, id, function: body } = delta;
    const { name, arguments: written }: JsonObject = isJsonObject(body) ? body : {};
    const callId = typeof id === "string" && id !== "" ? id : undefined;
    const hasName = typeof name === "string" && name !== "";
    const call = (calls[findCallPosition(calls, index, callId, hasName)] ??= {
      id: undefined,
      name: "",
      arguments: "",
    });
    call.id ??= callId;
    if (hasName && call.name === "") call.name = name;
    if (typeof written === "string") call.arguments += written;
    else if (isJsonObject(written)) call.arguments += JSON.stringify(written);
  }
}

/** Puts the pieces of one streamed completion together into the form that an unstreamed one has. */
export class StreamAssembly {
  readonly #from: string;
  readonly #parser: EventSourceParser;
  readonly #texts: Record<string, string> = {};
  readonly #messageLists: Record<string, JsonValue[]> = {};
  readonly #choiceLists: Record<string, JsonValue[]> = {};
  readonly #logProbs: Record<string, JsonValue[]> = {};
  readonly #calls: PartialCall[] = [];
  readonly #top: Record<string, JsonValue> = {};
  #finishReason: JsonValue = null;
  #failure: Failure | undefined;
  #isDone = false;
  #hasChoice = false;

  /** `from` names the endpoint in messages. */
  constructor(from: string) {
    this.#from = from;
    this.#parser = createParser({ onEvent: ({ data }) => this.#addChunk(data) });
  }

  /** The stream said that it is complete. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Takes the next piece of the body. */
  feed(text: string): void {
    this.#parser.feed(text);
  }

  /** Returns the completion's JSON, or why there is none. Call at the end of the body. */
  finish(): JsonObject | Failure {
    this.#parser.feed("\n\n"); // a last event without its blank line still counts
    if (this.#failure !== undefined) return this.#failure;
    if (!this.#hasChoice) return badResponse(`"${this.#from}" streamed an answer without any choice`);
    if (this.#finishReason === null && !this.#isDone) {
      return badResponse(`"${this.#from}" ended its stream before the answer was complete`);
    }
    const toolCalls = this.#calls.map(({ id, ...body }) => ({ id, type: "function", function: body }));
    const calls = toolCalls.length === 0 ? {} : { tool_calls: toolCalls };
    const choice = {
      message: { content: null, ...this.#texts, ...this.#messageLists, ...calls },
      finish_reason: this.#finishReason,
      logprobs: this.#logProbs,
      ...this.#choiceLists,
    };
    return { ...this.#top, choices: [choice] };
  }

  #addChunk(data: string): void {
    if (data === "[DONE]") {
      this.#isDone = true;
      return;
    }
    let chunk: unknown;
    try {
      chunk = JSON.parse(data);
    } catch {
      this.#failure ??= badResponse(`"${this.#from}" streamed a piece that is not JSON: ${data.slice(0, 120)}`);
      return;
    }
    if (!isJsonObject(chunk)) return;
    this.#noteError(chunk);
    for (const name of ["model", "usage", "prompt_token_ids"]) {
      const value = chunk[name];
      if (value !== undefined && value !== null) this.#top[name] = value;
    }
    const choice = asList(chunk["choices"])[0];
    if (isJsonObject(choice)) this.#addChoice(choice);
  }

  #noteError(part: JsonObject): void {
    const error = findErrorBody(part);
    if (error !== undefined) this.#failure ??= classifyErrorBody(error, this.#from);
  }

  #addChoice(choice: JsonObject): void {
    this.#hasChoice = true;
    this.#noteError(choice);
    const { delta, message, finish_reason: reason, logprobs } = choice;
    const part = isJsonObject(delta) ? delta : isJsonObject(message) ? message : {};
    for (const name of ["content", "reasoning_content", "reasoning", "refusal"]) {
      const piece = part[name];
      if (typeof piece === "string") this.#texts[name] = (this.#texts[name] ?? "") + piece;
    }
    for (const name of ["content", "reasoning_details"]) appendItems(this.#messageLists, name, part[name]);
    for (const name of ["token_ids", "prompt_token_ids"]) appendItems(this.#choiceLists, name, choice[name]);
    if (isJsonObject(logprobs)) appendItems(this.#logProbs, "content", logprobs["content"]);
    addCalls(this.#calls, asList(part["tool_calls"]));
    if (isJsonObject(part["function_call"])) addCalls(this.#calls, [{ index: 0, function: part["function_call"] }]);
    if (reason !== undefined && reason !== null && reason !== "") this.#finishReason = reason;
  }
}

function appendItems(target: Record<string, JsonValue[]>, name: string, value: JsonValue | undefined): void {
  const items = asList(value);
  if (items.length === 0) return;
  const list = (target[name] ??= []);
  for (const item of items) list.push(item);
}
