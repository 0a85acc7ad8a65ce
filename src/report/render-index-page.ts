import { markup, renderLegend, renderLineChart, renderPage, type Html, type LineSeries } from "../page/index.js";
import type { RecoveryResult } from "../core/index.js";
import type { Report } from "./report.js";
import { sortNumbers } from "./section-html.js";
import { createReportView, writeHeadline } from "./section.js";

/** One report on the index page. */
export interface IndexEntry {
  readonly title: string;
  readonly question: string;
  /** What the report shows and how to read it, in plain words. */
  readonly about: string;
  /** The command that does the same with one's own agent. */
  readonly command: string;
  /** Address of the report's page relative to the index. */
  readonly href: string;
  readonly report: Report;
}

/** Options of {@linkcode renderIndexPage}. */
export interface RenderIndexPageOptions {
  /** Default: what turnwise is for, as a question. */
  readonly title?: string;
  /** What the reader is looking at. Default: an explanation of the demo. */
  readonly intro?: string;
}

/** Draws success after an error and after the best action in its place, small. */
function renderRecoveryThumbnail({ policies, cells, contexts, budgets }: RecoveryResult, index: number): Html {
  const series = policies.flatMap((policy, tone) =>
    (["error", "clean"] as const).map((arm, armIndex): LineSeries => {
      const own = cells.filter((cell) => cell.policy === policy && cell.context === contexts[0]);
      const points = own.map((cell) => ({ x: cell.maxTurns, y: cell[arm]?.value }));
      const label = `${policy}, ${arm === "error" ? "after an error" : "without it"}`;
      return { label, tone: tone + armIndex * policies.length, points };
    }),
  );
  const chart = renderLineChart({
    id: `thumbnail-${index}`,
    title: "Success by turns left",
    description: `Success by turns left, for ${series.map(({ label }) => label).join("; ")}. The report has the figures.`,
    xLabel: "turns left b",
    yLabel: "success, %",
    xTicks: budgets,
    yKind: "share",
    series,
    size: "small",
  });
  return markup`${renderLegend(series.map(({ label, tone }) => ({ label, tone })))}${chart}`;
}

/** Draws success at one try of every policy, small; nothing for a report without curves. */
function renderThumbnail(report: Report, index: number): Html {
  const { surfaces, recovery } = report;
  if (surfaces.length === 0) return recovery === undefined ? markup`` : renderRecoveryThumbnail(recovery, index);
  const budgets = sortNumbers(surfaces.flatMap((surface) => surface.budgets));
  const series = surfaces.map(({ label, cells, sampleCounts }, tone): LineSeries => {
    const k = Math.min(...sampleCounts);
    const points = cells
      .filter((cell) => cell.k === k)
      .sort((left, right) => left.maxTurns - right.maxTurns)
      .map(({ maxTurns, estimate }) => {
        const around = estimate.band ?? estimate.interval;
        const y = Number.isFinite(estimate.value) ? estimate.value : undefined;
        return { x: maxTurns, y, lower: around?.lower, upper: around?.upper };
      });
    return { label, tone, points };
  });
  const chart = renderLineChart({
    id: `thumbnail-${index}`,
    title: "Success by turn budget",
    description: `Share of attempts that succeed within T turns, for ${surfaces.map(({ label }) => label).join(", ")}. The report has the figures.`,
    xLabel: "turn budget T",
    yLabel: "success, %",
    xTicks: budgets,
    yKind: "share",
    series,
    size: "small",
  });
  return markup`${renderLegend(surfaces.map(({ label }, tone) => ({ label, tone })))}${chart}`;
}

function renderEntry({ title, question, about, command, href, report }: IndexEntry, index: number): Html {
  const headline = writeHeadline(createReportView(report));
  return markup`<section class="entry" id="report-${index + 1}" aria-labelledby="report-${index + 1}-head">
<div><h2 id="report-${index + 1}-head"><a href="${href}">${title}</a></h2>
<p class="question">${question}</p>
<p class="finding">${headline}</p>
<p>${about}</p>
<p class="how">With your own agent:</p>
<pre class="command" tabindex="0"><code>${command}</code></pre>
<p><a href="${href}">Open the report<span class="hidden">: ${title}</span></a></p></div>
<div class="thumbnail">${renderThumbnail(report, index)}</div>
</section>
`;
}

const defaultTitle = "What did training really improve, at the turn budget of deployment?";
const defaultIntro =
  "Each report below answers one question about an agent that works in turns. The scripted agents are built so that " +
  "the right answer is known; the real ones come from published outcomes. Below each finding stands the command that " +
  "asks the same question of your own agent.";

/** Returns the page that leads to several reports: for each its question, its finding, a picture and a command. */
export function renderIndexPage(entries: readonly IndexEntry[], options: RenderIndexPageOptions = {}): string {
  const { title = defaultTitle, intro = defaultIntro } = options;
  const body = markup`<header class="answer">
<h1 class="headline">${title}</h1>
<div class="rest"><p>${intro}</p></div>
</header>
${entries.map(renderEntry)}`;
  const [first] = entries;
  return renderPage({
    title: "turnwise: reports",
    description: title,
    kicker: markup`turnwise <span>reports</span>`,
    contents: [],
    body,
    footer: markup`Made by turnwise${first !== undefined && ` ${first.report.generator.version}`}. These pages ask nothing of the network.`,
  });
}
