import type { JsonObject, StopReason, Trajectory, Turn } from "../../core/index.js";
import { isJsonObject } from "../../core/index.js";
import type { ImportContext } from "./episode.js";
import {
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
  getBaseName,
  getCount,
  getList,
  getName,
  getObject,
  getPresent,
  getRecordedNumber,
  getRest,
  getText,
} from "./fields.js";
import type { ImportItem, ImportSource, Importer } from "./importer.js";
import { readJsonDocument } from "../reading/jsonl.js";

const turnNote =
  "A turn is one command and the env's answer; every turn has its own reward. Success is a reward of exactly 1, and it lasts: " +
  "the tool grades an episode by its best turn.";

const historyFields = ["actions", "observations", "rewards", "valid_action", "thoughts"];

/** The turns of one record with what they say about its outcome. */
interface History {
  readonly turns: readonly Turn[];
  readonly finalText?: string;
  readonly hasRewards: boolean;
  readonly isSolved?: boolean;
  readonly notes: readonly string[];
}

/** Reads the lists of a model's run, one item a turn. Lists of other lengths leave the missing items unknown. */
function readHistory(query: string, history: JsonObject): History {
  const actions = getList(history["actions"]);
  const observations = getList(history["observations"]);
  const rewards = getList(history["rewards"]).map(getRecordedNumber);
  const notes: string[] = [];
  const lengths = [observations.length, rewards.length].filter((length) => length !== actions.length);
  if (lengths.length > 0)
    notes.push(
      `Lists of unequal length: ${actions.length} actions, ${observations.length} observations, ${rewards.length} rewards`,
    );
  const others = Object.entries(history).filter(([key, value]) => !historyFields.includes(key) && Array.isArray(value));
  let solvedAfter: boolean | undefined = false;
  const turns = actions.map((action, index): Turn => {
    const reward = rewards[index];
    const wasSolved: boolean = solvedAfter === true;
    solvedAfter =
      wasSolved || reward === 1 ? true : reward === undefined || typeof reward === "object" ? undefined : solvedAfter;
    if (wasSolved && reward !== 1)
      notes.push(`Turn ${index + 1} has a reward other than 1 after a solved turn; it stays solved`);
    const isInvalid = getList(history["valid_action"])[index] === false;
    const command = getText(action) ?? (action === null ? "" : JSON.stringify(action));
    return {
      observation: { text: index === 0 ? query : toText(observations[index - 1]) },
      action: {
        text: command,
        toolCalls: [{ name: "execute", rawArguments: command }],
        ...getPresent({ reasoning: getText(getList(history["thoughts"])[index]) }),
      },
      ...getPresent({ reward, solvedAfter }),
      ...(isInvalid ? { flags: { toolError: true } } : {}),
      ...getPresent({
        extra: getPresent(Object.fromEntries(others.map(([key, list]) => [key, getList(list)[index]]))),
      }),
    };
  });
  return {
    turns,
    finalText: observations.length < actions.length ? undefined : toText(observations[actions.length - 1]),
    hasRewards: rewards.length > 0,
    isSolved: solvedAfter,
    notes,
  };
}

/** Reads the steps of a person's run, which has one reward for the whole episode. */
function readSteps(query: string, steps: readonly unknown[]): History {
  const pairs = steps.map(getObject);
  const turns = pairs.map((step, index): Turn => {
    const command = toText(step["action"]);
    return {
      observation: { text: index === 0 ? query : toText(pairs[index - 1]["observation"]) },
      action: { text: command, toolCalls: [{ name: "execute", rawArguments: command }] },
      ...getPresent({ extra: getRest(step, ["action", "observation"]) }),
    };
  });
  return {
    turns,
    finalText: toText(pairs.at(-1)?.["observation"]),
    hasRewards: false,
    notes: ["One reward for the whole episode; turns have none"],
  };
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

const strategies = "multiturn|multi_turn|react|plan_solve_refine|plan_solve|singleturn|try_again";

/**
 * Returns the policy that a file's name and folder tell: the model, and the way of prompting unless it is the plain
 * one. Names are such as `ic_sql_multiturn_gpt-4_10_turns.json`, or `ic_sql_react_10_turns.json` in a folder `gpt-3.5`.
 */
function findPolicyId({ name, path }: ImportSource): string | undefined {
  const named = new RegExp(`^ic_[a-z]+_(?:(${strategies})(?:_|(?=\\.)))?(?:(.+?)[-_])?\\d+_turns`).exec(name);
  const strategy = named?.[1] ?? new RegExp(`^ic_[a-z]+_(${strategies})`).exec(name)?.[1];
  const model = named?.[2] ?? /(?:^|[\\/])(?:bash|sql|python|ctf)[\\/]([^\\/]+)[\\/][^\\/]+$/.exec(path)?.[1];
  if (model === undefined) return undefined;
  return strategy === undefined || /^multi_?turn$/.test(strategy) ? model : `${model} with ${strategy}`;
}

/** A task is its question and its number; Bash questions are asked over a file system that the data set's name tells. */
function createTask(record: JsonObject, query: string): Trajectory["task"] {
  const environment = getName(record["environment"]) ?? "intercode";
  const index = getName(record["task_id"]) ?? getName(record["query_idx"]);
  const dataset = environment === "ic_bash" ? getBaseName(getText(record["dataset"]) ?? "").replace(/\.json$/, "") : "";
  const content = { environment, query, ...getPresent({ index }), ...(dataset === "" ? {} : { dataset }) };
  return createTaskRef(content, index === undefined ? undefined : dataset === "" ? index : `${dataset}/${index}`);
}

/** Says how a graded run ended: the words that agents end it with are "submit" and "skip", "blocked" is a refused answer. */
function readStop(isSolved: boolean | undefined, turns: readonly Turn[], maxTurns: number | undefined): StopReason {
  if (isSolved === true) return createEnvEnd(true);
  const last = turns.at(-1)?.action.text.trim().toLowerCase();
  if (last === "submit") return createEnvEnd(isSolved);
  if (last === "skip") return { type: "quit" };
  if (last === "blocked") return { type: "env_end", kind: "env_fail" };
  return maxTurns !== undefined && turns.length >= maxTurns ? { type: "max_turns" } : { type: "unknown" };
}

/** Says where a record contradicts itself; what is then kept is in the message. */
function findContradictions(
  read: History,
  stated: boolean | undefined,
  maxTurns: number | undefined,
): [string, string][] {
  const found: [string, string][] = [];
  if (read.hasRewards && stated !== undefined && read.isSolved !== undefined && stated !== read.isSolved) {
    found.push([
      "contradiction",
      `The summary says ${stated ? "solved" : "not solved"}, the rewards of the turns say otherwise and count`,
    ]);
  }
  if (maxTurns !== undefined && read.turns.length > maxTurns) {
    found.push(["over_budget", `${read.turns.length} turns with a stated limit of ${maxTurns}; all are kept`]);
  }
  return found;
}

function* convertRecord(record: JsonObject, position: number, context: ImportContext): Generator<ImportItem> {
  const { source, options, samples } = context;
  const query = getText(record["query"]);
  const history = isJsonObject(record["turn_history"]) ? record["turn_history"] : undefined;
  const steps = Array.isArray(record["trajectory"]) ? getList(record["trajectory"]) : undefined;
  if (query === undefined || (history === undefined && steps === undefined)) {
    yield skipped("not_a_record", `Record ${position} has no "query" with a "turn_history" or "trajectory"`, position);
    return;
  }
  const task = createTask(record, query);
  const sample = samples.claim(task.hash, 0, record);
  if (sample === undefined) {
    yield skipped("duplicate", `Record ${position} is a copy of an earlier record`, position);
    return;
  }
  if (sample.isMoved)
    yield repaired("duplicate", `Record ${position} repeats a task; kept as sample ${sample.index}`, position);
  const read = history === undefined ? readSteps(query, steps ?? []) : readHistory(query, history);
  const summary = getObject(record["summary"]);
  const reward = getRecordedNumber(record["reward"]) ?? getRecordedNumber(summary["max_reward"]);
  const stated = typeof reward === "number" ? reward === 1 : undefined;
  const success = read.hasRewards ? read.isSolved : stated;
  const maxTurns = getCount(summary["turns_max"]);
  const contradictions = findContradictions(read, stated, maxTurns);
  for (const [problemClass, message] of contradictions)
    yield repaired(problemClass, `Record ${position}: ${message}`, position);
  const trajectory = createEpisode({
    format: "intercode",
    source,
    position,
    notes: [turnNote, ...read.notes, ...contradictions.map(([, message]) => message)],
    task,
    sampleIndex: sample.index,
    policy: { id: options.policyId ?? findPolicyId(source) ?? "unknown" },
    // In "handicap" runs the agent was shown the schema of the database: another env.
    env: {
      id: getName(record["environment"]) ?? "intercode",
      version: source.name.includes("handicap") ? "handicap" : "unknown",
    },
    budget: maxTurns === undefined ? {} : { maxTurns },
    // Each turn is graded, so a cut at T has the grade of the state reached; people's runs have one grade at the end.
    terminalRule: read.hasRewards ? "act" : "hard",
    turns: read.turns,
    finalObservation: read.finalText === undefined ? undefined : { text: read.finalText },
    stopReason: read.hasRewards ? readStop(success, read.turns, maxTurns) : createEnvEnd(success),
    success,
    episodeReturn: reward,
    extra: getRest(record, ["environment", "query", "turn_history", "trajectory"]),
  });
  yield { type: "trajectory", trajectory };
}

/** Reads InterCode result files: an object of records by position, from models (`turn_history`) or people (`trajectory`). */
export const intercodeImporter: Importer = {
  format: "intercode",
  description: "InterCode results (ic_*.json): Bash, SQL and other envs",
  turnNote,
  detect({ head }) {
    const start = decodeHead(head);
    if (/"turn_history"\s*:/.test(start) && /"query"\s*:/.test(start)) return 0.95;
    return /"environment"\s*:\s*"ic_/.test(start) ? 0.9 : 0;
  },
  async *read(source, options) {
    const { value, problems } = await readJsonDocument(source);
    // Plan-and-solve runs keep the records beside the settings of the run.
    const root = isJsonObject(value) && isJsonObject(value["meta"]) ? value["logs"] : value;
    const records: readonly unknown[] = Array.isArray(root) ? getList(root) : Object.values(getObject(root));
    if (!records.some((record) => "query" in getObject(record))) {
      throw wrongFormat(source, "intercode", describeValue(value), 'records with "query" and "turn_history"');
    }
    yield* problems;
    const context = createImportContext(source, options);
    for (const [position, record] of records.entries()) {
      yield* convertSafely(position, () => convertRecord(getObject(record), position, context));
    }
  },
};
