// internal
import type { Block } from "../../document.js";
import type { PageBlock } from "../../render/read-page.js";
import { decide, noSource, problemAt } from "../judgement.js";
import type { CheckLocation, RenderCheck } from "../render-check.js";

const words = (text: string): string => text.replace(/\s+/g, " ").trim();
const letters = (text: string): string => text.replace(/\s+/g, "");

const leaves: ReadonlySet<Block["type"]> = new Set(["heading", "paragraph", "summary"]);

/** Returns how a block's text differs from its source, or `undefined`. */
function findDifference(block: Block, shown: PageBlock): string | undefined {
  if (block.type === "code") return shown.text.replace(/\n$/, "") === block.code ? undefined : "the code differs";
  if (block.type === "table") {
    const [rows = [], cells = []] = [block.rows, shown.rows];
    const at = rows.findIndex((row, i) => row.map(letters).join("\t") !== (cells[i] ?? []).map(letters).join("\t"));
    if (at === -1 && rows.length === cells.length) return undefined;
    return at === -1 ? `${cells.length} rows instead of ${rows.length}` : `row ${at + 1} differs`;
  }
  const normalise = leaves.has(block.type) ? words : letters;
  const [source, page] = [normalise(block.text), normalise(shown.text)];
  if (source === page) return undefined;
  let at = 0;
  while (at < source.length && source[at] === page[at]) at += 1;
  return `"${page.slice(Math.max(0, at - 20), at + 40)}" instead of "${source.slice(Math.max(0, at - 20), at + 40)}"`;
}

function placeOf({ id, lineStart, text }: Block): Partial<CheckLocation> {
  return { block: id, line: String(lineStart), text: words(text).slice(0, 120) };
}

/** Returns blocks of one list that are missing, added, doubled or moved in the other. */
function compareOrder(source: readonly Block[], shown: readonly PageBlock[]): CheckLocation[] {
  const counts = new Map<string, number>();
  for (const { id } of shown) counts.set(id, (counts.get(id) ?? 0) + 1);
  const known = new Set(source.map(({ id }) => id));
  const problems = [
    ...source
      .filter(({ id }) => !counts.has(id))
      .map((block) => problemAt(placeOf(block), `The block ${block.id} is not on the page`)),
    ...shown
      .filter(({ id }) => !known.has(id))
      .map(({ id, line, text }) =>
        problemAt(
          { block: id, line, text: words(text).slice(0, 120) },
          `The page has a block ${id} that the source has not`,
        ),
      ),
    ...[...counts]
      .filter(([, count]) => count > 1)
      .map(([id, count]) => problemAt({ block: id }, `The block ${id} is ${count} times on the page`)),
  ];
  if (problems.length > 0) return problems;
  const moved = source.find(({ id }, i) => shown[i].id !== id);
  return moved === undefined ? [] : [problemAt(placeOf(moved), `The block ${moved.id} is not where the source has it`)];
}

export const informationFidelityCheck: RenderCheck = {
  id: "R01",
  name: "information_fidelity",
  weight: "fidelity",
  description: "The blocks of the page are those of the source, in their order, with equal text, formulas and code",
  judge({ document, evidence: { content } }) {
    const expected =
      document === undefined ? "the blocks of the source" : `${document.blocks.length} blocks as in the source`;
    if (document === undefined) return decide({ expected, actual: "", problems: [], gap: noSource });
    const byId = new Map(content.blocks.map((block) => [block.id, block]));
    const different = document.blocks.flatMap((block) => {
      const shown = byId.get(block.id);
      const how = shown === undefined ? undefined : findDifference(block, shown);
      return how === undefined ? [] : [{ block, how }];
    });
    // What differs in a block differs in those around it: only the innermost is told, and none around a missing one.
    const missing = document.blocks.filter(({ id }) => !byId.has(id));
    const around = new Set([...different.map(({ block }) => block.parent), ...missing.map(({ parent }) => parent)]);
    for (const { id, parent } of [...document.blocks].reverse()) if (around.has(id)) around.add(parent);
    const problems = [
      ...compareOrder(document.blocks, content.blocks),
      ...different
        .filter(({ block: { id } }) => !around.has(id))
        .map(({ block, how }) => problemAt(placeOf(block), `The text of ${block.id} differs: ${how}`)),
    ];
    return decide({ expected, actual: `${content.blocks.length} blocks, all equal`, problems });
  },
};
