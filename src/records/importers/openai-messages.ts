import {
  canonicalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type StopReason,
  type Turn,
  type TurnTokens,
  type TurnUsage,
} from "../../core/index.js";
import { readJsonItems } from "../reading/jsonl.js";
import { addFinalObserved, convertSafely, createEpisode, repaired, skipped } from "./episode.js";
import { decodeHead, getAt, getCount, getName, getRecordedNumber } from "./fields.js";
import { hashText } from "./hash-text.js";
import type { ImportItem, ImportOptions, ImportSource, Importer } from "./importer.js";
import { translateMessages, type TranslatedMessages } from "./messages.js";
import { readOutcome } from "./outcome.js";

const turnNote =
  "A turn is one assistant message with the messages before it since the last one; several tool calls of one message are one turn.";

/** A record's conversation, from whichever shape it was logged in. */
interface Conversation {
  readonly messages: readonly JsonValue[];
  /** Messages before this position were given to the agent, assistant messages included. */
  readonly givenCount: number;
  readonly tools?: JsonValue;
  readonly model?: string;
  readonly response?: JsonObject;
  /** The record without what was read into the conversation. */
  readonly rest: JsonObject;
}

function unwrap(value: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  return isJsonObject(value.body) ? value.body : value;
}

function getModel(...records: readonly (JsonObject | undefined)[]): string | undefined {
  for (const record of records) if (typeof record?.model === "string" && record.model !== "") return record.model;
  return undefined;
}

/** Returns an API object without its messages, which are the conversation. */
function stripCall(value: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(value)) return value;
  if (isJsonObject(value.body)) return { ...value, body: stripCall(value.body) };
  const { messages: _messages, ...rest } = value;
  if (!Array.isArray(rest.choices)) return rest;
  const [first, ...others] = rest.choices as readonly JsonValue[]; // Array.isArray loses the element type
  if (!isJsonObject(first)) return rest;
  const { message: _message, ...choice } = first;
  return { ...rest, choices: [choice, ...others] };
}

/** Reads a logged API call: the request's messages, then the answer. */
function readCall(record: JsonObject): Conversation | undefined {
  const isBatch = record.request === undefined;
  const request = unwrap(isBatch ? record : record.request);
  const response = unwrap(record.response);
  if (request === undefined || !Array.isArray(request.messages)) return undefined;
  const answer = getAt(response, "choices.0.message");
  const asked = request.messages as readonly JsonValue[]; // Array.isArray loses the element type
  const stripped = isBatch ? stripCall(record) : { ...record, request: stripCall(record.request) };
  return {
    messages: isJsonObject(answer) ? [...asked, answer] : asked,
    givenCount: 0,
    tools: request.tools,
    model: getModel(response, request, record),
    response,
    rest: {
      ...(isJsonObject(stripped) ? stripped : {}),
      ...(response === undefined ? {} : { response: stripCall(record.response) }),
    },
  };
}

/** Reads a prompt with its completion: assistant messages of the prompt are examples, not turns. */
function readPrompted(record: JsonObject): Conversation | undefined {
  const { prompt, completion, ...rest } = record;
  const given = typeof prompt === "string" ? [{ role: "user", content: prompt }] : prompt;
  const produced = typeof completion === "string" ? [{ role: "assistant", content: completion }] : completion;
  if (!Array.isArray(given) || !Array.isArray(produced)) return undefined;
  const messages: readonly JsonValue[] = [...given, ...produced];
  return { messages, givenCount: given.length, tools: record.tools, model: getModel(record), rest };
}

function readConversation(record: JsonObject): Conversation | undefined {
  const { messages, ...rest } = record;
  if (Array.isArray(messages)) {
    const list = messages as readonly JsonValue[]; // Array.isArray loses the element type
    const response = unwrap(record.response);
    return { messages: list, givenCount: 0, tools: record.tools, model: getModel(record, response), response, rest };
  }
  return readCall(record) ?? readPrompted(record);
}

function readToolNames(tools: JsonValue | undefined): ReadonlySet<string> | undefined {
  if (!Array.isArray(tools) || tools.length === 0) return undefined;
  const names = (tools as readonly JsonValue[]).map((tool) => getAt(tool, "function.name") ?? getAt(tool, "name")); // Array.isArray loses the element type
  return new Set(names.filter((name) => typeof name === "string"));
}

function readUsage(response: JsonObject | undefined): TurnUsage | undefined {
  const usage = response?.usage;
  if (!isJsonObject(usage)) return undefined;
  const parts = {
    promptTokens: getCount(usage.prompt_tokens),
    completionTokens: getCount(usage.completion_tokens),
    reasoningTokens: getCount(getAt(usage, "completion_tokens_details.reasoning_tokens")),
    cachedTokens: getCount(getAt(usage, "prompt_tokens_details.cached_tokens")),
  };
  return Object.values(parts).some((part) => part !== undefined) ? parts : undefined;
}

function readTokens(response: JsonObject | undefined): TurnTokens | undefined {
  const content = getAt(response, "choices.0.logprobs.content");
  if (!Array.isArray(content)) return undefined;
  const rows = content as readonly JsonValue[]; // Array.isArray loses the element type
  const texts = rows.map((row) => (isJsonObject(row) && typeof row.token === "string" ? row.token : ""));
  const logProbs = rows.map((row) => (isJsonObject(row) ? getRecordedNumber(row.logprob) : undefined));
  return { texts, ...(logProbs.every((value) => value !== undefined) ? { logProbs } : {}) };
}

/** Adds what the API said about the last answer to its turn. */
function addResponse(turns: readonly Turn[], response: JsonObject | undefined): readonly Turn[] {
  const usage = readUsage(response);
  const tokens = readTokens(response);
  const last = turns.at(-1);
  if (last === undefined || (usage === undefined && tokens === undefined)) return turns;
  return [
    ...turns.slice(0, -1),
    { ...last, ...(usage === undefined ? {} : { usage }), ...(tokens === undefined ? {} : { tokens }) },
  ];
}

/** Returns what the agent was given before it first acted: what makes the task the same task. */
function getGivenText(conversation: Conversation, read: TranslatedMessages): string {
  const end =
    conversation.givenCount > 0 ? conversation.givenCount : (read.messageIndexes[0] ?? conversation.messages.length);
  return canonicalJson(conversation.messages.slice(0, end));
}

const plainStops = new Set([
  "quit",
  "max_turns",
  "max_tokens",
  "max_tool_calls",
  "max_seconds",
  "max_cost",
  "context_overflow",
]);

function readStop(value: JsonValue | undefined, success: boolean | undefined): StopReason {
  if (typeof value === "string" && plainStops.has(value)) return { type: value as "max_turns" }; // one of the plain stops
  if (value === "wrong_final" || value === "env_fail" || value === "solved") return { type: "env_end", kind: value };
  if (isJsonObject(value) && value.type === "error") {
    const { boundary, errorClass, message } = value;
    const isKnown = boundary === "policy" || boundary === "env" || boundary === "scorer";
    return {
      type: "error",
      boundary: isKnown ? boundary : "env",
      errorClass: typeof errorClass === "string" ? errorClass : "unknown",
      message: typeof message === "string" ? message : "",
    };
  }
  return success === true ? { type: "env_end", kind: "solved" } : { type: "unknown" };
}

/** The fields of a record that hold what is not conversation; each can be a dotted path. */
interface FieldNames {
  readonly reward: string;
  readonly success: string;
  readonly task: string;
}

function readSampleIndex(record: JsonObject, { sampleField }: ImportOptions): number | undefined {
  if (sampleField !== undefined) return getCount(getField(record, sampleField));
  return getCount(record.sample_index) ?? getCount(record.trial);
}

function* convert(
  record: JsonObject,
  place: { readonly source: ImportSource; readonly position: number },
  options: ImportOptions,
): Generator<ImportItem> {
  const { source, position } = place;
  const conversation = readConversation(record);
  if (conversation === undefined) {
    yield skipped(
      "no_messages",
      'the record has no "messages", no request with messages, and no prompt with a completion',
      position,
    );
    return;
  }
  const fields: FieldNames = {
    reward: options.rewardField ?? "reward",
    success: options.successField ?? "success",
    task: options.taskField ?? "task_id",
  };
  const { givenCount, response } = conversation;
  const read = translateMessages(conversation.messages, {
    toolNames: readToolNames(conversation.tools),
    ...(givenCount > 0
      ? { getRole: (message, index) => (index < givenCount && message.role === "assistant" ? "user" : undefined) }
      : {}),
  });
  const outcome = readOutcome(
    getField(record, fields.success),
    getField(record, fields.reward),
    options.successThreshold,
  );
  if (outcome.contradiction !== undefined) yield repaired("contradiction", outcome.contradiction, position);
  if (read.turns.length === 0)
    yield repaired("no_turns", "the record has no assistant message; it is kept with 0 turns", position);
  const taskId = getName(getAt(record, fields.task));
  const hash = hashText(
    taskId === undefined
      ? getGivenText(conversation, read)
      : `${JSON.stringify(taskId)} ${getGivenText(conversation, read)}`,
  );
  const sampleIndex = readSampleIndex(record, options);
  const maxTurns = getCount(record.max_turns);
  const trajectory = createEpisode({
    format: "openai-messages",
    source,
    position,
    notes: [turnNote, ...read.notes, ...outcome.notes],
    task: { id: taskId ?? hash.slice(0, 16), hash },
    sampleIndex: sampleIndex ?? 0,
    policy: { id: options.policyId ?? conversation.model ?? source.name.replace(/\.jsonl?$/, "") },
    env: { id: getName(record.env) ?? "messages", version: getName(record.env_version) ?? "unknown" },
    budget: maxTurns === undefined ? {} : { maxTurns },
    turns: addResponse(read.turns, response),
    finalObservation: read.finalObservation,
    stopReason: readStop(record.stop_reason, outcome.success),
    success: outcome.success,
    episodeReturn: outcome.reward,
    extra: addFinalObserved(isEmpty(conversation.rest) ? undefined : { record: conversation.rest }, read),
  });
  yield { type: "trajectory", trajectory, ...(sampleIndex === undefined ? {} : { isSampleStated: true }) };
}

function isEmpty(record: JsonObject): boolean {
  for (const _key in record) return false;
  return true;
}

function getField(record: JsonObject, path: string): JsonValue | undefined {
  return getAt(record, path) as JsonValue | undefined; // a part of a JSON value is a JSON value
}

/** Reads OpenAI chat messages: conversations, logged calls (request and response), prompts with completions. */
export const openaiMessagesImporter: Importer = {
  format: "openai-messages",
  description: "OpenAI chat messages, one conversation or logged call a line; reward, success and task by field names",
  turnNote,
  detect({ head }) {
    const start = decodeHead(head.subarray(0, 4096));
    if (/^\s*(?:\[\s*)?\{[^{[]*"messages"\s*:\s*\[/.test(start)) return 0.6;
    if (
      /"role"\s*:\s*"(?:user|system|assistant|developer)"/.test(decodeHead(head)) &&
      /"(?:messages|prompt|choices)"\s*:/.test(decodeHead(head))
    )
      return 0.4;
    return /^\s*\[\s*\{\s*"role"\s*:/.test(start) ? 0.3 : 0;
  },
  async *read(source, options) {
    for await (const item of readJsonItems(source)) {
      if (item.type === "problem") yield item;
      else if (isJsonObject(item.value)) {
        const record = item.value;
        yield* convertSafely(item.position, () => convert(record, { source, position: item.position }, options));
      } else if (Array.isArray(item.value)) {
        const record = { messages: item.value as readonly JsonValue[] }; // Array.isArray loses the element type
        yield* convertSafely(item.position, () => convert(record, { source, position: item.position }, options));
      } else yield skipped("not_a_record", "the line holds no conversation", item.position);
    }
  },
};
