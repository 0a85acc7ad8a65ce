// internal
import type { JsonObject, JsonValue, TurnTokens, TurnUsage, Turn } from "../../core/index.js";
import { isJsonObject } from "../../core/index.js";
import { getAt, getCount, getList, getNumber, getObject, getPresent, getRecordedNumber, getText } from "./fields.js";
import { expandRefs, resolveAttachments } from "./inspect-archive.js";
import type { TranslatedMessages } from "./messages.js";
import { translateMessages } from "./messages.js";

/** A message with whether the model under test made it. */
interface Entry {
  readonly message: JsonObject;
  readonly isTurn: boolean;
}

/**
 * Returns the turns of a sample: messages that the model generated. Where the conversation was compacted, the final
 * messages are not the whole history, and turns are read from the model events instead.
 */
export function readInspectMessages(sample: JsonObject, attachments: JsonObject): TranslatedMessages {
  const events = getList(sample["events"] ?? getAt(sample, "transcript.events")).map(getObject);
  const modelEvents = listModelEvents(events);
  const messages = getList(sample["messages"]).map(getObject);
  const isCompacted = events.some((event) => event["event"] === "compaction");
  const entries =
    isCompacted && modelEvents.length > 0 ? readFromEvents(sample, modelEvents) : readFromMessages(messages);
  const normal = entries.map((entry) => normalizeMessage(resolveAttachments(entry.message, attachments)));
  const translated = translateMessages(normal, {
    getRole: (message, index) =>
      message["role"] !== "assistant" ? undefined : entries[index].isTurn ? "assistant" : "user",
    isToolError: (message) => isJsonObject(message["error"]),
  });
  const timings = measureTurns(events);
  const outputs = new Map(modelEvents.map((event) => [getAt(event, "output.choices.0.message.id"), event]));
  const turns = translated.turns.map((turn, index) => {
    const { message } = entries[translated.messageIndexes[index]];
    const id = getText(message["id"]);
    const event = id === undefined ? undefined : outputs.get(id);
    const flagged = addFlags(
      turn,
      message,
      normal.slice(translated.messageIndexes[index] + 1, translated.messageIndexes[index + 1]),
    );
    return {
      ...flagged,
      ...getPresent({
        usage: readUsage(event),
        timing: id === undefined ? undefined : timings.get(id),
        tokens: readTokens(event),
      }),
    };
  });
  const notes = isCompacted ? ["The conversation was compacted; turns are read from the model events"] : [];
  return { ...translated, turns, notes: [...translated.notes, ...notes] };
}

/** Assistant messages without `source` are the solver's own in logs that state it for the model's. */
function readFromMessages(messages: readonly JsonObject[]): readonly Entry[] {
  const isStated = messages.some((message) => message["role"] === "assistant" && message["source"] === "generate");
  return messages.map((message) => ({
    message,
    isTurn: message["role"] === "assistant" && (!isStated || message["source"] === "generate"),
  }));
}

/** Returns the model events of the agent itself: not those of scorers, nor of agents that a tool runs. */
function listModelEvents(events: readonly JsonObject[]): readonly JsonObject[] {
  const excluded = new Set<string>();
  let depth = 0; // steps, in logs older than spans, nest by order
  return events.filter((event) => {
    const parent = getText(event["event"] === "span_begin" ? event["parent_id"] : event["span_id"]);
    if (event["event"] === "span_begin") {
      const id = getText(event["id"]);
      const isAside = ["scorer", "scorers", "tool", "subtask"].includes(getText(event["type"]) ?? "");
      if (id !== undefined && (isAside || (parent !== undefined && excluded.has(parent)))) excluded.add(id);
    }
    if (event["event"] === "step" && event["type"] === "scorer") depth += event["action"] === "begin" ? 1 : -1;
    return event["event"] === "model" && depth <= 0 && !(parent !== undefined && excluded.has(parent));
  });
}

/** Puts the history together from what each call was shown for the first time and what it answered. */
function readFromEvents(sample: JsonObject, modelEvents: readonly JsonObject[]): readonly Entry[] {
  const pool = getList(getAt(sample, "events_data.messages") ?? sample["message_pool"]);
  const seen = new Set<JsonValue>();
  const entries: Entry[] = [];
  for (const event of modelEvents) {
    const input = event["input_refs"] === undefined ? getList(event["input"]) : expandRefs(event["input_refs"], pool);
    for (const item of input.map(getObject)) {
      const key = getText(item["id"]) ?? JSON.stringify(item);
      if (!seen.has(key)) entries.push({ message: item, isTurn: false });
      seen.add(key);
    }
    const output = getAt(event, "output.choices.0.message");
    if (!isJsonObject(output)) continue; // a failed call made no turn
    seen.add(getText(output["id"]) ?? JSON.stringify(output));
    entries.push({ message: output, isTurn: true });
  }
  return entries;
}

/** Gives a message the shape of the OpenAI API: calls with a nested function, reasoning apart from the text. */
function normalizeMessage(value: JsonValue): JsonObject {
  const message = getObject(value);
  const { function: toolName, content } = message;
  const reasoning = Array.isArray(content)
    ? getList(content).flatMap((part) =>
        getAt(part, "type") === "reasoning" ? [getText(getAt(part, "reasoning")) ?? ""] : [],
      )
    : [];
  const calls = Array.isArray(message["tool_calls"]) ? getList(message["tool_calls"]).map(normalizeCall) : undefined;
  return {
    ...message,
    ...(calls === undefined ? {} : { tool_calls: calls }),
    ...(typeof toolName === "string" ? { name: toolName } : {}),
    ...(reasoning.length > 0 && message["reasoning_content"] === undefined
      ? { reasoning_content: reasoning.join("\n\n") }
      : {}),
  };
}

function normalizeCall(value: JsonValue): JsonValue {
  if (!isJsonObject(value) || typeof value["function"] !== "string") return value;
  const { function: name, arguments: values, ...rest } = value;
  // Arguments that could not be parsed are an object with the raw text, or empty, with the reason beside it.
  return { ...rest, function: { name, arguments: values } };
}

/** Marks calls that could not be read or whose tool does not exist, as the tool results say. */
function addFlags(turn: Turn, message: JsonObject, answers: readonly JsonObject[]): Turn {
  const hasParseError = getList(message["tool_calls"]).some((call) => typeof getAt(call, "parse_error") === "string");
  const parsing = answers
    .filter((answer) => getAt(answer, "error.type") === "parsing")
    .map((answer) => getText(getAt(answer, "error.message")) ?? "");
  const isUnknown = parsing.some((text) => /\bnot found\b/i.test(text));
  const isInvalid = hasParseError || parsing.some((text) => !/\bnot found\b/i.test(text));
  if (!isUnknown && !isInvalid) return turn;
  return {
    ...turn,
    flags: { ...turn.flags, ...(isInvalid ? { invalid: true } : {}), ...(isUnknown ? { unknownTool: true } : {}) },
  };
}

function readUsage(event: JsonObject | undefined): TurnUsage | undefined {
  const usage = getObject(getAt(event, "output.usage"));
  const input = getCount(usage["input_tokens"]);
  const read = getCount(usage["input_tokens_cache_read"]);
  const written = getCount(usage["input_tokens_cache_write"]);
  return getPresent({
    promptTokens: input === undefined ? undefined : input + (read ?? 0) + (written ?? 0), // the source leaves cached tokens out
    completionTokens: getCount(usage["output_tokens"]),
    reasoningTokens: getCount(usage["reasoning_tokens"]),
    cachedTokens: read,
    cost: getNumber(usage["total_cost"]),
  });
}

function readTokens(event: JsonObject | undefined): TurnTokens | undefined {
  const items = getList(getAt(event, "output.choices.0.logprobs.content")).map(getObject);
  const logProbs = items.flatMap((item) => getRecordedNumber(item["logprob"]) ?? []);
  const texts = items.flatMap((item) => getText(item["token"]) ?? []);
  if (items.length === 0 || logProbs.length !== items.length || texts.length !== items.length) return undefined;
  return { logProbs, texts };
}

/** Returns how long the model and then its tools took, by the id of the model's message. */
function measureTurns(
  events: readonly JsonObject[],
): ReadonlyMap<string, { policySeconds: number; envSeconds: number }> {
  const timings = new Map<string, { policySeconds: number; envSeconds: number }>();
  let current: { policySeconds: number; envSeconds: number } | undefined;
  for (const event of events) {
    if (event["event"] === "model") {
      const seconds = getNumber(getAt(event, "output.time")) ?? getNumber(event["working_time"]);
      const id = getText(getAt(event, "output.choices.0.message.id"));
      current = seconds === undefined || id === undefined ? undefined : { policySeconds: seconds, envSeconds: 0 };
      if (current !== undefined && id !== undefined) timings.set(id, current);
    }
    if (event["event"] === "tool" && current !== undefined) current.envSeconds += getNumber(event["working_time"]) ?? 0;
  }
  return timings;
}
