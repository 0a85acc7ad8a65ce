import { expect, test } from "vitest";
import { computeCost } from "./price.js";

const price = { promptPerMillion: 2, completionPerMillion: 8, cachedPerMillion: 0.5 };
test.each([
  { name: "adds prompt and completion", usage: { promptTokens: 1_000_000, completionTokens: 500_000 }, cost: 6 },
  {
    name: "charges cached tokens at their price",
    usage: { promptTokens: 1_000_000, completionTokens: 0, cachedTokens: 400_000 },
    cost: 1.4,
  },
  {
    name: "never counts more cached tokens than the prompt has",
    usage: { promptTokens: 100_000, completionTokens: 0, cachedTokens: 400_000 },
    cost: 0.05,
  },
  { name: "does not know the cost without a count", usage: { promptTokens: 10 }, cost: undefined },
])("computeCost() $name", ({ usage, cost }) => {
  const actual = computeCost(usage, price);
  if (cost === undefined) expect(actual).toBeUndefined();
  else expect(actual).toBeCloseTo(cost, 12);
});
test("computeCost() charges cached tokens in full when they have no price", () => {
  const { cachedPerMillion: _unused, ...plain } = price;
  expect(computeCost({ promptTokens: 1_000_000, completionTokens: 0, cachedTokens: 1_000_000 }, plain)).toBe(2);
});
