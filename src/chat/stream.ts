// internal
import { createParser, type EventSourceParser } from "eventsource-parser";
import { isJsonObject, type JsonObject, type JsonValue } from "../core/index.js";
import { badResponse, classifyErrorBody, findErrorBody, type Failure } from "./failure.js";
import { writeJson } from "./write-json.js";
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
    const { name, arguments: written }: JsonObject = isJsonObject(body) ? body : delta;
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
    else if (isJsonObject(written)) call.arguments += writeJson(written);
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
  /** What stood in the place of tool calls and is no object: kept for the reader to judge. */
  readonly #oddCalls: JsonValue[] = [];
  readonly #top: Record<string, JsonValue> = {};
  #finishReason: JsonValue = null;
  #failure: Failure | undefined;
  #isDone = false;
  #hasChoice = false;
  /** The piece that is being read held something of the completion. */
  #hasNews = false;
  /** The beginning of the line that has not ended yet. */
  #openLine = "";

  /** `from` names the endpoint in messages. */
  constructor(from: string) {
    this.#from = from;
    this.#parser = createParser({ onEvent: ({ event, data }) => this.#addChunk(data, event) });
  }

  /** Nothing more is needed: the stream said that it is complete, or told an error. */
  get isDone(): boolean {
    return this.#isDone || this.#failure !== undefined;
  }

  /**
   * Takes the next piece of the body. Says whether it brought the answer on: comments, blank lines and events that hold
   * nothing of a completion are what a server sends so that a connection looks alive.
   */
  feed(text: string): boolean {
    this.#hasNews = false;
    this.#parser.feed(text);
    const end = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r"));
    const start = end < 0 ? this.#openLine : "";
    this.#openLine = (start + text.slice(end + 1, end + 21)).slice(0, 20);
    return this.#hasNews || (/^data:\s*\S/.test(this.#openLine) && /\S/.test(text));
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
    const allCalls = [...toolCalls, ...this.#oddCalls];
    const calls = allCalls.length === 0 ? {} : { tool_calls: allCalls };
    const choice = {
      message: { content: null, ...this.#texts, ...this.#messageLists, ...calls },
      finish_reason: this.#finishReason,
      logprobs: this.#logProbs,
      ...this.#choiceLists,
    };
    return { ...this.#top, choices: [choice] };
  }

  #addChunk(data: string, event: string | undefined): void {
    if (data.trim() === "") return;
    if (data === "[DONE]") {
      this.#isDone = true;
      this.#hasNews = true;
      return;
    }
    let chunk: unknown;
    try {
      chunk = JSON.parse(data);
    } catch {
      if (event === "error") chunk = { message: data };
      else this.#failure ??= badResponse(`"${this.#from}" streamed a piece that is not JSON: ${data.slice(0, 120)}`);
    }
    if (!isJsonObject(chunk)) return;
    this.#noteError(chunk);
    // An error event need not have the form of an error.
    if (event === "error") this.#failure ??= classifyErrorBody(chunk, this.#from);
    for (const name of ["model", "usage", "prompt_token_ids"]) {
      const value = chunk[name];
      if (value !== undefined && value !== null) this.#top[name] = value;
    }
    if (isJsonObject(chunk["usage"])) this.#hasNews = true;
    const choice = asList(chunk["choices"])[0];
    if (isJsonObject(choice)) this.#addChoice(choice);
  }

  #noteError(part: JsonObject): void {
    const error = findErrorBody(part);
    if (error !== undefined) this.#failure ??= classifyErrorBody(error, this.#from);
  }

  #addChoice(choice: JsonObject): void {
    this.#hasChoice = true;
    this.#hasNews = true;
    this.#noteError(choice);
    const { delta, message, finish_reason: reason, logprobs } = choice;
    const part = isJsonObject(delta) ? delta : isJsonObject(message) ? message : {};
    for (const name of ["reasoning_content", "reasoning", "refusal", "tool_calls"]) {
      const piece = part[name];
      if (typeof piece === "string") this.#texts[name] = (this.#texts[name] ?? "") + piece;
    }
    this.#addContent(part["content"]);
    appendItems(this.#messageLists, "reasoning_details", part["reasoning_details"]);
    for (const name of ["token_ids", "prompt_token_ids"]) appendItems(this.#choiceLists, name, choice[name]);
    if (isJsonObject(logprobs)) appendItems(this.#logProbs, "content", logprobs["content"]);
    const { tool_calls: deltas } = part;
    const items = isJsonObject(deltas) ? [deltas] : asList(deltas);
    addCalls(this.#calls, items);
    for (const item of items) if (!isJsonObject(item)) this.#oddCalls.push(item);
    if (isJsonObject(part["function_call"])) addCalls(this.#calls, [{ index: 0, function: part["function_call"] }]);
    if (reason !== undefined && reason !== null && reason !== "") this.#finishReason = reason;
  }

  /** Adds a piece of content: text, or parts, which servers also send in turn (Mistral's thinking, then its answer). */
  #addContent(piece: JsonValue | undefined): void {
    if (piece === undefined || piece === null || piece === "") return;
    const parts = this.#messageLists["content"];
    if (typeof piece === "string" && parts === undefined) {
      this.#texts["content"] = (this.#texts["content"] ?? "") + piece;
      return;
    }
    const { content: before } = this.#texts;
    const list = (this.#messageLists["content"] ??= before === undefined ? [] : [before]);
    for (const part of Array.isArray(piece) ? asList(piece) : [piece]) list.push(part);
  }
}

function appendItems(target: Record<string, JsonValue[]>, name: string, value: JsonValue | undefined): void {
  const items = asList(value);
  if (items.length === 0) return;
  const list = (target[name] ??= []);
  for (const item of items) list.push(item);
}
