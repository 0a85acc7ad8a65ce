import type { ScheduleRecipe } from "../recipe/recipe.js";

/**
 * Returns the learning rate of an update: it rises linearly over `warmUpdates`, then stays, falls linearly, or falls by
 * a half cosine to `endShare` of the peak at the last update.
 *
 * @param update 0-based, within the phase.
 * @param updates length of the phase.
 */
export function getLearningRate(
  peak: number,
  { kind, warmUpdates, endShare }: ScheduleRecipe,
  update: number,
  updates: number,
): number {
  if (update < warmUpdates) return (peak * (update + 1)) / (warmUpdates + 1);
  const span = Math.max(1, updates - 1 - warmUpdates);
  const progress = Math.min(1, (update - warmUpdates) / span);
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
