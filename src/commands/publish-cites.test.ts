import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { checkCitationFiles, importBibliographies, listContexts, resolveBibliography } from "./publish-cites.js";

const folder = mkdtempSync(join(tmpdir(), "turnwise-cites-"));
const at = (name: string): string => join(folder, name);
const options = { out: at("out"), now: new Date("2027-01-01T00:00:00Z") };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  writeFileSync(at(name), text);
  return at(name);
}
const head = (bibliography: string): string =>
  `---\nid: a\nkind: tutorial\nlang: en\nbibliography: [${bibliography}]\n---\n\n`;
write("good.bib", "@misc{a, title = {Work A}, author = {Li, Bo}, year = 2024, eprint = {2402.03300}}");
write("torn.bib", "@misc{a, title = {Work A");
write("torn.json", "[{");

test.each([
  {
    name: "a bibliography that is not there",
    bibliography: "none.bib",
    text: "See [@a].",
    verdict: "BLOCKED",
    reason: "bibliography-missing",
  },
  {
    name: "a bibliography that is torn",
    bibliography: "torn.bib",
    text: "See [@a].",
    verdict: "BLOCKED",
    reason: "bibliography-unreadable",
  },
  {
    name: "a registry that is no JSON",
    bibliography: "torn.json",
    text: "See [@a].",
    verdict: "BLOCKED",
    reason: "bibliography-unreadable",
  },
  // What is wrong in the text itself is not hidden by a bibliography that cannot be read.
  {
    name: "a wrong id beside a torn bibliography",
    bibliography: "torn.bib",
    text: "See arXiv:2316.01234.",
    verdict: "FAIL",
    reason: "arxiv-shape",
  },
  { name: "a sound citation", bibliography: "good.bib", text: "See [@a].", verdict: "WARN", reason: "unverified" },
  {
    name: "a key that leads nowhere",
    bibliography: "good.bib",
    text: "See [@b].",
    verdict: "FAIL",
    reason: "unresolved",
  },
])("$name gives $verdict", async ({ bibliography, text, verdict, reason }) => {
  const file = write("a.md", `${head(bibliography)}${text}\n`);
  const [{ artefact, written }] = await checkCitationFiles([file], options);
  expect([artefact.verdict, artefact.reason_code]).toEqual([verdict, reason]);
  expect(JSON.parse(readFileSync(written[0] ?? "", "utf8"))).toMatchObject({ stage: "citations", verdict });
});

test("a frozen bibliography leaves changes of sentences as the only proposals", async () => {
  const file = write("a.md", `${head("good.bib")}Wu et al. (2019) show it [@a].\n`);
  const [{ artefact }] = await checkCitationFiles([file], { ...options, isFrozen: true });
  expect(artefact.details).toMatchObject({
    frozen: true,
    proposals: [
      { line: 8, from: "Wu", to: "Li" },
      { line: 8, from: "2019", to: "2024" },
    ],
  });
});

test("import takes BibTeX over and keeps what was checked; resolve asks the user's module and keeps its answers", async () => {
  const registry = at("references.json");
  expect(await importBibliographies([at("good.bib")], registry)).toMatchObject({
    added: ["a"],
    updated: [],
    unchanged: 0,
  });
  const resolver = write(
    "resolver.mjs",
    'export const resolver = { name: "mine", resolve: async ({ id }) => ({ result: id === "a" ? "verified" : "unverified" }) };',
  );
  const now = () => options.now;
  expect(await resolveBibliography(registry, { resolvers: [resolver], now })).toMatchObject({
    counts: { verified: 1 },
    entryCount: 1,
  });
  write("better.bib", "@misc{a, title = {Work A, revised}, author = {Li, Bo}, year = 2024, eprint = {2402.03300}}");
  expect(await importBibliographies([at("better.bib")], registry)).toMatchObject({ added: [], updated: ["a"] });
  expect(await importBibliographies([at("better.bib")], registry)).toMatchObject({ unchanged: 1 });
  const [entry] = JSON.parse(readFileSync(registry, "utf8")) as { title: string; custom: { sources: unknown } }[]; // written by the import
  expect(entry).toMatchObject({
    title: "Work A, revised",
    custom: { sources: [{ name: "mine", result: "verified" }] },
  });
  const file = write("a.md", `${head("references.json")}See [@a].\n`);
  const [{ artefact }] = await checkCitationFiles([file], { ...options, level: "release" });
  expect(artefact.verdict).toBe("PASS");
  expect(await listContexts([file])).toMatchObject([{ work: "a", sentence: "See [@a]." }]);
});

test("nothing is looked up unless a resolver is named, and a module that is none is refused", async () => {
  await expect(resolveBibliography(at("good.bib"), { resolvers: [] })).rejects.toThrow("no resolver is named");
  await expect(resolveBibliography(at("good.bib"), { resolvers: ["x.mjs"] })).rejects.toThrow("it is BibTeX");
  const registry = write("r.json", "[]");
  const odd = write("odd.mjs", "export const resolver = { name: 3 };");
  await expect(resolveBibliography(registry, { resolvers: [odd] })).rejects.toThrow(
    "must be { name, resolve(entry, signal) }",
  );
  await expect(importBibliographies([at("good.bib")], at("x.bib"))).rejects.toThrow("a registry is CSL-JSON");
});
