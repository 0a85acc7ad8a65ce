import { expect, test } from "vitest";
import type { UpdateMetrics } from "../../core/index.js";
import type { StopRecipe } from "../recipe/recipe.js";
import { countCollapse, findCollapse, noCollapse, type CollapseCounts } from "./collapse.js";
import type { UpdateReport } from "./run-update.js";
import { getLearningRate } from "./schedule.js";

const rates = (kind: "constant" | "linear" | "cosine", warmUpdates: number, updates: number, endShare = 0): number[] =>
  Array.from({ length: updates }, (_, update) =>
    Number(getLearningRate(1, { kind, warmUpdates, endShare }, update, updates).toFixed(4)),
  );

test.each([
  { name: "constant", found: rates("constant", 0, 3), expected: [1, 1, 1] },
  { name: "constant after a rise", found: rates("constant", 3, 5), expected: [0.25, 0.5, 0.75, 1, 1] },
  { name: "linear", found: rates("linear", 0, 5), expected: [1, 0.75, 0.5, 0.25, 0] },
  { name: "linear to a tenth", found: rates("linear", 1, 4, 0.1), expected: [0.5, 1, 0.55, 0.1] },
  { name: "cosine", found: rates("cosine", 0, 5, 0.2), expected: [1, 0.8828, 0.6, 0.3172, 0.2] },
  { name: "one update long", found: rates("cosine", 0, 1), expected: [1] },
  { name: "shorter than its rise", found: rates("linear", 5, 3), expected: [0.1667, 0.3333, 0.5] },
])("getLearningRate() of a schedule that is $name", ({ found, expected }) => {
  expect(found).toEqual(expected);
});

test("The rate falls by tokens where they end the phase before its updates do", () => {
  const linear = { kind: "linear", warmUpdates: 2, endShare: 0.1 } as const;
  expect(getLearningRate(1, linear, 1, 1000, 0.5)).toBeCloseTo(2 / 3, 12); // still rising
  expect(getLearningRate(1, linear, 10, 1000, 0.5)).toBeCloseTo(0.55, 12);
  expect(getLearningRate(1, linear, 10, 1000, 1.2)).toBeCloseTo(0.1, 12); // the last update went over the limit
  expect(getLearningRate(1, linear, 999, 1000, 0.5)).toBeCloseTo(0.1, 12);
});

const stop: StopRecipe = { patience: 2, entropyBelow: 0.1, flatShareAbove: 0.5, klAbove: 1 };

function report(entropy: number | undefined, flatGroups = 0, referenceKl?: number): UpdateReport {
  const step = { entropy } as UpdateMetrics; // the one field that is read
  return {
    steps: entropy === undefined ? [] : [step],
    comparedGroups: 4,
    flatGroups,
    referenceKl,
  } as unknown as UpdateReport; // the same
}

function countAll(...reports: readonly UpdateReport[]): CollapseCounts {
  return reports.reduce((counts, each) => countCollapse(counts, each, stop), noCollapse);
}

test.each([
  { name: "low entropy twice", reports: [report(0.05), report(0.09)], sign: "entropy" },
  { name: "low entropy, then not", reports: [report(0.05), report(0.2), report(0.05)], sign: undefined },
  {
    name: "an update without a step between",
    reports: [report(0.05), report(undefined), report(0.05)],
    sign: "entropy",
  },
  { name: "flat groups twice", reports: [report(1, 3), report(1, 4)], sign: "flat_groups" },
  { name: "flat groups at the bound", reports: [report(1, 2), report(1, 2)], sign: undefined },
  { name: "far from the reference", reports: [report(1, 0, 1.5), report(1, 0, 2)], sign: "kl" },
  { name: "no reference", reports: [report(1), report(1)], sign: undefined },
])("findCollapse() after $name", ({ reports, sign }) => {
  expect(findCollapse(countAll(...reports), stop)).toBe(sign);
});

test("countCollapse() knows only the signs that the recipe bounds", () => {
  const counts = countCollapse(noCollapse, report(0, 4, 99), { patience: 1 });
  expect(findCollapse(counts, { patience: 1 })).toBeUndefined();
});
