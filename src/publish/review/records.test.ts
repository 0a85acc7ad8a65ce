import fc from "fast-check";
import { expect, test } from "vitest";
import { createQuote, locateQuote } from "./anchor.js";
import type { Correction } from "./correction.js";
import { computeFingerprint, createAuditFinding, type AuditFinding, type FindingState } from "./finding.js";
import { changeFinding, expireDeferrals, type FindingChange } from "./life-cycle.js";
import { applyMutations, drawMutations, mutationClasses } from "./mutations.js";
import { collectNeedsVerify, resolveNeedsVerify, updateNeedsVerify } from "./needs-verify.js";
import { createReplayBackend } from "./backends/replay.js";
import { probeReviewer } from "./probe.js";
import { estimateRemainder } from "./remainder.js";
import { scanResidue, type ResidueFile } from "./residue.js";
import { answerAll, parseSample, sampleMarkdown } from "./testing.js";
import type { ReviewRole } from "./identity.js";

test("locateQuote() takes the place whose surroundings agree, through line breaks", () => {
  const source = "one cat sat\non the mat\nthe other cat  sat\nthere";
  expect(locateQuote(source, { prefix: "other", exact: "cat sat", suffix: "there" })).toMatchObject({
    lineStart: 3,
    lineEnd: 3,
    isContextSame: true,
  });
  expect(locateQuote(source, { prefix: "", exact: "sat on", suffix: "" })).toMatchObject({ lineStart: 1, lineEnd: 2 });
  expect(locateQuote(source, { prefix: "", exact: "cat sat", suffix: "" }, 3)?.lineStart).toBe(3);
  expect(locateQuote(source, { prefix: "", exact: "dog", suffix: "" })).toBeUndefined();
  expect(locateQuote(source, { prefix: "", exact: "  ", suffix: "" })).toBeUndefined();
});

test("locateQuote() finds a quote again after text was put in elsewhere", () => {
  const words = fc.array(fc.constantFrom("a", "bb", "cat", "数", "$x_1$", "\n"), { minLength: 12, maxLength: 40 });
  fc.assert(
    fc.property(words, fc.nat(11), words, (parts, at, added) => {
      const source = parts.join(" ");
      const mark = `${source.slice(0, at)} UNIQUE words ${source.slice(at)}`;
      const start = mark.indexOf("UNIQUE");
      const quote = createQuote(mark, start, start + 12);
      const edited = `${added.join(" ")}\n${mark}`;
      expect(locateQuote(edited, quote)?.start).toBe(edited.indexOf("UNIQUE"));
    }),
  );
});

test("computeFingerprint() takes no notice of blanks and case of the category, and does of section and words", () => {
  const base = computeFingerprint("formula.sign", "a  b", ["S"]);
  expect(computeFingerprint("Formula.Sign", "a\nb", ["S"])).toBe(base);
  expect(computeFingerprint("formula.sign", "a b", ["T"])).not.toBe(base);
  expect(computeFingerprint("formula.sign", "a c", ["S"])).not.toBe(base);
});

test("a finding keeps its fingerprint when text above it changes", () => {
  const raised = answerAll(parseSample(), "math", [{}]).findings[0];
  const from = {
    pass: "math" as const,
    round: 1,
    reviewer: { id: "r", role: "reviewer" as const },
    at: "2030-01-01T00:00:00Z",
  };
  const before = createAuditFinding(raised, parseSample(), from);
  const after = createAuditFinding(
    raised,
    parseSample(sampleMarkdown.replace("## 1 Signs", () => "Words before.\n\n$$\nq = 1\n$$\n\n## 1 Signs")),
    from,
  );
  expect(after.fingerprint).toBe(before.fingerprint);
  expect([before.location.block, after.location.block]).toEqual(["eq:1", "eq:2"]);
});

const at = "2030-01-01T00:00:00Z";
const correction: Correction = {
  id: "c-1",
  summary: "sign changed",
  before: [{ literal: "L = -R" }],
  after: "L = R",
  scope: "set",
  exceptions: [],
};
const makeFinding = (state: FindingState, severity: AuditFinding["severity"] = "minor"): AuditFinding => ({
  ...createAuditFinding(answerAll(parseSample(), "math", [{ severity }]).findings[0], parseSample(), {
    pass: "math",
    round: 1,
    reviewer: { id: "r", role: "reviewer" },
    at,
  }),
  state,
});

test.each<{
  from: FindingState;
  role: ReviewRole;
  change: Partial<FindingChange> & Pick<FindingChange, "to">;
  severity?: "major";
  refusal?: RegExp;
}>([
  { from: "open", role: "author", change: { to: "accepted" } },
  { from: "open", role: "arbiter", change: { to: "rejected", reason: "the sign is right" } },
  {
    from: "open",
    role: "author",
    change: { to: "rejected", reason: "I disagree" },
    refusal: /acts as author, and this takes the arbiter/,
  },
  { from: "open", role: "fixer", change: { to: "rejected", reason: "no" }, refusal: /takes the arbiter/ },
  { from: "open", role: "arbiter", change: { to: "rejected" }, refusal: /no reason/ },
  { from: "open", role: "fixer", change: { to: "fixed", correction }, refusal: /it can go to accepted/ },
  { from: "accepted", role: "fixer", change: { to: "fixed", correction } },
  { from: "accepted", role: "fixer", change: { to: "fixed" }, refusal: /no correction/ },
  {
    from: "accepted",
    role: "fixer",
    change: { to: "fixed", correction: { ...correction, before: [] } },
    refusal: /names no old wording/,
  },
  {
    from: "accepted",
    role: "fixer",
    change: { to: "fixed", correction: { ...correction, before: [{ literal: "R" }] } },
    refusal: /too short/,
  },
  {
    from: "accepted",
    role: "fixer",
    change: { to: "fixed", correction: { ...correction, before: [{ regex: "(" }] } },
    refusal: /no regular expression/,
  },
  { from: "accepted", role: "arbiter", change: { to: "fixed", correction }, refusal: /takes the author or fixer/ },
  { from: "fixed", role: "author", change: { to: "verified" }, refusal: /takes the tool/ },
  { from: "fixed", role: "tool", change: { to: "verified" } },
  { from: "open", role: "arbiter", change: { to: "deferred", reason: "later", owner: "ann", expires: "2031-01-01" } },
  {
    from: "open",
    role: "arbiter",
    change: { to: "deferred", reason: "later", owner: "ann", expires: "2029-01-01" },
    refusal: /would have ended already/,
  },
  {
    from: "open",
    role: "arbiter",
    change: { to: "deferred", reason: "later", expires: "2031-01-01" },
    refusal: /nobody is named/,
  },
  {
    from: "open",
    role: "arbiter",
    change: { to: "deferred", reason: "later", owner: "ann", expires: "soon" },
    refusal: /no date/,
  },
  {
    from: "open",
    role: "arbiter",
    severity: "major",
    change: { to: "deferred", reason: "later", owner: "ann", expires: "2031-01-01" },
    refusal: /only minor findings and nits/,
  },
  { from: "rejected", role: "author", change: { to: "open", reason: "again" }, refusal: /takes the arbiter/ },
])("changeFinding() from $from to $change.to by the $role", ({ from, role, change, severity, refusal }) => {
  const run = () => changeFinding(makeFinding(from, severity ?? "minor"), { by: { id: "x", role }, at, ...change });
  if (refusal === undefined)
    expect(run()).toMatchObject({
      state: change.to,
      state_history: [{ state: "open" }, { state: change.to, by: { id: "x" } }],
    });
  else expect(run).toThrow(refusal);
});

test("changeFinding() supports a finding by accepting it", () => {
  expect(
    changeFinding(
      { ...makeFinding("open"), supported: false },
      { to: "accepted", by: { id: "a", role: "arbiter" }, at },
    ).supported,
  ).toBe(true);
});

test("expireDeferrals() opens what was put off too long", () => {
  const finding = makeFinding("deferred");
  const item = { finding: finding.id, reason: "later", owner: "ann", expires: "2030-06-01", shown_on_page: true };
  expect(expireDeferrals([finding], [item], "2030-05-01T00:00:00Z")[0].state).toBe("deferred");
  expect(expireDeferrals([finding], [item], "2030-07-01T00:00:00Z")[0].state).toBe("open");
});

const source = (document: string, text: string, pair?: string): ResidueFile => ({
  path: `${document}.md`,
  kind: "source",
  document,
  pair,
  text,
});
const scan = (more: Partial<Correction>, files: readonly ResidueFile[]) =>
  scanResidue(
    [{ ...correction, document: "a", before: [{ literal: "DeepMind and others" }], after: "others", ...more }],
    files,
    at,
  )[0].residue;

test.each<{ name: string; more?: Partial<Correction>; files: ResidueFile[]; places: string[] }>([
  {
    name: "finds words through line breaks, emphasis, case and width",
    files: [source("a", "by **deepmind**\nand  others, ＤeepMind and others")],
    places: ["a.md:1", "a.md:2"],
  },
  {
    name: "finds words in a page, and names the block",
    files: [
      {
        path: "a.html",
        kind: "page",
        document: "a",
        text: '<p data-block="p:4">by Deep<b>Mind</b> and&#32;others</p><script>"DeepMind and others"</script>',
      },
    ],
    places: ["a.html:p:4"],
  },
  {
    name: "looks at alternative texts",
    files: [{ path: "a.html", kind: "page", document: "a", text: '<img alt="DeepMind and others">' }],
    places: ["a.html:"],
  },
  {
    name: "keeps to the document",
    more: { scope: "document" },
    files: [source("a", "fine"), source("b", "DeepMind and others")],
    places: [],
  },
  {
    name: "goes over to the translation",
    more: { scope: "pair" },
    files: [source("a", "fine"), source("a-zh", "DeepMind and others", "a"), source("b", "DeepMind and others")],
    places: ["a-zh.md:1"],
  },
  {
    name: "goes over the whole set",
    more: { scope: "set" },
    files: [source("a", "fine"), source("b", "DeepMind and others")],
    places: ["b.md:1"],
  },
  {
    name: "does not take the new words for the old",
    more: { after: "not DeepMind and others" },
    files: [source("a", "It is not DeepMind and others.")],
    places: [],
  },
  {
    name: "takes expressions",
    more: { before: [{ regex: "deep\\s*mind" }] },
    files: [source("a", "x\nDeep Mind")],
    places: ["a.md:2"],
  },
  {
    name: "joins Chinese words over a line break",
    more: { before: [{ literal: "误标机构" }] },
    files: [source("a", "误标\n机构")],
    places: ["a.md:1"],
  },
  {
    name: "lets waived places stand",
    more: { exceptions: [{ file: "a.md", line_contains: "history", reason: "quoted" }] },
    files: [source("a", "history: DeepMind and others")],
    places: [],
  },
])("scanResidue() $name", ({ more = {}, files, places }) => {
  const residue = scan(more, files);
  const left = (residue?.hits ?? []).filter(({ waived }) => waived === undefined);
  expect(left.map(({ file, line, block }) => `${file}:${line ?? block ?? ""}`)).toEqual(places);
  expect(residue?.clean).toBe(places.length === 0);
});

test("scanResidue() is not clean when nothing was looked at", () => {
  expect(scan({ scope: "document" }, [source("b", "fine")])?.clean).toBe(false);
});

test("needs-verify markers become entries, outlive a marker that is only taken out, and settle with evidence", () => {
  const marked = parseSample(
    "# T\n\nThe venue is X. [needs-verify: which venue?] Next one.\n\n`[needs-verify]` is how to mark.\n\n| a |\n|---|\n| 5 [needs-verify] |\n",
  );
  const entries = collectNeedsVerify(marked);
  expect(entries[0]).toMatchObject({ question: "which venue?", text: "The venue is X.", location: { line: 3 } });
  expect(entries).toHaveLength(2);
  const [entry] = entries;
  const bare = parseSample("# T\n\nThe venue is X. Next one.\n");
  const kept = updateNeedsVerify([entry], bare);
  expect(kept).toMatchObject([{ id: entry.id, state: "open", is_marked: false }]);
  const by = { id: "ann", role: "author" as const };
  const settle = (to: "verified" | "corrected" | "hedged" | "removed", more = {}, text = bare.source) =>
    resolveNeedsVerify(entry, { to, by, ...more }, text);
  expect(() => settle("verified")).toThrow("no evidence with a source and a quote");
  expect(() => settle("verified", { evidence: [{ source: "arXiv", quote: " ", looked_up_at: "2030-01-01" }] })).toThrow(
    "no evidence",
  );
  expect(
    settle("verified", { evidence: [{ source: "arXiv", quote: "venue X", looked_up_at: "2030-01-01" }] }),
  ).toMatchObject({ state: "verified", resolved_by: "ann" });
  expect(() => settle("hedged", { hedge: "as reported" })).toThrow("does not hold the words");
  expect(settle("hedged", { hedge: "venue is X" }).state).toBe("hedged");
  expect(settle("removed", {}, "# T\n\nNext one.\n").state).toBe("removed");
  expect(() => settle("removed", {}, entry.text)).toThrow("still stands");
  expect(updateNeedsVerify([{ ...entry, state: "verified" }], marked)[0].state).toBe("open");
});

test("estimateRemainder() has Chapman's values and refuses impossible counts", () => {
  const { total, estimate, low, high } = estimateRemainder(10, 8, 6);
  expect(total).toBeCloseTo((11 * 9) / 7 - 1, 12);
  expect(estimate).toBeCloseTo(1.142857, 6);
  expect(low).toBeGreaterThan(0);
  expect(high).toBeGreaterThan(estimate);
  expect(estimateRemainder(5, 5, 5)).toMatchObject({ estimate: 0, low: 0, high: 0 });
  expect(estimateRemainder(4, 4, 0).total).toBe(24);
  expect(() => estimateRemainder(2, 3, 3)).toThrow(RangeError);
  expect(() => estimateRemainder(1.5, 3, 1)).toThrow(RangeError);
});

const rich = `# T

The method of Kim et al. (2020), arXiv 2001.00001, is faster than the others and reaches 0.73 of it.

$$
L = -R + \\gamma V
$$

\`\`\`python
import math
value = math.sqrt(4)
print(value)
\`\`\`

\`\`\`python
import os
\`\`\`

| name | first | second |
|---|---|---|
| a | 0.51 | 0.72 |

$$
G = \\frac{1}{N} x
$$

Others are worse than that.

It reaches 0.81 in the end.

See arXiv 2002.00002 for more.

Lee (2019) says so.
`;

test("drawMutations() makes one defect of each class, keeps lines, and is the same for one seed", () => {
  const document = parseSample(rich);
  const mutations = drawMutations(document, { perClass: 1, seed: 3 });
  expect(new Set(mutations.map((each) => each.class))).toEqual(new Set(mutationClasses));
  expect(drawMutations(document, { perClass: 1, seed: 3 })).toEqual(mutations);
  const copy = applyMutations(rich, mutations);
  expect(copy.split("\n")).toHaveLength(rich.split("\n").length);
  mutations.forEach(({ start, end, before }) => expect(rich.slice(start, end)).toBe(before));
  const changed = copy.split("\n").flatMap((line, index) => (line === rich.split("\n")[index] ? [] : [index + 1]));
  expect(changed).toEqual([...new Set(mutations.map(({ line }) => line))].sort((a, b) => a - b));
});

test("probeReviewer() measures recall by class and counts other findings apart", async () => {
  const document = parseSample(rich);
  const response = (findings: Parameters<typeof answerAll>[2]) => answerAll(document, "math", findings);
  const sign = drawMutations(document, { classes: ["flip_sign"], perClass: 1, seed: 1 })[0];
  const exact = applyMutations(rich, [sign]).split("\n")[sign.line - 1];
  const backend = createReplayBackend(
    [
      {
        response: response([
          { location: { quote: { prefix: "", exact, suffix: "" } } },
          { location: { quote: { prefix: "", exact: "Others are worse", suffix: "" } } },
        ]),
      },
    ],
    { createSessionId: () => "p-1" },
  );
  const { probe } = await probeReviewer(document, backend, {
    round: 0,
    now: () => 0,
    classes: ["flip_sign"],
    perClass: 1,
    seed: 1,
    parse: parseSample,
  });
  expect(probe.recall).toMatchObject([{ class: "flip_sign", n: 1, found: 1, recall: 1 }]);
  expect(probe.otherFindings).toBe(1);
});
