import { inputError, sha256 } from "../../../core/index.js";
import { getWorstVerdict } from "../../verdict.js";
import { auditSchemaVersion, isLegacyAudit, type AuditFile } from "../audit-file.js";
import {
  createLegacyFinding,
  importStage,
  issueNames,
  readText,
  withoutNulls,
  type ImportedStage,
  type LegacyFinding,
  type StageContext,
} from "./import-stage.js";
import { collectLegacyTexts, isLegacyRecord, type LegacyRecord } from "./legacy-texts.js";

/** What an import needs beside the old record. */
export interface LegacyImportOptions {
  /** UTC, ISO 8601. */
  readonly at: string;
  readonly tool: { readonly name: string; readonly version: string };
  /** Bytes of the source now, where it was found. */
  readonly source?: Uint8Array;
  readonly output?: Uint8Array;
}

function listRounds(value: unknown): LegacyRecord[] {
  return Array.isArray(value) ? value.filter(isLegacyRecord) : [];
}

/** Returns a path as an audit may hold it: an absolute one is cut down to its name. */
function toAuditPath(value: unknown): string | undefined {
  const path = readText(value);
  if (path === undefined) return undefined;
  const isRelative = !/^([a-z]:[\\/]|[\\/]|~|file:)/i.test(path);
  return isRelative ? path : (path.split(/[\\/]/).at(-1) ?? path);
}

function readSourceHash(legacy: LegacyRecord, bytes: Uint8Array | undefined): Partial<AuditFile> {
  const full = /^(?:sha256:)?([0-9a-f]{64})$/i.exec(readText(legacy["source_sha256"]) ?? "")?.[1].toLowerCase();
  const prefix = readText(legacy["source_sha256_prefix"])?.toLowerCase() ?? full?.slice(0, 16);
  const now = bytes === undefined ? undefined : sha256(bytes);
  // The prefix with the bytes at hand is as good as the whole hash: nobody finds other bytes with the same 64 bits by chance.
  const known = full ?? (now !== undefined && prefix !== undefined && now.startsWith(prefix) ? now : undefined);
  return {
    ...(known === undefined ? {} : { source_sha256: `sha256:${known}` }),
    ...(prefix !== undefined && /^[0-9a-f]{16}$/.test(prefix) ? { source_sha256_prefix: prefix } : {}),
    ...(bytes === undefined ? {} : { source_bytes: bytes.length }),
  };
}

/** Returns a finding where the old record claims that nothing was put off, and something was. */
function checkNoDeferClaim(
  claim: unknown,
  openCount: number,
  deferredCount: number,
  context: StageContext,
): LegacyFinding[] {
  const claims =
    claim === true ||
    (typeof claim === "string" && /^\s*(?:true|yes|compliant|pass)/i.test(claim)) ||
    (isLegacyRecord(claim) && Object.values(claim).every((value) => value !== false));
  if (!claims || openCount + deferredCount === 0) return [];
  const text = `The record claims that nothing was put off, and it lists ${deferredCount} deferred items and ${openCount} open markers`;
  return [
    {
      ...createLegacyFinding(text, "open", { ...context, round: 0, verdict: "WARN", reviewer: "turnwise" }),
      category: "audit.no-defer",
      stage: "audit",
    },
  ];
}

/** The two stages an old record can hold. */
interface ImportedStages {
  readonly content?: ImportedStage;
  readonly render?: ImportedStage;
  /** The old record of each, whose further keys are kept. */
  readonly oldContent: LegacyRecord;
  readonly oldRender: LegacyRecord;
}

function importStages(old: LegacyRecord, base: Omit<StageContext, "stage">): ImportedStages {
  const review = isLegacyRecord(old["math_code_review"]) ? old["math_code_review"] : undefined;
  const render = isLegacyRecord(old["render_review"]) ? old["render_review"] : undefined;
  const isRenderOnly = render === undefined && (Array.isArray(old["history"]) || isLegacyRecord(old["checks"]));
  const content =
    review === undefined ? undefined : importStage(listRounds(review["rounds"]), review, { ...base, stage: "content" });
  const renderRounds = isRenderOnly ? listRounds(old["history"]) : listRounds(render?.["rounds"]);
  // In a file of the render-only shape the stage's lists stand at the top.
  const own = isRenderOnly ? { warnings: old["warnings"] } : (render ?? {});
  const rendered =
    render === undefined && !isRenderOnly ? undefined : importStage(renderRounds, own, { ...base, stage: "render" });
  const blocking = isRenderOnly ? collectLegacyTexts({ issues: old["blocking_issues"] }, issueNames) : [];
  const context = { ...base, stage: "render" as const, round: rendered?.rounds.length ?? 0, verdict: "FAIL" as const };
  const open = blocking.map((text) => createLegacyFinding(text, "open", context));
  return {
    content,
    render: rendered === undefined ? undefined : { ...rendered, findings: [...rendered.findings, ...open] },
    oldContent: review ?? {},
    oldRender: render ?? {},
  };
}

/** Returns who took part, and what the author decided that takes an arbiter. */
function describeParties(
  author: string,
  reviewer: string,
  findings: readonly LegacyFinding[],
): AuditFile["independence"] {
  const violations = findings
    .filter(({ state }) => state === "rejected")
    .map(({ id }) => ({
      rule: "finding.decided-by-party",
      message: `Finding "${id}" was rejected by the author: that takes an arbiter`,
    }));
  return { author: { id: author }, reviewers: reviewer === "not recorded" ? [] : [{ id: reviewer }], violations };
}

function describeOutput(bytes: Uint8Array | undefined): Partial<AuditFile> {
  if (bytes === undefined) return {};
  return { output_sha256: `sha256:${sha256(bytes)}`, output_bytes: bytes.length, bytes_html: bytes.length };
}

/** Returns the parts of an audit that come from its stages. */
function describeStages(
  { content, render, oldContent, oldRender }: ImportedStages,
  date: string,
): Pick<AuditFile, "verdict" | "stages"> & Partial<AuditFile> {
  const toEntry = ({ verdict }: ImportedStage) => ({ verdict, reason_code: "legacy-import", generated_at: date });
  const stages = {
    ...(content === undefined ? {} : { content: toEntry(content) }),
    ...(render === undefined ? {} : { render: toEntry(render) }),
  };
  const parts = [content, render].filter((part) => part !== undefined);
  return {
    verdict: getWorstVerdict(parts.map(({ verdict }) => verdict)),
    stages,
    ...(content === undefined
      ? {}
      : { math_code_review: { ...withoutNulls(oldContent), verdict: content.verdict, rounds: content.rounds } }),
    ...(render === undefined
      ? {}
      : { render_review: { ...withoutNulls(oldRender), verdict: render.verdict, rounds: render.rounds } }),
    corrections: parts.flatMap(({ corrections }) => corrections),
    needs_verify: parts.flatMap(({ needsVerify }) => needsVerify),
    deferred: parts.flatMap(({ deferred }) => deferred),
  };
}

function checkLegacy(value: unknown, path: string): LegacyRecord {
  if (isLegacyAudit(value) && (readText(value["source"]) !== undefined || readText(value["skill"]) !== undefined))
    return value;
  throw inputError(
    `Cannot import "${path}": it is no audit of before version 1`,
    "Such a file is a JSON object with skill, source and output; one with schema_version needs no import",
  );
}

/** Returns the last part of a path. */
function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

/**
 * Returns an audit of before version 1 as one of version 1. Labels decide nothing: a stage is what its last round with a
 * thread id was. What the author decided alone is listed as a violation. The whole old record is kept under `legacy`.
 *
 * @throws {TurnwiseError} (input) for a value that is no old audit.
 */
export function importLegacyAudit(value: unknown, path: string, options: LegacyImportOptions): AuditFile {
  const old = checkLegacy(value, path);
  const { at, tool } = options;
  const source = toAuditPath(old["source"]) ?? baseName(path).replace(/\.review\.json$/, ".md");
  const documentId = baseName(source).replace(/\.\w+$/, "");
  const author = readText(old["byline"]) ?? readText(old["author"]) ?? "author";
  const reviewer = readText(old["reviewer"]) ?? "not recorded";
  const date = readText(old["rendered_at"]) ?? at.slice(0, 10);
  const base = { author, reviewer, at, documentId, date };
  const parts = importStages(old, base);
  const described = describeStages(parts, date);
  const { needs_verify = [], deferred = [] } = described;
  const openCount = needs_verify.filter(({ state }) => state === "open").length;
  const claim = old["no_defer_compliance"];
  const findings = uniqueFindings([
    ...(parts.content?.findings ?? []),
    ...(parts.render?.findings ?? []),
    ...checkNoDeferClaim(claim, openCount, deferred.length, { ...base, stage: "content" }),
  ]);
  const named = Object.entries(described.stages).map(([stage, { verdict }]) => `${stage} ${verdict}`);
  const counts = `${findings.length} findings, ${deferred.length} deferred, ${needs_verify.length} statements to verify`;
  const { source_sha256: _full, source_sha256_prefix: _prefix, ...kept } = withoutNulls(old);
  return {
    ...kept,
    schema: "publish-audit",
    schema_version: auditSchemaVersion,
    skill: readText(old["skill"]) ?? "not recorded",
    document_id: documentId,
    kind: "tutorial",
    source,
    output: toAuditPath(old["output"]),
    ...readSourceHash(old, options.source),
    ...describeOutput(options.output),
    ...described,
    tool: { ...tool },
    findings,
    corrections: described.corrections ?? [],
    needs_verify,
    deferred,
    ...(claim === undefined ? {} : { no_defer_compliance: openCount + deferred.length === 0 }),
    waivers: [],
    independence: describeParties(author, reviewer, findings),
    traces: [],
    summary: `${described.verdict}: imported; ${named.join(", ") || "no stage on record"}. ${counts}.`,
    created_at: at,
    updated_at: at,
    legacy: { ...old },
  };
}

/** Two rounds may state one defect in the same words: it is one finding with two rounds. */
function uniqueFindings(findings: readonly LegacyFinding[]): LegacyFinding[] {
  const unique = new Map<string, LegacyFinding>();
  for (const finding of findings) {
    const known = unique.get(finding.fingerprint);
    unique.set(
      finding.fingerprint,
      known === undefined
        ? finding
        : {
            ...finding,
            round: known.round,
            rounds: [...new Set([...(known.rounds ?? []), ...(finding.rounds ?? [])])],
          },
    );
  }
  return [...unique.values()];
}
