import { expect, test } from "vitest";
import { parseDocument } from "../parse/parse-document.js";
import { parseArtefact } from "./artefact.js";
import { checkClaims, type ClaimsDetails } from "./check-claims.js";
import type { StageArtefact } from "../verdict.js";
import { parseClaimLedger } from "./ledger.js";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const rows = [
  { policy: "base", T: 8, success: [1, 0, 0, 1, 0], dataset: "d1" },
  { policy: "rl", T: 8, success: [1, 1, 0, 1, 0], dataset: "d1" },
]
  .flatMap(({ success, ...rest }) => success.map((value, task) => ({ ...rest, task, success: value })))
  .map((row) => JSON.stringify(row))
  .join("\n");

const files: Readonly<Record<string, string>> = {
  "rows.jsonl": rows,
  "other.jsonl": rows.replaceAll('"d1"', '"d2"'),
  "run.json": '{"status":"complete","mean":0.7425,"low":-0.02,"high":0.19,"delta":0.085,"tokens":12345,"score":3.45}',
  "half.json": '{"status":"running","mean":0.5}',
  "table.csv": "policy,s8,s16\nbase,0.4,0.55\nrl,0.6,0.7\n",
};

function check(
  markdown: string,
  ledger = "",
  options: {
    readonly kind?: string;
    readonly hasEvidence?: boolean;
    readonly changed?: Readonly<Record<string, string>>;
  } = {},
): StageArtefact<ClaimsDetails> {
  const { kind = "report", hasEvidence = true, changed = {} } = options;
  const document = parseDocument(`---\nid: a\nkind: ${kind}\nlang: en\n---\n\n${markdown}\n`, { file: "a.md" });
  const all: Readonly<Record<string, string>> = { ...files, ...changed };
  return checkClaims(document, {
    generatedAt: "2030-01-01T00:00:00Z",
    ...(ledger === ""
      ? {}
      : {
          ledger: {
            file: "claims.yaml",
            sha256: `sha256:${"0".repeat(64)}`,
            content: parseClaimLedger(ledger, "claims.yaml"),
          },
        }),
    ...(hasEvidence
      ? { evidence: { find: (name) => (all[name] === undefined ? undefined : parseArtefact(name, encode(all[name]))) } }
      : {}),
  });
}

/** One claim `c:x` over run.json. */
function claim(more: string, input = "{ artefact: run.json, select: /mean }"): string {
  return `claims:\n  - { id: x, kind: value, inputs: [${input}], ${more} }\n`;
}

const share = "display: { percent: true, decimals: 1 }";
const mean = (policy: string, file = "rows.jsonl"): string =>
  `{ artefact: ${file}, select: 'rows[policy == "${policy}"]/success' }`;
const delta = (more: string, file = "rows.jsonl"): string =>
  `claims:\n  - { id: x, kind: delta, expr: mean(b) - mean(a), inputs: [${mean("base")}, ${mean("rl", file)}], ${more} }\n`;

test.each([
  // Numbers against their evidence.
  ["the value as it is", "It solves [0.7425]{#c:x}.", claim("display: {}"), "PASS", []],
  ["rounded as declared", "It solves [74.3%]{#c:x}.", claim(share), "PASS", []],
  [
    "rounded half even",
    "It solves [74.2%]{#c:x}.",
    claim("display: { percent: true, decimals: 1, rounding: half_even }"),
    "PASS",
    [],
  ],
  ["rounded, and nothing declared", "It solves [0.743]{#c:x}.", claim("display: {}"), "WARN", ["rounding-ok"]],
  ["rounded the wrong way", "It solves [74.2%]{#c:x}.", claim(share), "FAIL", ["number-mismatch"]],
  ["filled in", "It solves [[c:x]].", claim(share), "PASS", []],
  ["another number", "It solves [74.8%]{#c:x}.", claim(share), "FAIL", ["number-mismatch"]],
  [
    "about, inside the tolerance",
    "It solves about [74%]{#c:x}.",
    claim("display: { percent: true }, tolerance: 0.01"),
    "WARN",
    ["rounding-ok"],
  ],
  [
    "about, far inside the tolerance",
    "It solves about [75%]{#c:x}.",
    claim("display: { percent: true }, tolerance: 0.01"),
    "PASS",
    [],
  ],
  [
    "the tolerance without about",
    "It solves [75%]{#c:x}.",
    claim("display: { percent: true }, tolerance: 0.01"),
    "FAIL",
    ["number-mismatch"],
  ],
  [
    "about, outside the tolerance",
    "It solves about [80%]{#c:x}.",
    claim("display: { percent: true }, tolerance: 0.01"),
    "FAIL",
    ["number-mismatch"],
  ],
  [
    "per cent that the ledger does not know",
    "It solves [74.3%]{#c:x}.",
    claim("display: { decimals: 1 }"),
    "FAIL",
    ["unit-mismatch"],
  ],
  ["a share without its per cent", "It solves [74.3]{#c:x}.", claim(share), "FAIL", ["unit-mismatch"]],
  [
    "seconds for milliseconds",
    "It took [12345ms]{#c:x}.",
    claim("unit: s", "{ artefact: run.json, select: /tokens }"),
    "FAIL",
    ["unit-mismatch"],
  ],
  ["a difference of shares in per cent", "It gains [+20.0%]{#c:x}.", delta(share), "FAIL", ["unit-mismatch"]],
  ["a difference of shares in points", "It gains [+20.0 pp]{#c:x}.", delta(share), "PASS", []],
  [
    "thousands",
    "It used [12,345]{#c:x} tokens.",
    claim("display: { format: grouped }", "{ artefact: run.json, select: /tokens }"),
    "PASS",
    [],
  ],
  [
    "thousands by a suffix",
    "It used [12.3k]{#c:x} tokens.",
    claim("display: {}", "{ artefact: run.json, select: /tokens }"),
    "WARN",
    ["rounding-ok"],
  ],
  [
    "two numbers for one value",
    "It solves [0.7425 or 0.8]{#c:x}.",
    claim("display: {}"),
    "WARN",
    ["ambiguous-mapping"],
  ],
  [
    "an interval",
    "Between [−0.02 and 0.19]{#c:x}.",
    "claims:\n  - { id: x, kind: interval, expr: '[a, b]', inputs: [{ artefact: run.json, select: /low }, { artefact: run.json, select: /high }] }\n",
    "PASS",
    [],
  ],
  [
    "a wrong end of an interval",
    "Between [−0.02 and 0.18]{#c:x}.",
    "claims:\n  - { id: x, kind: interval, expr: '[a, b]', inputs: [{ artefact: run.json, select: /low }, { artefact: run.json, select: /high }] }\n",
    "FAIL",
    ["number-mismatch"],
  ],
  [
    "a lost minus sign",
    "It is [0.02]{#c:x}.",
    claim("display: {}", "{ artefact: run.json, select: /low }"),
    "FAIL",
    ["number-mismatch"],
  ],
  [
    "a fall in words",
    "It falls by [0.02]{#c:x}.",
    claim("display: {}", "{ artefact: run.json, select: /low }"),
    "PASS",
    [],
  ],
  // Evidence.
  [
    "an artefact that is not there",
    "It solves [1]{#c:x}.",
    claim("display: {}", "{ artefact: none.json, select: /mean }"),
    "FAIL",
    ["missing-evidence"],
  ],
  [
    "a selector that finds nothing",
    "It solves [1]{#c:x}.",
    claim("display: {}", "{ artefact: run.json, select: /nothing }"),
    "FAIL",
    ["selector-error"],
  ],
  ["an expression that cannot be", "It solves [1]{#c:x}.", claim("expr: value +"), "FAIL", ["selector-error"]],
  [
    "an artefact that changed",
    "It solves [1]{#c:x}.",
    claim("display: {}", `{ artefact: run.json, select: /mean, sha256: ${"a".repeat(64)} }`),
    "FAIL",
    ["stale-evidence"],
  ],
  [
    "a claim that is not in the ledger",
    "It solves [1]{#c:y} and [0.7425]{#c:x}.",
    claim("display: {}"),
    "FAIL",
    ["unsupported-claim"],
  ],
  [
    "an unfinished run",
    "It solves [0.5]{#c:x}.",
    claim("display: {}", "{ artefact: half.json, select: /mean }"),
    "FAIL",
    ["config-mismatch"],
  ],
  [
    "an unfinished run that is said to be",
    "So far it solves [0.5]{#c:x}.",
    claim("display: {}", "{ artefact: half.json, select: /mean }"),
    "PASS",
    [],
  ],
  // Beyond equality.
  ["sides on different data", "It gains [+20.0 pp]{#c:x}.", delta(share, "other.jsonl"), "FAIL", ["config-mismatch"]],
  [
    "sides on different data on purpose",
    "It gains [+20.0 pp]{#c:x}.",
    delta(`${share}, varies: [data set]`, "other.jsonl"),
    "PASS",
    [],
  ],
  [
    "a key that nothing tells",
    "It gains [+20.0 pp]{#c:x}.",
    delta(`${share}, comparability: [judge]`),
    "FAIL",
    ["config-mismatch"],
  ],
  [
    "a count that is not the ledger's",
    "The mean is [0.6]{#c:x}.",
    claim("expr: mean(value), display: { decimals: 1 }, aggregation: { method: mean, over: tasks, n: 9 }", mean("rl")),
    "FAIL",
    ["aggregation-mismatch"],
  ],
  [
    "a count that is not the sentence's",
    "Over [12]{.illustrative} tasks it is [0.6]{#c:x}.",
    claim("expr: mean(value), display: { decimals: 1 }, aggregation: { method: mean, over: tasks, n: 5 }", mean("rl")),
    "FAIL",
    ["aggregation-mismatch"],
  ],
  [
    "a best that is not called so",
    "It reaches [1]{#c:x}.",
    claim("expr: max(value), aggregation: { method: best, over: tasks, n: 5 }", mean("rl")),
    "FAIL",
    ["aggregation-mismatch"],
  ],
  [
    "a best that is",
    "Its best task reaches [1]{#c:x}.",
    claim("expr: max(value), aggregation: { method: best, over: tasks, n: 5 }", mean("rl")),
    "PASS",
    [],
  ],
  [
    "an effect whose interval contains zero",
    "It improves by [0.085]{#c:x}.",
    claim("kind: delta, interval: '[a - 0.2, a + 0.2]'", "{ artefact: run.json, select: /delta }").replace(
      "kind: value, ",
      "",
    ),
    "FAIL",
    ["scope-overclaim"],
  ],
  [
    "the same, hedged",
    "It may improve by [0.085]{#c:x}, which is not significant.",
    claim("kind: delta, interval: '[a - 0.2, a + 0.2]'", "{ artefact: run.json, select: /delta }").replace(
      "kind: value, ",
      "",
    ),
    "PASS",
    [],
  ],
  [
    "an interval that lacks its estimate",
    "It is [0.7425]{#c:x}.",
    claim("interval: '[0.1, 0.2]'"),
    "FAIL",
    ["number-mismatch"],
  ],
  [
    "a comparison that holds",
    "The trained policy [solves more]{#c:x}.",
    delta("display: {}").replace("kind: delta, expr: mean(b) - mean(a)", "kind: comparison, expr: mean(b) > mean(a)"),
    "PASS",
    [],
  ],
  [
    "a comparison that does not",
    "The base policy [solves more]{#c:x}.",
    delta("display: {}").replace("kind: delta, expr: mean(b) - mean(a)", "kind: comparison, expr: mean(a) > mean(b)"),
    "FAIL",
    ["unsupported-claim"],
  ],
  [
    "a rank",
    "It comes [first]{#c:x}.",
    delta("display: {}").replace(
      "kind: delta, expr: mean(b) - mean(a)",
      "kind: rank, expr: 'rank(mean(b), [mean(a), mean(b)])'",
    ),
    "PASS",
    [],
  ],
  [
    "a wrong rank",
    "It comes [second]{#c:x}.",
    delta("display: {}").replace(
      "kind: delta, expr: mean(b) - mean(a)",
      "kind: rank, expr: 'rank(mean(b), [mean(a), mean(b)])'",
    ),
    "FAIL",
    ["number-mismatch"],
  ],
  [
    "a superlative without a predicate",
    "It is the best with [74.3%]{#c:x}.",
    claim(share),
    "FAIL",
    ["unsupported-claim"],
  ],
  ["a scope without its number", "It generally reaches [74.3%]{#c:x}.", claim(share), "FAIL", ["scope-overclaim"]],
  [
    "a simulation that is not called so",
    "It reaches [74.3%]{#c:x}.",
    claim(`${share}, eval_type: simulation_only`),
    "FAIL",
    ["scope-overclaim"],
  ],
  [
    "a simulation that is",
    "In simulation it reaches [74.3%]{#c:x}.",
    claim(`${share}, eval_type: simulation_only`),
    "PASS",
    [],
  ],
  [
    "an absolute value from a self-supervised proxy",
    "It reaches [74.3%]{#c:x}.",
    claim(`${share}, eval_type: self_supervised_proxy`),
    "FAIL",
    ["scope-overclaim"],
  ],
  [
    "people without agreement",
    "It reaches [74.3%]{#c:x}.",
    claim(`${share}, eval_type: human_eval`),
    "FAIL",
    ["scope-overclaim"],
  ],
  // Numbers that are free.
  ["a free number", "It took 17 hours.", "", "FAIL", ["unbound"]],
  ["a cited number", "It took 17 hours [@li2023].", "", "PASS", []],
  ["a number that is an example", "Say it took [17 hours]{.illustrative}.", "", "PASS", []],
  [
    "a passage that is an example",
    "Say it took 17 hours.",
    "illustrative: [{ text: Say it took 17 hours, reason: an example }]",
    "PASS",
    [],
  ],
  [
    "dates, versions, names, code and places",
    "In 2024, GPT-4 ran Python 3.11 (Section 2.1, step 3) on 2024-05-01: `x = 5`, $k = 3$.",
    "",
    "NOT_APPLICABLE",
    [],
  ],
  ["no number", "Nothing here.", "", "NOT_APPLICABLE", []],
  [
    "a count of the document's own parts",
    "It has [2]{#c:x} sections.\n\n## One\n\n## Two",
    claim("display: {}", "{ artefact: document, select: /inventory/h2 }"),
    "PASS",
    [],
  ],
  // What contradicts itself.
  [
    "a share that is not that of its counts",
    "It solves [23 of 31 tasks (75.2%)]{.illustrative}.",
    "",
    "FAIL",
    ["number-mismatch"],
  ],
  ["a p value that does not follow", "We saw [t(28) = 2.20, p = .01]{.illustrative}.", "", "FAIL", ["number-mismatch"]],
  [
    "shares that do not add up",
    "| part | share |\n|---|---|\n| a | [50%]{.illustrative} |\n| b | [30%]{.illustrative} |\n| Total | [100%]{.illustrative} |",
    "",
    "FAIL",
    ["number-mismatch"],
  ],
  [
    "claims that do not add up",
    "It is [0.7425]{#c:x}.",
    `${claim("display: {}")}sums: [{ parts: [x], total: 1 }]`,
    "FAIL",
    ["number-mismatch"],
  ],
] as const)("%s", (_name, markdown, ledger, verdict, statuses) => {
  const artefact = check(markdown, ledger);
  const found = artefact.details.findings.filter(({ severity }) => severity !== "note");
  expect([artefact.verdict, found.map(({ ruleId }) => ruleId.replace("claim.", ""))]).toEqual([verdict, statuses]);
});

const table = "| policy | T = 8 | T = 16 |\n|---|---|---|\n| base | 40% | 55% |\n| rl | 60% | 70% |";
const binding =
  "tables:\n  - { table: tbl:1, artefact: table.csv, row_key: policy, field: policy, columns: { T = 8: s8, T = 16: s16 }, display: { percent: true, decimals: 0 } }\n";

test("a table is bound as a whole, and a changed cell is found with its evidence", () => {
  const markdown = table;
  expect(check(markdown, binding)).toMatchObject({
    verdict: "PASS",
    details: { total: 4, numbers: { bound: 4, unbound: 0 } },
  });
  const wrong = check(markdown.replace("55%", "56%"), binding);
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
  const swapped = check(markdown.replace("| base | 40%", "| base | 60%").replace("| rl | 60%", "| rl | 40%"), binding);
  expect(swapped.details.by_status).toEqual({ exact_match: 2, number_mismatch: 2 });
});

test("numbers are a warning outside reports, and evidence that is missing blocks", () => {
  expect(check("It took 17 hours.", "", { kind: "tutorial" })).toMatchObject({
    verdict: "WARN",
    reason_code: "unbound",
  });
  expect(check("It took 17 hours.", "", { hasEvidence: false })).toMatchObject({
    verdict: "BLOCKED",
    reason_code: "no-evidence-root",
  });
  expect(check("It took [1]{#c:x}.", claim(""), { hasEvidence: false }).verdict).toBe("BLOCKED");
  // What contradicts itself is known to be wrong without evidence.
  expect(check("It solves 23 of 31 tasks (75.2%).", "", { hasEvidence: false }).verdict).toBe("FAIL");
});

test("a changed artefact value is found at the next check", () => {
  const markdown = "It solves [0.7425]{#c:x}.";
  expect(check(markdown, claim("display: {}")).verdict).toBe("PASS");
  const changed = { "run.json": '{"status":"complete","mean":0.7524}' };
  expect(check(markdown, claim("display: {}"), { changed })).toMatchObject({
    verdict: "FAIL",
    reason_code: "number-mismatch",
  });
});

test("alternative texts and captions use the same claims", () => {
  const artefact = check("![Success is [0.7425]{#c:x}](a.png)\n\n## Result of [0.7425]{#c:x}", claim("display: {}"));
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
      content: parseClaimLedger(claim(""), "claims.yaml"),
    },
    evidence: {
      find() {
        throw new TypeError("broken");
      },
    },
  });
  expect(artefact).toMatchObject({ verdict: "ERROR", reason_code: "engine-fault" });
});
