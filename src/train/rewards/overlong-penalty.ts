/** Settings of DAPO's soft penalty on length. */
export interface OverlongSettings {
  /** Longest response, tokens. */
  readonly maxLength: number;
  /** The last tokens before it, over which the penalty grows. */
  readonly buffer: number;
  /** Penalty at the longest response; default 1. */
  readonly factor?: number;
}

/**
 * Returns the penalty of a response's length (DAPO, arXiv 2503.14476, eq. 13): 0 up to maxLength - buffer, then down
 * in a straight line to -factor at maxLength, and on beyond it.
 *
 * @example
 * overlongPenalty(18432, { maxLength: 20480, buffer: 4096 }); // -0.5
 */
export function overlongPenalty(length: number, { maxLength, buffer, factor = 1 }: OverlongSettings): number {
  if (!(buffer > 0 && buffer <= maxLength)) {
    throw new RangeError(
      `Cannot penalise length as the buffer must be in (0, ${maxLength}]: current buffer is ${buffer}`,
    );
  }
  const over = length - (maxLength - buffer);
  return over <= 0 ? 0 : (-over / buffer) * factor;
}
