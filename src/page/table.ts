import { markup, type Html, type HtmlPart } from "./html.js";

/** One column of a table. */
export interface TableColumn {
  readonly head: HtmlPart;
  /** Default `number`: right-aligned with figures of one width. */
  readonly kind?: "number" | "text" | "row_head";
}

/** One row: its cells in column order. */
export interface TableRow {
  readonly cells: readonly HtmlPart[];
  /** Anchor. */
  readonly id?: string;
  readonly className?: string;
}

/** A table with its name. */
export interface TableSpec {
  /** What the table shows; also names its scroll container. */
  readonly caption: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  /** Keeps the caption for screen readers only, where a heading above says the same. */
  readonly hasHiddenCaption?: boolean;
  readonly className?: string;
}

function renderCell(column: TableColumn | undefined, cell: HtmlPart): Html {
  if (column?.kind === "row_head") return markup`<th scope="row">${cell}</th>`;
  return column?.kind === "text" ? markup`<td class="t">${cell}</td>` : markup`<td>${cell}</td>`;
}

function renderHead({ head, kind }: TableColumn): Html {
  return kind === "text" || kind === "row_head"
    ? markup`<th scope="col" class="t">${head}</th>`
    : markup`<th scope="col">${head}</th>`;
}

/** Returns a table in a container that scrolls by itself and can be focused, so that a narrow page never does. */
export function renderTable({ caption, columns, rows, hasHiddenCaption, className = "" }: TableSpec): Html {
  const body = rows.map(
    (row) =>
      markup`<tr${row.id !== undefined && markup` id="${row.id}"`}${row.className !== undefined && markup` class="${row.className}"`}>${row.cells.map((cell, index) => renderCell(columns[index], cell))}</tr>
`,
  );
  return markup`<div class="scroll ${className}" role="group" aria-label="${caption}" tabindex="0"><table>
<caption${hasHiddenCaption && markup` class="hidden"`}>${caption}</caption>
<thead><tr>${columns.map(renderHead)}</tr></thead>
<tbody>
${body}</tbody></table></div>
`;
}
