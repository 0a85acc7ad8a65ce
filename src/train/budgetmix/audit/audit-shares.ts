import type { BudgetRollout } from "../../../core/index.js";
import { groupAdvantages, type GroupAdvantage } from "../../advantages/group-advantages.js";
import type { AuditedAggregation, BudgetSubject } from "./budget-subject.js";
import { getCap, meanOf } from "./rule-kit.js";

/** What one budget was meant to be, was, and weighs in the gradient. Shares are in [0, 1] and sum to 1 over budgets. */
export interface AuditedBudget {
  readonly maxTurns: number;
  readonly rollouts: number;
  /** Share of the episodes that the plan asked for in the updates that were played. */
  readonly plannedShare: number;
  /** Share of the episodes: what a mean over sequences gives each budget. */
  readonly sequenceShare: number;
  /** Share of the sampled tokens: what a mean over tokens gives each budget. Absent where tokens are not counted. */
  readonly tokenShare?: number;
  /**
   * Share of the sum of |weight x advantage|, for both ways of averaging: how hard each budget pulls at the network,
   * flat groups counting for nothing. Absent where groups or rewards are not known.
   */
  readonly pull?: { readonly tokenMean?: number; readonly sequenceMean: number };
  readonly meanTurns?: number;
  readonly meanTokens?: number;
  readonly meanReward?: number;
}

/** What a pull is computed with: how hard budgets pull hardly depends on it. */
const pullAdvantage: GroupAdvantage = { kind: "grpo", ddof: 1, epsilon: 1e-6 };

/** Says whether an aggregation gives every token of a batch the same weight, so that long episodes count for more. */
export function weighsTokens(aggregation: AuditedAggregation): boolean {
  return aggregation !== "sequence_mean";
}

/**
 * Returns |advantage| of each rollout within its group, as the trainer had it, one that mixes budgets included;
 * `undefined` where groups or rewards are not known. An episode that
 * ended in an error without a reward has no part in its group and pulls nothing, nor does one that is left alone.
 */
function findPulls(subject: BudgetSubject): (number | undefined)[] {
  const { rollouts } = subject;
  const isLost = ({ end, reward }: BudgetRollout): boolean => end === "error" && reward === undefined;
  const pulls = rollouts.map((rollout): number | undefined => (isLost(rollout) ? 0 : undefined));
  for (const members of subject.groups.values()) {
    const left = members.filter((position) => !isLost(rollouts[position]));
    const rewards = left.map((position) => rollouts[position].reward ?? NaN);
    if (members.length < 2 || !rewards.every(Number.isFinite)) continue;
    const advantages = left.length < 2 ? [0] : groupAdvantages(rewards, pullAdvantage).advantages;
    for (const [index, position] of left.entries()) pulls[position] = Math.abs(advantages[index]);
  }
  return pulls;
}

function countPlanned({ plan, rows }: BudgetSubject): Map<number, number> {
  const played = new Set(rows.flatMap((row) => (row === undefined ? [] : [row.update])));
  const counts = new Map<number, number>();
  for (const { update, maxTurns, samplingSeeds } of plan.rows) {
    if (played.size > 0 && !played.has(update)) continue;
    counts.set(maxTurns, (counts.get(maxTurns) ?? 0) + samplingSeeds.length);
  }
  return counts;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** Returns the mean of what is known of a field; `undefined` when nothing is. */
function meanKnown(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : meanOf(known);
}

/** Returns what each budget was planned to be, was played, and weighs, budgets ascending. */
export function measureAuditShares(subject: BudgetSubject): AuditedBudget[] {
  const { rollouts } = subject;
  const planned = countPlanned(subject);
  const caps = rollouts.map((_, position) => getCap(subject, position));
  const known = rollouts.flatMap((_, position) => (caps[position] === undefined ? [] : [position]));
  const budgets = [...new Set([...planned.keys(), ...known.map((position) => caps[position] ?? 0)])].sort(
    (a, b) => a - b,
  );
  const tokens = rollouts.map((rollout) => rollout.tokens);
  const hasTokens = known.length > 0 && known.every((position) => tokens[position] !== undefined);
  const pulls = findPulls(subject);
  const hasPulls = known.length > 0 && known.every((position) => pulls[position] !== undefined);
  const sumOf = (positions: readonly number[], read: (position: number) => number): number => sum(positions.map(read));
  const tokensOf = (position: number): number => tokens[position] ?? 0;
  const pullOf = (position: number): number => pulls[position] ?? 0;
  const tokenPullOf = (position: number): number => tokensOf(position) * pullOf(position);
  return budgets.map((maxTurns): AuditedBudget => {
    const own = known.filter((position) => caps[position] === maxTurns);
    const of = (read: (position: number) => number): number => share(sumOf(own, read), sumOf(known, read));
    const pull = { sequenceMean: of(pullOf), ...(hasTokens ? { tokenMean: of(tokenPullOf) } : {}) };
    const [meanTurns, meanTokens, meanReward] = [
      meanKnown(own.map((position) => rollouts[position].turns)),
      meanKnown(own.map((position) => tokens[position])),
      meanKnown(own.map((position) => rollouts[position].reward)),
    ];
    return {
      maxTurns,
      rollouts: own.length,
      plannedShare: share(planned.get(maxTurns) ?? 0, sum(planned.values())),
      sequenceShare: share(own.length, known.length),
      ...(hasTokens ? { tokenShare: of(tokensOf) } : {}),
      ...(hasPulls ? { pull } : {}),
      ...(meanTurns === undefined ? {} : { meanTurns }),
      ...(meanTokens === undefined ? {} : { meanTokens }),
      ...(meanReward === undefined ? {} : { meanReward }),
    };
  });
}
