import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluateExpression, listNames, parseExpression } from "./expression.js";
import type { ExpressionValue } from "./expression-value.js";

function compute(source: string, values: { readonly [name: string]: ExpressionValue } = {}): ExpressionValue {
  return evaluateExpression(parseExpression(source), (name) => values[name]);
}

test.each([
  ["1 + 2 * 3", 7],
  ["(1 + 2) * 3", 9],
  ["-2 - -3", 1],
  ["8 / 2 / 2", 2],
  ["b - a", 0.25],
  ["[a, b]", [0.5, 0.75]],
  ["count(list)", 4],
  ["mean(list)", 2.5],
  ["median([1, 9, 2])", 2],
  ["quantile(list, 0.25)", 1.75],
  ["std(list) * std(list)", 5 / 3],
  ["sem([1, 3])", 1],
  ["max(a, b, 0.1)", 0.75],
  ["pass_at_k(10, 3, 5)", 0.9166666666666666],
  ["a < b and not b < a", true],
  ["all(list >= 1)", true],
  ["any(list > 4)", false],
  ["rank(3, list)", 2],
  ["'x' == \"x\"", true],
  ["sum(list == 2)", 1],
] as const)("%s is %j", (source, expected) => {
  const found = compute(source, { a: 0.5, b: 0.75, list: [1, 2, 3, 4] });
  if (typeof expected === "number") expect(found).toBeCloseTo(expected, 12);
  else expect(found).toEqual(expected);
});

test("wilson() gives the published interval of 3 in 10", () => {
  const [lower, upper] = compute("wilson(3, 10)") as readonly number[]; // an interval is two numbers
  expect(lower).toBeCloseTo(0.10779, 5);
  expect(upper).toBeCloseTo(0.60322, 5);
});

test("bootstrap() gives the same interval for the same seed, around the mean", () => {
  const source = "bootstrap([0, 1, 1, 0, 1, 1, 0, 1], 7)";
  expect(compute(source)).toEqual(compute(source));
  const [lower, upper] = compute(source) as readonly number[]; // an interval is two numbers
  expect(lower).toBeLessThan(0.625);
  expect(upper).toBeGreaterThan(0.625);
});

test.each([
  ["1 +", 'column 4: a value is missing before "the end"'],
  ["foo(1)", 'there is no function "foo"'],
  ["1 2", 'column 3: "2" is left over'],
  ["[1, 2", '"]" is missing before "the end"'],
  ["a @ b", '"@" means nothing here'],
  [`${"(".repeat(100)}1${")".repeat(100)}`, "nested deeper than 60"],
  ["-".repeat(3000), "more than 2000"],
])("%s is refused with the place", (source, message) => {
  expect(() => parseExpression(source)).toThrow(message);
});

test.each([
  ["missing + 1", 'there is no value "missing"'],
  ["mean([])", "nothing was selected"],
  ["mean(3)", "it needs a list and found 3"],
  ["'a' + 1", 'it needs a number and found the text "a"'],
  ["[1] + [1, 2]", "lists of 1 and 2 items"],
  ["1 and true", "it needs true or false and found 1"],
  ["wilson(5)", "wilson() of 1 argument"],
  ["pass_at_k(3, 1, 9)", "k"],
  ["quantile([1], 3)", "probability must be in [0, 1]"],
])("%s fails with a reason", (source, message) => {
  expect(() => compute(source)).toThrow(message);
});

interface Sum {
  readonly source: string;
  readonly value: number;
}

const operators = {
  "+": (x: number, y: number) => x + y,
  "-": (x: number, y: number) => x - y,
  "*": (x: number, y: number) => x * y,
  "/": (x: number, y: number) => x / y,
};

test("arithmetic agrees with the language's own on random expressions", () => {
  const sign = fc.constantFrom<keyof typeof operators>("+", "-", "*", "/");
  const { node } = fc.letrec<{ node: Sum }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      fc.integer({ min: 1, max: 99 }).map((value): Sum => ({ source: String(value), value })),
      fc.tuple(tie("node"), sign, tie("node")).map(([x, operator, y]): Sum => ({
        source: `(${x.source} ${operator}${y.source})`,
        value: operators[operator](x.value, y.value),
      })),
    ),
  }));
  fc.assert(
    fc.property(node, ({ source, value }) => {
      expect(compute(source)).toBe(value);
    }),
  );
});

test.each([
  ["2 - 3 * 4 - 5", -15],
  ["12 / 2 * 3", 18],
  ["1 + 2 < 4 == true", true],
])("%s binds as usual", (source, expected) => {
  expect(compute(source)).toBe(expected);
});

test("any text is parsed or refused, and never anything else", () => {
  fc.assert(
    fc.property(fc.string(), (source) => {
      try {
        listNames(parseExpression(source));
      } catch (error) {
        expect(error).toMatchObject({ name: "TurnwiseError" });
      }
    }),
  );
});
