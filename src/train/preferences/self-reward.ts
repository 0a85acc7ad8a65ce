/**
 * Returns the score of a judge's answer on the additive rubric of 0 to 5 (Self-Rewarding LM, arXiv 2401.10020): the last
 * "Score: x", held in [0, 5]. `undefined` when there is none: an answer without a score is no low score.
 */
export function parseRubric(answer: string): number | undefined {
  const last = [...answer.matchAll(/score:\s*(-?\d+(?:\.\d+)?)/gi)].at(-1);
  return last === undefined ? undefined : Math.min(Math.max(Number(last[1]), 0), 5);
}

/** A preferred and a rejected candidate of one prompt, by position. */
export interface SelfRewardPair {
  readonly promptIndex: number;
  readonly chosen: number;
  readonly rejected: number;
  /** Difference of mean scores, above 0. */
  readonly margin: number;
}

/**
 * Returns the best and the worst candidate of each prompt by their mean score over judgements; prompts whose candidates
 * tie, or of which fewer than two could be judged, give no pair. The first of equals is taken.
 *
 * @param scores [prompt][candidate][judgement], `undefined` where no score could be read.
 */
export function selfRewardPairs(scores: readonly (readonly (readonly (number | undefined)[])[])[]): SelfRewardPair[] {
  return scores.flatMap((candidates, promptIndex) => {
    const means = candidates.flatMap((judgements, candidate) => {
      const known = judgements.filter((score) => score !== undefined);
      return known.length === 0
        ? []
        : [{ candidate, mean: known.reduce((sum, score) => sum + score, 0) / known.length }];
    });
    if (means.length < 2) return [];
    const best = means.reduce((most, each) => (each.mean > most.mean ? each : most));
    const worst = means.reduce((least, each) => (each.mean < least.mean ? each : least));
    const margin = best.mean - worst.mean;
    return margin > 0 ? [{ promptIndex, chosen: best.candidate, rejected: worst.candidate, margin }] : [];
  });
}
