import type { Trajectory } from "../../core/index.js";
import type { PlayedGroup } from "../play-groups.js";
import type { AlgorithmRecipe } from "../recipe/recipe.js";
import { getTurnRewards, type TurnRewards } from "./turn-rewards.js";

/** Returns the discount between turns that an algorithm's advantages have; groups compare plain sums. */
function getTurnGamma(advantage: AlgorithmRecipe["advantage"]): number {
  if (advantage.kind !== "gae" || advantage.level === "token") return 1;
  return advantage.level === "turn" ? advantage.gamma : (advantage.turnGamma ?? advantage.gamma);
}

/** Returns what each episode of a group is rewarded with, `undefined` where it cannot be judged. Shape [episode]. */
export function rewardGroup(
  { episodes }: PlayedGroup,
  { reward, advantage }: Pick<AlgorithmRecipe, "reward" | "advantage">,
): (TurnRewards | undefined)[] {
  // All begin in one state; an episode whose first turn gave up has no distance of its own.
  const startDistance = episodes
    .map(({ trajectory }) => trajectory.turns[0]?.distanceBefore)
    .find((distance) => distance !== undefined);
  const context = { startDistance, gamma: getTurnGamma(advantage) };
  return episodes.map(({ trajectory }) => getTurnRewards(trajectory, reward, context));
}

/**
 * Returns the episodes of a group with the return that training learns from, before any KL penalty, as their
 * `episodeReturn`: turns keep what the env gave for them, which can be another thing. An episode that cannot be judged
 * states none.
 */
export function recordReturns(
  group: PlayedGroup,
  algorithm: Pick<AlgorithmRecipe, "reward" | "advantage">,
): Trajectory[] {
  const rewards = rewardGroup(group, algorithm);
  return group.episodes.map(({ trajectory }, index) => {
    const rewarded = rewards[index]?.rewards;
    return rewarded === undefined
      ? trajectory
      : { ...trajectory, episodeReturn: rewarded.reduce((sum, each) => sum + each, 0) };
  });
}
