import { expect, test } from "vitest";
import { measureNorm, stepAdamW } from "./adamw.js";

const config = { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0.5, maxGradNorm: 10 };

function makeState(weights: readonly number[], gradient: readonly number[]) {
  return {
    weights: Float32Array.from(weights),
    gradient: Float32Array.from(gradient),
    firstMoment: new Float32Array(weights.length),
    secondMoment: new Float32Array(weights.length),
    pieces: [
      { start: 0, end: 2, decays: true },
      { start: 2, end: weights.length, decays: false },
    ],
  };
}

test("the first step moves each weight by the learning rate against its slope, and shrinks those that decay", () => {
  const state = makeState([1, -2, 3], [0.5, -4, 1e-3]);
  stepAdamW(state, config, { step: 1, learningRate: 0.1, gradNorm: measureNorm(state.gradient) });
  expect(state.weights[0]).toBeCloseTo(1 * 0.95 - 0.1, 6);
  expect(state.weights[1]).toBeCloseTo(-2 * 0.95 + 0.1, 6);
  expect(state.weights[2]).toBeCloseTo(3 - 0.1, 4);
});

test("two steps equal the formula with bias correction", () => {
  const state = makeState([0, 0, 0], [0, 0, 2]);
  stepAdamW(state, config, { step: 1, learningRate: 0.1, gradNorm: 2 });
  state.gradient[2] = -1;
  stepAdamW(state, config, { step: 2, learningRate: 0.1, gradNorm: 1 });
  const mean = (0.9 * 0.1 * 2 + 0.1 * -1) / (1 - 0.9 ** 2);
  const square = (0.99 * 0.01 * 4 + 0.01 * 1) / (1 - 0.99 ** 2);
  expect(state.weights[2]).toBeCloseTo(-0.1 - (0.1 * mean) / Math.sqrt(square), 6);
});

test("a gradient longer than the bound is scaled down to it before the moments", () => {
  const state = makeState([0, 0, 0], [30, 40, 0]);
  expect(measureNorm(state.gradient)).toBe(50);
  stepAdamW(state, config, { step: 1, learningRate: 0.1, gradNorm: 50 });
  [0.6, 0.8, 0].forEach((value, index) => expect(state.firstMoment[index]).toBeCloseTo(value, 6));
});
