import { cleanText } from "../page/index.js";
import { createReportView, writeSentence, type TextColour, type TextContext } from "./section.js";
import { reportSections } from "./sections.js";
import type { Report } from "./report.js";
import { fitText, wrapText } from "./text-layout.js";

/** Options of {@linkcode renderReportText}. */
export interface RenderReportTextOptions {
  /** Columns of the terminal, at least 40. Default 80. */
  readonly width?: number;
  /** Colours verdicts and warnings with ANSI codes. Default false. */
  readonly hasColour?: boolean;
}

const codes: { readonly [colour in TextColour]: string } = {
  gain: "32",
  loss: "31",
  dim: "2",
  bold: "1",
  warning: "33",
};

/**
 * Returns the summary of a report for a terminal: the answer and compact tables, no line wider than `width`, with
 * the same numbers as the page. Ends with a newline.
 *
 * @throws {RangeError} for a width below 40.
 */
export function renderReportText(
  report: Report,
  { width = 80, hasColour = false }: RenderReportTextOptions = {},
): string {
  if (width < 40) throw new RangeError(`Cannot render a report in fewer than 40 columns: current width is ${width}`);
  const view = createReportView(report);
  const paint = (word: string, colour: TextColour): string =>
    hasColour ? `\u001b[${codes[colour]}m${word}\u001b[0m` : word;
  const context: TextContext = { ...view, width, paint };
  const [headline, ...rest] = report.answer.map((sentence) => writeSentence(view, sentence));
  const head = [
    paint(fitText(report.title, width), "bold"),
    ...wrapText(report.question, width),
    "",
    ...wrapText(headline ?? "", width).map((line) => paint(line, "bold")),
    ...rest.flatMap((sentence) => wrapText(sentence, width)),
    ...report.warnings.flatMap((warning) =>
      wrapText(`! ${writeSentence(view, warning)}`, width, "  ").map((line) => paint(line, "warning")),
    ),
  ];
  const sections = reportSections.flatMap((section) => {
    if (section.renderText === undefined || !section.hasContent(report)) return [];
    const lines = trimBlank(section.renderText(context));
    return lines.length === 0 ? [] : ["", paint(`${cleanText(section.title)}`.toUpperCase(), "bold"), ...lines];
  });
  return `${[...head, ...sections].join("\n")}\n`;
}

/** Returns the lines without blank ones at the end. */
function trimBlank(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line !== "");
  return lines.slice(0, last + 1);
}
