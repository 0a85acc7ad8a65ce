import fc from "fast-check";
import { expect, test } from "vitest";
import { gPassAtK, meanGPassAtK, passAtK, passHatK } from "./pass-at-k.js";

// Golden values of statistics.md 1.5.
test.each([
  { name: "passAtK(10,3,5)", value: passAtK(10, 3, 5), golden: 0.916667 },
  { name: "passAtK(64,1,32)", value: passAtK(64, 1, 32), golden: 0.5 },
  { name: "passAtK(8,2,3)", value: passAtK(8, 2, 3), golden: 0.642857 },
  { name: "passHatK(10,3,2)", value: passHatK(10, 3, 2), golden: 0.066667 },
  { name: "passHatK(8,6,4)", value: passHatK(8, 6, 4), golden: 0.214286 },
  { name: "gPassAtK(16,8,4,.5)", value: gPassAtK(16, 8, 4, 0.5), golden: 0.715385 },
  { name: "gPassAtK(16,8,4,.75)", value: gPassAtK(16, 8, 4, 0.75), golden: 0.284615 },
  { name: "gPassAtK(16,8,4,1)", value: gPassAtK(16, 8, 4, 1), golden: 0.038462 },
  { name: "meanGPassAtK(16,8,4)", value: meanGPassAtK(16, 8, 4), golden: 0.161538 },
  { name: "meanGPassAtK(16,12,8)", value: meanGPassAtK(16, 12, 8), golden: 0.5 },
])("$name is $golden", ({ value, golden }) => {
  expect(value).toBeCloseTo(golden, 6);
});

/** The chance of j successes in n draws with replacement from n rollouts of which c succeeded. */
function bootstrapChance(n: number, c: number, j: number): number {
  let chance = 1;
  for (let i = 1; i <= j; i += 1) chance *= ((n - j + i) / i) * (c / n);
  return chance * (1 - c / n) ** (n - j);
}

// statistics.md 1.4: why tasks are resampled and rollouts are not. The expectation over rollout resamples is exact here.
test.each([
  { n: 64, c: 1, k: 64, estimate: 1, resampled: 0.635 },
  { n: 64, c: 1, k: 32, estimate: 0.5, resampled: 0.3959 },
  { n: 64, c: 4, k: 32, estimate: 0.9434, resampled: 0.8732 },
  { n: 16, c: 2, k: 8, estimate: 0.7667, resampled: 0.6564 },
  { n: 64, c: 8, k: 8, estimate: 0.6791, resampled: 0.6564 },
  { n: 64, c: 16, k: 4, estimate: 0.6938, resampled: 0.6836 },
])("resampling rollouts would turn pass@$k of $c in $n from $estimate to $resampled", (row) => {
  const { n, c, k, estimate, resampled } = row;
  let mean = 0;
  for (let j = 0; j <= n; j += 1) mean += bootstrapChance(n, c, j) * passAtK(n, j, k);
  expect(passAtK(n, c, k)).toBeCloseTo(estimate, 4);
  expect(mean).toBeCloseTo(resampled, 4);
});

const counts = fc
  .integer({ min: 1, max: 200 })
  .chain((n) => fc.record({ n: fc.constant(n), c: fc.integer({ min: 0, max: n }), k: fc.integer({ min: 1, max: n }) }));

test("passAtK() never falls with k or with successes and stays in [0, 1]", () => {
  fc.assert(
    fc.property(counts, ({ n, c, k }) => {
      const value = passAtK(n, c, k);
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1);
      if (k < n) expect(passAtK(n, c, k + 1)).toBeGreaterThanOrEqual(value - 1e-12);
      if (c < n) expect(passAtK(n, c + 1, k)).toBeGreaterThanOrEqual(value - 1e-12);
    }),
  );
});
test("passAtK() is the success rate at k = 1 and any-success at k = n", () => {
  fc.assert(
    fc.property(counts, ({ n, c }) => {
      expect(passAtK(n, c, 1)).toBeCloseTo(c / n, 12);
      expect(passAtK(n, c, n)).toBe(c > 0 ? 1 : 0);
    }),
  );
});
test("passAtK() of successes is one minus passHatK() of failures", () => {
  fc.assert(
    fc.property(counts, ({ n, c, k }) => {
      expect(passAtK(n, c, k)).toBeCloseTo(1 - passHatK(n, n - c, k), 10);
    }),
  );
});
test("gPassAtK() runs from pass@k at tau 0 down to pass^k at tau 1", () => {
  fc.assert(
    fc.property(counts, fc.double({ min: 0, max: 1, noNaN: true }), ({ n, c, k }, tau) => {
      const value = gPassAtK(n, c, k, tau);
      expect(gPassAtK(n, c, k, 0)).toBeCloseTo(passAtK(n, c, k), 9);
      expect(gPassAtK(n, c, k, 1)).toBeCloseTo(passHatK(n, c, k), 9);
      expect(value).toBeLessThanOrEqual(passAtK(n, c, k) + 1e-9);
      expect(value).toBeGreaterThanOrEqual(passHatK(n, c, k) - 1e-9);
    }),
  );
});
test("passAtK() is unbiased: its mean over binomial counts is 1 - (1 - p)^k", () => {
  for (const [n, k] of [
    [8, 3],
    [16, 16],
    [5, 1],
  ]) {
    let mean = 0;
    // n draws with replacement from 10 with 3 successes are n Bernoulli(.3) rollouts.
    for (let c = 0; c <= n; c += 1) mean += binomial(n, c, 0.3) * passAtK(n, c, k);
    expect(mean).toBeCloseTo(1 - 0.7 ** k, 12);
  }
});
function binomial(n: number, c: number, p: number): number {
  let chance = (1 - p) ** (n - c);
  for (let i = 1; i <= c; i += 1) chance *= ((n - c + i) / i) * p;
  return chance;
}
test("passAtK() of runs cut at T never falls with T when success is absorbing", () => {
  const solvedAt = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 20 }); // past 10: never solved
  fc.assert(
    fc.property(solvedAt, fc.nat(), (turns, pick) => {
      const k = 1 + (pick % turns.length);
      const curve = Array.from({ length: 10 }, (_, i) =>
        passAtK(turns.length, turns.filter((turn) => turn <= i + 1).length, k),
      );
      curve.slice(1).forEach((value, i) => expect(value).toBeGreaterThanOrEqual(curve[i] - 1e-12));
    }),
  );
});
test("gPassAtK() rounds .28 of 25 up to 7, not to 8", () => {
  expect(0.28 * 25).toBeGreaterThan(7); // what makes the tolerance necessary
  expect(gPassAtK(25, 7, 25, 0.28)).toBe(1);
  expect(gPassAtK(25, 6, 25, 0.28)).toBe(0);
});
test.each([
  { name: "k above n", act: () => passAtK(4, 2, 5) },
  { name: "k of 0", act: () => passAtK(4, 2, 0) },
  { name: "more successes than rollouts", act: () => passAtK(4, 5, 1) },
  { name: "no rollout", act: () => passAtK(0, 0, 1) },
  { name: "a fraction of a success", act: () => passAtK(4, 0.5, 1) },
  { name: "pass^k with k above n", act: () => passHatK(4, 2, 5) },
  { name: "G-Pass@k with k above n", act: () => gPassAtK(4, 2, 5, 0.5) },
  { name: "G-Pass@k with tau above 1", act: () => gPassAtK(4, 2, 2, 1.1) },
  { name: "mG-Pass@k with k above n", act: () => meanGPassAtK(4, 2, 5) },
])("the pass@k family refuses $name", ({ act }) => {
  expect(act).toThrow(RangeError);
});
