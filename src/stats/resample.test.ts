import { expect, test } from "vitest";
import { createRandom } from "../core/index.js";
import { chooseKernel, resampleMeans } from "./resample.js";
import { createSimdKernel } from "./simd-kernel.js";
import { createPortableKernel } from "./tile-kernel.js";
import { collectUnits } from "./units.js";

function makeUnits(taskCount: number, cellCount: number, clusters?: number[]) {
  const random = createRandom(4, "resample");
  const values = Float64Array.from({ length: taskCount * cellCount }, () => random.next() - 0.3);
  return collectUnits({ values, taskCount, cellCount, clusters });
}

test.each([
  { taskCount: 1, cellCount: 1, replicates: 100 },
  { taskCount: 37, cellCount: 6, replicates: 128 },
  { taskCount: 200, cellCount: 13, replicates: 131 },
])("the vector kernel gives the bytes of the portable one: $taskCount x $cellCount x $replicates", (shape) => {
  const { taskCount, cellCount, replicates } = shape;
  const units = makeUnits(taskCount, cellCount);
  const simd = createSimdKernel(taskCount, 8, Math.ceil(cellCount / 6));
  expect(simd).toBeDefined(); // every supported Node has vectors
  const portable = createPortableKernel(taskCount, 8, Math.ceil(cellCount / 6));
  expect(resampleMeans(units, replicates, 1, simd)).toEqual(resampleMeans(units, replicates, 1, portable));
});
test("createSimdKernel() leaves what does not fit its memory to the portable kernel", () => {
  expect(createSimdKernel(2 ** 26, 8, 16)).toBeUndefined();
});
test("chooseKernel() takes the vector kernel for large jobs only: its memory is one WebAssembly page or more", () => {
  const units = makeUnits(100, 6);
  const isShared = (replicates: number): boolean => {
    const { tile, panels } = chooseKernel(units, replicates);
    return tile.buffer === panels.buffer;
  };
  expect([isShared(100), isShared(100_000)]).toEqual([false, true]);
});
test("resampleMeans() of the first replicates does not depend on how many follow", () => {
  const units = makeUnits(50, 2);
  const few = resampleMeans(units, 100, 1);
  const many = resampleMeans(units, 1000, 1);
  expect(few.slice(0, 100)).toEqual(many.slice(0, 100));
  expect(few.slice(100)).toEqual(many.slice(1000, 1100));
});
test("resampleMeans() draws every unit equally often", () => {
  const taskCount = 7;
  const values = Float64Array.from({ length: taskCount * taskCount }, (_, i) => (i % (taskCount + 1) === 0 ? 1 : 0));
  const replicates = 20_000;
  const means = resampleMeans(collectUnits({ values, taskCount, cellCount: taskCount }), replicates, 1);
  for (let unit = 0; unit < taskCount; unit += 1) {
    const share = means.subarray(unit * replicates, (unit + 1) * replicates);
    const mean = share.reduce((sum, value) => sum + value, 0) / replicates;
    // The count of a unit is Binomial(7, 1/7): a standard error of .00094 for its share.
    expect(Math.abs(mean - 1 / taskCount)).toBeLessThan(0.004);
    const variance = share.reduce((sum, value) => sum + (value - mean) ** 2, 0) / replicates;
    expect(Math.abs(variance - ((1 / 7) * (6 / 7)) / 7)).toBeLessThan(0.001);
  }
});
test("resampleMeans() divides by the tasks drawn, whatever the sizes of families", () => {
  const clusters = [0, 0, 0, 0, 1, 2];
  const ones = collectUnits({ values: [1, 1, 1, 1, 1, 1], taskCount: 6, cellCount: 1, clusters });
  expect([...new Set(resampleMeans(ones, 200, 1))]).toEqual([1]);
  const first = collectUnits({ values: [1, 1, 1, 1, 0, 0], taskCount: 6, cellCount: 1, clusters });
  // Three draws of families with 4, 1 and 1 tasks: j draws of the first give 4j / (4j + 3 - j).
  expect([...new Set(resampleMeans(first, 2000, 1))].toSorted((a, b) => a - b)).toEqual([0, 4 / 6, 8 / 9, 1]);
});
