import { expect, test } from "vitest";
import { enumerateOutcomes } from "./outcomes.js";

test("enumerateOutcomes() runs a step without draws once", () => {
  expect(enumerateOutcomes(() => "same")).toEqual([{ probability: 1, value: "same" }]);
});
test("enumerateOutcomes() follows draws that depend on earlier draws", () => {
  const outcomes = enumerateOutcomes((random) =>
    random.nextInt(3) === 0 ? "stop" : `go ${random.pick(["left", "right"])}`,
  );
  expect(outcomes.map(({ value }) => value)).toEqual(["stop", "go left", "go right", "go left", "go right"]);
  expect(outcomes.map(({ probability }) => probability)).toEqual([1 / 3, 1 / 6, 1 / 6, 1 / 6, 1 / 6]);
});
test("enumerateOutcomes() finds every order of a shuffle once", () => {
  const orders = enumerateOutcomes((random) => random.shuffle([1, 2, 3, 4]).join("")).map(({ value }) => value);
  expect(new Set(orders).size).toBe(24);
  expect(orders).toHaveLength(24);
});
test("enumerateOutcomes() refuses draws from a continuous range", () => {
  expect(() => enumerateOutcomes((random) => random.next())).toThrow(RangeError);
});
