/** The three estimates of a divergence from one sampled token (Schulman 2020, "Approximating KL divergence"). */
export type KlEstimator = "k1" | "k2" | "k3";
/** Every estimator, in the order of its name. */
export const klEstimators: readonly KlEstimator[] = ["k1", "k2", "k3"];

/** An estimate at one token, nats, with its derivative with respect to the policy's log-probability there. */
export interface KlTerm {
  readonly value: number;
  readonly slope: number;
}

/**
 * Returns the estimate of KL(policy || reference) from a token the policy sampled; with d = log policy - log reference:
 * k1 = d, k2 = d^2 / 2, k3 = exp(-d) - 1 + d. The means of k1 and k3 are the divergence itself, k2 is biased; k2 and k3
 * are never negative. What minimising each one does to the policy is told by {@linkcode nameKlGradient}.
 *
 * @example
 * estimateKl("k3", Math.log(0.5), Math.log(0.4)).value; // 0.8 - 1 + 0.2231...
 */
export function estimateKl(estimator: KlEstimator, logProb: number, referenceLogProb: number): KlTerm {
  const difference = logProb - referenceLogProb;
  switch (estimator) {
    case "k1":
      return { value: difference, slope: 1 };
    case "k2":
      return { value: (difference * difference) / 2, slope: difference };
    case "k3": {
      // expm1 keeps the digits that 1 - exp(-d) loses for the small differences of early updates.
      const surplus = Math.expm1(-difference);
      return { value: surplus + difference, slope: -surplus };
    }
    default:
      return estimator satisfies never;
  }
}

/** What a KL penalty pulls on, in expectation over tokens of the policy itself. */
export interface KlGradient {
  /** The divergence whose gradient it is; `none` when it is the gradient of no divergence. */
  readonly divergence: "reverse" | "forward" | "zero" | "none";
  /** The same in words, for records and reports. */
  readonly text: string;
}

/**
 * Returns the gradient that an estimator has by where it stands, on policy. In the reward (a constant that multiplies
 * the score function) k1 gives the gradient of the reverse divergence KL(policy || reference). In the loss, k1 averages
 * to nothing, k2 gives the reverse divergence, and k3 gives the forward one, KL(reference || policy), although the
 * value of k3 estimates the reverse one. The others, in the reward, belong to no divergence.
 */
export function nameKlGradient(estimator: KlEstimator, placement: "reward" | "loss"): KlGradient {
  const reverse = "gradient of KL(policy || reference)";
  const forward = "gradient of KL(reference || policy)";
  if (placement === "reward") {
    switch (estimator) {
      case "k1":
        return { divergence: "reverse", text: reverse };
      case "k2":
        return {
          divergence: "none",
          text: "score function times half the squared log-ratio: no divergence's gradient",
        };
      case "k3":
        return { divergence: "none", text: `${reverse} less ${forward}` };
      default:
        return estimator satisfies never;
    }
  }
  switch (estimator) {
    case "k1":
      return { divergence: "zero", text: "zero in expectation: noise only" };
    case "k2":
      return { divergence: "reverse", text: reverse };
    case "k3":
      return { divergence: "forward", text: forward };
    default:
      return estimator satisfies never;
  }
}
