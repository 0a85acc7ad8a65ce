import { expect, test } from "vitest";
import fc from "fast-check";
import { flattenTex, parseTex } from "./parse-tex.js";
import { splitRelations } from "./relations.js";
import { areSidesEqual, evaluateTex } from "./evaluate-tex.js";
import { findCollisions } from "./binders.js";

test.each([
  ["a_{i", ['A "{" is never closed']],
  ["a}", ['A "}" has no "{"']],
  ["\\left( x", ["\\left( has no \\right"]],
  ["x \\right)", ["\\right) has no \\left"]],
  ["\\frac{\\left(a}{b\\right)}", ["\\left( has no \\right", "\\right) has no \\left"]],
  ["\\begin{aligned} a", ["\\begin{aligned} has no \\end{aligned}"]],
  ["\\end{cases}", ["\\end{cases} closes nothing"]],
  ["\\left\\{ x \\right.", []],
  ["\\text{kv\\_cache {x}} \\{ a \\}", []],
  ["x_", ['A "_" has nothing to set']],
  ["\\begin{cases} a & \\text{if } b \\\\[4pt] c \\end{cases}", []],
])("faults of %s", (tex, messages) => {
  expect(parseTex(tex).faults.map(({ message }) => message)).toEqual(messages);
});

test("parseTex() never throws", () => {
  const piece = fc.constantFrom(
    "\\left",
    "\\right",
    "(",
    "{",
    "}",
    "\\begin{a}",
    "\\end{a}",
    "_",
    "^",
    "\\text{",
    "1,000",
    "\\\\",
    "$",
    "x",
    "\\",
  );
  const tex = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(""));
  expect(() => fc.assert(fc.property(tex, (text) => void flattenTex(parseTex(text).nodes)))).not.toThrow();
});

test.each([
  ["a = b \\approx c", [["a", "b", "c"]]],
  ["x_{i=1} = f(a=b)", [["x_{i=1}", "f(a=b)"]]],
  ["\\begin{aligned} a &= b \\\\ &= c \\end{aligned}", [["a", "b", "c"]]],
  [
    "a = 1, \\quad b = 2",
    [
      ["a", "1"],
      ["b", "2"],
    ],
  ],
  ["\\boxed{a = b}", [["a", "b"]]],
])("splitRelations() splits %s", (tex, sides) => {
  const split = splitRelations(parseTex(tex).nodes).map((statement) =>
    statement.map(({ nodes }) => flattenTex(nodes)).filter((side) => side !== ""),
  );
  expect(split).toEqual(sides);
});

test.each([
  ["32{,}768 \\times 2", 65536],
  ["1{,}000{,}000", 1e6],
  ["12,288", 12288],
  ["2^{10}", 1024],
  ["1.5 \\times 10^{-3}", 0.0015],
  ["3e-4", 0.0003],
  ["\\frac{1}{4} + \\sqrt{4}", 2.25],
  ["2(3+4)/7", 2],
  ["-2^2", -4],
  ["50\\% + 25\\%", 0.75],
  ["\\log_2 8", 3],
  ["e^{0}", 1],
  ["5!", 120],
  ["2 x", undefined],
  ["1, 2", undefined],
  ["\\log 8", undefined],
  ["80 \\text{GB}", undefined],
])("evaluateTex() of %s", (tex, value) => {
  const found = evaluateTex(parseTex(tex).nodes)?.value;
  if (value === undefined) expect(found).toBeUndefined();
  else expect(found).toBeCloseTo(value, 9);
});

test.each([
  ["1/3", "0.33", "=", true],
  ["1/3", "0.34", "=", false],
  ["2 \\times 3", "7", "=", false],
  ["80 \\times 4096 \\times 2", "655{,}360", "=", true],
  ["1000/3", "300", "\\approx", true],
  ["7/3", "2", "\\approx", true],
  ["655{,}360", "0.66 \\times 10^6", "\\approx", true],
  ["10/4", "3.5", "\\approx", false],
])("%s and %s agree under %s: %s", (left, right, sign, agrees) => {
  const [a, b] = [evaluateTex(parseTex(left).nodes), evaluateTex(parseTex(right).nodes)];
  if (a === undefined || b === undefined) throw new Error("Both sides must be numeric");
  expect(areSidesEqual(a, b, sign !== "=")).toBe(agrees);
});

test.each([
  ["p(x)\\log\\frac{p(x)}{q(x)} = \\mathbb{E}_{x \\sim p}[\\log p(x)]", []],
  ["\\frac{e^{x_i}}{\\sum_{i} e^{x_i}}", ["i:free"]],
  ["\\frac{e^{x_i}}{\\sum_{j} e^{x_j}}", []],
  ["\\sum_i x_i + y_i", ["i:free"]],
  ["\\sum_{i=1}^{N} \\sum_{i=1}^{M} a_i", ["i:shadow"]],
  ["\\mathbb{E}_{x}[\\mathbb{E}_{x}[f(x)]]", ["x:again"]],
  ["\\int_0^t f(t)\\, dt", ["t:limits"]],
  ["\\int_0^t f(s)\\, ds", []],
  ["\\mathbb{E}_{t, x_0}[\\|v(x_0, t) - x_1\\|^2]", []],
  ["\\mathbb{E}_{s \\sim d}\\left[\\sum_a \\pi(a|s) Q(s,a)\\right] - V(s)", ["s:free"]],
  ["\\mathbb{E}_{\\{o_i\\}_{i=1}^{G} \\sim \\pi}\\left[\\frac{1}{G}\\sum_{i=1}^{G} r_i\\right]", []],
  ["\\hat A_i - \\mathrm{mean}(\\{r_j\\}_{j=1}^G) + \\sum_{j=1}^G r_j", []],
  ["r + \\gamma \\max_{a} Q(s, a) - Q(s, a)", []],
  ["\\sum_{t=0}^{T-1} \\gamma^t r_t \\cdot \\sum_{k=t}^{T-1} b_k", []],
  ["(\\sum_i x_i)(\\sum_i y_i)", []],
  ["\\mathbb{E}_{z \\sim q(z|x)}[\\log p(x|z)] - D_{KL}(q(z|x) \\| p(z))", []],
  ["\\mathbb{E}_{x \\sim D}[r(x)] - \\beta \\text{KL}(\\pi(\\cdot|x) \\| \\mu(\\cdot|x))", ["x:free"]],
  ["-\\sum_t m_t \\min(a_t, b) / \\sum_t m_t", []],
  ["\\sum_{i} w_i x_i, \\quad w_i > 0", []],
])("findCollisions() of %s", (tex, found) => {
  expect(findCollisions(parseTex(tex).nodes).map(({ variable, how }) => `${variable}:${how}`)).toEqual(found);
});
