/** What a dimension of actions spans in the training data. */
export interface ActionRange {
  /** Quantiles .01 and .99. */
  readonly low: number;
  readonly high: number;
  /** Left as it is, e.g. a gripper that is open or shut. */
  readonly isMasked?: boolean;
}

/**
 * Returns an action of OpenVLA (arXiv 2406.09246) in [-1, 1]: each dimension 2 (x - q01) / (q99 - q01 + 1e-8) - 1, held
 * in the range; one that never varies becomes 0, a masked one stays. Shape [dimension].
 */
export function normaliseAction(action: readonly number[], ranges: readonly ActionRange[]): number[] {
  if (action.length !== ranges.length) {
    throw new RangeError(`Cannot normalise an action of ${action.length} dimensions by ${ranges.length} ranges`);
  }
  return action.map((value, i) => {
    const { low, high, isMasked = false } = ranges[i];
    if (isMasked) return value;
    if (low === high) return 0;
    return Math.min(Math.max((2 * (value - low)) / (high - low + 1e-8) - 1, -1), 1);
  });
}

/** 256 edges, hence 255 bins. */
const edgeCount = 256;

function getEdge(index: number): number {
  return index === edgeCount - 1 ? 1 : index * (2 / (edgeCount - 1)) - 1;
}

/**
 * Returns the token of one normalised dimension: the vocabulary's size less the number of edges at or below the value,
 * 256 edges evenly in [-1, 1]. The largest value lies on the last edge, beyond the last bin.
 *
 * @example
 * tokeniseAction(0, 32000); // 31872
 */
export function tokeniseAction(value: number, vocabularySize: number): number {
  const held = Math.min(Math.max(value, -1), 1);
  let index = Math.floor(((held + 1) * (edgeCount - 1)) / 2);
  // The edges decide, not the estimate, which rounding may put one off.
  while (index + 1 < edgeCount && getEdge(index + 1) <= held) index += 1;
  while (getEdge(index) > held) index -= 1;
  return vocabularySize - (index + 1);
}

/** Returns the centre of a token's bin; the token of the last edge gives the last bin. */
export function decodeActionToken(token: number, vocabularySize: number): number {
  const bin = Math.min(Math.max(vocabularySize - token - 1, 0), edgeCount - 2);
  return (getEdge(bin) + getEdge(bin + 1)) / 2;
}
