// internal
import { createRandom } from "../../core/index.js";

/** How tokens are drawn. */
export interface DrawOptions {
  /** 0 takes the most likely id. */
  readonly temperature: number;
  /** In (0, 1]: draws from the fewest likely ids that hold this much probability. */
  readonly topP: number;
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
 * Returns a function from positions to numbers in [0, 1), which depend on the seed and the position alone: neither the
 * batch nor the order of work changes a draw. It counts instead of drawing one after another: the position is added to
 * a key made of the seed, and mixed by two rounds of the finaliser of MurmurHash3 for each half of 53 bits.
 */
export function createCounterRandom(seed: number): (position: number) => number {
  const random = createRandom("draw", seed);
  const [first, second] = [random.nextUint32(), random.nextUint32()];
  return (position) => {
    const high = mix(mix(first ^ position) + second) >>> 5;
    const low = mix(mix(second ^ position) + first) >>> 6;
    return (high * 67108864 + low) / 9007199254740992;
  };
}

function mix(value: number): number {
  let bits = (value + 0x9e3779b9) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/**
 * Draws one of the allowed ids from logits by inversion, with a number `chance` in [0, 1). The log-probability is that of
 * the distribution drawn from; at temperature 0 it is that of temperature 1, since the certainty of a maximum says
 * nothing.
 */
export function drawToken(
  logits: Float32Array,
  allowed: readonly number[],
  { temperature, topP }: DrawOptions,
  chance: number,
): DrawnToken {
  const sharpness = temperature === 0 ? 1 : 1 / temperature;
  let best = allowed[0];
  for (let index = 1; index < allowed.length; index += 1) {
    if (logits[allowed[index]] > logits[best]) best = allowed[index];
  }
  const top = logits[best];
  const weights = new Float64Array(allowed.length);
  let total = 0;
  for (let index = 0; index < allowed.length; index += 1) {
    weights[index] = Math.exp((logits[allowed[index]] - top) * sharpness);
    total += weights[index];
  }
  const kept = topP < 1 && temperature > 0 ? findNucleus(allowed, weights, topP * total) : undefined;
  if (kept !== undefined) total = kept.total;
  const { ids, weights: shares } = kept ?? { ids: allowed, weights };
  const id = temperature === 0 ? best : pickByWeight(ids, shares, total * chance);
  return { id, logProb: (logits[id] - top) * sharpness - Math.log(total), allowed: ids };
}

/** What top-p keeps: ids with their weights, and the sum of these. */
interface Nucleus {
  readonly ids: readonly number[];
  readonly weights: ArrayLike<number>;
  readonly total: number;
}

/** Returns, in their order, the fewest most likely ids whose weights reach `goal`; of equals the earlier first. */
function findNucleus(ids: readonly number[], weights: Float64Array, goal: number): Nucleus {
  const order = ids.map((_, index) => index).sort((a, b) => weights[b] - weights[a] || a - b);
  let reached = 0;
  let count = 0;
  while (count < order.length && (count === 0 || reached < goal)) {
    reached += weights[order[count]];
    count += 1;
  }
  const kept = order.slice(0, count).sort((a, b) => a - b);
  return {
    ids: kept.map((index) => ids[index]),
    weights: kept.map((index) => weights[index]),
    total: kept.reduce((sum, index) => sum + weights[index], 0),
  };
}

function pickByWeight(ids: readonly number[], weights: ArrayLike<number>, goal: number): number {
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
