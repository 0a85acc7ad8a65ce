import { usageError } from "../../core/index.js";
import { checkLossSpec } from "../losses/check-loss-spec.js";
import { findRewardKl, type GaeAdvantage, type GroupedAdvantage, type Objective } from "./objective-spec.js";

function isUnit(value: number): boolean {
  return value >= 0 && value <= 1;
}

function checkGae({ level, gamma, lambda, turnGamma }: GaeAdvantage, valueWeight: number): string[] {
  const reasons: string[] = [];
  if (!isUnit(gamma) || !isUnit(lambda))
    reasons.push(`gamma and lambda must be in [0, 1]: they are ${gamma} and ${lambda}`);
  if (level === "bilevel" && turnGamma === undefined) reasons.push("bi-level advantages need turnGamma, e.g. 0.95");
  if (level !== "bilevel" && turnGamma !== undefined)
    reasons.push(`${level}-level advantages have no turnGamma: leave it out or use level "bilevel"`);
  if (turnGamma !== undefined && !isUnit(turnGamma)) reasons.push(`turnGamma must be in [0, 1]: it is ${turnGamma}`);
  if (valueWeight === 0) reasons.push("GAE needs a value head that learns: give the loss a valueWeight above 0");
  return reasons;
}

function checkGroups(advantage: GroupedAdvantage): string[] {
  const { groupSize } = advantage;
  const reasons: string[] = [];
  if (!Number.isInteger(groupSize) || groupSize < 2)
    reasons.push(
      `groups must have at least 2 episodes: groupSize is ${groupSize}, and an episode alone has nothing to be compared with`,
    );
  if (advantage.kind === "grpo") {
    if (!(advantage.epsilon >= 0)) reasons.push(`epsilon must not be below 0: it is ${advantage.epsilon}`);
    if (advantage.varianceFloor !== undefined && !(advantage.varianceFloor >= 0))
      reasons.push(`varianceFloor must not be below 0: it is ${advantage.varianceFloor}`);
  }
  return reasons;
}

function checkDoubleKl(objective: Objective): string[] {
  const { loss, rewardKl, allowDoubleKl } = objective;
  const reasons: string[] = [];
  if (loss.klPlacement === "reward" && rewardKl !== undefined)
    reasons.push("KL in the reward is stated twice, by the loss and by rewardKl: keep one");
  if (loss.klPlacement === "loss" && findRewardKl(objective) !== undefined && allowDoubleKl !== true)
    reasons.push(
      "KL stands in the reward and in the loss, which restrains twice: keep one, or set allowDoubleKl if that is meant",
    );
  return reasons;
}

/**
 * Returns why an objective cannot be trained with, a sentence for each reason; empty when it is sound.
 * Covers {@linkcode checkLossSpec}, KL in reward and loss at once, groups of one, and settings outside their ranges.
 */
export function checkObjective(objective: Objective): string[] {
  const { loss, advantage, aggregation, rewardKl } = objective;
  const reasons = [...checkLossSpec(loss), ...checkDoubleKl(objective)];
  if (loss.kind === "sft") {
    if (advantage !== undefined) reasons.push("sft uses no advantages: leave out advantage");
    if (rewardKl !== undefined) reasons.push("sft has no reward to put KL in: leave out rewardKl");
  } else if (advantage === undefined) {
    reasons.push(`${loss.kind} needs advantages: say how they are made`);
  } else if (advantage.kind === "gae") {
    reasons.push(...checkGae(advantage, loss.valueWeight ?? 0));
  } else {
    reasons.push(...checkGroups(advantage));
    if (loss.valueWeight !== undefined && loss.valueWeight !== 0)
      reasons.push(`${advantage.kind} uses no value head: leave out valueWeight`);
  }
  if (aggregation.kind === "constant" && !(aggregation.length > 0 && Number.isFinite(aggregation.length)))
    reasons.push(`the constant of the aggregation must be above 0: it is ${aggregation.length}`);
  return reasons;
}

/**
 * Does nothing for an objective that can be trained with.
 *
 * @throws {TurnwiseError} (usage) that gives every reason of {@linkcode checkObjective} otherwise.
 */
export function assertObjective(objective: Objective): void {
  const reasons = checkObjective(objective);
  if (reasons.length > 0) throw usageError(`Cannot train with this objective: ${reasons.join("; ")}`);
}
