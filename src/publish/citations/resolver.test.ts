import { expect, test } from "vitest";
import { parseDocument } from "../parse/parse-document.js";
import { parseBibtex } from "./bibtex.js";
import { checkCitations } from "./check-citations.js";
import { listCitationContexts, parseContextAnswers } from "./context.js";
import { listReferences } from "./references.js";
import { createRegistry, toRegistryEntry, type RegistryEntry } from "./registry.js";
import { resolveRegistry, type CitationResolver, type Resolution, type ResolveOptions } from "./resolver.js";

const entries = parseBibtex(
  `@misc{a, title = {Work A}, author = {Li, Bo}, year = 2024, eprint = {2402.03300}, abstract = {We show that A holds.}}
   @misc{b, title = {Work B}, author = {Wu, Cai}, year = 2023, eprint = {2302.00001}}`,
  "a.bib",
).map(toRegistryEntry);
const document = parseDocument("A holds [@a]. B follows [@b, p. 3].\n", { file: "a.md" });
const generatedAt = "2027-01-01T00:00:00Z";

/** A source that answers from a table, and counts how often it is asked. */
function createSource(answers: {
  readonly [key: string]: Resolution | Error;
}): CitationResolver & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    name: "table",
    minIntervalMs: 50,
    asked,
    resolve(entry: RegistryEntry) {
      asked.push(entry.id);
      const answer = answers[entry.id] ?? { result: "unverified" as const };
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  };
}

function makeOptions(more: Partial<ResolveOptions> = {}): ResolveOptions & { readonly waits: number[] } {
  const waits: number[] = [];
  return { now: () => new Date("2027-01-01T00:00:00Z"), wait: async (ms) => void waits.push(ms), waits, ...more };
}

test("without a resolver works are unverified: a warning at draft, a failure at release, unless a person signs", () => {
  const at = (level: "draft" | "release", list = entries) =>
    checkCitations(document, { registry: createRegistry(list), level, generatedAt });
  expect(at("draft")).toMatchObject({ verdict: "WARN", reason_code: "unverified" });
  expect(at("release")).toMatchObject({ verdict: "FAIL", reason_code: "unverified" });
  const signed = entries.map((entry) => ({
    ...entry,
    custom: { ...entry.custom, signed_by: "the editor", checked_at: "2026-12-01" },
  }));
  const passed = at("release", signed);
  expect(passed).toMatchObject({ verdict: "PASS", details: { counts: { KEEP: 2 } } });
  expect(passed.details.per_entry[0]).toMatchObject({
    key: "a",
    axes: { existence: "verified", metadata: "sound", context: "unreviewed" },
    method: "signed by the editor",
  });
});

test("resolveRegistry() keeps what sources say, waits between requests, and marks failures as pending", async () => {
  const source = createSource({
    a: { result: "verified", record: { id: "a", type: "article", title: "Work A", custom: {} } },
    b: new Error("503"),
  });
  const options = makeOptions();
  const resolved = await resolveRegistry(entries, [source], options);
  expect(resolved.counts).toEqual({ verified: 1, unverified: 0, pending: 1, error: 0 });
  expect(options.waits).toEqual([50]);
  const check = checkCitations(document, { registry: createRegistry(resolved.entries), level: "release", generatedAt });
  expect(check.details.per_entry.map(({ axes }) => axes.existence)).toEqual(["verified", "pending"]);
  expect(check.details.resolver).toEqual({ name: "table", online: true, pending: 1 });
});

test("definite answers are used again while they are young; failures are asked again and forget nothing", async () => {
  const first = await resolveRegistry(
    entries,
    [createSource({ a: { result: "verified" }, b: new Error("503") })],
    makeOptions(),
  );
  const again = createSource({ a: new Error("down"), b: { result: "verified" } });
  const second = await resolveRegistry(first.entries, [again], makeOptions({ cache: first.cache }));
  expect(again.asked).toEqual(["b"]);
  expect(second.counts.verified).toBe(2);
  const late = createSource({ a: new Error("down"), b: { result: "verified" } });
  const third = await resolveRegistry(
    second.entries,
    [late],
    makeOptions({ cache: second.cache, now: () => new Date("2027-03-01T00:00:00Z") }),
  );
  expect(late.asked).toEqual(["a", "b"]);
  // A is still known from before.
  expect(third.entries[0]?.custom.sources).toMatchObject([{ name: "table", result: "verified" }]);
  expect(third.cache["table|2402.03300"]).toMatchObject({ result: "verified" });
});

test("a source that never answers is given up and the work is pending", async () => {
  const silent: CitationResolver = {
    name: "silent",
    resolve: (_entry, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("timeout")))),
  };
  const { counts } = await resolveRegistry(entries.slice(0, 1), [silent], makeOptions({ timeoutMs: 5 }));
  expect(counts.pending).toBe(1);
});

test("a source that has other facts is heard, and the registry is not changed", async () => {
  const record = {
    id: "a",
    type: "article",
    title: "Another work",
    author: [{ family: "Liu" }],
    issued: { "date-parts": [[2019]] },
    custom: {},
  };
  const { differences, entries: after } = await resolveRegistry(
    entries.slice(0, 1),
    [createSource({ a: { result: "verified", record } })],
    makeOptions(),
  );
  expect(differences.map(({ field, source }) => [field, source])).toEqual([
    ["title", "Another work"],
    ["author", "Liu"],
    ["year", "2019"],
  ]);
  expect(after[0]?.title).toBe("Work A");
});

test("reviewers are asked about each use, and their answers decide what becomes of a work", () => {
  const registry = createRegistry(entries);
  expect(listCitationContexts(document, registry)).toEqual([
    {
      work: "a",
      file: "a.md",
      line: 1,
      sentence: "A holds [@a].",
      title: "Work A",
      passages: ["We show that A holds."],
    },
    { work: "b", file: "a.md", line: 1, sentence: "B follows [@b, p. 3].", title: "Work B", passages: [] },
  ]);
  const judge = (answers: string) =>
    checkCitations(document, { registry, generatedAt, answers: parseContextAnswers(answers, "x.json") });
  expect(judge('[{"work": "a", "answer": "SUPPORTS"}, {"work": "b", "answer": "WEAK"}]').details).toMatchObject({
    counts: { KEEP: 1, FIX: 1 },
  });
  const wrong = judge('[{"work": "b", "line": 1, "answer": "WRONG", "note": "it says the opposite"}]');
  expect(wrong).toMatchObject({
    verdict: "FAIL",
    reason_code: "context-wrong",
    mode: "reviewer",
    details: { counts: { REMOVE: 1 } },
  });
  expect(() => judge('[{"work": "a", "answer": "MAYBE"}]')).toThrow('"WEAK"');
  expect(() => judge("so so")).toThrow("no JSON");
});

test("a withdrawn work is to be removed", () => {
  const withdrawn = entries.map((entry) => ({ ...entry, custom: { ...entry.custom, status: "withdrawn" as const } }));
  expect(checkCitations(document, { registry: createRegistry(withdrawn), generatedAt })).toMatchObject({
    verdict: "FAIL",
    details: { counts: { REMOVE: 2 } },
  });
});

test("the page lists the works that are cited, with their state", () => {
  expect(listReferences(document, createRegistry(entries))).toMatchObject([
    {
      key: "a",
      short: "Li 2024",
      full: "Bo Li. 2024. Work A. arXiv:2402.03300",
      url: "https://arxiv.org/abs/2402.03300",
      status: "unverified",
    },
    { key: "b", short: "Wu 2023" },
  ]);
});
