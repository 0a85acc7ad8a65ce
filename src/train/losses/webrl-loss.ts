/** One turn that WebRL trains on. */
export interface WebrlTurn {
  /** [token] log-probabilities of its action, nats. */
  readonly logProbs: readonly number[];
  /** [token] under the policy of the phase before. */
  readonly referenceLogProbs: readonly number[];
  /** As {@linkcode estimateWebrlAdvantage} gives it. */
  readonly advantage: number;
}

/** The loss of a batch of turns. */
export interface WebrlLoss {
  readonly loss: number;
  /** [turn][token] derivatives with respect to the log-probabilities; 0 for turns without a positive advantage. */
  readonly gradients: readonly (readonly number[])[];
  /** [turn] normalised log-ratio and the beta it was multiplied with; `undefined` for turns that do not count. */
  readonly terms: readonly ({ readonly ratio: number; readonly beta: number } | undefined)[];
}

/**
 * Returns the advantage of a turn (WebRL, arXiv 2411.02337, as its code has it): next value - value - .05 + reward +
 * discounted return, held in [-1, 1]; values are the smaller one of the critic's two heads, probabilities of success.
 *
 * @example
 * estimateWebrlAdvantage({ values: [0.6, 0.7], nextValues: [0.7, 0.9], reward: 0, discountedReturn: 0.5 }); // 0.55
 */
export function estimateWebrlAdvantage(turn: {
  readonly values: readonly [number, number];
  readonly nextValues: readonly [number, number];
  readonly reward: number;
  readonly discountedReturn: number;
}): number {
  const { values, nextValues, reward, discountedReturn } = turn;
  const raw = Math.min(...nextValues) - Math.min(...values) - 0.05 + reward + discountedReturn;
  return Math.min(Math.max(raw, -1), 1);
}

/**
 * Returns WebRL's actor loss: the log-ratio to the reference, divided by the number of tokens, is pulled towards the
 * binarised advantage (+1 or -.6) by a smooth L1 loss, smoothL1(beta x ratio, A) / beta; only positive advantages
 * count, and the mean is over all turns. beta is 1, or 5 where the reference is sure of the turn already (mean
 * probability of a token at least .8), at most |A / ratio|, and held constant.
 *
 * @param divisor What a turn's log-ratio is divided by: its `own` tokens, or those of all positive turns of the
 * `batch`, as the authors' code has it, which makes the loss depend on what else is in the batch.
 */
export function webrlLoss(turns: readonly WebrlTurn[], divisor: "own" | "batch"): WebrlLoss {
  const isPositive = ({ advantage }: WebrlTurn): boolean => advantage >= 0;
  const batchTokens = turns.filter(isPositive).reduce((sum, { logProbs }) => sum + logProbs.length, 0);
  const sum = (list: readonly number[]): number => list.reduce((total, value) => total + value, 0);
  let loss = 0;
  const gradients: (readonly number[])[] = [];
  const terms: WebrlLoss["terms"][number][] = [];
  for (const turn of turns) {
    const { logProbs, referenceLogProbs } = turn;
    const tokens = divisor === "own" ? logProbs.length : batchTokens;
    if (!isPositive(turn) || logProbs.length === 0) {
      gradients.push(logProbs.map(() => 0));
      terms.push(undefined);
      continue;
    }
    const reference = sum(referenceLogProbs);
    const ratio = (sum(logProbs) - reference) / tokens;
    const isSure = Math.exp(reference / logProbs.length) >= 0.8;
    const beta = Math.min(isSure ? 5 : 1, Math.abs(1 / ratio));
    const gap = beta * ratio - 1;
    loss += (Math.abs(gap) < 1 ? (gap * gap) / 2 : Math.abs(gap) - 0.5) / beta / turns.length;
    const slope = Math.min(Math.max(gap, -1), 1) / tokens / turns.length;
    gradients.push(logProbs.map(() => slope));
    terms.push({ ratio, beta });
  }
  return { loss, gradients, terms };
}
