// internal
import type { CalloutKind, PublishDocument } from "../../document.js";
import { findLeadingMark } from "../../parse/callout-marks.js";
import type { DetailsNode } from "../../parse/nodes.js";
import { walk } from "../../parse/resolve-references.js";
import { compareCounts, decide, noSource, notApplicable, problemAt } from "../judgement.js";
import type { RenderCheck } from "../render-check.js";
import { isEscaped } from "./escapes.js";

const kinds: readonly CalloutKind[] = ["info", "warn", "good", "bad"];

export const calloutsCheck: RenderCheck = {
  id: "R04",
  name: "callouts",
  weight: "fidelity",
  description: "Callouts are as many of each kind as in the source, none is empty, none became a plain quote",
  judge({ document, evidence: { structure } }) {
    const { callouts, quotes } = structure;
    const shown = Object.fromEntries(kinds.map((kind) => [kind, callouts.filter((each) => each.kind === kind).length]));
    const problems = [
      ...(document === undefined ? [] : compareCounts({ ...document.inventory.callouts }, shown)),
      ...callouts
        .filter(({ bodyLength }) => bodyLength === 0)
        .map((place) => problemAt(place, "A callout has no body")),
      ...quotes
        .filter(({ text = "" }) => findLeadingMark(text)?.kind !== undefined)
        .map((place) => problemAt(place, "A quote begins with the mark of a callout")),
    ];
    const expected = "callouts of each kind as in the source";
    const isNone =
      callouts.length === 0 && Object.values(document?.inventory.callouts ?? {}).every((count) => count === 0);
    if (isNone && problems.length === 0 && document !== undefined) return notApplicable(expected, "there are none");
    return decide({
      expected,
      actual: kinds.map((kind) => `${shown[kind]} ${kind}`).join(", "),
      problems,
      gap: document === undefined ? noSource : undefined,
    });
  },
};

/** Signs of Markdown and TeX that a summary shows only where it was not read. */
const rawMarkup = /\*\*|`|\]\(|\$[^$]+\$|<\/?[a-z]/i;

/** Returns the blocks that the author wants open. */
function listOpened(document: PublishDocument | undefined): ReadonlySet<string> {
  const opened = new Set<string>();
  if (document === undefined) return opened;
  walk(document.tree, (node) => {
    // By its type.
    if (node.type === "details" && (node as DetailsNode).isOpen) opened.add(node.data?.block ?? "");
  });
  return opened;
}

export const detailsCheck: RenderCheck = {
  id: "R05",
  name: "details_inner_markdown_rendered",
  weight: "fidelity",
  description: "Folded parts open by click and by key, are closed at first, hold their blocks, and have read summaries",
  judge({ document, evidence: { folds, structure, content, texts } }) {
    const expected = "every folded part opens and holds its blocks";
    const blocks = document?.blocks ?? [];
    if (folds.length === 0 && !blocks.some(({ type }) => type === "details"))
      return notApplicable(expected, "there are none");
    const marked = listOpened(document);
    const summaries = texts.segments.filter(({ selector }) => selector.startsWith("summary"));
    const problems = [
      ...folds
        .filter(({ isClickable }) => !isClickable)
        .map((place) => problemAt(place, "Something lies over the summary")),
      ...folds.filter(({ opensByClick }) => !opensByClick).map((place) => problemAt(place, "A click does not open it")),
      ...folds
        .filter(({ opensByKey }) => !opensByKey)
        .map((place) => problemAt(place, "The enter key does not open it")),
      ...folds
        .filter(({ emptyBlocks }) => emptyBlocks.length > 0)
        .map((place) => problemAt(place, `Blocks have no height when it is open: ${place.emptyBlocks.join(", ")}`)),
      ...structure.details
        .filter(({ isOpen, block = "" }) => document !== undefined && isOpen !== marked.has(block))
        .map((place) => problemAt(place, place.isOpen ? "It is open at first" : "It is closed at first")),
      ...summaries
        .filter((segment) => {
          const sign = rawMarkup.exec(segment.prose)?.[0];
          return sign !== undefined && !isEscaped(document, segment, sign[0]);
        })
        .map((place) => problemAt(place, "The summary shows markup")),
      ...blocks
        .filter(
          ({ type, id }) =>
            type === "details" &&
            blocks.filter(({ parent }) => parent === id).length !==
              content.blocks.filter(({ parent }) => parent === id).length,
        )
        .map(({ id, lineStart }) =>
          problemAt({ block: id, line: String(lineStart) }, "It does not hold the blocks of the source"),
        ),
    ];
    return decide({ expected, actual: `${folds.length} folded parts`, problems });
  },
};
