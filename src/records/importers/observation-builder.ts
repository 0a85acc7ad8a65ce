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

function countKeys(message: JsonObject): number {
  let count = 0;
  for (const _key in message) count += 1;
  return count;
}

/** Returns the fields of a message without those named. */
function keepFields(message: JsonObject, without: readonly string[]): JsonObject {
  const kept: Record<string, JsonValue | undefined> = {};
  for (const key of Object.keys(message)) if (!without.includes(key)) kept[key] = message[key];
  return kept;
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
    const { content, role } = message;
    const text = getContentText(content);
    const isSimple = typeof content === "string" && role !== undefined && countKeys(message) === 2;
    this.#isPlain &&= isSimple && role === "user" && text !== "" && this.#texts.length === 0;
    this.#texts.push(text);
    this.#parts.push({
      length: text.length,
      isContentAbsent: content === undefined ? true : undefined,
      fields: isSimple ? { role } : keepFields(message, typeof content === "string" ? ["content"] : []),
    });
  }

  /** Adds a message that answers a tool call. */
  addResult(message: JsonObject, isError: boolean): void {
    const { content, tool_call_id: callId, name } = message;
    const carried: string[] = [];
    if (typeof content === "string") carried.push("content");
    if (typeof callId === "string") carried.push("tool_call_id");
    if (typeof name === "string") carried.push("name");
    const isErrorStated = message.is_error === true;
    // Nothing beside the role (and the stated error) is left to keep.
    const isSimple = typeof content === "string" && countKeys(message) === carried.length + (isErrorStated ? 2 : 1);
    this.#isPlain &&= isSimple && message.role === "tool" && isErrorStated === isError && this.#texts.length === 0;
    this.#parts.push({
      result: this.#results.length,
      isContentAbsent: content === undefined ? true : undefined,
      fields: keepFields(message, carried),
    });
    this.#results.push({
      callId: typeof callId === "string" ? callId : undefined,
      name: typeof name === "string" ? name : undefined,
      text: getContentText(content),
      isError: isError ? true : undefined,
    });
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
