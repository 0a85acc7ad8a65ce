// internal
import type { Policy } from "../core/index.js";
import { countPlanned, getRunBudgets, type PlanConfig } from "../rollout/index.js";

const write = (count: number, noun: string): string =>
  `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;

/**
 * Returns what a run is about to ask of policies that are not scripted, to be said before the first call is paid for:
 * defaults are easily overlooked. `undefined` when every policy is scripted.
 *
 * @example
 * // "Up to 12,800 calls: 50 tasks x 16 samples x 1 policy = 800 episodes of at most 16 turns (--tasks, --samples and
 * // --budgets change that; Ctrl-C stops, and the same command goes on)"
 */
export function announceRun(
  policies: readonly Policy[],
  plans: readonly PlanConfig[],
  limits: { readonly limit?: number; readonly shardCount?: number } = {},
): string | undefined {
  const asked = policies.filter(({ needsOracle }) => needsOracle !== true);
  const [plan] = plans;
  if (asked.length === 0 || plan === undefined) return undefined;
  const { limit = Infinity, shardCount = 1 } = limits;
  const own = plans.map((one) => ({ ...one, policyIds: asked.map(({ id }) => id) }));
  const all = own.reduce((sum, one) => sum + countPlanned(one), 0);
  const turns = own.map(getRunBudgets);
  const perSample = turns.flat().reduce((sum, budget) => sum + budget, 0);
  const calls = perSample * asked.length * plan.tasks.length * plan.sampleCount;
  const part = Math.min(1, limit / all) / shardCount;
  const episodes = Math.ceil(all * part);
  const settings = turns.flat().length;
  const factors = [
    write(plan.tasks.length, "task"),
    write(plan.sampleCount, "sample"),
    `${asked.length} ${asked.length === 1 ? "policy" : "policies"}`,
    ...(settings > 1 ? [write(settings, "budget setting")] : []),
  ].join(" x ");
  const share = part < 1 ? `, ${write(episodes, "episode")} of them in this call` : "";
  const most = Math.max(...turns.flat());
  return `Up to ${write(Math.ceil(calls * part), "call")}: ${factors} = ${write(all, "episode")} of at most ${write(most, "turn")}${share} (--tasks, --samples and --budgets change that; Ctrl-C stops, and the same command goes on)`;
}
