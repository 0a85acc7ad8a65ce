import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { stringify } from "yaml";
import { evalBudget } from "./eval-budget.js";
import { auditDocument } from "./publish-audit.js";

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

function setUp() {
  const folder = mkdtempSync(join(tmpdir(), "turnwise-experiment-"));
  folders.push(folder);
  const file = join(folder, "report.md");
  writeFileSync(
    file,
    "---\nid: report\nkind: report\nlang: en\ntitle: A report\n---\n\n# A report\n\nHalf of the tasks were solved.\n",
  );
  const configure = (value: object) => writeFileSync(join(folder, "config.yaml"), stringify(value));
  configure({});
  const options = {
    out: join(folder, "out"),
    config: join(folder, "config.yaml"),
    now: () => new Date("2030-01-01T00:00:00Z"),
  };
  return { folder, file, options, configure };
}

test("auditDocument() of a report audits its experiments, lowers what reviewers said, and hears no author", async () => {
  const { folder, file, options, configure } = setUp();
  const write = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value));
  const parties = { author: { id: "ann", family: "human" } };
  const stages = async () => (await auditDocument(file, options)).audit.stages;
  expect(await stages()).toMatchObject({
    experiment: { verdict: "BLOCKED" },
    result_to_claim: { verdict: "NOT_APPLICABLE" },
  });
  configure({ parties, experiment: { runs: ["run.json"], claims: "claims.json", judgements: "said.json" } });
  write("run.json", { id: "r", status: "complete", plannedEpisodes: 4, finishedEpisodes: 3 });
  write("result.json", { rate: 0.5 });
  write("claims.json", [{ id: "c", runs: ["r"], wording: "half", values: [{ file: "result.json", key: "/rate" }] }]);
  const said = (id: string) =>
    write("said.json", {
      reviewer: { id, family: "human" },
      results: [{ claim: "c", claim_supported: "yes", confidence: "high" }],
    });
  said("ann");
  expect(await stages()).toMatchObject({
    experiment: { verdict: "FAIL" },
    result_to_claim: { verdict: "REVIEW_UNAVAILABLE" },
  });
  said("kim");
  const { audit } = await auditDocument(file, options);
  expect(audit.stages["result_to_claim"].verdict).toBe("FAIL");
  expect(audit.result_to_claim).toMatchObject([{ shown_as: "no", tag: "integrity failed" }]);
  expect(audit.experiment_audit).toMatchObject({ integrity_status: "fail" });
  write("result.json", { other: 1 });
  write("run.json", { id: "r", status: "complete", plannedEpisodes: 4, finishedEpisodes: 4 });
  expect((await auditDocument(file, options)).audit.experiment_audit).toMatchObject({
    claims: [{ impact: "unsupported", reasons: ["result.json has no /rate"] }],
  });
});

test("auditDocument() of a report reads run folders of our own", async () => {
  const { folder, file, options, configure } = setUp();
  const run = join(folder, "run");
  await evalBudget({
    env: "frozen-lake",
    policies: ["scripted:optimal"],
    budgets: [2],
    samples: 1,
    taskCount: 2,
    output: run,
    replicates: 100,
    environment: {},
  });
  const claims = [
    {
      id: "c",
      runs: [(JSON.parse(readFileSync(join(run, "run.json"), "utf8")) as { runId: string }).runId],
      wording: "half",
    },
  ];
  writeFileSync(join(folder, "claims.json"), JSON.stringify(claims));
  configure({ experiment: { runs: ["run"], claims: "claims.json", evaluation_type: "simulation_only" } });
  const { audit } = await auditDocument(file, options);
  expect(audit.experiment_audit).toMatchObject({
    integrity_status: "warn",
    checks: {
      C_existence: { status: "pass" },
      A_reference: { status: "pass" },
      scorer_pinned: { status: "pass" },
      leakage: { status: "unknown" },
    },
    claims: [{ impact: "needs_qualifier", reasons: ["F_evaluation_type: simulation_only"] }],
  });
});
