import type { Random } from "./random.js";

/** One way a random step can go. */
export interface Outcome<Value> {
  /** In (0, 1]; the outcomes of one step sum to 1. */
  readonly probability: number;
  readonly value: Value;
}

/** Most draws sequences one step may have; a step beyond it is not meant to be enumerated. */
const maxOutcomes = 100_000;

/**
 * Returns every way `run` can go, with its exact probability, by running it once for each sequence of draws. Only
 * finite draws (`nextInt`, `pick`, `shuffle`) can be enumerated, so an env that wants exact values draws "one in
 * four" as `nextInt(4) === 0`. Equal values are not merged.
 *
 * @throws {RangeError} when `run` draws a number from a continuous range, or has more than 100,000 outcomes.
 * @example
 * enumerateOutcomes((random) => random.nextInt(2)); // [{ probability: 0.5, value: 0 }, { probability: 0.5, value: 1 }]
 */
export function enumerateOutcomes<Value>(run: (random: Random) => Value): Outcome<Value>[] {
  const outcomes: Outcome<Value>[] = [];
  let choices: number[] = [];
  for (;;) {
    const bounds: number[] = [];
    const value = run(createScriptedRandom(choices, bounds));
    outcomes.push({ probability: bounds.reduce((product, bound) => product / bound, 1), value });
    if (outcomes.length > maxOutcomes) {
      throw new RangeError(`Cannot enumerate a step with more than ${maxOutcomes} outcomes`);
    }
    // Count up like an odometer: the last draw that has another value left takes it, later draws begin again.
    let position = bounds.length - 1;
    while (position >= 0 && (choices[position] ?? 0) + 1 >= (bounds[position] ?? 0)) position -= 1;
    if (position < 0) return outcomes;
    choices = bounds.slice(0, position + 1).map((_, i) => (choices[i] ?? 0) + (i === position ? 1 : 0));
  }
}

/** Returns a stream whose n-th draw is `choices[n]` (0 beyond), and notes each draw's bound in `bounds`. */
function createScriptedRandom(choices: readonly number[], bounds: number[]): Random {
  function nextInt(bound: number): number {
    if (!Number.isInteger(bound) || bound < 1) {
      throw new RangeError(`Cannot draw a whole number as the bound must be at least 1: current bound is ${bound}`);
    }
    bounds.push(bound);
    return choices[bounds.length - 1] ?? 0;
  }
  function refuse(): never {
    throw new RangeError("Cannot enumerate a step that draws from a continuous range: use nextInt, pick or shuffle");
  }
  function pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError("Cannot pick from an empty list");
    return items[nextInt(items.length)];
  }
  function shuffle<T>(items: readonly T[]): T[] {
    const result = [...items];
    for (let i = result.length - 1; i > 0; i -= 1) {
      const j = nextInt(i + 1);
      [result[i], result[j]] = [result[j], result[i]];
    }
    return result;
  }
  return { next: refuse, nextUint32: refuse, nextNormal: refuse, nextInt, pick, shuffle };
}
