// internal
import type { Claim, ComparisonResult, DifferenceCell, PolicySurface, Verdict } from "../core/index.js";
import { cellId } from "./report-claims.js";
import type { Sentence, SentencePart } from "./report.js";

/** Looks up whether a claim exists, so that a sentence never names a figure that is not there. */
export type HasClaim = (id: string) => boolean;

/** Returns the smallest number, or `undefined` for an empty list. */
function findSmallest(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : Math.min(...values);
}

function joinWords(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/**
 * Returns in words which budgets of a grid are meant, both ascending: `at every budget`, `from T = 5 on`,
 * `up to T = 3`, or the list.
 *
 * @example
 * describeBudgets([5, 6, 8], [2, 3, 5, 6, 8]); // "from T = 5 on", with no-break spaces around the sign
 */
export function describeBudgets(chosen: readonly number[], grid: readonly number[]): string {
  const first = chosen[0];
  const last = chosen.at(-1);
  if (first === undefined || last === undefined) return "at no budget";
  if (grid.length === 1) return `at T = ${first}`;
  if (chosen.length === grid.length) return "at every budget";
  const isRun = grid.indexOf(last) - grid.indexOf(first) === chosen.length - 1;
  if (isRun && last === grid.at(-1) && chosen.length > 1) return `from T = ${first} on`;
  if (isRun && first === grid[0] && chosen.length > 1) return `up to T = ${last}`;
  if (isRun && chosen.length > 2) return `from T = ${first} to ${last}`;
  return `at T = ${joinWords(chosen.map(String))}`;
}

/** The cells of one comparison at one k, by budget, with their verdicts grouped. */
interface VerdictGroups {
  readonly grid: readonly number[];
  readonly cells: readonly DifferenceCell[];
  readonly budgets: { readonly [verdict in Verdict]: readonly number[] };
}

function groupVerdicts(comparison: ComparisonResult, k: number): VerdictGroups {
  const cells = comparison.cells.filter((cell) => cell.k === k).sort((left, right) => left.maxTurns - right.maxTurns);
  const pick = (verdict: Verdict) => cells.filter((cell) => cell.verdict === verdict).map((cell) => cell.maxTurns);
  const budgets = {
    gain: pick("gain"),
    loss: pick("loss"),
    equivalent: pick("equivalent"),
    undecided: pick("undecided"),
  };
  return { grid: cells.map((cell) => cell.maxTurns), cells, budgets };
}

function writeBand(id: string, hasClaim: HasClaim, levelId: string): Sentence {
  const level: Sentence = hasClaim(levelId) ? [{ claim: levelId }, " "] : [];
  if (hasClaim(`${id}.band`)) return [" (simultaneous ", ...level, "band ", { claim: `${id}.band` }, ")"];
  if (hasClaim(`${id}.interval`)) return [" (", ...level, "interval ", { claim: `${id}.interval` }, ")"];
  return [];
}

/** Everything a sentence about one comparison needs. */
interface ComparisonContext {
  readonly comparison: ComparisonResult;
  readonly index: number;
  readonly surfaceA: number;
  readonly surfaceB: number;
  readonly hasClaim: HasClaim;
}

/** Writes "At T = 10: 89.0% against 55.0%, a difference of +34.0 pp (band)." */
function writeCell(context: ComparisonContext, k: number, maxTurns: number): Sentence {
  const { index, surfaceA, surfaceB, hasClaim } = context;
  const id = cellId(`diff.${index}`, k, maxTurns);
  const a = cellId(`pass.${surfaceA}`, k, maxTurns);
  const b = cellId(`pass.${surfaceB}`, k, maxTurns);
  if (!hasClaim(id)) return [];
  const rates: Sentence = hasClaim(a) && hasClaim(b) ? [{ claim: b }, " against ", { claim: a }, ", "] : [];
  return [
    `At T = ${maxTurns}: `,
    ...rates,
    "a difference of ",
    { claim: id },
    ...writeBand(id, hasClaim, `level.${index}`),
    ".",
  ];
}

function writeHeadline({ comparison, index, hasClaim }: ComparisonContext, groups: VerdictGroups, k: number): Sentence {
  const { a, b } = comparison;
  const { budgets, grid } = groups;
  const verb = k === 1 ? "succeeds" : `with ${k} tries a task succeeds`;
  if (budgets.gain.length > 0 && budgets.loss.length > 0) {
    return [
      `Which one is better depends on the turn budget: ${b} ${describeBudgets(budgets.gain, grid)}, ${a} ${describeBudgets(budgets.loss, grid)}.`,
    ];
  }
  if (budgets.gain.length > 0) return [`${b} ${verb} more often than ${a} ${describeBudgets(budgets.gain, grid)}.`];
  if (budgets.loss.length > 0) return [`${b} ${verb} less often than ${a} ${describeBudgets(budgets.loss, grid)}.`];
  if (budgets.equivalent.length > 0 && budgets.undecided.length === 0) {
    const margin: Sentence = hasClaim(`margin.${index}`) ? [", within a margin of ", { claim: `margin.${index}` }] : [];
    return [`${a} and ${b} succeed equally often ${describeBudgets(budgets.equivalent, grid)}`, ...margin, "."];
  }
  return [`These episodes do not decide whether ${a} or ${b} succeeds more often.`];
}

/** Says what the headline leaves open: budgets whose verdict is weaker than its own. */
function writeRest({ index, hasClaim }: ComparisonContext, groups: VerdictGroups): Sentence[] {
  const { budgets, grid } = groups;
  const hasVerdict = budgets.gain.length + budgets.loss.length > 0;
  const sentences: Sentence[] = [];
  if (budgets.equivalent.length > 0 && (hasVerdict || budgets.undecided.length > 0)) {
    sentences.push([`The two are equivalent within the declared margin ${describeBudgets(budgets.equivalent, grid)}.`]);
  }
  if (budgets.undecided.length > 0 && (hasVerdict || budgets.equivalent.length > 0)) {
    sentences.push([`The difference is undecided ${describeBudgets(budgets.undecided, grid)}.`]);
  }
  if (!hasVerdict && budgets.undecided.length > 0 && hasClaim(`mdd.${index}`)) {
    sentences.push([
      "This design would find a difference of ",
      { claim: `mdd.${index}` },
      " at the largest T with 80% power, not a smaller one.",
    ]);
  }
  return sentences;
}

/** Says how the verdict at the largest budget changes with more tries, where it does. */
function writeTries(context: ComparisonContext, smallest: number, largest: number, maxTurns: number): Sentence[] {
  const find = (k: number) =>
    context.comparison.cells.find((cell) => cell.k === k && cell.maxTurns === maxTurns)?.verdict;
  const one = find(smallest);
  const many = find(largest);
  if (one === undefined || many === undefined || one === many) return [];
  const id = cellId(`diff.${context.index}`, largest, maxTurns);
  if (!context.hasClaim(id)) return [];
  const tail: Sentence = [{ claim: id }, ...writeBand(id, context.hasClaim, `level.${context.index}`), "."];
  return [[`With ${largest} tries a task at T = ${maxTurns} the verdict is ${many}, not ${one}: `, ...tail]];
}

/** Returns the sentences about one comparison, the headline first. */
export function answerComparison(context: ComparisonContext): Sentence[] {
  const { comparison } = context;
  const counts = comparison.cells.map((cell) => cell.k);
  const smallest = findSmallest(counts);
  if (smallest === undefined)
    return [[`${comparison.a} and ${comparison.b} share no budget, so there is nothing to compare.`]];
  const groups = groupVerdicts(comparison, smallest);
  const { budgets, grid } = groups;
  const shown = [budgets.gain.at(-1), budgets.loss[0]].filter((budget) => budget !== undefined);
  const last = grid.at(-1);
  if (shown.length === 0 && last !== undefined) shown.push(last);
  return [
    writeHeadline(context, groups, smallest),
    ...shown.map((budget) => writeCell(context, smallest, budget)),
    ...writeRest(context, groups),
    ...(last === undefined ? [] : writeTries(context, smallest, Math.max(...counts), last)),
  ].filter((sentence) => sentence.length > 0);
}

/** Returns the sentence about one policy on its own: success at its largest and smallest budget. */
export function answerSurface(surface: PolicySurface, index: number, hasClaim: HasClaim): Sentence[] {
  const k = findSmallest(surface.sampleCounts);
  const smallest = findSmallest(surface.budgets);
  if (k === undefined || smallest === undefined) return [];
  const largest = Math.max(...surface.budgets);
  const id = cellId(`pass.${index}`, k, largest);
  if (!hasClaim(id)) return [[`No figure can be given for ${surface.label}: no task has enough counted episodes.`]];
  const tries = k === 1 ? "of its attempts" : `of the tasks with ${k} tries`;
  const within: SentencePart[] = [
    `${surface.label} succeeds in `,
    { claim: id },
    ` ${tries} within ${largest} ${largest === 1 ? "turn" : "turns"}`,
  ];
  const level = `passlevel.${index}`;
  const interval: Sentence =
    hasClaim(`${id}.interval`) && hasClaim(level)
      ? [" (", { claim: level }, " interval ", { claim: `${id}.interval` }, ")"]
      : [];
  const low = cellId(`pass.${index}`, k, smallest);
  const tight: Sentence =
    smallest !== largest && hasClaim(low) ? [", and in ", { claim: low }, ` within ${smallest}`] : [];
  return [[...within, ...interval, ...tight, "."]];
}

/** Returns whether a list of claims has an id, as a fast lookup. */
export function createHasClaim(claims: readonly Claim[]): HasClaim {
  const ids = new Set(claims.map((claim) => claim.id));
  return (id) => ids.has(id);
}
