import type { Report } from "../report/index.js";

/** How a summary is laid out. */
export interface SummaryOptions {
  /** Columns; default 80. */
  readonly width?: number;
  /** Colour for a terminal; default none. */
  readonly colour?: boolean;
}

/** Returns a report's figures as text for a terminal: the same numbers as its page. */
export async function renderReportSummary(
  report: Report,
  { width = 80, colour = false }: SummaryOptions = {},
): Promise<string> {
  const { renderReportText } = await import("../report/index.js");
  return renderReportText(report, { width, hasColour: colour });
}
