import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { stringify } from "yaml";
import { buildReviewPacket, parseDocument, type ReviewPass } from "../../src/publish/index.js";
import { gateFiles, verifyAudits } from "../../src/commands/publish-audit.js";
import { reviewFile } from "../../src/commands/publish-review.js";
import { triageDocument, type TriageOptions } from "../../src/commands/publish-triage.js";
import type { PublishReviewOptions } from "../../src/commands/review-options.js";

/** A small page with something to find. */
export const lessonMarkdown = `---
id: lesson
kind: page
lang: en
title: A lesson
---

# A lesson

## 1 Signs

The loss rises when the reward rises, and it is 3 times as large as before.

## 2 More

Nothing else is said here.
`;

/** A finding as a reviewer raises it; `evidence: null` for none. */
export interface RaisedFinding {
  readonly severity?: string;
  readonly exact?: string;
  readonly evidence?: object | null;
}

/** A round of an audit file, as a forger may turn it. */
export interface ForgeableRound {
  readonly run: number;
  verdict: string;
  reason_code: string;
  voided: boolean;
  source_sha256: string;
  started_at: string;
  reviewer_id?: string;
  reviewer_family?: string;
  pass_results: {
    pass: string;
    verdict: string;
    reason_code: string;
    coverage: { item: string; status: string; method?: string }[];
    coverage_ratio: number;
    findings: string[];
    session_id?: string;
    trace_path?: string;
    response_sha256?: string;
  }[];
}

/** The parts of an audit file that a forger would turn. */
export interface ForgeableAudit {
  math_code_review: { rounds: ForgeableRound[] };
  findings: {
    id: string;
    severity: string;
    supported: boolean;
    state: string;
    rounds: number[];
    state_history: { state: string; at: string; by: { id: string; role: string }; reason?: string }[];
  }[];
  traces: { path: string; sha256: string }[];
  corrections: object[];
  legacy?: object;
}

/** Returns a response that checks all of a pass and raises the findings given. */
function createAnswer(file: string, pass: ReviewPass, raised: readonly RaisedFinding[] = []) {
  return {
    schema: "review-response/1",
    pass,
    coverage: buildReviewPacket(parseDocument(readFileSync(file, "utf8"), { file }), pass).items.map(({ id }) => ({
      item: id,
      status: "checked",
      method: "read",
    })),
    findings: raised.map(
      ({
        severity = "major",
        exact = "The loss rises when",
        evidence = { kind: "derivation", detail: "vary it" },
      }) => ({
        category: "fact.direction",
        severity,
        location: { quote: { prefix: "", exact, suffix: "" } },
        says: "rises",
        problem: "it falls",
        ...(evidence === null ? {} : { evidence }),
      }),
    ),
  };
}

/** A document under review by recorded responses, with its audit at hand. */
export type RecordSubject = ReturnType<typeof createRecordSubject>;

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Returns a document in a folder of the test, with a configuration and a clock that moves a second at each look. */
export function createRecordSubject() {
  const folder = mkdtempSync(join(tmpdir(), "turnwise-record-"));
  folders.push(folder);
  const file = join(folder, "lesson.md");
  writeFileSync(file, lessonMarkdown);
  const config = join(folder, "config.yaml");
  writeFileSync(
    config,
    stringify({ parties: { author: { id: "ann", family: "human" }, arbiter: { id: "kim", family: "human" } } }),
  );
  const out = join(folder, "out");
  let clock = Date.parse("2030-01-01T00:00:00Z");
  const options: PublishReviewOptions = {
    out,
    config,
    now: () => new Date((clock += 1000)),
    backend: "replay",
    replay: join(folder, "replay.json"),
    reviewerId: "rev",
    reviewerFamily: "qwen",
    passes: ["consistency"],
  };
  const answer = (pass: ReviewPass, raised?: readonly RaisedFinding[]) => createAnswer(file, pass, raised);
  const review = async (responses: readonly object[], more: PublishReviewOptions = {}) => {
    writeFileSync(options.replay ?? "", JSON.stringify(responses));
    return reviewFile(file, { ...options, ...more });
  };
  const path = join(out, "lesson.review.json");
  const read = (): ForgeableAudit => JSON.parse(readFileSync(path, "utf8")) as ForgeableAudit; // written by us
  const gate = (level: "draft" | "release" = "draft") => gateFiles([file], { ...options, level, isRecorded: false });
  return {
    folder,
    file,
    out,
    options,
    answer,
    review,
    triage: (more: TriageOptions) => triageDocument(file, { ...options, ...more }),
    edit: (from: string, to: string) => writeFileSync(file, readFileSync(file, "utf8").replace(from, to)),
    read,
    forge: (change: (audit: ForgeableAudit) => void) => {
      const audit = read();
      change(audit);
      writeFileSync(path, JSON.stringify(audit));
    },
    getTrace: (name: string) => join(out, "lesson.publish", "traces", name),
    gate,
    listBlocks: async (level: "draft" | "release" = "draft") =>
      (await gate(level)).documents[0].blocking.map(({ reason_code }) => reason_code),
    listRecordProblems: async () =>
      (await verifyAudits(out))[0].problems.filter(({ kind }) => kind === "record").map(({ message }) => message),
  };
}

/** Says whether a reason to close the gate is that a record is not as it was written. */
export function isOfRecord(reason: string): boolean {
  return /^(?:trace|round|finding)-|^artefact-/.test(reason);
}

/** Returns what is held against the record: by verifying, and by the gate at both levels. */
export async function listBlame({ listBlocks, listRecordProblems }: RecordSubject): Promise<readonly string[]> {
  const blocks = [...(await listBlocks("draft")), ...(await listBlocks("release"))];
  return [...(await listRecordProblems()), ...blocks.filter(isOfRecord)];
}
