import {
  stopLabels,
  type BudgetDenominator,
  type Denominator,
  type PolicySurface,
  type StopLabel,
  type StopShares,
  type SurfaceCell,
} from "../core/index.js";
import { cumulativeIncidence, passHatK, type EpisodeExit } from "../stats/index.js";
import { measureContours } from "./iso-contours.js";
import { chooseSampleCounts, readGrid, type GridRequest, type GridTask, type SeriesGrid } from "./grid.js";
import { countEndsWithin, countSolvedWithin, type OutcomeTally } from "./outcome-tally.js";
import type { Series } from "./series.js";
import { createEstimate, getTaskValues, resample, type IntervalOptions } from "./task-surface.js";

/** Settings of a surface. */
export interface SurfaceOptions extends GridRequest, IntervalOptions {
  /** Episodes the run asked for, when known. */
  readonly plannedEpisodes?: number;
}

/** Returns shares of stop reasons by budget, each task weighing the same; they sum to 1. */
function measureStops(grid: SeriesGrid): StopShares[] {
  return grid.budgets.map((maxTurns, index) => {
    const sums = new Map<StopLabel, number>();
    for (const { taskHash } of grid.tasks) {
      const task = grid.tallies[index].tasks.get(taskHash);
      if (task === undefined) continue;
      for (const [label, count] of countEndsWithin(task, maxTurns)) {
        sums.set(label, (sums.get(label) ?? 0) + count / task.counted / grid.tasks.length);
      }
    }
    // In the order of stop labels, not of appearance, so that the same episodes give the same bytes in any order.
    const shares: { [label in StopLabel]?: number } = {};
    for (const label of stopLabels) if (sums.has(label)) shares[label] = sums.get(label);
    return { maxTurns, shares };
  });
}

const failLabels: ReadonlySet<StopLabel> = new Set(["wrong_final", "env_fail", "context_overflow"]);

/** Returns when and how each task's episodes ended, one weighted row for each turn and end; tasks weigh the same. */
function collectExits(tally: OutcomeTally, tasks: readonly GridTask[]): EpisodeExit[] {
  const exits: EpisodeExit[] = [];
  for (const { taskHash } of tasks) {
    const task = tally.tasks.get(taskHash);
    if (task === undefined) continue;
    const weight = 1 / task.counted;
    for (const label of stopLabels) {
      const ends = task.unsolvedEnds.get(label) ?? [];
      const end = label === "quit" ? "quit" : failLabels.has(label) ? "fail" : "censored";
      for (const [turn, count] of ends.entries()) {
        if (count > 0) exits.push({ turn, end: turn === 0 ? "censored" : end, weight: count * weight });
      }
    }
    for (const [turn, count] of task.solvedEnds.entries()) {
      if (count > 0) exits.push({ turn: Math.max(1, turn), end: "success", weight: count * weight });
    }
  }
  return exits;
}

function measureDenominator(grid: SeriesGrid, plannedEpisodes: number | undefined): Denominator {
  const tallies = [...new Set(grid.tallies)];
  const errorsByClass: Record<string, number> = {};
  const sum = { recorded: 0, counted: 0, errored: 0, unknown: 0 };
  for (const { totals } of tallies) {
    sum.recorded += totals.recorded;
    sum.counted += totals.counted;
    sum.errored += totals.errored;
    sum.unknown += totals.unknown;
    for (const [name, count] of Object.entries(totals.errorsByClass))
      errorsByClass[name] = (errorsByClass[name] ?? 0) + count;
  }
  const samples = grid.tasks.flatMap((task) => task.counts.map((count) => count.samples));
  const last = grid.budgets.length - 1;
  const rates = measureRates(grid, last);
  const byBudget = grid.budgets.map((maxTurns, column): BudgetDenominator => {
    const { recorded, counted, errored, unknown } = grid.tallies[column].totals;
    return {
      maxTurns,
      recordedEpisodes: recorded,
      countedEpisodes: counted,
      erroredEpisodes: errored,
      unknownEpisodes: unknown,
      ...measureRates(grid, column),
    };
  });
  return {
    ...(plannedEpisodes === undefined ? {} : { plannedEpisodes }),
    recordedEpisodes: sum.recorded,
    countedEpisodes: sum.counted,
    erroredEpisodes: sum.errored,
    errorsByClass,
    unknownEpisodes: sum.unknown,
    droppedTasks: grid.droppedTasks,
    ...rates,
    minSamplesPerTask: samples.reduce((least, count) => Math.min(least, count), Infinity) || 0,
    maxSamplesPerTask: samples.reduce((most, count) => Math.max(most, count), 0),
    ...(tallies.length > 1 ? { byBudget } : {}),
  };
}

/** Returns the episode success rate at one T, without errored episodes and with them as failures. */
function measureRates(
  grid: SeriesGrid,
  column: number,
): Pick<Denominator, "rateWithoutErrors" | "rateWithErrorsAsFailures"> {
  const tally = grid.tallies[column];
  let solved = 0;
  for (const task of tally.tasks.values()) solved += countSolvedWithin(task, grid.budgets[column], grid.rule);
  const { counted, errored } = tally.totals;
  return {
    ...(counted > 0 ? { rateWithoutErrors: solved / counted } : {}),
    ...(counted + errored > 0 ? { rateWithErrorsAsFailures: solved / (counted + errored) } : {}),
  };
}

function isMonotone(grid: SeriesGrid): boolean {
  return grid.tasks.every(({ counts }) =>
    counts.every(
      ({ samples, successes }, index) =>
        index === 0 || successes / samples >= counts[index - 1].successes / counts[index - 1].samples,
    ),
  );
}

function collectNotes(grid: SeriesGrid, sampleCounts: readonly number[], leastSamples: number): string[] {
  const notes = [...grid.notes, ...grid.series.notes];
  const wide = sampleCounts.filter((k) => k > 1 && k > leastSamples / 2);
  if (wide.length > 0) {
    notes.push(
      `k=${wide.join(", ")} is more than half of the ${leastSamples} samples of some task: such estimates rest on few distinct draws`,
    );
  }
  return notes;
}

/**
 * Returns Pass@(K,T) of one series with intervals over tasks, simultaneous bands over the whole surface, stop reasons,
 * cumulative incidence and denominators.
 *
 * @throws {TurnwiseError} (usage) for budgets or k that the episodes do not cover, and when nothing can be counted.
 */
export function measureSurface(series: Series, options: SurfaceOptions = {}): PolicySurface {
  const grid = readGrid(series, options);
  return measureGrid(grid, chooseSampleCounts([grid], options.sampleCounts), options);
}

/** Returns the surface of a series that is read on a grid already; see {@linkcode measureSurface}. */
export function measureGrid(
  grid: SeriesGrid,
  sampleCounts: readonly number[],
  options: SurfaceOptions = {},
): PolicySurface {
  const { series, budgets, tasks, mark } = grid;
  const cellCount = sampleCounts.length * budgets.length;
  const denominator = measureDenominator(grid, options.plannedEpisodes);
  const values = getTaskValues(tasks, sampleCounts);
  const intervals = resample(values, tasks, cellCount, options);
  const cells: SurfaceCell[] = sampleCounts.flatMap((k, kIndex) =>
    budgets.map((maxTurns, tIndex) => {
      const cell = kIndex * budgets.length + tIndex;
      return { k, maxTurns, mark, estimate: createEstimate(values, tasks.length, cellCount, cell, intervals, [0, 1]) };
    }),
  );
  const contours = measureContours(cells, options.level);
  const lastTally = grid.tallies[budgets.length - 1];
  const { totals } = lastTally;
  return {
    label: series.label,
    policyId: series.policyId,
    ...(series.checkpoint === undefined ? {} : { checkpoint: series.checkpoint }),
    env: series.env,
    disclosure: series.disclosure,
    terminalRule: grid.rule,
    mark,
    isMonotone: isMonotone(grid),
    sampleCounts,
    budgets,
    cells,
    ...(contours.length === 0 ? {} : { contours }),
    denominator,
    stopShares: measureStops(grid),
    // Nothing happens after the longest episode, so no row is kept for it.
    incidence: cumulativeIncidence(collectExits(lastTally, tasks), {
      maxTurns: Math.min(budgets[budgets.length - 1], Math.max(1, totals.longest)),
    }),
    meanTurns: totals.counted === 0 ? 0 : totals.turns / totals.counted,
    ...(totals.tokens === undefined || totals.counted === 0 ? {} : { meanTokens: totals.tokens / totals.counted }),
    ...(totals.cost === undefined || totals.counted === 0 ? {} : { meanCost: totals.cost / totals.counted }),
    passHat: measurePassHat(grid, options),
    notes: collectNotes(grid, sampleCounts, denominator.minSamplesPerTask),
  };
}

/** Returns pass^k at the largest T for k = 1 .. the smallest number of samples, at most 16 of them, doubling beyond 4. */
function measurePassHat(grid: SeriesGrid, options: IntervalOptions): PolicySurface["passHat"] {
  const { tasks } = grid;
  const last = grid.budgets.length - 1;
  const least = tasks.reduce((smallest, task) => Math.min(smallest, task.counts[last].samples), Infinity);
  if (!Number.isFinite(least) || grid.tallies[last].totals.dependent > 0) return [];
  const widths = Array.from({ length: least }, (_, index) => index + 1).filter(
    (k) => k <= 4 || Number.isInteger(Math.log2(k)),
  );
  const values = Float64Array.from(
    tasks.flatMap(({ counts }) => widths.map((k) => passHatK(counts[last].samples, counts[last].successes, k))),
  );
  const intervals = resample(values, tasks, widths.length, options);
  return widths.map((k, cell) => ({
    k,
    estimate: createEstimate(values, tasks.length, widths.length, cell, intervals, [0, 1]),
  }));
}
