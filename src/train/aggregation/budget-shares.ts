/** What one training sequence weighs in an update. */
export interface WeighedSequence {
  readonly maxTurns: number;
  /** Trained tokens. */
  readonly tokens: number;
  /** Sum of its token weights. */
  readonly weight: number;
  /** Sum of |weight x advantage| over its tokens: how hard it pulls, whatever the direction. */
  readonly pull: number;
}

/** What one budget of a mix got of an update. Shares are in [0, 1] and sum to 1 over budgets, or are all 0. */
export interface BudgetShare {
  readonly maxTurns: number;
  readonly sequences: number;
  readonly sequenceShare: number;
  readonly tokens: number;
  readonly tokenShare: number;
  /** Share of the weights of tokens: what the aggregation made of the mix. */
  readonly weightShare: number;
  /** Share of |weight x advantage|: what of the gradient's size is left once flat groups count for nothing. */
  readonly pullShare: number;
}

/**
 * Returns what a row weighs. Tokens with an action mask of false are not looked at.
 */
export function weighSequence(
  maxTurns: number,
  row: {
    readonly actionMask: readonly boolean[];
    readonly weights: readonly number[];
    readonly advantages: readonly number[];
  },
): WeighedSequence {
  let tokens = 0;
  let weight = 0;
  let pull = 0;
  row.actionMask.forEach((isSampled, i) => {
    if (!isSampled || row.weights[i] === 0) return;
    tokens += 1;
    weight += row.weights[i];
    pull += Math.abs(row.weights[i] * row.advantages[i]);
  });
  return { maxTurns, tokens, weight, pull };
}

/**
 * Returns each budget's share of an update, budgets ascending. With a token-mean loss `weightShare` equals
 * `tokenShare`, so long budgets outweigh the mix that was planned; with a mean over sequences it equals
 * `sequenceShare`.
 */
export function measureBudgetShares(sequences: readonly WeighedSequence[]): BudgetShare[] {
  const budgets = [...new Set(sequences.map(({ maxTurns }) => maxTurns))].sort((a, b) => a - b);
  const sum = (list: readonly WeighedSequence[], read: (each: WeighedSequence) => number): number =>
    list.reduce((total, each) => total + read(each), 0);
  const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
  const totals = {
    tokens: sum(sequences, ({ tokens }) => tokens),
    weight: sum(sequences, ({ weight }) => weight),
    pull: sum(sequences, ({ pull }) => pull),
  };
  return budgets.map((maxTurns) => {
    const own = sequences.filter((each) => each.maxTurns === maxTurns);
    const tokens = sum(own, (each) => each.tokens);
    return {
      maxTurns,
      sequences: own.length,
      sequenceShare: share(own.length, sequences.length),
      tokens,
      tokenShare: share(tokens, totals.tokens),
      weightShare: share(
        sum(own, ({ weight }) => weight),
        totals.weight,
      ),
      pullShare: share(
        sum(own, ({ pull }) => pull),
        totals.pull,
      ),
    };
  });
}
