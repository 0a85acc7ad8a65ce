/** Modes of an unfinished episode at the start of a turn, by index: going well, or working off an error. */
export const chainModes = ["clean", "error"] as const;
/** What can happen in a turn, by index. `quit` comes first in time; the others are shares among turns that do not quit. */
export const chainOutcomes = ["quit", "solved", "clean", "error", "wrong"] as const;

/** Index of each outcome in {@linkcode chainOutcomes}. */
export const outcomeIndex = { quit: 0, solved: 1, clean: 2, error: 3, wrong: 4 } as const;
/** Numbers kept for one turn: 2 modes x 5 outcomes. */
export const turnStride = 10;
/** Numbers kept for one mode of one turn. */
export const modeStride = 5;

/** What happens in one mode: the chance to quit, then where a turn that does not quit leads (the last four sum to 1). */
export interface ModeRates {
  readonly quit: number;
  readonly solved: number;
  readonly clean: number;
  readonly error: number;
  /** An irrevocable wrong end; default 0. */
  readonly wrong?: number;
}

/** A policy as a chain with the same rates in every turn. */
export interface ChainRates {
  readonly clean: ModeRates;
  readonly error: ModeRates;
}

/**
 * A policy as a chain: [turn][mode][outcome] with {@linkcode turnStride} numbers a turn. `quit` is a hazard; the other
 * outcomes are shares among turns that do not quit.
 */
export type ModeChain = Float64Array;

/** The three blocks into which a chain's likelihood factorises, each taken from some chain. */
export interface ChainBlocks {
  /** Outcomes of clean turns. */
  readonly decision: ModeChain;
  /** Outcomes of turns in error. */
  readonly recovery: ModeChain;
  /** Chances to quit, in both modes. */
  readonly persistence: ModeChain;
}

/**
 * Returns the chain of rates that are the same in every one of `maxTurns` turns.
 *
 * @throws {RangeError} for a rate outside 0..1, or outcomes of a mode that do not sum to 1.
 */
export function createModeChain(rates: ChainRates, maxTurns: number): ModeChain {
  const turn = chainModes.flatMap((mode) => {
    const { quit, solved, clean, error, wrong = 0 } = rates[mode];
    const all = [quit, solved, clean, error, wrong];
    const total = solved + clean + error + wrong;
    if (all.some((rate) => !(rate >= 0 && rate <= 1)) || Math.abs(total - 1) > 1e-9) {
      throw new RangeError(
        `Cannot create a chain as the outcomes of mode "${mode}" must be in 0..1 and sum to 1: current values are ${all.join(", ")}`,
      );
    }
    return all;
  });
  const chain = new Float64Array(maxTurns * turnStride);
  for (let t = 0; t < maxTurns; t += 1) chain.set(turn, t * turnStride);
  return chain;
}

/** Where the mass of a chain is. Index 0 is the first turn. */
export interface ChainCourse {
  /** [T - 1] success within T turns: V(T). */
  readonly values: Float64Array;
  /** [t][mode] mass at the start of each turn, one row more than there are turns. */
  readonly occupation: Float64Array;
}

/**
 * Returns V(T) for every T up to `maxTurns` of the chain with these blocks, and the mass at the start of each turn
 * (the forward recursion of the budgeted mode chain). Mass that quits or ends wrongly leaves.
 */
export function runChain({ decision, recovery, persistence }: ChainBlocks, maxTurns: number): ChainCourse {
  const values = new Float64Array(maxTurns);
  const occupation = new Float64Array(2 * (maxTurns + 1));
  let clean = 1;
  let error = 0;
  let value = 0;
  for (let t = 0; t < maxTurns; t += 1) {
    const at = t * turnStride;
    occupation[2 * t] = clean;
    occupation[2 * t + 1] = error;
    const goingClean = clean * (1 - persistence[at]);
    const goingError = error * (1 - persistence[at + modeStride]);
    const inError = at + modeStride;
    value += goingClean * decision[at + 1] + goingError * recovery[inError + 1];
    clean = goingClean * decision[at + 2] + goingError * recovery[inError + 2];
    error = goingClean * decision[at + 3] + goingError * recovery[inError + 3];
    values[t] = value;
  }
  occupation[2 * maxTurns] = clean;
  occupation[2 * maxTurns + 1] = error;
  return { values, occupation };
}

/**
 * Returns the derivatives of V(maxTurns) with respect to every number of the chain, each as if all turns shared it:
 * [mode][outcome], summed over turns. Outcomes are taken as free of each other. Computed from backward values.
 */
export function chainGradient(chain: ModeChain, maxTurns: number): Float64Array {
  const { occupation } = runChain({ decision: chain, recovery: chain, persistence: chain }, maxTurns);
  const gradient = new Float64Array(turnStride);
  let ahead: [number, number] = [0, 0]; // value of being clean, in error, at the start of the next turn
  for (let t = maxTurns - 1; t >= 0; t -= 1) {
    const next: [number, number] = [0, 0];
    for (let mode = 0; mode < 2; mode += 1) {
      const at = t * turnStride + mode * modeStride;
      const going = occupation[2 * t + mode] * (1 - chain[at]);
      const rest = chain[at + 1] + chain[at + 2] * ahead[0] + chain[at + 3] * ahead[1];
      gradient[mode * modeStride] -= occupation[2 * t + mode] * rest;
      gradient[mode * modeStride + 1] += going;
      gradient[mode * modeStride + 2] += going * ahead[0];
      gradient[mode * modeStride + 3] += going * ahead[1];
      next[mode] = (1 - chain[at]) * rest;
    }
    ahead = next;
  }
  return gradient;
}

/** Numbers of a 2 x 2 matrix, row by row. */
type Matrix = readonly [number, number, number, number];

function multiply(x: Matrix, y: Matrix): Matrix {
  return [x[0] * y[0] + x[1] * y[2], x[0] * y[1] + x[1] * y[3], x[2] * y[0] + x[3] * y[2], x[2] * y[1] + x[3] * y[3]];
}

function power(base: Matrix, exponent: number): Matrix {
  let result: Matrix = [1, 0, 0, 1];
  let square = base;
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = multiply(result, square);
    square = multiply(square, square);
  }
  return result;
}

/**
 * Returns V(T) of a chain with the same rates in every turn in closed form, e(I - Q^T)(I - Q)^-1 s; `Infinity` gives
 * the limit. Throws a `RangeError` when the chain can stay in a mode for ever.
 */
export function closedFormValue({ clean, error }: ChainRates, maxTurns: number): number {
  const [goClean, goError] = [1 - clean.quit, 1 - error.quit];
  const q: Matrix = [goClean * clean.clean, goClean * clean.error, goError * error.clean, goError * error.error];
  const determinant = (1 - q[0]) * (1 - q[3]) - q[1] * q[2];
  if (Math.abs(determinant) < 1e-15)
    throw new RangeError("Cannot sum a chain that never leaves its modes: I - Q is singular");
  const solves = [goClean * clean.solved, goError * error.solved] as const;
  const total = [
    ((1 - q[3]) * solves[0] + q[1] * solves[1]) / determinant,
    (q[2] * solves[0] + (1 - q[0]) * solves[1]) / determinant,
  ] as const;
  if (maxTurns === Infinity) return total[0];
  const later = power(q, maxTurns);
  return total[0] - later[0] * total[0] - later[1] * total[1];
}
