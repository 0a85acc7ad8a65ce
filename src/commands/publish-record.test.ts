import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sha256 } from "../core/index.js";
import { auditDocument, verifyAudits } from "./publish-audit.js";
import { lintFiles } from "./publish-lint.js";
import {
  createRecordSubject,
  isOfRecord,
  lessonMarkdown,
  listBlame,
  type ForgeableAudit,
  type ForgeableRound,
} from "../../test/support/review-record.js";
import { renderGateText } from "./review-text.js";

type Forgery = readonly [name: string, change: (audit: ForgeableAudit) => void, rule: RegExp];

/** A round that is turned, and what is said of it. */
const ofRound = (name: string, change: (round: ForgeableRound) => void): Forgery => [
  name,
  (audit) => change(audit.math_code_review.rounds[0]),
  /round-changed/,
];

const forgeries: readonly Forgery[] = [
  ofRound("the verdict of a round and its pass", (round) => {
    round.verdict = "PASS";
    round.pass_results[0].verdict = "PASS";
  }),
  ofRound("the verdict of a round alone", (round) => {
    round.verdict = "PASS";
  }),
  ofRound("the reason of a pass", (round) => {
    round.pass_results[0].reason_code = "clean";
  }),
  ofRound("the coverage", (round) => {
    round.pass_results[0].coverage[0].status = "skipped";
  }),
  ofRound("the share of items checked", (round) => {
    round.pass_results[0].coverage_ratio = 0.5;
  }),
  ofRound("the text that was reviewed", (round) => {
    round.source_sha256 = `sha256:${"0".repeat(64)}`;
  }),
  ofRound("the session", (round) => {
    round.pass_results[0].session_id = "another";
  }),
  ofRound("the reviewer", (round) => {
    round.reviewer_id = "somebody-else";
  }),
  ofRound("the family of the reviewer", (round) => {
    round.reviewer_family = "llama";
  }),
  ofRound("whether a round counts", (round) => {
    round.voided = true;
  }),
  ofRound("the time of a round", (round) => {
    round.started_at = "2031-01-01T00:00:00.000Z";
  }),
  [
    "a verdict that no response led to",
    (audit) => {
      const [{ pass_results: results }] = audit.math_code_review.rounds;
      results.push({ ...results[0], pass: "claim", response_sha256: undefined, trace_path: undefined, findings: [] });
    },
    /round-changed/,
  ],
  [
    "a round that is left out",
    ({ math_code_review: review }) => {
      review.rounds = [];
    },
    /round-changed/,
  ],
  [
    "a trace that is left out",
    (audit) => {
      audit.traces = [];
    },
    /round-changed/,
  ],
  [
    "a finding that is left out",
    (audit) => {
      audit.findings = [];
    },
    /finding-changed/,
  ],
  [
    "a finding that is left out of the round too",
    (audit) => {
      audit.findings = [];
      audit.math_code_review.rounds[0].pass_results[0].findings = [];
    },
    /finding-changed/,
  ],
  [
    "the round that raised a finding",
    ({ findings }) => {
      findings[0].rounds = [];
    },
    /finding-changed/,
  ],
  [
    "the severity of a finding",
    ({ findings }) => {
      findings[0].severity = "nit";
    },
    /finding-changed/,
  ],
  [
    "the evidence of a finding",
    ({ findings }) => {
      findings[0].supported = false;
    },
    /finding-changed/,
  ],
  [
    "the state of a finding alone",
    ({ findings }) => {
      findings[0].state = "rejected";
    },
    /finding-changed/,
  ],
  ...(
    [
      ["rejected", { id: "ann", role: "author" }, "no"],
      ["rejected", { id: "kim", role: "arbiter" }, undefined],
      ["verified", { id: "turnwise", role: "tool" }, undefined],
      ["deferred", { id: "kim", role: "arbiter" }, "later"],
    ] as const
  ).map(([state, by, reason]): Forgery => [
    `a step to ${state} by the ${by.role} ${reason === undefined ? "without" : "with"} a reason`,
    ({ findings: [finding] }) => {
      finding.state = state;
      finding.state_history.push({ state, at: "2030-01-01T01:00:00.000Z", by, reason });
    },
    /finding-changed/,
  ]),
  [
    "a fix that nobody made",
    ({ findings: [finding] }) => {
      const at = "2030-01-01T01:00:00.000Z";
      const by = { id: "ann", role: "author" };
      finding.state = "fixed";
      finding.state_history.push({ state: "accepted", at, by }, { state: "fixed", at, by });
    },
    /finding-changed/,
  ],
  [
    "a verification without a later round",
    (audit) => {
      const [finding] = audit.findings;
      const at = "2030-01-01T01:00:00.000Z";
      const by = { id: "ann", role: "author" };
      finding.state = "verified";
      finding.state_history.push(
        { state: "accepted", at, by },
        { state: "fixed", at, by },
        { state: "verified", at, by: { id: "turnwise", role: "tool" } },
      );
      audit.corrections.push({
        id: "c-1",
        finding: finding.id,
        before: [{ literal: "The loss rises" }],
        after: "x",
        scope: "pair",
        exceptions: [],
      });
    },
    /finding-changed/,
  ],
  [
    "a record dressed up as imported",
    (audit) => {
      audit.legacy = {};
      audit.math_code_review.rounds[0].verdict = "PASS";
      audit.math_code_review.rounds[0].pass_results[0].verdict = "PASS";
      audit.findings = [];
    },
    /round-changed.*finding-changed/s,
  ],
];

test.each(forgeries)("gateFiles() and verifyAudits() see %s", async (_, change, rule) => {
  const subject = createRecordSubject();
  await subject.review([{ response: subject.answer("consistency", [{}]) }]);
  expect(await listBlame(subject)).toEqual([]);
  subject.forge(change);
  const { documents, exitCode } = await subject.gate();
  expect(documents[0].blocking.map(({ reason_code }) => reason_code).join(" ")).toMatch(rule);
  expect(exitCode).toBe(1);
  expect(await subject.listRecordProblems()).not.toEqual([]);
});

test("a forged verdict does not open the gate, and the gate says where it is", async () => {
  const subject = createRecordSubject();
  await subject.review([{ response: subject.answer("consistency", [{}]) }]);
  expect(await subject.listBlocks()).toEqual(["blocking-findings"]);
  subject.forge((audit) => {
    audit.findings = [];
    audit.math_code_review.rounds[0].pass_results[0].findings = [];
  });
  const result = await subject.gate();
  expect(result.documents[0].stages).toMatchObject([{ stage: "content", verdict: "PASS" }]);
  expect(renderGateText(result)).toContain(
    'closed by content: ERROR (finding-changed): Round 1, pass consistency: its finding "major fact.direction" is not on record as raised',
  );
});

test("a trace whose file is gone closes the gate at release alone, one whose bytes changed always", async () => {
  const subject = createRecordSubject();
  await subject.review([{ response: subject.answer("consistency") }]);
  const trace = subject.getTrace("round-001-consistency.json");
  const text = readFileSync(trace, "utf8");
  rmSync(trace);
  expect(await subject.listBlocks("draft")).toEqual([]);
  expect((await subject.gate("release")).documents[0].blocking).toContainEqual(
    expect.objectContaining({ stage: "content", verdict: "MISSING", reason_code: "trace-gone" }),
  );
  expect((await verifyAudits(subject.out))[0].problems).toMatchObject([{ kind: "trace" }]);
  writeFileSync(trace, `${text} `);
  expect(await subject.listBlocks("draft")).toEqual(["trace-changed"]);
  expect((await verifyAudits(subject.out))[0].problems).toMatchObject([{ kind: "trace" }]);
  writeFileSync(trace, text);
  expect(await listBlame(subject)).toEqual([]);
});

test("a trace that is none is a changed record, not a fault of the program", async () => {
  const subject = createRecordSubject();
  await subject.review([{ response: subject.answer("consistency") }]);
  writeFileSync(subject.getTrace("round-001-consistency.json"), "{}");
  subject.forge(({ traces }) => {
    traces[0].sha256 = `sha256:${sha256("{}")}`;
  });
  expect(await subject.listBlocks()).toContain("trace-changed");
  expect(await subject.listRecordProblems()).toHaveLength(1);
});

test("an artefact edited by hand is an error until its stage is run again", async () => {
  const subject = createRecordSubject();
  const { file, options, out } = subject;
  const lint = () => lintFiles([file], { out, now: options.now?.() });
  writeFileSync(
    file,
    lessonMarkdown.replace("Nothing else", "Call [the author](mailto:ann@example.org). Nothing else $x"),
  );
  await lint();
  await auditDocument(file, options);
  const before = (await subject.gate()).documents[0].stages;
  const artefact = join(out, "lesson.publish", "lint.json");
  const edit = () =>
    writeFileSync(artefact, readFileSync(artefact, "utf8").replace(/"verdict": "\w+"/, '"verdict": "NOT_APPLICABLE"'));
  edit();
  const changed = { stage: "lint", verdict: "ERROR", reason_code: "artefact-changed" };
  expect((await subject.gate()).documents[0].stages).toEqual([changed]);
  expect((await subject.gate()).documents[0].blocking).toEqual([changed]);
  // Taking note of it is not mending it.
  const { audit } = await auditDocument(file, options);
  expect(audit.verdict).toBe("ERROR");
  expect((await subject.gate()).documents[0].stages).toEqual([changed]);
  writeFileSync(artefact, "{");
  expect((await subject.gate()).documents[0].stages).toMatchObject([{ reason_code: "artefact-unreadable" }]);
  await lint();
  expect((await subject.gate()).documents[0].stages).toEqual(before);
});

test("a stage run again on another text at the same moment is no edited artefact", async () => {
  const subject = createRecordSubject();
  const { file, out, options } = subject;
  const now = new Date("2030-01-01T00:00:00Z");
  await lintFiles([file], { out, now });
  await auditDocument(file, options);
  subject.edit("Nothing else", "Nothing more");
  await lintFiles([file], { out, now });
  expect((await subject.listBlocks()).filter(isOfRecord)).toEqual([]);
});
