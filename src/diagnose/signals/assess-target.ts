// internal
import {
  leastVerdictUnits,
  type Estimate,
  type FittedSignal,
  type SignalAssessment,
  type SignalWord,
} from "../../core/index.js";
import { decideVerdict } from "../../stats/index.js";
import { fitLogistic, predictLogistic } from "./logistic.js";
import type { ProcessSignal } from "./process-signals.js";
import { aurocWithin, averagePrecision, binnedError, rankScores, rankStrata } from "./ranking.js";
import { readColumn, type SignalEpisodes, type TargetRows } from "./signal-rows.js";
import { estimateByUnits, estimateRatio, type UnitDraws } from "./task-draws.js";

/** What the assessments of one measurement share. */
export interface AssessContext {
  readonly data: SignalEpisodes;
  readonly signals: readonly ProcessSignal[];
  readonly draws: UnitDraws;
  /** [task] whether models are fitted on it; the others are kept for the evaluation. */
  readonly isFitTask: readonly boolean[];
}

/** Bins of the calibration error. */
const binCount = 10;
/** Half-width of the AUROCs around .5 that are called no information. */
export const aurocMargin = 0.05;
/** Difference of Brier scores that is called no difference. */
const brierMargin = 0.005;
/** Fewest rows of each label that models are fitted to and evaluated on. */
const minRows = 10;

/** A model's probabilities for rows that models were not fitted on. */
export interface FittedModel {
  readonly signal: string;
  /** Positions in the target's rows. */
  readonly rows: Int32Array;
  readonly probabilities: Float64Array;
  /** The probabilities of the clock alone for the same rows. */
  readonly clock: Float64Array;
  /** Rows it was fitted on: those of the fit tasks in which the signal has a value. */
  readonly fitRows: Int32Array;
  /** Returns the probabilities of rows of the target. */
  predict(rows: ArrayLike<number>): Float64Array;
}

function toBin(value: number): number {
  return Number.isFinite(value) ? Math.floor(Math.log2(Math.max(1, value))) : 32;
}

/** Returns one indicator column for each range of turns and of turns left: 1, 2-3, 4-7, ... */
export function makeClock(rows: TargetRows): Float64Array[] {
  const columns: Float64Array[] = [];
  for (const values of [rows.turn, rows.budgetLeft]) {
    const bins = Array.from(values, toBin);
    // One more bin for no turn left at all, which decides much.
    const marked = bins.map((bin, row) => (values[row] === 0 ? -1 : bin));
    for (const bin of [...new Set(marked)].sort((a, b) => a - b)) {
      columns.push(Float64Array.from(marked, (one) => (one === bin ? 1 : 0)));
    }
  }
  return columns;
}

function pick(column: Float64Array, rows: ArrayLike<number>): Float64Array {
  return Float64Array.from(rows, (row) => column[row]);
}

function countPositives(rows: TargetRows, members: ArrayLike<number>): number {
  let positives = 0;
  for (let i = 0; i < members.length; i += 1) positives += rows.label[members[i]];
  return positives;
}

/** Returns the weight of each row in a resample: how often its task's unit was drawn. */
function weighRows(context: AssessContext, rows: TargetRows): (weights: Float64Array) => (row: number) => number {
  const { unitOfTask } = context.data.tasks;
  const units = Int32Array.from(rows.task, (task) => unitOfTask[task]);
  return (weights) => (row) => weights[units[row]];
}

function countUnits(context: AssessContext, rows: TargetRows, members: ArrayLike<number>): number {
  const units = new Set<number>();
  for (let i = 0; i < members.length; i += 1) units.add(context.data.tasks.unitOfTask[rows.task[members[i]]]);
  return units.size;
}

/** Returns the AUROC of scores over all pairs, and over pairs of one stratum, with intervals. */
export function estimateAuroc(
  context: AssessContext,
  rows: TargetRows,
  scores: ArrayLike<number>,
  members: ArrayLike<number>,
): { readonly auroc?: Estimate; readonly stratifiedAuroc?: Estimate } {
  const weigh = weighRows(context, rows);
  const { unitCount } = context.data.tasks;
  const involved = countUnits(context, rows, members);
  const all = [rankScores(scores, members)];
  const within = rankStrata(scores, members, rows.stratum);
  const auroc = estimateByUnits(
    unitCount,
    context.draws,
    (weights) => aurocWithin(all, rows.label, weigh(weights)),
    involved,
  );
  const stratifiedAuroc = estimateByUnits(
    unitCount,
    context.draws,
    (weights) => aurocWithin(within, rows.label, weigh(weights)),
    involved,
  );
  return { auroc, stratifiedAuroc };
}

/** Returns the word for an AUROC's interval; undecided without one. */
export function wordAuroc(estimate: Estimate | undefined): SignalWord | undefined {
  if (estimate === undefined) return undefined;
  const { interval, standardError = 0, taskCount } = estimate;
  if (interval === undefined || taskCount < leastVerdictUnits) return "undecided";
  const centred = { lower: interval.lower - 0.5, upper: interval.upper - 0.5 };
  if (standardError > 0 && centred.lower > -aurocMargin && centred.upper < aurocMargin) return "no_information";
  const verdict = decideVerdict(centred, aurocMargin, { standardError, unitCount: taskCount });
  return (
    { gain: "higher_means_yes", loss: "higher_means_no", equivalent: "no_information", undecided: "undecided" } as const
  )[verdict];
}

/** Fits clock and signals on the fit tasks and returns probabilities elsewhere; `undefined` where rows are too few. */
export function fitSignals(
  context: AssessContext,
  rows: TargetRows,
  clock: readonly Float64Array[],
  signal: { readonly id: string; readonly columns: readonly Float64Array[] },
): FittedModel | undefined {
  const usable: number[] = [];
  for (let row = 0; row < rows.count; row += 1) {
    if (signal.columns.length !== 1 || !Number.isNaN(signal.columns[0][row])) usable.push(row);
  }
  const fitRows = usable.filter((row) => context.isFitTask[rows.task[row]]);
  const heldOut = usable.filter((row) => !context.isFitTask[rows.task[row]]);
  for (const part of [fitRows, heldOut]) {
    const positives = countPositives(rows, part);
    if (positives < minRows || part.length - positives < minRows) return undefined;
  }
  const labels = Float64Array.from(fitRows, (row) => rows.label[row]);
  const columns = [...clock, ...signal.columns];
  const model = fitLogistic(
    columns.map((column) => pick(column, fitRows)),
    labels,
  );
  const clockModel = fitLogistic(
    clock.map((column) => pick(column, fitRows)),
    labels,
  );
  const predict = (members: ArrayLike<number>): Float64Array =>
    predictLogistic(
      model,
      columns.map((column) => pick(column, members)),
      members.length,
    );
  return {
    signal: signal.id,
    rows: Int32Array.from(heldOut),
    probabilities: predict(heldOut),
    clock: predictLogistic(
      clockModel,
      clock.map((column) => pick(column, heldOut)),
      heldOut.length,
    ),
    fitRows: Int32Array.from(fitRows),
    predict,
  };
}

/** Returns how well a model's probabilities do on the tasks it was not fitted on. */
export function evaluateFit(context: AssessContext, rows: TargetRows, model: FittedModel): FittedSignal {
  const { unitCount, unitOfTask } = context.data.tasks;
  const involved = countUnits(context, rows, model.rows);
  const labels = Float64Array.from(model.rows, (row) => rows.label[row]);
  const units = Int32Array.from(model.rows, (row) => unitOfTask[rows.task[row]]);
  const estimate = (compute: (weightOf: (row: number) => number) => number | undefined): Estimate | undefined =>
    estimateByUnits(unitCount, context.draws, (weights) => compute((i) => weights[units[i]]), involved);
  const ranking = rankScores(model.probabilities);
  const scores = new Float64Array(rows.count);
  model.rows.forEach((row, i) => (scores[row] = model.probabilities[i]));
  // Mean squares are sums over units, so that a resample costs no pass over rows.
  const sumSquares = (square: (i: number) => number): Float64Array => {
    const sums = new Float64Array(unitCount);
    labels.forEach((_label, i) => (sums[units[i]] += square(i)));
    return sums;
  };
  const counts = sumSquares(() => 1);
  const ownSquare = (i: number): number => (model.probabilities[i] - labels[i]) ** 2;
  const brier = estimateRatio(sumSquares(ownSquare), counts, context.draws);
  const brierGain = estimateRatio(
    sumSquares((i) => (model.clock[i] - labels[i]) ** 2 - ownSquare(i)),
    counts,
    context.draws,
  );
  const ece = estimate((weightOf) => binnedError(ranking, model.probabilities, labels, binCount, weightOf));
  if (brier === undefined || ece === undefined || brierGain === undefined)
    throw new RangeError("Cannot evaluate a fit without rows");
  const { interval, standardError = 0 } = brierGain;
  return {
    rows: model.rows.length,
    positives: countPositives(rows, model.rows),
    ...estimateAuroc(context, rows, scores, model.rows),
    auprc: estimate((weightOf) => averagePrecision(ranking, labels, weightOf)),
    brier,
    ece,
    brierGain,
    brierGainVerdict:
      interval === undefined
        ? "undecided"
        : decideVerdict(interval, brierMargin, { standardError, unitCount: brierGain.taskCount }),
  };
}

/** Returns in how many episodes the likeliest turn is the first error. Ties share the hit. */
function locateErrors(context: AssessContext, rows: TargetRows, model: FittedModel): SignalAssessment["located"] {
  const best = new Map<
    number,
    { top: number; ties: number; hits: number; turns: number; task: number; hasError: boolean }
  >();
  model.rows.forEach((row, i) => {
    const p = model.probabilities[i];
    const label = rows.label[row];
    const found = best.get(rows.episode[row]);
    if (found === undefined)
      best.set(rows.episode[row], {
        top: p,
        ties: 1,
        hits: label,
        turns: 1,
        task: rows.task[row],
        hasError: label === 1,
      });
    else {
      found.turns += 1;
      found.hasError ||= label === 1;
      if (p > found.top) Object.assign(found, { top: p, ties: 1, hits: label });
      else if (p === found.top) Object.assign(found, { ties: found.ties + 1, hits: found.hits + label });
    }
  });
  const episodes = [...best.values()].filter(({ hasError }) => hasError);
  const { unitOfTask, unitCount } = context.data.tasks;
  const share = estimateByUnits(
    unitCount,
    context.draws,
    (weights) => {
      let hits = 0;
      let all = 0;
      for (const episode of episodes) {
        const weight = weights[unitOfTask[episode.task]];
        hits += (weight * episode.hits) / episode.ties;
        all += weight;
      }
      return all > 0 ? hits / all : undefined;
    },
    new Set(episodes.map(({ task }) => unitOfTask[task])).size,
  );
  if (share === undefined) return undefined;
  return { share, chance: episodes.reduce((sum, { turns }) => sum + 1 / turns, 0) / episodes.length };
}

/** Models of a target with their assessments: the clock, each signal, and all signals that do not define the label. */
export interface AssessedTarget {
  readonly assessments: readonly SignalAssessment[];
  readonly models: readonly FittedModel[];
}

/** Assesses every signal against one target. */
export function assessTarget(context: AssessContext, rows: TargetRows): AssessedTarget {
  const clock = makeClock(rows);
  const columns = context.signals.map((_signal, index) => readColumn(context.data, rows, index));
  const positives = countPositives(
    rows,
    Int32Array.from({ length: rows.count }, (_unused, row) => row),
  );
  const models: FittedModel[] = [];
  const assess = (id: string, members: readonly Float64Array[], definesLabel: boolean): SignalAssessment => {
    const known: number[] = [];
    for (let row = 0; row < rows.count; row += 1)
      if (members.length !== 1 || !Number.isNaN(members[0][row])) known.push(row);
    const base = {
      signal: id,
      target: rows.target,
      rows: rows.count,
      positives,
      coverage: rows.count === 0 ? 0 : known.length / rows.count,
      definesLabel,
    };
    if (known.length === 0) return base;
    const raw = members.length === 1 ? estimateAuroc(context, rows, members[0], known) : {};
    const word = wordAuroc(raw.stratifiedAuroc);
    const model = fitSignals(context, rows, clock, { id, columns: members });
    if (model !== undefined) models.push(model);
    const located =
      model === undefined || rows.target !== "first_error" ? undefined : locateErrors(context, rows, model);
    return {
      ...base,
      ...raw,
      ...(word === undefined ? {} : { word }),
      ...(model === undefined ? {} : { fitted: evaluateFit(context, rows, model) }),
      ...(located === undefined ? {} : { located }),
    };
  };
  const definesLabel = (index: number): boolean => {
    const { definesErrors, readsFlags } = context.signals[index];
    if (rows.target === "success") return false;
    return definesErrors === true || (readsFlags === true && context.data.hasFlagLabels);
  };
  const combined = columns.filter(
    (column, index) => !definesLabel(index) && column.some((value) => !Number.isNaN(value)),
  );
  const assessments = [
    assess("clock", [], false),
    ...context.signals.map((signal, index) => assess(signal.id, [columns[index]], definesLabel(index))),
    ...(combined.length > 1 ? [assess("all", combined, false)] : []),
  ];
  return { assessments: assessments.filter(({ coverage }) => coverage > 0), models };
}
