import { expect, test } from "vitest";
import { parseDocument } from "../parse/parse-document.js";
import { parseBibtex } from "./bibtex.js";
import { checkCitations } from "./check-citations.js";
import type { CiteExample } from "./cite-rule.js";
import { citeRules } from "./cite-rules.js";
import { createRegistry, toRegistryEntry } from "./registry.js";

function check({ markdown, bibtex, custom = {}, others = {}, level }: CiteExample) {
  const document = parseDocument(markdown, { file: "a.md" });
  const entries = bibtex === undefined ? undefined : parseBibtex(bibtex, "a.bib").map(toRegistryEntry);
  const registry = entries?.map((entry) => ({ ...entry, custom: { ...entry.custom, ...custom[entry.id] } }));
  return checkCitations(document, {
    set: [document, ...Object.entries(others).map(([file, text]) => parseDocument(text, { file }))],
    ...(registry === undefined ? {} : { registry: createRegistry(registry) }),
    ...(level === undefined ? {} : { level }),
    generatedAt: "2027-01-01T00:00:00Z",
  });
}

const cases = citeRules.flatMap((rule) =>
  rule.examples.map((example) => ({ id: rule.id, name: example.name, example })),
);

test.each(cases)("$id: $name", ({ id, example }) => {
  const { verdict, details } = check(example);
  expect(verdict).not.toBe("ERROR");
  const found = details.findings.filter(({ ruleId }) => ruleId === id);
  expect(found.map(({ message }) => message)).toEqual(example.messages);
});

test.each(citeRules)("$id has a sound example and one with a finding", ({ examples }) => {
  expect(examples.some(({ messages }) => messages.length === 0)).toBe(true);
  expect(examples.some(({ messages }) => messages.length > 0)).toBe(true);
});
