// internal
import { z } from "zod";
import { verdictOrder, type PublishVerdict } from "../verdict.js";

/** Any key beside the known ones is kept: later versions and other tools may write more. */
export const open = z.looseObject;

export const verdict = z.enum(verdictOrder as [PublishVerdict, ...PublishVerdict[]]); // the list is not empty
export const hash = z.string().regex(/^sha256:[0-9a-f]{64}$/, "must be sha256: and 64 hex digits");
/** UTC; seconds may have a fraction. */
export const time = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/, "must be UTC time as 2030-01-31T12:00:00Z");
export const relativePath = z
  .string()
  .refine((path) => !/^([a-z]:[\\/]|[\\/]|~|file:)/i.test(path), "must be a relative path");
const severity = z.enum(["blocker", "major", "minor", "nit"]);
const count = z.int().min(0);
const texts = z.array(z.string());

export const stageEntry = open({
  verdict,
  reason_code: z.string(),
  artefact: relativePath.optional(),
  sha256: hash.optional(),
  generated_at: z.string().optional(),
  level: z.enum(["draft", "release"]).optional(),
});

const identity = open({ id: z.string(), family: z.string().optional(), model: z.string().optional() });
const actor = open({ id: z.string(), role: z.enum(["author", "fixer", "reviewer", "arbiter", "tool"]) });

const quote = open({ prefix: z.string(), exact: z.string(), suffix: z.string() });
const findingState = z.enum(["open", "accepted", "fixed", "verified", "rejected", "deferred", "superseded"]);

export const finding = open({
  id: z.string(),
  fingerprint: z.string(),
  stage: z.string(),
  pass: z.string().optional(),
  round: z.int().optional(),
  rounds: z.array(z.int()).optional(),
  raised_by: texts.optional(),
  category: z.string(),
  severity,
  location: open({
    block: z.string().optional(),
    heading_path: texts.optional(),
    line_start: z.int().optional(),
    line_end: z.int().optional(),
    quote: quote.optional(),
    block_sha256: hash.optional(),
    is_anchored: z.boolean().optional(),
    html_selector: z.string().optional(),
  }),
  says: z.string(),
  problem: z.string(),
  evidence: open({
    kind: z.string(),
    detail: z.string(),
    ref: z.string().optional(),
    sha256: hash.optional(),
  }).optional(),
  proposed: z.string().optional(),
  other_occurrences: texts.optional(),
  confidence: z.number().optional(),
  supported: z.boolean(),
  state: findingState,
  state_history: z.array(open({ state: findingState, at: z.string(), by: actor, reason: z.string().optional() })),
});

const residueHit = open({
  file: z.string(),
  kind: z.enum(["source", "page"]),
  line: z.int().optional(),
  block: z.string().optional(),
  pattern: z.string(),
  excerpt: z.string(),
  waived: z.string().optional(),
});

export const correction = open({
  id: z.string(),
  finding: z.string().optional(),
  document: z.string().optional(),
  summary: z.string().optional(),
  before: z.array(z.union([open({ literal: z.string() }), open({ regex: z.string() })])),
  after: z.string(),
  scope: z.enum(["document", "pair", "set"]),
  exceptions: z.array(
    open({
      file: z.string().optional(),
      line_contains: z.string().optional(),
      reason: z.string(),
      by: z.string().optional(),
    }),
  ),
  residue: open({ scanned_files: count, hits: z.array(residueHit), clean: z.boolean(), at: z.string() }).optional(),
});

export const needsVerify = open({
  id: z.string(),
  location: open({ block: z.string().optional(), line: z.int().optional(), heading_path: texts.optional() }),
  text: z.string(),
  question: z.string(),
  state: z.enum(["open", "verified", "corrected", "hedged", "removed"]),
  is_marked: z.boolean().optional(),
  hedge: z.string().optional(),
  evidence: z.array(open({ source: z.string(), quote: z.string(), looked_up_at: z.string() })),
  resolved_by: z.string().optional(),
});

export const deferredItem = open({
  finding: z.string().optional(),
  reason: z.string(),
  owner: z.string(),
  expires: z.string(),
  shown_on_page: z.boolean(),
});

export const waiver = open({
  rule: z.string(),
  location: z.unknown().optional(),
  reason: z.string(),
  by: z.string().optional(),
  expires: z.string().optional(),
});

const independenceFinding = open({ rule: z.string(), message: z.string() });
const usage = open({ input: z.number().optional(), output: z.number().optional() });

const passResult = open({
  pass: z.string(),
  verdict,
  reason_code: z.string(),
  message: z.string().optional(),
  coverage_ratio: z.number(),
  item_count: count,
  coverage: z.array(
    open({ item: z.string(), status: z.enum(["checked", "skipped", "cannot"]), method: z.string().optional() }),
  ),
  findings: texts,
  limits: texts,
  session_id: z.string().optional(),
  packet_sha256: hash.optional(),
  response_sha256: hash.optional(),
  attempts: count,
  independence_findings: z.array(independenceFinding),
  trace_path: relativePath.optional(),
  started_at: z.string().optional(),
  duration_ms: z.number().optional(),
  usage: usage.optional(),
});

/** A round of the content stage. Rounds of the old shape have a run, a verdict and what was kept of them. */
export const contentRound = open({
  run: z.union([z.int(), z.string()]),
  verdict,
  thread_id: z.string().optional(),
  reviewer: z.string().optional(),
  notes: z.string().optional(),
  note: z.string().optional(),
  reason_code: z.string().optional(),
  reviewer_id: z.string().optional(),
  reviewer_family: z.string().optional(),
  reviewer_model: z.string().optional(),
  reviewer_reasoning: z.string().optional(),
  backend: z.enum(["command", "http", "human", "replay", "none"]).optional(),
  session_id: z.string().optional(),
  fresh: z.boolean().optional(),
  independent: z.boolean().optional(),
  eligibility: z.string().optional(),
  voided: z.boolean().optional(),
  independence_findings: z.array(independenceFinding).optional(),
  source_sha256: hash.optional(),
  packet_sha256: hash.optional(),
  response_sha256: hash.optional(),
  trace_path: relativePath.optional(),
  started_at: z.string().optional(),
  duration_ms: z.number().optional(),
  usage: usage.optional(),
  attempts: count.optional(),
  pass_results: z.array(passResult).optional(),
  issues: z.union([texts, z.string()]).optional(),
  fixes: z.union([texts, z.string()]).optional(),
  warnings: texts.optional(),
  passes: texts.optional(),
  needs_verify_resolved: texts.optional(),
  edited_after_round: z.boolean().optional(),
  edits: z
    .array(
      open({
        finding: z.string().optional(),
        file: z.string(),
        before_sha256: hash,
        after_sha256: hash,
        summary: z.string(),
      }),
    )
    .optional(),
  re_reviewed_by: z.int().optional(),
});

/** A round of the render stage. */
export const renderRound = open({
  run: z.union([z.int(), z.string()]),
  verdict,
  thread_id: z.string().optional(),
  reviewer: z.string().optional(),
  mode: z.enum(["browser", "reviewer"]).optional(),
  checks: z.record(z.string(), z.string()).optional(),
  check_details: z.record(z.string(), z.unknown()).optional(),
  viewport: z.array(z.string()).optional(),
  output_sha256: hash.optional(),
  notes: z.string().optional(),
  false_positives_noted: texts.optional(),
  post_fix_status: z.unknown().optional(),
  edited_after_round: z.boolean().optional(),
});

export const contentReview = open({
  verdict,
  rounds: z.array(contentRound),
  reviewer: z.string().optional(),
  summary: z.string().optional(),
  stop_reason: z.string().optional(),
  open: open({ blocker: count, major: count, minor: count, nit: count, unsupported: count }).optional(),
  coverage: open({ items: count, checked: count, ratio: z.number(), unchecked: texts }).optional(),
  probes: open({ seeded: z.record(z.string(), open({ n: count, found: count })) }).optional(),
  remainder: open({ estimate: z.number(), low: z.number(), high: z.number() }).optional(),
});

export const independence = open({
  author: identity.optional(),
  fixer: identity.optional(),
  reviewers: z.array(identity),
  arbiter: identity.optional(),
  violations: z.array(open({ rule: z.string(), message: z.string() })),
});

export const trace = open({
  path: relativePath,
  sha256: hash,
  bytes: count,
  stage: z.string(),
  round: z.int(),
  mode: z.enum(["full", "meta"]),
});

export const gateRecord = open({
  level: z.enum(["draft", "release"]),
  decision: z.enum(["open", "closed"]),
  blocking: z.array(
    open({ stage: z.string(), verdict: z.string(), reason_code: z.string(), message: z.string().optional() }),
  ),
  evaluated_at: z.string(),
  auto_commit: z.literal(false),
  vcs: open({
    head: z.string().optional(),
    index_before: z.string().optional(),
    index_after: z.string().optional(),
  }).optional(),
});
