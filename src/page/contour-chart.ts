import * as Plot from "@observablehq/plot";
import { cleanText } from "./clean-text.js";
import { markup, type Html } from "./html.js";
import { getDash } from "./parts.js";
import { renderSvg, type ChartText } from "./svg.js";

/** One cell of the surface below the lines. */
export interface ContourCell {
  readonly x: number;
  readonly y: number;
  /** In 0..1: how strong its colour is. */
  readonly value: number;
  readonly title: string;
}

/** One line of equal height. */
export interface ContourLine {
  /** Short, e.g. `50 %`; stands at the line's end. */
  readonly label: string;
  readonly points: readonly { readonly x: number; readonly y: number; readonly title: string }[];
}

/** Lines of equal height over a surface with two logarithmic axes. */
export interface ContourChartSpec extends ChartText {
  readonly xLabel: string;
  readonly yLabel: string;
  /** Cells at every grid point; axes have ticks where cells are. */
  readonly cells: readonly ContourCell[];
  readonly lines: readonly ContourLine[];
  /** Position of the series, which decides the colour of the cells. */
  readonly tone: number;
}

const sizes = [
  { name: "wide", width: 760, height: 340 },
  { name: "narrow", width: 340, height: 280 },
] as const;

/** Returns the edges of the cell around each grid point: half way to its neighbours on a logarithmic scale. */
function findEdges(values: readonly number[]): ReadonlyMap<number, readonly [number, number]> {
  const grid = [...new Set(values)].sort((a, b) => a - b);
  const step = (i: number): number => Math.sqrt(grid[i + 1] / grid[i]);
  return new Map(
    grid.map((value, i) => {
      const below = i > 0 ? step(i - 1) : i + 1 < grid.length ? step(i) : Math.SQRT2;
      const above = i + 1 < grid.length ? step(i) : below;
      return [value, [value / below, value * above] as const];
    }),
  );
}

function drawCells({ cells, tone }: ContourChartSpec): Plot.Markish {
  const columns = findEdges(cells.map(({ x }) => x));
  const rows = findEdges(cells.map(({ y }) => y));
  const boxes = cells.map(({ x, y, value, title }) => {
    const [x1 = x, x2 = x] = columns.get(x) ?? [];
    const [y1 = y, y2 = y] = rows.get(y) ?? [];
    return { x1, x2, y1, y2, value: 0.75 * Math.min(1, Math.max(0, value)), title: cleanText(title) };
  });
  return Plot.rect(boxes, {
    x1: "x1",
    x2: "x2",
    y1: "y1",
    y2: "y2",
    fill: `var(--s${tone % 8})`,
    fillOpacity: "value",
    title: "title",
    inset: 1,
  });
}

function drawLines({ lines }: ContourChartSpec): Plot.Markish[] {
  return lines.flatMap(({ label, points }, index) => {
    const data = points.map((point) => ({ ...point, title: cleanText(point.title) }));
    return [
      Plot.line(data, { x: "x", y: "y", stroke: "var(--ink)", strokeWidth: 2, strokeDasharray: getDash(index) }),
      Plot.dot(data, { x: "x", y: "y", r: 3.2, fill: "var(--ink)", stroke: "var(--paper)", title: "title" }),
      Plot.text(data.slice(-1), {
        x: "x",
        y: "y",
        text: () => cleanText(label),
        dx: 8,
        textAnchor: "start",
        fill: "var(--ink)",
        stroke: "var(--paper)",
        strokeWidth: 3,
        fontWeight: 600,
      }),
    ];
  });
}

/** Returns the lines over their surface as SVG; see {@linkcode ContourChartSpec}. Works without a script. */
export function renderContourChart(spec: ContourChartSpec): Html {
  const { cells } = spec;
  if (cells.length === 0) return markup`<p class="none">Nothing to draw.</p>`;
  const ends = (values: readonly number[]): [number, number] => {
    const edges = [...findEdges(values).values()].flat();
    return [Math.min(...edges), Math.max(...edges)];
  };
  const [xs, ys] = [cells.map(({ x }) => x), cells.map(({ y }) => y)];
  const axis = { tickFormat: String, tickSize: 4, labelArrow: "none", fill: "var(--muted)" } as const;
  const drawn = sizes.map(({ name, width, height }) =>
    renderSvg(
      {
        width,
        height,
        marginTop: 26,
        marginBottom: 40,
        marginLeft: 46,
        marginRight: 44,
        x: { type: "log", base: 2, domain: ends(xs), label: null },
        y: { type: "log", base: 2, domain: ends(ys), label: null },
        opacity: { type: "identity" },
        marks: [
          drawCells(spec),
          Plot.axisY([...new Set(ys)], { ...axis, label: spec.yLabel }),
          Plot.axisX([...new Set(xs)], { ...axis, label: spec.xLabel, labelAnchor: "right" }),
          ...drawLines(spec),
        ],
      },
      spec,
      name,
    ),
  );
  return markup`<div class="chart">${drawn}</div>
`;
}
