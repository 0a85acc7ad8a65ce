import { expect, test } from "vitest";
import type { LossSpec } from "../../core/index.js";
import { checkLossSpec } from "./check-loss-spec.js";
import { cispoLoss } from "./cispo-loss.js";
import { clipSurrogate } from "./clipped-surrogate.js";
import { computeLoss } from "./compute-loss.js";
import { decoupledLoss, filterStaleTokens } from "./decoupled-loss.js";
import { gspoLoss } from "./gspo-loss.js";
import { ppoClipLoss } from "./ppo-clip-loss.js";
import { sftLoss } from "./sft-loss.js";
import { oneToken, testRow } from "./testing.js";
import { valueLoss } from "./value-loss.js";

test.each([
  { name: "holds a ratio that rose enough", logRatio: 0.5, advantage: 1, bounds: {}, loss: -1.2 },
  {
    name: "lets it rise further under a higher upper bound",
    logRatio: 0.5,
    advantage: 1,
    bounds: { clipHigh: 0.28 },
    loss: -1.28,
  },
  {
    name: "bounds a negative advantage by the dual clip",
    logRatio: 2,
    advantage: -1,
    bounds: { dualClip: 3 },
    loss: 3,
  },
])("ppoClipLoss() $name", ({ logRatio, advantage, bounds, loss }) => {
  const { row, outputs } = oneToken(logRatio, advantage);
  const result = ppoClipLoss(row, outputs.logProbs, { clipLow: 0.2, clipHigh: 0.2, ...bounds });
  expect(result.loss).toBeCloseTo(loss, 12);
  expect(result.gradient).toEqual([0]);
  expect(result.clippedCount).toBe(1);
});

test("clipSurrogate() costs nothing without an advantage, even at a ratio that overflows", () => {
  expect(clipSurrogate(800, 0, { clipLow: 0.2, clipHigh: 0.2 })).toEqual({ loss: 0, slope: 0, bound: "none" });
});

test("clipSurrogate() never hides a log-ratio that is not a number", () => {
  expect(clipSurrogate(NaN, 1, { clipLow: 0.2, clipHigh: 0.2, dualClip: 3 }).loss).toBeNaN();
});

test("gspoLoss() gives every token the geometric mean of the sequence's ratios", () => {
  const row = testRow("0111", { advantages: [0, 1, 1, 1], weights: [0, 1 / 3, 1 / 3, 1 / 3] });
  const { loss, gradient } = gspoLoss(row, [9, 0.3, -0.3, 0.06], { clipLow: 0.2, clipHigh: 0.2 });
  expect(loss).toBeCloseTo(-Math.exp(0.02), 12);
  for (const slope of gradient.slice(1)) expect(slope).toBeCloseTo(-Math.exp(0.02) / 3, 12);
});

test("gspoLoss() clips all tokens of a sequence or none", () => {
  const row = testRow("11", { advantages: [1, 1] });
  const { gradient, clippedCount } = gspoLoss(row, [0.01, 0.01], { clipLow: 3e-4, clipHigh: 4e-4 });
  expect(gradient).toEqual([0, 0]);
  expect(clippedCount).toBe(2);
});

test("cispoLoss() keeps moving a token beyond its bound, with the bound as weight", () => {
  const row = testRow("1", { advantages: [2], sampledLogProbs: [-3] });
  const { loss, gradient, clippedCount } = cispoLoss(row, [-2], { clipHigh: 0.5 });
  expect(gradient[0]).toBeCloseTo(-3, 12);
  expect(loss).toBeCloseTo(6, 12);
  expect(clippedCount).toBe(1);
});

test.each([
  { advantage: 1, loss: -1.61983 },
  { advantage: -1, loss: 1.64872 },
])("decoupledLoss() weighs by proximal over behaviour (advantage $advantage)", ({ advantage, loss }) => {
  const row = testRow("1", { advantages: [advantage], sampledLogProbs: [-1.5], proximalLogProbs: [-1.2] });
  expect(decoupledLoss(row, [-1], { clipLow: 0.2, clipHigh: 0.2 }).loss).toBeCloseTo(loss, 5);
});

test("ppoClipLoss() against the behaviour policy differs from the decoupled loss there", () => {
  const row = testRow("1", { advantages: [1], sampledLogProbs: [-1.5] });
  expect(ppoClipLoss(row, [-1], { clipLow: 0.2, clipHigh: 0.2 }).loss).toBeCloseTo(-1.2, 12);
});

test("filterStaleTokens() masks or clamps tokens over the bound and leaves the others' weights alone", () => {
  const row = testRow("111", {
    weights: [0.25, 0.25, 0.25],
    advantages: [1, 1, 1],
    sampledLogProbs: [-3, -3, -3],
    proximalLogProbs: [-3, -1, -2],
  });
  const masked = filterStaleTokens(row, { maxFactor: 5, mode: "mask" });
  expect(masked.filteredCount).toBe(1);
  expect(masked.row.weights).toEqual([0.25, 0, 0.25]);
  const clamped = filterStaleTokens(row, { maxFactor: 5, mode: "clamp" });
  const { gradient } = decoupledLoss(clamped.row, [-3, -1, -2], { clipLow: 0.2, clipHigh: 0.2 });
  expect(gradient[1]).toBeCloseTo(-0.25 * 5, 12);
  expect(gradient[2]).toBeCloseTo(-0.25 * Math.E, 12);
});

test("sftLoss() is the weighted negative log-likelihood of trained tokens", () => {
  const row = testRow("011", { weights: [0, 0.5, 0.25] });
  expect(sftLoss(row, [-7, -2, -4])).toEqual({ loss: 2, gradient: [0, -0.5, -0.25], clippedCount: 0 });
});

test.each([
  { name: "without a bound", value: 3, target: 1, clip: undefined, loss: 2, slope: 2 },
  {
    name: "of a step past the bound towards the target",
    value: 1,
    target: 1,
    clip: { oldValue: 0, valueClip: 0.2 },
    loss: 0.32,
    slope: 0,
  },
  {
    name: "of a step past the bound away from it",
    value: -1,
    target: 1,
    clip: { oldValue: 0, valueClip: 0.2 },
    loss: 2,
    slope: -2,
  },
])("valueLoss() $name", ({ value, target, clip, loss, slope }) => {
  const result = valueLoss(value, target, clip);
  expect(result.loss).toBeCloseTo(loss, 12);
  expect(result.slope).toBeCloseTo(slope, 12);
});

test("computeLoss() adds its parts up and counts trained tokens only", () => {
  const row = testRow("011", {
    advantages: [0, 1, 1],
    weights: [0, 1, 0],
    referenceLogProbs: [0, -1, -1],
    returns: [0, 1, 1],
    oldValues: [0, 0, 0],
  });
  const result = computeLoss([row], [{ logProbs: [0, 0, 0], values: [0, 3, 9], entropies: [0, 2, 9] }], {
    kind: "ppo_clip",
    clipLow: 0.2,
    clipHigh: 0.2,
    klPlacement: "loss",
    klEstimator: "k2",
    klWeight: 2,
    entropyWeight: 0.1,
    valueWeight: 0.5,
  });
  expect(result.diagnostics.parts).toEqual({ policy: -1, kl: 1, entropy: -0.2, value: 1 });
  expect(result.loss).toBeCloseTo(0.8, 12);
  expect(result.diagnostics).toMatchObject({ tokens: 1, kl: 0.5 });
});

test.each([
  {
    name: "outputs of another batch",
    rows: [testRow("1")],
    outputs: [],
    message: "Cannot compute the loss of 1 rows from outputs of 0",
  },
  {
    name: "a list of another length",
    rows: [testRow("11")],
    outputs: [{ logProbs: [0] }],
    message: '"logProbs" must have one entry for each of the 2 ids: found 1',
  },
])("computeLoss() refuses $name", ({ rows, outputs, message }) => {
  expect(() => computeLoss(rows, outputs, { kind: "sft", klPlacement: "none" })).toThrow(message);
});

test("computeLoss() refuses rows without what the spec needs", () => {
  const spec: LossSpec = {
    kind: "ppo_clip",
    clipLow: 0.2,
    clipHigh: 0.2,
    klPlacement: "loss",
    klEstimator: "k3",
    klWeight: 0.1,
  };
  expect(() => computeLoss([testRow("1")], [{ logProbs: [0] }], spec)).toThrow("a row without referenceLogProbs");
});

test.each<{ name: string; spec: LossSpec; reason: string | undefined }>([
  {
    name: "accepts plain PPO",
    spec: { kind: "ppo_clip", clipLow: 0.2, clipHigh: 0.2, klPlacement: "none" },
    reason: undefined,
  },
  { name: "refuses missing bounds", spec: { kind: "ppo_clip", klPlacement: "none" }, reason: "ppo_clip needs clipLow" },
  {
    name: "refuses a lower bound above 1",
    spec: { kind: "gspo", clipLow: 2, clipHigh: 1, klPlacement: "none" },
    reason: "clipLow must be in (0, 1]: it is 2",
  },
  {
    name: "refuses a dual clip of 1",
    spec: { kind: "ppo_clip", clipLow: 0.2, clipHigh: 0.2, dualClip: 1, klPlacement: "none" },
    reason: "dualClip must be a finite number above 1: it is 1",
  },
  {
    name: "refuses a KL weight without a place",
    spec: { kind: "cispo", clipHigh: 1, klPlacement: "none", klWeight: 0.1 },
    reason: 'klPlacement is "none"',
  },
  {
    name: "refuses KL without an estimator",
    spec: { kind: "cispo", clipHigh: 1, klPlacement: "loss", klWeight: 0.1 },
    reason: "needs klEstimator",
  },
  {
    name: "refuses KL in the reward of SFT",
    spec: { kind: "sft", klPlacement: "reward", klEstimator: "k1", klWeight: 0.1 },
    reason: "sft has no reward",
  },
  {
    name: "refuses a value bound without a value loss",
    spec: { kind: "cispo", clipHigh: 1, klPlacement: "none", valueClip: 0.2 },
    reason: "valueClip bounds a value loss that has no weight",
  },
])("checkLossSpec() $name", ({ spec, reason }) => {
  const reasons = checkLossSpec(spec);
  if (reason === undefined) expect(reasons).toEqual([]);
  else expect(reasons.join("; ")).toContain(reason);
});
