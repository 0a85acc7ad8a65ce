import fc from "fast-check";
import { expect, test } from "vitest";
import { createRandom } from "../../core/index.js";
import { expectBestOf, measureDivergence, type SignalReturn } from "./reward-divergence.js";
import { drawUnits } from "./task-draws.js";

const draws = drawUnits(60, { seed: 1, replicates: 200, level: 0.95 });

test.each([
  { name: "one episode is the mean", n: 1, value: { success: 0.5, sum: 1.5 } },
  { name: "two keep the larger sum", n: 2, value: { success: 5 / 6, sum: 14 / 6 } },
  { name: "all keep the largest", n: 4, value: { success: 1, sum: 3 } },
  { name: "more than there are is undefined", n: 5, value: undefined },
])("expectBestOf() of $name", ({ n, value }) => {
  const episodes = [0, 1, 2, 3].map((sum) => ({ sum, success: sum >= 2 }));
  const found = expectBestOf(episodes, n);
  if (value === undefined) expect(found).toBeUndefined();
  else {
    expect(found?.success).toBeCloseTo(value.success, 12);
    expect(found?.sum).toBeCloseTo(value.sum, 12);
  }
});

test("expectBestOf() is the mean over every choice of n", () => {
  const lists = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.boolean()), { minLength: 3, maxLength: 6 });
  fc.assert(
    fc.property(lists, (list) => {
      const episodes = list.map(([sum, success]) => ({ sum, success }));
      let success = 0;
      let triples = 0;
      for (let i = 0; i < episodes.length; i += 1)
        for (let j = 0; j < i; j += 1)
          for (let k = 0; k < j; k += 1) {
            const kept = [episodes[i], episodes[j], episodes[k]];
            const top = Math.max(...kept.map(({ sum }) => sum));
            const best = kept.filter(({ sum }) => sum === top);
            triples += 1;
            success += best.filter((one) => one.success).length / best.length;
          }
      // Ties inside a choice are kept alike over all tied episodes of the task, which is the same on average.
      expect(expectBestOf(episodes, 3)?.success).toBeCloseTo(success / triples, 10);
    }),
  );
});

function sketch(read: (success: boolean, noise: number) => number): SignalReturn[] {
  const random = createRandom(2, "divergence test");
  return Array.from({ length: 60 * 8 }, (_unused, i) => {
    const success = random.next() < 0.5;
    return { unit: i % 60, task: i % 60, success, sum: read(success, random.nextNormal()) };
  });
}

test.each([
  {
    name: "a signal that follows success",
    read: (success: boolean, noise: number) => (success ? 1 : 0) + noise,
    verdict: "gain",
    diverges: false,
  },
  {
    name: "a signal that runs against it",
    read: (success: boolean, noise: number) => (success ? -1 : 0) + noise,
    verdict: "loss",
    diverges: true,
  },
])("measureDivergence() of $name says $verdict", ({ read, verdict, diverges }) => {
  const found = measureDivergence("s", sketch(read), { draws, unitCount: 60 });
  expect(found?.curve.map(({ n }) => n)).toEqual([1, 2, 4, 8]);
  expect(found?.verdict).toBe(verdict);
  expect(found?.diverges).toBe(diverges);
  const sums = (found?.curve ?? []).map(({ signal }) => signal?.value ?? NaN);
  expect(sums).toEqual([...sums].sort((a, b) => a - b));
});

test("measureDivergence() is undefined where no task has two episodes, and ranks infinite sums without averaging them", () => {
  const pair = [
    { unit: 0, task: 0, sum: 1, success: true },
    { unit: 0, task: 0, sum: -Infinity, success: false },
  ];
  expect(measureDivergence("s", pair.slice(1), { draws, unitCount: 60 })).toBeUndefined();
  const found = measureDivergence("s", pair, { draws, unitCount: 60 });
  expect(found?.agreement?.value).toBe(1);
  expect(found?.curve.map(({ n, signal, success }) => [n, signal?.value, success.value])).toEqual([
    [1, undefined, 0.5],
    [2, 1, 1],
  ]);
});
