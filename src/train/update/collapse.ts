import type { StopRecipe } from "../recipe/recipe.js";
import type { UpdateReport } from "./run-update.js";

/** A sign that a run has stopped learning for good. */
export type CollapseSign = "entropy" | "flat_groups" | "kl";

/** How many updates in a row each sign has lasted; part of a run's saved state. */
export type CollapseCounts = { readonly [sign in CollapseSign]: number };

/** No sign so far. */
export const noCollapse: CollapseCounts = { entropy: 0, flat_groups: 0, kl: 0 };

/** Returns the counts after an update. A sign that is absent once begins again at 0. */
export function countCollapse(counts: CollapseCounts, report: UpdateReport, stop: StopRecipe): CollapseCounts {
  const { steps, comparedGroups, flatGroups, referenceKl } = report;
  const { entropyBelow = -Infinity, flatShareAbove = Infinity, klAbove = Infinity } = stop;
  const last = steps.at(-1);
  // An update without a step has no entropy of its own: the sign neither grows nor ends.
  const entropy = last === undefined ? counts.entropy : last.entropy < entropyBelow ? counts.entropy + 1 : 0;
  const isFlat = comparedGroups > 0 && flatGroups / comparedGroups > flatShareAbove;
  const isFar = referenceKl !== undefined && referenceKl > klAbove;
  return { entropy, flat_groups: isFlat ? counts.flat_groups + 1 : 0, kl: isFar ? counts.kl + 1 : 0 };
}

/** Returns the sign that has lasted long enough to stop the run, or `undefined`. */
export function findCollapse(counts: CollapseCounts, { patience }: StopRecipe): CollapseSign | undefined {
  const signs = Object.keys(counts) as CollapseSign[]; // its own keys
  return signs.find((sign) => counts[sign] >= patience);
}
