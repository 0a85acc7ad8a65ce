/** Bounds of a probability ratio: it is held in [1 - clipLow, 1 + clipHigh]. */
export interface ClipBounds {
  readonly clipLow: number;
  readonly clipHigh: number;
  /** Largest loss of a negative advantage, as a multiple of its size; above 1. Absent: unbounded. */
  readonly dualClip?: number;
}

/** The loss of one ratio, its derivative with respect to the log-ratio, and which bound acted. */
export interface Surrogate {
  readonly loss: number;
  readonly slope: number;
  readonly bound: "none" | "ratio" | "dual";
}

/**
 * Returns the clipped surrogate of PPO (arXiv 1707.06347, eq. 7) as a loss: max(-r A, -clip(r) A) with r = exp(log-ratio);
 * with a dual clip (arXiv 1912.09729, eq. 5) at most -c A where A is below 0. A token without advantage costs exactly 0
 * whatever its ratio, an infinite one included.
 *
 * @example
 * clipSurrogate(0.5, 1, { clipLow: 0.2, clipHigh: 0.2 }); // { loss: -1.2, slope: 0, bound: "ratio" }
 */
export function clipSurrogate(logRatio: number, advantage: number, bounds: ClipBounds): Surrogate {
  if (advantage === 0) return { loss: 0, slope: 0, bound: "none" };
  const { clipLow, clipHigh, dualClip } = bounds;
  const ratio = Math.exp(logRatio);
  const plain = -ratio * advantage;
  if (dualClip !== undefined && advantage < 0 && ratio > dualClip) {
    return { loss: -dualClip * advantage, slope: 0, bound: "dual" };
  }
  const held = -Math.min(Math.max(ratio, 1 - clipLow), 1 + clipHigh) * advantage;
  // Not "held <= plain": a ratio that is not a number must stay one and be seen.
  return held > plain ? { loss: held, slope: 0, bound: "ratio" } : { loss: plain, slope: plain, bound: "none" };
}
