// internal
import type { PublishDocument } from "../../document.js";
import type { PageEvidence } from "../page-evidence.js";
import { compareCounts, decide, noSource, problemAt } from "../judgement.js";
import type { CheckLocation, RenderCheck } from "../render-check.js";
import { isEscaped } from "./escapes.js";

/** TeX in running text: delimiters round something, and commands; not money, and not the folders of a path. */
const leaks = [/\$\$|\$[^\s$\d][^$]*\$/, /(?<![\w:\\])\\(?:[A-Za-z]{2,}|[([])(?![\\\w])/];

function findLeaks(document: PublishDocument | undefined, { texts }: PageEvidence): CheckLocation[] {
  return texts.segments.flatMap((segment) =>
    leaks.flatMap((form) => {
      const found = form.exec(segment.prose)?.[0];
      if (found === undefined || isEscaped(document, segment, found[0])) return [];
      return [problemAt(segment, `TeX stands as text: "${found.slice(0, 60)}"`)];
    }),
  );
}

function compareCode({ blocks }: PublishDocument, { structure }: PageEvidence): CheckLocation[] {
  const byId = new Map(structure.codes.map((code) => [code.block, code]));
  return blocks.flatMap(({ id, type, code, language, lineStart }) => {
    if (type !== "code") return [];
    const shown = byId.get(id);
    const place = { block: id, line: String(lineStart) };
    if (shown === undefined) return [problemAt(place, `The code block ${id} is not on the page`)];
    if (shown.code !== code) return [problemAt(place, `The code of ${id} differs from the source`)];
    const name = language === undefined ? "" : `language-${language}`;
    return shown.className === name
      ? []
      : [problemAt(place, `The code block ${id} has the class "${shown.className}", not "${name}"`)];
  });
}

/** Formulas are counted apart in the text and in the contents. */
function countSource({ inventory, inlineMath, blocks }: PublishDocument): { [name: string]: number } {
  const inContents = new Set(blocks.filter(({ isInToc }) => isInToc === true).map(({ id }) => id));
  const { display_math, inline_math, code_blocks, tables } = inventory;
  return {
    display_math,
    inline_math,
    code_blocks,
    tables,
    "formulas in the contents": inlineMath.filter(({ block }) => inContents.has(block)).length,
  };
}

export const mathCodeTablesCheck: RenderCheck = {
  id: "R03",
  name: "math_code_tables",
  weight: "fidelity",
  description: "Formulas are all set and visible, none stands as TeX, code is that of the source, rows are whole",
  judge({ document, evidence }) {
    const { structure, content, layouts } = evidence;
    const { display_math, inline_math, code_blocks, tables } = content.inventory;
    const shown = {
      display_math,
      inline_math,
      code_blocks,
      tables,
      "formulas in the contents": structure.tocFormulaCount,
    };
    const ragged = structure.tables.flatMap((table) => {
      const at = table.widths.findIndex((width) => width !== table.widths[0]);
      return at === -1
        ? []
        : [problemAt(table, `Row ${at + 1} has ${table.widths[at]} cells, the header ${table.widths[0]}`)];
    });
    const problems = [
      ...(document === undefined
        ? []
        : [...compareCounts(countSource(document), shown), ...compareCode(document, evidence)]),
      ...structure.formulaErrors.map((place) => problemAt(place, "A formula could not be set")),
      ...(layouts.at(0)?.empty ?? []).map((place) => problemAt(place, "A formula has no size")),
      ...findLeaks(document, evidence),
      ...ragged,
    ];
    return decide({
      expected: "formulas, code blocks and tables as in the source",
      actual: `${display_math} displays, ${inline_math} formulas in lines, ${code_blocks} code blocks, ${tables} tables`,
      problems,
      gap: document === undefined ? noSource : undefined,
    });
  },
};
