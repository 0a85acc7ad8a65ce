import { z } from "zod";
import { inputError, sha256 } from "../../core/index.js";
import {
  contentReview,
  correction,
  deferredItem,
  finding,
  gateRecord,
  hash,
  independence,
  needsVerify,
  open,
  relativePath,
  renderRound,
  stageEntry,
  time,
  trace,
  verdict,
  waiver,
} from "./audit-parts.js";

/** The version this reader and writer stand for; any 1.x is read. */
export const auditSchemaVersion = "1.0.0";

const counts = z.record(z.string(), z.unknown());

/** The schema of `review.json`, version 1, in the order in which its keys are written. Unknown keys are kept. */
export const auditFileSchema = open({
  schema: z.literal("publish-audit"),
  schema_version: z.string().regex(/^1\.\d+\.\d+$/, "must be 1.x.y; this reader knows no other major version"),
  skill: z.string(),
  document_id: z.string(),
  kind: z.string(),
  lang: z.string().optional(),
  profile: z.string().optional(),
  source: relativePath,
  output: relativePath.optional(),
  source_sha256: hash.optional(),
  source_sha256_prefix: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  source_bytes: z.int().optional(),
  source_lines: z.int().optional(),
  output_sha256: hash.optional(),
  output_bytes: z.int().optional(),
  lines_md: z.int().optional(),
  bytes_html: z.int().optional(),
  toc_entries: z.int().optional(),
  title: z.string().optional(),
  subtitle: z.string().optional(),
  eyebrow: z.string().optional(),
  topic: z.string().optional(),
  byline: z.string().optional(),
  author: z.string().optional(),
  effort: z.string().optional(),
  assurance: z.string().optional(),
  length_band: open({ unit: z.string(), min: z.number(), max: z.number(), actual: z.number().optional() }).optional(),
  reviewer: z.string().optional(),
  verdict,
  stages: z.record(z.string(), stageEntry),
  tool: open({ name: z.string(), version: z.string() }).optional(),
  inputs: z.record(relativePath, hash).optional(),
  audited_input_hashes: z.record(relativePath, hash).optional(),
  translations: z.array(open({ lang: z.string(), source: relativePath })).optional(),
  inventory: counts.optional(),
  lint: open({ verdict, findings: z.array(z.unknown()) }).optional(),
  math_code_review: contentReview.optional(),
  render_review: open({
    verdict,
    rounds: z.array(renderRound),
    reviewer: z.string().optional(),
    note: z.string().optional(),
  }).optional(),
  checks: z.record(z.string(), z.string()).optional(),
  blocking_issues: z.array(z.unknown()).optional(),
  warnings: z.array(z.unknown()).optional(),
  history: z.array(z.unknown()).optional(),
  findings: z.array(finding),
  corrections: z.array(correction),
  needs_verify: z.array(needsVerify),
  deferred: z.array(deferredItem),
  no_defer_compliance: z.unknown().optional(),
  waivers: z.array(waiver),
  claims: open({ verdict }).optional(),
  citations: open({ verdict }).optional(),
  experiment_audit: open({ integrity_status: z.string() }).optional(),
  result_to_claim: z.array(z.unknown()).optional(),
  proof: open({ verdict }).optional(),
  independence: independence.optional(),
  traces: z.array(trace),
  gate: gateRecord.optional(),
  summary: z.string(),
  notes: z.string().optional(),
  user_feedback_observed: z.unknown().optional(),
  rendered_at: z.string().optional(),
  created_at: time,
  updated_at: time,
  prev_audit_sha256: hash.optional(),
  legacy: z.record(z.string(), z.unknown()).optional(),
});

/** An audit file of version 1: the record of what was reviewed, by whom, on which bytes, and what it came to. */
export type AuditFile = z.infer<typeof auditFileSchema>;
/** One stage as the audit file lists it. */
export type AuditStageEntry = AuditFile["stages"][string];

/** Returns the JSON Schema of audit files. */
export function createAuditJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(auditFileSchema, { io: "input", unrepresentable: "any" });
  return { ...schema, title: "Audit file of a published document, version 1" };
}

/** Says whether a value is an audit file of before version 1. */
export function isLegacyAudit(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !("schema_version" in value);
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw inputError(
      `Cannot read audit "${path}": it is no JSON`,
      "Restore the file; it is never written by hand",
      error,
    );
  }
}

/**
 * Returns the audit that a text holds.
 *
 * @throws {TurnwiseError} (input) for text that is no audit of version 1; one of before version 1 is pointed to the
 * import.
 */
export function parseAuditFile(text: string, path: string): AuditFile {
  const value = parseJson(text, path);
  if (isLegacyAudit(value))
    throw inputError(
      `Cannot read audit "${path}": it has no schema_version, so it is of before version 1`,
      `Import it first: turnwise publish import ${path}`,
    );
  const parsed = auditFileSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw inputError(`Cannot read audit "${path}":\n${z.prettifyError(parsed.error)}`, undefined, parsed.error);
}

/** Returns the value with undefined fields left out, at every depth. */
function dropUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => (each === undefined ? null : dropUndefined(each)));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([key, field]) => [key, dropUndefined(field)]),
  );
}

/**
 * Returns the text of an audit: known keys in the order of the schema, unknown ones after them as they came, two spaces
 * of indentation, a line break at the end. Equal data give equal bytes.
 *
 * @throws {RangeError} when the data do not fit the schema, which is a programmer's mistake.
 */
export function renderAuditFile(audit: AuditFile): string {
  const parsed = auditFileSchema.safeParse(dropUndefined(audit));
  if (!parsed.success)
    throw new RangeError(`Cannot write an audit that does not fit:\n${z.prettifyError(parsed.error)}`);
  return `${JSON.stringify(parsed.data, null, 2)}\n`;
}

/** Returns the hash of an audit's text, by which the next version refers to it. */
export function hashAuditText(text: string): string {
  return `sha256:${sha256(text)}`;
}
