import { createHasClaim } from "./answer.js";
import { answerAttribution } from "./attribution-answer.js";
import { answerDynamics } from "./diagnosis-answer.js";
import type { Report } from "./report.js";
import { createReportView, writeHeadline, writeSentence } from "./section.js";

/**
 * Returns the sentence that answers a report's question, as plain text with ordinary spaces.
 *
 * @example
 * getReportHeadline(report); // "trained succeeds more often than base from T = 4 on."
 */
export function getReportHeadline(report: Report): string {
  return writeHeadline(createReportView(report)).replaceAll("\u00a0", " ");
}

/**
 * Returns what a report says of causes and of training, as plain text beyond its headline: how the difference of two policies
 * splits into decisions, recovery and persistence, and which rules of training health are broken. Empty without either.
 *
 * @example
 * listReportCauses(report); // ["Of the difference of b to a at T = 24, +6.1 pp, persistence adds +4.9 pp; …"]
 */
export function listReportCauses(report: Report): string[] {
  const { attribution, dynamics, claims } = report;
  const view = createReportView(report);
  const sentences = [
    ...(attribution === undefined ? [] : answerAttribution(attribution, createHasClaim(claims))),
    ...(dynamics === undefined ? [] : answerDynamics(dynamics)),
  ];
  const headline = getReportHeadline(report);
  return sentences
    .map((sentence) => writeSentence(view, sentence).replaceAll("\u00a0", " "))
    .filter((text) => text !== headline);
}
