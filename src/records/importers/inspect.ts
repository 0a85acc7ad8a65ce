import type { Budget, JsonObject, RecordedNumber, StopReason } from "../../core/index.js";
import { isJsonObject, tagNumber, untagNumber } from "../../core/index.js";
import { readJsonDocument } from "../reading/jsonl.js";
import { refuseUnusable } from "../reading/source.js";
import type { ImportContext } from "./episode.js";
import {
  addFinalObserved,
  convertSafely,
  createEnvEnd,
  createEpisode,
  createImportContext,
  createTaskRef,
  describeValue,
  repaired,
  skipped,
  wrongFormat,
} from "./episode.js";
import {
  decodeHead,
  getAt,
  getCount,
  getList,
  getName,
  getNumber,
  getObject,
  getPresent,
  getRecordedNumber,
  getRest,
  getText,
} from "./fields.js";
import type { ImportItem, ImportSource, Importer } from "./importer.js";
import type { InspectLog } from "./inspect-archive.js";
import { getAttachments, openInspectArchive, resolveAttachments } from "./inspect-archive.js";
import { readInspectMessages } from "./inspect-messages.js";

const turnNote =
  "A turn is one message that the model under test generated. A turn limit of T lets the model answer T+1 times; " +
  "that last answer is not carried out and is no turn. Message limits count messages and are no turn budget.";

/** Score from which a sample counts as solved. */
const defaultThreshold = 1;

/** Fields of a sample that stand elsewhere in the trajectory, or only serve to show the log. */
const usedFields = ["messages", "events", "events_data", "message_pool", "attachments", "transcript", "timelines"];

const letterValues: { readonly [letter: string]: number } = { C: 1, I: 0, P: 0.5, N: 0 };

/** Returns a score's value as a number: letters, flags and words as Inspect reads them; lists and objects have none. */
function readScoreValue(value: unknown): RecordedNumber | undefined {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value !== "string") return getRecordedNumber(value);
  if (Object.hasOwn(letterValues, value)) return letterValues[value];
  const word = value.trim().toLowerCase();
  if (word === "yes" || word === "true") return 1;
  if (word === "no" || word === "false") return 0;
  return word !== "" && !Number.isNaN(Number(word)) ? tagNumber(Number(word)) : undefined;
}

/** What the scorers said. */
interface Judgement {
  readonly value?: RecordedNumber;
  readonly scores: { readonly [name: string]: RecordedNumber | boolean | string };
  /** The scorer that counts, of the ones the log has. */
  readonly grader?: string;
  readonly notes: readonly string[];
}

/** Takes the scorer that `successField` names, or the log's first; the others are kept as score parts. */
function readJudgement(sample: JsonObject, header: JsonObject, successField: string | undefined): Judgement {
  const { scores: listed, score: single } = sample;
  const scores = isJsonObject(listed) ? listed : isJsonObject(single) ? { score: single } : {};
  const names = Object.keys(scores);
  const declared = getList(getAt(header, "eval.scorers")).map((scorer) => getName(getAt(scorer, "name")) ?? "");
  const first = declared.find((name) => names.includes(name)) ?? names[0];
  const chosen = successField === undefined ? first : successField.replace(/^scores\./, "").replace(/\.value$/, "");
  const parts: Record<string, RecordedNumber | boolean | string> = {};
  for (const name of names) {
    const value = getAt(scores[name], "value");
    if (isJsonObject(value)) {
      for (const [key, part] of Object.entries(value))
        Object.assign(parts, getPresent({ [`${name}.${key}`]: readScoreValue(part) }));
    } else Object.assign(parts, getPresent({ [name]: readScoreValue(value) ?? getText(value) }));
  }
  const value =
    chosen === undefined ? undefined : readScoreValue(getAt(scores[chosen], "value") ?? getAt(scores, `${chosen}`));
  const notes =
    names.length > 1 ? [`Success is by scorer "${chosen}", of ${names.map((name) => `"${name}"`).join(", ")}`] : [];
  if (value === undefined && names.length > 0)
    notes.push(`Scorer "${chosen}" has no single number; success is unknown`);
  return { value, scores: parts, notes, grader: chosen === undefined ? undefined : `scorer "${chosen}"` };
}

function readBudget(header: JsonObject, sample: JsonObject): Budget {
  const limit = (name: string): number | undefined =>
    getNumber(sample[name]) ?? getNumber(getAt(header, `eval.config.${name}`));
  return (
    getPresent({
      maxTurns: limit("turn_limit"),
      maxTokens: limit("token_limit"),
      maxSeconds: limit("time_limit"),
      maxCost: limit("cost_limit"),
    }) ?? {}
  );
}

/** Translates the limit that ended a sample. */
function readLimit(type: string, limit: JsonObject): StopReason {
  switch (type) {
    case "turn":
    case "message":
      return { type: "max_turns" };
    case "token":
      return { type: "max_tokens" };
    case "time":
    case "working":
      return { type: "max_seconds" };
    case "cost":
      return { type: "max_cost" };
    case "context":
      return { type: "context_overflow" };
    case "operator":
      return {
        type: "error",
        boundary: "env",
        errorClass: "operator",
        message: getText(limit["reason"]) ?? "stopped by a person",
      };
    default:
      return { type: "unknown" };
  }
}

function readStop(sample: JsonObject, success: boolean | undefined): StopReason {
  const { error, limit } = sample;
  if (isJsonObject(error) || typeof error === "string") {
    const message = getText(error) ?? getText(getAt(error, "message")) ?? "";
    const isModel = /inspect_ai\/model\//.test(getText(getAt(error, "traceback")) ?? "");
    return {
      type: "error",
      boundary: isModel ? "policy" : "env",
      errorClass: /^\w+/.exec(message)?.[0] ?? "error",
      message,
    };
  }
  if (isJsonObject(limit)) return readLimit(getText(limit["type"]) ?? "", limit);
  if (getAt(sample, "output.choices.0.stop_reason") === "model_length") return { type: "context_overflow" };
  return createEnvEnd(success);
}

function* convertSample(
  sample: JsonObject,
  position: number,
  log: InspectLog,
  context: ImportContext,
): Generator<ImportItem> {
  const { source, options, samples } = context;
  const id = getName(sample["id"]);
  if (id === undefined || (!Array.isArray(sample["messages"]) && sample["input"] === undefined)) {
    yield skipped("not_a_record", `Sample ${position} has no "id" with "messages" or "input"`, position);
    return;
  }
  const attachments = getAttachments(sample);
  const taskName = getName(getAt(log.header, "eval.task")) ?? "unknown";
  const input = resolveAttachments(sample["input"] ?? null, attachments);
  const task = createTaskRef({ tool: "inspect", taskName, id, input }, id);
  const epoch = getCount(sample["epoch"]) ?? 1;
  const place = samples.claim(task.hash, Math.max(0, epoch - 1), sample);
  if (place === undefined) {
    yield skipped("duplicate", `Sample ${position} is a copy of an earlier one`, position);
    return;
  }
  if (place.isMoved)
    yield repaired(
      "duplicate",
      `Sample "${id}", epoch ${epoch}, occurs again; kept as sample ${place.index}`,
      position,
    );
  const read = readInspectMessages(sample, attachments);
  const judgement = readJudgement(sample, log.header, options.successField);
  const threshold = options.successThreshold ?? defaultThreshold;
  const number = untagNumber(judgement.value);
  const success = number === undefined || Number.isNaN(number) ? undefined : number >= threshold;
  const stopReason = readStop(sample, success);
  const eventCount = getList(sample["events"] ?? getAt(sample, "transcript.events")).length;
  const trajectory = createEpisode({
    format: "inspect",
    source,
    position,
    notes: [turnNote, ...read.notes, ...judgement.notes, ...noteSample(sample, log, eventCount)],
    task,
    sampleIndex: place.index,
    policy: { id: options.policyId ?? getName(getAt(log.header, "eval.model")) ?? "unknown" },
    env: { id: `inspect/${taskName}`, version: getName(getAt(log.header, "eval.task_version")) ?? "unknown" },
    budget: readBudget(log.header, sample),
    turns: read.turns,
    finalObservation: read.finalObservation,
    stopReason,
    // An errored sample can have been scored on request; its outcome still says nothing about the agent.
    success: stopReason.type === "error" ? undefined : success,
    scores: judgement.scores,
    grader: judgement.grader,
    episodeReturn: judgement.value,
    extra: addFinalObserved(getRest({ ...sample, input }, usedFields), read),
  });
  yield { type: "trajectory", trajectory, ...(place.isMoved ? {} : { isSampleStated: true }) };
}

function noteSample(sample: JsonObject, log: InspectLog, eventCount: number): string[] {
  const notes: string[] = [];
  const status = getText(log.header["status"]);
  if (!log.isFinished) notes.push("The log is unfinished");
  else if (status !== undefined && status !== "success") notes.push(`Status of the log: "${status}"`);
  const limit = getObject(sample["limit"]);
  if (limit["type"] !== undefined) notes.push(`Ended by a limit: ${getText(limit["reason"]) ?? JSON.stringify(limit)}`);
  const messageLimit = getNumber(sample["message_limit"]) ?? getNumber(getAt(log.header, "eval.config.message_limit"));
  if (messageLimit !== undefined) notes.push(`A limit of ${messageLimit} messages was in force`);
  const retries = getList(sample["error_retries"]).length;
  if (retries > 0) notes.push(`The sample was started again after ${retries} errors`);
  if (eventCount > 0) notes.push(`${eventCount} events of the transcript are left out`);
  return notes;
}

/** Says which episodes the log planned and does not hold. */
function findMissing(log: InspectLog, sampleCount: number): ImportItem | undefined {
  const ids = getList(getAt(log.header, "eval.dataset.sample_ids")).length;
  const perEpoch = ids > 0 ? ids : (getCount(getAt(log.header, "eval.dataset.samples")) ?? 0);
  const planned = perEpoch * (getCount(getAt(log.header, "eval.config.epochs")) ?? 1);
  const total = getCount(getAt(log.header, "results.total_samples")) ?? planned;
  const status = log.isFinished ? getText(log.header["status"]) : "unfinished";
  if (sampleCount >= total && sampleCount > 0) return undefined;
  return skipped(
    "missing_episodes",
    `The log holds ${sampleCount} of ${total} planned samples; its status is "${status ?? "not stated"}"`,
  );
}

/** Opens a log in either form. */
async function openLog(source: ImportSource): Promise<InspectLog> {
  refuseUnusable(source, { allowsZip: true });
  if (source.head[0] === 0x50 && source.head[1] === 0x4b) return openInspectArchive(source);
  const { value, problems } = await readJsonDocument(source);
  if (!isJsonObject(value) || !isJsonObject(value["eval"])) {
    throw wrongFormat(source, "inspect", describeValue(value), 'an archive, or an object with "eval" and "samples"');
  }
  const { samples, ...header } = value;
  return {
    header,
    problems,
    isFinished: header["status"] !== "started",
    samples: () =>
      getList(samples).map((sample) =>
        isJsonObject(sample) ? sample : skipped("not_a_record", "A sample is not an object"),
      ),
  };
}

function isProblem(item: JsonObject | ImportItem): item is ImportItem {
  return item["type"] === "problem" && "problemClass" in item;
}

/** Reads Inspect logs: `.eval` archives of any age, finished or not, and `.json`. */
export const inspectImporter: Importer = {
  format: "inspect",
  description: "Inspect AI logs (.eval, .json)",
  turnNote,
  detect({ name, head }) {
    const start = decodeHead(head);
    if (start.startsWith("PK"))
      return name.endsWith(".eval") || /(_journal\/start|header)\.json/.test(start) ? 0.98 : 0.2;
    const isLog = /^\s*\{/.test(start) && /"eval"\s*:\s*\{/.test(start) && /"(task_id|run_id|eval_id)"\s*:/.test(start);
    return isLog ? 0.95 : 0;
  },
  async *read(source, options) {
    const log = await openLog(source);
    yield* log.problems;
    const context = createImportContext(source, options);
    let position = 0;
    for (const item of log.samples()) {
      if (isProblem(item)) yield item;
      else yield* convertSafely(position, () => convertSample(item, position, log, context));
      position += 1;
    }
    const missing = findMissing(log, position);
    if (missing !== undefined) yield missing;
  },
};
