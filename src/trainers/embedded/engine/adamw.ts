// internal
import type { OptimizerConfig } from "./optimizer-config.js";

/** Flat weights with their moments, gradient and which of them decay. */
export interface OptimizerState {
  readonly weights: Float32Array;
  readonly gradient: Float32Array;
  readonly firstMoment: Float32Array;
  readonly secondMoment: Float32Array;
  /** [start, end) of each piece of the flat weights, and whether it decays. */
  readonly pieces: readonly { readonly start: number; readonly end: number; readonly decays: boolean }[];
}

/** Returns the length of a vector. */
export function measureNorm(vector: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < vector.length; index += 1) sum += vector[index] * vector[index];
  return Math.sqrt(sum);
}

/**
 * Moves the weights by one step of AdamW (Loshchilov and Hutter 2019), in place. `step` counts from 1; the gradient is
 * scaled down to `maxGradNorm` when it is longer.
 */
export function stepAdamW(
  state: OptimizerState,
  config: OptimizerConfig,
  run: { readonly step: number; readonly learningRate: number; readonly gradNorm: number },
): void {
  const { beta1, beta2, epsilon, weightDecay, maxGradNorm } = config;
  const { weights, gradient, firstMoment, secondMoment, pieces } = state;
  const { step, learningRate, gradNorm } = run;
  const scale = gradNorm > maxGradNorm ? maxGradNorm / gradNorm : 1;
  const stepSize = learningRate / (1 - beta1 ** step);
  const secondScale = 1 / Math.sqrt(1 - beta2 ** step);
  for (const { start, end, decays } of pieces) {
    const keep = decays ? 1 - learningRate * weightDecay : 1;
    for (let index = start; index < end; index += 1) {
      const slope = gradient[index] * scale;
      const first = beta1 * firstMoment[index] + (1 - beta1) * slope;
      const second = beta2 * secondMoment[index] + (1 - beta2) * slope * slope;
      firstMoment[index] = first;
      secondMoment[index] = second;
      weights[index] = weights[index] * keep - (stepSize * first) / (Math.sqrt(second) * secondScale + epsilon);
    }
  }
}
