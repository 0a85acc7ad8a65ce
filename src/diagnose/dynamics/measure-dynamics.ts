import {
  dynamicsMeasures,
  inputError,
  usageError,
  warnFewVerdictTasks,
  type DynamicsCell,
  type DynamicsCheckpoint,
  type DynamicsResult,
  type Estimate,
  type IntervalMethod,
  type Verdict,
} from "../../core/index.js";
import {
  armsInterval,
  bootstrapMeans,
  decideVerdict,
  widenBand,
  type Bounds,
  type SurfaceIntervals,
} from "../../stats/index.js";
import { drawUnits, TaskNumbers } from "../signals/task-draws.js";
import { estimateMeasure, sumMeasures } from "./behaviour-measures.js";
import { succeedsWithin, type CheckpointEpisode, type CheckpointEpisodes } from "./checkpoint-episodes.js";
import { findDynamicsFlags, listDynamicsRules, type FlagThresholds } from "./health-flags.js";
import { selectCheckpoints } from "./select-checkpoint.js";

/** Settings of {@linkcode measureDynamics}; every field has a default. */
export interface MeasureDynamicsOptions {
  /** Turn budgets T; default 1, 2, 4, ... up to the largest, or those that were run. */
  readonly budgets?: readonly number[];
  /** Default .95. */
  readonly level?: number;
  /** Half-width of the region called equivalent; default .03. */
  readonly margin?: number;
  /** Bootstrap resamples of success; default 2,000. Other measures take a quarter of them. */
  readonly replicates?: number;
  /** Default 1. */
  readonly seed?: number;
  readonly thresholds?: FlagThresholds;
}

/** Tasks that all checkpoints have, in one order. */
interface SharedTasks {
  readonly hashes: readonly string[];
  readonly unitOfTask: readonly number[];
  readonly unitCount: number;
}

function findSharedTasks(checkpoints: readonly CheckpointEpisodes[]): SharedTasks {
  const numbers = new TaskNumbers();
  for (const [hash, { family }] of checkpoints[0].tasks) {
    if (checkpoints.every(({ tasks }) => tasks.has(hash))) numbers.add({ hash, family });
  }
  if (numbers.taskCount === 0) {
    throw inputError(
      "Cannot follow training: the checkpoints share no task",
      "Evaluate every checkpoint on the same tasks: same env, difficulty, split and seed",
    );
  }
  return { hashes: numbers.hashes, unitOfTask: numbers.unitOfTask, unitCount: numbers.unitCount };
}

/** Refuses two checkpoints of one update: they are no later and earlier, so nothing can have changed between them. */
function refuseSameUpdate(checkpoints: readonly CheckpointEpisodes[]): void {
  const byUpdate = new Map<number, string>();
  for (const { label, updateIndex } of checkpoints) {
    if (updateIndex === undefined) continue;
    const other = byUpdate.get(updateIndex);
    if (other !== undefined)
      throw usageError(
        `Cannot follow training: "${other}" and "${label}" are both of update ${updateIndex}`,
        "Follow one training run at a time; name the update of each checkpoint where names mislead: 100=runs/first",
      );
    byUpdate.set(updateIndex, label);
  }
}

function checkSettings(checkpoints: readonly CheckpointEpisodes[]): void {
  if (checkpoints.length < 2) {
    throw usageError(
      `Cannot follow training with ${checkpoints.length} ${checkpoints.length === 1 ? "checkpoint" : "checkpoints"}: at least 2 are needed`,
    );
  }
  const [first] = checkpoints;
  const labels = new Set<string>();
  for (const one of checkpoints) {
    if (labels.has(one.label))
      throw usageError(
        `Cannot follow training: two checkpoints are called "${one.label}"`,
        "Give them names: 100=runs/step-100",
      );
    labels.add(one.label);
    const found = [one.env.id, one.env.version, one.disclosure, one.terminalRule];
    const wanted = [first.env.id, first.env.version, first.disclosure, first.terminalRule];
    const index = found.findIndex((value, i) => value !== wanted[i]);
    if (index < 0) continue;
    const field = ["env", "env version", "disclosure", "terminal rule"][index];
    throw inputError(
      `Cannot follow training from "${first.label}" to "${one.label}": their ${field} differs, "${wanted[index]}" and "${found[index]}"`,
    );
  }
  refuseSameUpdate(checkpoints);
}

function listLimits(checkpoint: CheckpointEpisodes): number[] {
  return [
    ...new Set([...checkpoint.tasks.values()].flatMap(({ episodes }) => episodes.map(({ maxTurns }) => maxTurns))),
  ];
}

/** Returns the grid: asked for, or powers of two up to the largest shared limit, or the limits that all were run with. */
function chooseBudgets(
  checkpoints: readonly CheckpointEpisodes[],
  isCut: boolean,
  asked: readonly number[] | undefined,
): number[] {
  const limits = checkpoints.map(listLimits);
  if (!isCut) {
    const shared = limits[0]
      .filter((limit) => Number.isFinite(limit) && limits.every((list) => list.includes(limit)))
      .sort((a, b) => a - b);
    const missing = (asked ?? []).filter((budget) => !shared.includes(budget));
    if (missing.length > 0 || shared.length === 0) {
      throw usageError(
        `Cannot follow training at T=${(asked ?? []).join(",") || "(none)"}: with a disclosed budget every T is run on its own, and all checkpoints were run with T=${shared.join(",") || "(none)"}`,
      );
    }
    return asked === undefined ? shared : [...new Set(asked)].sort((a, b) => a - b);
  }
  // Without a limit an episode ended by itself, so its longest stands for all T.
  const longest = (checkpoint: CheckpointEpisodes): number =>
    Math.max(
      ...[...checkpoint.tasks.values()].flatMap(({ episodes }) => episodes.map(({ grades }) => grades.length)),
      1,
    );
  const largest = Math.min(
    ...limits.map((list, i) => (Math.max(...list) === Infinity ? longest(checkpoints[i]) : Math.max(...list))),
  );
  const tooLarge = (asked ?? []).filter((budget) => budget > largest);
  if (tooLarge.length > 0)
    throw usageError(`Cannot follow training at T=${tooLarge.join(",")}: the shortest run went up to T=${largest}`);
  if (asked !== undefined) return [...new Set(asked)].sort((a, b) => a - b);
  const grid: number[] = [];
  for (let budget = 1; budget < largest; budget *= 2) grid.push(budget);
  return [...grid, largest];
}

/** Returns the episodes that a T is read from: the longest runs where budgets are hidden, those of this T otherwise. */
function pickEpisodes(
  episodes: readonly CheckpointEpisode[],
  isCut: boolean,
  budget: number,
): readonly CheckpointEpisode[] {
  const limit = isCut ? Math.max(...episodes.map(({ maxTurns }) => maxTurns)) : budget;
  return episodes.filter(({ maxTurns }) => maxTurns === limit);
}

/** Returns [checkpoint][budget][task] success. */
function measureSuccess(
  checkpoints: readonly CheckpointEpisodes[],
  shared: SharedTasks,
  budgets: readonly number[],
  isCut: boolean,
): Float64Array[][] {
  return checkpoints.map(({ tasks, label }) =>
    budgets.map((budget) =>
      Float64Array.from(shared.hashes, (hash) => {
        const episodes = pickEpisodes(tasks.get(hash)?.episodes ?? [], isCut, budget);
        if (episodes.length === 0)
          throw inputError(
            `Cannot follow training at T=${budget}: "${label}" has no episode of task ${hash.slice(0, 16)} at that budget`,
          );
        return episodes.filter((episode) => succeedsWithin(episode, budget)).length / episodes.length;
      }),
    ),
  );
}

/** Returns the intervals of columns [column][task] together, so that bands hold for all of them. */
function estimateColumns(
  columns: readonly Float64Array[],
  shared: SharedTasks,
  options: { seed: number; replicates: number; level: number },
): SurfaceIntervals {
  const taskCount = shared.hashes.length;
  const values = new Float64Array(taskCount * columns.length);
  columns.forEach((column, j) => column.forEach((value, task) => (values[task * columns.length + j] = value)));
  return widenBand(
    bootstrapMeans({ values, taskCount, cellCount: columns.length, clusters: shared.unitOfTask }, options),
  );
}

function readEstimate(surface: SurfaceIntervals, cell: number): Estimate {
  const { mean, standardError, lower, upper, bandLower, bandUpper, unitCount, level, method } = surface;
  const value = { value: mean[cell], taskCount: unitCount, standardError: standardError[cell] };
  if (standardError[cell] === 0) return value;
  const interval = (low: number, high: number, how: IntervalMethod) => ({
    lower: low,
    upper: high,
    level,
    method: how,
  });
  return {
    ...value,
    interval: interval(lower[cell], upper[cell], method),
    band: interval(bandLower[cell], bandUpper[cell], method),
  };
}

function describeCheckpoint(
  checkpoint: CheckpointEpisodes,
  cells: readonly DynamicsCell[],
  measures: DynamicsCheckpoint["measures"],
): DynamicsCheckpoint {
  const { label, updateIndex, tasks, excluded } = checkpoint;
  const onset = cells.find(({ change }) => change?.verdict === "gain")?.maxTurns;
  return {
    label,
    ...(updateIndex === undefined ? {} : { updateIndex }),
    episodes: [...tasks.values()].reduce((sum, { episodes }) => sum + episodes.length, 0),
    excludedEpisodes: excluded,
    cells,
    ...(onset === undefined ? {} : { onsetTurns: onset }),
    reversalTurns: cells.filter(({ change }) => change?.verdict === "loss").map(({ maxTurns }) => maxTurns),
    measures,
  };
}

/**
 * Follows checkpoints of one training run over turn budgets: success by T with bands, what changed beside success, rules
 * of training health, and which checkpoint to take at each T, chosen on some tasks and judged on others. Checkpoints are
 * put in order of their updates where all have one. Only tasks that all checkpoints have are used.
 *
 * @throws {TurnwiseError} (usage) for fewer than two checkpoints, equal labels or a T that was not run; (input) for
 * checkpoints that differ in env, disclosure or terminal rule, or share no task.
 */
export function measureDynamics(
  given: readonly CheckpointEpisodes[],
  options: MeasureDynamicsOptions = {},
): DynamicsResult {
  const { level = 0.95, margin = 0.03, replicates = 2000, seed = 1, thresholds = {} } = options;
  checkSettings(given);
  const hasUpdates = given.every(({ updateIndex }) => updateIndex !== undefined);
  const checkpoints = hasUpdates ? [...given].sort((a, b) => (a.updateIndex ?? 0) - (b.updateIndex ?? 0)) : given;
  const [{ env, disclosure, terminalRule }] = checkpoints;
  const shared = findSharedTasks(checkpoints);
  const isCut = disclosure === "hidden" && terminalRule !== "answer_only";
  const budgets = chooseBudgets(checkpoints, isCut, options.budgets);
  const success = measureSuccess(checkpoints, shared, budgets, isCut);
  const own = estimateColumns(success.flat(), shared, { seed, replicates, level });
  const changes = success
    .slice(1)
    .flatMap((byBudget) => byBudget.map((values, b) => values.map((value, task) => value - success[0][b][task])));
  const changed = estimateColumns(changes, shared, { seed, replicates, level });
  const draws = drawUnits(shared.unitCount, { seed, replicates: Math.max(100, Math.round(replicates / 4)), level });
  const largest = budgets[budgets.length - 1];
  const sums = checkpoints.map(({ tasks }) => {
    const pick = (hash: string) => pickEpisodes(tasks.get(hash)?.episodes ?? [], isCut, largest);
    const units = shared.hashes.map((hash, task) => ({ unit: shared.unitOfTask[task], episodes: pick(hash) }));
    return sumMeasures(units, shared.unitCount);
  });
  const rows = checkpoints.map((checkpoint, c): DynamicsCheckpoint => {
    const cells = budgets.map((maxTurns, b): DynamicsCell => {
      const estimate = readEstimate(own, c * budgets.length + b);
      if (c === 0) return { maxTurns, estimate };
      const difference = readEstimate(changed, (c - 1) * budgets.length + b);
      const arms = armsInterval(own.mean[b], own.mean[c * budgets.length + b], shared.hashes.length, level);
      return {
        maxTurns,
        estimate,
        change: { estimate: difference, verdict: judgeChange(difference, arms, margin, shared.unitCount) },
      };
    });
    const measures = dynamicsMeasures.flatMap((measure) => {
      const value = estimateMeasure(sums[c][measure], c === 0 ? undefined : sums[0][measure], draws);
      return value === undefined ? [] : [[measure, value] as const];
    });
    return describeCheckpoint(checkpoint, cells, Object.fromEntries(measures));
  });
  const labels = checkpoints.map(({ label }) => label);
  const selection = selectCheckpoints(
    { values: success, labels, budgets, unitOfTask: shared.unitOfTask, unitCount: shared.unitCount },
    { seed, draws },
  );
  return {
    env,
    disclosure,
    terminalRule,
    mark: isCut ? "cut" : "run",
    budgets,
    taskCount: shared.hashes.length,
    unitCount: shared.unitCount,
    level,
    margin,
    replicates,
    seed,
    checkpoints: rows,
    flags: findDynamicsFlags(rows, thresholds),
    rules: listDynamicsRules(thresholds),
    ...(selection === undefined ? {} : { selection }),
    warnings: collectWarnings(checkpoints, shared),
    notes: collectNotes(checkpoints, rows, hasUpdates),
  };
}

function judgeChange(difference: Estimate, arms: Bounds, margin: number, unitCount: number): Verdict {
  const { band = { lower: difference.value, upper: difference.value }, standardError = 0 } = difference;
  return decideVerdict(band, margin, { standardError, unitCount, arms });
}

function collectWarnings(checkpoints: readonly CheckpointEpisodes[], shared: SharedTasks): string[] {
  const warnings: string[] = [];
  for (const { label, tasks, excluded, ungraded } of checkpoints) {
    if (excluded > 0)
      warnings.push(
        `${excluded} episodes of "${label}" ended in an error, are not graded or began in the middle, and are left out`,
      );
    if (tasks.size > shared.hashes.length)
      warnings.push(
        `${tasks.size - shared.hashes.length} tasks of "${label}" are not shared by all checkpoints and are left out`,
      );
    if (ungraded > 0)
      warnings.push(
        `${ungraded} episodes of "${label}" have turns without a grade: cut before their end they count as failures`,
      );
  }
  warnings.push(...warnFewVerdictTasks(shared.unitCount));
  return warnings;
}

function collectNotes(
  checkpoints: readonly CheckpointEpisodes[],
  rows: readonly DynamicsCheckpoint[],
  hasUpdates: boolean,
): string[] {
  const notes = ["Intervals hold for new tasks, not for other training runs: one run is one draw"];
  if (!hasUpdates) notes.push("Not every checkpoint has an update number: they stand in the order given");
  if (rows.every(({ measures }) => measures.entropy === undefined))
    notes.push("Entropy is not available: no turn has log-probs of its sampled tokens");
  if (rows.every(({ measures }) => measures.rewardDeviation === undefined))
    notes.push("The reward deviation within tasks is not available: tasks have one episode each");
  if (!checkpoints.every(({ hasRewards }) => hasRewards))
    notes.push("Where episodes state no reward, the reward deviation is that of outcomes (0 or 1)");
  return notes;
}
