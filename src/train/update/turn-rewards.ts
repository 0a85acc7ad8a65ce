import { isFlaggedInvalid, untagNumber, type RecordedNumber, type Trajectory, type Turn } from "../../core/index.js";
import type { RewardRecipe, ShapingRecipe } from "../recipe/recipe.js";
import { addProcessSignal, shapeByPotential } from "../shaping/potential-shaping.js";

/** What an episode is rewarded with. */
export interface TurnRewards {
  /** [turn] */
  readonly rewards: readonly number[];
  /** Sum of the process signal over the episode, without its weight; absent without shaping, or where the env tells none. */
  readonly signal?: number;
}

/** What is known of the whole group when one of its episodes is rewarded. */
export interface RewardContext {
  /** Oracle distance of the state where all its episodes begin. */
  readonly startDistance?: RecordedNumber;
  /** Discount between turns; default 1. */
  readonly gamma?: number;
}

/** Returns a distance that can be calculated with: a hopeless state counts as `farthest`. */
function bound(distance: RecordedNumber | undefined, farthest: number): number | undefined {
  const value = untagNumber(distance);
  return value === undefined ? undefined : Math.min(value, farthest);
}

/**
 * Returns the distances before the first turn and after each, `undefined` where unknown. A turn that reached no state
 * of its own, such as giving up, leaves the distance as it was. Shape [turn + 1].
 */
function listDistances(
  turns: readonly Turn[],
  farthest: number,
  { startDistance }: RewardContext,
): (number | undefined)[] {
  const first = bound(turns[0]?.distanceBefore, farthest) ?? bound(startDistance, farthest);
  const distances = [first];
  for (const turn of turns) distances.push(bound(turn.distanceAfter, farthest) ?? distances[distances.length - 1]);
  return distances;
}

/** Returns what each turn says about progress, `undefined` where the env does not tell. Shape [turn]. */
function readSignals(
  turns: readonly Turn[],
  shaping: ShapingRecipe,
  distances: readonly (number | undefined)[],
): (number | undefined)[] {
  if (shaping.kind === "plain" && shaping.signal === "regret") {
    return turns.map(({ regret }) => (regret === undefined ? undefined : 0 - regret));
  }
  return turns.map((_, turn) => {
    const [before, after] = [distances[turn], distances[turn + 1]];
    return before === undefined || after === undefined ? undefined : before - after;
  });
}

function shape(
  rewards: readonly number[],
  turns: readonly Turn[],
  shaping: ShapingRecipe,
  context: RewardContext,
): TurnRewards {
  const { weight } = shaping;
  const distances = listDistances(turns, shaping.farthest, context);
  const signals = readSignals(turns, shaping, distances);
  const known = signals.filter((signal) => signal !== undefined);
  if (known.length === 0) return { rewards };
  const signal = known.reduce((sum, each) => sum + each, 0);
  if (shaping.kind === "plain") return { rewards: addProcessSignal(rewards, signals, weight), signal };
  const potentials = distances.flatMap((distance) => (distance === undefined ? [] : [0 - weight * distance]));
  if (potentials.length < distances.length) return { rewards };
  const { gamma = 1 } = context;
  const added = shapeByPotential(potentials, { gamma });
  return { rewards: rewards.map((reward, turn) => reward + added[turn]), signal };
}

/** Returns what the episode's end is worth; `undefined` where it cannot be judged. */
function getOutcomeReward({ success, scores }: Trajectory, { success: worth, part }: RewardRecipe): number | undefined {
  if (part === undefined) return success === undefined ? undefined : success ? worth : 0;
  const value = scores?.[part];
  if (typeof value === "boolean") return value ? worth : 0;
  const number = typeof value === "string" ? undefined : untagNumber(value);
  return number === undefined || !Number.isFinite(number) ? undefined : worth * number;
}

/**
 * Returns the reward of each turn: the outcome's on the last turn the policy took, penalties where they were earned, and
 * what shaping adds. `undefined` for an episode that cannot be judged: it ended in an error, took no turn, or has no
 * outcome.
 */
export function getTurnRewards(
  trajectory: Trajectory,
  reward: RewardRecipe,
  context: RewardContext = {},
): TurnRewards | undefined {
  const { turns, stopReason } = trajectory;
  const outcome = getOutcomeReward(trajectory, reward);
  if (turns.length === 0 || outcome === undefined || stopReason.type === "error") return undefined;
  const rewards = turns.map(({ flags }, index) => {
    const penalty = isFlaggedInvalid(flags) ? reward.invalidTurn : 0;
    return penalty + (index === turns.length - 1 ? outcome : 0);
  });
  return reward.shaping === undefined ? { rewards } : shape(rewards, turns, reward.shaping, context);
}
