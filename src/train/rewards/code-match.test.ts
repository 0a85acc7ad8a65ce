import { expect, test } from "vitest";
import { astMatch, dataflowMatch, ppocoderReward, type SyntaxNode } from "./code-match.js";

const node = (type: string, ...children: readonly SyntaxNode[]): SyntaxNode => ({ type, children });
const name = node("name");
const sum = node("assign", name, node("add", name, name));
const call = node("return", node("call", name));

test("astMatch() is the share of the reference's subtrees, names left aside", () => {
  expect(astMatch(node("block", sum, call), node("block", sum, call))).toBe(1);
  // Of block, assign, add, return and call, the candidate lacks the block as a whole and the two of the return.
  expect(astMatch(node("block", sum), node("block", sum, call))).toBe(2 / 5);
  expect(astMatch(sum, name)).toBeUndefined();
});

test("astMatch() uses each subtree of the candidate once", () => {
  expect(astMatch(node("block", call), node("block", call, call))).toBe(2 / 5);
});

test("dataflowMatch() does not mind what variables are called, but where values come from", () => {
  const flow = (a: string, b: string, c: string) => [
    { variable: b, from: "assign", sources: [a] },
    { variable: c, from: "assign", sources: [a, b] },
  ];
  expect(dataflowMatch(flow("x", "y", "z"), flow("p", "q", "r"))).toBe(1);
  expect(dataflowMatch(flow("x", "y", "z").slice(0, 1), flow("p", "q", "r"))).toBe(0.5);
  expect(dataflowMatch([{ variable: "y", from: "call", sources: ["x"] }], flow("p", "q", "r"))).toBe(0);
  expect(dataflowMatch([], [])).toBeUndefined();
});

test("ppocoderReward() adds what is known", () => {
  expect(ppocoderReward({ compiles: true, ast: 0.5, dataflow: 0.25 })).toBe(1.75);
  expect(ppocoderReward({ compiles: false })).toBe(-1);
});
