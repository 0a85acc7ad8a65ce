import { expect, test } from "vitest";
import { auditExperiment, type ExperimentClaim, type ExperimentRun } from "./audit-experiment.js";
import { judgeResults, type ResultJudgement } from "./result-to-claim.js";

const run: ExperimentRun = {
  id: "r",
  file: "run.json",
  status: "complete",
  plannedEpisodes: 10,
  finishedEpisodes: 10,
  seeds: [1, 2, 3],
  scorer: { id: "exact", version: "1" },
  reference: { source: "dataset" },
  normalisation: { denominator: "none" },
  taskIds: ["a", "b"],
  trainTaskIds: ["c"],
  definedMetrics: ["success"],
  writtenMetrics: ["success"],
  evaluationType: "real_gt",
  trace: { recorded: "h", actual: "h" },
};
const claim: ExperimentClaim = {
  id: "c",
  runs: ["r"],
  wording: "the rate is 0.7",
  values: [{ file: "result.json", key: "/rate", isFound: true }],
};

test.each<{
  name: string;
  run?: Partial<ExperimentRun>;
  claim?: Partial<ExperimentClaim>;
  verdict: string;
  check?: string;
  impact: string;
}>([
  { name: "everything in order", verdict: "PASS", impact: "supported" },
  {
    name: "a reference from a model without the label",
    run: { reference: { source: "model" } },
    verdict: "FAIL",
    check: "A_reference",
    impact: "unsupported",
  },
  {
    name: "a labelled proxy",
    run: { reference: { source: "model", isProxyLabelled: true }, evaluationType: "synthetic_proxy" },
    verdict: "WARN",
    impact: "needs_qualifier",
  },
  {
    name: "a denominator of its own making",
    run: { normalisation: { denominator: "own_outputs" } },
    verdict: "FAIL",
    check: "B_normalisation",
    impact: "unsupported",
  },
  {
    name: "a normalised value alone",
    run: { normalisation: { denominator: "baseline" } },
    verdict: "WARN",
    check: "B_normalisation",
    impact: "needs_qualifier",
  },
  {
    name: "a run called complete that is not",
    run: { finishedEpisodes: 9 },
    verdict: "FAIL",
    check: "C_existence",
    impact: "unsupported",
  },
  {
    name: "a partial run",
    run: { status: "partial", finishedEpisodes: 9 },
    verdict: "WARN",
    check: "C_existence",
    impact: "needs_qualifier",
  },
  {
    name: "a value that is not in its file",
    claim: { values: [{ file: "x", key: "/k", isFound: false }] },
    verdict: "FAIL",
    impact: "unsupported",
  },
  { name: "a run that is not there", claim: { runs: ["other"] }, verdict: "FAIL", impact: "unsupported" },
  {
    name: "a dead metric",
    run: { definedMetrics: ["success", "cost"] },
    verdict: "WARN",
    check: "D_dead_metrics",
    impact: "needs_qualifier",
  },
  {
    name: "a word of scope without a number",
    claim: { wording: "it consistently wins", n: 1 },
    verdict: "WARN",
    check: "E_scope",
    impact: "needs_qualifier",
  },
  { name: "leaked tasks", run: { exampleTaskIds: ["b"] }, verdict: "FAIL", check: "leakage", impact: "unsupported" },
  {
    name: "a scorer without a version",
    run: { scorer: { id: "judge" } },
    verdict: "WARN",
    check: "scorer_pinned",
    impact: "needs_qualifier",
  },
  {
    name: "a changed trace",
    run: { trace: { recorded: "h", actual: "g" } },
    verdict: "FAIL",
    check: "trace_hash",
    impact: "unsupported",
  },
  {
    name: "a manifest that does not tell",
    run: { reference: undefined },
    verdict: "WARN",
    check: "A_reference",
    impact: "supported",
  },
])("auditExperiment() of $name is $verdict", ({ run: more = {}, claim: claimed = {}, verdict, check, impact }) => {
  const audit = auditExperiment([{ ...run, ...more }], [{ ...claim, ...claimed }]);
  expect(audit.verdict).toBe(verdict);
  expect(audit.claims[0].impact).toBe(impact);
  const notPassed = audit.checks.filter(({ status }) => status !== "pass").map(({ id }) => id);
  expect(notPassed).toEqual(check === undefined ? [] : [check]);
});

test("auditExperiment() is blocked without runs and not applicable without anything", () => {
  expect(auditExperiment([], [claim]).verdict).toBe("BLOCKED");
  expect(auditExperiment([], []).verdict).toBe("NOT_APPLICABLE");
});

const judgement: ResultJudgement = {
  claim: "c",
  claim_supported: "yes",
  supported: [],
  not_supported: [],
  missing_evidence: [],
  next_experiments: [],
  confidence: "high",
};
const passed = auditExperiment([run], [claim]);

test.each<{
  name: string;
  given?: Partial<ResultJudgement>;
  audit?: Parameters<typeof judgeResults>[2] | null;
  verdict: string;
  shown: string;
  tag?: string;
}>([
  { name: "a supported claim", verdict: "PASS", shown: "yes" },
  { name: "a partial one", given: { claim_supported: "partial" }, verdict: "WARN", shown: "partial" },
  { name: "one that is not supported", given: { claim_supported: "no" }, verdict: "FAIL", shown: "no" },
  { name: "low confidence", given: { confidence: "low" }, verdict: "WARN", shown: "inconclusive" },
  {
    name: "failed integrity",
    audit: { integrity_status: "fail", claims: [] },
    verdict: "WARN",
    shown: "inconclusive",
    tag: "integrity failed",
  },
  { name: "no audit", audit: null, verdict: "WARN", shown: "yes", tag: "provisional" },
  {
    name: "a claim the audit found unsupported",
    audit: { integrity_status: "fail", claims: [{ id: "c", impact: "unsupported", reasons: ["gone"] }] },
    verdict: "FAIL",
    shown: "no",
    tag: "integrity failed",
  },
  {
    name: "a claim that needs a qualifier",
    audit: { integrity_status: "warn", claims: [{ id: "c", impact: "needs_qualifier", reasons: ["n"] }] },
    verdict: "WARN",
    shown: "partial",
  },
  { name: "missing evidence", given: { missing_evidence: ["seed 2"] }, verdict: "WARN", shown: "partial" },
])("judgeResults() of $name is $verdict and shown as $shown", ({ given = {}, audit = passed, verdict, shown, tag }) => {
  const outcome = judgeResults(["c"], [{ ...judgement, ...given }], audit ?? undefined);
  expect(outcome.verdict).toBe(verdict);
  expect(outcome.results[0].shown_as).toBe(shown);
  expect(outcome.results[0].tag).toBe(tag);
});

test("judgeResults() without a reviewer is unavailable, and without claims not applicable", () => {
  expect(judgeResults(["c"], undefined, passed).verdict).toBe("REVIEW_UNAVAILABLE");
  expect(judgeResults(["c", "d"], [judgement], passed).verdict).toBe("REVIEW_UNAVAILABLE");
  expect(judgeResults([], undefined, passed).verdict).toBe("NOT_APPLICABLE");
});
