import { expect, test } from "vitest";
import { makeTaskSuite } from "./task-suite.js";

const request = { split: "eval" as const, level: 1, taskCount: 5, seed: 1 };

test("makeTaskSuite() begins a larger suite with the smaller one", () => {
  const generate = (_: number, random: { nextInt(bound: number): number }) => ({ value: random.nextInt(1e6) });
  const small = makeTaskSuite("demo", request, 2, generate);
  expect(makeTaskSuite("demo", { ...request, taskCount: 9 }, 2, generate).slice(0, 5)).toEqual(small);
  expect(makeTaskSuite("demo", { ...request, seed: 2 }, 2, generate)).not.toEqual(small);
});
test("makeTaskSuite() says how many tasks there are when there are too few", () => {
  const generate = (_: number, random: { nextInt(bound: number): number }) => ({ value: random.nextInt(8) });
  expect(() => makeTaskSuite("demo", { ...request, taskCount: 9 }, 2, generate)).toThrow(
    /Cannot make 9 different "eval" tasks of env "demo" at level 1: found \d/,
  );
});
test.each([0, 3, 1.5])("makeTaskSuite() refuses level %d of 2", (level) => {
  expect(() => makeTaskSuite("demo", { ...request, level }, 2, () => ({}))).toThrow(/its levels are 1\.\.2/);
});
