import { markup, type Html, type HtmlPart } from "./html.js";

/** One cell of a heat map. */
export interface HeatCell {
  /** Decides colour and contour; `undefined` where there is no value. */
  readonly value: number | undefined;
  readonly content: HtmlPart;
}

/** A heat map that is a table, so that it reads without colour and fits any width by scrolling. */
export interface HeatTableSpec {
  readonly caption: string;
  readonly rowLabel: string;
  readonly columnLabel: string;
  readonly rowHeads: readonly string[];
  readonly columnHeads: readonly string[];
  /** [row][column]. */
  readonly cells: readonly (readonly HeatCell[])[];
  /** The magnitude that has the strongest colour. */
  readonly scale: number;
  /** Draws a contour between neighbouring cells of which one is above zero and the other is not. Default false. */
  readonly hasContour?: boolean;
}

const strongest = 7;

/** Returns the colour class of a value: `p1`..`p7` above zero, `m1`..`m7` below. */
function getShade(value: number | undefined, scale: number): string {
  if (value === undefined || value === 0 || scale <= 0) return "";
  // The square root keeps small values apart beside a large one.
  const level = Math.max(1, Math.min(strongest, Math.ceil(Math.sqrt(Math.abs(value) / scale) * strongest)));
  return `${value > 0 ? "p" : "m"}${level}`;
}

function changesSign(left: number | undefined, right: number | undefined): boolean {
  return left !== undefined && right !== undefined && left > 0 !== right > 0;
}

/** Returns a heat map as a table; see {@linkcode HeatTableSpec}. */
export function renderHeatTable(spec: HeatTableSpec): Html {
  const { caption, rowLabel, columnLabel, rowHeads, columnHeads, cells, scale, hasContour = false } = spec;
  const rows = cells.map((row, r) => {
    const data = row.map(({ value, content }, c) => {
      const names = [
        getShade(value, scale),
        hasContour && changesSign(value, row[c + 1]?.value) && "cr",
        hasContour && changesSign(value, cells[r + 1]?.[c]?.value) && "cb",
      ];
      return markup`<td class="${names.filter(Boolean).join(" ")}">${content}</td>`;
    });
    return markup`<tr><th scope="row">${rowHeads[r]}</th>${data}</tr>
`;
  });
  return markup`<div class="scroll heat" role="group" aria-label="${caption}" tabindex="0"><table>
<caption class="hidden">${caption}</caption>
<thead><tr><th scope="col" class="corner">${rowLabel} <span aria-hidden="true">↓</span> ${columnLabel} <span aria-hidden="true">→</span></th>${columnHeads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows}</tbody></table></div>
`;
}
