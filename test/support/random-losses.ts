import fc from "fast-check";
import type { LossSpec, TrainingRow } from "../../src/core/index.js";
import type { RowOutputs } from "../../src/train/index.js";

const logProb = fc.double({ min: -4, max: -0.01, noNaN: true });
// Rounded: products of denormal numbers vanish, which says nothing about a loss.
const small = fc.double({ min: -2, max: 2, noNaN: true }).map((value) => Math.round(value * 1e6) / 1e6 + 0);

/** Rows with random masks and numbers, and outputs for them. */
export const randomBatch: fc.Arbitrary<{ rows: TrainingRow[]; outputs: RowOutputs[] }> = fc
  .array(
    fc.array(
      fc.record({
        isSampled: fc.boolean(),
        old: logProb,
        now: logProb,
        reference: logProb,
        proximal: logProb,
        advantage: small,
        weight: fc.double({ min: 0.05, max: 1, noNaN: true }),
        value: small,
        oldValue: small,
        target: small,
        entropy: fc.double({ min: 0, max: 3, noNaN: true }),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((batch) => ({
    rows: batch.map((tokens) => ({
      ids: tokens.map((_, i) => i),
      actionMask: tokens.map(({ isSampled }) => isSampled),
      sampledLogProbs: tokens.map(({ isSampled, old }) => (isSampled ? old : 0)),
      turnIndex: tokens.map(() => 0),
      advantages: tokens.map(({ isSampled, advantage }) => (isSampled ? advantage : 0)),
      weights: tokens.map(({ isSampled, weight }) => (isSampled ? weight : 0)),
      referenceLogProbs: tokens.map(({ reference }) => reference),
      proximalLogProbs: tokens.map(({ proximal }) => proximal),
      returns: tokens.map(({ target }) => target),
      oldValues: tokens.map(({ oldValue }) => oldValue),
    })),
    outputs: batch.map((tokens) => ({
      logProbs: tokens.map(({ now }) => now),
      values: tokens.map(({ value }) => value),
      entropies: tokens.map(({ entropy }) => entropy),
    })),
  }));

const extras = { klWeight: 0.3, entropyWeight: 0.01, valueWeight: 0.5, valueClip: 0.4 };
/** One spec of every kind with every part that it can have. */
export const fullSpecs: readonly LossSpec[] = [
  { kind: "sft", klPlacement: "loss", klEstimator: "k2", klWeight: 0.1 },
  { kind: "ppo_clip", clipLow: 0.2, clipHigh: 0.28, dualClip: 3, klPlacement: "loss", klEstimator: "k3", ...extras },
  { kind: "gspo", clipLow: 0.1, clipHigh: 0.15, klPlacement: "loss", klEstimator: "k2", ...extras },
  { kind: "cispo", clipHigh: 0.3, klPlacement: "loss", klEstimator: "k3", ...extras },
  { kind: "decoupled", clipLow: 0.2, clipHigh: 0.2, klPlacement: "loss", klEstimator: "k1", ...extras },
];
