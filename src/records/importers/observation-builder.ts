// internal
import type { JsonObject, JsonValue, Observation, ToolResult } from "../../core/index.js";
import { getContentText } from "./message-content.js";

/** Stands between the texts of several messages in one observation. */
export const textSeparator = "\n\n";

/**
 * One message of an observation, with all that the observation itself does not carry. Kept in `extra.observed`
 * only where messages are not in the plain form (any tool results, then at most one user message of text alone), so
 * that an export writes every message as it was.
 */
export interface ObservedPart extends JsonObject {
  /** Length of this message's share of the observation's text; absent for a tool message. */
  readonly length?: number;
  /** Position of a tool message among the observation's results. */
  readonly result?: number;
  /** The message had no content at all. */
  readonly isContentAbsent?: true;
  /** Its other fields, and its content where that is not plain text. */
  readonly fields: JsonObject;
}

/** Collects what the agent is shown between two of its messages. */
export class ObservationBuilder {
  #texts: string[] = [];
  #results: ToolResult[] = [];
  #parts: ObservedPart[] = [];
  #isPlain = true;

  /** Whether nothing was added since the last `take`. */
  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  /** The tool results added since the last `take`. */
  get results(): readonly ToolResult[] {
    return this.#results;
  }

  /** Adds a message that is shown as text. */
  addText(message: JsonObject): void {
    const { content, ...rest } = message;
    const text = getContentText(content);
    const isPlain =
      message.role === "user" && typeof content === "string" && text !== "" && Object.keys(rest).length === 1;
    this.#isPlain &&= this.#texts.length === 0 && isPlain;
    this.#texts.push(text);
    this.#addPart(content, rest, { length: text.length });
  }

  /** Adds a message that answers a tool call. */
  addResult(message: JsonObject, isError: boolean): void {
    const { content, tool_call_id: callId, name, ...rest } = message;
    const isCallIdOdd = callId !== undefined && typeof callId !== "string";
    const isNameOdd = name !== undefined && typeof name !== "string";
    const isErrorStated = rest.is_error === true;
    const isPlain =
      message.role === "tool" && typeof content === "string" && Object.keys(rest).length === (isErrorStated ? 2 : 1);
    this.#isPlain &&= this.#texts.length === 0 && isPlain && isErrorStated === isError && !isCallIdOdd && !isNameOdd;
    const odd = { ...rest, ...(isCallIdOdd ? { tool_call_id: callId } : {}), ...(isNameOdd ? { name } : {}) };
    this.#addPart(content, odd, { result: this.#results.length });
    this.#results.push({
      ...(typeof callId === "string" ? { callId } : {}),
      ...(typeof name === "string" ? { name } : {}),
      text: getContentText(content),
      ...(isError ? { isError: true } : {}),
    });
  }

  #addPart(
    content: JsonValue | undefined,
    rest: JsonObject,
    place: { readonly length?: number; readonly result?: number },
  ): void {
    if (content === undefined) this.#parts.push({ ...place, isContentAbsent: true, fields: rest });
    else this.#parts.push({ ...place, fields: typeof content === "string" ? rest : { ...rest, content } });
  }

  /** Returns the observation and, when it is not in the plain form, its parts; then starts anew. */
  take(): { readonly observation: Observation; readonly observed?: readonly ObservedPart[] } {
    const text = this.#texts.join(textSeparator);
    const observation: Observation = this.#results.length > 0 ? { text, toolResults: this.#results } : { text };
    const observed = this.#isPlain ? undefined : this.#parts;
    this.#texts = [];
    this.#results = [];
    this.#parts = [];
    this.#isPlain = true;
    return observed === undefined ? { observation } : { observation, observed };
  }
}
