import type {
  Action,
  JsonObject,
  JsonValue,
  Observation,
  ToolCall,
  ToolResult,
  Turn,
  TurnFlags,
} from "../../core/index.js";
import { isJsonObject } from "../../core/index.js";
import { findUnplainFields, parseCalls } from "./message-calls.js";
import { getContentText } from "./message-content.js";
import { ObservationBuilder } from "./observation-builder.js";

/** What a message is to the episode. */
export type MessageRole = "assistant" | "user" | "tool" | "system";

/** Optional arguments of {@linkcode translateMessages}. */
export interface TranslateMessagesOptions {
  /** Names of the tools the agent had; a call of any other is marked `unknownTool`. Absent: not known. */
  readonly toolNames?: ReadonlySet<string>;
  /**
   * Says what a message is, where its `role` does not; `undefined` leaves it to the role. A message called `user` or
   * `system` is shown to the agent, one called `assistant` is a turn. Must not throw.
   */
  readonly getRole?: (message: JsonObject, messageIndex: number) => MessageRole | undefined;
  /** Says whether a tool message reports an error. Must not throw. Default: its `is_error` is true. */
  readonly isToolError?: (message: JsonObject) => boolean;
}

/** Messages as turns. */
export interface TranslatedMessages {
  readonly turns: readonly Turn[];
  /** What follows the last assistant message; absent when nothing does. */
  readonly finalObservation?: Observation;
  /** How the final observation was put together; absent in the plain form. Kept as `extra.finalObserved`. */
  readonly finalObserved?: readonly JsonObject[];
  /** Position in `messages` of the assistant message of each turn. */
  readonly messageIndexes: readonly number[];
  /** What was odd, each kind once, for the provenance. */
  readonly notes: readonly string[];
}

const systemRoles = new Set(["system", "developer"]);
const toolRoles = new Set(["tool", "function", "ipython", "observation"]);
const assistantRoles = new Set(["assistant", "gpt", "model", "ai"]);
const assistantFields = ["tool_calls", "function_call", "reasoning_content", "reasoning", "refusal"];

function findRole(message: JsonObject, previous: MessageRole | undefined, notes: Set<string>): MessageRole {
  const { role } = message;
  if (typeof role === "string") {
    if (assistantRoles.has(role)) return "assistant";
    if (systemRoles.has(role)) return "system";
    if (toolRoles.has(role)) return "tool";
    if (role !== "user" && role !== "human") notes.add(`messages of role "${role}" are taken as shown to the agent`);
    return "user";
  }
  const isCall = assistantFields.some((field) => message[field] !== undefined && message[field] !== null);
  if (message.tool_call_id !== undefined && !isCall) return "tool";
  const isAnswer = isCall || (previous !== undefined && previous !== "assistant");
  notes.add(`a message without a role is taken as ${isAnswer ? "an assistant message" : "a user message"}`);
  return isAnswer ? "assistant" : "user";
}

function findFlags(calls: readonly ToolCall[], toolNames: ReadonlySet<string> | undefined): TurnFlags | undefined {
  const isInvalid = calls.some((call) => call.arguments === undefined);
  const isUnknown = toolNames !== undefined && calls.some((call) => !toolNames.has(call.name));
  if (!isInvalid && !isUnknown) return undefined;
  return { ...(isInvalid ? { invalid: true } : {}), ...(isUnknown ? { unknownTool: true } : {}) };
}

function readAction(message: JsonObject, calls: readonly ToolCall[]): Action {
  const reasoning = typeof message.reasoning_content === "string" ? message.reasoning_content : message.reasoning;
  return {
    text: getContentText(message.content),
    toolCalls: calls.length > 0 ? calls : undefined,
    reasoning: typeof reasoning === "string" ? reasoning : undefined,
  };
}

/** Returns the notes of one assistant message's oddities. */
function noteCalls(calls: readonly ToolCall[], flags: TurnFlags | undefined, notes: Set<string>): void {
  if (calls.length > 1) notes.add("a message with several tool calls is one turn");
  if (flags?.invalid === true)
    notes.add("tool call arguments that are not a JSON object are kept as written and marked invalid");
  if (flags?.unknownTool === true) notes.add("calls of tools that the record does not declare are marked unknownTool");
}

/**
 * Returns the turns of a conversation: every assistant message is one turn, whatever it holds; the messages before
 * it are what it was shown, tool results apart from text. What follows the last assistant message is the final
 * observation. Nothing is lost: what a turn has no field for is kept in its `extra` (`observed`: how the observation
 * was put together; `message`: other fields of the assistant message; `absent`: fields it lacked).
 *
 * @example
 * translateMessages([{ role: "user", content: "2+2?" }, { role: "assistant", content: "4" }]).turns;
 * // [{ observation: { text: "2+2?" }, action: { text: "4" } }]
 */
export function translateMessages(
  messages: readonly JsonValue[],
  options: TranslateMessagesOptions = {},
): TranslatedMessages {
  const { toolNames, getRole, isToolError = (message) => message.is_error === true } = options;
  const turns: Turn[] = [];
  const messageIndexes: number[] = [];
  const notes = new Set<string>();
  const shown = new ObservationBuilder();
  let previous: MessageRole | undefined;
  for (const [messageIndex, item] of messages.entries()) {
    if (!isJsonObject(item)) notes.add("messages that are no objects are taken as text shown to the agent");
    const message = isJsonObject(item)
      ? item
      : { role: "user", content: typeof item === "string" ? item : JSON.stringify(item) };
    const role = getRole?.(message, messageIndex) ?? findRole(message, previous, notes);
    if (role === "tool") {
      if (typeof message.tool_call_id !== "string") notes.add("tool results without an id are kept in their order");
      shown.addResult(message, isToolError(message));
    } else if (role === "assistant") {
      if (previous === "assistant") notes.add("assistant messages that follow each other are a turn each");
      markToolError(turns, shown.results);
      turns.push(readTurn(message, shown, notes, toolNames));
      messageIndexes.push(messageIndex);
    } else shown.addText(message);
    previous = role;
  }
  if (shown.isEmpty) return { turns, messageIndexes, notes: [...notes] };
  markToolError(turns, shown.results);
  const { observation: finalObservation, observed: finalObserved } = shown.take();
  return { turns, finalObservation, finalObserved, messageIndexes, notes: [...notes] };
}

function readTurn(
  message: JsonObject,
  shown: ObservationBuilder,
  notes: Set<string>,
  toolNames?: ReadonlySet<string>,
): Turn {
  const { observation, observed } = shown.take();
  const calls = parseCalls(message, notes);
  const flags = findFlags(calls, toolNames);
  noteCalls(calls, flags, notes);
  const rest = findUnplainFields(message, calls);
  const absent = ["role", "content"].filter((field) => message[field] === undefined);
  const isPlain = observed === undefined && rest === undefined && absent.length === 0;
  return {
    observation,
    action: readAction(message, calls),
    flags,
    extra: isPlain ? undefined : { observed, message: rest, absent: absent.length === 0 ? undefined : absent },
  };
}

/** Marks the last turn when a tool answered it with an error. */
function markToolError(turns: Turn[], results: readonly ToolResult[]): void {
  const last = turns.at(-1);
  if (last !== undefined && results.some((result) => result.isError === true)) {
    turns[turns.length - 1] = { ...last, flags: { ...last.flags, toolError: true } };
  }
}
