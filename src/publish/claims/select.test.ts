import { expect, test } from "vitest";
import { parseArtefact } from "./artefact.js";
import { selectValue, toExpressionValue } from "./select.js";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const report = parseArtefact("report.json", encode('{"runs":[{"a/b":1,"n":2},{"a/b":3,"n":4}],"p":{"x":[1,2]}}'));
const rows = parseArtefact(
  "rows.jsonl",
  encode(
    '{"policy":{"id":"base"},"T":8,"ok":true}\n{"policy":{"id":"rl"},"T":8,"ok":false}\n\n{"policy":{"id":"rl"},"T":2,"ok":true}\n',
  ),
);
const table = parseArtefact("table.csv", encode('name,score\n"a ""quoted"", comma",0.5\nb,1e-2\n'));

test.each([
  [report, "/runs/1/a~1b", 3],
  [report, "$.runs[0].n", 2],
  [report, "$.runs[*].n", [2, 4]],
  [report, '$["p"].x', [1, 2]],
  [report, "$.p.*", [[1, 2]]],
  [rows, 'rows[policy.id == "rl" and T == 8]/ok', [false]],
  [rows, "rows/T", [8, 8, 2]],
  [rows, "rows[T > 100]/ok", []],
  [rows, "/0/policy/id", "base"],
  [table, "rows[score < 0.1]/name", ["b"]],
  [table, "rows/name", ['a "quoted", comma', "b"]],
  [table, "rows[row == 1]/score", [0.5]],
] as const)("%# %s", (artefact, select, expected) => {
  expect(selectValue(artefact, select)).toEqual(expected);
});

test.each([
  [report, "/runs/7", 'there is no "7"'],
  [report, "/runs/01", 'there is no "01"'],
  [report, "/constructor", 'there is no "constructor"'],
  [report, "runs", "it has no known form"],
  [report, "$.runs[?]", '"[?]" is no step'],
  [report, "$.p.x.y.*", 'there is no "y"'],
  [rows, "rows[T]/ok", "gives 8, not true or false"],
  [rows, "rows[T == 8", "never closed"],
  [rows, "rows/nothing", 'there is no "nothing"'],
])("%# %s is refused", (artefact, select, message) => {
  expect(() => selectValue(artefact, select)).toThrow(message);
});

test.each([
  ["a.json", "{", 'artefact "a.json" as JSON'],
  ["a.jsonl", '{"x":1}\n{"x"', "line 2"],
  ["a.csv", "x,y\n1\n", "line 2"],
  ["a.txt", "1", "Name a .json, .jsonl or .csv file"],
])("%s that cannot be read is refused with the place", (name, text, message) => {
  try {
    parseArtefact(name, encode(text));
    expect.unreachable();
  } catch (error) {
    expect(
      `${(error as Error).message} ${String((error as { hint?: string }).hint ?? JSON.stringify(error))}`,
    ).toContain(message); // thrown by us
  }
});

test("toExpressionValue() takes tagged numbers and refuses objects", () => {
  expect(toExpressionValue({ $number: "Infinity" }, "x")).toBe(Infinity);
  expect(() => toExpressionValue({ a: 1 }, "the input a")).toThrow("the input a: it is an object");
  expect(() => toExpressionValue(null, "the input a")).toThrow("it is null");
});
