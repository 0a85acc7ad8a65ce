// internal
import type { ComparisonResult, PolicySurface, StopLabel, Verdict } from "../core/index.js";
import {
  getTone,
  markup,
  missingText,
  renderSwatch,
  trustHtml,
  type FormatClaimOptions,
  type Html,
  type HtmlPart,
} from "../page/index.js";
import type { Sentence } from "./report.js";
import type { ReportView } from "./section.js";

/** Returns a claim's number as a link to its evidence, or `–`. */
export function renderNumber(view: ReportView, id: string, options?: FormatClaimOptions): Html {
  const claim = view.findClaim(id);
  if (claim === undefined) return trustHtml(missingText);
  return markup`<a class="n" href="#c.${id}">${view.text(id, options)}</a>`;
}

/** Returns a claim's number without its unit, for tables whose head names it. */
export function renderBare(view: ReportView, id: string): Html {
  return renderNumber(view, id, { hasUnit: false });
}

/** Returns a p value as it is said: `p = 0.0412` or `p < 0.0001`. */
export function renderP(view: ReportView, id: string): Html {
  const text = view.text(id);
  return markup`p ${text.startsWith("<") ? "" : "= "}${renderNumber(view, id)}`;
}

/** Returns the first of these claims that exists, bare: a band where there is one, else an interval. */
export function renderFirst(view: ReportView, ids: readonly string[]): Html {
  return renderBare(view, ids.find((id) => view.findClaim(id) !== undefined) ?? "");
}

/** Returns a sentence with its numbers linked. */
export function renderSentence(view: ReportView, sentence: Sentence): Html {
  return markup`${sentence.map((part): HtmlPart => (typeof part === "string" ? part : renderNumber(view, part.claim)))}`;
}

/** Returns what identifies a surface's figures beside its label: disclosure, terminal rule, cut or run. */
export function describeSetting(surface: PolicySurface): string {
  return `${surface.disclosure} · ${surface.terminalRule} · ${surface.mark}`;
}

/** Returns a surface's label with its swatch and setting. */
export function renderPolicy(surface: PolicySurface, index: number): Html {
  return markup`<span class="policy">${renderSwatch(index)} ${surface.label}</span> <span class="setting">${describeSetting(surface)}</span>`;
}

/** Verdict words with the sign that stands for them where there is no room. */
export const verdictSigns: { readonly [verdict in Verdict]: string } = {
  gain: "▲",
  loss: "▼",
  equivalent: "=",
  undecided: "?",
};

/** Returns a verdict word with its sign. */
export function renderVerdict(verdict: Verdict): Html {
  return markup`<span class="verdict ${verdict}"><span aria-hidden="true">${verdictSigns[verdict]}</span> ${verdict}</span>`;
}

/** Returns the number of a surface by label, which decides its colour. */
export function findSurfaceIndex(view: ReportView, label: string): number {
  return view.report.surfaces.findIndex((surface) => surface.label === label);
}

/** Returns the style that gives a comparison's two sides the colours of their surfaces. */
export function renderSides(view: ReportView, { a, b }: ComparisonResult): Html {
  const toneA = getTone(Math.max(0, findSurfaceIndex(view, a)));
  const toneB = getTone(Math.max(0, findSurfaceIndex(view, b)));
  return markup`style="--a:${toneA};--b:${toneB}"`;
}

/** Returns a heading for one comparison, left out where there is only one. */
export function renderComparisonHead(view: ReportView, { a, b }: ComparisonResult): HtmlPart {
  return (
    view.report.comparisons.length > 1 &&
    markup`<h3>${b} <span class="minus">minus</span> ${a}</h3>
`
  );
}

/** Returns what a figure of one comparison is called below its heading, where there is one. */
export function nameDifference(view: ReportView, { a, b }: ComparisonResult): string {
  return view.report.comparisons.length > 1 ? "Difference" : `${b} minus ${a}`;
}

/** Returns a stop label in words. */
export function describeStop(label: StopLabel): string {
  return label.replaceAll("_", " ");
}

/** Returns the distinct values in ascending order. */
export function sortNumbers(values: Iterable<number>): number[] {
  return [...new Set(values)].sort((left, right) => left - right);
}
