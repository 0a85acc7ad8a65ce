import { expect, test } from "vitest";
import { createRandom } from "../core/index.js";
import { detectableDifference, estimateDesign, minimumDetectableDifference } from "./detectable-difference.js";

// Golden values of statistics.md 2.5: sd .15, p = .40 and .45, 80 % power, alpha .05.
test.each([
  { taskCount: 100, samplesPerTask: 1, golden: 0.2 },
  { taskCount: 100, samplesPerTask: 8, golden: 0.081 },
  { taskCount: 100, samplesPerTask: 64, golden: 0.049 },
  { taskCount: 300, samplesPerTask: 8, golden: 0.047 },
  { taskCount: 1000, samplesPerTask: 1, golden: 0.063 },
])("minimumDetectableDifference() of $taskCount tasks x $samplesPerTask is $golden", ({ golden, ...counts }) => {
  const design = { ...counts, differenceSd: 0.15, withinVariance: 0.4 * 0.6 + 0.45 * 0.55 };
  expect(Math.abs(minimumDetectableDifference(design) - golden)).toBeLessThan(0.0005);
});
test("detectableDifference() is found with the stated power in simulated tests", () => {
  const effect = detectableDifference(1);
  const random = createRandom(5, "power");
  let found = 0;
  for (let i = 0; i < 20_000; i += 1) if (Math.abs(random.nextNormal() + effect) > 1.959964) found += 1;
  expect(Math.abs(found / 20_000 - 0.8)).toBeLessThan(0.01);
});
test("estimateDesign() recovers the parts of the variance that episodes were drawn with", () => {
  const random = createRandom(9, "design");
  const draw = (p: number): number =>
    Array.from({ length: 8 }, () => Number(random.next() < p)).reduce((a, b) => a + b, 0);
  let within = 0;
  const tasks = Array.from({ length: 5000 }, () => {
    const p = 0.3 + 0.2 * random.next();
    const q = p + (random.next() < 0.5 ? -0.15 : 0.15);
    within += (p * (1 - p) + q * (1 - q)) / 5000;
    return { successesA: draw(p), samplesA: 8, successesB: draw(q), samplesB: 8 };
  });
  const design = estimateDesign(tasks);
  expect(Math.abs((design?.differenceSd ?? 0) - 0.15)).toBeLessThan(0.01);
  expect(Math.abs((design?.withinVariance ?? 0) - within)).toBeLessThan(0.01);
});
test("estimateDesign() says nothing when episodes are single or fewer than two tasks have more", () => {
  expect(estimateDesign([])).toBeUndefined();
  const single = { successesA: 1, samplesA: 1, successesB: 0, samplesB: 1 };
  expect(estimateDesign([single, single])).toBeUndefined();
});
