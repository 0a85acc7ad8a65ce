import { pooledStride, type ChainData } from "./chain-data.js";
import { modeStride } from "./mode-chain.js";

/** A copy of the shared constant: read in inner loops, where some loaders make every use of an import a call. */
const width = pooledStride;

/** Classes of tasks fitted by EM. */
export interface LatentClasses {
  readonly classCount: number;
  /** [class] share of tasks. */
  readonly shares: Float64Array;
  /** [class][policy][mode][outcome] logarithms of the chances of the five outcomes of a turn, quitting included. */
  readonly logChances: Float64Array;
  /** [task][class] chance that the task belongs to the class; rows sum to 1. */
  readonly memberships: Float64Array;
  /** Log-likelihood of all events, up to a constant. */
  readonly logLikelihood: number;
  readonly iterations: number;
}

/** Options of {@linkcode fitLatentClasses}. */
export interface FitOptions {
  /** [task] how often each task counts; once each by default. */
  readonly taskWeights?: Float64Array;
  /** Most EM steps; default 200. */
  readonly maxIterations?: number;
  /** Stops when a step gains less log-likelihood than this; default 1e-4. */
  readonly tolerance?: number;
  /** Where to begin; without it, memberships by rank of the tasks' success. */
  readonly start?: Pick<LatentClasses, "shares" | "logChances">;
}

/** Memberships below this add less to any count than rounding does. */
const negligible = 1e-15;

/** Added to each count of outcomes, so that none is impossible (Jeffreys). */
const priorCount = 0.5;

/** Returns [class] shares and [class][20] log chances from memberships. */
function maximize(data: ChainData, classCount: number, memberships: Float64Array, weights: Float64Array | undefined) {
  const { taskCount, pooled } = data;
  const shares = new Float64Array(classCount);
  const sums = new Float64Array(classCount * width).fill(priorCount);
  let total = 0;
  for (let task = 0; task < taskCount; task += 1) {
    const weight = weights === undefined ? 1 : weights[task];
    if (weight === 0) continue;
    total += weight;
    addTask(pooled, task, memberships, classCount, weight, shares, sums);
  }
  return finishMaximize(shares, sums, total, classCount);
}

function addTask(
  pooled: Float64Array,
  task: number,
  memberships: Float64Array,
  classCount: number,
  weight: number,
  shares: Float64Array,
  sums: Float64Array,
): void {
  const from = task * width;
  for (let k = 0; k < classCount; k += 1) {
    const part = weight * memberships[task * classCount + k];
    shares[k] += part;
    if (part < negligible) continue;
    const at = k * width;
    for (let j = 0; j < width; j += 1) sums[at + j] += part * pooled[from + j];
  }
}

function finishMaximize(shares: Float64Array, sums: Float64Array, total: number, classCount: number) {
  const logChances = new Float64Array(sums.length);
  for (let at = 0; at < sums.length; at += modeStride) {
    let sum = 0;
    for (let j = 0; j < modeStride; j += 1) sum += sums[at + j];
    for (let j = 0; j < modeStride; j += 1) logChances[at + j] = Math.log(sums[at + j] / sum);
  }
  for (let k = 0; k < classCount; k += 1) shares[k] = Math.max(shares[k] / total, 1e-12);
  return { shares, logChances };
}

/** Writes the memberships of one task and returns its log-likelihood. */
function assignTask(
  pooled: Float64Array,
  task: number,
  logShares: Float64Array,
  logChances: Float64Array,
  memberships: Float64Array,
): number {
  const classCount = logShares.length;
  const from = task * width;
  const row = task * classCount;
  let largest = -Infinity;
  for (let k = 0; k < classCount; k += 1) {
    let sum = logShares[k];
    const at = k * width;
    for (let j = 0; j < width; j += 1) sum += pooled[from + j] * logChances[at + j];
    memberships[row + k] = sum;
    if (sum > largest) largest = sum;
  }
  let total = 0;
  for (let k = 0; k < classCount; k += 1) {
    const part = Math.exp(memberships[row + k] - largest);
    memberships[row + k] = part;
    total += part;
  }
  for (let k = 0; k < classCount; k += 1) memberships[row + k] /= total;
  return largest + Math.log(total);
}

/** Returns memberships that follow the tasks' rank by `score`: nine tenths in the class of the rank, the rest spread. */
function rankMemberships(scores: Float64Array, classCount: number): Float64Array {
  const order = Array.from(scores.keys()).sort((x, y) => scores[x] - scores[y] || x - y);
  const memberships = new Float64Array(scores.length * classCount).fill(classCount === 1 ? 1 : 0.1 / (classCount - 1));
  for (const [rank, task] of order.entries()) {
    if (classCount > 1) memberships[task * classCount + Math.floor((rank * classCount) / order.length)] = 0.9;
  }
  return memberships;
}

/** Returns [task] shares of events that go well: solved or clean, both policies and modes together. */
function scoreTasks({ taskCount, pooled }: ChainData, isSuccess: boolean): Float64Array {
  return Float64Array.from({ length: taskCount }, (_unused, task) => {
    let good = 0;
    let all = 0;
    for (let j = 0; j < width; j += 1) {
      const outcome = j % modeStride;
      const count = pooled[task * width + j];
      if (outcome === 1 || (!isSuccess && outcome === 2)) good += count;
      if (!isSuccess || outcome === 0 || outcome === 1 || outcome === 4) all += count;
    }
    return (good + priorCount) / (all + 1);
  });
}

/** Runs EM from a start. A warm start from the data's own fit needs few steps for a resample. */
function runEm(
  data: ChainData,
  classCount: number,
  start: Pick<LatentClasses, "shares" | "logChances">,
  options: FitOptions,
): LatentClasses {
  const { taskWeights, maxIterations = 200, tolerance = 1e-4 } = options;
  const { taskCount, pooled } = data;
  const memberships = new Float64Array(taskCount * classCount);
  let { shares, logChances } = start;
  let before = -Infinity;
  for (let iterations = 1; ; iterations += 1) {
    const logShares = shares.map(Math.log);
    let logLikelihood = 0;
    let total = 0;
    const nextShares = new Float64Array(classCount);
    const sums = new Float64Array(classCount * width).fill(priorCount);
    for (let task = 0; task < taskCount; task += 1) {
      const weight = taskWeights === undefined ? 1 : taskWeights[task];
      if (weight === 0) continue;
      logLikelihood += weight * assignTask(pooled, task, logShares, logChances, memberships);
      addTask(pooled, task, memberships, classCount, weight, nextShares, sums);
      total += weight;
    }
    if (classCount === 1 || iterations >= maxIterations || Math.abs(logLikelihood - before) < tolerance) {
      return { classCount, shares, logChances, memberships, logLikelihood, iterations };
    }
    before = logLikelihood;
    ({ shares, logChances } = finishMaximize(nextShares, sums, total, classCount));
  }
}

/**
 * Fits a mixture of `classCount` classes of tasks, shared by both policies, by EM: within a class every event is
 * multinomial by policy and mode, the same in all turns. Counts get ½ each, so no outcome is impossible. Without a
 * start, the better of two is kept: tasks ranked by success, and by turns that go well. Deterministic.
 * Throws a `RangeError` for fewer than one class.
 */
export function fitLatentClasses(data: ChainData, classCount: number, options: FitOptions = {}): LatentClasses {
  if (!Number.isInteger(classCount) || classCount < 1) {
    throw new RangeError(
      `Cannot fit classes as their number must be a whole number from 1: current value is ${classCount}`,
    );
  }
  if (options.start !== undefined) return runEm(data, classCount, options.start, options);
  const fits = (classCount === 1 ? [true] : [true, false]).map((isSuccess) => {
    const memberships = rankMemberships(scoreTasks(data, isSuccess), classCount);
    return runEm(data, classCount, maximize(data, classCount, memberships, options.taskWeights), options);
  });
  return fits.reduce((best, fit) => (fit.logLikelihood > best.logLikelihood ? fit : best));
}

/** Free numbers of a model with `classCount` classes: 16 chances a class and the shares. */
export function countClassParameters(classCount: number): number {
  return 16 * classCount + classCount - 1;
}

/**
 * Returns the chances of tasks with these pooled counts [task][policy][mode][outcome] to belong to the classes of a
 * fit: [task][class].
 */
export function assignMemberships(
  pooled: Float64Array,
  { classCount, shares, logChances }: Pick<LatentClasses, "classCount" | "shares" | "logChances">,
): Float64Array {
  const taskCount = pooled.length / width;
  const memberships = new Float64Array(taskCount * classCount);
  const logShares = shares.map(Math.log);
  for (let task = 0; task < taskCount; task += 1) assignTask(pooled, task, logShares, logChances, memberships);
  return memberships;
}

/** Returns the Bayesian information criterion of a fit, with tasks as the sample; smaller is better. */
export function getBic(fit: LatentClasses, taskCount: number): number {
  return countClassParameters(fit.classCount) * Math.log(taskCount) - 2 * fit.logLikelihood;
}

/** A number of classes that was tried. */
export interface ClassChoice {
  readonly classCount: number;
  readonly logLikelihood: number;
  readonly bic: number;
}

/**
 * Returns the fit with the smallest BIC among 1, 2, ... `maxClasses` (default 6) classes and what was tried; stops after two
 * numbers of classes in a row that are no better.
 */
export function chooseClasses(
  data: ChainData,
  maxClasses = 6,
): { readonly fit: LatentClasses; readonly tried: readonly ClassChoice[] } {
  const tried: ClassChoice[] = [];
  let best: { fit: LatentClasses; bic: number } | undefined;
  for (let classCount = 1; classCount <= Math.min(maxClasses, data.taskCount); classCount += 1) {
    const fit = fitLatentClasses(data, classCount);
    const bic = getBic(fit, data.taskCount);
    tried.push({ classCount, logLikelihood: fit.logLikelihood, bic });
    if (best === undefined || bic < best.bic) best = { fit, bic };
    else if (classCount >= best.fit.classCount + 2) break;
  }
  if (best === undefined) throw new RangeError("Cannot choose a number of classes without tasks");
  return { fit: best.fit, tried };
}
