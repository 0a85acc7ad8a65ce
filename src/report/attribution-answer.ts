// internal
import type { AttributionResult, AttributionRow, Verdict } from "../core/index.js";
import { gapParts } from "./attribution-claims.js";
import type { HasClaim } from "./answer.js";
import type { Sentence } from "./report.js";

type Part = (typeof gapParts)[number];

/** What each share is called in a sentence. */
const names: { readonly [part in Part]: string } = {
  decision: "decisions",
  recovery: "recovery",
  persistence: "persistence",
};

function writeShare(row: AttributionRow, part: Part, hasClaim: HasClaim): Sentence {
  const id = `why.t${row.maxTurns}.${part}`;
  return [{ claim: id }, ...(hasClaim(`${id}.band`) ? [" (band ", { claim: `${id}.band` }, ")"] : [])];
}

/** Returns what a share's band says: its verdict, or its lead where the model is in doubt. */
function readWord(row: AttributionRow, part: Part): Verdict {
  return row[part].lead ?? row[part].verdict;
}

/** Returns the verb as it stands after these subjects; of a lead only what would be. */
function conjugate(verb: string, isPlural: boolean, { isDoubted }: AttributionRow): string {
  return isDoubted === true ? `would ${verb}` : `${verb}${isPlural ? "" : "s"}`;
}

/** Writes "recovery adds +9.2 pp (band) and persistence adds ...", or nothing. */
function writeParts(row: AttributionRow, word: Verdict, verb: string, hasClaim: HasClaim): Sentence[] {
  return gapParts
    .filter((part) => readWord(row, part) === word)
    .map((part) => [
      `${names[part]} ${conjugate(verb, part === "decision", row)} `,
      ...writeShare(row, part, hasClaim),
    ]);
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function joinParts(parts: readonly Sentence[]): Sentence {
  return parts.flatMap((part, index) => (index === 0 ? part : [index === parts.length - 1 ? " and " : ", ", ...part]));
}

/** Says whether some share is decided, or leads, where the difference it belongs to is not. */
export function hasOpenGap(row: AttributionRow): boolean {
  return row.gap.verdict === "undecided" && isDecided(row);
}

/** Returns the sentence about the shares at one budget. */
function writeRow(row: AttributionRow, { b, a, unknownModes = [] }: AttributionResult, hasClaim: HasClaim): Sentence {
  const gap = writeShareOf(`why.t${row.maxTurns}.gap`, hasClaim);
  const isOpen = hasOpenGap(row);
  const head: Sentence = isOpen
    ? [`The difference of ${b} to ${a} at T = ${row.maxTurns}, `, ...gap, ", is itself undecided; of it, "]
    : [`Of the difference of ${b} to ${a} at T = ${row.maxTurns}, `, ...gap, ", "];
  if (!row.isIdentified && unknownModes.length > 0) {
    const whom = joinWords(unknownModes.map((side) => (side === "a" ? a : b)));
    return [...head, `the shares are not identified: no turn of ${whom} tells of an error.`];
  }
  if (!row.isIdentified) {
    return [
      ...head,
      "the shares are not identified: ",
      { claim: `why.t${row.maxTurns}.thin` },
      " of a hybrid's turns rest on fewer than 20 observations in tasks of that kind.",
    ];
  }
  const decided = [...writeParts(row, "gain", "add", hasClaim), ...writeParts(row, "loss", "take", hasClaim)];
  const open = gapParts.filter((part) => readWord(row, part) === "undecided").map((part) => names[part]);
  const none = gapParts.filter((part) => readWord(row, part) === "equivalent").map((part) => names[part]);
  const rest = [
    ...(none.length > 0
      ? [
          `${joinWords(none)} ${conjugate("change", none.length > 1 || none[0] === "decisions", row)} nothing beyond the margin`,
        ]
      : []),
    ...(open.length > 0
      ? [
          `the ${open.length === 1 ? "share" : "shares"} of ${joinWords(open)} ${open.length === 1 ? "is" : "are"} undecided`,
        ]
      : []),
  ];
  const all: Sentence[] = [
    ...(decided.length > 0 ? [joinParts(decided)] : []),
    ...rest.map((text): Sentence => [text]),
  ];
  if (isOpen) all.push(["other shares may offset that, so it is no gain or loss in success"]);
  const lead = row.isDoubted === true ? ["as a lead only, "] : [];
  return [...head, ...lead, ...all.flatMap((part, index) => (index === 0 ? part : ["; ", ...part])), "."];
}

function writeShareOf(id: string, hasClaim: HasClaim): Sentence {
  return hasClaim(id) ? [{ claim: id }] : ["not known"];
}

function describeVerdicts(row: AttributionRow): string {
  return gapParts.map((part) => (row.isIdentified ? readWord(row, part) : "none")).join(" ");
}

/** Returns the labels of the policies for which the check of the model behind shares from logs fails. */
export function listDoubted({ a, b, estimator, markov = [] }: AttributionResult): string[] {
  return estimator === "logs"
    ? markov.filter(({ pValue }) => pValue <= 0.05).map(({ policy }) => (policy === "a" ? a : b))
    : [];
}

function isDecided(row: AttributionRow): boolean {
  return row.isIdentified && gapParts.some((part) => ["gain", "loss"].includes(readWord(row, part)));
}

/**
 * Returns what the shares say, by rule from their verdict words: at the largest budget at which they are identified (or
 * that they are not), and at the smallest where something else is decided. Where the check of the model behind shares
 * from logs fails, that is said first.
 */
export function answerAttribution(attribution: AttributionResult, hasClaim: HasClaim): Sentence[] {
  const { rows } = attribution;
  const last = rows.findLast((row) => row.isIdentified) ?? rows.at(-1);
  if (last === undefined) return [];
  const other = rows.find((row) => row !== last && isDecided(row) && describeVerdicts(row) !== describeVerdicts(last));
  const doubted = last.isIdentified && last.isDoubted === true ? listDoubted(attribution) : [];
  const doubt: Sentence[] =
    doubted.length === 0
      ? []
      : [
          [
            `The shares below rest on a model whose check fails for ${joinWords(doubted)}: take them as a lead, and play the hybrids to settle it.`,
          ],
        ];
  return [
    ...doubt,
    ...[last, ...(other === undefined ? [] : [other])].map((row) => writeRow(row, attribution, hasClaim)),
  ];
}
