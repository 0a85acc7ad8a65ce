/**
 * Returns the nearest whole number, of two equally near ones the even one, as numpy rounds. `Math.round` rounds a half
 * up and would shift bins for negative numbers.
 *
 * @example
 * [roundHalfEven(4.5), roundHalfEven(5.5), roundHalfEven(-0.5)]; // [4, 6, 0]
 */
export function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest === 0.5) return floor % 2 === 0 ? floor + 0 : floor + 1;
  return Math.round(value) + 0; // + 0 makes a 0 of -0
}

/** How a continuous action becomes one of a few bins. */
export interface CameraBins {
  /** Actions are held in [-maxValue, maxValue]. */
  readonly maxValue: number;
  readonly binSize: number;
  /** Strength of the mu-law, which makes bins near 0 finer; absent: bins of equal width. */
  readonly mu?: number;
}

/** VPT's camera (arXiv 2206.11795): 11 bins an axis. */
export const vptCamera: CameraBins = { maxValue: 10, binSize: 2, mu: 10 };

/**
 * Returns the bin of an action on one axis, 0-based from the lowest.
 *
 * @example
 * quantiseCamera(-5, vptCamera); // 1
 */
export function quantiseCamera(value: number, { maxValue, binSize, mu }: CameraBins): number {
  const held = Math.min(Math.max(value, -maxValue), maxValue);
  const share = held / maxValue;
  const encoded =
    mu === undefined ? held : maxValue * Math.sign(share) * (Math.log1p(mu * Math.abs(share)) / Math.log1p(mu));
  return roundHalfEven((encoded + maxValue) / binSize);
}

/** Returns the action at the centre of a bin. */
export function getCameraBinCentre(bin: number, { maxValue, binSize, mu }: CameraBins): number {
  const encoded = bin * binSize - maxValue;
  if (mu === undefined) return encoded;
  const share = encoded / maxValue;
  return (maxValue * Math.sign(share) * ((1 + mu) ** Math.abs(share) - 1)) / mu;
}
