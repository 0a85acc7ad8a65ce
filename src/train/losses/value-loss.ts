/** The loss of one value estimate, its derivative with respect to the estimate, and whether the bound acted. */
export interface ValueLoss {
  readonly loss: number;
  readonly slope: number;
  readonly isClipped: boolean;
}

/** Keeps a value estimate near the one at sampling. */
export interface ValueClip {
  readonly oldValue: number;
  /** The estimate is held in oldValue -+ this. */
  readonly valueClip: number;
}

/**
 * Returns half the squared error of a value estimate; with a bound, the larger one of that and of the error after the
 * estimate was held near its old value (the rule of PPO's reference code), so that a step past the bound gains nothing.
 *
 * @example
 * valueLoss(2, 1, { oldValue: 0, valueClip: 0.5 }); // { loss: 0.5, slope: 1, isClipped: false }
 */
export function valueLoss(value: number, target: number, clip?: ValueClip): ValueLoss {
  const error = value - target;
  const plain = { loss: (error * error) / 2, slope: error, isClipped: false };
  if (clip === undefined) return plain;
  const { oldValue, valueClip } = clip;
  const held = Math.min(Math.max(value, oldValue - valueClip), oldValue + valueClip);
  const heldLoss = (held - target) ** 2 / 2;
  return heldLoss > plain.loss ? { loss: heldLoss, slope: 0, isClipped: true } : plain;
}
