import fc from "fast-check";
import { expect, test } from "vitest";
import { planMicroBatches } from "./micro-batches.js";

const plan = (lengths: readonly number[], contextLength: number, maxTokens: number) =>
  planMicroBatches(
    lengths.map((length) => ({ ids: Array.from<number>({ length }) })),
    contextLength,
    maxTokens,
  );

test("planMicroBatches() puts rows of like length together, shortest first", () => {
  expect(plan([120, 9, 128, 10, 121], 128, 256)).toEqual([
    { rows: [1, 3], time: 16 },
    { rows: [0, 4], time: 120 },
    { rows: [2], time: 128 },
  ]);
});

test("planMicroBatches() places every row that predicts anything once, within the bounds", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 40 }),
      fc.integer({ min: 1, max: 2000 }),
      (lengths, maxTokens) => {
        const batches = plan(lengths, 100, maxTokens);
        const rows = batches.flatMap((batch) => batch.rows).sort((a, b) => a - b);
        expect(rows).toEqual(lengths.flatMap((length, row) => (length > 1 ? [row] : [])));
        for (const batch of batches) {
          expect(batch.time).toBeLessThanOrEqual(100);
          expect(batch.rows.length === 1 || batch.rows.length * batch.time <= maxTokens).toBe(true);
          for (const row of batch.rows) expect(lengths[row] - 1).toBeLessThanOrEqual(batch.time);
        }
      },
    ),
  );
});
