import { batchAdvantages } from "../advantages/batch-advantages.js";
import type { LearnableEpisode } from "./build-rows.js";

/** How the returns of groups differ: of all that was played, before a filter or a KL penalty. */
export interface GroupComparison {
  /** Groups of two learnable episodes or more: those in which returns can differ. */
  readonly comparedGroups: number;
  /** Of these, the ones with equal returns, in which nothing is to be learnt. */
  readonly flatGroups: number;
  /** Mean over compared groups of the standard deviation of returns (ddof 1); absent without one. */
  readonly groupStd?: number;
}

/** Returns how the returns of the groups differ. Episodes alone in their group are not compared. */
export function compareGroups(
  episodes: readonly Pick<LearnableEpisode, "group" | "maxTurns" | "episodeReturn">[],
): GroupComparison {
  const { groups } = batchAdvantages(episodes, { kind: "dr_grpo" }, { singletons: "zero" });
  const compared = groups.filter(({ size }) => size > 1);
  return {
    comparedGroups: compared.length,
    flatGroups: compared.filter(({ isFlat }) => isFlat).length,
    ...(compared.length === 0 ? {} : { groupStd: compared.reduce((sum, { std }) => sum + std, 0) / compared.length }),
  };
}
