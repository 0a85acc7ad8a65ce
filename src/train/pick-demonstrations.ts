import { createRandom, type TrainingRow, type TrainingSequence } from "../core/index.js";
import { weighRows } from "./aggregation/weigh-rows.js";

/** Returns the demonstrations of one update: each epoch goes through all of them in an order of its own. */
export function pickDemonstrations<T>(
  demonstrations: readonly T[],
  { batchSize, update, seed }: { readonly batchSize: number; readonly update: number; readonly seed: number },
): T[] {
  const perEpoch = Math.max(1, Math.floor(demonstrations.length / batchSize));
  const epoch = Math.floor(update / perEpoch);
  const order = createRandom(seed, "demonstrations", epoch).shuffle(demonstrations);
  const start = (update % perEpoch) * batchSize;
  return order.slice(start, start + batchSize);
}

/** Returns demonstrations as rows of one supervised update: every demonstrated token weighs the same. */
export function toSftRows(sequences: readonly TrainingSequence[]): TrainingRow[] {
  const weights = weighRows(
    sequences.map(({ actionMask }) => actionMask),
    { kind: "token_mean" },
  );
  return sequences.map(({ ids, actionMask, allowed, sampledLogProbs, turnIndex }, index) => ({
    ids,
    actionMask,
    ...(allowed === undefined ? {} : { allowed }),
    sampledLogProbs,
    turnIndex,
    advantages: ids.map(() => 0),
    weights: weights[index],
  }));
}
