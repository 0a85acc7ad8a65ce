import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { parseDocument } from "../parse/parse-document.js";
import { loadPythonParser } from "./code/python-parser.js";
import { lintDocument } from "./lint-document.js";
import { renderLintReference } from "./lint-reference.js";

const folder = new URL("../../../../shared/real-data/aris-tutorials/", import.meta.url);
const hasCorpus = existsSync(folder);
if (!hasCorpus) console.warn("The corpus of tutorials is absent: its tests are skipped"); // eslint-disable-line no-console
const python = await loadPythonParser();

function lint(name: string): readonly string[] {
  const file = `${name}_tutorial.md`;
  const document = parseDocument(gunzipSync(readFileSync(new URL(`${file}.gz`, folder))), {
    file,
    kind: "tutorial",
    lang: "zh",
  });
  const subject = { document, set: [document], level: "draft" as const, python, userNames: [], today: "2026-06-01" };
  const { details } = lintDocument(subject, { generatedAt: "2026-06-01T00:00:00Z" });
  const ignored =
    /^(?:heading\.(?:inline-markup|wide-space)|code\.undefined|callout\.title-only|math\.(?:strict|lt-letter|ambiguous-slash)|fence\.no-language)$/;
  return details.findings
    .filter(({ ruleId }) => !ignored.test(ruleId))
    .map(({ ruleId, place }) => `${ruleId} ${place?.line}`);
}

// Every finding that is left was looked at; a new one is a false alarm until it has been.
test.skipIf(!hasCorpus)("published tutorials give the findings that were counted by hand and no others", () => {
  expect(lint("attention")).toEqual(["heading.glued 400", "heading.glued 544", "heading.glued 696"]);
  expect(lint("flow_matching")).toEqual([
    "profile.sections 1",
    "profile.length 1",
    "quote.lazy-continuation 76",
    "quote.lazy-continuation 390",
  ]);
  expect(lint("agentic_rl")).toEqual(["profile.length 1", "math.same-lhs 276"]);
  expect(lint("rlhf_dpo_grpo_ppo")).toEqual(["math.index-collision 290"]);
});

test("docs/lint-rules.md is written from the rules", async () => {
  await expect(renderLintReference()).toMatchFileSnapshot("../../../docs/lint-rules.md");
});
