import { expect, test } from "vitest";
import { splitThink } from "./think.js";

test.each([
  { name: "leaves plain text alone", text: "Go left.", split: { content: "Go left." } },
  {
    name: "moves a leading block",
    text: "<think>left is safe</think>\n\nGo left.",
    split: { content: "Go left.", reasoning: "left is safe" },
  },
  {
    name: "takes an unclosed block as reasoning to the end",
    text: "<think>left is",
    split: { content: "", reasoning: "left is" },
  },
  {
    name: "takes all before an orphan closing tag",
    text: "left is safe</think>Go left.",
    split: { content: "Go left.", reasoning: "left is safe" },
  },
  {
    name: "joins several leading blocks",
    text: "<think>a</think>\n<think>b</think>c",
    split: { content: "c", reasoning: "a\n\nb" },
  },
  {
    name: "keeps tags later in the text",
    text: "See <think>this</think> tag",
    split: { content: "See <think>this</think> tag" },
  },
  { name: "drops an empty block", text: "<think>\n\n</think>\n\nGo", split: { content: "Go", reasoning: "" } },
  { name: "reads other spellings", text: "<Thinking>a</Thinking>b", split: { content: "b", reasoning: "a" } },
  { name: "handles an empty text", text: "", split: { content: "" } },
  {
    name: "keeps a later orphan after a block",
    text: "<think>a</think>b</think>c",
    split: { content: "b</think>c", reasoning: "a" },
  },
])("splitThink() $name", ({ text, split }) => {
  expect(splitThink(text)).toEqual(split);
});
