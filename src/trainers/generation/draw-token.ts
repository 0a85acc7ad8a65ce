// internal
import { createRandom } from "../../core/index.js";

/** How a token is drawn. */
export interface DrawOptions {
  /** 0 takes the most likely id. */
  readonly temperature: number;
  /** In (0, 1]: draws from the fewest likely ids that hold this much probability. */
  readonly topP: number;
  readonly seed: number;
  /** Position of the token in its stream: with the seed it names the random number. */
  readonly position: number;
}

/** A drawn token. */
export interface DrawnToken {
  readonly id: number;
  /** Nats. */
  readonly logProb: number;
  /** The ids it was drawn from: those that were allowed, less what top-p left out. */
  readonly allowed: readonly number[];
}

/**
 * Draws one of the allowed ids from a row of logits by inversion. The random number depends on the seed and the position
 * alone, so neither the batch nor the order of work changes a draw. The log-probability is that of the distribution
 * drawn from; at temperature 0 it is that of temperature 1, since the certainty of a maximum says nothing.
 */
export function drawToken(
  logits: Float32Array,
  row: number,
  vocabularySize: number,
  allowed: readonly number[],
  options: DrawOptions,
): DrawnToken {
  const { temperature, topP, seed, position } = options;
  const offset = row * vocabularySize;
  const sharpness = temperature === 0 ? 1 : 1 / temperature;
  let best = allowed[0];
  for (const id of allowed) if (logits[offset + id] > logits[offset + best]) best = id;
  const top = logits[offset + best];
  const weigh = (id: number): number => Math.exp((logits[offset + id] - top) * sharpness);
  const kept = topP < 1 && temperature > 0 ? findNucleus(allowed, weigh, topP) : allowed;
  const weights = kept.map(weigh);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const id =
    temperature === 0 ? best : pickByWeight(kept, weights, total * createRandom("draw", seed, position).next());
  return { id, logProb: (logits[offset + id] - top) * sharpness - Math.log(total), allowed: kept };
}

/** Returns, in their order, the fewest most likely ids whose probability reaches `topP`; of equals the earlier first. */
function findNucleus(allowed: readonly number[], weigh: (id: number) => number, topP: number): number[] {
  const weights = allowed.map(weigh);
  const order = allowed.map((_, index) => index).sort((a, b) => weights[b] - weights[a] || a - b);
  const goal = topP * weights.reduce((sum, weight) => sum + weight, 0);
  const kept = new Set<number>();
  let reached = 0;
  for (const index of order) {
    kept.add(index);
    reached += weights[index];
    if (reached >= goal) break;
  }
  return allowed.filter((_, index) => kept.has(index));
}

function pickByWeight(ids: readonly number[], weights: readonly number[], goal: number): number {
  let reached = 0;
  let last = 0;
  for (let index = 0; index < ids.length; index += 1) {
    if (weights[index] === 0) continue; // too unlikely for float64; never the last resort either
    reached += weights[index];
    last = index;
    if (reached > goal) break;
  }
  return ids[last];
}
