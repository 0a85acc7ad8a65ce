import type { JsonObject, RecordedNumber, StopReason } from "../../core/index.js";
import { isJsonObject, untagNumber } from "../../core/index.js";
import { readJsonDocument } from "../reading/jsonl.js";
import type { ImportContext } from "./episode.js";
import {
  addFinalObserved,
  createEnvEnd,
  createEpisode,
  createImportContext,
  createTaskRef,
  describeValue,
  convertSafely,
  readSiblingJson,
  readStatedOutcome,
  repaired,
  skipped,
  tryReadJson,
  wrongFormat,
} from "./episode.js";
import {
  decodeHead,
  getAt,
  getCount,
  getList,
  getName,
  getNumbers,
  getObject,
  getPresent,
  getRecordedNumber,
  getRest,
  getText,
} from "./fields.js";
import { isAtif, joinContinuations, readSteps } from "./harbor-atif.js";
import type { ImportItem, ImportSource, Importer } from "./importer.js";

const turnNote =
  "A turn is one step of the agent: one model call and the calls or keystrokes it gave, with their results. " +
  "Steps without a model call and steps copied as context are no turns. Solved is a reward of 1.";

const defaultThreshold = 1;

/** A trial: its result beside its trajectory, either of which can be missing. */
interface Trial {
  readonly source: ImportSource;
  readonly result?: JsonObject;
  readonly trajectory?: JsonObject;
  /** What `verifier/reward.txt` or `reward.json` holds. */
  readonly rewards?: JsonObject;
  readonly notes: readonly string[];
}

/** Reads the verifier's own files, which exist also when the result does not name the reward. */
async function readRewardFiles(source: ImportSource, folder: string): Promise<JsonObject | undefined> {
  const document = await readSiblingJson(source, [`${folder}verifier/reward.json`, `${folder}verifier/reward.txt`]);
  if (isJsonObject(document.value)) return document.value;
  return typeof document.value === "number" ? { reward: document.value } : undefined;
}

/** The reward named `reward`, or the only one; of several others none is the reward. */
function readReward(rewards: JsonObject): RecordedNumber | undefined {
  const values = Object.values(rewards);
  return getRecordedNumber(rewards["reward"]) ?? (values.length === 1 ? getRecordedNumber(values[0]) : undefined);
}

/**
 * Says how a trial ended. A time limit of the agent is a limit, and can come with a full reward; a time limit of the
 * verifier or a failed environment is an error.
 */
function readStop(exception: JsonObject, success: boolean | undefined, isGraded: boolean): StopReason {
  const type = getName(exception["exception_type"]);
  if (type === undefined) return createEnvEnd(success);
  if (/AgentTimeout/i.test(type)) return { type: "max_seconds" };
  if (/(ContextLength|ContextWindow)/i.test(type)) return { type: "context_overflow" };
  if (/(MaxTurns|TurnLimit)/i.test(type)) return { type: "max_turns" };
  if (/(OutputLength|MaxTokens|TokenLimit)/i.test(type)) return { type: "max_tokens" };
  if (isGraded && success === true) return createEnvEnd(true);
  const boundary = /(Verifier|Reward)/i.test(type)
    ? "scorer"
    : /(Agent|LLM|Model|API|Rate|Auth)/i.test(type)
      ? "policy"
      : "env";
  return { type: "error", boundary, errorClass: type, message: getText(exception["exception_message"]) ?? "" };
}

function* convertTrial(trial: Trial, position: number | undefined, context: ImportContext): Generator<ImportItem> {
  const { options, samples } = context;
  const { source, result = {}, trajectory = {} } = trial;
  const read = readSteps(trajectory);
  const rewards = isJsonObject(getAt(result, "verifier_result.rewards"))
    ? getObject(getAt(result, "verifier_result.rewards"))
    : (trial.rewards ?? {});
  const stated = readStatedOutcome(trial.result ?? trajectory, options);
  const reward = stated.reward ?? readReward(rewards);
  const value = untagNumber(reward);
  const success =
    stated.success ??
    (value === undefined || Number.isNaN(value) ? undefined : value >= (options.successThreshold ?? defaultThreshold));
  const exception = getObject(result["exception_info"]);
  const stopReason = readStop(exception, success, reward !== undefined);
  const taskName = stated.taskId ?? getName(result["task_name"]) ?? getName(trajectory["session_id"]) ?? source.name;
  const checksum = getName(result["task_checksum"]);
  const task = createTaskRef({ tool: "harbor", taskName, ...(checksum === undefined ? {} : { checksum }) }, taskName);
  const agent = getObject(trajectory["agent"]);
  const model =
    getName(getAt(result, "agent_info.model_info.name")) ?? getName(agent["model_name"]) ?? findStepModel(read.steps);
  const agentName = getName(getAt(result, "agent_info.name")) ?? getName(agent["name"]);
  const notes = [turnNote, ...trial.notes, ...read.notes];
  if (reward === undefined) notes.push("No reward: the tool's own pass@k counts it as 0; here success is unknown");
  if (exception["exception_type"] !== undefined)
    notes.push(`Exception: "${getName(exception["exception_type"]) ?? ""}"`);
  if (trial.trajectory === undefined) {
    notes.push("The trial has no trajectory file; kept without turns");
    yield repaired(
      "no_turns",
      `Trial "${getName(result["trial_name"]) ?? source.name}" has no trajectory; kept without turns`,
      position,
    );
  }
  const trajectoryRecord = createEpisode({
    format: "harbor",
    source,
    position,
    notes,
    task,
    sampleIndex: samples.next(task.hash),
    policy: { id: options.policyId ?? namePolicy(model, agentName) },
    env: { id: getName(result["source"]) ?? "harbor", version: checksum ?? "unknown" },
    budget: getPresent({ maxTurns: getCount(getAt(result, "config.agent.kwargs.max_turns")) }) ?? {},
    turns: read.turns,
    finalObservation: read.finalObservation,
    stopReason,
    success: stopReason.type === "error" ? undefined : success,
    scores: getNumbers(Object.entries(rewards)),
    episodeReturn: reward,
    extra: addFinalObserved(getPresent({ result: trial.result, trajectory: getRest(trajectory, ["steps"]) }), read),
  });
  yield { type: "trajectory", trajectory: trajectoryRecord };
}

/** Model and scaffold make the policy; what is not known is left out. */
function namePolicy(model: string | undefined, agentName: string | undefined): string {
  const names = [model, agentName].filter((name) => name !== undefined);
  return names.length === 0 ? "unknown" : names.join(" with ");
}

function findStepModel(steps: readonly JsonObject[]): string | undefined {
  return steps.map((step) => getName(step["model_name"])).find((name) => name !== undefined);
}

/** Reads a trial by its `result.json`; `folder` is where it lies, seen from the source. */
async function* readTrial(
  result: JsonObject,
  folder: string,
  position: number | undefined,
  context: ImportContext,
): AsyncGenerator<ImportItem> {
  const { source } = context;
  const document = await readSiblingJson(source, [`${folder}agent/trajectory.json`]);
  yield* document.problems;
  const file = await source.sibling(`${folder}agent/trajectory.json`);
  const joined =
    isAtif(document.value) && file !== undefined ? await joinContinuations(document.value, file) : undefined;
  if (joined !== undefined) yield* joined.problems;
  const trial: Trial = {
    source,
    result,
    trajectory: joined?.root,
    rewards: await readRewardFiles(source, folder),
    notes: joined?.notes ?? [],
  };
  yield* convertSafely(position, () => convertTrial(trial, position, context));
}

/** Reads a trajectory on its own; its trial's result lies one folder up. */
async function* readTrajectory(root: JsonObject, context: ImportContext): AsyncGenerator<ImportItem> {
  const { source } = context;
  const joined = await joinContinuations(root, source);
  yield* joined.problems;
  const result = await readSiblingJson(source, ["../result.json"]);
  yield* result.problems;
  const trial: Trial = {
    source,
    result: isTrialResult(result.value) ? result.value : undefined,
    trajectory: joined.root,
    rewards: await readRewardFiles(source, "../"),
    notes: joined.notes,
  };
  yield* convertSafely(undefined, () => convertTrial(trial, undefined, context));
}

function isTrialResult(value: unknown): value is JsonObject {
  return isJsonObject(value) && (value["trial_name"] !== undefined || value["task_name"] !== undefined);
}

/** Returns the names of a job's trials, from its list of results or its statistics, each once. */
function listTrialNames(job: JsonObject): string[] {
  const listed = getList(job["trial_results"]).map((trial) => getName(getAt(trial, "trial_name")));
  const evals = Object.values(getObject(getAt(job, "stats.evals")));
  const counted = evals
    .flatMap((stats) => [getAt(stats, "reward_stats"), { exceptions: getAt(stats, "exception_stats") }])
    .flatMap((stats) =>
      Object.values(getObject(stats)).flatMap((byValue) =>
        Object.values(getObject(byValue)).flatMap((names) => getList(names).map(getName)),
      ),
    );
  return [...new Set([...listed, ...counted].filter((name) => name !== undefined))];
}

async function* readJob(job: JsonObject, context: ImportContext): AsyncGenerator<ImportItem> {
  const inline = new Map(
    getList(job["trial_results"]).map((trial) => [getName(getAt(trial, "trial_name")), getObject(trial)]),
  );
  for (const [position, name] of listTrialNames(job).entries()) {
    const document = await readSiblingJson(context.source, [`${name}/result.json`]);
    yield* document.problems;
    const result = isTrialResult(document.value) ? document.value : inline.get(name);
    if (result === undefined)
      yield skipped("missing_file", `Trial "${name}" is listed, but "${name}/result.json" cannot be read`, position);
    else yield* readTrial(result, `${name}/`, position, context);
  }
}

/** Reads Harbor: ATIF trajectories of every version, a trial's `result.json`, or a whole job by its `result.json`. */
export const harborImporter: Importer = {
  format: "harbor",
  description: "Harbor: ATIF trajectory.json, or the result.json of a trial or job",
  turnNote,
  detect({ name, head }) {
    const start = decodeHead(head);
    if (/"schema_version"\s*:\s*"ATIF-/.test(start)) return 0.98;
    if (/"trial_name"\s*:/.test(start) && /"(agent_info|task_checksum|verifier_result)"\s*:/.test(start)) return 0.9;
    return name === "result.json" && /"n_total_trials"\s*:/.test(start) ? 0.9 : 0;
  },
  async listParts(source) {
    const { value } = await tryReadJson(source);
    if (isAtif(value)) return [getText(value["continued_trajectory_ref"]) ?? []].flat();
    if (isTrialResult(value)) return ["agent/trajectory.json"];
    return listTrialNames(getObject(value)).flatMap((name) => [`${name}/result.json`, `${name}/agent/trajectory.json`]);
  },
  async *read(source, options) {
    const { value, problems } = await readJsonDocument(source);
    const context = createImportContext(source, options);
    const isJob = isJsonObject(value) && (Array.isArray(value["trial_results"]) || isJsonObject(value["stats"]));
    if (!isAtif(value) && !isTrialResult(value) && !isJob) {
      throw wrongFormat(source, "harbor", describeValue(value), "an ATIF trajectory, or the result of a trial or job");
    }
    yield* problems;
    if (isAtif(value)) yield* readTrajectory(value, context);
    else if (isTrialResult(value)) yield* readTrial(value, "", undefined, context);
    else if (isJsonObject(value)) {
      if (listTrialNames(value).length === 0)
        throw wrongFormat(source, "harbor", "a job without trials", "a job whose result names its trials");
      yield* readJob(value, context);
    }
  },
};
