import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { criticWeightedReturn, unitTestOutcomes, unitTestReward } from "./coderl-reward.js";
import { overlongPenalty } from "./overlong-penalty.js";
import { answerF1, researchReward } from "./research-reward.js";
import { matchSequences, similarityRatio } from "./sequence-matcher.js";
import { compareChanges, sweRlReward } from "./swe-rl-reward.js";
import { toolrlReward, type ReferenceCall } from "./toolrl-reward.js";
import { unifiedDiff } from "./unified-diff.js";

test.each([
  [16_384, 0],
  [18_432, -0.5],
  [20_480, -1],
  [24_576, -2],
])("overlongPenalty() of %i tokens is %d", (length, penalty) => {
  expect(overlongPenalty(length, { maxLength: 20_480, buffer: 4096 })).toBe(penalty);
});

const call = (name: string, parameters: ReferenceCall["parameters"]) => ({ name, parameters });
const cats = call("search", { q: "cats", n: 3 });
const respond = (calls: readonly unknown[]) =>
  `<think>so</think>\n<tool_call>\n${calls.map((each) => JSON.stringify(each)).join("\n")}\n</tool_call>`;

test.each([
  { name: "the exact call", response: respond([cats]), total: 4 },
  { name: "one wrong value", response: respond([call("search", { q: "dogs", n: 3 })]), total: 2.5 },
  { name: "a parameter missing", response: respond([call("search", { q: "cats" })]), total: 1.75 },
  { name: "an extra empty call", response: respond([cats, call("", {})]), total: 3.25 },
  { name: "another tool", response: respond([call("open", { q: "cats", n: 3 })]), total: -2 },
  { name: "broken JSON", response: "<think>so</think>\n<tool_call>\n{name\n</tool_call>", total: -2 },
  { name: "no thinking", response: respond([cats]).split("\n").slice(1).join("\n"), total: 3 },
  { name: "plain text", response: "cats are nice", total: -3 },
])("toolrlReward() for $name is $total", ({ response, total }) => {
  expect(toolrlReward(response, { calls: [cats] }).total).toBeCloseTo(total, 12);
});

test("toolrlReward() does not mind the order of keys or calls", () => {
  expect(toolrlReward(respond([call("search", { n: 3, q: "cats" })]), { calls: [cats] }).total).toBe(4);
  const open = call("open", { id: 1 });
  expect(toolrlReward(respond([open, cats]), { calls: [cats, open] }).total).toBeCloseTo(4, 12);
});

test("toolrlReward() of a reference that only answers", () => {
  expect(toolrlReward("<think>so</think>\n<response>hi</response>", { hasResponse: true }).total).toBe(1);
  expect(toolrlReward(respond([cats]), { hasResponse: true }).total).toBe(0);
});

const episode = (answer: string) =>
  `<think>a</think><search>q</search><result>r</result><answer>It is ${answer}</answer>`;
test.each([
  {
    name: "the answer with an article",
    text: episode("\\boxed{Eiffel Tower}"),
    golds: ["The Eiffel Tower"],
    reward: 1,
  },
  {
    name: "part of the answer",
    text: episode("\\boxed{Eiffel Tower}"),
    golds: ["The Eiffel Tower, Paris"],
    reward: 0.8,
  },
  { name: "another answer", text: episode("\\boxed{Eiffel Tower}"), golds: ["Louvre"], reward: 0.1 },
  { name: "the best of several golds", text: episode("\\boxed{Louvre}"), golds: ["Eiffel", "Louvre"], reward: 1 },
  { name: "no box", text: episode("Eiffel Tower"), golds: ["Eiffel Tower"], reward: 0 },
  {
    name: "a search without a result",
    text: "<think>a</think><search>q</search><answer>\\boxed{x}</answer>",
    golds: ["x"],
    reward: 0,
  },
  { name: "no thinking", text: "<answer>\\boxed{x}</answer>", golds: ["x"], reward: 0 },
  { name: "two answers", text: `${episode("\\boxed{x}")}<answer>\\boxed{x}</answer>`, golds: ["x"], reward: 0 },
])("researchReward() for $name is $reward", ({ text, golds, reward }) => {
  expect(researchReward(text, golds, { isEnded: true }).reward).toBeCloseTo(reward, 12);
});

test("researchReward() is 0 when the end token was not reached", () => {
  expect(researchReward(episode("\\boxed{x}"), ["x"], { isEnded: false })).toEqual({
    reward: 0,
    fault: "the end token was not reached",
  });
});

test("answerF1() lets yes and no agree with nothing else", () => {
  expect(answerF1("yes", "no")).toBe(0);
  expect(answerF1("yes", "yes, it is")).toBe(0);
  expect(answerF1("Yes.", "yes")).toBe(1);
});

test("unitTestReward() has CodeRL's classes in order, and a passing program gains 1.3 over a failing one", () => {
  expect(unitTestOutcomes.map(unitTestReward)).toEqual([-1, -0.6, -0.3, 1]);
  const gain = (outcome: "passed" | "compile_error") =>
    // A critic that is sure of the realised class leaves the gain itself.
    criticWeightedReturn(
      [true],
      [unitTestOutcomes.map((each) => (each === outcome ? 800 : 0))],
      outcome,
      "failed_tests",
    )[0];
  expect(gain("passed")).toBeCloseTo(1.3, 12);
  expect(gain("compile_error")).toBeCloseTo(-0.7, 12);
});

test("criticWeightedReturn() weighs by the critic's probability and gives prompt tokens exactly 0", () => {
  const weights = criticWeightedReturn(
    [false, true],
    [
      [NaN, 0, 0, 0],
      [0, 0, 0, Math.log(3)],
    ],
    "passed",
    "failed_tests",
  );
  expect(weights[0]).toBe(0);
  expect(weights[1]).toBeCloseTo(1.3 / 2, 12);
});

interface DifflibCases {
  readonly strings: readonly (readonly [string, string, number, number])[];
  readonly diffs: readonly (readonly [string, string, string])[];
}
const cases = JSON.parse(readFileSync(new URL("fixtures/difflib.json", import.meta.url), "utf8")) as DifflibCases;

test("similarityRatio() equals difflib's on hundreds of pairs, with and without autojunk", () => {
  expect(cases.strings.length).toBeGreaterThan(200);
  for (const [a, b, ratio, junkRatio] of cases.strings) {
    expect(similarityRatio(a, b)).toBe(ratio);
    expect(similarityRatio(a, b, { autojunk: true })).toBe(junkRatio);
  }
});

test("unifiedDiff() equals difflib's, line by line", () => {
  for (const [before, after, diff] of cases.diffs) expect(unifiedDiff(before, after)).toBe(diff);
});

test("similarityRatio() depends on the order of its arguments and on autojunk", () => {
  expect(similarityRatio("tide", "diet")).toBe(0.25);
  expect(similarityRatio("diet", "tide")).toBe(0.5);
  const [a, b] = ["abcd".repeat(60), "bcde".repeat(60)];
  expect(similarityRatio(a, b)).toBe(0.75);
  expect(similarityRatio(a, b, { autojunk: true })).toBe(0);
  expect(matchSequences([], ["a"])).toEqual([]);
});

const fileA = "def add(a, b):\n    return a + b\n\ndef subtract(a, b):\n    return a - b";
const fixedA = fileA
  .replace("add(a, b):", "add(a: int, b: int) -> int:")
  .replace("subtract(a, b):", "subtract(a: float, b: float) -> float:");
const fileB = "def sort_list(items):\n    return sorted(items)";
const fixedB = fileB.replace("(items):", "(items: list[int]) -> list[int]:");
const before = { "a.py": fileA, "b.py": fileB };
const oracle = { "a.py": fixedA, "b.py": fixedB };
const edit = (path: string, search: string, replace: string) =>
  `\`\`\`python\n### ${path}\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n\`\`\``;
const output = (...edits: readonly string[]) => `<think>\nso\n</think>\n<solution>\n${edits.join("\n\n")}\n</solution>`;
const addEdit = edit("a.py", "def add(a, b):", "def add(a: int, b: int) -> int:");
const subtractEdit = edit("a.py", "def subtract(a, b):", "def subtract(a: float, b: float) -> float:");
const sortEdit = edit("b.py", "def sort_list(items):", "def sort_list(items: list[int]) -> list[int]:");

test.each([
  { name: "every edit right", edits: [addEdit, subtractEdit, sortEdit], reward: 1 },
  { name: "only a wrong new file", edits: [edit("c.py", "", "# new")], reward: 0 },
  { name: "one of three files right", edits: [edit("c.py", "", "# new"), sortEdit], reward: 1 / 3 },
  { name: "a search that is not there", edits: [edit("a.py", "return c", "return d")], reward: -1 },
  { name: "a search equal to its replacement", edits: [edit("a.py", "def add(a, b):", "def add(a, b):")], reward: -1 },
  { name: "no edit", edits: [], reward: -1 },
])("sweRlReward() for $name is $reward", ({ edits, reward }) => {
  expect(sweRlReward(output(...edits), before, oracle).reward).toBeCloseTo(reward, 12);
});

test("sweRlReward() gives part of the reward for one of two functions", () => {
  const { similarities } = sweRlReward(output(addEdit), { "a.py": fileA }, { "a.py": fixedA });
  expect(similarities["a.py"]).toBe(0.75);
});

test("sweRlReward() wants every tag once and a thought", () => {
  expect(sweRlReward(output(addEdit).replace("</think>", ""), before, oracle).fault).toBe(
    "</think> does not occur exactly once",
  );
  expect(sweRlReward(output(addEdit).replace("\nso\n", " "), before, oracle).fault).toBe("nothing was thought");
});

test("compareChanges() finds two changes that change nothing alike", () => {
  expect(compareChanges(before, before, before)).toEqual({ reward: 1, similarities: {} });
});
