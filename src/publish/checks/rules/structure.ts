// internal
import type { Block, PublishDocument } from "../../document.js";
import type { PageEvidence } from "../page-evidence.js";
import { decide, noSource, problemAt } from "../judgement.js";
import type { CheckLocation, RenderCheck } from "../render-check.js";

function compareHeadings({ blocks }: PublishDocument, { headings }: PageEvidence["structure"]): CheckLocation[] {
  const source = blocks.filter(({ type }) => type === "heading");
  const shown = headings.filter(({ block }) => block !== undefined);
  const at = source.findIndex(({ id, depth }, i) => shown[i]?.block !== id || shown[i].level !== depth);
  const extra = headings.filter(({ block, level }) => block === undefined && level !== 1);
  const problems = extra.map((heading) => problemAt(heading, "The page has a heading that the source has not"));
  if (at === -1 && source.length === shown.length) return problems;
  const { id, depth, text, lineStart } = source[at === -1 ? source.length - 1 : at];
  const found = shown[at === -1 ? source.length : at];
  const what = found === undefined ? "nothing" : `${found.block} of level ${found.level}`;
  return [
    ...problems,
    problemAt(
      { block: id, line: String(lineStart), text },
      `The heading ${id} of level ${depth} is expected, ${what} is there`,
    ),
  ];
}

function compareLists({ blocks }: PublishDocument, { lists }: PageEvidence["structure"]): CheckLocation[] {
  const byId = new Map(lists.map((list) => [list.block, list]));
  return blocks.flatMap(({ id, type, start, itemCount, lineStart, source }): CheckLocation[] => {
    if (type !== "list") return [];
    const place = { block: id, line: String(lineStart) };
    const list = byId.get(id);
    if (list === undefined) return [problemAt(place, `The list ${id} is not on the page`)];
    const isOrdered = start !== undefined;
    if ((list.tag === "ol") !== isOrdered)
      return [problemAt(place, `The list ${id} is ${isOrdered ? "not " : ""}numbered`)];
    if (isOrdered && list.start !== start)
      return [problemAt(place, `The list ${id} starts at ${list.start}, in the source at ${start}`)];
    if (list.itemCount !== itemCount)
      return [
        problemAt(
          { ...place, text: source.slice(0, 120) },
          `The list ${id} has ${list.itemCount} items, in the source ${itemCount}`,
        ),
      ];
    return [];
  });
}

/** Blocks of these kinds must lie in the block they lie in. */
const nested: ReadonlySet<Block["type"]> = new Set(["heading", "list", "item", "table", "details", "callout", "quote"]);

function compareNesting({ blocks }: PublishDocument, { content }: PageEvidence): CheckLocation[] {
  const parents = new Map(content.blocks.map(({ id, parent }) => [id, parent]));
  const tables = new Set(blocks.filter(({ type }) => type === "table" || type === "details").map(({ id }) => id));
  return blocks.flatMap(({ id, type, parent, lineStart }) => {
    if (!nested.has(type)) return [];
    const place = { block: id, line: String(lineStart) };
    if (!parents.has(id)) return tables.has(id) ? [problemAt(place, `The ${type} ${id} is not on the page`)] : [];
    const shown = parents.get(id);
    return shown === parent
      ? []
      : [problemAt(place, `The block ${id} lies in ${shown ?? "no block"}, in the source in ${parent ?? "none"}`)];
  });
}

export const structureCheck: RenderCheck = {
  id: "R02",
  name: "structure",
  weight: "fidelity",
  description: "Headings, lists with their starts and item counts, and what lies in what are as in the source",
  judge({ document, evidence }) {
    const expected = "headings, lists and nesting as in the source";
    if (document === undefined) return decide({ expected, actual: "", problems: [], gap: noSource });
    const problems = [
      ...compareHeadings(document, evidence.structure),
      ...compareLists(document, evidence.structure),
      ...compareNesting(document, evidence),
    ];
    const { headings, lists } = evidence.structure;
    return decide({
      expected,
      actual: `${headings.length} headings and ${lists.length} lists as in the source`,
      problems,
    });
  },
};
