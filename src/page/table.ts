import { html, type Html, type HtmlPart } from "./html.js";

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
  if (column?.kind === "row_head") return html`<th scope="row">${cell}</th>`;
  return column?.kind === "text" ? html`<td class="t">${cell}</td>` : html`<td>${cell}</td>`;
}

function renderHead({ head, kind }: TableColumn): Html {
  return kind === "text" || kind === "row_head" ? html`<th scope="col" class="t">${head}</th>` : html`<th scope="col">${head}</th>`;
}

/** Returns a table in a container that scrolls by itself and can be focused, so that a narrow page never does. */
export function renderTable({ caption, columns, rows, hasHiddenCaption, className = "" }: TableSpec): Html {
  const body = rows.map(
    (row) =>
      html`<tr${row.id !== undefined && html` id="${row.id}"`}${row.className !== undefined && html` class="${row.className}"`}>${row.cells.map((cell, index) => renderCell(columns[index], cell))}</tr>
`,
  );
  return html`<div class="scroll ${className}" role="group" aria-label="${caption}" tabindex="0"><table>
<caption${hasHiddenCaption && html` class="hidden"`}>${caption}</caption>
<thead><tr>${columns.map(renderHead)}</tr></thead>
<tbody>
${body}</tbody></table></div>
`;
}
