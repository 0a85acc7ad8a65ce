import * as Plot from "@observablehq/plot";
import { cleanText } from "./clean-text.js";
import { markup, type Html } from "./html.js";
import { getTone } from "./parts.js";
import { renderSvg, type ChartText } from "./svg.js";

/** One signed part of a stack. */
export interface StackPart {
  readonly label: string;
  /** Position of the part, which decides its colour. */
  readonly tone: number;
  /** In -1..1; negative parts hang below the line. */
  readonly value: number;
  readonly title: string;
}

/** One stack: the parts at one budget, and their sum with its band. */
export interface Stack {
  readonly x: number;
  readonly parts: readonly StackPart[];
  readonly total: { readonly value: number; readonly lower?: number; readonly upper?: number; readonly title: string };
}

/** A chart of signed parts that add up to a total, one stack for each x. */
export interface StackChartSpec extends ChartText {
  readonly xLabel: string;
  readonly yLabel: string;
  readonly stacks: readonly Stack[];
}

const sizes = [
  { name: "wide", width: 760, height: 320 },
  { name: "narrow", width: 340, height: 260 },
] as const;

/** Stacks positive parts upwards and negative ones downwards, in points. */
function layOut(stacks: readonly Stack[]) {
  return stacks.flatMap(({ x, parts }) => {
    let above = 0;
    let below = 0;
    return parts.map(({ value, tone, title }) => {
      const from = value >= 0 ? above : below;
      const to = from + 100 * value;
      if (value >= 0) above = to;
      else below = to;
      return { x, from, to, tone, title: cleanText(title) };
    });
  });
}

function writeSigned(value: number): string {
  const text = String(Math.abs(Number(value.toFixed(6))));
  return value < 0 ? `−${text}` : value > 0 ? `+${text}` : text;
}

/** A total as it is drawn, in points. */
interface TotalMark {
  readonly x: number;
  readonly y: number;
  readonly lower: number;
  readonly upper: number;
  readonly title: string;
}

/** Returns the grid, axes, bars and totals, drawn in this order. */
function drawMarks(
  spec: StackChartSpec,
  bars: ReturnType<typeof layOut>,
  totals: readonly TotalMark[],
): Plot.Markish[] {
  return [
    Plot.gridY({ ticks: 5, stroke: "var(--line)", strokeOpacity: 1 }),
    Plot.axisY({
      ticks: 5,
      tickSize: 0,
      tickFormat: writeSigned,
      label: spec.yLabel,
      labelArrow: "none",
      fill: "var(--muted)",
    }),
    Plot.axisX({
      tickFormat: String,
      tickSize: 4,
      label: spec.xLabel,
      labelArrow: "none",
      labelAnchor: "right",
      fill: "var(--muted)",
      stroke: "var(--muted)",
    }),
    Plot.barY(bars, {
      x: "x",
      y1: "from",
      y2: "to",
      fill: (bar: (typeof bars)[number]) => getTone(bar.tone),
      title: "title",
      stroke: "var(--paper)",
    }),
    Plot.ruleY([0], { stroke: "var(--ink)" }),
    Plot.ruleX(totals, { x: "x", y1: "lower", y2: "upper", stroke: "var(--ink)", strokeWidth: 1.6 }),
    Plot.dot(totals, {
      x: "x",
      y: "y",
      r: 4.5,
      fill: "var(--paper)",
      stroke: "var(--ink)",
      strokeWidth: 1.8,
      title: "title",
    }),
  ];
}

/** Returns a chart of stacked signed parts with a mark for each total and its band. Works without a script. */
export function renderStackChart(spec: StackChartSpec): Html {
  const bars = layOut(spec.stacks);
  if (bars.length === 0) return markup`<p class="none">Nothing to draw.</p>`;
  const totals = spec.stacks.map(({ x, total }) => ({
    x,
    y: 100 * total.value,
    lower: 100 * (total.lower ?? total.value),
    upper: 100 * (total.upper ?? total.value),
    title: cleanText(total.title),
  }));
  const ends = [
    ...bars.flatMap(({ from, to }) => [from, to]),
    ...totals.flatMap(({ lower, upper }) => [lower, upper]),
    0,
  ];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const room = Math.max(1, 0.06 * (high - low));
  const drawn = sizes.map(({ name, width, height }) =>
    renderSvg(
      {
        width,
        height,
        marginTop: 26,
        marginBottom: 40,
        marginLeft: 46,
        x: { type: "band", domain: spec.stacks.map(({ x }) => x), padding: 0.3, label: null },
        y: { domain: [low - room, high + room], label: null },
        marks: drawMarks(spec, bars, totals),
      },
      spec,
      name,
    ),
  );
  return markup`<div class="chart">${drawn}</div>
`;
}
