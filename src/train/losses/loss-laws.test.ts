// Laws of all losses on random batches: what observations hold plays no part, gradients equal finite differences, and on
// the first pass every loss is the policy gradient.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { LossSpec, TrainingRow } from "../../core/index.js";
import { fullSpecs, randomBatch } from "../../../test/support/random-losses.js";
import { weighRows } from "../aggregation/weigh-rows.js";
import { cispoLoss } from "./cispo-loss.js";
import { computeLoss, type RowOutputs } from "./compute-loss.js";
import { decoupledLoss } from "./decoupled-loss.js";
import { ppoClipLoss } from "./ppo-clip-loss.js";

test("decoupledLoss() of fresh rollouts is the PPO loss", () => {
  fc.assert(
    fc.property(randomBatch, ({ rows, outputs }) => {
      const bounds = { clipLow: 0.2, clipHigh: 0.28, dualClip: 3 };
      rows.forEach((row, i) => {
        const fresh = { ...row, proximalLogProbs: row.sampledLogProbs };
        expect(decoupledLoss(fresh, outputs[i].logProbs, bounds)).toEqual(
          ppoClipLoss(row, outputs[i].logProbs, bounds),
        );
      });
    }),
  );
});

const poison = fc.constantFrom(800, -800, NaN, Infinity, -Infinity, 0, 3.5);

test.each(fullSpecs)("$kind: whatever observations hold changes neither loss nor gradient, bit for bit", (spec) => {
  fc.assert(
    fc.property(randomBatch, poison, poison, ({ rows, outputs }, first, second) => {
      const swap = (list: readonly number[] | undefined, mask: readonly boolean[], by: number) =>
        list?.map((value, i) => (mask[i] ? value : by)) ?? [];
      const other = rows.map((row): TrainingRow => {
        const { actionMask: mask } = row;
        return {
          ...row,
          sampledLogProbs: swap(row.sampledLogProbs, mask, first),
          advantages: swap(row.advantages, mask, second),
          weights: swap(row.weights, mask, first),
          referenceLogProbs: swap(row.referenceLogProbs, mask, second),
          proximalLogProbs: swap(row.proximalLogProbs, mask, first),
          returns: swap(row.returns, mask, second),
          oldValues: swap(row.oldValues, mask, first),
        };
      });
      const otherOutputs = outputs.map((each, i): RowOutputs => ({
        logProbs: swap(each.logProbs, rows[i].actionMask, second),
        entropies: swap(each.entropies, rows[i].actionMask, first),
        values: swap(each.values, rows[i].actionMask, second),
      }));
      expect(computeLoss(other, otherOutputs, spec)).toEqual(computeLoss(rows, outputs, spec));
    }),
  );
});

/** Central difference of the loss when one number of the outputs moves. */
function slopeOf(
  rows: readonly TrainingRow[],
  outputs: readonly RowOutputs[],
  spec: LossSpec,
  name: "logProbs" | "entropies" | "values",
  place: { readonly row: number; readonly token: number },
): readonly [number, number] {
  const step = 1e-6;
  const lossAt = (delta: number): number =>
    computeLoss(
      rows,
      outputs.map((each, row) =>
        row === place.row
          ? { ...each, [name]: each[name]?.map((value, token) => (token === place.token ? value + delta : value)) }
          : each,
      ),
      spec,
    ).loss;
  const middle = lossAt(0);
  return [(lossAt(step) - middle) / step, (middle - lossAt(-step)) / step];
}

// CISPO's loss holds its ratio constant, which a difference quotient of the loss cannot; it has a test of its own.
test.each(fullSpecs.filter(({ kind }) => kind !== "cispo" && kind !== "decoupled"))(
  "$kind: the gradient equals finite differences",
  (spec) => {
    fc.assert(
      fc.property(randomBatch, ({ rows, outputs }) => {
        const { gradients } = computeLoss(rows, outputs, spec);
        for (const [row, gradient] of gradients.entries()) {
          for (const name of ["logProbs", "entropies", "values"] as const) {
            gradient[name]?.forEach((value, token) => {
              const [right, left] = slopeOf(rows, outputs, spec, name, { row, token });
              // At a kink the two one-sided slopes differ; either is a correct answer.
              const error = Math.min(Math.abs(value - right), Math.abs(value - left));
              expect(error).toBeLessThan(1e-4 * (1 + Math.abs(value)));
            });
          }
        }
      }),
      { numRuns: 60 },
    );
  },
);

test("decoupled: the gradient equals finite differences with its factor held constant", () => {
  const spec: LossSpec = { ...fullSpecs[4], valueWeight: 0, valueClip: undefined, entropyWeight: 0 };
  fc.assert(
    fc.property(randomBatch, ({ rows, outputs }) => {
      const { gradients } = computeLoss(rows, outputs, spec);
      gradients.forEach(({ logProbs }, row) =>
        logProbs.forEach((value, token) => {
          const [right, left] = slopeOf(rows, outputs, spec, "logProbs", { row, token });
          expect(Math.min(Math.abs(value - right), Math.abs(value - left))).toBeLessThan(1e-4 * (1 + Math.abs(value)));
        }),
      );
    }),
    { numRuns: 60 },
  );
});

test("cispo: the gradient is that of clip(r) A log p with the ratio held constant", () => {
  fc.assert(
    fc.property(randomBatch, ({ rows, outputs }) => {
      rows.forEach((row, i) => {
        const { gradient } = cispoLoss(row, outputs[i].logProbs, { clipHigh: 0.3, clipLow: 0.4 });
        gradient.forEach((slope, token) => {
          const ratio = Math.exp(outputs[i].logProbs[token] - row.sampledLogProbs[token]);
          const held = Math.min(Math.max(ratio, 0.6), 1.3);
          const expected = row.actionMask[token] ? -row.weights[token] * held * row.advantages[token] : 0;
          expect(slope).toBeCloseTo(expected, 12);
        });
      });
    }),
  );
});

const onPolicySpecs = fullSpecs
  .filter(({ kind }) => kind !== "sft")
  .map((spec): LossSpec => ({ ...spec, klPlacement: "none", klEstimator: undefined, klWeight: undefined }));

test.each(onPolicySpecs)("$kind: on the first pass the ratio is 1 and the gradient is the policy gradient", (spec) => {
  fc.assert(
    fc.property(randomBatch, ({ rows }) => {
      // One advantage a sequence, as group methods give it: GSPO spreads it over the tokens.
      const weights = weighRows(
        rows.map(({ actionMask }) => actionMask),
        { kind: "sequence_mean" },
      );
      const fresh = rows.map((row, i) => ({
        ...row,
        weights: weights[i],
        proximalLogProbs: row.sampledLogProbs,
        advantages: row.actionMask.map((isSampled) => (isSampled ? 0.7 : 0)),
      }));
      const outputs = fresh.map((row) => ({
        logProbs: row.sampledLogProbs,
        values: row.returns,
        entropies: row.returns,
      }));
      const { gradients, diagnostics } = computeLoss(fresh, outputs, spec);
      expect(diagnostics).toMatchObject({ maxRatioError: 0, updateKl: 0, clippedShare: 0 });
      gradients.forEach(({ logProbs }, row) =>
        logProbs.forEach((slope, token) => expect(slope).toBeCloseTo(-0.7 * weights[row][token], 12)),
      );
    }),
  );
});
