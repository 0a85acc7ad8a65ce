import { markup, type HtmlPart } from "../../page/index.js";
import type { AuditFile } from "../audit/audit-file.js";
import type { GateDecision } from "../audit/gate.js";
import { listMandatoryStages, publishStages } from "../audit/stage-artefact.js";
import { describePattern } from "../review/correction.js";
import {
  renderCounts,
  renderRecordPage,
  renderTexts,
  renderVerdict,
  showTime,
  type RecordSection,
} from "./page-parts.js";
import type { RelatedPage } from "./related-page.js";

/** One document of a set as its pages need it. */
export interface SetEntry {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly lang: string;
  readonly audit: AuditFile;
  /** What the gate says of it now, at the level of the set. */
  readonly gate: GateDecision & {
    readonly stages: readonly { readonly stage: string; readonly verdict?: string; readonly reason_code: string }[];
  };
}

function linkAudit({ id, title }: Pick<SetEntry, "id" | "title">): HtmlPart {
  return markup`<a href="${encodeURIComponent(id)}.audit.html">${title}</a>`;
}

function renderCell(entry: SetEntry, stage: string, mandatory: readonly string[]): HtmlPart {
  const found = entry.gate.stages.find((each) => each.stage === stage);
  const isMandatory = mandatory.includes(stage);
  if (found?.verdict === undefined) return isMandatory ? renderVerdict("MISSING") : "–";
  return [renderVerdict(found.verdict), isMandatory ? "" : " (optional)"];
}

/** Returns the matrix of stages and documents, with what would open each gate. */
export function renderAssurancePage(entries: readonly SetEntry[], pages: readonly RelatedPage[] = []): string {
  const open = entries.filter(({ gate }) => gate.decision === "open").length;
  const level = entries[0]?.gate.level ?? "draft";
  return renderRecordPage({
    name: "Assurance",
    subject: `${open} of ${entries.length} gates are open at level ${level}`,
    summary: "Each verdict is that of the files as they are: a stage that read other bytes is STALE.",
    pages,
    sections: [
      {
        id: "matrix",
        title: "Stages by document",
        body: renderTexts(
          "Stages by document",
          ["Document", "Gate", "Exit code", ...publishStages.map((stage) => stage.replaceAll("_", " "))],
          entries.map((entry) => {
            const mandatory = listMandatoryStages(entry.kind);
            return [
              linkAudit(entry),
              entry.gate.decision,
              String(entry.gate.exitCode),
              ...publishStages.map((stage) => renderCell(entry, stage, mandatory)),
            ];
          }),
          "No document has an audit.",
        ),
      },
      {
        id: "opens",
        title: "What would open the gates",
        body: renderTexts(
          "What would open the gates",
          ["Document", "Stage", "Verdict", "Reason"],
          entries.flatMap((entry) =>
            entry.gate.blocking.map(({ stage, verdict, reason_code }) => [
              linkAudit(entry),
              stage,
              renderVerdict(verdict),
              reason_code,
            ]),
          ),
          "Nothing: all gates are open.",
        ),
      },
    ],
    source: entries,
    footer: "Made from the audits of the set.",
  });
}

const inventoryNames = [
  "h2",
  "h3",
  "toc",
  "details",
  "display_math",
  "inline_math",
  "code_blocks",
  "tables",
  "figures",
  "citations",
  "words",
  "lines",
];

function showCount(count: unknown): string {
  return typeof count === "number" ? String(count) : "–";
}

/** A finding of any stage as lists across documents show it. */
interface StageFinding {
  readonly ruleId: string;
  readonly message: string;
}

/** Rules that compare documents of a set with each other. */
const crossRules = /^(?:cite\.cross-doc|cite\.name-two-ids|math\.same-lhs|parity\.)/;

function listConflicts({ audit }: SetEntry): readonly (readonly [string, string])[] {
  const sections = [audit.lint, audit.citations] as readonly ({ readonly findings?: readonly unknown[] } | undefined)[]; // sections hold the findings of their stage
  const found = sections.flatMap((section) => section?.findings ?? []) as readonly Partial<StageFinding>[]; // as their stages write them
  return [
    ...found
      .filter(({ ruleId = "" }) => crossRules.test(ruleId))
      .map(({ ruleId = "", message = "" }) => [ruleId, message] as const),
    ...audit.findings
      .filter(({ pass, state }) => pass === "consistency" && (state === "open" || state === "accepted"))
      .map(({ category, problem }) => [category, problem] as const),
  ];
}

function makeInventorySection(entries: readonly SetEntry[]): RecordSection {
  return {
    id: "inventory",
    title: "Inventory",
    body: renderTexts(
      "Inventory",
      ["Document", "kind", "lang", ...inventoryNames.map((name) => name.replaceAll("_", " "))],
      entries.map((entry) => [
        linkAudit(entry),
        entry.kind,
        entry.lang,
        ...inventoryNames.map((name) => showCount(entry.audit.inventory?.[name])),
      ]),
      "No document.",
    ),
  };
}

function makeCorrectionSection(entries: readonly SetEntry[]): RecordSection {
  const corrections = entries.flatMap((entry) => entry.audit.corrections.map((correction) => ({ entry, correction })));
  return {
    id: "corrections",
    title: "Corrections and residue",
    body: renderTexts(
      "Corrections",
      ["Document", "Was", "Is", "Reach", "Still stands in"],
      corrections.map(({ entry, correction: { before, after, scope, residue } }) => [
        linkAudit(entry),
        before.map((pattern) => markup`<del>${describePattern(pattern)}</del> `),
        markup`<ins>${after}</ins>`,
        scope,
        residue === undefined
          ? "not scanned"
          : residue.clean
            ? "nothing"
            : [...new Set(residue.hits.filter(({ waived }) => waived === undefined).map(({ file }) => file))].join(
                ", ",
              ),
      ]),
      "No correction is on record.",
    ),
  };
}

function makeRecallSection(entries: readonly SetEntry[]): RecordSection {
  const recall = new Map<string, { n: number; found: number }>();
  for (const { audit } of entries)
    for (const [name, { n, found }] of Object.entries(audit.math_code_review?.probes?.seeded ?? {})) {
      const sum = recall.get(name) ?? { n: 0, found: 0 };
      recall.set(name, { n: sum.n + n, found: sum.found + found });
    }
  return {
    id: "recall",
    title: "What reviewers find of known defects",
    body: renderTexts(
      "Recall",
      ["Class of defect", "Found", "Put in"],
      [...recall].map(([name, { n, found }]) => [name.replaceAll("_", " "), String(found), String(n)]),
      "No probe was made.",
    ),
  };
}

/** Returns the page of a set: counts, facts that differ between documents, corrections, classes of findings, recall of reviewers. */
export function renderCorpusPage(entries: readonly SetEntry[], pages: readonly RelatedPage[] = []): string {
  const findings = entries.flatMap(({ audit }) => audit.findings);
  const corrections = entries.flatMap((entry) => entry.audit.corrections.map((correction) => ({ entry, correction })));
  return renderRecordPage({
    name: "Corpus",
    subject: `${entries.length} documents`,
    summary: `${findings.length} findings and ${corrections.length} corrections are on record.`,
    pages,
    sections: [
      makeInventorySection(entries),
      {
        id: "conflicts",
        title: "Facts that differ between documents",
        body: renderTexts(
          "Conflicts",
          ["Document", "Rule or class", "What differs"],
          entries.flatMap((entry) => listConflicts(entry).map(([rule, message]) => [linkAudit(entry), rule, message])),
          "None is known.",
        ),
      },
      makeCorrectionSection(entries),
      {
        id: "classes",
        title: "Classes of findings over time",
        body: renderCounts(
          "Classes of findings by day",
          "Class",
          findings.map(({ category, state_history: [first] }) => [category, first?.at.slice(0, 10) ?? "unknown"]),
          [...new Set(findings.map(({ state_history: [first] }) => first?.at.slice(0, 10) ?? "unknown"))].sort(),
          "No finding is on record.",
        ),
      },
      makeRecallSection(entries),
    ],
    source: entries,
    footer: "Made from the audits of the set.",
  });
}

function listNumbers(audit: AuditFile): Map<string, string> {
  const numbers = new Map<string, string>();
  for (const [name, value] of Object.entries(audit.inventory ?? {}))
    if (typeof value === "number") numbers.set(`inventory ${name}`, String(value));
  const { claims = [] } = (audit.claims ?? {}) as {
    readonly claims?: readonly { readonly id: string; readonly display?: string; readonly value?: unknown }[];
  }; // the section holds the details of its stage
  for (const { id, display, value } of claims) numbers.set(id, display ?? JSON.stringify(value) ?? "–");
  return numbers;
}

function makeStageSection(before: AuditFile, after: AuditFile): RecordSection {
  const stages = [...new Set([...Object.keys(before.stages), ...Object.keys(after.stages)])].filter(
    (stage) => before.stages[stage]?.verdict !== after.stages[stage]?.verdict,
  );
  return {
    id: "stages",
    title: "Stages",
    body: renderTexts(
      "Stages",
      ["Stage", "Before", "After"],
      stages.map((stage) => [
        stage,
        renderVerdict(before.stages[stage]?.verdict ?? "MISSING"),
        renderVerdict(after.stages[stage]?.verdict ?? "MISSING"),
      ]),
      "No verdict changed.",
    ),
  };
}

/** Returns the findings that are new, gone and back between two audits, with their section. */
function compareFindings(before: AuditFile, after: AuditFile) {
  const old = new Map(before.findings.map((finding) => [finding.fingerprint, finding]));
  const now = new Map(after.findings.map((finding) => [finding.fingerprint, finding]));
  const isOpen = ({ state }: { readonly state: string }): boolean => state === "open" || state === "accepted";
  const appeared = after.findings.filter(({ fingerprint }) => !old.has(fingerprint));
  const gone = before.findings.filter((finding) => {
    const later = now.get(finding.fingerprint);
    return isOpen(finding) && (later === undefined || !isOpen(later));
  });
  const back = after.findings.filter((finding) => {
    const earlier = old.get(finding.fingerprint);
    return (
      earlier !== undefined &&
      isOpen(finding) &&
      (!isOpen(earlier) || finding.state_history.length > earlier.state_history.length)
    );
  });
  const list = (caption: string, findings: typeof appeared, none: string): HtmlPart => [
    markup`<p class="part">${caption}</p>\n`,
    renderTexts(
      caption,
      ["Class", "Severity", "State", "Problem"],
      findings.map(({ category, severity, state, fingerprint, problem }) => [
        category,
        severity,
        now.get(fingerprint)?.state ?? state,
        problem,
      ]),
      none,
    ),
  ];
  const section: RecordSection = {
    id: "findings",
    title: "Findings",
    body: [list("New", appeared, "None."), list("Gone", gone, "None."), list("Back", back, "None.")],
  };
  return { appeared, gone, back, section };
}

/** Returns what changed between two audits of one document: findings new, gone and back, stages, numbers that moved. */
export function renderDiffPage(before: AuditFile, after: AuditFile, pages: readonly RelatedPage[] = []): string {
  const { appeared, gone, back, section } = compareFindings(before, after);
  const [oldNumbers, newNumbers] = [listNumbers(before), listNumbers(after)];
  const moved = [...new Set([...oldNumbers.keys(), ...newNumbers.keys()])].filter(
    (name) => oldNumbers.get(name) !== newNumbers.get(name),
  );
  return renderRecordPage({
    name: "Difference of two audits",
    subject: after.title ?? after.document_id,
    summary: `From ${showTime(before.updated_at)} to ${showTime(after.updated_at)} UTC: ${appeared.length} findings new, ${gone.length} gone, ${back.length} back, ${moved.length} numbers moved. ${before.source_sha256 === after.source_sha256 ? "The text is the same." : "The text was changed."}`,
    pages,
    sections: [
      section,
      makeStageSection(before, after),
      {
        id: "numbers",
        title: "Numbers that moved",
        body: renderTexts(
          "Numbers",
          ["Number", "Before", "After"],
          moved.map((name) => [name, oldNumbers.get(name) ?? "–", newNumbers.get(name) ?? "–"]),
          "None.",
        ),
      },
    ],
    source: [before, after],
    footer: "Made from two versions of the audit file.",
  });
}
