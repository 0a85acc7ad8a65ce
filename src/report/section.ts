// internal
import type { Claim } from "../core/index.js";
import { formatClaim, missingText, type FormatClaimOptions, type Html } from "../page/index.js";
import type { Report, Sentence } from "./report.js";

/** A report with its claims at hand. */
export interface ReportView {
  readonly report: Report;
  findClaim(id: string): Claim | undefined;
  /** Returns the text of a claim, or `–` when there is none. */
  text(id: string, options?: FormatClaimOptions): string;
}

/** What a section is given to write text with. */
export interface TextContext extends ReportView {
  /** Columns of the terminal. */
  readonly width: number;
  /** Colours a word by its meaning; returns it as it is when colour is off. */
  paint(word: string, colour: TextColour): string;
}

/** What a colour means in the terminal. */
export type TextColour = "gain" | "loss" | "dim" | "bold" | "warning";

/** One section of a report: one file, one line in the list of sections. */
export interface ReportSection {
  /** Anchor on the page. */
  readonly id: string;
  readonly title: string;
  /** Says whether the report has anything to show here. */
  hasContent(report: Report): boolean;
  renderHtml(view: ReportView): Html;
  /** Returns lines no wider than the context's width; absent when the terminal shows nothing of it. */
  renderText?(context: TextContext): readonly string[];
}

/** Returns the view of a report. */
export function createReportView(report: Report): ReportView {
  const claims = new Map(report.claims.map((claim) => [claim.id, claim]));
  return {
    report,
    findClaim: (id) => claims.get(id),
    text: (id, options) => {
      const claim = claims.get(id);
      return claim === undefined ? missingText : formatClaim(claim, options);
    },
  };
}

/** Returns the sentence that answers a report's question, as plain text. */
export function writeHeadline(view: ReportView): string {
  const [headline] = view.report.answer;
  return headline === undefined ? view.report.question : writeSentence(view, headline);
}

/** Returns a sentence as plain text. */
export function writeSentence(view: ReportView, sentence: Sentence): string {
  return sentence.map((part) => (typeof part === "string" ? part : view.text(part.claim))).join("");
}
