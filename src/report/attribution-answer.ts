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

/** Writes "recovery adds +9.2 pp (band) and persistence adds ...", or nothing. */
function writeParts(row: AttributionRow, verdict: Verdict, verb: string, hasClaim: HasClaim): Sentence[] {
  return gapParts
    .filter((part) => row[part].verdict === verdict)
    .map((part) => [`${names[part]} ${verb}${part === "decision" ? "" : "s"} `, ...writeShare(row, part, hasClaim)]);
}

function joinParts(parts: readonly Sentence[]): Sentence {
  return parts.flatMap((part, index) => (index === 0 ? part : [index === parts.length - 1 ? " and " : ", ", ...part]));
}

/** Returns the sentence about the shares at one budget. */
function writeRow(row: AttributionRow, { b, a }: AttributionResult, hasClaim: HasClaim): Sentence {
  const gap = writeShareOf(`why.t${row.maxTurns}.gap`, hasClaim);
  const head: Sentence = [`Of the difference of ${b} to ${a} at T = ${row.maxTurns}, `, ...gap, ", "];
  if (!row.isIdentified) {
    return [
      ...head,
      "the shares are not identified: ",
      { claim: `why.t${row.maxTurns}.thin` },
      " of a hybrid's turns rest on fewer than 20 observations.",
    ];
  }
  const decided = [...writeParts(row, "gain", "add", hasClaim), ...writeParts(row, "loss", "take", hasClaim)];
  const open = gapParts.filter((part) => row[part].verdict === "undecided").map((part) => names[part]);
  const none = gapParts.filter((part) => row[part].verdict === "equivalent").map((part) => names[part]);
  const rest = [
    ...(none.length > 0
      ? [
          `${none.join(" and ")} change${none.length === 1 && none[0] !== "decisions" ? "s" : ""} nothing beyond the margin`,
        ]
      : []),
    ...(open.length > 0 ? [`the share of ${open.join(" and ")} is undecided`] : []),
  ];
  const all: Sentence[] = [
    ...(decided.length > 0 ? [joinParts(decided)] : []),
    ...rest.map((text): Sentence => [text]),
  ];
  return [...head, ...all.flatMap((part, index) => (index === 0 ? part : ["; ", ...part])), "."];
}

function writeShareOf(id: string, hasClaim: HasClaim): Sentence {
  return hasClaim(id) ? [{ claim: id }] : ["not known"];
}

function describeVerdicts(row: AttributionRow): string {
  return gapParts.map((part) => (row.isIdentified ? row[part].verdict : "none")).join(" ");
}

/**
 * Returns what the shares say, by rule from their verdict words: at the largest budget, and at the smallest whose words
 * differ from it.
 */
export function answerAttribution(attribution: AttributionResult, hasClaim: HasClaim): Sentence[] {
  const last = attribution.rows.at(-1);
  if (last === undefined) return [];
  const other = attribution.rows.find(
    (row) => row !== last && row.isIdentified && describeVerdicts(row) !== describeVerdicts(last),
  );
  return [last, ...(other === undefined ? [] : [other])].map((row) => writeRow(row, attribution, hasClaim));
}
