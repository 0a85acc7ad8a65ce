import { expect, test } from "vitest";
import { normalQuantile } from "./distributions.js";
import { uniformGroupShare } from "./uniform-groups.js";

// statistics.md 2.5: groups of 8 at the golden example's mean success of .497; logits spread over tasks.
test.each([
  { spread: 0, share: 0.008 },
  { spread: 1, share: 0.088 },
  { spread: 2, share: 0.275 },
])("uniformGroupShare() is $share at a logit spread of $spread", ({ spread, share }) => {
  const centre = Math.log(0.497137 / (1 - 0.497137));
  const tasks = Array.from({ length: 2000 }, (_, i) => centre + spread * normalQuantile((i + 0.5) / 2000));
  const probabilities = tasks.map((logit) => 1 / (1 + Math.exp(-logit)));
  expect(Math.abs(uniformGroupShare(probabilities, 8) - share)).toBeLessThan(0.001);
});
test("uniformGroupShare() refuses probabilities outside [0, 1] and empty groups", () => {
  expect(() => uniformGroupShare([1.2], 8)).toThrow(RangeError);
  expect(() => uniformGroupShare([], 8)).toThrow(RangeError);
  expect(() => uniformGroupShare([0.5], 0)).toThrow(RangeError);
});
