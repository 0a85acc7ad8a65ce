import { expect, test } from "vitest";
import { discountRewards } from "../returns/discounted-returns.js";
import { estimateWebrlAdvantage, webrlLoss } from "./webrl-loss.js";

/** Ten tokens with these sums of log-probabilities. */
const turn = (logProb: number, reference: number, advantage = 1) => ({
  logProbs: Array.from({ length: 10 }, () => logProb / 10),
  referenceLogProbs: Array.from({ length: 10 }, () => reference / 10),
  advantage,
});

test.each([
  { name: "an unsure reference", logProb: -2, reference: -4, ratio: 0.2, beta: 1, loss: 0.32 },
  { name: "a sure reference", logProb: -1, reference: -1.5, ratio: 0.05, beta: 5, loss: 0.05625 },
])("webrlLoss() with $name", ({ logProb, reference, ratio, beta, loss }) => {
  const result = webrlLoss([turn(logProb, reference)], "batch");
  expect(result.loss).toBeCloseTo(loss, 9);
  expect(result.terms[0]?.ratio).toBeCloseTo(ratio, 9);
  expect(result.terms[0]?.beta).toBeCloseTo(beta, 9);
});

test("webrlLoss() takes nothing from a negative advantage", () => {
  expect(webrlLoss([turn(-1, -1.5, -0.2)], "own")).toEqual({
    loss: 0,
    gradients: [Array.from({ length: 10 }, () => 0)],
    terms: [undefined],
  });
});

test("webrlLoss() counts an advantage of 0 as positive", () => {
  expect(webrlLoss([turn(-2, -4, 0)], "own").loss).toBeCloseTo(0.32, 9);
});

test("webrlLoss() caps beta at |A / ratio|", () => {
  expect(webrlLoss([turn(-0.5, -1.5)], "own").terms[0]?.beta).toBe(5);
  expect(webrlLoss([turn(19, -1)], "own").terms[0]?.beta).toBeCloseTo(0.5, 9);
});

test("webrlLoss() by the batch's tokens depends on the company, by its own it does not", () => {
  const alone = webrlLoss([turn(-2, -4)], "own");
  const together = webrlLoss([turn(-2, -4), turn(-2, -4)], "own");
  expect(together.loss).toBeCloseTo(alone.loss, 12);
  expect(webrlLoss([turn(-2, -4), turn(-2, -4)], "batch").terms[0]?.ratio).toBeCloseTo(0.1, 12);
});

test("webrlLoss() gradients equal finite differences", () => {
  const base = [turn(-2, -4), turn(-1, -1.5), turn(-3, -2)];
  const { gradients } = webrlLoss(base, "own");
  base.forEach((each, index) => {
    const at = (step: number) =>
      webrlLoss(
        base.map((one, i) =>
          i === index
            ? { ...one, logProbs: one.logProbs.map((value, token) => (token === 3 ? value + step : value)) }
            : one,
        ),
        "own",
      ).loss;
    expect(gradients[index][3]).toBeCloseTo((at(1e-6) - at(-1e-6)) / 2e-6, 6);
    expect(each.logProbs).toHaveLength(10);
  });
});

test("estimateWebrlAdvantage() adds value gained, reward and return, less a step's price", () => {
  const turnOf = (discountedReturn: number) =>
    estimateWebrlAdvantage({ values: [0.9, 0.6], nextValues: [0.7, 0.8], reward: 0, discountedReturn });
  expect(turnOf(0.5)).toBeCloseTo(0.55, 12);
  expect(turnOf(3)).toBe(1);
  expect(discountRewards([0, 0, 1], 0.9).map((value) => Number(value.toFixed(2)))).toEqual([0.81, 0.9, 1]);
});
