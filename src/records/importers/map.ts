import {
  canonicalJson,
  isJsonObject,
  stopLabels,
  type JsonObject,
  type JsonValue,
  type StopReason,
  type ToolCall,
  type Turn,
  type TurnFlags,
} from "../../core/index.js";
import { readJsonItems } from "../reading/jsonl.js";
import { addFinalObserved, convertSafely, createEpisode, repaired, skipped } from "./episode.js";
import { getCount, getList, getName, getNumber } from "./fields.js";
import { hashText } from "./hash-text.js";
import type { ImportItem, Importer, ImportOptions, ImportSource } from "./importer.js";
import { applyRule, parseMapSpec, type MapSpec, type TurnField, type ValueField } from "./map-spec.js";
import { parseCalls } from "./message-calls.js";
import { getContentText } from "./message-content.js";
import { translateMessages, type TranslatedMessages } from "./messages.js";
import { readFlag, readOutcome, readReward } from "./outcome.js";

const turnNote = "Turns are read by the user's mapping: assistant messages, items of a list, or a number.";

/** A turn count above this is a damaged record, not an episode. */
const mostTurns = 1_000_000;
const countedTurn: Turn = { observation: { text: "" }, action: { text: "" } };

function renderText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  return getContentText(value) || JSON.stringify(value);
}

function readCalls(value: JsonValue | undefined, notes: Set<string>): readonly ToolCall[] {
  if (value === undefined || value === null) return [];
  return parseCalls({ tool_calls: Array.isArray(value) || typeof value === "string" ? value : [value] }, notes);
}

function readFlags(calls: readonly ToolCall[], isInvalid: boolean, isToolError: boolean): TurnFlags | undefined {
  const isUnparsed = calls.some((call) => call.arguments === undefined);
  if (!isInvalid && !isUnparsed && !isToolError) return undefined;
  return { ...(isInvalid || isUnparsed ? { invalid: true } : {}), ...(isToolError ? { toolError: true } : {}) };
}

function readTurn(item: JsonValue, spec: MapSpec, notes: Set<string>): Turn {
  const get = (field: TurnField): JsonValue | undefined => applyRule(spec.turn[field], item);
  const calls = readCalls(get("toolCalls"), notes);
  const reasoning = get("reasoning");
  const flags = readFlags(calls, readFlag(get("invalid")) === true, readFlag(get("toolError")) === true);
  const reward = readReward(get("reward"));
  const solvedAfter = readFlag(get("solvedAfter"));
  const usage = { promptTokens: getCount(get("promptTokens")), completionTokens: getCount(get("completionTokens")) };
  return {
    observation: { text: renderText(get("observation")) },
    action: {
      text: renderText(get("action")),
      ...(calls.length > 0 ? { toolCalls: calls } : {}),
      ...(typeof reasoning === "string" ? { reasoning } : {}),
    },
    ...(reward === undefined ? {} : { reward }),
    ...(flags === undefined ? {} : { flags }),
    ...(solvedAfter === undefined ? {} : { solvedAfter }),
    ...(usage.promptTokens === undefined && usage.completionTokens === undefined ? {} : { usage }),
  };
}

/** Returns the turns of a record, or why there are none. */
function readTurns(record: JsonValue, spec: MapSpec): TranslatedMessages | string {
  const notes = new Set<string>();
  if (spec.fields.messages !== undefined) {
    const messages = applyRule(spec.fields.messages, record);
    return Array.isArray(messages) ? translateMessages(getList(messages)) : `"messages" leads to no list`;
  }
  if (spec.fields.turns !== undefined) {
    const items = applyRule(spec.fields.turns, record);
    if (!Array.isArray(items)) return `"turns" leads to no list`;
    const turns = getList(items).map((item) => readTurn(item, spec, notes));
    return { turns, messageIndexes: [], notes: [...notes] };
  }
  const count = getCount(applyRule(spec.fields.turnCount, record));
  if (count === undefined || count > mostTurns) return `"turnCount" leads to no count up to ${mostTurns}`;
  return {
    turns: Array.from({ length: count }, () => countedTurn),
    messageIndexes: [],
    notes: ["turns are only counted: there is no transcript"],
  };
}

function readStop(value: JsonValue | undefined, success: boolean | undefined): StopReason | string {
  if (value === undefined || value === null)
    return success === true ? { type: "env_end", kind: "solved" } : { type: "unknown" };
  const label = stopLabels.find((known) => known === value);
  if (label === undefined) return `the stop reason ${JSON.stringify(value)} is not known; it is kept as unknown`;
  if (label === "solved" || label === "wrong_final" || label === "env_fail") return { type: "env_end", kind: label };
  if (label === "error") return { type: "error", boundary: "env", errorClass: "unknown", message: "" };
  return { type: label };
}

function* convert(
  record: JsonObject,
  spec: MapSpec,
  place: { readonly source: ImportSource; readonly position: number },
  options: ImportOptions,
): Generator<ImportItem> {
  const { source, position } = place;
  const get = (field: ValueField): JsonValue | undefined => applyRule(spec.fields[field], record);
  const read = readTurns(record, spec);
  if (typeof read === "string") {
    yield skipped("not_mapped", read, position);
    return;
  }
  const taskId = getName(get("taskId"));
  const content = get("taskContent") ?? (taskId === undefined ? read.turns[0]?.observation.text : undefined);
  if (taskId === undefined && (content === undefined || content === "")) {
    yield skipped(
      "no_task",
      'neither "taskId" nor "taskContent" nor a first observation says which task it is',
      position,
    );
    return;
  }
  const outcome = readOutcome(get("success"), get("reward"), options.successThreshold);
  if (outcome.contradiction !== undefined) yield repaired("contradiction", outcome.contradiction, position);
  const stop = readStop(get("stopReason"), outcome.success);
  if (typeof stop === "string") yield repaired("unknown_stop_reason", stop, position);
  const hash = hashText(canonicalJson([taskId ?? null, content ?? null]));
  const sampleIndex = getCount(get("sampleIndex"));
  const maxTurns = getCount(get("maxTurns"));
  const family = getName(get("family"));
  const checkpoint = getName(get("checkpoint"));
  const trajectory = createEpisode({
    format: "map",
    source,
    position,
    notes: [turnNote, ...read.notes, ...outcome.notes],
    task: { id: taskId ?? hash.slice(0, 16), hash, ...(family === undefined ? {} : { family }) },
    sampleIndex: sampleIndex ?? 0,
    policy: {
      id: options.policyId ?? getName(get("policyId")) ?? source.name.replace(/\.jsonl?$/, ""),
      ...(checkpoint === undefined ? {} : { checkpoint }),
    },
    env: { id: getName(get("envId")) ?? "unknown", version: getName(get("envVersion")) ?? "unknown" },
    envSeed: getNumber(get("envSeed")),
    budget: maxTurns === undefined ? {} : { maxTurns },
    turns: read.turns,
    finalObservation: read.finalObservation,
    stopReason: typeof stop === "string" ? { type: "unknown" } : stop,
    success: outcome.success,
    episodeReturn: outcome.reward,
    extra: addFinalObserved({ record }, read),
  });
  yield { type: "trajectory", trajectory, ...(sampleIndex === undefined ? {} : { isSampleStated: true }) };
}

/**
 * Reads any JSONL (or JSON array) by a mapping from trajectory fields to places in a record. A rule is a dotted path,
 * `{"value": …}` for a constant, or `{"path": …}` with `values` (a table), `equals` or `atLeast`. Exactly one of
 * `messages` (a list of chat messages), `turns` (a list, with `turn` saying how one item is read) and `turnCount`
 * must be given; `taskId` or `taskContent` says which task it is. The whole source record is kept in `extra.record`.
 *
 * @example
 * // --map '{"turns": "steps", "turn": {"observation": "obs", "action": "act"}, "taskId": "game",
 * //         "success": {"path": "score", "atLeast": 1}, "stopReason": {"path": "end", "values": {"limit": "max_turns"}}}'
 */
export const mapImporter: Importer = {
  format: "map",
  description: "Any JSONL, by a mapping of fields given with --map",
  turnNote,
  detect: () => 0,
  async *read(source, options) {
    const spec = parseMapSpec(options.map);
    for await (const item of readJsonItems(source)) {
      if (item.type === "problem") yield item;
      else if (!isJsonObject(item.value)) yield skipped("not_a_record", "the line holds no record", item.position);
      else {
        const record = item.value;
        yield* convertSafely(item.position, () => convert(record, spec, { source, position: item.position }, options));
      }
    }
  },
};
