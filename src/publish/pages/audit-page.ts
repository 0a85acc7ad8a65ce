import { markup, renderFold, renderTable, type Html, type HtmlPart } from "../../page/index.js";
import type { AuditFile } from "../audit/audit-file.js";
import { describePattern } from "../review/correction.js";
import {
  renderCounts,
  renderHash,
  renderPairs,
  renderRecordPage,
  renderTexts,
  renderVerdict,
  showTime,
  type RecordSection,
} from "./page-parts.js";
import type { RelatedPage } from "./related-page.js";

type Round = NonNullable<AuditFile["math_code_review"]>["rounds"][number];
type Finding = AuditFile["findings"][number];

const severities = ["blocker", "major", "minor", "nit"];

function renderStages({ stages, inputs = {} }: AuditFile): HtmlPart {
  const rows = Object.entries(stages).map(([stage, { verdict, reason_code, generated_at, level, artefact }]) => [
    stage,
    renderVerdict(verdict),
    reason_code,
    level ?? "",
    showTime(generated_at),
    artefact === undefined ? "" : markup`<a href="${encodeURI(artefact)}">${artefact.split("/").at(-1)}</a>`,
  ]);
  return [
    renderTexts("Stages", ["Stage", "Verdict", "Reason", "Level", "When (UTC)", "Artefact"], rows, "No stage was run."),
    renderFold(
      `${Object.keys(inputs).length} files that stages read`,
      renderTexts(
        "Inputs",
        ["File", "SHA-256"],
        Object.entries(inputs).map(([path, hash]) => [path, renderHash(hash)]),
        "None.",
      ),
    ),
  ];
}

function describeParty({ reviewer_id, reviewer_family, reviewer, backend }: Round): string {
  const name = reviewer_id ?? reviewer ?? "nobody";
  return [name, reviewer_family && `family ${reviewer_family}`, backend && `by ${backend}`].filter(Boolean).join(", ");
}

function describeStanding({
  voided,
  independent,
  fresh,
  eligibility,
  pass_results,
  edited_after_round,
}: Round): string {
  if (pass_results === undefined) return "imported: proves nothing";
  const faults = [
    voided === true && "void",
    independent === false && "not independent",
    fresh === false && "session used before",
    eligibility,
  ].filter(Boolean);
  const edited = edited_after_round === true ? "; text edited after it" : "";
  return `${faults.length === 0 ? "counts" : faults.join(", ")}${edited}`;
}

function renderTimeline({ math_code_review: review, source_sha256 }: AuditFile): HtmlPart {
  const rounds = review?.rounds ?? [];
  const rows = rounds.map((round) => [
    String(round.run),
    renderVerdict(round.verdict),
    round.reason_code ?? round.notes ?? "",
    [
      renderHash(round.source_sha256),
      round.source_sha256 === source_sha256
        ? " this text"
        : round.source_sha256 === undefined
          ? ""
          : " an earlier text",
    ],
    describeParty(round),
    describeStanding(round),
    (round.pass_results ?? []).map(({ pass, verdict }) => `${pass} ${verdict}`).join(", "),
    showTime(round.started_at),
  ]);
  return [
    review?.stop_reason !== undefined && markup`<p>The review stopped because: ${review.stop_reason}.</p>\n`,
    renderTexts(
      "Rounds of review",
      ["Round", "Verdict", "Reason", "Text", "Reviewer", "Standing", "Passes", "Begun (UTC)"],
      rows,
      "Nobody has reviewed this text.",
    ),
  ];
}

function renderFinding({
  id,
  category,
  severity,
  location,
  says,
  problem,
  evidence,
  proposed,
  supported,
  state,
  state_history,
  rounds = [],
}: Finding): Html {
  const place = [
    location.heading_path?.join(" › "),
    location.line_start === undefined ? undefined : `line ${location.line_start}`,
  ]
    .filter((part) => part !== undefined && part !== "")
    .join(", ");
  return markup`<article class="item" id="${id}"><p class="name">${category} <small>${severity}, ${state}${!supported && ", without evidence"}</small></p>
<p>${problem}</p>
${renderPairs([
  ["Place", place],
  ["Words", location.quote?.exact],
  ["The text says", says],
  [
    "Evidence",
    evidence === undefined
      ? undefined
      : `${evidence.kind}: ${evidence.detail}${evidence.ref === undefined ? "" : ` (${evidence.ref})`}`,
  ],
  ["Proposed", proposed],
  ["Rounds", rounds.join(", ")],
  [
    "Life",
    state_history
      .map(
        ({ state: step, at, by, reason }) =>
          `${step} ${showTime(at)} by ${by.id} (${by.role})${reason === undefined ? "" : `: ${reason}`}`,
      )
      .join("; "),
  ],
  ["Id", markup`<code>${id}</code>`],
])}</article>
`;
}

function renderFindings({ findings }: AuditFile): HtmlPart {
  const order = ["open", "accepted", "fixed", "deferred", "verified", "rejected", "superseded"];
  const sorted = [...findings].sort(
    (a, b) =>
      order.indexOf(a.state) - order.indexOf(b.state) ||
      severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
      (a.location.line_start ?? 0) - (b.location.line_start ?? 0),
  );
  if (findings.length === 0) return markup`<p class="none">No finding is on record.</p>\n`;
  return [
    markup`<p class="part">By state and severity</p>\n`,
    renderCounts(
      "By state and severity",
      "State",
      findings.map(({ state, severity }) => [state, severity]),
      severities,
      "",
    ),
    markup`<p class="part">By class and state</p>\n`,
    renderCounts(
      "By class and state",
      "Class",
      findings.map(({ category, state }) => [category, state]),
      order,
      "",
    ),
    sorted.map(renderFinding),
  ];
}

function renderCorrections({ corrections }: AuditFile): HtmlPart {
  if (corrections.length === 0) return markup`<p class="none">No correction is on record.</p>\n`;
  return corrections.map(({ id, finding, summary, before, after, scope, exceptions, residue }) => {
    const left = residue?.hits.filter(({ waived }) => waived === undefined) ?? [];
    const state =
      residue === undefined
        ? "not scanned"
        : residue.clean
          ? `gone from ${residue.scanned_files} ${residue.scanned_files === 1 ? "file" : "files"}`
          : `${left.length} places left`;
    return markup`<article class="item" id="${id}"><p class="name">${summary ?? id} <small>${state}</small></p>
<p>${before.map((pattern) => markup`<del>${describePattern(pattern)}</del> `)}</p>
<p><ins>${after}</ins></p>
${renderPairs([
  ["Reaches", scope],
  ["Finding", finding === undefined ? undefined : markup`<a href="#${finding}">${finding}</a>`],
  [
    "Still stands",
    left.length === 0
      ? undefined
      : left.map(
          ({ file, line, block, excerpt }) =>
            markup`${file}${line === undefined ? ` ${block ?? ""}` : `:${line}`} ${excerpt}<br>`,
        ),
  ],
  [
    "May stay",
    exceptions.length === 0
      ? undefined
      : exceptions.map(
          ({ file = "anywhere", reason, by }) => markup`${file}: ${reason}${by !== undefined && ` (${by})`}<br>`,
        ),
  ],
  ["Scanned", residue === undefined ? undefined : showTime(residue.at)],
])}</article>
`;
  });
}

/** Returns the latest result of each pass on the text as it is, rounds that count for nothing left out. */
function listLatestPasses({ math_code_review: review, source_sha256 }: AuditFile) {
  const results = (review?.rounds ?? [])
    .filter((round) => round.source_sha256 === source_sha256 && round.voided !== true)
    .flatMap(({ pass_results = [] }) => pass_results);
  return [...new Map(results.map((result) => [result.pass, result])).values()];
}

function renderCoverage(audit: AuditFile): HtmlPart {
  const passes = listLatestPasses(audit);
  if (passes.length === 0) return markup`<p class="none">No pass has looked at this text.</p>\n`;
  const summary = renderTable({
    caption: "Passes",
    hasHiddenCaption: true,
    columns: [
      { head: "Pass", kind: "row_head" },
      { head: "Verdict", kind: "text" },
      { head: "Checked" },
      { head: "Items" },
      { head: "Could not be checked", kind: "text" },
    ],
    rows: passes.map(({ pass, verdict, coverage, item_count, limits }) => ({
      cells: [
        pass,
        renderVerdict(verdict),
        coverage.filter(({ status }) => status === "checked").length,
        item_count,
        limits.join("; "),
      ],
    })),
  });
  const items = [...new Set(passes.flatMap(({ coverage }) => coverage.map(({ item }) => item)))];
  const matrix = renderTexts(
    "Items and passes",
    ["Item", ...passes.map(({ pass }) => pass)],
    items.map((item) => [
      item,
      ...passes.map(({ coverage }) => {
        const entry = coverage.find((each) => each.item === item);
        return entry === undefined
          ? ""
          : [renderVerdict(entry.status), entry.method === undefined ? "" : ` ${entry.method}`];
      }),
    ]),
    "No item was listed.",
  );
  return [summary, renderFold(`${items.length} items by pass`, matrix)];
}

function renderProbes({ math_code_review: review }: AuditFile): HtmlPart {
  const seeded = Object.entries(review?.probes?.seeded ?? {});
  const { remainder } = review ?? {};
  return [
    seeded.length === 0
      ? markup`<p class="none">No probe with known defects was made, so nothing is known about what the reviewer misses.</p>\n`
      : renderTable({
          caption: "Known defects found",
          hasHiddenCaption: true,
          columns: [{ head: "Class of defect", kind: "row_head" }, { head: "found" }, { head: "put in" }],
          rows: seeded.map(([name, { n, found }]) => ({ cells: [name.replaceAll("_", " "), found, n] })),
        }),
    remainder !== undefined &&
      markup`<p>From what two reviewers found alike, about ${remainder.estimate.toFixed(1)} findings remain unseen (interval ${remainder.low.toFixed(1)} to ${remainder.high.toFixed(1)}). This decides nothing.</p>\n`,
  ];
}

function renderGate({ gate, verdict, summary }: AuditFile): HtmlPart {
  if (gate === undefined)
    return markup`<p>${summary}</p>\n<p class="none">The gate has not been asked about this version.</p>\n`;
  return [
    markup`<p>The gate is <strong>${gate.decision}</strong> at level ${gate.level}; the worst stage is ${renderVerdict(verdict)}. Decided ${showTime(gate.evaluated_at)} UTC. Nothing was committed.</p>\n`,
    gate.blocking.length > 0 &&
      renderTexts(
        "What closes the gate",
        ["Stage", "Verdict", "Reason"],
        gate.blocking.map(({ stage, verdict: each, reason_code, message }) => [
          stage,
          renderVerdict(each),
          message === undefined ? reason_code : `${reason_code}: ${message}`,
        ]),
        "",
      ),
  ];
}

function renderOpenItems({ needs_verify, deferred, waivers }: AuditFile): HtmlPart {
  return [
    markup`<p class="part">Statements to verify</p>\n`,
    renderTexts(
      "Statements to verify",
      ["State", "Statement", "Question", "Evidence"],
      needs_verify.map(({ state, text, question, hedge, evidence }) => [
        state,
        text,
        question,
        [
          ...evidence.map(({ source, quote }) => `${source}: “${quote}”`),
          ...(hedge === undefined ? [] : [`hedged: ${hedge}`]),
        ].join("; "),
      ]),
      "None is marked.",
    ),
    markup`<p class="part">Deferred</p>\n`,
    renderTexts(
      "Deferred",
      ["Finding", "Reason", "Owner", "Until"],
      deferred.map(({ finding = "", reason, owner, expires }) => [finding, reason, owner, expires]),
      "Nothing is deferred.",
    ),
    waivers.length > 0 && [
      markup`<p class="part">Waivers</p>\n`,
      renderTexts(
        "Waivers",
        ["Rule", "Reason", "By", "Until"],
        waivers.map(({ rule, reason, by = "", expires = "" }) => [rule, reason, by, expires]),
        "",
      ),
    ],
  ];
}

/** Returns the page of an audit: what was reviewed, by whom, on which bytes, what was found and fixed, and what the gate says. */
export function renderAuditPage(audit: AuditFile, pages: readonly RelatedPage[] = []): string {
  const { title, document_id, source, source_sha256, updated_at, prev_audit_sha256, summary, tool } = audit;
  const sections: RecordSection[] = [
    { id: "gate", title: "Gate", body: renderGate(audit) },
    { id: "stages", title: "Stages", body: renderStages(audit) },
    { id: "rounds", title: "Rounds of review", body: renderTimeline(audit) },
    { id: "findings", title: "Findings", body: renderFindings(audit) },
    { id: "corrections", title: "Corrections and residue", body: renderCorrections(audit) },
    { id: "coverage", title: "Coverage", body: renderCoverage(audit) },
    { id: "probes", title: "Probes", body: renderProbes(audit) },
    { id: "open", title: "Open and deferred", body: renderOpenItems(audit) },
    {
      id: "record",
      title: "Record",
      body: renderPairs([
        ["Document", document_id],
        ["Source", source],
        ["SHA-256 of the source", markup`<code>${source_sha256 ?? "–"}</code>`],
        ["Version before", prev_audit_sha256 === undefined ? "none" : markup`<code>${prev_audit_sha256}</code>`],
        ["Written (UTC)", showTime(updated_at)],
        ["By", tool === undefined ? undefined : `${tool.name} ${tool.version}`],
        ["As JSON", markup`<a href="${encodeURIComponent(document_id)}.review.json">${document_id}.review.json</a>`],
      ]),
    },
  ];
  return renderRecordPage({
    name: "Audit",
    subject: title ?? document_id,
    summary: [renderVerdict(audit.verdict), " ", summary],
    pages,
    sections,
    source: audit,
    footer: markup`Made from the audit file of ${document_id}, version of ${showTime(updated_at)} UTC.`,
  });
}
