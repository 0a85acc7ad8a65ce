import { expect, test } from "vitest";
import { createMetricLog } from "./metric-log.js";

test("createMetricLog() numbers rows from 1, tags what JSON cannot write and knows common metrics by name", () => {
  const log = createMetricLog({ loss: [0.5, NaN, undefined], own: [1, 2, Infinity] });
  expect(log.columns).toEqual([{ name: "loss", metric: "loss" }, { name: "own" }]);
  expect(log.rows).toEqual([
    { updateIndex: 1, line: 1, values: [0.5, 1] },
    { updateIndex: 2, line: 2, values: [{ $number: "NaN" }, 2] },
    { updateIndex: 3, line: 3, values: [undefined, { $number: "Infinity" }] },
  ]);
});

test("createMetricLog() refuses columns of different lengths", () => {
  expect(() => createMetricLog({ loss: [1, 2], kl: [1] })).toThrow('"kl" has 1 values, not 2');
});
