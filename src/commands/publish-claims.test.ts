import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { evalBudget } from "./eval-budget.js";
import { bindClaimFile, checkClaimFiles } from "./publish-claims.js";

const folder = mkdtempSync(join(tmpdir(), "turnwise-claims-"));
const at = (name: string): string => join(folder, name);
const now = new Date("2030-01-01T00:00:00Z");
const options = { out: at("out"), now };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  await evalBudget({
    env: "vault",
    budgets: [2, 4, 8],
    taskCount: 12,
    samples: 2,
    policies: ["scripted:base", "scripted:better-persistence"],
    output: at("run"),
  });
}, 60_000);

/** Checks a copy of the run's report after a change to one of its files. */
async function checkChanged(name: string, file: string, change: (text: string) => string) {
  const copy = at(name);
  cpSync(at("run/report"), copy, { recursive: true });
  const path = join(copy, file);
  const before = readFileSync(path, "utf8");
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
  const [{ artefact }] = await checkClaimFiles([copy], options);
  return artefact;
}

test("a report of turnwise has every number bound to a claim that its data bear out", async () => {
  const [{ id, artefact }] = await checkClaimFiles([at("run/report")], options);
  expect(id).toBe("run-report");
  expect(artefact).toMatchObject({ verdict: "PASS", reason_code: "reconciled", details: { findings: [] } });
  expect(artefact.details.total).toBeGreaterThan(100);
  expect(artefact.details.numbers.bound).toBeGreaterThan(100);
});

test("a number changed on the page is found: in a link, in the evidence, in a chart", async () => {
  const link = await checkChanged("changed-link", "report.html", (page) =>
    page.replace(
      /(<a class="n" href="#c\.pass[^>]*>)(\d)/,
      (_whole, open: string, digit: string) => `${open}${(Number(digit) + 1) % 10}`,
    ),
  );
  expect(link).toMatchObject({ verdict: "FAIL", reason_code: "number-mismatch" });
  expect(link.details.findings[0]?.message).toMatch(/^pass\.\d.*: the page shows ".*", the data give ".*"$/);
  const row = await checkChanged("changed-row", "report.html", (page) =>
    page.replace(/(<tr id="c\.pass[^>]*>.*?<td>)([^<]*)/, "$1 7$2"),
  );
  expect(row.details.findings[0]?.message).toContain("the evidence table shows");
  const chart = await checkChanged("changed-chart", "report.html", (page) =>
    page.replace(/(<text[^>]*>)(\d+)/, "$19$2"),
  );
  expect(chart).toMatchObject({ verdict: "FAIL" });
  expect(chart.details.findings[0]?.message).toContain("The page is not what its data give: line");
});

test("a number changed in report.json is found: in the data, in a claim, in a pointer", async () => {
  const data = await checkChanged("changed-data", "report.json", (json) =>
    json.replace(/("estimate": \{\s*"value": )([\d.]+)/, "$10.1234"),
  );
  expect(data).toMatchObject({ verdict: "FAIL", reason_code: "number-mismatch" });
  expect(data.details.findings[0]?.message).toContain("report.json says");
  const pointer = await checkChanged("changed-pointer", "report.json", (json) =>
    json.replace('"select": "/surfaces/0/', '"select": "/surfaces/7/'),
  );
  expect(pointer).toMatchObject({ verdict: "FAIL", reason_code: "selector-error" });
  const broken = await checkChanged("changed-claims", "report.json", (json) =>
    json.replace('"claims": [', '"claims": ["x",'),
  );
  expect(broken).toMatchObject({ verdict: "BLOCKED", reason_code: "report-unreadable" });
});

test("a run that was replaced makes its report stale", async () => {
  cpSync(at("run"), at("moved/run"), { recursive: true });
  const file = at("moved/run/run.json");
  writeFileSync(file, readFileSync(file, "utf8").replace(/"configHash":\s*"[0-9a-f]{8}/, '"configHash": "00000000'));
  const [{ artefact }] = await checkClaimFiles([at("moved/run/report")], options);
  expect(artefact).toMatchObject({ verdict: "FAIL", reason_code: "stale-evidence" });
});

const ledger = `claims:
  - id: persistent
    kind: value
    expr: mean(value)
    inputs: [{ artefact: run, select: 'rows[policy.id == "better-persistence"]/success' }]
    display: { percent: true, decimals: 1 }
    aggregation: { method: mean, over: episodes }
  - id: episodes
    kind: count
    expr: count(value)
    inputs: [{ artefact: run, select: rows/success }]
  - id: gain
    kind: delta
    expr: mean(b) - mean(a)
    inputs:
      - { artefact: run, select: 'rows[policy.id == "base"]/success' }
      - { artefact: run, select: 'rows[policy.id == "better-persistence"]/success' }
    display: { percent: true, decimals: 1, signed: true }
`;

/** Returns a report over the run with the numbers that its ledger gives, read back from the check. */
function writeReport(shown: string, gain: string, count: string): string {
  mkdirSync(at("doc"), { recursive: true });
  writeFileSync(at("doc/claims.yaml"), ledger.replaceAll("artefact: run", "artefact: ../run"));
  const file = at("doc/report.md");
  writeFileSync(
    file,
    `---\nid: persistence\nkind: report\nlang: en\nevidence: [../run]\n---\n\n## Result\n\nThe persistent policy solves ${shown} of its episodes, ${gain} against the base, in ${count} episodes in all.\n`,
  );
  return file;
}

test("one wrong number in a report over our own run is found, mended by what the evidence gives, and passes", async () => {
  const first = await checkClaimFiles([writeReport("[[c:persistent]]", "[[c:gain]]", "[[c:episodes]]")], options);
  expect([first[0].artefact.verdict, first[0].artefact.details.findings]).toEqual(["PASS", []]);
  const display = (id: string): string =>
    first[0].artefact.details.claims.find((claim) => claim.id === id)?.display ?? "";
  const [shown, gain, count] = ["c:persistent", "c:gain", "c:episodes"].map(display);
  const wrong = shown.replace(/^\d/, (digit) => String((Number(digit) + 1) % 10));
  const file = writeReport(`[${wrong}]{#c:persistent}`, `[${gain}]{#c:gain}`, `[${count}]{#c:episodes}`);
  const [{ artefact }] = await checkClaimFiles([file], options);
  expect(artefact).toMatchObject({ verdict: "FAIL", reason_code: "number-mismatch" });
  expect(artefact.details.mismatches).toMatchObject([
    { claim_id: "c:persistent", text: wrong, value: shown, artefact: "../run" },
  ]);
  writeFileSync(file, readFileSync(file, "utf8").replace(wrong, shown));
  const [mended] = await checkClaimFiles([file], options);
  expect(mended.artefact).toMatchObject({ verdict: "PASS", details: { numbers: { bound: 3, unbound: 0 } } });
});

test("bind puts ids to the numbers that fit one claim, and writes nothing in a dry run", async () => {
  const [{ artefact }] = await checkClaimFiles(
    [writeReport("[[c:persistent]]", "[[c:gain]]", "[[c:episodes]]")],
    options,
  );
  const display = (id: string): string => artefact.details.claims.find((claim) => claim.id === id)?.display ?? "";
  const file = writeReport(display("c:persistent"), "99.9 pp", display("c:episodes"));
  const before = readFileSync(file, "utf8");
  const shown = await bindClaimFile(file, { isDryRun: true });
  expect(shown.isWritten).toBe(false);
  expect(readFileSync(file, "utf8")).toBe(before);
  const bound = await bindClaimFile(file);
  expect(bound.changes.map(({ isBound }) => isBound)).toEqual([true, false, true]);
  expect(readFileSync(file, "utf8")).toContain(`[${display("c:episodes")}]{#c:episodes} episodes in all`);
});

test("a configuration names ledger and evidence, as seen from itself, and what is given goes first", async () => {
  writeReport("[[c:persistent]]", "[[c:gain]]", "[[c:episodes]]");
  const file = at("doc/apart.md");
  const text = readFileSync(at("doc/report.md"), "utf8").replace("evidence: [../run]\n", "");
  writeFileSync(file, text.replace("id: persistence", "id: apart"));
  mkdirSync(at("settings"), { recursive: true });
  writeFileSync(at("settings/own.yaml"), readFileSync(at("doc/claims.yaml"), "utf8"));
  const config = at("settings/publish.yaml");
  const check = async (settings: string, more = {}) => {
    writeFileSync(config, settings);
    return (await checkClaimFiles([file], { ...options, config, ...more }))[0].artefact;
  };
  const own = await check("claims: { ledger: own.yaml, evidence: [../run] }");
  expect(own.verdict).toBe("PASS");
  expect(Object.keys(own.audited_input_hashes)).toContain("../settings/own.yaml");
  const given = await check("claims: { ledger: none.yaml, evidence: [../run] }", { ledger: at("doc/claims.yaml") });
  expect(given.verdict).toBe("PASS");
  await expect(check("claims: { ledger: none.yaml }")).rejects.toThrow(/Cannot read the ledger ".*none\.yaml"/);
  await expect(check("claims: { evidence: run }")).rejects.toThrow(/Cannot use "claims\.evidence" of configuration/);
  await expect(check("claims: { legder: x }")).rejects.toThrow(/Cannot use "claims" of configuration/);
});

/** Files beside a document, and the verdict they lead to. */
interface BadInput {
  readonly name: string;
  readonly files: { readonly [file: string]: string };
  readonly head: string;
  readonly verdict: string;
  readonly reason: string;
}

test.each<BadInput>([
  {
    name: "a ledger that is no YAML",
    files: { "claims.yaml": "claims: [" },
    head: "evidence: [e]\n",
    verdict: "BLOCKED",
    reason: "ledger-unreadable",
  },
  {
    name: "a ledger with an unknown key",
    files: { "claims.yaml": "claim: []\n" },
    head: "evidence: [e]\n",
    verdict: "BLOCKED",
    reason: "ledger-unreadable",
  },
  {
    name: "evidence that is not there",
    files: {},
    head: "evidence: [none]\n",
    verdict: "BLOCKED",
    reason: "evidence-missing",
  },
  { name: "no evidence root", files: {}, head: "", verdict: "BLOCKED", reason: "no-evidence-root" },
  {
    name: "an artefact that is torn",
    files: {
      "claims.yaml": "claims: [{ id: x, kind: value, inputs: [{ artefact: e/a.json, select: /a }] }]\n",
      "e/a.json": "{",
    },
    head: "evidence: [e]\n",
    verdict: "FAIL",
    reason: "missing-evidence",
  },
  {
    name: "an artefact outside the evidence",
    files: {
      "claims.yaml": "claims: [{ id: x, kind: value, inputs: [{ artefact: ../run/run.json, select: /samples }] }]\n",
    },
    head: "evidence: [e]\n",
    verdict: "FAIL",
    reason: "missing-evidence",
  },
])("$name gives $verdict", async ({ name, files, head, verdict, reason }) => {
  const place = at(name.replaceAll(" ", "-"));
  mkdirSync(join(place, "e"), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(place, file), text);
  writeFileSync(join(place, "a.md"), `---\nid: a\nkind: report\n${head}---\n\nIt is [2]{#c:x}.\n`);
  const [{ artefact }] = await checkClaimFiles([join(place, "a.md")], options);
  expect([artefact.verdict, artefact.reason_code]).toEqual([verdict, reason]);
});

test("a ledger that is a folder is refused as such", async () => {
  const place = at("ledger-folder");
  mkdirSync(join(place, "claims.yaml"), { recursive: true });
  writeFileSync(join(place, "a.md"), "It is [2]{#c:x}.\n");
  await expect(checkClaimFiles([join(place, "a.md")], options)).rejects.toThrow(/it is a folder, not a file/);
});
