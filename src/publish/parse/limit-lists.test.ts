import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { expect, test } from "vitest";
import { listSyntax } from "./limit-lists.js";
import { parseDocument } from "./parse-document.js";

const nest = (depth: number): string =>
  Array.from({ length: depth }, (_, level) => `${"  ".repeat(level)}- item${level}`).join("\n");

function countLists(value: unknown): number {
  const { type = "", children = [] } = value as { type?: string; children?: unknown[] };
  return (type === "list" ? 1 : 0) + children.reduce<number>((sum, child) => sum + countLists(child), 0);
}

test("lists are read as the library reads them", () => {
  const line = fc
    .tuple(
      fc.constantFrom("", " ", "  ", "   ", "    ", "\t", "> ", "      "),
      fc.constantFrom("", "- ", "* ", "+ ", "-", "1. ", "2. ", "3) ", "- - ", "- 1. ", "* * *", "> - ", "-\t"),
      fc.constantFrom("", "a", "b c", "[ ] d", "---", "# e"),
    )
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const text = lines.join("\n");
      expect(fromMarkdown(text, { extensions: [listSyntax] })).toEqual(fromMarkdown(text));
    }),
    { numRuns: 500 },
  );
});

test("lists stand as deep in each other as they are written up to a depth, and no deeper", () => {
  const count = (depth: number) => countLists(fromMarkdown(nest(depth), { extensions: [listSyntax] }));
  expect([count(60), count(90), count(91), count(140)]).toEqual([60, 90, 90, 90]);
  // A list begins again beside a deep one, and far to the right of the margin.
  expect(countLists(fromMarkdown(`${nest(90)}\n\n\n# x\n\n- y\n`, { extensions: [listSyntax] }))).toBe(91);
});

test("parseDocument() shows what stands too deep as written, once, with nothing lost", () => {
  const { tree, problems } = parseDocument(`# T\n\n${nest(250)}\n`, { file: "a.md" });
  expect(problems.map(({ rule, line }) => [rule, line])).toEqual([["text.too-deep", 77]]);
  const words = JSON.stringify(tree).match(/item\d+/g) ?? [];
  expect(new Set(words).size).toBe(250);
});
