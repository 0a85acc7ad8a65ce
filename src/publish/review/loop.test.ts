import { expect, test } from "vitest";
import type { PublishDocument } from "../document.js";
import { createReplayBackend, type RecordedResponse } from "./backends/replay.js";
import { createNoneBackend } from "./backends/none.js";
import type { ReviewBackend } from "./backend.js";
import { type ContentReview } from "./content-review.js";
import { findDisagreements } from "./disagreement.js";
import type { FixReport } from "./fixer.js";
import { findLoopStop, type LoopRound } from "./loop-control.js";
import { runReviewLoop, type LoopParts } from "./run-loop.js";
import { runReviewRound } from "./run-round.js";
import { scanResidue } from "./residue.js";
import { answerAll, parseSample, sampleMarkdown } from "./testing.js";
import type { ReviewResponseFinding } from "./response.js";

const empty: ContentReview = { rounds: [], findings: [], corrections: [], needsVerify: [], deferred: [] };
let sessions = 0;
const createSessionId = (): string => `l-${(sessions += 1)}`;

/** A response about whatever text it is asked: findings are made from the words that stand in it. */
type Wrong = readonly { readonly exact: string; readonly severity?: "major" | "minor" }[];

function toFindings(wrong: Wrong): Partial<ReviewResponseFinding>[] {
  return wrong.map(({ exact, severity = "major" }, index) => ({
    category: `formula.kind${index}`,
    severity,
    location: { quote: { prefix: "", exact, suffix: "" } },
  }));
}

interface Setup {
  /** What is wrong in round 1, 2, ...; the last stays. */
  readonly wrongs: readonly Wrong[];
  /** Words exchanged after each round. */
  readonly edits?: readonly (readonly [string, string])[];
  readonly fixed?: boolean;
  readonly hasArbiter?: boolean;
  readonly lint?: number;
}

async function loop({ wrongs, edits = [], fixed = true, hasArbiter = true, lint = 0 }: Setup) {
  let asked = 0;
  let edited = 0;
  let clock = Date.parse("2030-01-01T00:00:00Z");
  const now = (): string => new Date((clock += 1000)).toISOString();
  const parts: LoopParts = {
    async runRound({ document, review }, run) {
      const wrong = wrongs[Math.min(asked, wrongs.length - 1)];
      asked += 1;
      const records: RecordedResponse[] = [{ response: answerAll(document, "math", toFindings(wrong)) }];
      const backend = createReplayBackend(records, { reviewer: { id: "r", family: "qwen" }, createSessionId });
      const usedSessions = new Set(review.rounds.flatMap(({ session_id }) => session_id ?? []));
      const history = { findingIds: review.findings.map(({ id }) => id) };
      return runReviewRound(document, ["math"], backend, {
        round: run,
        parties: { author: { id: "ann", family: "human" } },
        usedSessions,
        history,
        now: () => Date.parse(now()),
      });
    },
    fix: fixed
      ? ({ document }, findings) => {
          const [from, to] = edits[edited] ?? ["", ""];
          edited += 1;
          const report: FixReport = {
            fixes: findings.map(({ id, location }) => ({
              finding: id,
              summary: "changed",
              before: [{ literal: location.quote?.exact ?? "" }],
              after: to === "" ? "changed words" : to,
            })),
            declined: [],
          };
          return Promise.resolve({
            report,
            document: from === "" ? document : parseSample(document.source.replace(from, to)),
          });
        }
      : undefined,
    scanResidue: (corrections, document: PublishDocument) =>
      Promise.resolve(
        scanResidue(
          corrections,
          [{ path: "sample.md", kind: "source", document: document.id, text: document.source }],
          now(),
        ),
      ),
    countLintErrors: () => Promise.resolve(lint),
    fixer: { id: "fixer", role: "fixer" },
    hasArbiter,
    now,
  };
  return runReviewLoop({ review: empty, document: parseSample() }, parts);
}

test("a loop converges: the finding is fixed, its residue gone, and verified by the next round", async () => {
  const { stop, review, rounds } = await loop({ wrongs: [[{ exact: "L = -R" }], []], edits: [["L = -R", "L = R"]] });
  expect(stop).toBe("converged");
  expect(rounds).toHaveLength(2);
  expect(review.findings[0].state_history.map(({ state }) => state)).toEqual(["open", "accepted", "fixed", "verified"]);
  expect(review.corrections[0].residue?.clean).toBe(true);
  expect(review.rounds[0]).toMatchObject({
    edited_after_round: true,
    re_reviewed_by: 2,
    edits: [{ finding: review.findings[0].id }],
  });
});

test("a fix is not verified while lint fails", async () => {
  const { review } = await loop({ wrongs: [[{ exact: "L = -R" }], []], edits: [["L = -R", "L = R"]], lint: 2 });
  expect(review.findings[0].state).toBe("fixed");
});

test("a fix whose old words still stand is not verified", async () => {
  const { review } = await loop({ wrongs: [[{ exact: "L = -R" }], []], edits: [["(nothing)", "x"]] });
  expect(review.corrections[0].residue?.clean).toBe(false);
  expect(review.findings[0].state).toBe("fixed");
});

test("one finding raised again after two fixes is a recurrence", async () => {
  const { stop, rounds } = await loop({
    wrongs: [[{ exact: "gamma V" }]],
    edits: [
      ["faster", "slower"],
      ["slower", "quicker"],
      ["quicker", "fast"],
    ],
  });
  expect([stop, rounds.length]).toEqual(["recurrence", 3]);
});

test("a text that comes back is an oscillation", async () => {
  const { stop } = await loop({
    wrongs: [[{ exact: "L = -R" }], [{ exact: "L = R" }]],
    edits: [
      ["L = -R", "L = R"],
      ["L = R", "L = -R"],
    ],
  });
  expect(stop).toBe("oscillation");
});

test("a count that does not fall for two rounds is widening", async () => {
  const { stop, rounds } = await loop({
    wrongs: [
      [{ exact: "L = -R" }],
      [{ exact: "gamma V" }],
      [{ exact: "the first method" }, { exact: "the reward rises" }],
    ],
    edits: [
      ["faster", "slower"],
      ["slower", "quicker"],
      ["quicker", "fast"],
    ],
  });
  expect([stop, rounds.length]).toEqual(["widening", 3]);
});

test("a finding that nobody fixes needs a person", async () => {
  const { stop, review } = await loop({ wrongs: [[{ exact: "L = -R" }]], fixed: false });
  expect(stop).toBe("scope");
  expect(review.findings[0].state).toBe("open");
});

test("minor findings do not keep a loop going", async () => {
  expect((await loop({ wrongs: [[{ exact: "gamma V", severity: "minor" }]] })).stop).toBe("converged");
});

test("a missing reviewer ends a loop at once", async () => {
  const backend: ReviewBackend = createNoneBackend();
  const parts: LoopParts = {
    runRound: ({ document }, run) =>
      runReviewRound(document, ["math"], backend, { round: run, parties: {}, now: () => 0 }),
    scanResidue: (corrections) => Promise.resolve(corrections),
    countLintErrors: () => Promise.resolve(0),
    fixer: { id: "f", role: "fixer" },
    hasArbiter: false,
    now: () => "2030-01-01T00:00:00Z",
  };
  expect((await runReviewLoop({ review: empty, document: parseSample() }, parts)).stop).toBe("review_failed");
});

const entry = (count: number, more: Partial<LoopRound> = {}): LoopRound => ({
  source_sha256: `h${count}`,
  edited_sha256: `e${count}`,
  verdict: count === 0 ? "PASS" : "FAIL",
  blocking: Array.from({ length: count }, (_, index) => `f${index}`),
  recurring: [],
  undecided: [],
  isDisputed: false,
  ...more,
});
const rounds = (...counts: number[]): LoopRound[] =>
  counts.map((count, index) => ({ ...entry(count), source_sha256: `h${index}`, edited_sha256: `h${index + 1}` }));

test.each<{ name: string; given: LoopRound[]; stop: string | undefined }>([
  { name: "goes on while fewer block", given: rounds(5, 4, 3), stop: undefined },
  { name: "goes on after one round without progress", given: rounds(3, 3), stop: undefined },
  { name: "stops after two", given: rounds(3, 3, 3), stop: "widening" },
  { name: "stops at the soft budget without progress", given: rounds(9, 8, 7, 6, 5, 5), stop: "budget" },
  { name: "goes past it while fewer block", given: rounds(9, 8, 7, 6, 5, 4), stop: undefined },
  { name: "stops at the hard budget", given: rounds(19, 18, 17, 16, 15, 14, 13, 12, 11, 10), stop: "budget" },
  { name: "stops for a dispute without arbiter", given: [entry(1, { isDisputed: true })], stop: "disagreement" },
  { name: "stops for what a person must decide", given: [entry(1, { undecided: ["f0"] })], stop: "scope" },
  { name: "stops after an error", given: [entry(1, { verdict: "ERROR" })], stop: "review_failed" },
  { name: "stops with nothing left", given: rounds(2, 0), stop: "converged" },
])("findLoopStop() $name", ({ given, stop }) => {
  expect(findLoopStop(given)).toBe(stop);
});

test("findDisagreements() finds two reviewers apart on one item, and a finding that undoes a correction", async () => {
  const document = parseSample(sampleMarkdown);
  const ask = (id: string, round: number, findings: Partial<ReviewResponseFinding>[]) =>
    runReviewRound(
      document,
      ["math"],
      createReplayBackend([{ response: answerAll(document, "math", findings) }], {
        reviewer: { id, family: id },
        createSessionId,
      }),
      { round, parties: {}, now: () => 0 },
    );
  const first = await ask("one", 1, []);
  const second = await ask("two", 2, [{ proposed: "write L = -2R" }]);
  const both = [first.round, second.round];
  expect(findDisagreements(both, second.findings)).toMatchObject([{ kind: "same_text", item: "eq:1" }]);
  expect(findDisagreements([second.round], second.findings)).toEqual([]);
  const correction = {
    id: "c-1",
    before: [{ literal: "L = -2R" }],
    after: "L = -R",
    scope: "set" as const,
    exceptions: [],
  };
  expect(findDisagreements([second.round], second.findings, [correction])).toMatchObject([{ kind: "reversal" }]);
});
