// The job that both sides do: sizes, the batch of rows, and what is legal where.
import { createRandom, hashJson, type LossSpec, type TrainingRow } from "../../src/core/index.js";

/** 2 layers, 4 heads, vocabulary 128, context 128, batch 64: 8,192 tokens a step. */
export const sizes = { layers: 2, heads: 4, vocabularySize: 128, contextLength: 128, batch: 64 } as const;
export const learningRate = 1e-3;
export const optimizer = { beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, maxGradNorm: 1 } as const;
export const lossSpec = {
  kind: "ppo_clip",
  clipLow: 0.2,
  clipHigh: 0.2,
  klPlacement: "none",
  entropyWeight: 0.01,
} as const satisfies LossSpec;

export const vocabulary = Array.from({ length: sizes.vocabularySize }, (_, id) => `t${id}`);
export const codec = { id: "bench", hash: hashJson(vocabulary), vocabulary };

/** Returns the ids that are legal at a position of a row: about three in ten, another choice for each. */
export function listLegal(row: number, position: number): number[] {
  const random = createRandom("legal", row, position);
  const legal = vocabulary.map((_, id) => id).filter(() => random.next() < 0.3);
  return legal.length === 0 ? [0] : legal;
}

/** Returns 64 rows of 128 tokens, each trained from its second token on but for three in ten, weighted to a mean. */
export function makeRows(): TrainingRow[] {
  const { batch, contextLength } = sizes;
  const random = createRandom("rows");
  const rows = Array.from({ length: batch }, (_, row) => {
    const positions = Array.from({ length: contextLength }, (_unused, position) => position);
    const actionMask = positions.map((position) => position > 0 && random.next() < 0.7);
    const allowed = positions.map((position) => listLegal(row, position));
    return {
      ids: allowed.map((legal) => random.pick(legal)),
      actionMask,
      allowed,
      // Near the log-probability of an even choice, so that some ratios are clipped and most are not.
      sampledLogProbs: allowed.map((legal) => -Math.log(legal.length) + 0.15 * random.nextNormal()),
      turnIndex: positions,
      advantages: positions.map(() => random.nextNormal()),
    };
  });
  const trained = rows.flatMap(({ actionMask }) => actionMask).filter(Boolean).length;
  return rows.map((row) => ({ ...row, weights: row.actionMask.map((isTrained) => (isTrained ? 1 / trained : 0)) }));
}

/** What both sides read from a file. */
export interface Job {
  readonly sizes: typeof sizes;
  readonly codec: typeof codec;
  readonly rows: readonly TrainingRow[];
  readonly loss: LossSpec;
  readonly optimizer: typeof optimizer;
  readonly learningRate: number;
}
