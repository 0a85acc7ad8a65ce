import { expect, test } from "vitest";
import { findMissingLine, parseBlocks, splitShell } from "./blocks.js";

test("parseBlocks() reads blocks with their marks, indented ones and longer fences too", () => {
  const markdown = [
    "Text",
    "<!-- exit: 1 -->",
    "```sh",
    "turnwise nothing",
    "```",
    "- item",
    "  <!-- not run: needs a GPU server -->",
    "  ```sh",
    "  vllm serve",
    "  ```",
    "````md",
    "```sh",
    "```",
    "````",
  ].join("\n");
  expect(
    parseBlocks("a.md", markdown).map(({ line, language, text, marks }) => [line, language, text, [...marks]]),
  ).toEqual([
    [3, "sh", "turnwise nothing\n", [["exit", "1"]]],
    [8, "sh", "vllm serve\n", [["not run", "needs a GPU server"]]],
    [11, "md", "```sh\n```\n", []],
  ]);
});

test.each([
  { markdown: "```sh\nls\n", found: "the block is never closed" },
  {
    markdown: "<!-- nto run: typing error -->\n```sh\n```",
    found: 'mark "nto run" does not belong above a "sh" block',
  },
  { markdown: "<!-- expect -->\n```sh\n```", found: 'mark "expect" does not belong above a "sh" block' },
])("parseBlocks() refuses $markdown", ({ markdown, found }) => {
  expect(() => parseBlocks("a.md", markdown)).toThrow(found);
});

test.each([
  { expected: "a\nc\n", output: "a\nb\nc\n", missing: undefined },
  { expected: "c\na\n", output: "a\nb\nc\n", missing: "a" },
  { expected: "wrote … (3 episodes)\n…\ndone", output: "wrote runs/x (3 episodes)  \ndone\n", missing: undefined },
  { expected: "a.c", output: "abc", missing: "a.c" },
  { expected: "a\na", output: "a\n", missing: "a" },
])("findMissingLine() of $expected in $output is $missing", ({ expected, output, missing }) => {
  expect(findMissingLine(expected, output)).toBe(missing);
});

test("splitShell() takes out what installs and keeps the rest", () => {
  const text =
    "git clone https://example.com/turnwise && cd turnwise\nnpm ci && npm run demo\nnpm install -D turnwise\nls && turnwise doctor\n";
  expect(splitShell(text)).toEqual({
    script: "\n\n\nls && turnwise doctor\n",
    npmScripts: ["demo"],
    npmPackages: ["turnwise"],
  });
});
