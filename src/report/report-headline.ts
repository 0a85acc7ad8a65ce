import type { Report } from "./report.js";
import { createReportView, writeHeadline } from "./section.js";

/**
 * Returns the sentence that answers a report's question, as plain text with ordinary spaces.
 *
 * @example
 * getReportHeadline(report); // "trained succeeds more often than base from T = 4 on."
 */
export function getReportHeadline(report: Report): string {
  return writeHeadline(createReportView(report)).replaceAll("\u00a0", " ");
}
