import fc from "fast-check";
import { expect, test } from "vitest";
import { measureBudgetShares, weighSequence } from "./budget-shares.js";
import { weighRows, type Aggregation } from "./weigh-rows.js";

const trained = (count: number) => Array.from({ length: count }, () => true);
/** The loss of advantage +1 on 2 tokens and -1 on 6, at ratio 1. */
const lossOf = (aggregation: Aggregation) =>
  weighRows([trained(2), trained(6)], aggregation).reduce(
    (sum, row, i) => sum - row.reduce((total, weight) => total + weight, 0) * (i === 0 ? 1 : -1),
    0,
  );

test.each<{ aggregation: Aggregation; loss: number }>([
  { aggregation: { kind: "token_mean" }, loss: 0.5 },
  { aggregation: { kind: "sequence_mean" }, loss: 0 },
  { aggregation: { kind: "sequence_sum_mean" }, loss: 2 },
  { aggregation: { kind: "constant", length: 6, over: "batch" }, loss: 2 / 3 },
  { aggregation: { kind: "constant", length: 6, over: "sequence" }, loss: 1 / 3 },
])("weighRows() with $aggregation.kind gives the loss of the table", ({ aggregation, loss }) => {
  expect(lossOf(aggregation)).toBeCloseTo(loss, 12);
});

test.each<{ aggregation: Aggregation; ratio: number }>([
  { aggregation: { kind: "token_mean" }, ratio: 1 },
  { aggregation: { kind: "sequence_mean" }, ratio: 3 },
  { aggregation: { kind: "sequence_sum_mean" }, ratio: 1 },
  { aggregation: { kind: "constant", length: 6, over: "sequence" }, ratio: 1 },
])("weighRows() with $aggregation.kind: a token of 2 weighs $ratio times one of 6", ({ aggregation, ratio }) => {
  const [[short], [long]] = weighRows([trained(2), trained(6)], aggregation);
  expect(short / long).toBeCloseTo(ratio, 12);
});

test("weighRows() gives tokens outside the mask 0 and does not count sequences without one", () => {
  expect(weighRows([[false, true], [false]], { kind: "sequence_mean" })).toEqual([[0, 1], [0]]);
  expect(weighRows([[false, true], [false]], { kind: "sequence_mean" }, { sequenceCount: 2 })).toEqual([[0, 0.5], [0]]);
  expect(weighRows([[false]], { kind: "token_mean" })).toEqual([[0]]);
});

test("weighRows() of means sums to 1, whatever the batch", () => {
  const masks = fc.array(fc.array(fc.boolean(), { maxLength: 6 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(masks, (batch) => {
      fc.pre(batch.flat().includes(true));
      for (const kind of ["token_mean", "sequence_mean"] as const) {
        expect(
          weighRows(batch, { kind })
            .flat()
            .reduce((sum, weight) => sum + weight, 0),
        ).toBeCloseTo(1, 9);
      }
    }),
  );
});

test("weighRows() multiplies by factors without changing denominators", () => {
  expect(weighRows([trained(1), trained(1)], { kind: "token_mean" }, { factors: [1, 3] })).toEqual([[0.5], [1.5]]);
  expect(() => weighRows([trained(1)], { kind: "token_mean" }, { factors: [] })).toThrow("not 1 finite numbers");
});

const mix = [
  { maxTurns: 2, tokens: 2 },
  { maxTurns: 8, tokens: 6 },
];
const sharesOf = (aggregation: Aggregation, advantages: readonly number[] = [1, -1]) => {
  const masks = mix.map(({ tokens }) => trained(tokens));
  const weights = weighRows(masks, aggregation);
  return measureBudgetShares(
    mix.map(({ maxTurns }, i) =>
      weighSequence(maxTurns, {
        actionMask: masks[i],
        weights: weights[i],
        advantages: masks[i].map(() => advantages[i]),
      }),
    ),
  );
};

test("measureBudgetShares() shows that a mean over tokens follows tokens, one over sequences the plan", () => {
  const byToken = sharesOf({ kind: "token_mean" });
  expect(byToken.map(({ tokenShare }) => tokenShare)).toEqual([0.25, 0.75]);
  expect(byToken.map(({ weightShare }) => weightShare)).toEqual([0.25, 0.75]);
  const bySequence = sharesOf({ kind: "sequence_mean" });
  expect(bySequence.map(({ sequenceShare }) => sequenceShare)).toEqual([0.5, 0.5]);
  bySequence.forEach(({ weightShare }) => expect(weightShare).toBeCloseTo(0.5, 12));
});

test("measureBudgetShares() shows a budget whose groups are flat: weight without pull", () => {
  const [tight, loose] = sharesOf({ kind: "sequence_mean" }, [0, 1]);
  expect(tight).toMatchObject({ pullShare: 0 });
  expect(tight.weightShare).toBeCloseTo(0.5, 12);
  expect(loose.pullShare).toBe(1);
});
