import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { markup } from "./html.js";
import { renderLineChart, type LineChartSpec } from "./line-chart.js";
import { renderPage } from "./page.js";
import { maxChoices, renderChoices } from "./parts.js";
import { renderHeatTable } from "./heat-table.js";

const page = renderPage({
  title: "A & B",
  description: "One sentence",
  kicker: "turnwise",
  contents: [{ href: "#a", text: "A" }],
  body: markup`<section id="a"></section>`,
  footer: "end",
});

test("renderPage() forbids every request and every script but its own", () => {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? "";
  const script = /<script>([\s\S]*)<\/script>/.exec(page)?.[1] ?? "";
  const hash = createHash("sha256").update(script).digest("base64");
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`script-src 'sha256-${hash}'`);
  expect(policy).not.toMatch(/https?:|\*/);
});

test("renderPage() names no address outside the page", () => {
  const markup = page.replace(/<script>[\s\S]*<\/script>/, "");
  const addresses = [...markup.matchAll(/(?:src|href|url)\s*[=(]\s*["']?([^"')\s>]+)/g)].map((match) => match[1]);
  expect(addresses.filter((address) => !/^(#|data:)/.test(address))).toEqual([]);
});

test("renderPage() uses no variable that its themes do not define", () => {
  const defined = new Set([...page.matchAll(/--([a-z0-9]+):/g)].map((match) => match[1]));
  const used = [...page.matchAll(/var\(--([a-z0-9]+)\)/g)].map((match) => match[1]);
  // These three are set on the element that a style is for.
  expect(used.filter((name) => !defined.has(name) && !["a", "b", "c"].includes(name))).toEqual([]);
});

const spec: LineChartSpec = {
  id: "x",
  title: "T <title>",
  description: "D",
  xLabel: "T",
  yLabel: "%",
  xTicks: [1, 2, 4, 8, 16],
  yKind: "share",
  series: [
    {
      label: "</svg><script>",
      tone: 0,
      points: [1, 2, 4, 8, 16].map((x) => ({ x, y: x / 20, lower: x / 25, upper: x / 18 })),
    },
  ],
};

test("renderLineChart() draws the same bytes each time", () => {
  expect(renderLineChart(spec).toString()).toBe(renderLineChart(spec).toString());
});

test("renderLineChart() shows bounds as a bar beside a point that has none", () => {
  const draw = (bounded: readonly boolean[]): string => {
    const points = bounded.map((isBounded, i) => ({
      x: i + 1,
      y: 0.5,
      ...(isBounded ? { lower: 0.4, upper: 0.6 } : {}),
    }));
    return renderLineChart({
      ...spec,
      xTicks: [1, 2, 3],
      size: "small",
      series: [{ label: "a", tone: 0, points }],
    }).toString();
  };
  const count = (text: string): number => text.split('stroke-opacity="0.5"').length - 1;
  expect([count(draw([true, true, true])), count(draw([false, true, false]))]).toEqual([0, 1]);
  expect(draw([false, true, false])).not.toContain("fill-opacity");
  expect(draw([true, true, false])).toContain("fill-opacity");
  expect(count(draw([true, true, false]))).toBe(1);
});

test("renderLineChart() escapes labels", () => {
  expect(renderLineChart(spec).toString()).not.toContain("<script");
});

test.each([
  {
    name: "one budget",
    change: { xTicks: [5], series: [{ label: "a", tone: 0, points: [{ x: 5, y: 0.2, lower: 0.1, upper: 0.3 }] }] },
  },
  {
    name: "a value that is not defined",
    change: {
      series: [
        {
          label: "a",
          tone: 0,
          points: [
            { x: 1, y: undefined },
            { x: 2, y: 0.5 },
          ],
        },
      ],
    },
  },
  { name: "no value at all", change: { series: [{ label: "a", tone: 9, points: [{ x: 1, y: undefined }] }] } },
  {
    name: "a budget of zero",
    change: {
      xTicks: [0, 1, 16],
      yKind: "difference" as const,
      series: [{ label: "a", tone: 0, points: [{ x: 0, y: -0.2 }] }],
    },
  },
  {
    name: "differences that are all zero",
    change: {
      yKind: "difference" as const,
      series: [
        {
          label: "a",
          tone: 0,
          points: [
            { x: 1, y: 0 },
            { x: 16, y: 0 },
          ],
        },
      ],
    },
  },
  { name: "no tick", change: { xTicks: [], series: [] } },
])("renderLineChart() draws $name", ({ change }) => {
  expect(renderLineChart({ ...spec, ...change }).toString()).not.toMatch(/NaN|undefined|Infinity/);
});

test("renderHeatTable() draws the contour between a gain and what is not one", () => {
  const cells = [
    [-1, 1],
    [0, 1],
  ].map((row) => row.map((value) => ({ value, content: String(value) })));
  const text = renderHeatTable({
    caption: "c",
    rowLabel: "k",
    columnLabel: "T",
    rowHeads: ["2", "1"],
    columnHeads: ["1", "2"],
    cells,
    scale: 1,
    hasContour: true,
  }).toString();
  expect([...text.matchAll(/<td class="([^"]*)">/g)].map((match) => match[1])).toEqual(["m7 cr", "p7", "cr", "p7"]);
});

test("renderChoices() shows a single choice as it is and refuses more than the style sheet knows", () => {
  const make = (count: number) =>
    Array.from({ length: count }, (_unused, index) => ({ label: String(index), content: markup`<p>${index}</p>` }));
  expect(renderChoices("n", "Which", make(1)).toString()).toBe("<p>0</p>");
  expect(() => renderChoices("n", "Which", make(maxChoices + 1))).toThrow(RangeError);
});
