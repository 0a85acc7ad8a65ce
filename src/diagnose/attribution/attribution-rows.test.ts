import { expect, test } from "vitest";
import { createRandom } from "../../core/index.js";
import { makeAttributionRows } from "./attribution-rows.js";
import { estimateHybridCells } from "./hybrid-cells.js";
import { attributionParts } from "./shapley.js";

const budgets = [1, 2, 4, 8];
const samples = 8;

/** Returns rows for played cells whose success rates are `rate` of the task, alike in all cells but for `bonus` with B's decisions. */
function playRows(taskCount: number, seed: number, bonus = 0) {
  const random = createRandom("rows", taskCount, seed);
  const values = new Float64Array(taskCount * 8 * budgets.length);
  for (let task = 0; task < taskCount; task += 1) {
    const rate = 0.2 + 0.3 * random.next();
    for (let cell = 0; cell < 8; cell += 1) {
      for (let sample = 0; sample < samples; sample += 1) {
        const solvedAt = random.next() < rate + (cell >= 4 ? bonus : 0) ? random.nextInt(8) + 1 : Infinity;
        for (const [index, budget] of budgets.entries()) {
          if (solvedAt <= budget) values[(task * 8 + cell) * budgets.length + index] += 1 / samples;
        }
      }
    }
  }
  const estimate = estimateHybridCells(
    {
      taskCount,
      budgetCount: budgets.length,
      values,
      familyOf: Int32Array.from({ length: taskCount }, (_unused, task) => task),
      familyCount: taskCount,
    },
    { seed, replicates: 200 },
  );
  return makeAttributionRows(
    budgets.map((maxTurns, index) => ({
      maxTurns,
      values: estimate.values[index],
      replicates: estimate.replicates[index],
      thinShare: 0,
    })),
    { level: 0.95, margin: 0.03, unitCount: taskCount },
  );
}

function isNamed(rows: ReturnType<typeof makeAttributionRows>): boolean {
  return rows.some((row) => attributionParts.some((part) => ["gain", "loss"].includes(row[part].verdict)));
}

test("identical policies get a cause in about one comparison of twenty at most, on ten and on twelve tasks", () => {
  for (const taskCount of [10, 12]) {
    const named = Array.from({ length: 120 }, (_unused, seed) => isNamed(playRows(taskCount, seed))).filter(Boolean);
    // 6 expected; 14 is three standard deviations more. Bands for each share without correction name some 40.
    expect(named.length).toBeLessThan(14);
  }
});

test("a real difference in decisions is still named, and no share is on fewer than ten tasks", () => {
  const rows = playRows(24, 1, 0.4);
  expect(rows[3].decision.verdict).toBe("gain");
  expect(rows[3].persistence.verdict).not.toBe("gain");
  const few = playRows(9, 1, 0.4);
  expect(few[3].decision.estimate.band?.lower).toBeGreaterThan(0);
  expect(few.flatMap((row) => attributionParts.map((part) => row[part].verdict))).toEqual(
    Array.from({ length: 12 }, () => "undecided"),
  );
});

test("one band holds for all shares and budgets: the same number of standard errors everywhere", () => {
  const rows = playRows(24, 2);
  const widths = rows.flatMap((row) =>
    attributionParts.map((part) => {
      const { value, band, standardError = NaN } = row[part].estimate;
      return ((band?.upper ?? NaN) - value) / standardError;
    }),
  );
  for (const width of widths) expect(width).toBeCloseTo(widths[0], 8);
  expect(widths[0]).toBeGreaterThan(2.8);
});
