import fc from "fast-check";
import { expect, test } from "vitest";
import { createCounterRandom, drawToken } from "./draw-token.js";

const logits = Float32Array.of(Math.log(0.5), Math.log(0.3), Math.log(0.15), Math.log(0.05));
const all = [0, 1, 2, 3];
const plain = { temperature: 1, topP: 1 };

test.each([
  { chance: 0, id: 0 },
  { chance: 0.49, id: 0 },
  { chance: 0.51, id: 1 },
  { chance: 0.81, id: 2 },
  { chance: 0.999, id: 3 },
])("drawToken() takes $id at $chance", ({ chance, id }) => {
  const drawn = drawToken(logits, all, plain, chance);
  expect(drawn.id).toBe(id);
  expect(drawn.logProb).toBeCloseTo(logits[id], 6);
});

test("drawToken() draws from the allowed ids alone and renormalises", () => {
  const { id, logProb, allowed } = drawToken(logits, [1, 3], plain, 0.86);
  expect([id, allowed]).toEqual([3, [1, 3]]);
  expect(logProb).toBeCloseTo(Math.log(1 / 7), 6);
});

test("drawToken() takes the most likely id at temperature 0, the first of equals, with its probability at 1", () => {
  const { id, logProb } = drawToken(logits, [3, 2, 1], { temperature: 0, topP: 0.5 }, 0.99);
  expect([id, logProb]).toEqual([1, expect.closeTo(Math.log(0.6), 6)]);
  expect(drawToken(new Float32Array(4), all, { temperature: 0, topP: 1 }, 0.9).id).toBe(0);
});

test("top-p keeps the fewest likely ids that reach it, and they are what was allowed", () => {
  const draw = (topP: number) => drawToken(logits, [3, 2, 1, 0], { temperature: 1, topP }, 0.999);
  expect(draw(0.79).allowed).toEqual([1, 0]);
  expect(draw(0.79).logProb).toBeCloseTo(Math.log(0.5 / 0.8), 6);
  expect(draw(0.9).allowed).toEqual([2, 1, 0]);
  expect(draw(1e-9).allowed).toEqual([0]);
});

test("a temperature sharpens or flattens", () => {
  expect(drawToken(logits, all, { temperature: 0.5, topP: 1 }, 0).logProb).toBeCloseTo(Math.log(0.25 / 0.365), 5);
  expect(drawToken(logits, all, { temperature: 1e6, topP: 1 }, 0).logProb).toBeCloseTo(Math.log(0.25), 5);
});

test("an id whose weight underflows is never drawn, not even at the end", () => {
  expect(drawToken(Float32Array.of(0, -3e38), [0, 1], plain, 1 - 2 ** -53).id).toBe(0);
});

test("createCounterRandom() gives the same numbers in any order, and others for other seeds and positions", () => {
  const [first, second] = [createCounterRandom(5), createCounterRandom(5)];
  const forward = [0, 1, 2, 3].map(first);
  expect([3, 2, 1, 0].map(second).reverse()).toEqual(forward);
  const many = Array.from({ length: 300 }, (_, seed) =>
    Array.from({ length: 30 }, (_unused, at) => createCounterRandom(seed)(at)),
  );
  expect(new Set(many.flat()).size).toBe(9000);
});

test("createCounterRandom() is even over positions of one seed and over seeds at one position", () => {
  const random = createCounterRandom(1);
  const samples = {
    positions: Array.from({ length: 20_000 }, (_, at) => random(at)),
    seeds: Array.from({ length: 20_000 }, (_, seed) => createCounterRandom(seed)(7)),
  };
  for (const values of Object.values(samples)) {
    const counts = Array.from<number>({ length: 20 }).fill(0);
    for (const value of values) counts[Math.floor(value * 20)] += 1;
    const chiSquare = counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    expect(chiSquare).toBeLessThan(50); // 19 degrees of freedom: beyond 50 once in 7,000 seeds
    // Neighbours are not correlated: standard error 1 / sqrt(20,000).
    const products = values.slice(1).map((value, index) => 12 * (value - 0.5) * (values[index] - 0.5));
    expect(Math.abs(products.reduce((sum, product) => sum + product, 0) / products.length)).toBeLessThan(0.03);
  }
});

test("drawToken() draws each id as often as its probability", () => {
  const random = createCounterRandom(3);
  const counts = [0, 0, 0, 0];
  for (let at = 0; at < 20_000; at += 1) counts[drawToken(logits, all, plain, random(at)).id] += 1;
  [0.5, 0.3, 0.15, 0.05].forEach((share, id) => expect(Math.abs(counts[id] / 20_000 - share)).toBeLessThan(0.015));
});

test("the log-probability is that of the renormalised distribution, whatever the options", () => {
  const options = fc.record({
    temperature: fc.double({ min: 0.2, max: 3, noNaN: true }),
    topP: fc.double({ min: 0.1, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(
      fc.array(fc.float({ min: -8, max: 8, noNaN: true }), { minLength: 1, maxLength: 9 }),
      options,
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (list, how, chance) => {
        const { id, logProb, allowed } = drawToken(
          Float32Array.from(list),
          list.map((_, at) => at),
          how,
          chance,
        );
        expect(allowed).toContain(id);
        const weights = allowed.map((each) => Math.exp(Math.fround(list[each]) / how.temperature));
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        expect(logProb).toBeCloseTo(Math.log(weights[allowed.indexOf(id)] / total), 5);
      },
    ),
  );
});
