/** A seeded stream of random numbers. Same seed, same numbers, on every machine. */
export interface Random {
  /** Returns the next number in [0, 1), with 53 random bits. */
  next(): number;
  /** Returns the next whole number in [0, bound). Exact: no modulo bias. */
  nextInt(bound: number): number;
  /** Returns the next 32 random bits as an unsigned number. */
  nextUint32(): number;
  /** Returns a standard normal deviate (Marsaglia's polar method, one kept of each pair). */
  nextNormal(): number;
  /** Returns one of `items`. Throws a `RangeError` when there is none. */
  pick<T>(items: readonly T[]): T;
  /** Returns a new array with the items of `items` in random order (Fisher-Yates). */
  shuffle<T>(items: readonly T[]): T[];
}

/** Mixes text into 128 bits: four rounds of 32-bit FNV-1a-like hashing with different multipliers (after bryc's cyrb128, public domain). */
function hashSeed(text: string): [number, number, number, number] {
  let first = 1779033703;
  let second = 3144134277;
  let third = 1013904242;
  let fourth = 2773480762;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    first = second ^ Math.imul(first ^ unit, 597399067);
    second = third ^ Math.imul(second ^ unit, 2869860233);
    third = fourth ^ Math.imul(third ^ unit, 951274213);
    fourth = first ^ Math.imul(fourth ^ unit, 2716044179);
  }
  first = Math.imul(third ^ (first >>> 18), 597399067);
  second = Math.imul(fourth ^ (second >>> 22), 2869860233);
  third = Math.imul(first ^ (third >>> 17), 951274213);
  fourth = Math.imul(second ^ (fourth >>> 19), 2716044179);
  first ^= second ^ third ^ fourth;
  return [first >>> 0, (second ^ first) >>> 0, (third ^ first) >>> 0, (fourth ^ first) >>> 0];
}

/**
 * Returns a generator seeded by the given parts (xoshiro128**, Blackman and Vigna 2018; period 2^128 - 1).
 * The parts are joined into one text, so `createRandom(7, "bootstrap")` and `createRandom(7, "flip")` are
 * independent streams: derive one for each purpose instead of sharing one.
 *
 * @example
 * createRandom(1, "demo").nextInt(6); // the same number on every machine
 */
export function createRandom(...seed: readonly (string | number)[]): Random {
  if (seed.length === 0) throw new RangeError("Cannot create a generator without a seed: no seed part was given");
  let [a, b, c, d] = hashSeed(JSON.stringify(seed));
  if ((a | b | c | d) === 0) a = 1; // the all-zero state is the generator's one fixed point
  function nextUint32(): number {
    const scrambled = Math.imul(b, 5);
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result;
  }
  function next(): number {
    return ((nextUint32() >>> 5) * 67108864 + (nextUint32() >>> 6)) / 9007199254740992;
  }
  function nextInt(bound: number): number {
    if (!Number.isInteger(bound) || bound < 1 || bound > 2 ** 32) {
      throw new RangeError(
        `Cannot draw a whole number as the bound must be in 1..4294967296: current bound is ${bound}`,
      );
    }
    const limit = 2 ** 32 - (2 ** 32 % bound);
    let draw = nextUint32();
    while (draw >= limit) draw = nextUint32();
    return draw % bound;
  }
  function nextNormal(): number {
    for (;;) {
      const x = 2 * next() - 1;
      const y = 2 * next() - 1;
      const square = x * x + y * y;
      if (square > 0 && square < 1) return x * Math.sqrt((-2 * Math.log(square)) / square);
    }
  }
  function shuffle<T>(items: readonly T[]): T[] {
    const result = [...items];
    for (let i = result.length - 1; i > 0; i -= 1) {
      const j = nextInt(i + 1);
      [result[i], result[j]] = [result[j], result[i]];
    }
    return result;
  }
  function pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError("Cannot pick from an empty list");
    return items[nextInt(items.length)];
  }
  return { next, nextInt, nextUint32, nextNormal, pick, shuffle };
}

/** A generator that is seeded by its first draw. Getters and not methods, so that a method taken off it works alone. */
class LazyRandom implements Random {
  readonly #seed: readonly (string | number)[];
  #made: Random | undefined;
  constructor(seed: readonly (string | number)[]) {
    this.#seed = seed;
  }
  get #random(): Random {
    return (this.#made ??= createRandom(...this.#seed));
  }
  get next(): Random["next"] {
    return this.#random.next;
  }
  get nextInt(): Random["nextInt"] {
    return this.#random.nextInt;
  }
  get nextUint32(): Random["nextUint32"] {
    return this.#random.nextUint32;
  }
  get nextNormal(): Random["nextNormal"] {
    return this.#random.nextNormal;
  }
  get pick(): Random["pick"] {
    return this.#random.pick;
  }
  get shuffle(): Random["shuffle"] {
    return this.#random.shuffle;
  }
}

/**
 * Returns the generator that {@linkcode createRandom} returns for the same parts, seeded by its first draw: for
 * streams that are offered at every turn and seldom used.
 */
export function createLazyRandom(...seed: readonly (string | number)[]): Random {
  return new LazyRandom(seed);
}
