import { markup, type Html, type HtmlPart } from "./html.js";

/** How many series colours there are before they repeat with another dash. */
export const toneCount = 8;

/** Returns the CSS colour of series `index`. */
export function getTone(index: number): string {
  return `var(--s${index % toneCount})`;
}

/** A figure with its name, its key and its data. */
export interface FigureSpec {
  readonly title: string;
  /** What to look for, below the title. */
  readonly lead?: HtmlPart;
  readonly legend?: Html;
  readonly chart: Html;
  /** The same data as a table, folded below the chart. */
  readonly table?: Html;
}

/** Returns a figure whose data can be unfolded as a table. */
export function renderFigure({ title, lead, legend, chart, table }: FigureSpec): Html {
  return markup`<figure>
<figcaption><strong>${title}</strong>${lead !== undefined && markup` <span>${lead}</span>`}</figcaption>
${legend}${chart}${table !== undefined && renderFold("Data as a table", table)}</figure>
`;
}

/** Returns content that is unfolded by its summary. */
export function renderFold(summary: HtmlPart, content: HtmlPart): Html {
  return markup`<details class="fold"><summary>${summary}</summary>
${content}</details>
`;
}

/** One entry of a legend. */
export interface LegendEntry {
  readonly label: string;
  /** Position of the series, which decides its colour, dash and marker. */
  readonly tone: number;
}

/** Returns the key of a line chart: colour, dash and marker of each series. */
export function renderLegend(entries: readonly LegendEntry[]): Html {
  return markup`<ul class="legend">${entries.map(
    ({ label, tone }) => markup`<li>${renderSwatch(tone)} ${label}</li>`,
  )}</ul>
`;
}

/** Returns the sample of a series: a short line with its marker. */
export function renderSwatch(tone: number): Html {
  const marks = [
    markup`<circle cx="11" cy="6" r="3.4"/>`,
    markup`<rect x="8" y="3" width="6" height="6"/>`,
    markup`<path d="M11 1.8 15 9H7z"/>`,
    markup`<path d="M11 1.4 15 6 11 10.6 7 6z"/>`,
  ];
  const dash = getDash(tone);
  return markup`<svg class="swatch" style="--c:${getTone(tone)}" width="22" height="12" viewBox="0 0 22 12" aria-hidden="true"><path d="M0 6h22" class="line"${dash !== undefined && markup` stroke-dasharray="${dash}"`}/>${marks[tone % marks.length]}</svg>`;
}

/** Returns the dash of series `index`: solid for the first eight, then patterns. */
export function getDash(index: number): string | undefined {
  const round = Math.floor(index / toneCount);
  return round === 0 ? undefined : `${2 + 2 * round} 3`;
}

/** One choice of a group of which one is shown. */
export interface Choice {
  readonly label: string;
  readonly content: Html;
}

/** Most choices that the style sheet knows how to show. */
export const maxChoices = 24;

/**
 * Returns a row of radio buttons that show one content each; works without a script. A single choice is shown as
 * it is. `name` must be unique on the page.
 *
 * @throws {RangeError} above {@linkcode maxChoices} choices.
 */
export function renderChoices(name: string, question: string, choices: readonly Choice[]): Html {
  const [only] = choices;
  if (choices.length === 1 && only !== undefined) return only.content;
  if (choices.length > maxChoices) {
    throw new RangeError(`Cannot render a choice of more than ${maxChoices}: current number is ${choices.length}`);
  }
  const buttons = choices.map(
    ({ label }, index) =>
      markup`<input type="radio" name="${name}" id="${name}-${index}"${index === 0 && markup` checked`}><label for="${name}-${index}">${label}</label>`,
  );
  return markup`<div class="choices" role="radiogroup" aria-label="${question}"><span class="ask" aria-hidden="true">${question}</span>${buttons}<div class="panes">${choices.map(
    ({ content }) => markup`<div>${content}</div>`,
  )}</div></div>
`;
}
