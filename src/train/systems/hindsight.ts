import type { Random } from "../../core/index.js";

/** Which later achievement becomes the goal. */
export type HindsightStrategy = "future" | "final" | "episode";

/** Settings of {@linkcode hindsightRelabel}. */
export interface HindsightSettings<Goal> {
  readonly strategy: HindsightStrategy;
  /** Relabelled for each one that keeps its goal: a share of 1 - 1 / (1 + k); the paper takes 4. */
  readonly k: number;
  readonly random: Random;
  /** Says whether a goal can be a task's goal: the grader accepts it. A goal that is not accepted is not used. */
  readonly accepts: (goal: Goal) => boolean;
  /** The reward of having achieved this when that was wanted. */
  readonly reward: (achieved: Goal, wanted: Goal) => number;
}

/** One transition with the goal it is learnt for. */
export interface RelabelledStep<Goal> {
  readonly turnIndex: number;
  readonly goal: Goal;
  readonly reward: number;
  /** The turn whose achievement is the goal; absent for one that kept its own. Such records are for training only. */
  readonly relabelledFrom?: number;
}

/**
 * Returns the turns of an episode with some goals replaced by what was achieved later (HER, arXiv 1707.01495): each turn
 * with chance 1 - 1/(1+k). `future` draws from this turn on, `final` takes the last, `episode` any turn. The reward is
 * computed again for the new goal, so a turn whose own achievement is the goal gets the reward of success.
 *
 * @param achieved [turn] what held after each turn.
 * @param wanted the goal the episode was played for.
 * @throws {RangeError} for a k below 0.
 */
export function hindsightRelabel<Goal>(
  achieved: readonly Goal[],
  wanted: Goal,
  { strategy, k, random, accepts, reward }: HindsightSettings<Goal>,
): RelabelledStep<Goal>[] {
  if (!(k >= 0)) throw new RangeError(`Cannot relabel episodes with a k below 0: current k is ${k}`);
  const share = 1 - 1 / (1 + k);
  return achieved.map((own, turnIndex) => {
    const isChosen = random.next() < share;
    const from = pickTurn(strategy, turnIndex, achieved.length, random);
    if (!isChosen || !accepts(achieved[from])) return { turnIndex, goal: wanted, reward: reward(own, wanted) };
    const goal = achieved[from];
    return { turnIndex, goal, reward: reward(own, goal), relabelledFrom: from };
  });
}

/** Position in `achieved`; entry t holds what was so after turn t, which is the state t + 1. */
function pickTurn(strategy: HindsightStrategy, turnIndex: number, count: number, random: Random): number {
  switch (strategy) {
    case "future":
      return turnIndex + random.nextInt(count - turnIndex);
    case "final":
      return count - 1;
    case "episode":
      return random.nextInt(count);
    default:
      return strategy satisfies never;
  }
}
