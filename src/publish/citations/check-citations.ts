import { errorMessage, type Finding } from "../../core/index.js";
import type { Assurance, PublishDocument } from "../document.js";
import type { PublishVerdict, StageArtefact } from "../verdict.js";
import type { CiteSubject, JudgedUse, RuledFault } from "./cite-rule.js";
import { citeRules } from "./cite-rules.js";
import { judgeEntries, type ContextAnswer, type JudgedEntry } from "./judge-entries.js";
import { listCitationUses } from "./mentions.js";
import { createRegistry, getEntryId, type Registry } from "./registry.js";
import { readStatement } from "./statements.js";
import type { Venue } from "./venues.js";

/** A change of a sentence that would make it agree with the registry. */
export interface CitationProposal {
  readonly line: number;
  readonly work: string;
  readonly from: string;
  readonly to: string;
}

/** The body of the artefact of the stage `citations`; names as in the audit file. */
export interface CitationsDetails {
  readonly document: string;
  readonly file: string;
  readonly level: Assurance;
  readonly registry_sha256?: string;
  /** Works cited. */
  readonly total: number;
  readonly counts: { readonly KEEP: number; readonly FIX: number; readonly REPLACE: number; readonly REMOVE: number };
  readonly per_entry: readonly JudgedEntry[];
  readonly uncited: readonly string[];
  /** Whether only warnings and notes were found. */
  readonly soft_only: boolean;
  readonly resolver: { readonly name?: string; readonly online: boolean; readonly pending: number };
  readonly findings: readonly Finding[];
  /** What the sentences would say if the registry is right; with a frozen bibliography the only changes proposed. */
  readonly proposals: readonly CitationProposal[];
  readonly frozen: boolean;
}

/** What the citations of a document are checked against. */
export interface CheckCitationsOptions {
  /** Other documents of the set. */
  readonly set?: readonly PublishDocument[];
  /** Absent: the document names no bibliography. */
  readonly registry?: Registry;
  readonly registrySha256?: string;
  /** Why the bibliography cannot be used. */
  readonly block?: { readonly reason_code: string; readonly message: string };
  readonly level?: Assurance;
  readonly venues?: readonly Venue[];
  /** What reviewers said of the uses. */
  readonly answers?: readonly ContextAnswer[];
  /** The bibliography may not be changed. */
  readonly isFrozen?: boolean;
  /** Files read beside the document, by path relative to it, as `sha256:…`. */
  readonly inputHashes?: { readonly [path: string]: string };
  /** UTC, ISO 8601. */
  readonly generatedAt: string;
}

/** Returns the uses of a document with what is said and known of each work. */
export function judgeUses(document: PublishDocument, registry: Registry): JudgedUse[] {
  return listCitationUses(document).map((use): JudgedUse => {
    const entry = use.key === undefined ? registry.findWork(use.work ?? "")[0] : registry.find(use.key);
    const canonical = use.work ?? (entry === undefined ? undefined : getEntryId(entry));
    return {
      ...use,
      document,
      statement: readStatement(use),
      ...(entry === undefined ? {} : { entry }),
      ...(canonical === undefined ? {} : { canonical }),
    };
  });
}

interface Judged {
  readonly verdict: PublishVerdict;
  readonly reason_code: string;
  readonly summary: string;
}

function judge(
  findings: readonly Finding[],
  entries: readonly JudgedEntry[],
  level: Assurance,
  { block, registry }: CheckCitationsOptions,
): Judged {
  const errors = findings.filter(({ severity }) => severity === "error");
  const unverified = entries.filter(({ axes }) => axes.existence !== "verified").length;
  const toReplace = entries.filter(({ verdict }) => verdict === "REPLACE" || verdict === "REMOVE").length;
  const counts = `${entries.length} ${entries.length === 1 ? "work" : "works"} cited, ${unverified} unverified`;
  const first = errors[0]?.ruleId.replace("cite.", "");
  if (errors.length > 0)
    return {
      verdict: "FAIL",
      reason_code: first ?? "",
      summary: `${errors.length} ${errors.length === 1 ? "error" : "errors"}; ${counts}`,
    };
  if (toReplace > 0)
    return {
      verdict: "FAIL",
      reason_code: "context-wrong",
      summary: `${toReplace} works do not support what they are cited for; ${counts}`,
    };
  if (block !== undefined)
    return { verdict: "BLOCKED", reason_code: block.reason_code, summary: `${block.message}; ${counts}` };
  if (entries.length === 0 && (registry === undefined || registry.entries.length === 0))
    return { verdict: "NOT_APPLICABLE", reason_code: "no-citations", summary: "The text cites no work" };
  if (unverified > 0)
    return { verdict: level === "release" ? "FAIL" : "WARN", reason_code: "unverified", summary: counts };
  const warnings = findings.filter(({ severity }) => severity === "warning");
  if (warnings.length > 0)
    return {
      verdict: "WARN",
      reason_code: warnings[0].ruleId.replace("cite.", ""),
      summary: `${warnings.length} to look at; ${counts}`,
    };
  if (entries.some(({ verdict }) => verdict === "FIX"))
    return { verdict: "WARN", reason_code: "fix", summary: `some entries need a change; ${counts}` };
  return { verdict: "PASS", reason_code: "checked", summary: counts };
}

/**
 * Checks the citations of a document: shape and facts of each against the registry and the rest of the set, without
 * a network. What no source and no person vouches for is `unverified`: a warning at draft, a failure at release. A
 * fault of the check itself gives the verdict `ERROR`. Never throws.
 */
export function checkCitations(
  document: PublishDocument,
  options: CheckCitationsOptions,
): StageArtefact<CitationsDetails> {
  const { set = [], level = "draft", venues = [], generatedAt, answers = [] } = options;
  const registry = options.registry ?? createRegistry([]);
  let findings: Finding[] = [];
  let faults: readonly RuledFault[] = [];
  let entries: readonly JudgedEntry[] = [];
  let judged: Judged;
  try {
    const uses = judgeUses(document, registry);
    const others = set.filter(({ id }) => id !== document.id);
    const subject: CiteSubject = {
      document,
      uses,
      otherUses: others.flatMap((other) => judgeUses(other, registry)),
      registry,
      hasRegistry: options.registry !== undefined,
      level,
      today: generatedAt.slice(0, 10),
      venues,
    };
    const run = runRules(subject, options.block !== undefined);
    ({ findings, faults } = run);
    entries = judgeEntries(uses, faults, answers);
    judged = judge(findings, entries, level, options);
  } catch (error) {
    judged = {
      verdict: "ERROR",
      reason_code: "engine-fault",
      summary: `The check itself failed: ${errorMessage(error)}`,
    };
  }
  const inputHashes = { [document.file.split(/[\\/]/).at(-1) ?? document.file]: `sha256:${document.sha256}` };
  return {
    stage: "citations",
    ...judged,
    audited_input_hashes: { ...inputHashes, ...options.inputHashes },
    generated_at: generatedAt,
    mode: answers.length > 0 ? "reviewer" : "deterministic",
    level,
    details: describeCheck(document, { ...options, level }, registry, entries, findings, faults),
  };
}

function describeCheck(
  document: PublishDocument,
  { level = "draft", registrySha256, isFrozen = false }: CheckCitationsOptions,
  registry: Registry,
  entries: readonly JudgedEntry[],
  findings: readonly Finding[],
  faults: readonly RuledFault[],
): CitationsDetails {
  const count = (verdict: JudgedEntry["verdict"]): number =>
    entries.filter((entry) => entry.verdict === verdict).length;
  const sources = registry.entries.flatMap(({ custom }) => custom.sources ?? []);
  const name = sources.at(-1)?.name;
  return {
    document: document.id,
    file: document.file,
    level,
    ...(registrySha256 === undefined ? {} : { registry_sha256: registrySha256 }),
    total: entries.length,
    counts: { KEEP: count("KEEP"), FIX: count("FIX"), REPLACE: count("REPLACE"), REMOVE: count("REMOVE") },
    per_entry: entries,
    uncited: faults.flatMap(({ ruleId, work }) =>
      ruleId === "cite.uncited" && work !== undefined ? [work.slice(1)] : [],
    ),
    soft_only: findings.every(({ severity }) => severity !== "error"),
    resolver: {
      ...(name === undefined ? {} : { name }),
      online: sources.length > 0,
      pending: entries.filter(({ axes }) => axes.existence === "pending").length,
    },
    findings,
    proposals: faults.flatMap(({ proposal, line, work }) =>
      proposal === undefined || line === undefined ? [] : [{ line, work: work ?? "", ...proposal }],
    ),
    frozen: isFrozen,
  };
}

/** Rules that make no sense while the registry cannot be read. */
const needRegistry = new Set(["cite.unresolved", "cite.uncited", "cite.field-mismatch", "cite.duplicate"]);

function runRules(
  subject: CiteSubject,
  isBlocked: boolean,
): { readonly findings: Finding[]; readonly faults: readonly RuledFault[] } {
  const order = { error: 0, warning: 1, note: 2 };
  const faults: RuledFault[] = [];
  const findings: Finding[] = [];
  for (const { id, severity, remedy, check } of citeRules) {
    if (isBlocked && needRegistry.has(id)) continue;
    for (const fault of check(subject)) {
      faults.push({ ...fault, ruleId: id });
      findings.push({
        ruleId: id,
        severity: fault.severity ?? severity,
        message: fault.message,
        place: { file: subject.document.file, line: fault.line ?? subject.document.bodyLine },
        remedy,
        ...(fault.work === undefined ? {} : { evidence: { work: fault.work } }),
      });
    }
  }
  findings.sort((a, b) => order[a.severity] - order[b.severity] || (a.place?.line ?? 0) - (b.place?.line ?? 0));
  return { findings, faults };
}
