import { readFileSync, readdirSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { createSandbox } from "../../sandbox/index.js";
import { parseDocument } from "../parse/parse-document.js";
import { loadPythonParser } from "./code/python-parser.js";
import { runDocumentCode } from "./code/run-code.js";
import { checkParity, lintDocument } from "./lint-document.js";
import type { LintExample, LintSubject } from "./lint-rule.js";
import { lintRules, parityRules } from "./lint-rules.js";
import { parseBanList } from "./text/ban-list.js";

const python = await loadPythonParser();
const sandbox = createSandbox({ maxThreads: 1 });
afterAll(() => sandbox.close());

async function toSubject(example: LintExample): Promise<LintSubject> {
  const { markdown, kind, others = {}, files, original, banList } = example;
  const bytes = example.isLatin1 === true ? Buffer.from(markdown, "latin1") : markdown;
  const document = parseDocument(bytes, { file: "a.md", kind });
  const set = [document, ...Object.entries(others).map(([file, text]) => parseDocument(text, { file }))];
  return {
    document,
    set,
    level: example.level ?? "draft",
    python,
    userNames: example.userNames ?? [],
    today: example.today,
    ...(original === undefined ? {} : { original: parseDocument(original, { file: "o.md" }) }),
    ...(banList === undefined ? {} : { banList: parseBanList(banList, "ban.txt") }),
    ...(files === undefined ? {} : { hasFile: (path: string) => files.includes(path) }),
    ...(example.isRun === true ? { codeRuns: await runDocumentCode(document, python, { sandbox }) } : {}),
  };
}

const all = [...lintRules, ...parityRules];
const cases = all.flatMap((rule) => rule.examples.map((example) => ({ id: rule.id, name: example.name, example })));

test.each(cases)("$id: $name", async ({ id, example }) => {
  const subject = await toSubject(example);
  const judge = id.startsWith("parity.") ? checkParity : lintDocument;
  // Waivers are judged by what the other rules found.
  const rules = id.startsWith("waiver.") ? undefined : [id];
  const { details } = judge(subject, { generatedAt: "2030-01-01T00:00:00Z", rules });
  expect(details.rules.find(({ ruleId }) => ruleId === id)?.gap).toBeUndefined();
  const found = details.findings.filter(({ ruleId }) => ruleId === id);
  const byLine = found.sort((a, b) => (a.place?.line ?? 0) - (b.place?.line ?? 0));
  expect(byLine.map(({ message }) => message)).toEqual(example.messages);
  if (example.lines !== undefined) expect(byLine.map(({ place }) => place?.line)).toEqual(example.lines);
});

test.each(all)("$id has a sound example and one with a finding", ({ examples }) => {
  expect(examples.some(({ messages }) => messages.length === 0)).toBe(true);
  expect(examples.some(({ messages }) => messages.length > 0)).toBe(true);
});

test("rule ids are unique, and every id the parser reports has a rule", () => {
  const ids = new Set(all.map(({ id }) => id));
  expect(ids.size).toBe(all.length);
  const folder = new URL("../parse/", import.meta.url);
  const sources = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const reported = sources.flatMap((name) => {
    const text = readFileSync(new URL(name, folder), "utf8");
    return [...text.matchAll(/(?:report\w*\(\s*|rule: )"([a-z-]+\.[a-z-]+)"/g)].map(([, id]) => id);
  });
  expect(reported.length).toBeGreaterThan(10);
  expect(reported.filter((id) => !ids.has(id))).toEqual([]);
});
