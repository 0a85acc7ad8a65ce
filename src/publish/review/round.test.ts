import { execPath } from "node:process";
import { expect, test } from "vitest";
import { addRound, countOpen, estimateRemainderOf, type ContentReview } from "./content-review.js";
import { computeContentVerdict, type ContentState } from "./content-verdict.js";
import { createCommandBackend } from "./backends/command.js";
import { createNoneBackend } from "./backends/none.js";
import { createReplayBackend, type RecordedResponse } from "./backends/replay.js";
import { runReviewRound, type RunRoundOptions } from "./run-round.js";
import { answerAll, parseSample } from "./testing.js";
import type { ReviewBackend } from "./backend.js";
import type { ReviewPass } from "./passes.js";
import type { ReviewResponseFinding } from "./response.js";

const document = parseSample();
const ann = { id: "ann", family: "human" };
let sessions = 0;
const createSessionId = (): string => `s-${(sessions += 1)}`;
const options = (more: Partial<RunRoundOptions> = {}): RunRoundOptions => ({
  round: 1,
  parties: { author: ann },
  now: () => 1_900_000_000_000,
  ...more,
});
const empty: ContentReview = { rounds: [], findings: [], corrections: [], needsVerify: [], deferred: [] };

const replay = (records: readonly RecordedResponse[], reviewer = { id: "r", family: "qwen" }): ReviewBackend =>
  createReplayBackend(records, { reviewer, createSessionId });

/** A program as reviewer: the body sees `text` (standard input) and `packet`. */
const program = (body: string, more: object = {}): ReviewBackend =>
  createCommandBackend({
    command: [
      execPath,
      "-e",
      `let text="";process.stdin.on("data",(c)=>text+=c).on("end",()=>{let packet={};try{packet=JSON.parse(text)}catch{};${body}})`,
    ],
    reviewer: { id: "program", family: "qwen" },
    createSessionId,
    environment: process.env,
    timeoutSeconds: 20,
    ...more,
  });

const sound = `const all=packet.items.map(({id})=>({item:id,status:"checked",method:"derived"}));console.log(JSON.stringify({schema:"review-response/1",pass:packet.pass,coverage:all,findings:[]}))`;

async function judge(
  backend: ReviewBackend,
  more: Partial<ContentState> = {},
  passes: readonly ReviewPass[] = ["math"],
  roundOptions = options(),
) {
  const outcome = await runReviewRound(document, passes, backend, roundOptions);
  const review = addRound(empty, outcome, document, "2030-01-01T00:00:00Z");
  const state: ContentState = {
    sourceSha256: `sha256:${document.sha256}`,
    requiredPasses: passes,
    rounds: review.rounds,
    findings: review.findings,
    needsVerify: [],
    ...more,
  };
  return {
    outcome,
    review,
    release: computeContentVerdict(state, "release"),
    draft: computeContentVerdict(state, "draft"),
    state,
  };
}

test("a sound reviewer of another family gives PASS at release", async () => {
  const { release, outcome } = await judge(program(sound));
  expect(release).toMatchObject({ verdict: "PASS", reason_code: "clean" });
  expect(outcome.round).toMatchObject({ independent: true, fresh: true, voided: false, reviewer_family: "qwen" });
});

test.each([
  {
    name: "prose twice is ERROR",
    body: `console.log("Looks good to me")`,
    verdict: "ERROR",
    reason: "response-invalid",
    attempts: 2,
  },
  {
    name: "invalid JSON twice is ERROR",
    body: `console.log('{"schema": "review-response/1",')`,
    verdict: "ERROR",
    reason: "response-invalid",
    attempts: 2,
  },
  {
    name: "exiting with another code is ERROR",
    body: `process.stderr.write("out of memory");process.exit(3)`,
    verdict: "ERROR",
    reason: "reviewer-exit",
    attempts: 1,
  },
  { name: "saying nothing is ERROR", body: ``, verdict: "ERROR", reason: "response-invalid", attempts: 2 },
  {
    name: "hanging is ERROR",
    body: `setInterval(()=>0,1000)`,
    verdict: "ERROR",
    reason: "reviewer-timeout",
    attempts: 1,
    more: { timeoutSeconds: 0.7 },
  },
  {
    name: "endless output is ERROR",
    body: `const line="x".repeat(65536);const write=()=>{while(process.stdout.write(line));process.stdout.once("drain",write)};write()`,
    verdict: "ERROR",
    reason: "reviewer-output",
    attempts: 1,
    more: { maxOutputBytes: 1_000_000 },
  },
])("a reviewer that misbehaves: $name", async ({ body, verdict, reason, attempts, more }) => {
  const { release, outcome } = await judge(program(body, more));
  expect(release).toMatchObject({ verdict, reason_code: reason });
  expect(outcome.round.pass_results[0]).toMatchObject({ verdict, attempts });
});

test("a reviewer that cannot be started is REVIEW_UNAVAILABLE", async () => {
  const missing = createCommandBackend({
    command: ["no-such-program-anywhere"],
    reviewer: { id: "x", family: "qwen" },
    createSessionId,
    environment: process.env,
  });
  expect((await judge(missing)).release).toMatchObject({
    verdict: "REVIEW_UNAVAILABLE",
    reason_code: "reviewer-not-started",
  });
});

test("a hanging reviewer is ended together with what it started", async () => {
  const body = `const {spawn}=require("node:child_process");spawn(process.execPath,["-e","setInterval(()=>0,1000)"],{stdio:"inherit"});setInterval(()=>0,1000)`;
  // The output pipe is shared with the grandchild: were it left running, the run would never be over.
  expect((await judge(program(body, { timeoutSeconds: 0.7 }))).release.reason_code).toBe("reviewer-timeout");
});

test("a form that is wrong once is mended in the same session, by the validator's words alone", async () => {
  const body = `if(packet.schema==="review-packet/1"){console.log("sorry")}else{const last=JSON.parse(packet.messages.at(-1).content);if(Object.keys(last).join()!=="schema,validator_messages")process.exit(9);packet=JSON.parse(packet.messages[0].content);${sound}}`;
  const { release, outcome } = await judge(program(body));
  expect(release.verdict).toBe("PASS");
  expect(outcome.round.pass_results[0].attempts).toBe(2);
  expect(outcome.calls[0].responses).toHaveLength(2);
});

test("the author's own family counts for nothing, and its findings are not hidden by that", async () => {
  const parties = { author: { id: "writer", family: "qwen" } };
  const { release, draft, outcome } = await judge(program(sound), {}, ["math"], options({ parties }));
  expect(release).toMatchObject({ verdict: "REVIEW_UNAVAILABLE", reason_code: "same-family" });
  expect(draft.verdict).toBe("REVIEW_UNAVAILABLE");
  expect(outcome.round.independent).toBe(false);
  const found = await judge(
    replay([{ response: answerAll(document, "math", [{}]) }]),
    {},
    ["math"],
    options({ parties }),
  );
  expect(found.release.verdict).toBe("FAIL");
});

test("no reviewer is REVIEW_UNAVAILABLE", async () => {
  const { release, outcome } = await judge(createNoneBackend());
  expect(release).toMatchObject({ verdict: "REVIEW_UNAVAILABLE", reason_code: "reviewer-missing" });
  expect(outcome.round.pass_results[0].attempts).toBe(0);
});

test("a recorded response counts at draft and never at release", async () => {
  const { release, draft } = await judge(replay([{ response: answerAll(document, "math") }]));
  expect(draft.verdict).toBe("PASS");
  expect(release).toMatchObject({ verdict: "REVIEW_UNAVAILABLE", reason_code: "replayed" });
});

test("a leaking packet is not sent and voids the round", async () => {
  const evidence = [
    { path: "note.txt", sha256: `sha256:${"1".repeat(64)}`, text: "We have fixed it since the last review." },
  ];
  const backend = replay([{ response: answerAll(document, "math") }]);
  const { draft, outcome } = await judge(backend, {}, ["math"], options({ evidence }));
  expect(draft).toMatchObject({ verdict: "ERROR", reason_code: "round-voided" });
  expect(outcome.round).toMatchObject({ voided: true, independent: false, fresh: false });
  expect(outcome.calls).toEqual([]);
});

test("a session that was used before voids the round", async () => {
  const backend = replay([{ response: answerAll(document, "math"), session_id: "old" }]);
  const { draft, outcome } = await judge(backend, {}, ["math"], options({ usedSessions: new Set(["old"]) }));
  expect(draft.verdict).toBe("ERROR");
  expect(outcome.round).toMatchObject({ voided: true, fresh: false });
});

test("two passes of one round may not share a session", async () => {
  const backend = replay([
    { pass: "math", response: answerAll(document, "math"), session_id: "one" },
    { pass: "code", response: answerAll(document, "code"), session_id: "one" },
  ]);
  expect((await judge(backend, {}, ["math", "code"])).outcome.round.voided).toBe(true);
});

const answered = (findings: readonly Partial<ReviewResponseFinding>[]) =>
  replay([{ response: answerAll(document, "math", findings) }]);

test.each<{
  name: string;
  findings?: readonly Partial<ReviewResponseFinding>[];
  more?: Partial<ContentState>;
  verdict: string;
  release?: string;
}>([
  { name: "a blocker with evidence", findings: [{ severity: "blocker" }], verdict: "FAIL" },
  { name: "a major with evidence", findings: [{}], verdict: "FAIL" },
  { name: "a major without evidence", findings: [{ evidence: undefined }], verdict: "WARN" },
  {
    name: "a citation without its place",
    findings: [{ evidence: { kind: "citation", detail: "it says otherwise" } }],
    verdict: "WARN",
  },
  { name: "a minor", findings: [{ severity: "minor" }], verdict: "WARN" },
  { name: "a nit", findings: [{ severity: "nit" }], verdict: "WARN" },
  { name: "lint errors", more: { lintErrorCount: 1 }, verdict: "FAIL" },
  { name: "lint warnings", more: { lintWarningCount: 1 }, verdict: "WARN" },
  { name: "a waiver", more: { waiverCount: 1 }, verdict: "WARN" },
  { name: "a privacy hit", more: { privacyHitCount: 1 }, verdict: "FAIL" },
  { name: "a correction not carried through", more: { residueCount: 1 }, verdict: "FAIL" },
  { name: "missing evidence", more: { missingInputs: ["runs/"] }, verdict: "BLOCKED" },
  { name: "missing evidence and a lint error", more: { missingInputs: ["runs/"], lintErrorCount: 1 }, verdict: "FAIL" },
  { name: "another text than was reviewed", more: { sourceSha256: `sha256:${"0".repeat(64)}` }, verdict: "STALE" },
  { name: "a pass that nobody ran", more: { requiredPasses: ["math", "code"] }, verdict: "REVIEW_UNAVAILABLE" },
  { name: "nothing to review", more: { requiredPasses: [] }, verdict: "NOT_APPLICABLE" },
  { name: "nothing wrong", verdict: "PASS" },
])("computeContentVerdict() of $name is $verdict", async ({ findings = [], more = {}, verdict }) => {
  expect((await judge(answered(findings), more)).draft.verdict).toBe(verdict);
});

test("computeContentVerdict() fails open markers at release alone", async () => {
  const entry = { id: "nv-1", location: {}, text: "t", question: "q", evidence: [] };
  const { state } = await judge(program(sound));
  const at = (markerState: "open" | "hedged" | "verified", level: "draft" | "release") =>
    computeContentVerdict({ ...state, needsVerify: [{ ...entry, state: markerState }] }, level).verdict;
  expect([at("open", "release"), at("open", "draft"), at("hedged", "release"), at("verified", "release")]).toEqual([
    "FAIL",
    "WARN",
    "WARN",
    "PASS",
  ]);
});

test("computeContentVerdict() warns of partial coverage with a reason", async () => {
  const response = { ...answerAll(document, "math"), coverage: [], limits: ["no time"] };
  const { draft, outcome } = await judge(replay([{ response }]));
  expect(draft.verdict).toBe("WARN");
  expect(outcome.round.pass_results[0].coverage_ratio).toBe(0);
});

test("computeContentVerdict() lets a rerun mend an error, and a later error undo a pass", async () => {
  const good = await judge(program(sound));
  const bad = await judge(program(`console.log("no")`));
  const at = (rounds: ContentState["rounds"]) => computeContentVerdict({ ...good.state, rounds }, "release").verdict;
  expect(at([...bad.state.rounds, ...good.state.rounds])).toBe("PASS");
  expect(at([...good.state.rounds, ...bad.state.rounds])).toBe("ERROR");
});

test("computeContentVerdict() keeps a valid round when a later one had nobody to ask", async () => {
  const good = await judge(program(sound));
  const none = await judge(createNoneBackend());
  expect(
    computeContentVerdict({ ...good.state, rounds: [...good.state.rounds, ...none.state.rounds] }, "release").verdict,
  ).toBe("PASS");
});

test("addRound() knows a finding again, supports it by a second reviewer and counts it once", async () => {
  const first = await runReviewRound(document, ["math"], answered([{ evidence: undefined }]), options());
  const second = await runReviewRound(
    document,
    ["math"],
    replay([{ response: answerAll(document, "math", [{ evidence: undefined }]) }], { id: "r2", family: "llama" }),
    options({ round: 2 }),
  );
  let review = addRound(empty, first, document, "2030-01-01T00:00:00Z");
  expect(countOpen(review.findings)).toEqual({ blocker: 0, major: 0, minor: 0, nit: 0, unsupported: 1 });
  review = addRound(review, second, document, "2030-01-01T00:00:00Z");
  expect(review.findings).toHaveLength(1);
  expect(review.findings[0]).toMatchObject({
    supported: true,
    rounds: [1, 2],
    raised_by: ["r", "r2"],
    location: { block: "eq:1" },
  });
  expect(countOpen(review.findings).major).toBe(1);
});

test("estimateRemainderOf() needs two counting reviewers of one text", async () => {
  const ask = (id: string, round: number) =>
    runReviewRound(
      document,
      ["math"],
      program(sound.replace("findings:[]", "findings:[]")),
      options({ round, parties: { author: ann } }),
    ).then(({ round: made, findings }) => ({ round: { ...made, reviewer_id: id }, findings, calls: [] }));
  let review = addRound(empty, await ask("one", 1), document, "2030-01-01T00:00:00Z");
  expect(estimateRemainderOf(review)).toBeUndefined();
  review = addRound(review, await ask("two", 2), document, "2030-01-01T00:00:00Z");
  expect(estimateRemainderOf(review)).toMatchObject({ first: 0, second: 0, estimate: 0 });
});
