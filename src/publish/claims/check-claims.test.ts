import { expect, test } from "vitest";
import { parseDocument } from "../parse/parse-document.js";
import { checkClaims } from "./check-claims.js";
import { parseClaimLedger } from "./ledger.js";
import { checkText, claimOf } from "./testing.js";

const table = "| policy | T = 8 | T = 16 |\n|---|---|---|\n| base | 40% | 55% |\n| rl | 60% | 70% |";
const binding =
  "tables:\n  - { table: tbl:1, artefact: table.csv, row_key: policy, field: policy, columns: { T = 8: s8, T = 16: s16 }, display: { percent: true, decimals: 0 } }\n";

test("a table is bound as a whole, and a changed cell is found with its evidence", () => {
  const markdown = table;
  expect(checkText(markdown, binding)).toMatchObject({
    verdict: "PASS",
    details: { total: 4, numbers: { bound: 4, unbound: 0 } },
  });
  const wrong = checkText(markdown.replace("55%", "56%"), binding);
  expect(wrong).toMatchObject({ verdict: "FAIL", reason_code: "number-mismatch" });
  expect(wrong.details.mismatches).toEqual([
    {
      claim_id: "tbl:1/base/T = 16",
      location: "tbl:1:9",
      text: "56%",
      value: "55%",
      artefact: "table.csv",
      artefact_value: 0.55,
      status: "number_mismatch",
      details: 'tbl:1/base/T = 16: "56%" is shown, the evidence gives 55% (0.55)',
    },
  ]);
  const swapped = checkText(
    markdown.replace("| base | 40%", "| base | 60%").replace("| rl | 60%", "| rl | 40%"),
    binding,
  );
  expect(swapped.details.by_status).toEqual({ exact_match: 2, number_mismatch: 2 });
});

test("numbers are a warning outside reports, and evidence that is missing blocks", () => {
  expect(checkText("It took 17 hours.", "", { kind: "tutorial" })).toMatchObject({
    verdict: "WARN",
    reason_code: "unbound",
  });
  expect(checkText("It took 17 hours.", "", { hasEvidence: false })).toMatchObject({
    verdict: "BLOCKED",
    reason_code: "no-evidence-root",
  });
  expect(checkText("It took [1]{#c:x}.", claimOf(""), { hasEvidence: false }).verdict).toBe("BLOCKED");
  // What contradicts itself is known to be wrong without evidence.
  expect(checkText("It solves 23 of 31 tasks (75.2%).", "", { hasEvidence: false }).verdict).toBe("FAIL");
});

test("a changed artefact value is found at the next check", () => {
  const markdown = "It solves [0.7425]{#c:x}.";
  expect(checkText(markdown, claimOf("display: {}")).verdict).toBe("PASS");
  const changed = { "run.json": '{"status":"complete","mean":0.7524}' };
  expect(checkText(markdown, claimOf("display: {}"), { changed })).toMatchObject({
    verdict: "FAIL",
    reason_code: "number-mismatch",
  });
});

test("alternative texts and captions use the same claims", () => {
  const artefact = checkText(
    "![Success is [0.7425]{#c:x}](a.png)\n\n## Result of [0.7425]{#c:x}",
    claimOf("display: {}"),
  );
  expect(artefact).toMatchObject({
    verdict: "PASS",
    details: { numbers: { bound: 2 }, claims: [{ occurrences: [{ text: "0.7425" }, { text: "0.7425" }] }] },
  });
});

test.each([
  ["claims: [", "as YAML"],
  ["claims: [{ id: x }]", "claims[0].kind"],
  ["claims: [{ id: x, kind: value, inputs: [{ artefact: a, select: /a }], colour: red }]", '"colour"'],
  ["claims: [{ id: 'x y', kind: value, inputs: [{ artefact: a, select: /a }] }]", "letters, digits"],
])("the ledger %j is refused", (text, message) => {
  expect(() => parseClaimLedger(text, "claims.yaml")).toThrow(message);
});

test("a fault of the engine is the verdict ERROR, not an exception", () => {
  const document = parseDocument("---\nid: a\nkind: report\n---\n\nIt is [1]{#c:x}.\n", { file: "a.md" });
  const artefact = checkClaims(document, {
    generatedAt: "2030-01-01T00:00:00Z",
    ledger: {
      file: "claims.yaml",
      sha256: `sha256:${"0".repeat(64)}`,
      content: parseClaimLedger(claimOf(""), "claims.yaml"),
    },
    evidence: {
      find() {
        throw new TypeError("broken");
      },
    },
  });
  expect(artefact).toMatchObject({ verdict: "ERROR", reason_code: "engine-fault" });
});
