import { join } from "node:path";
import { inspect } from "node:util";
import {
  errorMessage,
  freezeDeep,
  inputError,
  usageError,
  writeCount,
  type Env,
  type PoolCard,
  type Task,
  type Trajectory,
  type TurnwiseError,
} from "../core/index.js";
import { buildErrorPool, injectErrors, type PoolErrorJudge, type PoolSource } from "../evaluate/index.js";
import { writePool } from "../records/index.js";
import { isModulePath, loadExport } from "./load-module.js";
import { getPackageVersion } from "./package-version.js";
import { readTaskFile } from "./read-task-file.js";
import { builtInEnvNames, resolveEnv } from "./resolve-env.js";
import { checkRates } from "./rule-rates.js";
import type { RunEvents } from "./run-events.js";
import { openRun, type OpenedRun } from "./run-tasks.js";

/** What `turnwise pool errors` does. */
export interface PoolErrorsOptions {
  /** Env name or module file; default: the built-in env that the runs name. */
  readonly env?: string;
  /** A file with the runs' tasks, where they were not drawn from the env. */
  readonly taskFile?: string;
  /** Module that exports a `rule`: `{ id, sensitivity, specificity, checkedCount, findError(episode) }`. */
  readonly rule?: string;
  /** Most prefixes of one task and producer; default 4. */
  readonly perTask?: number;
  /** Cuts producers to the number of the one with fewest prefixes; default true. */
  readonly isBalanced?: boolean;
  /** Least turns beyond the distance after the error that the producer had left; default 0. */
  readonly minSlack?: number;
  /** Regret above which a choice is an error where the env knows no distance; default .05. */
  readonly regretThreshold?: number;
  /** Visited states drawn for each task and producer; default 2. */
  readonly statesPerTask?: number;
  /** Adds a producer that plays best but for one error, at each of these turns (0-based). */
  readonly injectionTurns?: readonly number[];
  /** Turn limit of the injected episodes; default 32. */
  readonly injectionBudget?: number;
  /** Default 1. */
  readonly seed?: number;
  /** Pool folder; default `turnwise-runs/pool-ENV-HASH`. */
  readonly output?: string;
  readonly events?: RunEvents;
}

/** A pool that was written. */
export interface PoolErrorsResult {
  readonly folder: string;
  readonly card: PoolCard;
}

function isJudge(value: unknown): value is PoolErrorJudge {
  if (typeof value !== "object" || value === null) return false;
  const { id, findError } = value as Partial<PoolErrorJudge>; // read as a rule to see whether it is one
  return typeof id === "string" && typeof findError === "function";
}

/** Returns the rule with its faults named: what it throws and what it must not return are faults of the user's file. */
function guardJudge(path: string, rule: PoolErrorJudge): PoolErrorJudge {
  const { id, sensitivity, specificity, checkedCount } = rule;
  const refuse = (episode: Trajectory, found: string, cause?: unknown): TurnwiseError =>
    inputError(
      `Cannot use the rule "${id}" in "${path}": findError() ${found}, on episode "${episode.episodeId}" of task "${episode.task.id}" (${writeCount(episode.turns.length, "turn")})`,
      "It must return the 0-based turn of the first error, or undefined when there is none",
      cause,
    );
  return {
    id,
    sensitivity,
    specificity,
    checkedCount,
    async findError(episode) {
      let first: unknown;
      try {
        first = await rule.findError(freezeDeep(episode));
      } catch (error) {
        throw refuse(episode, `threw: ${errorMessage(error)}`, error);
      }
      if (first === undefined) return undefined;
      if (typeof first === "number" && Number.isInteger(first) && first >= 0 && first < episode.turns.length)
        return first;
      throw refuse(episode, `returned ${inspect(first, { depth: 1, breakLength: Infinity }).slice(0, 80)}`);
    },
  };
}

async function loadJudge(path: string): Promise<PoolErrorJudge> {
  if (!isModulePath(path))
    throw usageError(`Cannot load a rule from "${path}": it is no module file`, "Name a file such as ./my-rule.js");
  const value = await loadExport(path, ["rule", "judge", "default"], "a rule");
  if (isJudge(value)) {
    checkRates(path, value);
    return guardJudge(path, value);
  }
  throw inputError(
    `Cannot load a rule from "${path}": what it exports has no id and findError()`,
    "Export { id, sensitivity, specificity, checkedCount, findError(episode) }; findError returns the 0-based turn of the first error or undefined",
  );
}

async function chooseEnv(runs: readonly OpenedRun[], named: string | undefined): Promise<Env> {
  if (named !== undefined) return resolveEnv(named);
  const ids = [...new Set(runs.map((run) => run.envId))];
  if (ids.length > 1)
    throw usageError(
      `Cannot pool runs of different envs: ${ids.map((id) => `"${id}"`).join(", ")}`,
      "Build a pool for each env",
    );
  if (builtInEnvNames.includes(ids[0])) return resolveEnv(ids[0]);
  throw usageError(
    `Cannot find env "${ids[0]}" of the run`,
    "Prefixes are played again to be checked: name the env's module with --env ./my-env.js. Without the env, turnwise signals and turnwise attribute --rule read errors from the episodes as they are",
  );
}

function createInjection(
  env: Env,
  sources: readonly PoolSource[],
  turns: readonly number[],
  maxTurns: number,
  seed: number,
): PoolSource {
  const tasks = new Map(sources.flatMap((source) => [...source.tasks]));
  if (tasks.size === 0)
    throw usageError(
      "Cannot inject errors: the content of the runs' tasks is not known",
      "Name the file with the tasks: --tasks-file tasks.jsonl",
    );
  const list: readonly Task[] = [...tasks.values()];
  return {
    name: "injected",
    tasks,
    read: (): AsyncIterable<Trajectory> => injectErrors(env, list, { turns, maxTurns, seed }),
  };
}

/**
 * Builds an error pool from run folders and writes it: frozen and hashed, before any solver plays it.
 *
 * @throws {TurnwiseError} (usage) for runs of different envs, an env or rule that is not known; (input) for runs that
 * cannot be read or continued, no usable error, or a folder that holds another pool.
 */
export async function poolErrors(
  inputs: readonly string[],
  options: PoolErrorsOptions = {},
): Promise<PoolErrorsResult> {
  if (inputs.length === 0)
    throw usageError("Cannot build an error pool from nothing", "Name run folders: turnwise pool errors RUN...");
  const {
    taskFile,
    rule,
    injectionTurns,
    injectionBudget = 32,
    seed = 1,
    perTask,
    isBalanced,
    minSlack,
    regretThreshold,
    statesPerTask,
  } = options;
  const runs: OpenedRun[] = [];
  for (const input of inputs) runs.push(await openRun(input));
  const env = await chooseEnv(runs, options.env);
  const judge = rule === undefined ? undefined : await loadJudge(rule);
  const tasks = taskFile === undefined ? [] : await readTaskFile(taskFile, env.id);
  const sources = runs.map((run) => run.toPoolSource(env, tasks));
  const injection = injectionTurns === undefined ? undefined : { turns: injectionTurns, maxTurns: injectionBudget };
  const late = injection?.turns.filter((turn) => turn >= injectionBudget) ?? [];
  if (late.length > 0) {
    throw usageError(
      `Cannot inject an error at turn ${late.join(", ")}: injected episodes have ${writeCount(injectionBudget, "turn")}, counted from 0`,
      `Name turns up to ${injectionBudget - 1}, or allow more with --inject-budget`,
    );
  }
  if (injection !== undefined) sources.push(createInjection(env, sources, injection.turns, injection.maxTurns, seed));
  options.events?.onMessage?.(
    `Reading ${inputs.length} ${inputs.length === 1 ? "run" : "runs"} and playing their errors again`,
  );
  const pool = await buildErrorPool(env, sources, {
    seed,
    turnwiseVersion: getPackageVersion(),
    ...(judge === undefined ? {} : { judge }),
    ...(injection === undefined ? {} : { injection }),
    ...(perTask === undefined ? {} : { perTask }),
    ...(isBalanced === undefined ? {} : { isBalanced }),
    ...(minSlack === undefined ? {} : { minSlack }),
    ...(regretThreshold === undefined ? {} : { regretThreshold }),
    ...(statesPerTask === undefined ? {} : { statesPerTask }),
  });
  const folder = options.output ?? join("turnwise-runs", `pool-${env.id}-${pool.card.poolHash.slice(0, 8)}`);
  await writePool(folder, pool);
  return { folder, card: pool.card };
}
