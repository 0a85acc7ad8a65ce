import * as Plot from "@observablehq/plot";
import { markup, type Html } from "./html.js";
import { renderSvg, type ChartText } from "./svg.js";

/** A chart of many differences at once. */
export interface ProfileChartSpec extends ChartText {
  /** Differences in -1..1, ascending. */
  readonly values: readonly number[];
  /** Colours of what is below and above zero. */
  readonly colours: { readonly below: string; readonly above: string };
  readonly xLabel: string;
  readonly yLabel: string;
}

/** Returns the sorted differences as two areas, below and above zero. Its size does not grow with their number. */
export function renderProfileChart(spec: ProfileChartSpec): Html {
  const { values, colours } = spec;
  if (values.length === 0) return markup`<p class="none">Nothing to draw.</p>`;
  // A step needs both ends of every task's stretch, so the last value is drawn once more.
  const points = [...values, values.at(-1) ?? 0].map((value, index) => ({ x: index, y: value * 100 }));
  const reach = Math.max(10, ...values.map((value) => Math.abs(value) * 100));
  const draw = (variant: "wide" | "narrow", width: number): Html =>
    renderSvg(
      {
        width,
        height: 220,
        marginLeft: 46,
        marginRight: 16,
        marginTop: 26,
        marginBottom: 36,
        x: { domain: [0, values.length], label: null },
        y: { domain: [-reach, reach], label: null },
        marks: [
          Plot.gridY({ ticks: 5, stroke: "var(--line)", strokeOpacity: 1 }),
          Plot.areaY(points, {
            x: "x",
            y1: 0,
            y2: (point: { y: number }) => Math.min(0, point.y),
            curve: "step-after",
            fill: colours.below,
          }),
          Plot.areaY(points, {
            x: "x",
            y1: 0,
            y2: (point: { y: number }) => Math.max(0, point.y),
            curve: "step-after",
            fill: colours.above,
          }),
          Plot.ruleY([0], { stroke: "var(--ink)" }),
          Plot.axisY({
            ticks: 5,
            tickSize: 0,
            label: spec.yLabel,
            labelArrow: "none",
            fill: "var(--muted)",
            tickFormat: (value: number) => (value > 0 ? `+${value}` : String(value).replace("-", "−")),
          }),
          Plot.axisX({
            ticks: 5,
            tickSize: 4,
            label: spec.xLabel,
            labelArrow: "none",
            labelAnchor: "right",
            fill: "var(--muted)",
            stroke: "var(--muted)",
            tickFormat: String,
          }),
        ],
      },
      spec,
      variant,
    );
  return markup`<div class="chart">${draw("wide", 760)}${draw("narrow", 340)}</div>
`;
}
