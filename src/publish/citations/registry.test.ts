import fc from "fast-check";
import { expect, test } from "vitest";
import { parseBibtex } from "./bibtex.js";
import { countEdits, foldText, parseNames } from "./names.js";
import {
  createRegistry,
  findYear,
  getEntryId,
  getShortAuthors,
  listYears,
  parseRegistry,
  renderRegistry,
  toRegistryEntry,
} from "./registry.js";
import { decodeTex } from "./tex-text.js";
import { findArxivFault, findArxivMonth, findDoiFault, getCanonicalId } from "./work-id.js";

test.each([
  ['M{\\"u}ller and Erd\\H{o}s', "Müller and Erdős"],
  ["{\\'E}cole \\o{} {\\ss}", "École ø ß"],
  ["\\v{S}koda, \\c{c}a, \\~n, \\aa", "Škoda, ça, ñ, å"],
  ["{GPT}-4: 10\\% of {\\em all} $x^2$ -- done", "GPT-4: 10% of all $x^2$ – done"],
  ["``So''~it is", "“So” it is"],
  ["Nguy\\~{\\^e}n", "Nguyễn"],
])("decodeTex(%j) is %j", (tex, text) => {
  expect(decodeTex(tex)).toBe(text);
});

test.each([
  ["van der Berg, Jan and Ludwig van Beethoven", ["van der Berg/Jan", "van Beethoven/Ludwig"]],
  ["King, Jr., Martin Luther", ["King/Martin Luther"]],
  ["{DeepSeek-AI} and others", ["DeepSeek-AI"]],
  ["Plato", ["Plato/"]],
])("parseNames(%j) is %j", (tex, names) => {
  expect(parseNames(tex, decodeTex).map(({ family, given = "", literal }) => literal ?? `${family}/${given}`)).toEqual(
    names,
  );
});

const bibtex = `Free text with an address a@b.c between entries.
@comment{ @article{no, title = {No}} }
@string{nips = "Advances in Neural Information " # "Processing Systems"}
@preamble{"x"}
@InProceedings{vaswani2017,
  title     = {Attention is {All} you Need}, % a comment
  author    = "Vaswani, Ashish and Shazeer, Noam and others",
  booktitle = nips,
  year      = 2017, month = jun,
  eprint    = {1706.03762v5}, archivePrefix = "arXiv",
}
@article(shao2024, title = {DeepSeekMath}, author = {Zhihong Shao and Peiyi Wang and Qihao Zhu}, journal = {arXiv preprint arXiv:2402.03300}, year = {2024})
@misc{web, title = {A page}, howpublished = {\\url{https://example.org}}, date = {2023-04-05}}`;

test("parseBibtex() reads strings, joins, parentheses, comments and fields given twice", () => {
  const entries = parseBibtex(bibtex, "a.bib");
  expect(entries.map(({ type, key, line }) => [type, key, line])).toEqual([
    ["inproceedings", "vaswani2017", 5],
    ["article", "shao2024", 12],
    ["misc", "web", 13],
  ]);
  expect(entries[0]?.fields).toMatchObject({
    booktitle: "Advances in Neural Information Processing Systems",
    month: "6",
  });
});

test("toRegistryEntry() parts preprint and venue", () => {
  const [vaswani, shao, web] = parseBibtex(bibtex, "a.bib").map(toRegistryEntry);
  expect(vaswani).toMatchObject({
    type: "paper-conference",
    title: "Attention is All you Need",
    issued: { "date-parts": [[2017, 6]] },
    custom: { arxiv: "1706.03762", preprint_date: "2017-06", venue_year: 2017, status: "accepted" },
  });
  expect(shao).toMatchObject({ custom: { arxiv: "2402.03300", status: "preprint" } });
  expect(shao["container-title"]).toBeUndefined();
  expect([getShortAuthors(vaswani), getShortAuthors(shao), getShortAuthors(web)]).toEqual([
    "Vaswani and Shazeer",
    "Shao et al.",
    "A page",
  ]);
  expect([findYear(web), getEntryId(vaswani)]).toEqual([2023, "arxiv:1706.03762"]);
});

test.each([
  ["@article{a, title = {x", "a value is never closed in line 1"],
  ["\n@article{a, title = nope}", 'the string "nope" is not defined in line 2'],
  ["@article{, title = {x}}", "an entry has no key"],
  ["@article{a, title {x}}", 'the field "title" of "a" has no value'],
  ["@article{a, title = {x}", "an entry is never closed"],
  ['@article{a, title = "x}"}', 'a "}" too many'],
  ["@comment{ {", "a comment is never closed"],
])("parseBibtex() refuses %j", (text, message) => {
  expect(() => parseBibtex(text, "a.bib")).toThrow(message);
});

test("parseBibtex() reads or refuses any text, and comes to an end", () => {
  const piece = fc.constantFrom(
    "@article{",
    "a,",
    "title",
    "=",
    "{",
    "}",
    '"',
    "#",
    "x",
    "\\",
    "\n",
    "%",
    "@",
    "(",
    ")",
    "1",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      try {
        parseBibtex(pieces.join(""), "a.bib");
      } catch (error) {
        expect(String(error)).toContain("Cannot read the bibliography");
      }
    }),
  );
});

test.each([
  ["1412.6980", undefined],
  ["1501.00001", undefined],
  ["1412.69801", "4 digits"],
  ["1501.0001", "5 digits"],
  ["2316.01234", "month 16"],
  ["0612.1234", "begin with 0704"],
  ["cs/0112017", undefined],
  ["cs/0113017", "month 13"],
  ["2702.00001", "future"],
  ["x", "YYMM"],
])("findArxivFault(%j) says %j", (id, fault) => {
  const found = findArxivFault(id, "2027-01-31");
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(fault);
});

test("ids come down to one: versions, DOIs of arXiv, case and titles", () => {
  expect(getCanonicalId({ arxiv: "2402.03300v3" })).toBe("arxiv:2402.03300");
  expect(getCanonicalId({ doi: "10.48550/arXiv.2402.03300" })).toBe("arxiv:2402.03300");
  expect(getCanonicalId({ doi: "https://doi.org/10.1038/Nature14539" })).toBe("doi:10.1038/nature14539");
  expect(getCanonicalId({ title: "On {X}: a Study" })).toBe(getCanonicalId({ title: "on x – A STUDY" }));
  expect(getCanonicalId({})).toBeUndefined();
  expect([findArxivMonth("cs/9912017"), findArxivMonth("2402.03300")]).toEqual(["1999-12", "2024-02"]);
  expect([findDoiFault("10.1038/nature14539"), findDoiFault("10.1038/")]).toEqual([
    undefined,
    "nothing stands behind its slash",
  ]);
});

test("a registry is written and read back the same, keys sorted, unknown fields kept", () => {
  const entries = parseBibtex(bibtex, "a.bib").map(toRegistryEntry);
  const text = renderRegistry(entries);
  expect(renderRegistry(parseRegistry(text, "r.json"))).toBe(text);
  const more = parseRegistry('[{"id": 7, "volume": "3", "custom": {"mine": 1}}]', "r.json");
  expect(more[0]).toMatchObject({ id: "7", volume: "3", custom: { mine: 1 } });
  expect(() => parseRegistry("{}", "r.json")).toThrow("as CSL-JSON");
  expect(() => parseRegistry("[", "r.json")).toThrow("no JSON");
});

test("listYears() joins the years of linked records", () => {
  const [published, preprint] = parseRegistry(
    '[{"id": "p", "issued": {"date-parts": [[2021]]}, "custom": {"linked": ["x"]}}, {"id": "x", "custom": {"arxiv": "2006.00001"}}]',
    "r.json",
  );
  expect(listYears(published, createRegistry([published, preprint]))).toEqual([2020, 2021]);
});

test("countEdits() is a distance", () => {
  const word = fc.string({ maxLength: 8 });
  fc.assert(
    fc.property(word, word, word, (a, b, c) => {
      expect(countEdits(a, b)).toBe(countEdits(b, a));
      expect(countEdits(a, c)).toBeLessThanOrEqual(countEdits(a, b) + countEdits(b, c));
      expect(countEdits(a, b) === 0).toBe(a === b);
    }),
  );
  expect(foldText("Müller–Łukasz’s  Größe")).toBe("muller lukasz s grosse");
});
