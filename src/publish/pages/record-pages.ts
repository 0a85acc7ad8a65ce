import { markup, type HtmlPart } from "../../page/index.js";
import type { AuditFile } from "../audit/audit-file.js";
import type { ClaimsDetails } from "../claims/check-claims.js";
import type { ExperimentAudit } from "../experiment/audit-experiment.js";
import type { ResultToClaim } from "../experiment/result-to-claim.js";
import type { StageArtefact } from "../verdict.js";
import {
  renderHash,
  renderPairs,
  renderRecordPage,
  renderTexts,
  renderVerdict,
  showTime,
  type RecordSection,
} from "./page-parts.js";
import type { RelatedPage } from "./related-page.js";

type ContentRound = NonNullable<AuditFile["math_code_review"]>["rounds"][number];

/** What the page of one stage is made from. */
export interface StagePageInput<Details> {
  /** Title of the document. */
  readonly subject: string;
  readonly artefact: StageArtefact<Details>;
  readonly pages?: readonly RelatedPage[];
}

function describeStage({ verdict, reason_code, summary }: StageArtefact): HtmlPart {
  return [renderVerdict(verdict), ` ${reason_code}: ${summary}`];
}

function describeOrigin({ stage, generated_at }: StageArtefact): HtmlPart {
  return `Made from the artefact of the stage ${stage}, ${showTime(generated_at)} UTC.`;
}

function showValue(value: unknown): string {
  return value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value);
}

/** Wording that reaches beyond one measurement, with the number behind it. */
function listScopeLanguage({ claims, mismatches }: ClaimsDetails): (readonly HtmlPart[])[] {
  const faults = mismatches.filter(({ status }) => status === "scope_overclaim" || status === "unsupported_claim");
  const scoped = claims.filter(({ kind }) => kind === "scope" || kind === "quantifier" || kind === "rank");
  return [
    ...scoped.map(({ id, occurrences, n, status }) => [
      occurrences.map(({ text }) => text).join(", ") || id,
      n === undefined ? "not stated" : String(n),
      renderVerdict(status),
      "",
    ]),
    ...faults.map(({ text, status, details, claim_id }) => [
      text === "" ? (claim_id ?? "–") : text,
      "–",
      renderVerdict(status),
      details,
    ]),
  ];
}

function makeClaimSection({ claims, numbers, by_status, ledger }: ClaimsDetails): RecordSection {
  const rows = claims.map(({ id, kind, occurrences, display, value, inputs, expr, n, status, detail, rounding }) => [
    markup`<code>${id}</code>`,
    kind,
    occurrences.map(({ text, line }) => `${text} (line ${line})`).join(", ") || "not shown",
    [showValue(value), display === undefined ? "" : ` → ${display}`],
    inputs.map(
      ({ artefact: file, select, sha256 }) =>
        markup`${file} <code>${select}</code> ${sha256 !== undefined && renderHash(sha256)}<br>`,
    ),
    [markup`<code>${expr}</code>`, rounding === undefined ? "" : ` ${rounding.replace("_", " ")}`],
    n === undefined ? "" : String(n),
    [renderVerdict(status), detail === undefined ? "" : ` ${detail}`],
  ]);
  return {
    id: "claims",
    title: "Every claim",
    body: [
      renderPairs([
        ["Ledger", ledger],
        [
          "Numbers",
          Object.entries(numbers)
            .map(([kind, count]) => `${count} ${kind}`)
            .join(", "),
        ],
        [
          "By status",
          Object.entries(by_status)
            .map(([status, count]) => `${count} ${status}`)
            .join(", "),
        ],
      ]),
      renderTexts(
        "Claims",
        ["Claim", "Kind", "Shown", "Recomputed", "Artefact and selector", "Expression", "n", "Status"],
        rows,
        "The ledger holds no claim.",
      ),
    ],
  };
}

function makeMismatchSection({ mismatches }: ClaimsDetails): RecordSection {
  return {
    id: "mismatches",
    title: "Disagreements",
    body: renderTexts(
      "Disagreements",
      ["Place", "Shown", "Evidence gives", "Status", "Details"],
      mismatches.map(({ location, text, value, artefact_value, status, details }) => [
        location,
        text,
        value ?? showValue(artefact_value),
        renderVerdict(status),
        details,
      ]),
      "None.",
    ),
  };
}

function makeUnboundSection({ unbound }: ClaimsDetails): RecordSection {
  return {
    id: "unbound",
    title: "Unbound numbers",
    body: renderTexts(
      "Unbound numbers",
      ["Number", "Line", "Sentence"],
      unbound.map(({ text, line, sentence }) => [text, String(line), sentence]),
      "Every number is bound, cited, structural or declared an example.",
    ),
  };
}

/** Returns the page of the claims of a document: each with what is shown, what the evidence gives and where it stands. */
export function renderClaimsPage({ subject, artefact, pages }: StagePageInput<ClaimsDetails>): string {
  return renderRecordPage({
    name: "Claims",
    subject,
    summary: describeStage(artefact),
    pages,
    sections: [
      makeClaimSection(artefact.details),
      makeMismatchSection(artefact.details),
      makeUnboundSection(artefact.details),
      {
        id: "scope",
        title: "Words of scope",
        body: renderTexts(
          "Words of scope",
          ["Words", "n", "Status", "Details"],
          listScopeLanguage(artefact.details),
          "No claim of scope, rank or quantity.",
        ),
      },
    ],
    source: artefact,
    footer: describeOrigin(artefact),
  });
}

/** Returns the page of what results carry: for each claim what was meant, what it came to, and what would settle it. */
export function renderResultPage({
  subject,
  artefact,
  pages,
}: StagePageInput<{ readonly results: readonly ResultToClaim[] }>): string {
  const items = artefact.details.results.map(
    ({
      claim,
      claim_supported,
      shown_as,
      confidence,
      integrity_status,
      tag,
      downgrades,
      ...rest
    }) => markup`<article class="item"><p class="name">${claim} ${tag !== undefined && markup`<span class="tagged">${tag}</span>`}</p>
${renderPairs([
  [
    "Supported",
    markup`<strong>${shown_as}</strong>${shown_as !== claim_supported && ` (reviewer: ${claim_supported})`}`,
  ],
  ["Confidence", confidence],
  ["Integrity", integrity_status],
  ["Lowered", downgrades.join("; ")],
  ["What is supported", rest.supported.join("; ")],
  ["What is not", rest.not_supported.join("; ")],
  ["Missing evidence", rest.missing_evidence.join("; ")],
  ["Wording proposed", rest.suggested_wording],
  ["Next runs", rest.next_experiments.join("; ")],
])}</article>
`,
  );
  return renderRecordPage({
    name: "Result to claim",
    subject,
    summary: describeStage(artefact),
    pages,
    sections: [
      {
        id: "results",
        title: "Claims and what the results carry",
        body: items.length === 0 ? markup`<p class="none">Nobody has judged what the results carry.</p>\n` : items,
      },
    ],
    source: artefact,
    footer: describeOrigin(artefact),
  });
}

/** Returns the page of the audit of experiments. */
export function renderExperimentPage({ subject, artefact, pages }: StagePageInput<ExperimentAudit>): string {
  const { checks, claims, integrity_status } = artefact.details;
  return renderRecordPage({
    name: "Experiment audit",
    subject,
    summary: [describeStage(artefact), ` Integrity: ${integrity_status}.`],
    pages,
    sections: [
      {
        id: "checks",
        title: "Checks",
        body: renderTexts(
          "Checks",
          ["Check", "Status", "Evidence"],
          checks.map(({ id, status, evidence }) => [
            id.replaceAll("_", " "),
            renderVerdict(status),
            evidence.map((line) => markup`${line}<br>`),
          ]),
          "No run was named, so nothing was checked.",
        ),
      },
      {
        id: "impact",
        title: "What it means for the claims",
        body: renderTexts(
          "Claims",
          ["Claim", "Impact", "Reasons"],
          claims.map(({ id, impact, reasons }) => [id, renderVerdict(impact.replaceAll("_", " ")), reasons.join("; ")]),
          "No claim rests on these runs.",
        ),
      },
    ],
    source: artefact,
    footer: describeOrigin(artefact),
  });
}

function makePartySection(independence: AuditFile["independence"]): RecordSection {
  const { author, fixer, arbiter, reviewers = [] } = independence ?? {};
  const parties = [
    ["author", author] as const,
    ["fixer", fixer] as const,
    ["arbiter", arbiter] as const,
    ...reviewers.map((reviewer) => ["reviewer", reviewer] as const),
  ];
  return {
    id: "parties",
    title: "Parties",
    body: renderTexts(
      "Parties",
      ["Role", "Id", "Family", "Model"],
      parties.map(([role, identity]) => [
        role,
        identity?.id ?? "not named",
        identity?.family ?? "",
        identity?.model ?? "",
      ]),
      "",
    ),
  };
}

function makeSessionSection(rounds: readonly ContentRound[]): RecordSection {
  return {
    id: "sessions",
    title: "Sessions",
    body: renderTexts(
      "Sessions",
      ["Round", "Pass", "Session", "Reviewer", "Family", "Standing"],
      rounds.flatMap(
        ({ run, reviewer_id = "nobody", reviewer_family = "", voided, independent, eligibility, pass_results = [] }) =>
          pass_results.map(({ pass, session_id = "none" }) => [
            String(run),
            pass,
            markup`<code>${session_id}</code>`,
            reviewer_id,
            reviewer_family,
            voided === true ? "void" : (eligibility ?? (independent === false ? "not independent" : "counts")),
          ]),
      ),
      "No session was opened.",
    ),
  };
}

function makePacketSection(rounds: readonly ContentRound[]): RecordSection {
  const lint = rounds.flatMap(({ run, independence_findings = [], pass_results = [] }) =>
    [...independence_findings, ...pass_results.flatMap((result) => result.independence_findings)].map(
      ({ rule, message }) => [String(run), rule, message],
    ),
  );
  return {
    id: "packets",
    title: "Packets that told too much",
    body: renderTexts(
      "Packets",
      ["Round", "Rule", "What"],
      lint,
      "None: no packet held more than the text, its items and its rules.",
    ),
  };
}

/** Returns the page of who wrote, fixed, reviewed and arbitrated a document, and which rounds count. */
export function renderIndependencePage(audit: AuditFile, pages: readonly RelatedPage[] = []): string {
  const { independence, document_id, title, updated_at } = audit;
  const rounds = audit.math_code_review?.rounds ?? [];
  const { reviewers = [], violations = [] } = independence ?? {};
  return renderRecordPage({
    name: "Independence",
    subject: title ?? document_id,
    summary: `${reviewers.length} reviewers, ${rounds.length} rounds, ${rounds.filter(({ voided }) => voided === true).length} of them void, ${violations.length} rules broken.`,
    pages,
    sections: [
      makePartySection(independence),
      {
        id: "violations",
        title: "Rules broken",
        body: renderTexts(
          "Rules broken",
          ["Rule", "What"],
          violations.map(({ rule, message }) => [rule, message]),
          "None.",
        ),
      },
      makeSessionSection(rounds),
      makePacketSection(rounds),
    ],
    source: audit,
    footer: `Made from the audit file of ${document_id}, version of ${showTime(updated_at)} UTC.`,
  });
}

/** Returns the index of the traces of reviewer calls: hashes and modes, no content. */
export function renderTracesPage(audit: AuditFile, pages: readonly RelatedPage[] = []): string {
  const { traces, document_id, title, updated_at } = audit;
  return renderRecordPage({
    name: "Traces",
    subject: title ?? document_id,
    summary: `${traces.length} calls of reviewers are on record. A trace stays beside the audit and outside version control; its hash here proves it unaltered.`,
    pages,
    sections: [
      {
        id: "calls",
        title: "Calls",
        body: renderTexts(
          "Calls",
          ["Trace", "Stage", "Round", "Kept", "Bytes", "SHA-256"],
          traces.map(({ path, stage, round, mode, bytes, sha256 }) => [
            path.split("/").at(-1) ?? path,
            stage,
            String(round),
            mode === "full" ? "packet and answer" : "hashes only",
            String(bytes),
            renderHash(sha256),
          ]),
          "No reviewer was called.",
        ),
      },
    ],
    source: audit,
    footer: `Made from the audit file of ${document_id}, version of ${showTime(updated_at)} UTC.`,
  });
}
