import { createHash } from "node:crypto";
import { usageError, type Finding, type RuleFinding, type Severity } from "../../core/index.js";
import type { StageArtefact } from "../verdict.js";
import type { LintRule, LintSubject } from "./lint-rule.js";
import { lintRules, parityRules } from "./lint-rules.js";
import { getRelativePath } from "./text/links.js";
import { listInlineWaivers, type LintWaiver } from "./waivers.js";

/** A finding with what identifies it across edits and what excuses it. */
export interface LintFinding extends Finding {
  /** Hash of rule, section and line; stays while the line does. */
  readonly fingerprint: string;
  readonly headingPath: readonly string[];
  /** The waiver that covers it; such a finding fails nothing. */
  readonly waiver?: Pick<LintWaiver, "reason" | "by" | "expires" | "place">;
}

/** What one rule did. */
export interface LintRuleResult {
  readonly ruleId: string;
  readonly findingCount: number;
  readonly waivedCount: number;
  /** Why the rule could not judge the document; that is not a pass. */
  readonly gap?: string;
}

/** The body of the artefacts of lint and parity. */
export interface LintDetails {
  readonly document: string;
  readonly file: string;
  readonly level: LintSubject["level"];
  /** Hash of the rules and thresholds that ran. */
  readonly rules_sha256: string;
  readonly rules: readonly LintRuleResult[];
  /** Worst first, then by line. */
  readonly findings: readonly LintFinding[];
  /** Findings by severity, waived ones left out. */
  readonly counts: { readonly [severity in Severity]: number };
  readonly waivedCount: number;
}

/** Which rules run, and how. */
export interface LintOptions {
  /** Only these. */
  readonly rules?: readonly string[];
  readonly disabled?: readonly string[];
  /** Values by `rule.threshold`, e.g. `parity.language.maxLetters`. */
  readonly thresholds?: { readonly [name: string]: number };
  /** Waivers of the waivers file; those in the document are found by themselves. */
  readonly waivers?: readonly LintWaiver[];
  /** Further files the stage read, by path, as `sha256:…`. */
  readonly inputHashes?: { readonly [path: string]: string };
  /** UTC, ISO 8601. */
  readonly generatedAt: string;
}

const severityOrder: readonly Severity[] = ["error", "warning", "note"];

/** Returns the rules that run. @throws {TurnwiseError} (usage) for an id that does not exist. */
function selectRules(all: readonly LintRule[], { rules: only, disabled = [] }: LintOptions): readonly LintRule[] {
  const known = new Set([...lintRules, ...parityRules].map(({ id }) => id));
  const odd = [...(only ?? []), ...disabled].find((id) => !known.has(id));
  if (odd !== undefined) {
    const [group] = odd.split(".");
    const near = [...known].filter((id) => id.startsWith(`${group}.`));
    throw usageError(
      `Cannot select the lint rule "${odd}": it does not exist`,
      near.length > 0 ? `Rules of the group are ${near.join(", ")}` : "turnwise publish lint --list shows all rules",
    );
  }
  return all.filter(({ id }) => (only === undefined || only.includes(id)) && !disabled.includes(id));
}

function readThresholds(
  { id, thresholds }: LintRule,
  given: LintOptions["thresholds"] = {},
): { [name: string]: number } {
  return Object.fromEntries(
    Object.entries(thresholds).map(([name, { default: value }]) => [name, given[`${id}.${name}`] ?? value]),
  );
}

function checkThresholds({ thresholds = {} }: LintOptions): void {
  const known = [...lintRules, ...parityRules].flatMap(({ id, thresholds: own }) =>
    Object.keys(own).map((name) => `${id}.${name}`),
  );
  for (const [name, value] of Object.entries(thresholds)) {
    if (!known.includes(name))
      throw usageError(`Cannot set the threshold "${name}": thresholds are ${known.join(", ")}`);
    if (!Number.isFinite(value) || value < 0)
      throw usageError(`Cannot set the threshold "${name}" to ${value}: it must be a number from 0`);
  }
}

function identify(
  { document }: LintSubject,
  ruleId: string,
  { place }: RuleFinding,
): Pick<LintFinding, "fingerprint" | "headingPath"> {
  const line = place?.line ?? 1;
  const block = document.blocks.filter(({ lineStart, lineEnd }) => lineStart <= line && lineEnd >= line).at(-1);
  const headingPath = block?.headingPath ?? [];
  const text = (document.lines[line - 1] ?? "").normalize("NFKC").replace(/\s+/g, " ").trim();
  const hash = createHash("sha256").update(JSON.stringify([ruleId, document.id, headingPath, text]));
  return { fingerprint: hash.digest("hex").slice(0, 16), headingPath };
}

/** The waivers of one document with how often each was used. */
interface WaiverState {
  readonly waiver: LintWaiver;
  uses: number;
}

function isUsable({ waiver }: WaiverState, today: string | undefined, known: ReadonlySet<string>): boolean {
  const isOver = waiver.expires !== undefined && today !== undefined && waiver.expires < today;
  return waiver.reason !== "" && known.has(waiver.rule) && !isOver;
}

function covers({ rule, lines, text }: LintWaiver, ruleId: string, line: number, source: string): boolean {
  if (rule !== ruleId || (text !== undefined && !source.includes(text))) return false;
  return lines === undefined || (line >= lines[0] && line <= lines[1]);
}

/** Returns what is wrong with the waivers themselves, after all rules have run. */
function judgeWaivers(
  states: readonly WaiverState[],
  subject: LintSubject,
  ran: ReadonlySet<string>,
  known: ReadonlySet<string>,
) {
  return states.flatMap(({ waiver, uses }): { readonly ruleId: string; readonly finding: RuleFinding }[] => {
    const { rule, reason, expires, line, place } = waiver;
    const at = { line: line ?? subject.document.bodyLine, ...(line === undefined ? { detail: place } : {}) };
    const report = (ruleId: string, message: string) => [{ ruleId, finding: { message, place: at } }];
    if (!known.has(rule)) return report("waiver.invalid", `The waiver names the rule ${rule}, which does not exist`);
    if (reason === "") return report("waiver.invalid", `The waiver of ${rule} gives no reason`);
    if (expires !== undefined && subject.today !== undefined && expires < subject.today)
      return report("waiver.expired", `The waiver of ${rule} ended on ${expires}`);
    return uses === 0 && ran.has(rule) ? report("waiver.unused", `The waiver of ${rule} excuses nothing`) : [];
  });
}

function runRules(subject: LintSubject, rules: readonly LintRule[], options: LintOptions) {
  const known = new Set([...lintRules, ...parityRules].map(({ id }) => id));
  const { document, today } = subject;
  const given = (options.waivers ?? []).filter(
    (waiver) => waiver.document === undefined || waiver.document === document.id,
  );
  const states = [...listInlineWaivers(document), ...given].map((waiver): WaiverState => ({ waiver, uses: 0 }));
  const results: LintRuleResult[] = [];
  const findings: LintFinding[] = [];
  const ran = new Set<string>();
  const add = (rule: LintRule, found: readonly RuleFinding[], gap?: string): void => {
    let waivedCount = 0;
    for (const finding of found) {
      const line = finding.place?.line ?? document.bodyLine;
      const state = states.find(
        (each) => isUsable(each, today, known) && covers(each.waiver, rule.id, line, document.lines[line - 1] ?? ""),
      );
      if (state !== undefined) {
        state.uses += 1;
        waivedCount += 1;
      }
      const { reason = "", by, expires, place = "" } = state?.waiver ?? {};
      findings.push({
        ruleId: rule.id,
        ...finding,
        severity: finding.severity ?? rule.severity,
        place: { file: document.file, line, ...finding.place },
        remedy: finding.remedy ?? rule.remedy,
        ...identify(subject, rule.id, finding),
        ...(state === undefined
          ? {}
          : {
              waiver: {
                reason,
                place,
                ...(by === undefined ? {} : { by }),
                ...(expires === undefined ? {} : { expires }),
              },
            }),
      });
    }
    const index = results.findIndex(({ ruleId }) => ruleId === rule.id);
    const result = { ruleId: rule.id, findingCount: found.length, waivedCount, ...(gap === undefined ? {} : { gap }) };
    if (index === -1) results.push(result);
    else results[index] = result;
  };
  for (const rule of rules) {
    const thresholds = readThresholds(rule, options.thresholds);
    const gap = rule.findGap?.(subject, thresholds);
    if (gap === undefined) ran.add(rule.id);
    add(rule, gap === undefined ? rule.check(subject, thresholds) : [], gap);
  }
  const own = judgeWaivers(states, subject, ran, known);
  for (const rule of rules.filter(({ id }) => id.startsWith("waiver.")))
    add(
      rule,
      own.filter(({ ruleId }) => ruleId === rule.id).map(({ finding }) => finding),
    );
  return { results, findings };
}

function compareFindings(a: LintFinding, b: LintFinding): number {
  const bySeverity = severityOrder.indexOf(a.severity) - severityOrder.indexOf(b.severity);
  return bySeverity || (a.place?.line ?? 0) - (b.place?.line ?? 0);
}

function countWords(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Returns what the findings rest on: the document and, since rules look across it, every other one of the set. */
function hashInputs(
  { document, set, original }: LintSubject,
  stage: "lint" | "parity",
): { readonly [path: string]: string } {
  const others = stage === "lint" ? set : original === undefined ? [] : [original];
  return Object.fromEntries(
    [document, ...others].map(({ file, sha256 }) => [getRelativePath(document.file, file), `sha256:${sha256}`]),
  );
}

function createArtefact(
  stage: "lint" | "parity",
  subject: LintSubject,
  rules: readonly LintRule[],
  options: LintOptions,
): StageArtefact<LintDetails> {
  const { document, level } = subject;
  const { results, findings } = runRules(subject, rules, options);
  const open = findings.filter(({ waiver }) => waiver === undefined);
  const count = (severity: Severity): number => open.filter((finding) => finding.severity === severity).length;
  const counts = { error: count("error"), warning: count("warning"), note: count("note") };
  const waivedCount = findings.length - open.length;
  const setting = rules.map((rule) => [
    rule.id,
    rule.severity,
    rule.description,
    readThresholds(rule, options.thresholds),
  ]);
  const verdict = counts.error > 0 ? "FAIL" : counts.warning > 0 || waivedCount > 0 ? "WARN" : "PASS";
  return {
    stage,
    verdict,
    reason_code: counts.error > 0 ? "errors" : counts.warning > 0 ? "warnings" : waivedCount > 0 ? "waived" : "clean",
    summary: `${countWords(counts.error, "error")}, ${countWords(counts.warning, "warning")}, ${countWords(counts.note, "note")}, ${waivedCount} waived; ${countWords(rules.length, "rule")} ran`,
    audited_input_hashes: { ...hashInputs(subject, stage), ...options.inputHashes },
    generated_at: options.generatedAt,
    mode: "deterministic",
    details: {
      document: document.id,
      file: document.file,
      level,
      rules_sha256: createHash("sha256").update(JSON.stringify(setting)).digest("hex"),
      rules: results,
      findings: findings.sort(compareFindings),
      counts,
      waivedCount,
    },
  };
}

/**
 * Judges a document by every lint rule and returns the artefact: FAIL with an error that no waiver covers, WARN with
 * warnings or waivers, PASS otherwise. A rule that lacks what it needs is listed with its gap.
 *
 * @throws {TurnwiseError} (usage) for a rule or threshold that does not exist.
 */
export function lintDocument(subject: LintSubject, options: LintOptions): StageArtefact<LintDetails> {
  checkThresholds(options);
  return createArtefact("lint", subject, selectRules(lintRules, options), options);
}

/**
 * Compares a translation with its original and returns the artefact of the stage `parity`, NOT_APPLICABLE for a
 * document that translates no other.
 *
 * @throws {TurnwiseError} (usage) for a rule or threshold that does not exist.
 */
export function checkParity(subject: LintSubject, options: LintOptions): StageArtefact<LintDetails> {
  checkThresholds(options);
  const artefact = createArtefact("parity", subject, selectRules(parityRules, options), options);
  if (subject.original !== undefined) return artefact;
  return {
    ...artefact,
    verdict: "NOT_APPLICABLE",
    reason_code: "no-original",
    summary: "The document translates no other",
  };
}
