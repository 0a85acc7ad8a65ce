import * as Plot from "@observablehq/plot";
import { cleanText, cutText } from "./clean-text.js";
import { markup, type Html } from "./html.js";
import { getDash, getTone } from "./parts.js";
import { renderSvg, type ChartText } from "./svg.js";

/** One point of a series. A point without `y` leaves a gap. */
export interface LinePoint {
  readonly x: number;
  readonly y: number | undefined;
  readonly lower?: number;
  readonly upper?: number;
  /** Shown when the pointer rests on the point. */
  readonly title?: string;
}

/** One line of a chart with its band. */
export interface LineSeries {
  readonly label: string;
  /** Position of the series, which decides its colour, dash and marker. */
  readonly tone: number;
  readonly points: readonly LinePoint[];
}

/** A budget that the chart points out. */
export interface LineMark {
  readonly x: number;
  readonly text: string;
}

/** A line chart. */
export interface LineChartSpec extends ChartText {
  readonly xLabel: string;
  readonly yLabel: string;
  /** Where the x axis has ticks; thinned where there is no room. */
  readonly xTicks: readonly number[];
  readonly series: readonly LineSeries[];
  /** `share` is 0..1 in per cent; `difference` -1..1 in points around a zero line; `number` is plain. */
  readonly yKind: "share" | "difference" | "number";
  readonly marks?: readonly LineMark[];
  /** Draws budgets of a wide range on an even scale too, for axes that count every turn. Default false. */
  readonly hasEvenScale?: boolean;
  /** `step` for what changes at whole turns. Default `linear`. */
  readonly curve?: "linear" | "step";
  /** `small` for one of several charts in a row; `page` draws one chart for wide and one for narrow pages. */
  readonly size?: "page" | "small";
}

interface Frame {
  readonly name: "wide" | "narrow" | "small";
  readonly width: number;
  readonly height: number;
  /** Of the dots. */
  readonly radius: number;
}

const frames: { readonly [name in Frame["name"]]: Frame } = {
  wide: { name: "wide", width: 760, height: 360, radius: 4.2 },
  narrow: { name: "narrow", width: 340, height: 280, radius: 3.6 },
  small: { name: "small", width: 300, height: 200, radius: 2.4 },
};

const symbols = ["circle", "square", "triangle", "diamond"] as const;

/** Returns the x scale: logarithmic where budgets span more than a factor of 12, wide enough for a single one. */
function makeXScale({ xTicks: ticks, hasEvenScale = false }: LineChartSpec) {
  const low = Math.min(...ticks);
  const high = Math.max(...ticks);
  const isLog = !hasEvenScale && low > 0 && high / low > 12;
  const domain = low === high ? [low - 1, high + 1] : [low, high];
  const place = (x: number): number => {
    const [from = 0, to = 1] = domain;
    return isLog ? Math.log(x / from) / Math.log(to / from) : (x - from) / (to - from);
  };
  return { type: isLog ? ("log" as const) : ("linear" as const), domain, place };
}

/** Keeps the ticks that have `minGap` pixels of room, the last one always. */
function thinTicks(ticks: readonly number[], place: (x: number) => number, width: number, minGap: number): number[] {
  const sorted = [...new Set(ticks)].sort((left, right) => left - right);
  const last = sorted.at(-1);
  const kept: number[] = [];
  for (const tick of sorted) {
    const before = kept.at(-1);
    const isFree = before === undefined || (place(tick) - place(before)) * width >= minGap;
    const leavesLast = last === undefined || tick === last || (place(last) - place(tick)) * width >= minGap;
    if (tick === last && before !== undefined && !isFree) kept.pop();
    if (tick === last || (isFree && leavesLast)) kept.push(tick);
  }
  return kept;
}

/** Returns the y axis: whole per cent for shares; symmetric enough to show the zero line for differences. */
function makeYScale({ yKind, series }: LineChartSpec) {
  const values = series
    .flatMap(({ points }) => points.flatMap(({ y, lower, upper }) => [y, lower, upper]))
    .filter((value) => value !== undefined)
    .filter(Number.isFinite);
  const scale = yKind === "number" ? 1 : 100;
  if (yKind === "share") {
    const top = Math.max(0.05, ...values);
    const steps = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8];
    return { domain: [0, scale * (steps.find((step) => top <= step) ?? 1)], scale };
  }
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const room = Math.max((high - low) * 0.06, yKind === "difference" ? 0.02 : 1e-9);
  return { domain: [scale * (low - (low < 0 ? room : 0)), scale * (high + room)], scale };
}

interface EndLabel {
  readonly x: number;
  readonly text: string;
  readonly tone: number;
  /** In units of the y scale. */
  readonly y: number;
}

/** Places a label at the end of each line, pushed apart so that none covers another. */
function placeEndLabels(spec: LineChartSpec, unitsPerPixel: number, scale: number): EndLabel[] {
  const gap = 15 * unitsPerPixel;
  const ends = spec.series.flatMap(({ label, tone, points }) => {
    const end = points.findLast((point) => point.y !== undefined);
    const clean = cleanText(label).replace(/\s+/g, " "); // one line: a break would be drawn as a second one
    const text = clean.length > 26 ? `${cutText(clean, 25)}…` : clean;
    return end?.y === undefined ? [] : [{ x: end.x, y: end.y * scale, text, tone }];
  });
  ends.sort((left, right) => left.y - right.y);
  const placed: EndLabel[] = [];
  for (const end of ends) {
    const below = placed.at(-1);
    placed.push(below !== undefined && end.y - below.y < gap ? { ...end, y: below.y + gap } : end);
  }
  return placed;
}

function drawSeries(
  { label, tone, points }: LineSeries,
  curve: Plot.CurveName,
  scale: number,
  radius: number,
): Plot.Markish[] {
  const colour = getTone(tone);
  const data = points.map(({ x, y, lower, upper, title }) => ({
    x,
    y: y === undefined ? NaN : y * scale,
    lower: lower === undefined ? NaN : lower * scale,
    upper: upper === undefined ? NaN : upper * scale,
    title: cleanText(title ?? label),
  }));
  const isStep = curve !== "linear";
  const bounds = { x: "x", y1: "lower", y2: "upper" } as const;
  const hasBounds = (i: number): boolean => Number.isFinite(data[i]?.lower);
  // An area needs two points with bounds side by side; beside a point without any, a bar shows the bounds.
  const lacksSide = (i: number): boolean => i >= 0 && i < data.length && !hasBounds(i);
  const lone = data.filter((_point, i) => hasBounds(i) && (data.length === 1 || lacksSide(i - 1) || lacksSide(i + 1)));
  const hasArea = data.some((_point, i) => hasBounds(i) && hasBounds(i + 1));
  return [
    ...(hasArea ? [Plot.areaY(data, { ...bounds, curve, fill: colour, fillOpacity: 0.16 })] : []),
    ...(lone.length > 0 ? [Plot.ruleX(lone, { ...bounds, stroke: colour, strokeWidth: 2, strokeOpacity: 0.5 })] : []),
    Plot.lineY(data, { x: "x", y: "y", curve, stroke: colour, strokeWidth: 2.2, strokeDasharray: getDash(tone) }),
    ...(isStep && data.length > 12
      ? []
      : [
          Plot.dot(data, {
            x: "x",
            y: "y",
            fill: colour,
            stroke: radius < 3 ? "none" : "var(--paper)",
            r: radius,
            symbol: symbols[tone % symbols.length],
            title: "title",
          }),
        ]),
  ];
}

function drawMarks(marks: readonly LineMark[]): Plot.Markish[] {
  return [
    Plot.ruleX(marks, { x: "x", stroke: "var(--muted)", strokeDasharray: "2 3" }),
    Plot.text(marks, {
      x: "x",
      text: (mark: LineMark) => cleanText(mark.text),
      frameAnchor: "top",
      dy: -14,
      fill: "var(--muted)",
      fontSize: 11.5,
    }),
  ];
}

function drawFrame(spec: LineChartSpec, frame: Frame): Html {
  const { series, marks = [], xTicks, yKind } = spec;
  const curve = spec.curve === "step" ? "step-after" : "linear";
  const margins = { marginTop: marks.length > 0 ? 34 : 26, marginBottom: 40, marginLeft: 42 };
  const x = makeXScale(spec);
  const { domain, scale } = makeYScale(spec);
  const [low = 0, high = 1] = domain;
  const unitsPerPixel = (high - low) / (frame.height - margins.marginTop - margins.marginBottom);
  const labels =
    frame.name === "wide" && series.length > 1 && series.length <= 6 ? placeEndLabels(spec, unitsPerPixel, scale) : [];
  const marginRight = labels.length === 0 ? 16 : 20 + 7.4 * Math.max(...labels.map(({ text }) => text.length));
  const inner = frame.width - margins.marginLeft - marginRight;
  const sign = (value: number): string => {
    const text = String(Math.abs(Number(value.toFixed(6))));
    if (value < 0) return `−${text}`;
    return yKind === "difference" && value > 0 ? `+${text}` : text;
  };
  const options: Plot.PlotOptions = {
    width: frame.width,
    height: frame.height,
    ...margins,
    marginRight,
    x: { type: x.type, domain: x.domain, label: null },
    y: { domain, label: null },
    marks: [
      Plot.gridY({ ticks: 5, stroke: "var(--line)", strokeOpacity: 1 }),
      Plot.axisY({
        ticks: 5,
        tickSize: 0,
        tickFormat: sign,
        label: spec.yLabel,
        labelArrow: "none",
        fill: "var(--muted)",
      }),
      Plot.axisX({
        ticks: thinTicks(xTicks, x.place, inner, 30),
        tickFormat: String,
        tickSize: 4,
        label: spec.xLabel,
        labelArrow: "none",
        labelAnchor: "right",
        fill: "var(--muted)",
        stroke: "var(--muted)",
      }),
      Plot.ruleY([0], { stroke: yKind === "difference" ? "var(--ink)" : "var(--muted)" }),
      ...drawMarks(marks),
      ...series.flatMap((line) => drawSeries(line, curve, scale, frame.radius)),
      Plot.text(labels, {
        x: "x",
        y: "y",
        text: "text",
        textAnchor: "start",
        dx: 9,
        fill: (label: EndLabel) => `var(--s${label.tone % 8})`,
        fontWeight: 600,
      }),
    ],
  };
  return renderSvg(options, spec, frame.name);
}

/** Returns a line chart with bands as SVG; see {@linkcode LineChartSpec}. Works without a script. */
export function renderLineChart(spec: LineChartSpec): Html {
  const { size = "page", xTicks } = spec;
  if (xTicks.length === 0) return markup`<p class="none">Nothing to draw.</p>`;
  const drawn = size === "small" ? [frames.small] : [frames.wide, frames.narrow];
  return markup`<div class="chart">${drawn.map((frame) => drawFrame(spec, frame))}</div>
`;
}
