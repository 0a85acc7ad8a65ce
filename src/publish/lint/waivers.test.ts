import { expect, test } from "vitest";
import { parseDocument } from "../parse/parse-document.js";
import { loadPythonParser } from "./code/python-parser.js";
import { lintDocument } from "./lint-document.js";
import { toLintSarif } from "./lint-sarif.js";
import { parseWaivers } from "./waivers.js";

const python = await loadPythonParser();

function lint(
  markdown: string,
  waivers = "",
  rules: readonly string[] = ["marker.open", "waiver.unused", "waiver.expired"],
) {
  const document = parseDocument(markdown, { file: "notes/a.md" });
  const subject = { document, set: [document], level: "release" as const, python, userNames: [], today: "2030-06-15" };
  return lintDocument(subject, {
    rules,
    waivers: parseWaivers(waivers, "w.yaml"),
    generatedAt: "2030-06-15T00:00:00Z",
  });
}

test("an open marker fails a release, a waived one only warns and keeps its reason", () => {
  expect(lint("TODO ask.").verdict).toBe("FAIL");
  const waived = lint("TODO ask. <!-- lint-allow marker.open: the authors answered -->");
  expect(waived.verdict).toBe("WARN");
  expect(waived.details.findings[0].waiver).toEqual({ reason: "the authors answered", place: "line 1" });
  expect(lint("All said.").verdict).toBe("PASS");
});

test("a waiver covers its own line or the block below, and no more", () => {
  const { details } = lint("<!-- lint-allow marker.open: known -->\nTODO one.\n\nTODO two.");
  expect(details.findings.map(({ place, waiver }) => [place?.line, waiver !== undefined])).toEqual([
    [2, true],
    [4, false],
  ]);
});

test("a waivers file covers documents, lines and words until its date", () => {
  const file = "- { rule: marker.open, reason: known, text: TODO one, by: ann, expires: 2030-12-31 }";
  expect(lint("TODO one.", file).details.findings[0].waiver).toMatchObject({ by: "ann", place: "w.yaml, entry 1" });
  expect(lint("TODO two.", file).details.findings.map(({ ruleId }) => ruleId)).toEqual([
    "marker.open",
    "waiver.unused",
  ]);
  const past = file.replace("2030-12-31", "2030-01-01");
  expect(lint("TODO one.", past).details.findings.map(({ ruleId }) => ruleId)).toEqual([
    "marker.open",
    "waiver.expired",
  ]);
  expect(lint("TODO one.", `${file}\n`.replace("by: ann", "document: other")).verdict).toBe("FAIL");
});

test.each([
  ["- { rule: a.b }", /entry 1, "reason"/],
  ["- { rule: a.b, reason: c, lines: 3 }", /entry 1/],
  ["rule: [", /as YAML/],
  ["rule: a", /the file/],
])("parseWaivers() refuses %s", (text, message) => {
  expect(() => parseWaivers(text, "w.yaml")).toThrow(message);
});

test("a fingerprint stays when lines move and changes with the line", () => {
  const print = (markdown: string): string => lint(markdown).details.findings[0].fingerprint;
  expect(print("TODO one.")).toBe(print("New first.\n\nTODO one."));
  expect(print("TODO one.")).not.toBe(print("TODO two."));
});

test("SARIF marks waived findings as suppressed", () => {
  const { details } = lint("TODO one.\n\nTODO two. <!-- lint-allow marker.open: known -->");
  const sarif = toLintSarif(details.findings, { name: "turnwise", version: "1" });
  expect(sarif).toMatchObject({
    runs: [
      {
        results: [
          { ruleId: "marker.open", level: "error", partialFingerprints: {} },
          { suppressions: [{ kind: "inSource", justification: "known" }] },
        ],
      },
    ],
  });
  expect(JSON.stringify(sarif).match(/suppressions/g)).toHaveLength(1);
});

test("unknown rules and thresholds are refused", () => {
  expect(() => lint("a", "", ["math.nothing"])).toThrow(/"math.nothing".*does not exist/);
});

test("the artefact holds hashes by paths relative to the document", () => {
  const { audited_input_hashes } = lint("Text.");
  expect(Object.keys(audited_input_hashes)).toEqual(["a.md"]);
});

test("homes of persons are found, those of nobody in particular are not", () => {
  const home = (folder: string, name: string): string => ["", folder, name, "data"].join("/");
  const judge = (path: string): number => lint(`See \`${path}\`.`, "", ["privacy.path"]).details.findings.length;
  expect([home("home", "mli42"), home("Users", "li.ming")].map(judge)).toEqual([1, 1]);
  expect([home("home", "user"), home("Users", "yourname")].map(judge)).toEqual([0, 0]);
});
