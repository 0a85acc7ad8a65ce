// internal
import type { LookupComparison, LookupData, LookupState } from "./lookup-data.js";

/** What an agent that has seen this much knows about one chain. */
export interface ChainKnowledge {
  /** Paragraphs of it not shown yet. */
  readonly unread: number;
  /** The next paragraph to read; its title is known, from the question or the paragraph before. */
  readonly next?: number;
}

/** Returns what has been shown of each chain. */
export function readChains({ chains }: LookupData, { shown }: LookupState): ChainKnowledge[] {
  return chains.map((chain) => {
    const missing = chain.filter((position) => !shown.includes(position));
    return missing.length === 0 ? { unread: 0 } : { unread: missing.length, next: missing[0] };
  });
}

/** Returns the fewest turns to a certain answer: one for each unread paragraph of the chains, and the answer. */
export function countTurnsToAnswer(data: LookupData, state: LookupState): number {
  return readChains(data, state).reduce((sum, { unread }) => sum + unread, 0) + 1;
}

/**
 * Returns the chance that the best guess names the wanted candidate, when `known` different values are known, the best
 * of them with `better` possible values beyond it, and of the `hidden` other values `readable` will be read first.
 * Values are drawn from `size` equally likely ones without repetition.
 */
function getGuessChance(size: number, known: number, better: number, hidden: number, readable: number): number {
  if (hidden === 0) return 1;
  const left = size - known;
  if (readable > 0) {
    // The next value read is beyond the best known one in `better` of `left` cases, each equally likely.
    let chance = ((left - better) / left) * getGuessChance(size, known + 1, better, hidden - 1, readable - 1);
    for (let beyond = 0; beyond < better; beyond += 1) {
      chance += getGuessChance(size, known + 1, beyond, hidden - 1, readable - 1) / left;
    }
    return chance;
  }
  if (known === 0) return 1 / hidden;
  let allWorse = 1;
  for (let i = 0; i < hidden; i += 1) allWorse *= Math.max(0, left - better - i) / (left - i);
  return Math.max(allWorse, (1 - allWorse) / hidden);
}

/** How many possible values are beyond `value` in the wanted direction. */
function countBetter({ range, wanted }: LookupComparison, value: number): number {
  return wanted === "least" ? value - range[0] : range[1] - value;
}

/** The values that have been shown, and the best of them in the wanted direction. */
function readValues(data: LookupData, comparison: LookupComparison, state: LookupState) {
  const isKnown = readChains(data, state).map(({ unread }) => unread === 0);
  const values = comparison.values.filter((_, i) => isKnown[i]);
  const size = comparison.range[1] - comparison.range[0] + 1;
  const better = values.length === 0 ? size : Math.min(...values.map((value) => countBetter(comparison, value)));
  return { isKnown, known: values.length, size, better };
}

/**
 * Returns the best chance of a right answer within `turnsLeft` turns, when the chains still have `unread` paragraphs.
 * A bridge question cannot be guessed: its answer is one of thousands of made-up names. A comparison can.
 */
export function getAnswerChance(
  data: LookupData,
  state: LookupState,
  unread: readonly number[],
  turnsLeft: number,
): number {
  if (turnsLeft < 1) return 0;
  const total = unread.reduce((sum, count) => sum + count, 0);
  if (total + 1 <= turnsLeft) return 1;
  if (data.comparison === undefined) return 0;
  const { isKnown, known, size, better } = readValues(data, data.comparison, state);
  const hidden = unread.filter((_, i) => !isKnown[i]).sort((a, b) => a - b);
  let readable = 0;
  for (let room = turnsLeft - 1; readable < hidden.length && hidden[readable] <= room; readable += 1)
    room -= hidden[readable];
  return getGuessChance(size, known, better, hidden.length, readable);
}

/** Returns the chance, to this agent's knowledge, that the candidate at this position is the wanted one. */
export function getCandidateChance(
  data: LookupData,
  comparison: LookupComparison,
  state: LookupState,
  position: number,
): number {
  const { isKnown, known, size, better } = readValues(data, comparison, state);
  const hidden = isKnown.filter((isShown) => !isShown).length;
  if (known === 0) return 1 / hidden;
  let bestKnown = 1;
  for (let i = 0; i < hidden; i += 1) bestKnown *= Math.max(0, size - known - better - i) / (size - known - i);
  if (!isKnown[position]) return (1 - bestKnown) / hidden;
  return countBetter(comparison, comparison.values[position]) === better ? bestKnown : 0;
}
