import { markup, renderPage } from "../page/index.js";
import type { Report } from "./report.js";
import { renderSentence } from "./section-html.js";
import { createReportView, writeSentence } from "./section.js";
import { reportSections } from "./sections.js";

/**
 * Returns a report as one HTML file that needs no network and works without a script. Rendering computes no
 * figure: every number is a claim of the report. The same report gives the same bytes.
 */
export function renderReportPage(report: Report): string {
  const view = createReportView(report);
  const [headline = [report.question], ...rest] = report.answer;
  const shown = reportSections.filter((section) => section.hasContent(report));
  const body = markup`<header class="answer">
<h1>${report.title}</h1>
<p class="question">${report.question}</p>
<p class="headline">${renderSentence(view, headline)}</p>
${
  rest.length > 0 &&
  markup`<div class="rest">${rest.map((sentence) => markup`<p>${renderSentence(view, sentence)}</p>`)}</div>
`
}${
    report.warnings.length > 0 &&
    markup`<aside class="warnings" aria-label="Before you trust these figures"><ul>${report.warnings.map((warning) => markup`<li>${renderSentence(view, warning)}</li>`)}</ul></aside>
`
  }</header>
${shown.map(
  (section) => markup`<section id="${section.id}" aria-labelledby="${section.id}-head">
<h2 id="${section.id}-head">${section.title}</h2>
${section.renderHtml(view)}</section>
`,
)}`;
  return renderPage({
    title: report.title,
    description: writeSentence(view, headline),
    kicker: markup`turnwise <span>report</span>`,
    contents: shown.map(({ id, title }) => ({ href: `#${id}`, text: title })),
    body,
    footer: markup`Made by turnwise ${report.generator.version}. This page asks nothing of the network; its figures stand in report.json beside it.`,
  });
}
