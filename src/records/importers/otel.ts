import type { JsonObject, RecordedNumber, StopReason, Trajectory, Turn } from "../../core/index.js";
import { isJsonObject } from "../../core/index.js";
import type { JsonDocument } from "../reading/jsonl.js";
import { readJsonDocument, readJsonRecords } from "../reading/jsonl.js";
import type { ImportContext } from "./episode.js";
import {
  convertSafely,
  createEnvEnd,
  createEpisode,
  createImportContext,
  createTaskRef,
  describeValue,
  judgeReward,
  repaired,
  wrongFormat,
} from "./episode.js";
import { decodeHead, getCount, getFlag, getName, getNumber, getPresent, getRecordedNumber, getText } from "./fields.js";
import type { ImportItem, ImportOptions, ImportSource, Importer } from "./importer.js";
import { getContentText } from "./message-content.js";
import type { TranslatedMessages } from "./messages.js";
import { translateMessages } from "./messages.js";
import { readCallMessages, readToolSpan } from "./otel-messages.js";
import type { Span, SpanGroup } from "./otel-spans.js";
import { getOperation, groupSpans, readSpans } from "./otel-spans.js";

const turnNote =
  "A turn is one model call span directly below one agent's span (or of one conversation or trace, where no agent span exists), by start time. " +
  "Calls that failed are retries, not turns.";

/** One model call with the tool spans that followed it. */
interface Call {
  readonly span: Span;
  readonly tools: readonly Span[];
}

/** Splits a group into its model calls, each with the tools run before the next one. */
function listCalls(group: SpanGroup): { readonly calls: readonly Call[]; readonly failedCount: number } {
  const calls: { span: Span; tools: Span[] }[] = [];
  let failedCount = 0;
  for (const span of group.spans) {
    const operation = getOperation(span);
    if (operation === "tool") calls.at(-1)?.tools.push(span);
    if (operation !== "model") continue;
    if (span.hasError && readCallMessages(span).output.length === 0) failedCount += 1;
    else calls.push({ span, tools: [] });
  }
  return { calls, failedCount };
}

/** What makes two recorded messages the same, whatever fields an instrumentation adds when it repeats one. */
function getKey(message: JsonObject): string {
  return JSON.stringify([
    message["role"],
    getContentText(message["content"]),
    message["tool_calls"] ?? null,
    message["tool_call_id"] ?? null,
  ]);
}

interface Conversation extends TranslatedMessages {
  readonly calls: readonly Call[];
}

/**
 * Puts the conversation together. Every call repeats the history, so only what it was shown beyond the history so far
 * is new; where no content was recorded, the calls and answers of the tool spans stand in.
 */
function readConversation(group: SpanGroup): Conversation {
  const { calls, failedCount } = listCalls(group);
  const messages: JsonObject[] = [];
  const turnIndexes: number[] = [];
  const notes: string[] = [];
  let history: string[] = [];
  for (const { span, tools } of calls) {
    const { input, output } = readCallMessages(span);
    const keys = input.map(getKey);
    let shared = 0;
    while (shared < history.length && history[shared] === keys[shared]) shared += 1;
    if (shared < history.length && input.length > 0)
      notes.push("A call's history differs from the one before; what differs is shown again");
    messages.push(...input.slice(shared));
    const pairs = tools.map(readToolSpan);
    const recorded = output[0] ?? {
      role: "assistant",
      content: "",
      ...(pairs.length > 0 ? { tool_calls: pairs.map((pair) => pair.call) } : {}),
    };
    if (output.length > 1) notes.push(`A call gave ${output.length} choices; the first is the turn`);
    turnIndexes.push(messages.length);
    messages.push(recorded);
    // Without recorded messages the next call cannot show the answers of the tools.
    if (input.length === 0 && output.length === 0) {
      notes.push("Message content was not recorded; tool calls are those of the tool spans");
      messages.push(...pairs.map((pair) => pair.answer));
    }
    history = [...keys, getKey(recorded)];
  }
  const isTurn = new Set(turnIndexes);
  const read = translateMessages(messages, {
    getRole: (message, index) =>
      isTurn.has(index) ? "assistant" : message["role"] === "assistant" ? "user" : undefined,
  });
  if (failedCount > 0) notes.push(`${failedCount} failed model calls are no turns`);
  if (group.nestedCount > 0) notes.push(`${group.nestedCount} model calls of called agents are no turns of this one`);
  const turns = read.turns.map((turn, index) => completeTurn(turn, calls[index]));
  return { ...read, turns, calls, notes: [...new Set([...read.notes, ...notes])] };
}

/** Adds what the spans say: tokens, time, tools that failed, and the attributes as they stand. */
function completeTurn(turn: Turn, { span, tools }: Call): Turn {
  const { attributes } = span;
  const count = (...names: string[]): number | undefined =>
    names.map((name) => getCount(attributes[name])).find((value) => value !== undefined);
  const usage = getPresent({
    promptTokens: count("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt"),
    completionTokens: count(
      "gen_ai.usage.output_tokens",
      "gen_ai.usage.completion_tokens",
      "llm.token_count.completion",
    ),
    reasoningTokens: count("gen_ai.usage.reasoning.output_tokens"),
    cachedTokens: count("gen_ai.usage.cache_read.input_tokens"),
  });
  const seconds = (of: Span): number => Number(of.end > of.start ? of.end - of.start : 0n) / 1e9;
  const hasTimes = span.end > span.start;
  const timing = hasTimes
    ? { policySeconds: seconds(span), envSeconds: tools.reduce((sum, tool) => sum + seconds(tool), 0) }
    : undefined;
  const flags = getPresent({
    ...turn.flags,
    ...(tools.some((tool) => tool.hasError) ? { toolError: true as const } : {}),
  });
  const kept = Object.entries(attributes).filter(
    ([key]) => !/\.(messages|prompt|completion|input_messages|output_messages|system_instructions)(\.|$)/.test(key),
  );
  return {
    ...turn,
    ...getPresent({ usage, timing, flags }),
    extra: { ...turn.extra, span: span.spanId, attributes: Object.fromEntries(kept) },
  };
}

/** What evaluation events and the user's own fields say about a group. */
interface Verdict {
  readonly success?: boolean;
  readonly reward?: RecordedNumber;
  readonly scores: NonNullable<Trajectory["scores"]>;
}

/** Reads evaluation events; the one that `successField` names decides, or the first. Labels decide before numbers. */
function readVerdict(group: SpanGroup, options: ImportOptions): Verdict {
  const { successField, rewardField, successThreshold = 1 } = options;
  const events = group.spans
    .flatMap((span) => span.events)
    .filter((event) => event.name.startsWith("gen_ai.evaluation"));
  const scores: Record<string, RecordedNumber | string> = {};
  for (const { attributes } of events) {
    const value =
      getRecordedNumber(attributes["gen_ai.evaluation.score.value"]) ??
      getText(attributes["gen_ai.evaluation.score.label"]);
    if (value !== undefined) scores[getName(attributes["gen_ai.evaluation.name"]) ?? "evaluation"] = value;
  }
  const find = (key: string | undefined): unknown =>
    key === undefined
      ? undefined
      : group.spans.map((span) => span.attributes[key]).find((value) => value !== undefined);
  const stated = getFlag(find(successField));
  const chosen =
    events.find((event) => event.attributes["gen_ai.evaluation.name"] === successField) ??
    (stated === undefined ? events[0] : undefined);
  const reward =
    getRecordedNumber(find(rewardField)) ?? getRecordedNumber(chosen?.attributes["gen_ai.evaluation.score.value"]);
  const label = getText(chosen?.attributes["gen_ai.evaluation.score.label"]) ?? "";
  const byLabel = /^(pass|passed|correct|true|success|yes)$/i.test(label)
    ? true
    : /^(fail|failed|incorrect|false|failure|no)$/i.test(label)
      ? false
      : undefined;
  return { success: stated ?? byLabel ?? judgeReward(reward, successThreshold), reward, scores };
}

/** Says how a group ended: an error on the agent's span, or on its last call, is an error of that part. */
function readStop(group: SpanGroup, success: boolean | undefined): StopReason {
  const last = group.spans.filter((span) => getOperation(span) === "model").at(-1);
  const failed = group.root?.hasError === true ? group.root : last?.hasError === true ? last : undefined;
  if (failed === undefined) return createEnvEnd(success);
  const errorClass = getName(failed.attributes["error.type"]) ?? "error";
  const message = failed.statusMessage ?? "";
  if (/context.?(length|window)/i.test(`${errorClass} ${message}`)) return { type: "context_overflow" };
  return { type: "error", boundary: last?.hasError === true ? "policy" : "env", errorClass, message };
}

function convertGroup(group: SpanGroup, position: number, context: ImportContext): ImportItem {
  const { source, options, samples } = context;
  const read = readConversation(group);
  const { success, reward, scores } = readVerdict(group, options);
  const stopReason = readStop(group, success);
  const first = group.root ?? group.spans[0];
  const find = (key: string): string | undefined =>
    group.spans.map((span) => getName(span.attributes[key])).find((value) => value !== undefined);
  const taskName = options.taskField === undefined ? undefined : find(options.taskField);
  const question = read.turns[0]?.observation.text ?? "";
  // Without recorded content nothing tells tasks apart but the trace itself.
  const task =
    taskName !== undefined
      ? createTaskRef({ taskName }, taskName)
      : createTaskRef(question === "" ? { traceId: first.traceId, spanId: first.spanId } : { question });
  const trajectory = createEpisode({
    format: "otel",
    source,
    position,
    notes: [turnNote, ...read.notes],
    task,
    sampleIndex: samples.next(task.hash),
    policy: {
      id:
        options.policyId ??
        find("gen_ai.request.model") ??
        find("gen_ai.response.model") ??
        find("llm.model_name") ??
        "unknown",
    },
    env: {
      id: find("gen_ai.agent.name") ?? getName(first.resource["service.name"]) ?? "otel",
      version: find("gen_ai.agent.version") ?? getName(first.resource["service.version"]) ?? "unknown",
    },
    samplingSeed: getNumber(first.attributes["gen_ai.request.seed"]),
    turns: read.turns,
    finalObservation: read.finalObservation,
    stopReason,
    success: stopReason.type === "error" ? undefined : success,
    scores,
    episodeReturn: reward,
    extra: { traceId: first.traceId, attributes: first.attributes, resource: first.resource },
  });
  return { type: "trajectory", trajectory };
}

/** Says whether the file has one export a line, as collectors write it. */
function isLines(head: Uint8Array): boolean {
  const [first, second] = decodeHead(head).split("\n", 2);
  if (second === undefined) return false;
  try {
    return isJsonObject(JSON.parse(first));
  } catch {
    return false;
  }
}

async function* readDocuments(source: ImportSource): AsyncGenerator<JsonObject | ImportItem> {
  if (isLines(source.head)) {
    for await (const item of readJsonRecords(source)) yield item.type === "problem" ? item : item.record;
    return;
  }
  const { value, problems }: JsonDocument = await readJsonDocument(source);
  yield* problems;
  if (!isJsonObject(value)) throw wrongFormat(source, "otel", describeValue(value), 'OTLP JSON with "resourceSpans"');
  yield value;
}

/** Reads OTLP JSON with GenAI spans: one export, or one a line. A trace may be spread over several exports. */
export const otelImporter: Importer = {
  format: "otel",
  description: "OpenTelemetry GenAI traces (OTLP JSON, one export or one a line)",
  turnNote,
  detect({ head }) {
    const start = decodeHead(head);
    if (!/"resourceSpans"\s*:\s*\[/.test(start)) return 0;
    return /"(gen_ai|llm|openinference|traceloop)\./.test(start) ? 0.95 : 0.7;
  },
  async *read(source, options) {
    const spans: Span[] = [];
    let exportCount = 0;
    for await (const document of readDocuments(source)) {
      if (document["type"] === "problem" && "problemClass" in document) {
        yield document as ImportItem; // exports have no such fields
        continue;
      }
      const record = document as JsonObject; // the other half of the union
      if (Array.isArray(record["resourceSpans"])) exportCount += 1;
      const read = readSpans(record);
      spans.push(...read.spans);
      if (read.lostCount > 0) yield repaired("not_a_span", `${read.lostCount} spans without ids were left out`);
    }
    if (exportCount === 0) throw wrongFormat(source, "otel", "no export", 'OTLP JSON with "resourceSpans"');
    const context = createImportContext(source, options);
    const groups = groupSpans(spans);
    if (groups.length === 0)
      yield repaired("no_episodes", `None of ${spans.length} spans is a model call of the GenAI conventions`);
    for (const [position, group] of groups.entries())
      yield* convertSafely(position, () => [convertGroup(group, position, context)]);
  },
};
