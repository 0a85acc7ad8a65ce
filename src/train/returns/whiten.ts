/** How numbers are brought to mean 0 and spread 1. */
export interface Whitening {
  /** What is taken off the count in the variance. */
  readonly ddof: 0 | 1;
  /** Added to the standard deviation. */
  readonly epsilon: number;
  /** Keep the mean; default false. */
  readonly keepMean?: boolean;
}

/**
 * Returns advantages of a batch whitened over all sampled tokens: (a - mean) / (std + epsilon), 0 elsewhere. Shape
 * [row][token]. Numbers that are all equal become exactly 0 (with `keepMean` they stay as they are, as there is no
 * spread to divide by). A single sampled token has no variance with ddof 1 and is treated the same.
 */
export function whitenAdvantages(
  advantages: readonly (readonly number[])[],
  masks: readonly (readonly boolean[])[],
  { ddof, epsilon, keepMean = false }: Whitening,
): number[][] {
  const all = advantages.flatMap((row, r) => row.filter((_, i) => masks[r][i]));
  const isFlat = all.every((value) => value === all[0]);
  const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
  const spread = Math.sqrt(all.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (all.length - ddof)) + epsilon;
  return advantages.map((row, r) =>
    row.map((value, i) => {
      if (!masks[r][i]) return 0;
      if (isFlat) return keepMean ? value : 0;
      return (value - mean) / spread + (keepMean ? mean : 0);
    }),
  );
}
