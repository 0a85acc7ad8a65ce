import fc from "fast-check";
import { expect, test } from "vitest";
import { betaCdf, betaQuantile, normalCdf, normalQuantile, studentTCdf, studentTQuantile } from "./distributions.js";

/** Returns the distance relative to the reference; absolute for a reference of 0. */
function distance(value: number, reference: number): number {
  return Math.abs(value - reference) / (Math.abs(reference) || 1);
}

// References: SciPy 1.17.
test.each([
  [-10, 7.61985302416047e-24],
  [-5, 2.866515718791933e-7],
  [-3.5, 0.00023262907903552502],
  [-3, 0.0013498980316300933],
  [-1, 0.15865525393145707],
  [-0.1, 0.460172162722971],
  [0, 0.5],
  [0.5, 0.6914624612740131],
  [6, 0.9999999990134123],
])("normalCdf(%f) is %f", (x, reference) => {
  expect(distance(normalCdf(x), reference)).toBeLessThan(1e-10);
});
test.each([
  [1e-300, -37.0470962993612],
  [1e-12, -7.034483825301131],
  [1e-5, -4.264890793922825],
  [0.025, -1.9599639845400545],
  [0.3, -0.5244005127080409],
  [0.5, 0],
  [0.9, 1.2815515655446004],
  [0.975, 1.959963984540054],
  [0.9999, 3.719016485455709],
])("normalQuantile(%f) is %f", (p, reference) => {
  expect(distance(normalQuantile(p), reference)).toBeLessThan(1e-10);
});
test.each([
  [-3, 1, 0.10241638234956672],
  [-0.01, 4, 0.49625007812294925],
  [2.5, 9, 0.9830690861585072],
  [-8, 30, 3.1329112378503795e-9],
  [1, 2000, 0.8412842609496284],
  [-1e-6, 5, 0.4999996203933102],
])("studentTCdf(%f, %f) is %f", (x, degrees, reference) => {
  expect(distance(studentTCdf(x, degrees), reference)).toBeLessThan(1e-10);
});
test.each([
  [0.975, 1, 12.706204736174694],
  [0.975, 4, 2.7764451051977934],
  [0.9, 9, 1.3830287383966329],
  [0.0005, 30, -3.645958635042021],
  [0.501, 2000, 0.0025069442499743902],
  [1e-9, 3, -1033.1096745038078],
])("studentTQuantile(%f, %f) is %f", (p, degrees, reference) => {
  expect(distance(studentTQuantile(p, degrees), reference)).toBeLessThan(1e-10);
});
test.each([
  [0.3, 0.5, 0.5, 0.36901011956554536],
  [0.01, 0.5, 64.5, 0.744225009651153],
  [0.5, 10, 10, 0.5],
  [0.9, 300, 40, 0.8447268042558698],
  [0.5, 5000, 5100, 0.8401528708121381],
  [1e-8, 0.5, 20, 0.0005014827187177444],
])("betaCdf(%f, %f, %f) is %f", (x, a, b, reference) => {
  expect(distance(betaCdf(x, a, b), reference)).toBeLessThan(1e-10);
});
test.each([
  [0.025, 0.5, 0.5, 0.001541333133436012],
  [0.975, 0.5, 64.5, 0.03834122889437085],
  [0.025, 3.5, 7.5, 0.09269459393815316],
  [0.975, 5000, 5100, 0.5048004549313769],
  [0.025, 0.5, 1000.5, 4.909116947944415e-7],
  [1e-6, 2, 3, 0.0004083594602042573],
])("betaQuantile(%f, %f, %f) is %f", (p, a, b, reference) => {
  expect(distance(betaQuantile(p, a, b), reference)).toBeLessThan(1e-10);
});

test("quantiles invert their distributions", () => {
  const probability = fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true });
  // Below 1 the density has a pole at an end, where neighbouring numbers differ by more than 1e-9 in probability.
  const shape = fc.double({ min: 1, max: 500, noNaN: true });
  fc.assert(
    fc.property(probability, shape, shape, (p, a, b) => {
      expect(betaCdf(betaQuantile(p, a, b), a, b)).toBeCloseTo(p, 9);
      expect(studentTCdf(studentTQuantile(p, a), a)).toBeCloseTo(p, 10);
      expect(normalCdf(normalQuantile(p))).toBeCloseTo(p, 12);
    }),
  );
});
test("distributions have their limits and refuse what is outside", () => {
  expect([normalQuantile(0), normalQuantile(1), studentTQuantile(0, 3), studentTQuantile(1, 3)]).toEqual([
    -Infinity,
    Infinity,
    -Infinity,
    Infinity,
  ]);
  expect([betaQuantile(0, 2, 3), betaQuantile(1, 2, 3), betaCdf(0, 2, 3), betaCdf(1, 2, 3)]).toEqual([0, 1, 0, 1]);
  expect(() => normalQuantile(1.5)).toThrow(RangeError);
  expect(() => betaCdf(0.5, 0, 1)).toThrow(RangeError);
  expect(() => studentTQuantile(0.5, -1)).toThrow(RangeError);
  expect(() => betaQuantile(Number.NaN, 1, 1)).toThrow(RangeError);
});
