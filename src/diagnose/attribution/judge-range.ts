import { createRandom, usageError, type GapShares, type Random } from "../../core/index.js";
import { getGapShares } from "./attribution-rows.js";
import { countChainData, type ChainTask } from "./chain-data.js";
import { fitLatentClasses } from "./latent-classes.js";
import { modeStride, outcomeIndex } from "./mode-chain.js";
import { computeCells, weighCounts } from "./plug-in.js";

/** How well a judge tells errors, as intervals: the chance to see an error that is one, and to pass what is none. */
export interface JudgeErrors {
  readonly sensitivity: readonly [number, number];
  readonly specificity: readonly [number, number];
}

/** Relabellings averaged at each corner of the intervals. */
const relabellings = 5;

/**
 * Returns, given one of the judge's labels, the chance that the turn led into error, for a judge that flags the share
 * `flagged` of all turns. The share of true errors is estimated from it (Rogan and Gladen 1978), within 0..1.
 *
 * @throws {TurnwiseError} (usage) for a judge no better than chance.
 */
export function trueErrorChance(isFlagged: boolean, flagged: number, sensitivity: number, specificity: number): number {
  const skill = sensitivity + specificity - 1;
  if (!(skill > 0) || sensitivity > 1 || specificity > 1) {
    throw usageError(
      `Cannot use a judge with sensitivity ${sensitivity} and specificity ${specificity}: together they must exceed 1, and neither may`,
      "Measure both on a sample labelled by people",
    );
  }
  const truth = Math.min(1, Math.max(0, (flagged - (1 - specificity)) / skill));
  const error = truth * (isFlagged ? sensitivity : 1 - sensitivity);
  const clean = (1 - truth) * (isFlagged ? 1 - specificity : specificity);
  return error + clean > 0 ? error / (error + clean) : 0;
}

/** Returns the share of the turns that go on which lead into error, over all episodes of one policy. */
function flaggedShare(episodes: readonly (readonly Uint8Array[])[]): number {
  let flagged = 0;
  let all = 0;
  for (const events of episodes.flat()) {
    for (const event of events) {
      const outcome = event % modeStride;
      if (outcome === outcomeIndex.error) flagged += 1;
      if (outcome === outcomeIndex.error || outcome === outcomeIndex.clean) all += 1;
    }
  }
  return all === 0 ? 0 : flagged / all;
}

/** Returns the episode with each label drawn anew from what it says about the truth; a first turn is always clean. */
function relabel(
  events: Uint8Array,
  chances: { readonly flagged: number; readonly passed: number },
  random: Random,
): Uint8Array {
  let mode = 0;
  return events.map((event) => {
    const before = event % modeStride;
    const goesOn = before === outcomeIndex.clean || before === outcomeIndex.error;
    const isError = goesOn && random.next() < (before === outcomeIndex.error ? chances.flagged : chances.passed);
    const outcome = goesOn ? (isError ? outcomeIndex.error : outcomeIndex.clean) : before;
    const relabelled = mode * modeStride + outcome;
    if (goesOn) mode = isError ? 1 : 0;
    return relabelled;
  });
}

/**
 * Returns [T - 1] the least and largest shares over the corners of the judge's error rates, by simulation: each label is
 * drawn anew from the chance that it is right, turn by turn and independently, and the chain is fitted again.
 *
 * @throws {TurnwiseError} (usage) for a judge that may be no better than chance.
 */
export function rangeOverJudge(
  tasks: readonly ChainTask[],
  maxTurns: number,
  classCount: number,
  { sensitivity, specificity }: JudgeErrors,
  seed: number,
): { readonly least: GapShares; readonly most: GapShares }[] {
  const flagged = { a: flaggedShare(tasks.map((task) => task.a)), b: flaggedShare(tasks.map((task) => task.b)) };
  const corners: GapShares[][] = [];
  for (const alpha of new Set(sensitivity)) {
    for (const beta of new Set(specificity)) {
      const sums = Array.from({ length: maxTurns }, () => new Float64Array(8));
      for (let draw = 0; draw < relabellings; draw += 1) {
        const random = createRandom(seed, "relabel", alpha, beta, draw);
        const change = (episodes: readonly Uint8Array[], share: number): Uint8Array[] => {
          const chances = {
            flagged: trueErrorChance(true, share, alpha, beta),
            passed: trueErrorChance(false, share, alpha, beta),
          };
          return episodes.map((events) => relabel(events, chances, random));
        };
        const data = countChainData(
          tasks.map((task) => ({ ...task, a: change(task.a, flagged.a), b: change(task.b, flagged.b) })),
          maxTurns,
        );
        const { values } = computeCells(weighCounts(data, fitLatentClasses(data, classCount)), maxTurns);
        for (let t = 0; t < maxTurns; t += 1)
          for (let cell = 0; cell < 8; cell += 1) sums[t][cell] += values[cell * maxTurns + t] / relabellings;
      }
      corners.push(sums.map(getGapShares));
    }
  }
  const pick = (t: number, choose: (...values: number[]) => number): GapShares => ({
    decision: choose(...corners.map((rows) => rows[t].decision)),
    recovery: choose(...corners.map((rows) => rows[t].recovery)),
    persistence: choose(...corners.map((rows) => rows[t].persistence)),
  });
  return Array.from({ length: maxTurns }, (_unused, t) => ({ least: pick(t, Math.min), most: pick(t, Math.max) }));
}
