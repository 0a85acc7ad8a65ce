import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encodeVerlParquet, renderPlanPrompts, toEpisodeRows, toTrlRow, toVerlRow } from "../adapters/index.js";
import {
  describeSystemError,
  getSplit,
  inputError,
  usageError,
  type BudgetPlan,
  type Disclosure,
  type Env,
  type Task,
  type TerminalRule,
} from "../core/index.js";
import { planBudgetMix, summarizeBudgetPlan, type BudgetPlanSummary } from "../train/index.js";
import { drawTasks } from "./draw-tasks.js";
import { parseBudgetMix } from "./parse-budget-mix.js";
import { readTaskFile } from "./read-task-file.js";
import { resolveEnv } from "./resolve-env.js";

/** Forms in which a plan is written beside `plan.json`. */
export const budgetPlanExports = ["verl", "verl-parquet", "trl", "jsonl"] as const;
/** One of {@linkcode budgetPlanExports}. */
export type BudgetPlanExport = (typeof budgetPlanExports)[number];

/** What `turnwise budgetmix plan` does. */
export interface BudgetmixPlanOptions {
  /** Name of a built-in env, or a module file. */
  readonly env: string;
  /** As `parseBudgetMix()` reads it. */
  readonly mix: string;
  readonly updates: number;
  /** Episodes of an update. */
  readonly batchSize: number;
  readonly groupSize: number;
  readonly disclosure?: Disclosure;
  readonly terminalRule?: TerminalRule;
  /** Most turns the env gives; default: what the env declares. */
  readonly cap?: number;
  /** Tasks drawn from the env's train split; default 50. */
  readonly taskCount?: number;
  /** Default 1. */
  readonly level?: number;
  /** A JSONL file with tasks, in place of drawn ones. */
  readonly taskFile?: string;
  /** Default 1. */
  readonly seed?: number;
  readonly exports?: readonly BudgetPlanExport[];
  /** The agent loop named in verl's rows; default: none is named. */
  readonly agentName?: string;
  /** Folder; default `turnwise-runs/budgetmix-ENV-HASH`. */
  readonly output?: string;
}

/** What a plan consists of and where it was written. */
export interface BudgetmixPlanResult {
  readonly folder: string;
  readonly files: readonly string[];
  readonly plan: BudgetPlan;
  readonly summary: BudgetPlanSummary;
  /** Tasks of the file that belong to the eval split of the env and were left out. */
  readonly heldOut: number;
}

/** Returns the tasks to train on; of a file's tasks those that the env's own suites would evaluate with are left out. */
async function findTasks(
  env: Env,
  options: BudgetmixPlanOptions,
): Promise<{ readonly tasks: readonly Task[]; readonly heldOut: number }> {
  const { taskFile, taskCount = 50, level = 1, seed = 1 } = options;
  if (taskFile === undefined) {
    return { tasks: drawTasks(env, { split: "train", level, taskCount, seed }), heldOut: 0 };
  }
  const read = await readTaskFile(taskFile, env.id);
  if (env.makeTasks === undefined) return { tasks: read, heldOut: 0 };
  const tasks = read.filter(({ hash }) => getSplit(hash) === "train");
  if (tasks.length === 0)
    throw usageError(
      `Cannot train on the tasks of "${taskFile}": all of them belong to the eval split of env "${env.id}"`,
    );
  return { tasks, heldOut: read.length - tasks.length };
}

function toLines(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** Returns what is written, by file name. */
async function renderFiles(
  plan: BudgetPlan,
  {
    env,
    tasks,
    options,
  }: { readonly env: Env; readonly tasks: readonly Task[]; readonly options: BudgetmixPlanOptions },
): Promise<Map<string, string | Uint8Array>> {
  const { exports = [], agentName } = options;
  const used = new Set(plan.rows.map(({ taskHash }) => taskHash));
  const kept = tasks.filter(({ hash }) => used.has(hash)).map(({ id, family, data }) => ({ id, family, data }));
  const files = new Map<string, string | Uint8Array>([
    ["plan.json", `${JSON.stringify(plan, null, 1)}\n`],
    ["tasks.jsonl", toLines(kept)],
  ]);
  if (exports.includes("jsonl")) files.set("episodes.jsonl", toLines(toEpisodeRows(plan)));
  if (!exports.some((name) => name !== "jsonl")) return files;
  const verl = [];
  const trl = [];
  for await (const prompt of renderPlanPrompts(plan, env, tasks)) {
    verl.push(toVerlRow(plan, prompt, { index: verl.length, ...(agentName === undefined ? {} : { agentName }) }));
    trl.push(toTrlRow(plan, prompt));
  }
  if (exports.includes("verl")) files.set("verl.jsonl", toLines(verl));
  if (exports.includes("verl-parquet")) files.set("verl.parquet", await encodeVerlParquet(verl));
  if (exports.includes("trl")) files.set("trl.jsonl", toLines(trl));
  return files;
}

async function writeFiles(folder: string, files: ReadonlyMap<string, string | Uint8Array>): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    for (const [name, content] of files) {
      await writeFile(join(folder, `${name}.new`), content);
      await rename(join(folder, `${name}.new`), join(folder, name));
    }
  } catch (error) {
    throw inputError(
      `Cannot write the plan to "${folder}": ${describeSystemError(error)}`,
      "Name another folder with -o",
      error,
    );
  }
}

/**
 * Plans which task is played with which turn budget in which update, and writes the plan with its tasks, and the rows
 * that trainers take.
 *
 * @throws {TurnwiseError} (usage) for an unknown env, a mix that is none, a budget above the cap, a group of one, a batch
 * that groups do not divide; (input) for tasks that cannot be read or a folder that cannot be written.
 */
export async function budgetmixPlan(options: BudgetmixPlanOptions): Promise<BudgetmixPlanResult> {
  const mix = parseBudgetMix(options.mix);
  const env = await resolveEnv(options.env);
  const { tasks, heldOut } = await findTasks(env, options);
  const { updates, batchSize, groupSize, disclosure, terminalRule, cap, seed = 1 } = options;
  const plan = planBudgetMix({ env, tasks, mix, updates, batchSize, groupSize, disclosure, terminalRule, cap, seed });
  const folder = options.output ?? join("turnwise-runs", `budgetmix-${env.id}-${plan.hash.slice(0, 8)}`);
  const files = await renderFiles(plan, { env, tasks, options });
  await writeFiles(folder, files);
  return { folder, files: [...files.keys()], plan, summary: summarizeBudgetPlan(plan), heldOut };
}
