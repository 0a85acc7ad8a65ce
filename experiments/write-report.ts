import { mkdirSync, writeFileSync } from "node:fs";
import {
  markup,
  renderFigure,
  renderLegend,
  renderLineChart,
  renderPage,
  renderTable,
  type Html,
  type HtmlPart,
  type LineSeries,
} from "../src/page/index.js";
import { armNames, evaluatedBudgets, tightBudget, type ExperimentEnv } from "./arms.js";
import { shareNames, type ExplanationSummary } from "./explanations.js";
import type { RunResult } from "./results.js";
import {
  answerQuestion,
  describeContrast,
  summarizeEnv,
  type ArmSummary,
  type Contrast,
  type EnvSummary,
  type SeedMean,
} from "./summarize.js";

/** The results of one env. */
export interface EnvResults {
  readonly env: ExperimentEnv;
  readonly results: readonly RunResult[];
  readonly explanation: ExplanationSummary;
}

const armTexts: { readonly [arm in (typeof armNames)[number]]: string } = {
  base: "imitation of an imperfect policy, where all other arms begin",
  "rl-large": "GRPO with 12 turns in every episode, budget not told",
  "rl-tight": `GRPO with ${tightBudget} turns in every episode, budget not told`,
  curriculum: "GRPO with a turn cap that grows from 2 over 4 to 12 (ScalingInter), budget not told",
  budgetmix: "GRPO with 1, 2, 4 or 12 turns by group, budget told",
  "ppo-large": "PPO with a value head, 12 turns, budget not told",
  "budgetmix-hidden": "the same mix as budgetmix, budget not told",
  "more-sft": "as many further updates of imitation as the base had",
};

function percent(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? "–" : (100 * value).toFixed(1);
}

function points(value: number): string {
  return `${value < 0 ? "−" : "+"}${(100 * Math.abs(value)).toFixed(1)}`;
}

/** Returns a figure with its interval below it, so that seven budgets stand side by side. */
function stack(
  figure: HtmlPart,
  { lower, upper }: Pick<SeedMean, "lower" | "upper">,
  show: (value: number) => string,
): HtmlPart {
  return lower === undefined || upper === undefined
    ? figure
    : markup`${figure}<br><small>[${show(lower)}, ${show(upper)}]</small>`;
}

function getTone(arm: string): number {
  return armNames.findIndex((name) => name === arm);
}

function renderCurves({ env, arms }: EnvSummary, disclosure: "hidden" | "static"): Html {
  const series = arms.map(({ arm, cells }): LineSeries => ({
    label: arm,
    tone: getTone(arm),
    points: cells
      .filter((cell) => cell.disclosure === disclosure && cell.k === 1)
      .map(({ maxTurns, mean, lower, upper }) => ({
        x: maxTurns,
        y: mean,
        // A t interval of few seeds may pass 0 or 1; the table has it as it is.
        ...(lower === undefined || upper === undefined ? {} : { lower: Math.max(0, lower), upper: Math.min(1, upper) }),
      })),
  }));
  const told = disclosure === "static" ? "told to the agent" : "not told";
  return renderFigure({
    title: `Success by turn budget, budget ${told}`,
    lead: "Mean over training seeds with its t interval; 100 held-out tasks.",
    legend: renderLegend(series),
    chart: renderLineChart({
      id: `${env}-${disclosure}`,
      title: `Success in ${env} by turn budget, budget ${told}`,
      description: `Success of ${arms.map(({ arm }) => arm).join(", ")} at T = ${evaluatedBudgets.join(", ")}; the table below has the figures.`,
      xLabel: "turn budget T",
      yLabel: "success, %",
      xTicks: evaluatedBudgets,
      yKind: "share",
      series,
    }),
    table: renderTable({
      caption: `Success in ${env}, %, budget ${told}`,
      columns: [
        { head: "arm", kind: "row_head" },
        { head: "seeds" },
        ...evaluatedBudgets.map((T) => ({ head: `T=${T}` })),
      ],
      rows: arms.map(({ arm, seeds, cells }) => ({
        cells: [
          arm,
          String(seeds),
          ...cells
            .filter((cell) => cell.disclosure === disclosure && cell.k === 1)
            .map(({ mean, lower, upper }) => stack(percent(mean), { lower, upper }, percent)),
        ],
      })),
    }),
  });
}

function nameTold(disclosure: "hidden" | "static"): string {
  return disclosure === "static" ? "told" : "not told";
}

function renderContrasts({ env, contrasts }: EnvSummary): Html {
  const rows = contrasts.map(({ arm, reference, disclosure, referenceDisclosure, k, cells }: Contrast) => ({
    cells: [
      markup`${arm} − ${reference}<br><small>${nameTold(disclosure)}${referenceDisclosure !== undefined && ` / ${nameTold(referenceDisclosure)}`}</small>`,
      String(k),
      ...cells.map(({ mean, lower, upper, verdict }) => {
        const figure = verdict === "undecided" ? points(mean) : markup`<strong>${points(mean)}</strong>`;
        return stack(figure, { lower, upper }, points);
      }),
    ],
  }));
  return renderTable({
    caption: `Differences in ${env} in percentage points, paired by training seed; bold: Holm-adjusted p below .05 over the budgets of the row`,
    columns: [
      { head: markup`difference<br><small>budget</small>`, kind: "row_head" },
      { head: "K" },
      ...evaluatedBudgets.map((T) => ({ head: `T=${T}` })),
    ],
    rows,
  });
}

function renderLearning({ env, arms }: EnvSummary): Html {
  const trained = arms.filter(({ curve }) => curve.length > 1);
  if (trained.length === 0) return markup``;
  const most = Math.max(...trained.flatMap(({ curve }) => curve.map(({ sampledTokens }) => sampledTokens)));
  const series = trained.map(({ arm, curve }): LineSeries => ({
    label: arm,
    tone: getTone(arm),
    points: curve.map(({ sampledTokens, reward }) => ({ x: sampledTokens / 1000, y: reward })),
  }));
  return renderFigure({
    title: "Learning curves",
    lead: "Mean training reward under each arm's own budgets, so that arms differ in level by design.",
    legend: renderLegend(series),
    chart: renderLineChart({
      id: `${env}-learning`,
      title: `Training reward in ${env} by tokens sampled`,
      description: `Training reward of ${trained.map(({ arm }) => arm).join(", ")} by tokens sampled.`,
      xLabel: "tokens sampled, thousands",
      yLabel: "reward, %",
      xTicks: [0.25, 0.5, 0.75, 1].map((share) => Math.round((share * most) / 1000)),
      yKind: "share",
      series,
      hasEvenScale: true,
    }),
  });
}

function withInterval(cell: SeedMean, show: (value: number) => string): HtmlPart {
  return stack(show(cell.mean), cell, show);
}

function renderExplanation(env: string, { seeds, shares, pools }: ExplanationSummary): Html {
  if (pools.length === 0) return markup``;
  const turns = pools[0].recovery.map(({ turnsLeft }) => turnsLeft);
  return markup`<h3>Why</h3>
<p>Hybrids of an arm and the base of its seed are played on 50 held-out tasks, budget not told: who decides, who acts after an error, who goes on. Below, from the states just before and after errors of all three. Mean over ${String(seeds)} training seeds with its t interval, not adjusted for the number of cells.</p>
${renderTable({
  caption: `What the gap to the base is made of in ${env}, percentage points`,
  columns: [{ head: "arm", kind: "row_head" }, { head: "T" }, ...shareNames.map((head) => ({ head }))],
  rows: shares.map((row) => ({
    cells: [row.arm, String(row.maxTurns), ...shareNames.map((name) => withInterval(row[name], points))],
  })),
})}${renderTable({
    caption: `From the states of errors in ${env}: regret of the next action, repeats of the error, success with some turns left, %`,
    columns: [
      { head: "arm", kind: "row_head" },
      { head: "regret, turns" },
      { head: "repeats, %" },
      ...turns.flatMap((left) => [{ head: `after the error, ${left} left` }, { head: `without it, ${left} left` }]),
    ],
    rows: pools.map(({ arm, regret, repeats, recovery }) => ({
      cells: [
        arm,
        withInterval(regret, (value) => value.toFixed(2)),
        withInterval(repeats, percent),
        ...recovery.flatMap(({ error, clean }) => [withInterval(error, percent), withInterval(clean, percent)]),
      ],
    })),
  })}`;
}

function renderEnv(summary: EnvSummary, explanation: ExplanationSummary): Html {
  const { env, arms, contrasts } = summary;
  const seeds = Math.max(...arms.map((arm: ArmSummary) => arm.seeds));
  return markup`<section id="${env}"><h2>${env}</h2>
<p>${arms.length} arms, up to ${seeds} training seeds each; every arm begins from the base of its own seed.</p>
<ul>${contrasts.filter(({ k }) => k === 1).map((each) => markup`<li>${describeContrast(each)}</li>`)}</ul>
${renderCurves(summary, "hidden")}${renderCurves(summary, "static")}${renderContrasts(summary)}${renderExplanation(env, explanation)}${renderLearning(summary)}</section>`;
}

function renderReport(summaries: readonly EnvSummary[], explanations: readonly ExplanationSummary[]): string {
  return renderPage({
    title: "Does training at a large turn budget lose at a tight one?",
    description:
      "Small policies trained in turnwise at large, tight, growing and mixed turn budgets, evaluated over all.",
    kicker: "turnwise · experiment",
    contents: summaries.map(({ env }) => ({ href: `#${env}`, text: env })),
    body: markup`<div class="answer"><h1>Does training at a large turn budget lose at a tight one?</h1>
<p class="headline">${summaries.flatMap((summary) => answerQuestion(summary) ?? []).join(" ")}</p>
<p>Small transformers are trained in two envs by imitation and then by reinforcement learning under different turn budgets. All arms that reinforce sample the same number of tokens. Everything is evaluated on held-out tasks at every budget, with the budget told and not told. <code>npm run reproduce</code> makes all of it again.</p>
<ul>${armNames.map((arm) => markup`<li><strong>${arm}</strong>: ${armTexts[arm]}</li>`)}</ul></div>
${summaries.map((summary, index) => renderEnv(summary, explanations[index]))}`,
    footer: "Intervals are t intervals over training seeds. Sentences are made from the verdicts by rule.",
  });
}

/** Writes `summary.json` and `report.html` of the experiment; returns the paths written. */
export async function writeExperimentReport(all: readonly EnvResults[], folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const found = all.filter(({ results }) => results.length > 0);
  const summaries = found.map(({ env, results }) => summarizeEnv(env, results));
  if (summaries.length === 0) return [];
  const [summary, page] = [`${folder}/summary.json`, `${folder}/report.html`];
  writeFileSync(summary, `${JSON.stringify(summaries, null, 1)}\n`);
  writeFileSync(
    page,
    renderReport(
      summaries,
      found.map(({ explanation }) => explanation),
    ),
  );
  return Promise.resolve([summary, page]);
}
