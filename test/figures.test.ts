// Locks the published figures of public data, computed by the product's own estimators from the shipped outcome tables.
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ComparisonResult, PolicySurface, Trajectory } from "../src/core/index.js";
import { collectSeries, compareSeries, measureSurface, type Series } from "../src/evaluate/index.js";
import { importFile } from "../src/records/index.js";

async function readSeries(file: string): Promise<Series[]> {
  const trajectories: Trajectory[] = [];
  const { items } = await importFile(join("data/outcomes", file), "outcomes");
  for await (const item of items) if (item.type === "trajectory") trajectories.push(item.trajectory);
  return collectSeries(trajectories);
}
function findSeries(series: readonly Series[], label: RegExp): Series {
  const found = series.find((one) => label.test(one.label));
  if (found === undefined) throw new Error(`No series matches ${label}: ${series.map((one) => one.label).join(", ")}`);
  return found;
}
/** Returns pass@k at each budget in percent, to one decimal. */
function getPercents(surface: PolicySurface, k = 1): number[] {
  return surface.cells.filter((cell) => cell.k === k).map((cell) => Math.round(cell.estimate.value * 1000) / 10);
}
const quick = { replicates: 200 };

test("wiki-search: base and RL within T, McNemar at T = 3 and 5, every cell cut and hard", async () => {
  const series = await readSeries("verifiers-wiki-search.json");
  const budgets = [2, 3, 4, 5, 6, 8, 10];
  const base = measureSurface(findSeries(series, /instruct/), { budgets, ...quick });
  const rl = measureSurface(findSeries(series, /wiki-search/), { budgets, ...quick });
  expect(getPercents(base)).toEqual([3, 4, 53, 54, 55, 55, 55]);
  expect(getPercents(rl)).toEqual([0, 0, 57, 74, 79, 87, 89]);
  for (const surface of [base, rl]) {
    expect([surface.mark, surface.terminalRule, ...new Set(surface.cells.map((cell) => cell.mark))]).toEqual([
      "cut",
      "hard",
      "cut",
    ]);
  }
  const comparison: ComparisonResult = compareSeries(
    findSeries(series, /instruct/),
    findSeries(series, /wiki-search/),
    { budgets, ...quick },
  );
  const at = (maxTurns: number) => comparison.discordance.find((row) => row.maxTurns === maxTurns);
  expect(at(5)).toMatchObject({ onlyA: 7, onlyB: 27 });
  expect(at(5)?.pExact).toBeLessThan(0.001);
  expect(at(3)).toMatchObject({ onlyA: 4, onlyB: 0, pExact: 0.125 });
  expect(comparison.onsetTurns).toBe(5);
});

test("tau-bench airline: pass^1..4, pass@1..4 and pass@1 within T", async () => {
  const [series] = await readSeries("tau-bench-airline.json");
  const surface = measureSurface(series, { budgets: [5, 10, 15, 20, 30], sampleCounts: [1, 2, 3, 4], ...quick });
  expect(getPercents(surface)).toEqual([9, 25.5, 34.5, 41.5, 42]);
  expect([1, 2, 3, 4].map((k) => getPercents(surface, k)[4])).toEqual([42, 56.7, 66, 72]);
  expect(surface.passHat.map(({ k, estimate }) => [k, Math.round(estimate.value * 1000) / 1000])).toEqual([
    [1, 0.42],
    [2, 0.273],
    [3, 0.22],
    [4, 0.2],
  ]);
});

test("InterCode Bash: first turn and within ten", async () => {
  const series = await readSeries("intercode-bash.json");
  expect(getPercents(measureSurface(findSeries(series, /gpt-4/), { budgets: [1, 10], ...quick }))).toEqual([34, 48.5]);
  expect(getPercents(measureSurface(findSeries(series, /vicuna/), { budgets: [1, 10], ...quick }))).toEqual([16, 24.5]);
});

test("InterCode SQL: the first of ten turns and a run of one turn are different figures, and the comparison says why", async () => {
  const series = await readSeries("intercode-sql.json");
  const ten = findSeries(series, /gpt-4.*at most 10 turns/);
  const one = findSeries(series, /gpt-4.*at most 1 turn$/);
  expect(getPercents(measureSurface(ten, { budgets: [1, 2, 3, 5, 10], ...quick }))).toEqual([
    7.1, 10.1, 34.2, 59.3, 73.7,
  ]);
  expect(getPercents(measureSurface(one, { budgets: [1], ...quick }))).toEqual([9.1]);
  expect(getPercents(measureSurface(findSeries(series, /vicuna/), { budgets: [10], ...quick }))).toEqual([6.3]);
  const { labels } = compareSeries(ten, one, quick);
  expect(labels.join()).toMatch(
    /turn limit of the runs: 10 \(A\), 1 \(B\)\..*different figures where the agent can tell its budget/,
  );
});

test.each([
  { file: "tau2-airline.json", before: 50, after: 65 },
  { file: "tau2-telecom.json", before: 45, after: 75 },
])("$file: before and after fine-tuning", async ({ file, before, after }) => {
  const series = await readSeries(file);
  const last = (surface: PolicySurface): number | undefined => getPercents(surface).at(-1);
  expect(last(measureSurface(findSeries(series, /^gpt-4\.1$/), quick))).toBe(before);
  expect(last(measureSurface(findSeries(series, /sft/), quick))).toBe(after);
});
