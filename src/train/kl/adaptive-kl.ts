/** Settings of {@linkcode AdaptiveKl}. */
export interface AdaptiveKlSettings {
  readonly initialWeight: number;
  /** KL to be held, nats, above 0. */
  readonly target: number;
  /** How many samples it takes to change the weight by the largest step's share; 10,000 is usual. */
  readonly horizon: number;
}

/**
 * A KL weight that follows the measured KL (arXiv 1909.08593, section 2.2): after n samples it is multiplied by
 * 1 + clip(KL / target - 1, -.2, .2) n / horizon. One for a run; its weight is all its state.
 *
 * @example
 * new AdaptiveKl({ initialWeight: 1, target: 1, horizon: 10000 }).update(2, 48); // 1.00096
 */
export class AdaptiveKl {
  readonly #settings: AdaptiveKlSettings;
  #weight: number;

  /** @throws {RangeError} for a target or horizon that is not above 0, or a weight below 0. */
  constructor(settings: AdaptiveKlSettings) {
    const { initialWeight, target, horizon } = settings;
    if (!(target > 0) || !(horizon > 0) || !(initialWeight >= 0)) {
      throw new RangeError(
        `Cannot adapt a KL weight as target and horizon must be above 0 and the weight not below: found ${target}, ${horizon} and ${initialWeight}`,
      );
    }
    this.#settings = settings;
    this.#weight = initialWeight;
  }

  /** The weight to use now; store it to go on later with it as the initial one. */
  get weight(): number {
    return this.#weight;
  }

  /**
   * Takes in the mean KL of `sampleCount` episodes and returns the new weight.
   *
   * @throws {RangeError} for a KL that is not finite: the weight would be lost.
   */
  update(kl: number, sampleCount: number): number {
    if (!Number.isFinite(kl)) throw new RangeError(`Cannot adapt a KL weight to a KL that is not finite: found ${kl}`);
    const { target, horizon } = this.#settings;
    const error = Math.min(Math.max(kl / target - 1, -0.2), 0.2);
    this.#weight *= 1 + (error * sampleCount) / horizon;
    return this.#weight;
  }
}

/**
 * Returns the weight of the KL to a frozen prior after some iterations, initial x decay^iterations: VPT (arXiv
 * 2206.11795) begins at .2 and multiplies by .9995, in place of an entropy bonus.
 *
 * @example
 * decayPriorWeight({ initial: 0.2, decay: 0.9995 }, 100); // 0.1902...
 */
export function decayPriorWeight(
  { initial, decay }: { readonly initial: number; readonly decay: number },
  iterations: number,
): number {
  if (!(decay > 0 && decay <= 1))
    throw new RangeError(`Cannot decay a weight by a factor outside (0, 1]: found ${decay}`);
  return initial * decay ** iterations;
}
