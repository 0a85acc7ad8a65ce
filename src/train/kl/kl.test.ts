import fc from "fast-check";
import { expect, test } from "vitest";
import { AdaptiveKl, decayPriorWeight } from "./adaptive-kl.js";
import { estimateKl, klEstimators, nameKlGradient, type KlEstimator } from "./kl-estimators.js";
import { penaliseRewards } from "./reward-kl.js";

const policy = [0.5, 0.3, 0.2];
const reference = [0.4, 0.4, 0.2];

const softmax = (logits: readonly number[]): number[] => {
  const parts = logits.map(Math.exp);
  const sum = parts.reduce((total, part) => total + part, 0);
  return parts.map((part) => part / sum);
};
const divergence = (p: readonly number[], q: readonly number[]) =>
  p.reduce((sum, each, i) => sum + each * Math.log(each / q[i]), 0);
const mean = (p: readonly number[], read: (i: number) => number) => p.reduce((sum, each, i) => sum + each * read(i), 0);
const logits = policy.map(Math.log);
const term = (estimator: KlEstimator, i: number) => estimateKl(estimator, Math.log(policy[i]), Math.log(reference[i]));

/** Derivative of the log-probability of token i by logit j. */
const score = (i: number, j: number) => (i === j ? 1 : 0) - policy[j];
/** What minimising follows in expectation over the policy's own tokens, by logit. */
const expectedGradient = (estimator: KlEstimator, placement: "reward" | "loss") =>
  policy.map((_, j) =>
    mean(policy, (i) => {
      const { value, slope } = term(estimator, i);
      return (placement === "loss" ? slope : value) * score(i, j);
    }),
  );
/** Derivative of a function of the policy's probabilities by logit, by central differences. */
const trueGradient = (of: (p: readonly number[]) => number) =>
  logits.map((_, j) => {
    const at = (step: number) => of(softmax(logits.map((logit, k) => (k === j ? logit + step : logit))));
    return (at(1e-6) - at(-1e-6)) / 2e-6;
  });
const reverse = trueGradient((p) => divergence(p, reference));
const forward = trueGradient((p) => divergence(reference, p));
const gap = (found: readonly number[], expected: readonly number[]) =>
  Math.max(...found.map((value, i) => Math.abs(value - expected[i])));

test("estimateKl() has the means of the three estimators", () => {
  expect(divergence(policy, reference)).toBeCloseTo(0.025267, 6);
  expect(mean(policy, (i) => term("k1", i).value)).toBeCloseTo(0.025267, 6);
  expect(mean(policy, (i) => term("k2", i).value)).toBeCloseTo(0.024862, 6);
  expect(mean(policy, (i) => term("k3", i).value)).toBeCloseTo(0.025267, 6);
});

test("the true gradient of the reverse divergence is what the table says", () => {
  expect(gap(reverse, [0.09894, -0.09388, -0.00505])).toBeLessThan(1e-5);
});

test.each([
  { estimator: "k1", placement: "loss", expected: [0, 0, 0] },
  { estimator: "k2", placement: "loss", expected: reverse },
  { estimator: "k3", placement: "loss", expected: [0.1, -0.1, 0] },
  { estimator: "k1", placement: "reward", expected: reverse },
  { estimator: "k3", placement: "reward", expected: reverse.map((value, i) => value - forward[i]) },
] as const)(
  "$estimator in the $placement has the gradient that its name says",
  ({ estimator, placement, expected }) => {
    expect(gap(expectedGradient(estimator, placement), expected)).toBeLessThan(1e-8);
    const named = { reverse, forward, zero: [0, 0, 0], none: expected };
    const { divergence: name } = nameKlGradient(estimator, placement);
    expect(gap(expectedGradient(estimator, placement), named[name])).toBeLessThan(1e-8);
  },
);

test("k2 in the reward is the gradient of no divergence", () => {
  const found = expectedGradient("k2", "reward");
  const isNear = (other: readonly number[]) => found.every((value, i) => Math.abs(value - other[i]) < 1e-4);
  expect([reverse, forward, [0, 0, 0]].some(isNear)).toBe(false);
  expect(nameKlGradient("k2", "reward").divergence).toBe("none");
});

test.each(klEstimators)("the slope of %s is its derivative", (estimator) => {
  const logProb = fc.double({ min: -5, max: 0, noNaN: true });
  fc.assert(
    fc.property(logProb, logProb, (now, before) => {
      const at = (step: number) => estimateKl(estimator, now + step, before).value;
      const { slope } = estimateKl(estimator, now, before);
      expect(Math.abs(slope - (at(1e-6) - at(-1e-6)) / 2e-6)).toBeLessThan(1e-5 * (1 + Math.abs(slope)));
    }),
  );
});

test("k2 and k3 are never negative, and 0 where the policies agree", () => {
  const logProb = fc.double({ min: -20, max: 0, noNaN: true });
  fc.assert(
    fc.property(logProb, logProb, (now, before) => {
      expect(estimateKl("k2", now, before).value).toBeGreaterThanOrEqual(0);
      expect(estimateKl("k3", now, before).value).toBeGreaterThanOrEqual(-1e-15);
      for (const each of klEstimators) expect(estimateKl(each, now, now).value).toBe(0);
    }),
  );
});

test("penaliseRewards() takes KL off sampled tokens and never reads the others", () => {
  const kl = { estimator: "k1", weight: 0.5 } as const;
  expect(penaliseRewards([true, false, true], [0, 0, 1], [-1, NaN, -2], [-2, 800, -2.5], kl)).toEqual({
    rewards: [-0.5, 0, 0.75],
    kl: 1.5,
  });
});

test("AdaptiveKl follows the measured KL by at most a fifth of n / horizon", () => {
  const controller = new AdaptiveKl({ initialWeight: 1, target: 1, horizon: 10_000 });
  expect(controller.update(2, 48)).toBeCloseTo(1.00096, 12);
  const low = new AdaptiveKl({ initialWeight: 0.1, target: 1, horizon: 10_000 });
  expect(low.update(0.9, 1000)).toBeCloseTo(0.1 * (1 - 0.1 * 0.1), 12);
  expect(low.update(0, 1000)).toBeCloseTo(0.099 * (1 - 0.2 * 0.1), 12);
  expect(() => low.update(NaN, 1)).toThrow("not finite");
});

test("AdaptiveKl begun again with its weight goes on as if never stopped", () => {
  const settings = { target: 0.5, horizon: 100 };
  const whole = new AdaptiveKl({ ...settings, initialWeight: 0.2 });
  const first = new AdaptiveKl({ ...settings, initialWeight: 0.2 });
  for (const kl of [0.1, 0.9]) {
    whole.update(kl, 8);
    first.update(kl, 8);
  }
  const second = new AdaptiveKl({ ...settings, initialWeight: first.weight });
  expect(second.update(0.7, 8)).toBe(whole.update(0.7, 8));
});

test("decayPriorWeight() gives VPT's weight after 100 iterations", () => {
  expect(decayPriorWeight({ initial: 0.2, decay: 0.9995 }, 100)).toBeCloseTo(0.1902, 4);
});
