import {
  warnFewVerdictTasks,
  writeCount,
  type ComparisonResult,
  type DifferenceCell,
  type DiscordanceRow,
} from "../core/index.js";
import {
  armsInterval,
  decideVerdict,
  estimateDesign,
  mcnemarTest,
  minimumDetectableDifference,
  signFlipTest,
  trapezoidWeights,
  type SurfaceIntervals,
} from "../stats/index.js";
import { getCurve, measureExtraSamples, measureExtraTokens, toExchangeRows } from "./exchange.js";
import { chooseSampleCounts, readGrid, type GridRequest, type SeriesGrid } from "./grid.js";
import { checkComparable, pairTasks, shareBudgets, type AllowedDifference, type Pairing } from "./pairing.js";
import type { Series } from "./series.js";
import { createEstimate, getMean, getTaskValues, resample, type IntervalOptions } from "./task-surface.js";

/** Settings of a comparison. */
export interface CompareOptions extends GridRequest, IntervalOptions {
  /** Half-width of the region called equivalent, declared beforehand; default .03. */
  readonly margin?: number;
  readonly allow?: readonly AllowedDifference[];
}

function measureDiscordance({ a, b }: Pairing): DiscordanceRow[] {
  return a.budgets.map((maxTurns, index) => {
    const row = { onlyA: 0, onlyB: 0, both: 0, neither: 0 };
    a.tasks.forEach((task, position) => {
      const solvedA = task.counts[index].successes > 0;
      const solvedB = b.tasks[position].counts[index].successes > 0;
      row[solvedA ? (solvedB ? "both" : "onlyA") : solvedB ? "onlyB" : "neither"] += 1;
    });
    return { maxTurns, ...row, ...mcnemarTest(row.onlyA, row.onlyB) };
  });
}

/**
 * Compares two series paired by task: differences `b` minus `a` over the K x T surface with simultaneous bands and
 * verdict words, onset and reversal budgets, area between the curves, exchange rates, discordant tasks and the smallest
 * difference this design could have found.
 *
 * @throws {TurnwiseError} (usage) when the sides differ in more than the policy and that was not allowed, or share no
 * budget; (input) when they share no task.
 */
export function compareSeries(seriesA: Series, seriesB: Series, options: CompareOptions = {}): ComparisonResult {
  const { margin = 0.03, level = 0.95, replicates = 2000, seed = 1, allow = [], intervals: method } = options;
  const budgets = shareBudgets(seriesA, seriesB, options.budgets);
  const gridA = readGrid(seriesA, { budgets });
  const gridB = readGrid(seriesB, { budgets });
  const labels = checkComparable(gridA, gridB, allow);
  const pairing = pairTasks(gridA, gridB);
  const { a, b } = pairing;
  const taskCount = a.tasks.length;
  const widths = chooseSampleCounts([a, b], options.sampleCounts);
  // k=1 is always measured: onset, reversal, area and exchange rates are about it.
  const sampleCounts = widths.includes(1) ? widths : [1, ...widths];
  const cellCount = sampleCounts.length * a.budgets.length;
  const valuesA = getTaskValues(a.tasks, sampleCounts);
  const valuesB = getTaskValues(b.tasks, sampleCounts);
  const differences = valuesB.map((value, index) => value - valuesA[index]);
  const intervalOptions = { level, replicates, seed, ...(method === undefined ? {} : { intervals: method }) };
  const intervals = resample(differences, a.tasks, cellCount, intervalOptions);

  const values = { a: valuesA, b: valuesB, differences };
  const cells = judgeCells({ values, intervals, taskCount, sampleCounts, budgets: a.budgets }, margin, level);
  const single = cells.filter((cell) => cell.k === 1);
  const onset = single.find((cell) => cell.verdict === "gain");
  const last = a.budgets.length - 1;
  const atLast = a.tasks.map((_, task) => differences[task * cellCount + last]);
  const xCells = { xs: a.budgets, cells: a.budgets.map((_, index) => index), cellCount };
  const intervalsA = resample(valuesA, a.tasks, cellCount, intervalOptions);
  const intervalsB = resample(valuesB, b.tasks, cellCount, intervalOptions);
  const curveB = getCurve(valuesB, taskCount, xCells, intervalsB);
  const extraTurns = toExchangeRows(getCurve(valuesA, taskCount, xCells, intervalsA), curveB, {
    xs: a.budgets,
    level,
    label: seriesA.label,
  });
  const extraSamples = measureExtraSamples(valuesA, curveB, intervalsA, {
    taskCount,
    sampleCounts,
    budgets: a.budgets,
    level,
    label: seriesA.label,
  });
  const extraTokens = measureExtraTokens(a, b, extraTurns);

  return {
    a: seriesA.label,
    b: seriesB.label,
    sharedTasks: taskCount,
    onlyInA: pairing.onlyInA,
    onlyInB: pairing.onlyInB,
    margin,
    level,
    replicates,
    seed,
    cells,
    ...(onset === undefined ? {} : { onsetTurns: onset.maxTurns }),
    reversalTurns: single.filter((cell) => cell.verdict === "loss").map((cell) => cell.maxTurns),
    areaBetween: measureArea(differences, pairing, cellCount, intervalOptions),
    discordance: measureDiscordance(pairing),
    taskDifferences: measureTaskDifferences(pairing),
    extraTurns,
    extraSamples,
    ...(extraTokens === undefined ? {} : { extraTokens }),
    ...measureDetectable(pairing),
    signFlipP: signFlipTest(atLast, { seed }).pValue,
    notes: collectNotes(pairing),
    labels,
    warnings: warnFewVerdictTasks(intervals?.unitCount ?? 1),
  };
}

/** The surfaces of both sides and of their difference, [task][k][T]. */
interface PairedSurfaces {
  readonly values: { readonly a: Float64Array; readonly b: Float64Array; readonly differences: Float64Array };
  readonly intervals: SurfaceIntervals | undefined;
  readonly taskCount: number;
  readonly sampleCounts: readonly number[];
  readonly budgets: readonly number[];
}

/** Returns every cell of the difference with its verdict, read off the simultaneous band. */
function judgeCells(surfaces: PairedSurfaces, margin: number, level: number): DifferenceCell[] {
  const { values, intervals, taskCount, sampleCounts, budgets } = surfaces;
  const unitCount = intervals?.unitCount ?? 1;
  const cellCount = sampleCounts.length * budgets.length;
  const mean = (of: Float64Array, cell: number): number => getMean(of, taskCount, cellCount, cell);
  return sampleCounts.flatMap((k, kIndex) =>
    budgets.map((maxTurns, tIndex) => {
      const cell = kIndex * budgets.length + tIndex;
      const estimate = createEstimate(values.differences, taskCount, cellCount, cell, intervals, [-1, 1]);
      const arms = armsInterval(mean(values.a, cell), mean(values.b, cell), taskCount, level);
      const evidence = { standardError: estimate.standardError ?? 0, unitCount, arms };
      return { k, maxTurns, estimate, verdict: decideVerdict(estimate.band ?? arms, margin, evidence) };
    }),
  );
}

function measureArea(
  differences: Float64Array,
  { a }: Pairing,
  cellCount: number,
  options: IntervalOptions,
): ComparisonResult["areaBetween"] {
  const weights = trapezoidWeights(a.budgets);
  const areas = Float64Array.from(a.tasks, (_, task) =>
    weights.reduce((sum, weight, index) => sum + weight * differences[task * cellCount + index], 0),
  );
  return createEstimate(areas, a.tasks.length, 1, 0, resample(areas, a.tasks, 1, options), [-1, 1]);
}

function measureTaskDifferences({ a, b }: Pairing): ComparisonResult["taskDifferences"] {
  const last = a.budgets.length - 1;
  return a.tasks.map((task, position) => {
    const countA = task.counts[last];
    const countB = b.tasks[position].counts[last];
    return {
      taskId: task.taskId,
      ...(task.family === undefined ? {} : { family: task.family }),
      a: countA.successes / countA.samples,
      b: countB.successes / countB.samples,
      samplesA: countA.samples,
      samplesB: countB.samples,
    };
  });
}

/** Returns the smallest difference this design finds with 80 % power, from its own spread within and between tasks. */
function measureDetectable({ a, b }: Pairing): Pick<ComparisonResult, "minimumDetectableDifference"> {
  const last = a.budgets.length - 1;
  const counts = a.tasks.map((task, position) => ({
    successesA: task.counts[last].successes,
    samplesA: task.counts[last].samples,
    successesB: b.tasks[position].counts[last].successes,
    samplesB: b.tasks[position].counts[last].samples,
  }));
  const taskCount = counts.length;
  const design = estimateDesign(counts);
  if (design !== undefined) {
    // Unequal samples per task enter by their harmonic mean, since the variance falls with 1/n.
    const inverse =
      counts.reduce((sum, { samplesA, samplesB }) => sum + (1 / samplesA + 1 / samplesB) / 2, 0) / taskCount;
    return nameDetectable(minimumDetectableDifference({ taskCount, samplesPerTask: 1 / inverse, ...design }));
  }
  // With one sample a task only the spread of observed differences is known; it holds both parts already.
  const gaps = counts.map(
    ({ successesA, samplesA, successesB, samplesB }) => successesB / samplesB - successesA / samplesA,
  );
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / taskCount;
  const variance = taskCount < 2 ? 0 : gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / (taskCount - 1);
  const observed = { taskCount, samplesPerTask: 1, differenceSd: Math.sqrt(variance), withinVariance: 0 };
  return nameDetectable(minimumDetectableDifference(observed));
}

/** Outcomes without any spread say nothing about what the design could have found: 0 is no estimate. */
function nameDetectable(difference: number): Pick<ComparisonResult, "minimumDetectableDifference"> {
  return difference > 0 ? { minimumDetectableDifference: difference } : {};
}

function describeLeftOut(count: number, { series }: SeriesGrid): string {
  return `${writeCount(count, "task")} only in "${series.label}" ${count === 1 ? "is" : "are"} left out of the comparison`;
}

function collectNotes({ a, b, onlyInA, onlyInB }: Pairing): string[] {
  const notes: string[] = [];
  if (onlyInA.length > 0) notes.push(describeLeftOut(onlyInA.length, a));
  if (onlyInB.length > 0) notes.push(describeLeftOut(onlyInB.length, b));
  const samples = new Set([...a.tasks, ...b.tasks].flatMap((task) => task.counts.map((count) => count.samples)));
  if (samples.size > 1) notes.push("Samples per task differ; every task weighs the same");
  const hasOne = [...samples].every((count) => count === 1);
  if (!hasOne)
    notes.push(
      'McNemar\'s test compares "solved at least once" here, as tasks have several samples; it is exact only for one',
    );
  const version = (grid: SeriesGrid): string => `${grid.series.env.id} ${grid.series.env.version}`;
  notes.push(version(a) === version(b) ? `Env ${version(a)}` : `Envs ${version(a)} and ${version(b)}`);
  return notes;
}
