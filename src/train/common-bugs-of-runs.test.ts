// The rows of the table of common bugs that concern whole runs: curricula, seeds, graders, rewards and evaluation. The
// others are in common-bugs.test.ts.
import fc from "fast-check";
import { expect, test } from "vitest";
import { getBudgetShares } from "./budgetmix/budget-mix.js";
import { distinctRolloutShare, findLeakedCanaries, findRepeats } from "./filters/duplicates.js";
import { similarityRatio } from "./rewards/sequence-matcher.js";
import { SignalOutcomeLog } from "./shaping/signal-outcome-log.js";
import { quantiseCamera } from "./systems/camera-bins.js";

test("curriculum off by one on resume: the cap depends on the update alone", () => {
  const mix = { type: "curriculum", caps: [5, 8, 10], every: 100 } as const;
  const capAt = (update: number) => getBudgetShares(mix, update)[0].maxTurns;
  fc.assert(
    fc.property(fc.nat(400), (resumeAt) => {
      const whole = Array.from({ length: 420 }, (_, update) => capAt(update));
      const resumed = Array.from({ length: 420 - resumeAt }, (_, i) => capAt(resumeAt + i));
      expect(resumed).toEqual(whole.slice(resumeAt));
    }),
    { numRuns: 20 },
  );
  expect([99, 100, 199, 200, 399].map(capAt)).toEqual([5, 8, 8, 10, 10]);
});

test("seed reuse: members of a group that share a sampling seed are found", () => {
  expect(findRepeats([11, 12, 11])).toEqual([11]);
  expect(
    distinctRolloutShare([
      [1, 2],
      [1, 3],
      [1, 2],
    ]),
  ).toBeCloseTo(2 / 3, 12);
});

test("grader leakage: gold, test names and the judge's view carry canaries that no prompt may show", () => {
  const canaries = ["canary-gold-51", "canary-test-52", "canary-policy-53"];
  expect(findLeakedCanaries(["Find the key.", "tools: run_canary-test-52"], canaries)).toEqual([
    { promptIndex: 1, canary: "canary-test-52" },
  ]);
});

test("format reward farming: a signal that rises without the outcome raises an alert", () => {
  const log = new SignalOutcomeLog("format reward");
  const episodes = (format: number) =>
    Array.from({ length: 16 }, (_, i) => ({ signal: format + (i % 3) / 30, success: i % 8 === 0 }));
  const alerts = Array.from({ length: 12 }, (_, update) => log.add(update, episodes(update / 12))).flat();
  expect(alerts.map(({ kind }) => kind)).toContain("farming");
});

test("evaluation at temperature 0 with n above 1: all rollouts are the same one", () => {
  const greedy = Array.from({ length: 8 }, () => "open, take, submit");
  expect(distinctRolloutShare(greedy)).toBe(1 / 8);
  expect(distinctRolloutShare(["a", "b", "c"])).toBe(1);
});

test("difflib pitfalls: argument order and autojunk change the reward", () => {
  expect([similarityRatio("tide", "diet"), similarityRatio("diet", "tide")]).toEqual([0.25, 0.5]);
  const [a, b] = ["abcd".repeat(60), "bcde".repeat(60)];
  expect([similarityRatio(a, b), similarityRatio(a, b, { autojunk: true })]).toEqual([0.75, 0]);
});

test("rounding: a half goes to the even bin, not up", () => {
  const bins = { maxValue: 10, binSize: 2 };
  expect(quantiseCamera(-1, bins)).toBe(4);
  expect(Math.round((-1 + 10) / 2)).toBe(5);
});
