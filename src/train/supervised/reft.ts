/** What became of an answer. */
export type ReftOutcome = "correct" | "wrong" | "no_answer";

/**
 * Returns ReFT's reward (arXiv 2401.08967, section 3.2): 1 for a correct answer, .1 for one that can be read but is
 * wrong, 0 otherwise. It stands on the last sampled token.
 */
export function reftReward(outcome: ReftOutcome): number {
  switch (outcome) {
    case "correct":
      return 1;
    case "wrong":
      return 0.1;
    case "no_answer":
      return 0;
    default:
      return outcome satisfies never;
  }
}

/** Settings of {@linkcode getReftPhase}. */
export interface ReftSchedule {
  /** Updates of supervised warm-up; the paper trains 2 epochs, so that samples are readable before rewards count. */
  readonly warmUpUpdates: number;
  readonly totalUpdates: number;
}

/** Returns what an update does: supervised warm-up first, then PPO. Throws a `RangeError` outside the schedule. */
export function getReftPhase(updateIndex: number, { warmUpUpdates, totalUpdates }: ReftSchedule): "sft" | "ppo" {
  if (
    !Number.isInteger(updateIndex) ||
    updateIndex < 0 ||
    updateIndex >= totalUpdates ||
    warmUpUpdates > totalUpdates
  ) {
    throw new RangeError(
      `Cannot tell the phase of update ${updateIndex} in a schedule of ${totalUpdates} updates with ${warmUpUpdates} of warm-up`,
    );
  }
  return updateIndex < warmUpUpdates ? "sft" : "ppo";
}
