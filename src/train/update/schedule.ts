import type { ScheduleRecipe } from "../recipe/recipe.js";

/**
 * Returns the learning rate of an update: it rises linearly over `warmUpdates`, then stays, falls linearly, or falls by
 * a half cosine to `endShare` of the peak at the end of the phase.
 *
 * @param update 0-based, within the phase.
 * @param updates length of the phase.
 * @param tokenShare tokens sampled so far as a share of those the phase may sample, for a phase that ends by tokens too:
 * the rate falls by whichever end is nearer.
 */
export function getLearningRate(
  peak: number,
  { kind, warmUpdates, endShare }: ScheduleRecipe,
  update: number,
  updates: number,
  tokenShare = 0,
): number {
  if (update < warmUpdates) return (peak * (update + 1)) / (warmUpdates + 1);
  const span = Math.max(1, updates - 1 - warmUpdates);
  const progress = Math.min(1, Math.max((update - warmUpdates) / span, tokenShare));
  switch (kind) {
    case "constant":
      return peak;
    case "linear":
      return peak * (1 - (1 - endShare) * progress);
    case "cosine":
      return peak * (endShare + ((1 - endShare) * (1 + Math.cos(Math.PI * progress))) / 2);
    default:
      return kind satisfies never;
  }
}
