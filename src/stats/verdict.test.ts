import { expect, test } from "vitest";
import { armsInterval, decideVerdict } from "./verdict.js";

test.each([
  { name: "gain above 0", lower: 0.001, upper: 0.2, verdict: "gain" },
  { name: "gain within the margin too", lower: 0.001, upper: 0.02, verdict: "gain" },
  { name: "loss below 0", lower: -0.2, upper: -0.001, verdict: "loss" },
  { name: "equivalent inside the margin", lower: -0.029, upper: 0.029, verdict: "equivalent" },
  { name: "undecided on the margin", lower: -0.01, upper: 0.03, verdict: "undecided" },
  { name: "undecided when 0 is an end", lower: 0, upper: 0.2, verdict: "undecided" },
  { name: "undecided when wide", lower: -0.1, upper: 0.1, verdict: "undecided" },
])("decideVerdict() says $name", ({ lower, upper, verdict }) => {
  expect(decideVerdict({ lower, upper }, 0.03, { standardError: 0.01, unitCount: 50 })).toBe(verdict);
});
test("decideVerdict() never says equivalent from zero observed variance alone", () => {
  const point = { lower: 0, upper: 0 };
  expect(decideVerdict(point, 0.03, { standardError: 0, unitCount: 50 })).toBe("undecided");
  expect(decideVerdict(point, 0.03, { standardError: 0, unitCount: 50, arms: armsInterval(0, 0, 20) })).toBe(
    "undecided",
  );
  expect(decideVerdict(point, 0.03, { standardError: 0, unitCount: 50, arms: armsInterval(0, 0, 1000) })).toBe(
    "equivalent",
  );
});
test("decideVerdict() calls an all-or-nothing difference a gain when the arms support it, and not on one task", () => {
  const point = { lower: 1, upper: 1 };
  expect(decideVerdict(point, 0.03, { standardError: 0, unitCount: 50, arms: armsInterval(0, 1, 20) })).toBe("gain");
  expect(decideVerdict(point, 0.03, { standardError: 0, unitCount: 50, arms: armsInterval(0, 1, 1) })).toBe(
    "undecided",
  );
});
test("armsInterval() of 0/20 against 0/20 leaves 13.9 points open per arm, 95 % one-sided", () => {
  const { lower, upper } = armsInterval(0, 0, 20, 0.9);
  expect(upper).toBeCloseTo(0.139, 3);
  expect(lower).toBeCloseTo(-0.139, 3);
});
test("decideVerdict() refuses a margin of 0 and bounds in the wrong order", () => {
  expect(() => decideVerdict({ lower: 0, upper: 1 }, 0, { standardError: 1, unitCount: 50 })).toThrow(RangeError);
  expect(() => decideVerdict({ lower: 1, upper: 0 }, 0.03, { standardError: 1, unitCount: 50 })).toThrow(RangeError);
});

test("decideVerdict() takes an end within rounding of 0 as 0", () => {
  expect(decideVerdict({ lower: 2.8e-17, upper: 0.5 }, 0.03, { standardError: 0.1, unitCount: 50 })).toBe("undecided");
  expect(decideVerdict({ lower: -0.4, upper: -5.6e-17 }, 0.03, { standardError: 0.1, unitCount: 50 })).toBe(
    "undecided",
  );
});

test("decideVerdict() gives no verdict on fewer than ten tasks or families, however clear the interval", () => {
  const clear = { lower: 0.2, upper: 0.6 };
  expect(decideVerdict(clear, 0.03, { standardError: 0.1, unitCount: 9 })).toBe("undecided");
  expect(decideVerdict(clear, 0.03, { standardError: 0.1, unitCount: 10 })).toBe("gain");
  expect(decideVerdict(clear, 0.03, { standardError: 0, unitCount: 9, arms: clear })).toBe("undecided");
});
