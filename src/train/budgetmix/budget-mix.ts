import type { JsonObject } from "../../core/index.js";

/** How often each turn budget is played, by update. */
export type BudgetMix =
  /** Each of these as often as the others. */
  | { readonly type: "fixed"; readonly budgets: readonly number[] }
  /** Each in proportion to its weight; weights need not sum to 1. */
  | { readonly type: "weights"; readonly weights: readonly BudgetWeight[] }
  /** Whole numbers from `min` to `max`, so that each doubling of T is played equally often. */
  | { readonly type: "log_uniform"; readonly min: number; readonly max: number }
  /** One cap at a time, the next one every so many updates; the last one stays (ScalingInter-RL). */
  | { readonly type: "curriculum"; readonly caps: readonly number[]; readonly every: number }
  /** Several mixes at once, in proportion to their weights. */
  | { readonly type: "mixture"; readonly parts: readonly MixPart[] };

/** What one budget counts for. */
export interface BudgetWeight {
  readonly maxTurns: number;
  readonly weight: number;
}

/** One mix of a mixture. */
export interface MixPart {
  readonly weight: number;
  readonly mix: BudgetMix;
}

/**
 * The caps that AgentGym-RL's scripts for ScalingInter-RL step through
 * (WooooDyy/AgentGym-RL, `examples/train/ScalingInter-RL`).
 */
export const publishedCurricula = {
  webarena: { type: "curriculum", caps: [8, 12, 15], every: 80 },
  searchqa: { type: "curriculum", caps: [5, 8, 10], every: 100 },
  babyai: { type: "curriculum", caps: [6, 13, 20], every: 100 },
  sciworld: { type: "curriculum", caps: [10, 20, 30], every: 100 },
  textcraft: { type: "curriculum", caps: [10, 20, 30], every: 100 },
} as const satisfies { readonly [name: string]: BudgetMix };

function normalize(weights: readonly BudgetWeight[]): BudgetWeight[] {
  const sums = new Map<number, number>();
  for (const { maxTurns, weight } of weights) sums.set(maxTurns, (sums.get(maxTurns) ?? 0) + weight);
  const total = [...sums.values()].reduce((sum, weight) => sum + weight, 0);
  return [...sums]
    .filter(([, weight]) => weight > 0)
    .map(([maxTurns, weight]) => ({ maxTurns, weight: weight / total }))
    .sort((a, b) => a.maxTurns - b.maxTurns);
}

function listLogUniform(min: number, max: number): BudgetWeight[] {
  return Array.from({ length: max - min + 1 }, (_, index) => {
    const maxTurns = min + index;
    return { maxTurns, weight: Math.log((maxTurns + 0.5) / (maxTurns - 0.5)) };
  });
}

/**
 * Returns the share of each budget in an update (0-based), budgets ascending, those without a share left out; they sum
 * to 1. It depends on the update alone, so that a run that is resumed goes on as one that was never stopped.
 *
 * @example
 * getBudgetShares({ type: "curriculum", caps: [5, 8, 10], every: 100 }, 100); // [{ maxTurns: 8, weight: 1 }]
 */
export function getBudgetShares(mix: BudgetMix, update: number): BudgetWeight[] {
  switch (mix.type) {
    case "fixed":
      return normalize([...new Set(mix.budgets)].map((maxTurns) => ({ maxTurns, weight: 1 })));
    case "weights":
      return normalize(mix.weights);
    case "log_uniform":
      return normalize(listLogUniform(mix.min, mix.max));
    case "curriculum": {
      const stage = Math.min(mix.caps.length - 1, Math.floor(update / mix.every));
      return [{ maxTurns: mix.caps[stage], weight: 1 }];
    }
    case "mixture": {
      const total = mix.parts.reduce((sum, { weight }) => sum + weight, 0);
      return normalize(
        mix.parts.flatMap((part) =>
          getBudgetShares(part.mix, update).map(({ maxTurns, weight }) => ({
            maxTurns,
            weight: (weight * part.weight) / total,
          })),
        ),
      );
    }
    default:
      return mix satisfies never;
  }
}

/** Returns every budget a mix can play in any update, ascending. */
export function listMixBudgets(mix: BudgetMix): number[] {
  switch (mix.type) {
    case "curriculum":
      return [...new Set(mix.caps)].sort((a, b) => a - b);
    case "mixture": {
      const parts = mix.parts.filter(({ weight }) => weight > 0);
      return [...new Set(parts.flatMap((part) => listMixBudgets(part.mix)))].sort((a, b) => a - b);
    }
    case "fixed":
    case "weights":
    case "log_uniform":
      return getBudgetShares(mix, 0).map(({ maxTurns }) => maxTurns);
    default:
      return mix satisfies never;
  }
}

/** Returns a mix in one line, for people. */
export function describeBudgetMix(mix: BudgetMix): string {
  switch (mix.type) {
    case "fixed":
      return `T in ${mix.budgets.join(", ")}, equally often`;
    case "weights":
      return mix.weights.map(({ maxTurns, weight }) => `T=${maxTurns} with weight ${weight}`).join(", ");
    case "log_uniform":
      return `T from ${mix.min} to ${mix.max}, each doubling equally often`;
    case "curriculum":
      return `T steps through ${mix.caps.join(", ")} every ${mix.every} updates`;
    case "mixture":
      return mix.parts.map((part) => `${part.weight} of (${describeBudgetMix(part.mix)})`).join(" and ");
    default:
      return mix satisfies never;
  }
}

/** Returns the mix as a JSON object: what a plan keeps. */
export function toMixJson(mix: BudgetMix): JsonObject {
  return JSON.parse(JSON.stringify(mix)) as JsonObject; // a mix holds texts, numbers and lists only
}
