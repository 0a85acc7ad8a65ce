/** A successful episode that may be replayed. */
export interface ReplayCandidate {
  readonly taskId: string;
  /** [turn][token] log-probabilities of its actions under the current policy, nats. */
  readonly logProbs: readonly (readonly number[])[];
}

/** Settings of {@linkcode replayFilter}. */
export interface ReplayFilterOptions {
  /** A turn's confidence must be above this; default .5. */
  readonly above?: number;
  /** ... and at most this; default .95. */
  readonly atMost?: number;
  /** New turns of this update: at most twice as many are replayed. */
  readonly newTurns: number;
}

/** One turn that is replayed. */
export interface ReplayedTurn {
  readonly taskId: string;
  readonly turnIndex: number;
  readonly confidence: number;
}

/**
 * Returns the turns that are replayed (WebRL, arXiv 2411.02337, section 3.2): of each task its first success only, and
 * of that the turns the current policy is neither sure of nor lost in: confidence exp(mean log-prob) in (.5, .95], a
 * perplexity between 1/.95 and 1/.5. At most twice as many turns as are new, in the order given. A turn without a token
 * is left out.
 */
export function replayFilter(
  successes: readonly ReplayCandidate[],
  { above = 0.5, atMost = 0.95, newTurns }: ReplayFilterOptions,
): ReplayedTurn[] {
  const seen = new Set<string>();
  const turns: ReplayedTurn[] = [];
  for (const { taskId, logProbs } of successes) {
    if (seen.has(taskId)) continue;
    seen.add(taskId);
    logProbs.forEach((turn, turnIndex) => {
      const confidence = Math.exp(turn.reduce((sum, logProb) => sum + logProb, 0) / turn.length);
      if (confidence > above && confidence <= atMost) turns.push({ taskId, turnIndex, confidence });
    });
  }
  return turns.slice(0, 2 * newTurns);
}

/**
 * Returns whether a generated task is worth trying: some head of the critic gives its first page a value in [low, high],
 * neither hopeless nor easy. WebRL takes [.05, .75].
 */
export function curriculumFilter(
  headValues: readonly number[],
  { low = 0.05, high = 0.75 }: { readonly low?: number; readonly high?: number } = {},
): boolean {
  return headValues.some((value) => value >= low && value <= high);
}
