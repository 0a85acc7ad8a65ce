import { readdir, readFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  describeSystemError,
  errorMessage,
  getSplit,
  inputError,
  usageError,
  type BudgetPlan,
  type BudgetRollout,
  type JsonValue,
} from "../core/index.js";
import { readBudgetRollouts, rolloutFormats } from "../records/index.js";
import {
  auditBudgetMix,
  budgetRules,
  readBudgetPlan,
  toBudgetRollout,
  type BudgetAudit,
  type BudgetAuditOptions,
} from "../train/index.js";
import { readSource } from "./analyze.js";
import { openSource } from "./compare.js";
import { builtInEnvNames } from "./resolve-env.js";
import { isFolder } from "./run-source.js";

/** What `turnwise budgetmix audit` does. */
export interface BudgetmixAuditOptions extends Omit<
  BudgetAuditOptions,
  "evaluationTasks" | "evaluationSeeds" | "isEvaluationTask"
> {
  /** `auto`, `turnwise`, or a trainer's dump: `verl`, `trl`. Default `auto`. */
  readonly format?: string;
  /** Runs of the evaluation, whose tasks and seeds training must not use. */
  readonly evaluation?: readonly string[];
}

/** Where rollouts were read from. */
export interface AuditedRollouts {
  readonly file: string;
  readonly format: string;
  readonly rolloutCount: number;
  /** What could not be read, in words. */
  readonly problems: readonly string[];
}

/** An audit with what it was made from. */
export interface BudgetmixAuditResult extends BudgetAudit {
  readonly plan: { readonly file: string; readonly env: string; readonly disclosure: string; readonly groups: number };
  readonly sources: readonly AuditedRollouts[];
  /** Whether some check failed: the exit code is 1. */
  readonly hasFailed: boolean;
}

/** A check as help lists it. */
export interface BudgetCheckDescription {
  readonly number: string;
  readonly id: string;
  readonly description: string;
  readonly thresholds: readonly { readonly name: string; readonly default: number; readonly description: string }[];
}

/** Returns the checks of an audit, A1 to A11. */
export function listBudgetChecks(): BudgetCheckDescription[] {
  return budgetRules.map(({ number, id, description, thresholds }) => ({
    number,
    id,
    description,
    thresholds: Object.entries(thresholds).map(([name, threshold]) => ({ name, ...threshold })),
  }));
}

/** Returns the plan in a file, or in the `plan.json` of a folder. */
async function readPlan(path: string): Promise<{ readonly plan: BudgetPlan; readonly file: string }> {
  const file = isFolder(path) ? join(path, "plan.json") : path;
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw inputError(
      `Cannot read the plan "${file}": ${describeSystemError(error)}`,
      "Make one with: turnwise budgetmix plan",
      error,
    );
  }
  let json: JsonValue;
  try {
    json = JSON.parse(text) as JsonValue; // what JSON text holds is a JsonValue
  } catch (error) {
    throw inputError(
      `Cannot read the plan "${file}": it is not JSON: ${errorMessage(error)}`,
      "Make one with: turnwise budgetmix plan",
      error,
    );
  }
  return { plan: readBudgetPlan(json, `the plan "${file}"`), file };
}

const byNumber = new Intl.Collator("en", { numeric: true });

/** Returns the dumps of a folder in the order of their steps. */
async function listDumps(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => /\.(?:jsonl|parquet)(?:\.gz)?$/.test(name));
  return names.sort((a, b) => byNumber.compare(a, b)).map((name) => join(folder, name));
}

interface ReadRollouts extends AuditedRollouts {
  readonly rollouts: readonly BudgetRollout[];
}

/** Reads a run folder of turnwise, or any file whose episodes turnwise can import. */
async function readEpisodes(path: string): Promise<ReadRollouts> {
  const source = await openSource(path);
  const rollouts: BudgetRollout[] = [];
  for await (const trajectory of readSource(source)) rollouts.push(toBudgetRollout(trajectory, path));
  return { file: path, format: "turnwise", rolloutCount: rollouts.length, problems: source.warnings ?? [], rollouts };
}

async function readFileRollouts(path: string, format: string): Promise<ReadRollouts> {
  const found = format === "turnwise" ? undefined : await readBudgetRollouts(path, format);
  if (found === undefined) return readEpisodes(path);
  return { file: path, ...found, rolloutCount: found.rollouts.length };
}

/** Reads what a run of `turnwise train` has kept of its episodes. */
async function readTrainedRollouts(path: string, format: string): Promise<ReadRollouts[]> {
  const folder = join(path, "rollouts");
  if (existsSync(folder)) return readPath(folder, format);
  throw inputError(
    `Cannot read rollouts from the training run "${path}": it keeps none`,
    'Set "keepRollouts": true in its recipe and train again in another folder',
  );
}

async function readPath(path: string, format: string): Promise<ReadRollouts[]> {
  if (!isFolder(path)) return [await readFileRollouts(path, format)];
  if (existsSync(join(path, "run.json"))) return [await readEpisodes(path)];
  if (existsSync(join(path, "train.json"))) return readTrainedRollouts(path, format);
  const dumps = await listDumps(path);
  if (dumps.length === 0) {
    throw inputError(
      `Cannot read rollouts from the folder "${path}": it holds neither a run (run.json) nor a dump (.jsonl, .parquet)`,
      `Name a run folder, or the dumps of ${rolloutFormats.map((each) => each.format).join(" or ")}`,
    );
  }
  const read: ReadRollouts[] = [];
  for (const dump of dumps) read.push(await readFileRollouts(dump, format));
  return read;
}

/** Returns the tasks and sampling seeds of evaluation runs. */
async function readEvaluation(
  paths: readonly string[],
): Promise<Pick<BudgetAuditOptions, "evaluationTasks" | "evaluationSeeds">> {
  if (paths.length === 0) return {};
  const [evaluationTasks, evaluationSeeds] = [new Set<string>(), new Set<number>()];
  for (const path of paths) {
    for await (const { task, samplingSeed } of readSource(await openSource(path))) {
      evaluationTasks.add(task.hash);
      if (samplingSeed !== undefined) evaluationSeeds.add(samplingSeed);
    }
  }
  return { evaluationTasks, evaluationSeeds };
}

/**
 * Judges rollouts against the plan they were made by: run folders of turnwise, rollout dumps of verl (`<step>.jsonl`)
 * and completion logs of TRL (JSONL or parquet), and folders of them.
 *
 * @throws {TurnwiseError} (usage) for an unknown format or threshold, or without rollouts; (input) for a plan that was
 * changed, or files that cannot be used.
 */
export async function budgetmixAudit(
  planPath: string,
  paths: readonly string[],
  options: BudgetmixAuditOptions = {},
): Promise<BudgetmixAuditResult> {
  const { format = "auto", evaluation = [], ...settings } = options;
  const formats = ["auto", "turnwise", ...rolloutFormats.map((each) => each.format)];
  if (!formats.includes(format))
    throw usageError(`Cannot read rollouts as "${format}": formats are ${formats.join(", ")}`);
  if (paths.length === 0)
    throw usageError("Cannot audit nothing", "Name rollouts: turnwise budgetmix audit PLAN ROLLOUTS…");
  const { plan, file } = await readPlan(planPath);
  const read: ReadRollouts[] = [];
  for (const path of paths) read.push(...(await readPath(path, format)));
  const audit = auditBudgetMix(
    plan,
    read.flatMap(({ rollouts }) => rollouts),
    {
      ...settings,
      ...(await readEvaluation(evaluation)),
      // Tasks of the built-in envs carry their split in their content.
      ...(builtInEnvNames.includes(plan.env.id)
        ? { isEvaluationTask: (hash: string) => getSplit(hash) === "eval" }
        : {}),
    },
  );
  return {
    ...audit,
    plan: { file, env: plan.env.id, disclosure: plan.disclosure, groups: plan.rows.length },
    sources: read.map(({ file: name, format: kind, rolloutCount, problems }) => ({
      file: name,
      format: kind,
      rolloutCount,
      problems,
    })),
    hasFailed: audit.checks.some(({ verdict }) => verdict === "fail"),
  };
}
