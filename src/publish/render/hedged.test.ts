import { expect, test } from "vitest";
import { parseDocument } from "../parse/parse-document.js";
import { listHedgedStatements } from "./hedged.js";

test.each([
  { markdown: "[It may\nwork.]{.hedged} It does.", found: ["It may work."] },
  { markdown: "[A rate of $3 \\times 10^{-6}$ for `x` [@a2020].]{.hedged}", found: ["A rate of 3×10−6 for x."] },
  { markdown: "[a]{.public} [b]{.hedged}", found: ["b"] },
])("listHedgedStatements() of $markdown has no markup", ({ markdown, found }) => {
  expect(listHedgedStatements(parseDocument(markdown, { file: "a.md" }))).toEqual(found);
});
