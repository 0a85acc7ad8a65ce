import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDocument } from "../parse/parse-document.js";
import { fixSafely, renderFixDiff } from "./fix-safe.js";

const fix = (source: string): string => fixSafely(parseDocument(source, { file: "a.md" })).source;

test.each([
  { name: "blanks at the ends of lines go", source: "one \ntwo\t\n\n  \nthree  \n", fixed: "one\ntwo\n\n\nthree\n" },
  { name: "a hard break stays", source: "one  \ntwo\n", fixed: "one  \ntwo\n" },
  { name: "the space after ## comes", source: "##Title\n", fixed: "## Title\n" },
  { name: "the last line ends", source: "one", fixed: "one\n" },
  { name: "line ends of another system stay", source: "one \r\ntwo\r\n", fixed: "one\r\ntwo\r\n" },
  { name: "code stays as it is", source: "```py\nx = 1  \n##a\n```\n", fixed: "```py\nx = 1  \n##a\n```\n" },
  {
    name: "pipes in formulas of tables become commands",
    source: "| a | b |\n|---|---|\n| $\\|x\\|$ | $p(a|b)$ |\n",
    fixed: "| a | b |\n|---|---|\n| $\\Vert x\\Vert$ | $p(a\\vert b)$ |\n",
  },
  { name: "formulas outside tables stay", source: "So $p(a|b)$.\n", fixed: "So $p(a|b)$.\n" },
])("fixSafely(): $name", ({ source, fixed }) => {
  expect(fix(source)).toBe(fixed);
});

test("fixSafely() changes no block and is done at once", () => {
  const line = fc.constantFrom(
    "text ",
    "two  ",
    "| a | $|x|$ |",
    "|---|---|",
    "- item\t",
    "```",
    "> quote ",
    "",
    "  ",
    "# H  ",
    "1. one ",
    "$$",
    "x_1 ",
    "    code  ",
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 14 }), (lines) => {
      const source = lines.join("\n");
      const fixed = fix(source);
      expect(fix(fixed)).toBe(fixed);
      const count = (text: string): number => parseDocument(text, { file: "a.md" }).blocks.length;
      expect(count(fixed)).toBe(count(source));
    }),
    { numRuns: 50 },
  );
});

test("renderFixDiff() shows each line before and after", () => {
  const result = fixSafely(parseDocument("one \ntwo\n", { file: "a.md" }));
  expect(renderFixDiff("a.md", result)).toBe("--- a.md\n+++ a.md\n@@ -1 +1 @@\n-one \n+one\n");
});
