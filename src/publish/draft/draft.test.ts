import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDocument } from "../parse/parse-document.js";
import { collectNeedsVerify } from "../review/needs-verify.js";
import { acceptDraft } from "./accept-draft.js";
import { buildDraftRequest, renderDraftRequest } from "./draft-request.js";
import { markStatements } from "./mark-statements.js";

const head = { id: "d", kind: "page", lang: "en", title: "A draft" } as const;

function mark(body: string): string {
  return markStatements(parseDocument(body, { file: "d.md" }));
}

test.each([
  {
    name: "every sentence",
    body: "One is here. Two is there.",
    marked: "One is here. [needs-verify] Two is there. [needs-verify]",
  },
  { name: "no question", body: "Is it so? It is so.", marked: "Is it so? It is so. [needs-verify]" },
  {
    name: "nothing twice",
    body: "It is so. [needs-verify: who says so]",
    marked: "It is so. [needs-verify: who says so]",
  },
  { name: "no guess that says so", body: "[It may be so.]{.speculative}", marked: "[It may be so.]{.speculative}" },
  {
    name: "a sentence once although it holds points",
    body: "Sun et al. wrote e.g. 3.5 of `a. b` and $x. y$.",
    marked: "Sun et al. wrote e.g. 3.5 of `a. b` and $x. y$. [needs-verify]",
  },
  {
    name: "a line without a point",
    body: "- first thing\n- second thing",
    marked: "- first thing [needs-verify]\n- second thing [needs-verify]",
  },
  { name: "sentences of Chinese", body: "这是一。这是二。", marked: "这是一。 [needs-verify]这是二。 [needs-verify]" },
  {
    name: "no heading and no code",
    body: "## The heading is so\n\n```ts\nconst a = 1; // It is so.\n```",
    marked: "## The heading is so\n\n```ts\nconst a = 1; // It is so.\n```",
  },
  {
    name: "a table below it",
    body: "| a | b |\n|---|---|\n| c | 1 |",
    marked: "| a | b |\n|---|---|\n| c | 1 |\n\n[needs-verify: the cells of this table]",
  },
  {
    name: "a formula below it, in its quote",
    body: "> text is so.\n>\n> $$\n> a = b\n> $$",
    marked: "> text is so. [needs-verify]\n>\n> $$\n> a = b\n> $$\n>\n> [needs-verify: this formula]",
  },
])("markStatements() marks $name", ({ body, marked }) => {
  expect(mark(body)).toBe(marked);
});

test("markStatements() changes nothing the second time, and takes no word away", () => {
  const word = fc.constantFrom(
    "It is so.",
    "- item",
    "> quote is so.",
    "$x$ is so",
    "$$a=b$$",
    "",
    "| a |\n|---|\n| b |",
    "[x]{.hedged}",
    "1. one",
    "Is it?",
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (parts) => {
      const source = parts.join("\n\n");
      const once = mark(source);
      expect(mark(once)).toBe(once);
      const strip = (text: string): string => text.replace(/\[needs-verify[^\]]*\]/g, "").replace(/[\s>]+/g, "");
      expect(strip(once)).toBe(strip(source));
    }),
    { numRuns: 60 },
  );
});

test("acceptDraft() gives the head that was asked for and a marker that the ledger finds for each statement", () => {
  const answer =
    "```markdown\n---\nid: other\nkind: paper\nsubtitle: Sub\n---\n# A draft\n\n## 1 One\n\nIt is so. It was 3.\n```";
  const draft = acceptDraft(answer, head, "d.md");
  expect(draft.problems).toEqual([]);
  expect(draft.text).toBeDefined();
  const document = parseDocument(draft.text ?? "", { file: "d.md" });
  expect(document.frontMatter).toEqual({ ...head, assurance: "draft", subtitle: "Sub" });
  expect(document.problems).toEqual([]);
  expect(collectNeedsVerify(document).map(({ text }) => text)).toEqual(["It is so.", "It was 3."]);
});

test.each([
  { name: "nothing", answer: "  \n", rule: "draft.empty" },
  { name: "prose without a section", answer: "I cannot help with that.", rule: "draft.no-sections" },
  { name: "a head that is no YAML", answer: "---\nid: [a\n---\n## One\n\nText.", rule: "front-matter.syntax" },
  {
    name: "a head with keys nobody knows",
    answer: "---\nid: a\nverdict: PASS\n---\n## One\n\nText.",
    rule: "front-matter.unknown-key",
  },
  { name: "a head that never ends", answer: "---\nid: a\n## One\n\nText.", rule: "front-matter.unclosed" },
  { name: "a fence that never ends", answer: "## One\n\n```ts\nconst a = 1;\n", rule: "fence.unclosed" },
])("acceptDraft() refuses $name and names the fault", ({ answer, rule }) => {
  const draft = acceptDraft(answer, head, "d.md");
  expect(draft.text).toBeUndefined();
  expect(draft.problems.map((problem) => problem.rule)).toContain(rule);
});

test("buildDraftRequest() carries the profile and is the same for the same plan", () => {
  const plan = { topic: "Budgets", kind: "report", lang: "en", title: "Budgets" } as const;
  const request = buildDraftRequest(plan);
  expect(request.sections).toEqual(["Summary", "Method", "Results", "Limits"]);
  expect(renderDraftRequest(request)).toBe(renderDraftRequest(buildDraftRequest({ ...plan })));
});
