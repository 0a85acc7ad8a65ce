import type { ShapingCheck } from "../../core/index.js";

/** One episode of a reward that is meant as shaping. */
export interface ShapingEpisode {
  /** Names the first state: episodes with the same one began alike. */
  readonly start: string;
  /** [turn] the shaping reward F. */
  readonly rewards: readonly number[];
  /** [turn + 1] the potential of each state, before the first turn and after each; absent when none is claimed. */
  readonly potentials?: readonly (number | undefined)[];
}

/** Options of {@linkcode checkShaping}. */
export interface ShapingOptions {
  /** Discount of the task's own reward; default 1. */
  readonly gamma?: number;
  /** Differences up to this count as rounding; default 1e-9. */
  readonly tolerance?: number;
}

/**
 * Says whether a per-turn reward is potential-based shaping, F = gamma x potential(after) - potential(before), which is
 * the only kind that leaves every best policy best (Ng, Harada and Russell 1999). Two tests: where potentials are given,
 * each turn must satisfy the equation, and finished episodes must end at potential 0, since what an open end adds
 * depends on where the episode stopped. Whatever the potentials, discounted sums from one start to the end must be
 * equal, because they telescope to -potential(start); tasks in which they differ prove that no potential exists.
 * Passing is evidence from the episodes seen, not proof.
 */
export function checkShaping(
  signal: string,
  episodes: readonly ShapingEpisode[],
  options: ShapingOptions = {},
): ShapingCheck {
  const { gamma = 1, tolerance = 1e-9 } = options;
  const sums = new Map<string, { least: number; most: number; count: number }>();
  let turns = 0;
  let broken = 0;
  let openEnds = 0;
  let hasPotential = false;
  for (const { start, rewards, potentials } of episodes) {
    let sum = 0;
    rewards.forEach((reward, turn) => {
      sum += gamma ** turn * reward;
      const before = potentials?.[turn];
      const after = potentials?.[turn + 1];
      if (before === undefined || after === undefined) return;
      turns += 1;
      hasPotential = true;
      // A state at minus infinity has no finite equation; the reward must be infinite too.
      const wanted = before === after ? (gamma - 1) * (Number.isFinite(before) ? before : 0) : gamma * after - before;
      if (wanted !== reward && !(Math.abs(wanted - reward) <= tolerance)) broken += 1;
    });
    const last = potentials?.[rewards.length];
    if (last !== undefined && Math.abs(last) > tolerance) openEnds += 1;
    if (rewards.length === 0) continue;
    const found = sums.get(start);
    if (found === undefined) sums.set(start, { least: sum, most: sum, count: 1 });
    else
      sums.set(start, { least: Math.min(found.least, sum), most: Math.max(found.most, sum), count: found.count + 1 });
  }
  const several = [...sums.values()].filter(({ count }) => count > 1);
  const spreads = several.map(({ least, most }) => (least === most ? 0 : most - least));
  const unequal = spreads.filter((spread) => !(spread <= tolerance)).length;
  const counts = {
    tasks: several.length,
    unequalTasks: unequal,
    largestSpread: spreads.reduce((most, spread) => Math.max(most, spread), 0),
  };
  const checked = hasPotential ? { turns, broken, openEnds } : {};
  if (episodes.every(({ rewards }) => rewards.every((reward) => reward === 0))) {
    return { signal, gamma, ...checked, ...counts, verdict: "not_checked", reason: "it is 0 in every turn" };
  }
  return { signal, gamma, ...checked, ...counts, ...decide({ hasPotential, turns, broken, openEnds, ...counts }) };
}

function decide(found: {
  readonly hasPotential: boolean;
  readonly turns: number;
  readonly broken: number;
  readonly openEnds: number;
  readonly tasks: number;
  readonly unequalTasks: number;
}): Pick<ShapingCheck, "verdict" | "reason"> {
  const { hasPotential, turns, broken, openEnds, tasks, unequalTasks } = found;
  if (broken > 0) {
    return {
      verdict: "not_potential_based",
      reason: `${broken} of ${turns} turns break F = gamma x potential(after) - potential(before)`,
    };
  }
  if (openEnds > 0) {
    return {
      verdict: "not_potential_based",
      reason: `each turn fits, but ${openEnds} episodes end at a potential other than 0: pay -potential(before) in the last turn`,
    };
  }
  if (unequalTasks > 0) {
    return {
      verdict: "not_potential_based",
      reason: `sums from one start differ in ${unequalTasks} of ${tasks} tasks, which no potential gives`,
    };
  }
  if (!hasPotential && tasks === 0) {
    return { verdict: "not_checked", reason: "no potential is given, and no task has two episodes from one start" };
  }
  return {
    verdict: "potential_based",
    reason: hasPotential ? "every turn fits its potential" : `sums agree in all ${tasks} tasks with several episodes`,
  };
}
