import type { Estimate, SignalDivergence } from "../../core/index.js";
import { decideVerdict } from "../../stats/index.js";
import { estimateByUnits, type UnitDraws } from "./task-draws.js";

/** One episode's sum of a signal and its outcome. */
export interface SignalReturn {
  /** Resampling unit of its task, 0-based. */
  readonly unit: number;
  readonly task: number;
  readonly sum: number;
  readonly success: boolean;
}

/**
 * Returns the expected success and signal when the episode with the largest sum is kept out of `n` drawn without
 * replacement; equal sums are kept alike. `undefined` with fewer than n episodes.
 *
 * @example
 * expectBestOf([{ sum: 1, success: true }, { sum: 0, success: false }], 2); // { success: 1, sum: 1 }
 */
export function expectBestOf(
  episodes: readonly { readonly sum: number; readonly success: boolean }[],
  n: number,
): { readonly success: number; readonly sum: number } | undefined {
  const count = episodes.length;
  if (count < n) return undefined;
  const sorted = [...episodes].sort((a, b) => a.sum - b.sum);
  // P(largest rank <= i) = C(i, n) / C(count, n), as a product that cannot overflow.
  const within = (i: number): number => {
    if (i < n) return 0;
    let product = 1;
    for (let j = 0; j < n; j += 1) product *= (i - j) / (count - j);
    return product;
  };
  let success = 0;
  let sum = 0;
  for (let start = 0; start < count;) {
    let end = start;
    let solved = 0;
    while (end < count && sorted[end].sum === sorted[start].sum) {
      solved += sorted[end].success ? 1 : 0;
      end += 1;
    }
    const chance = within(end) - within(start);
    success += (chance * solved) / (end - start);
    sum += chance === 0 ? 0 : chance * sorted[start].sum;
    start = end;
  }
  return { success, sum };
}

/** Options of {@linkcode measureDivergence}. */
export interface DivergenceOptions {
  readonly draws: UnitDraws;
  readonly unitCount: number;
  /** Half-width of the region called equivalent; default .03. */
  readonly margin?: number;
  /** What the sums were multiplied with before; default 1. Only noted in the result. */
  readonly sign?: 1 | -1;
}

interface TaskPart {
  readonly unit: number;
  readonly pairs: number;
  readonly concordant: number;
  /** [position in the grid of n] */
  readonly best: readonly { readonly success: number; readonly sum: number }[];
}

function readTask(episodes: readonly SignalReturn[], grid: readonly number[]): TaskPart {
  let concordant = 0;
  let pairs = 0;
  for (const yes of episodes) {
    if (!yes.success) continue;
    for (const no of episodes) {
      if (no.success) continue;
      pairs += 1;
      concordant += yes.sum > no.sum ? 1 : yes.sum === no.sum ? 0.5 : 0;
    }
  }
  return { unit: episodes[0].unit, pairs, concordant, best: grid.flatMap((n) => expectBestOf(episodes, n) ?? []) };
}

/**
 * Returns what happens to success when a signal's sum over an episode is treated as its reward: how well the two agree
 * within a task, and success when the best of n episodes is kept by the signal, n = 1, 2, 4, ... up to what every task
 * used has. Picking the best of n is the mildest way of optimising a signal; one that does not raise success even so
 * must not be a reward. `undefined` where no task has two episodes.
 */
export function measureDivergence(
  signal: string,
  returns: readonly SignalReturn[],
  options: DivergenceOptions,
): SignalDivergence | undefined {
  const { draws, unitCount, margin = 0.03, sign = 1 } = options;
  const byTask = new Map<number, SignalReturn[]>();
  for (const one of returns) {
    if (Number.isNaN(one.sum)) continue;
    const list = byTask.get(one.task);
    if (list === undefined) byTask.set(one.task, [one]);
    else list.push(one);
  }
  const lists = [...byTask.values()].filter((episodes) => episodes.length >= 2);
  if (lists.length === 0) return undefined;
  const sizes = lists.map((episodes) => episodes.length).sort((a, b) => a - b);
  // Up to what nine in ten tasks have; tasks with fewer are left out of the whole curve, so that its points compare.
  const most = sizes[Math.floor(sizes.length / 10)];
  const grid: number[] = [];
  for (let n = 1; n <= most; n *= 2) grid.push(n);
  const parts = lists.map((episodes) => readTask(episodes, grid)).filter(({ best }) => best.length === grid.length);
  const involved = new Set(parts.map(({ unit }) => unit)).size;
  const mean = (read: (part: TaskPart) => number, weigh: (part: TaskPart) => number): Estimate | undefined =>
    estimateByUnits(
      unitCount,
      draws,
      (weights) => {
        let above = 0;
        let below = 0;
        for (const part of parts) {
          above += weights[part.unit] * read(part);
          below += weights[part.unit] * weigh(part);
        }
        return below > 0 ? above / below : undefined;
      },
      involved,
    );
  const one = (): number => 1;
  const curve = grid.flatMap((n, i) => {
    const success = mean(({ best }) => best[i].success, one);
    const sum = mean(({ best }) => best[i].sum, one);
    return success === undefined
      ? []
      : [{ n, ...(sum !== undefined && Number.isFinite(sum.value) ? { signal: sum } : {}), success }];
  });
  const gain = mean(({ best }) => best[grid.length - 1].success - best[0].success, one);
  const agreement = mean(
    ({ concordant }) => concordant,
    ({ pairs }) => pairs,
  );
  const verdict =
    gain?.interval === undefined
      ? "undecided"
      : decideVerdict(gain.interval, margin, { standardError: gain.standardError ?? 0, unitCount: gain.taskCount });
  return {
    signal,
    sign,
    ...(agreement === undefined ? {} : { agreement }),
    curve,
    ...(gain === undefined ? {} : { gain, verdict }),
    diverges: verdict === "loss" || verdict === "equivalent",
  };
}
