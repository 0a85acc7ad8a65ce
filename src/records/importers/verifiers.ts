import type { JsonObject, RecordedNumber, StopReason, Trajectory, Turn, TurnTokens } from "../../core/index.js";
import { isJsonObject } from "../../core/index.js";
import { readJsonRecords } from "../reading/jsonl.js";
import type { ImportContext } from "./episode.js";
import {
  addFinalObserved,
  convertSafely,
  createEnvEnd,
  createEpisode,
  createImportContext,
  createTaskRef,
  describeValue,
  judgeReward,
  readSiblingJson,
  readStatedOutcome,
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
  getNumbers,
  getObject,
  getPresent,
  getRecordedNumber,
  getRest,
  getText,
  isErrorText,
} from "./fields.js";
import type { ImportItem, Importer } from "./importer.js";
import { getContentText } from "./message-content.js";
import type { TranslatedMessages } from "./messages.js";
import { translateMessages } from "./messages.js";
import { convertTraceLine, isTraceLine } from "./verifiers-traces.js";

const turnNote =
  "A turn is one assistant message of the completion, or one sampled node of a v1 trace; retries inside the client are no turns. " +
  "A task is its question and answer, never the example id alone, which other data sets reuse.";

/** Reward from which verifiers counts an episode as solved, when its metadata states none. */
const defaultThreshold = 0.5;

const usedFields = ["prompt", "completion", "reward"];

/** Settings of a run, from `metadata.json` beside the results. */
interface RunSettings {
  readonly envId: string;
  readonly policyId: string;
  readonly threshold: number;
  readonly maxTurns?: number;
}

function readSettings(metadata: JsonObject, context: ImportContext): RunSettings {
  const { options, source } = context;
  // Result folders are named `<env>--<model>`, with `--` for the slash of a model id.
  const folder = /([^\\/]+?)--([^\\/]+)[\\/][^\\/]+[\\/][^\\/]+$/.exec(source.path);
  return {
    envId: getName(metadata["env_id"]) ?? getName(metadata["env"]) ?? folder?.[1] ?? "verifiers",
    policyId: options.policyId ?? getName(metadata["model"]) ?? folder?.[2].replaceAll("--", "/") ?? "unknown",
    threshold: options.successThreshold ?? getNumber(metadata["pass_threshold"]) ?? defaultThreshold,
    maxTurns: getCount(getAt(metadata, "env_args.max_turns")),
  };
}

/** Messages of a prompt or completion: a list, a JSON text of one, or the plain text of a completion model. */
function readMessages(value: unknown, role: string): readonly JsonObject[] {
  if (typeof value === "string") return value === "" ? [] : [{ role, content: value }];
  return getList(value).filter(isJsonObject);
}

/** A task is known by what the user asked and what the answer is; the system prompt is the scaffold's. */
function createTask(record: JsonObject, prompt: readonly JsonObject[]): Trajectory["task"] {
  const question = prompt
    .filter((message) => message["role"] !== "system")
    .map((message) => getContentText(message["content"]));
  const answer = getName(record["answer"]);
  return createTaskRef({ question, ...(answer === undefined ? {} : { answer }) });
}

/** Stop conditions that verifiers names, and what they mean here; a task's own names end the episode as the env does. */
function readStop(
  record: JsonObject,
  read: TranslatedMessages,
  settings: RunSettings,
  success: boolean | undefined,
): StopReason {
  const condition = getText(record["stop_condition"]);
  const error = record["error"];
  if (isJsonObject(error) || (typeof error === "string" && error !== "")) {
    const message =
      getText(error) ?? getText(getAt(error, "message")) ?? getText(getAt(error, "error_chain_str")) ?? "";
    return { type: "error", boundary: "env", errorClass: getName(getAt(error, "error")) ?? "error", message };
  }
  if (condition !== undefined) {
    if (/max_turns/.test(condition)) return { type: "max_turns" };
    if (/(max_(input|output|total)_tokens|token_limit)/.test(condition)) return { type: "max_tokens" };
    if (/(context_length|prompt_too_long|overlong)/.test(condition)) return { type: "context_overflow" };
    if (/(timeout|max_seconds)/.test(condition)) return { type: "max_seconds" };
    if (/has_error/.test(condition)) return { type: "error", boundary: "env", errorClass: condition, message: "" };
    return createEnvEnd(success);
  }
  if (settings.maxTurns !== undefined && read.turns.length >= settings.maxTurns) return { type: "max_turns" };
  // Without a stop condition an answer without calls is the end of the dialogue; a call left unanswered was cut off.
  const calls = read.turns.at(-1)?.action.toolCalls?.length ?? 0;
  return read.turns.length > 0 && calls === 0 && read.finalObservation === undefined
    ? createEnvEnd(success)
    : { type: "unknown" };
}

function* convertRecord(
  record: JsonObject,
  line: number,
  settings: RunSettings,
  context: ImportContext,
): Generator<ImportItem> {
  const { source, options, samples } = context;
  if (record["prompt"] === undefined && record["completion"] === undefined) {
    yield skipped("not_a_record", `Line ${line} has neither "prompt" nor "completion"`, line);
    return;
  }
  const prompt = readMessages(record["prompt"], "user");
  const completion = readMessages(record["completion"], "assistant");
  const toolNames = readToolNames(record);
  const read = translateMessages([...prompt, ...completion], {
    // Answers that stand in the prompt are examples or history, not turns of this episode.
    getRole: (message, index) => (index < prompt.length && message["role"] === "assistant" ? "user" : undefined),
    toolNames,
    isToolError: (message) => message["is_error"] === true || isErrorText(getContentText(message["content"])),
  });
  const steps = getList(record["trajectory"]);
  const stated = readStatedOutcome(record, options);
  const reward = stated.reward ?? getRecordedNumber(record["reward"]);
  const success = stated.success ?? judgeReward(reward, settings.threshold);
  const stopReason = readStop(record, read, settings, success);
  const notes = [
    turnNote,
    ...read.notes,
    `Solved is a reward of at least ${settings.threshold}`,
    'Tool errors are told by texts that begin with "Error"',
  ];
  if (settings.maxTurns === undefined) notes.push("The turn limit of the run is not recorded");
  if (record["is_truncated"] === true) notes.push("The source marks the episode as truncated");
  const task = createTask(record, prompt);
  const trajectory = createEpisode({
    format: "verifiers",
    source,
    position: line,
    notes,
    task: stated.taskId === undefined ? task : createTaskRef({ taskId: stated.taskId }, stated.taskId),
    sampleIndex: samples.next(task.hash),
    policy: { id: settings.policyId },
    env: { id: settings.envId, version: getName(getAt(record, "version_info.env_version")) ?? "unknown" },
    budget: settings.maxTurns === undefined ? {} : { maxTurns: settings.maxTurns },
    turns: addSteps(read.turns, steps),
    finalObservation: read.finalObservation,
    stopReason,
    success: stopReason.type === "error" ? undefined : success,
    scores: readScores(record),
    episodeReturn: reward,
    extra: addFinalObserved(
      getRest(record, areStepsTurns(read.turns, steps) ? [...usedFields, "trajectory"] : usedFields),
      read,
    ),
  });
  yield { type: "trajectory", trajectory };
}

/** Returns the names of the tools that the record lists, or `undefined` when it lists none. */
function readToolNames(record: JsonObject): ReadonlySet<string> | undefined {
  const listed = [...getList(record["tool_defs"]), ...getList(getAt(record, "info.oai_tools"))];
  const names = listed.map((tool) => getName(getAt(tool, "function.name")) ?? getName(getAt(tool, "name")));
  const known = names.filter((name) => name !== undefined);
  return known.length === 0 ? undefined : new Set(known);
}

/** Numbers beside the reward: `metrics`, which older releases wrote only as fields of the record. */
function readScores(record: JsonObject): Trajectory["scores"] {
  const notScores = ["id", "example_id", "reward"];
  const fields = isJsonObject(record["metrics"])
    ? Object.entries(record["metrics"])
    : Object.entries(record).filter(([key]) => !notScores.includes(key) && !key.endsWith("_ms"));
  return getNumbers(fields);
}

/** Says whether a record's steps stand for its turns one by one. */
function areStepsTurns(turns: readonly Turn[], steps: readonly unknown[]): boolean {
  return steps.length > 0 && steps.length === turns.length;
}

/** Gives each turn what its step holds beside the messages: sampled tokens, reward, advantage, the raw response. */
function addSteps(turns: readonly Turn[], steps: readonly unknown[]): readonly Turn[] {
  if (!areStepsTurns(turns, steps)) return turns;
  return turns.map((turn, index) => {
    const step = getObject(steps[index]);
    const kept = getRest(step, ["prompt", "completion", "tokens"]);
    const extra = kept === undefined ? turn.extra : { ...turn.extra, step: kept };
    return { ...turn, ...getPresent({ tokens: readTokens(getObject(step["tokens"])), extra }) };
  });
}

function readTokens(tokens: JsonObject): TurnTokens | undefined {
  const ids = getList(tokens["completion_ids"]).map(getCount);
  if (ids.length === 0 || ids.includes(undefined)) return undefined;
  const logProbs = getList(tokens["completion_logprobs"]).map(getRecordedNumber);
  const isComplete = logProbs.length === ids.length && !logProbs.includes(undefined);
  const promptIds = getList(tokens["prompt_ids"]).map(getCount);
  return {
    ids: ids as number[], // checked above
    ...(isComplete ? { logProbs: logProbs as RecordedNumber[] } : {}), // checked above
    ...(promptIds.length > 0 && !promptIds.includes(undefined) ? { promptIds: promptIds as number[] } : {}), // checked here
  };
}

/** Reads verifiers result files: legacy `results.jsonl` with its `metadata.json`, and v1 `traces.jsonl`. */
export const verifiersImporter: Importer = {
  format: "verifiers",
  description: "verifiers evaluations (results.jsonl with metadata.json, v1 traces.jsonl)",
  turnNote,
  detect({ head }) {
    const start = decodeHead(head);
    if (!/^\s*\{/.test(start)) return 0;
    if (/"traces"\s*:\s*\[/.test(start) && /"nodes"\s*:/.test(start)) return 0.95;
    if (/"nodes"\s*:\s*\[/.test(start) && /"sampled"\s*:/.test(start)) return 0.9;
    const hasDialogue = /"prompt"\s*:\s*[["]/.test(start) && /"completion"\s*:\s*[["]/.test(start);
    if (!hasDialogue) return 0;
    return /"(example_id|generation_ms|is_completed|stop_condition)"\s*:/.test(start)
      ? 0.95
      : /"reward"\s*:/.test(start)
        ? 0.7
        : 0.3;
  },
  async *read(source, options) {
    const context = createImportContext(source, options);
    const metadata = await readSiblingJson(source, ["metadata.json"]);
    const config = await readSiblingJson(source, ["configs/eval.json", "config.json"]);
    const settings = readSettings(getObject(metadata.value), context);
    const problems: ImportItem[] = [...metadata.problems];
    let foundCount = 0;
    for await (const item of readJsonRecords(source)) {
      if (item.type === "problem") {
        problems.push(item);
        continue;
      }
      if (foundCount === 0 && !isTraceLine(item.record) && item.record["completion"] === undefined) {
        throw wrongFormat(source, "verifiers", describeValue(item.record), 'records with "completion" or "traces"');
      }
      foundCount += 1;
      yield* problems.splice(0);
      const { record, line } = item;
      yield* convertSafely(line, () =>
        isTraceLine(record)
          ? convertTraceLine(record, line, getObject(config.value), turnNote, context)
          : convertRecord(record, line, settings, context),
      );
    }
    if (foundCount === 0) throw wrongFormat(source, "verifiers", "no records", 'records with "completion" or "traces"');
    yield* problems;
  },
};
