// internal
import {
  findBudgetNotices,
  isJsonObject,
  type BudgetRollout,
  type JsonObject,
  type JsonValue,
  type RolloutEnd,
  type ToldBudget,
} from "../../core/index.js";
import { getCount, getName, getNumber, getObject, getText } from "../importers/fields.js";

/** Names of the fields that rows of a plan carry, and that trainers hand on to their dumps. */
export const planFields = [
  "group_key",
  "task_id",
  "task_hash",
  "max_turns",
  "env_seed",
  "sampling_seed",
  "update",
  "turns",
  "assistant_turns",
  "num_turns",
  "stop_reason",
  "response_tokens",
  "completion_tokens",
  "acc",
  "success",
  "solved",
] as const;

function parseObject(value: JsonValue | undefined): JsonObject {
  if (typeof value !== "string") return getObject(value);
  try {
    const parsed: unknown = JSON.parse(value);
    return isJsonObject(parsed) ? parsed : {};
  } catch {
    return {}; // text that is no JSON carries no fields
  }
}

/** Returns the fields of a record with those of its `extra_info`, which may be an object or JSON text; its own come first. */
export function openExtraInfo(record: JsonObject): JsonObject {
  return { ...parseObject(record["extra_info"]), ...record };
}

/** Returns a whole number, also one that a parquet or reward column keeps as a decimal or as text. */
function readCount(value: JsonValue | undefined): number | undefined {
  return getCount(typeof value === "string" && value.trim() !== "" ? Number(value) : value);
}

/**
 * Returns the turns of the policy. verl's `num_turns` counts the prompt, every answer and every observation:
 * T answers with T-1 or T observations between and after them make 2T or 2T+1. Below 2 it counts something else.
 */
function readTurns(record: JsonObject): number | undefined {
  const own = readCount(record["turns"]) ?? readCount(record["assistant_turns"]);
  if (own !== undefined) return own;
  const counted = readCount(record["num_turns"]);
  return counted === undefined || counted < 2 ? undefined : Math.floor(counted / 2);
}

function readEnd(value: JsonValue | undefined): RolloutEnd | undefined {
  const text = getText(value);
  if (text === undefined) return undefined;
  switch (text) {
    case "quit":
    case "max_turns":
    case "error":
      return text;
    case "solved":
    case "wrong_final":
    case "env_fail":
    case "env_end":
    case "ended":
    case "done":
      return "ended";
    default:
      return "other";
  }
}

function readSuccess(record: JsonObject): boolean | undefined {
  for (const name of ["success", "solved", "acc"]) {
    const value = record[name];
    if (typeof value === "boolean") return value;
    if (value === 0 || value === 1) return value === 1;
  }
  return undefined;
}

/** Returns the budget that a row's `data_source` names, e.g. 8 in `lookup/T8`. */
function readSourceBudget(value: JsonValue | undefined): number | undefined {
  const match = /(?:^|[/_-])T(\d+)$/.exec(getText(value) ?? "");
  return match === null ? undefined : Number(match[1]);
}

function defined<Fields extends object>(fields: Fields): Partial<Fields> {
  // The same fields without those that are undefined.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;
}

/** Returns what a record of any trainer says by the names that rows of a plan use. */
export function readPlanFields(record: JsonObject): Omit<BudgetRollout, "place"> {
  return defined({
    group: getName(record["group_key"]),
    taskId: getName(record["task_id"]),
    taskHash: getText(record["task_hash"]),
    maxTurns: readCount(record["max_turns"]) ?? readSourceBudget(record["data_source"]),
    update: readCount(record["update"]),
    envSeed: readCount(record["env_seed"]),
    samplingSeed: readCount(record["sampling_seed"]),
    turns: readTurns(record),
    tokens: readCount(record["response_tokens"]) ?? readCount(record["completion_tokens"]),
    end: readEnd(record["stop_reason"]),
    success: readSuccess(record),
  });
}

/** Returns the budgets told in texts that follow one another; countdowns are counted on from turn to turn. */
export function readTold(texts: readonly string[]): ToldBudget[] {
  let lefts = 0;
  return texts.flatMap(findBudgetNotices).map((notice) => {
    if (notice.kind === "all") return { ...notice, turnIndex: 0 };
    lefts += 1;
    return { ...notice, turnIndex: lefts - 1 };
  });
}

/** What ends the first answer in a decoded transcript: an end token, or the role that speaks next. */
const answerEnd =
  /<\|im_end\|>|<\|eot_id\|>|<end_of_turn>|<\/s>|\n(?:<\|im_start\|>)?(?:user|tool|system|assistant|observation)\s*\n|<tool_response>/;

/** Returns the first answer in a decoded transcript without its reasoning; `undefined` when it is empty. */
export function readFirstAnswer(text: string): string | undefined {
  const answer = text
    .split(answerEnd, 1)[0]
    .replace(/<think>[\s\S]*?<\/think>/g, "")
    .trim();
  return answer === "" ? undefined : answer;
}

/** Returns a reward, also one that was written as text. */
export function readReward(value: JsonValue | undefined): number | undefined {
  return getNumber(typeof value === "string" && value.trim() !== "" ? Number(value) : value);
}
