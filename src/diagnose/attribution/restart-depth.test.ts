import { expect, test } from "vitest";
import { closedFormValue, createModeChain, runChain, type ChainRates } from "./mode-chain.js";
import { countChainData } from "./chain-data.js";
import { findRestartDepth, findRestartRows } from "./restart-depth.js";

const a: ChainRates = {
  clean: { quit: 0.02, solved: 0.15, clean: 0.45, error: 0.4 },
  error: { quit: 0.3, solved: 0.02, clean: 0.18, error: 0.8 },
};
const b: ChainRates = {
  clean: { quit: 0.01, solved: 0.13, clean: 0.45, error: 0.42 },
  error: { quit: 0.05, solved: 0.05, clean: 0.4, error: 0.55 },
};

// Locked: the golden example; a long run costs 11.86 and 11.00 turns per success.
test.each([
  ["A", a, 6.8, 11.86],
  ["B", b, 7.77, 11.0],
])("findRestartDepth() finds one turn best for the golden policy %s", (_name, rates, best, long) => {
  const chain = createModeChain(rates, 400);
  const { values, occupation } = runChain({ decision: chain, recovery: chain, persistence: chain }, 400);
  const played = values.map((_value, t) => occupation[2 * t] + occupation[2 * t + 1]);
  const solved = values.map((value, t) => value - (values[t - 1] ?? 0));
  const { costs, bestTurns } = findRestartDepth(played, solved);
  expect(bestTurns).toBe(1);
  expect(costs[0]).toBeCloseTo(best, 2);
  expect(costs[399]).toBeCloseTo(long, 1);
  expect(values[399]).toBeCloseTo(closedFormValue(rates, Infinity), 6);
});

// Locked: 32 turns in all, spent as 32 attempts of one turn or as one attempt of 32 turns.
test.each([
  ["A", a, 0.994, 0.357],
  ["B", b, 0.988, 0.747],
])("width beats depth at 32 turns in all for the golden policy %s", (_name, rates, wide, deep) => {
  const chain = createModeChain(rates, 32);
  const { values } = runChain({ decision: chain, recovery: chain, persistence: chain }, 32);
  const passAt = (k: number, maxTurns: number): number => 1 - (1 - values[maxTurns - 1]) ** k;
  expect(passAt(32, 1)).toBeCloseTo(wide, 3);
  expect(passAt(1, 32)).toBeCloseTo(deep, 3);
  for (const maxTurns of [1, 2, 4, 8, 16]) {
    expect(passAt(32 / maxTurns, maxTurns)).toBeGreaterThan(passAt(16 / maxTurns, 2 * maxTurns));
    expect(values[maxTurns - 1]).toBeCloseTo(closedFormValue(rates, maxTurns), 12);
  }
});

test("findRestartDepth() has no depth where nothing is solved", () => {
  expect(findRestartDepth([1, 1], [0, 0])).toEqual({ costs: [Infinity, Infinity], bestTurns: undefined });
  expect(() => findRestartDepth([1], [])).toThrow("as long");
});

test("findRestartRows() reads costs from counts, each task weighing the same", () => {
  const solvedAtTwo = Uint8Array.of(2, 1);
  const never = Uint8Array.of(3, 8);
  const tasks = [
    { taskId: "x", taskHash: "x", a: [solvedAtTwo], b: [solvedAtTwo] },
    { taskId: "y", taskHash: "y", a: [never, never, never], b: [solvedAtTwo] },
  ];
  const [rowA, rowB] = findRestartRows(countChainData(tasks, 2), { seed: 1, replicates: 50 });
  expect(rowA.costs).toEqual([{ maxTurns: 1 }, { maxTurns: 2, turnsPerSuccess: 4 }]);
  expect(rowA).toMatchObject({ bestTurns: 2, bestCost: 4, bestTurnsRange: [2, 2] });
  expect(rowB.bestCost).toBe(2);
});
