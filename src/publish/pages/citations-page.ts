import { markup } from "../../page/index.js";
import {
  renderPairs,
  renderRecordPage,
  renderTexts,
  renderVerdict,
  showTime,
  type RecordSection,
} from "./page-parts.js";
import type { StagePageInput } from "./record-pages.js";

/** One work as the page of citations shows it; parts that the stage does not write are absent. */
export interface CitationPageEntry {
  readonly key: string;
  /** `KEEP`, `FIX`, `REPLACE` or `REMOVE`. */
  readonly verdict?: string;
  readonly axes?: { readonly existence?: string; readonly metadata?: string; readonly context?: string };
  readonly uses?: readonly {
    readonly file?: string;
    readonly line?: number;
    readonly verdict?: string;
    readonly note?: string;
    readonly sentence?: string;
  }[];
  readonly checked_at?: string;
  readonly method?: string;
  /** The registry's record in one line. */
  readonly record?: string;
}

/** What the page of citations reads of the artefact of the stage `citations`. */
export interface CitationPageDetails {
  readonly total?: number;
  readonly counts?: { readonly [verdict: string]: number };
  readonly per_entry?: readonly CitationPageEntry[];
  readonly uncited?: readonly string[];
  readonly findings?: readonly { readonly ruleId: string; readonly message: string; readonly severity?: string }[];
  readonly resolver?: { readonly name: string; readonly online: boolean; readonly pending: number };
}

function makeWorkSection({
  per_entry: entries = [],
  counts = {},
  uncited = [],
  resolver,
}: CitationPageDetails): RecordSection {
  return {
    id: "works",
    title: "Works",
    body: [
      renderPairs([
        [
          "Decisions",
          Object.entries(counts)
            .map(([name, count]) => `${count} ${name}`)
            .join(", "),
        ],
        ["Never cited", uncited.join(", ")],
        [
          "Looked up",
          resolver === undefined || !resolver.online
            ? "offline, from the registry alone"
            : `by ${resolver.name}, ${resolver.pending} pending`,
        ],
      ]),
      renderTexts(
        "Works",
        ["Key", "Decision", "Exists", "Record", "Context", "Registry", "Uses", "Checked"],
        entries.map(({ key, verdict: decision, axes = {}, uses = [], checked_at, method, record }) => [
          key,
          decision === undefined ? "–" : renderVerdict(decision),
          axes.existence ?? "–",
          axes.metadata ?? "–",
          axes.context ?? "–",
          record ?? "–",
          uses.map(
            ({ line, verdict: support, sentence, note }) =>
              markup`line ${line ?? "?"}${support !== undefined && [" ", renderVerdict(support)]} ${sentence ?? ""}${note !== undefined && ` (${note})`}<br>`,
          ),
          checked_at === undefined ? "never" : `${checked_at.slice(0, 10)}${method === undefined ? "" : ` ${method}`}`,
        ]),
        "The text cites no work.",
      ),
    ],
  };
}

/** Returns the page of the works a document cites: each with its three axes, its uses and the age of its check. */
export function renderCitationsPage({ subject, artefact, pages }: StagePageInput<CitationPageDetails>): string {
  const { verdict, reason_code, summary, generated_at, details } = artefact;
  const { findings = [] } = details;
  const conflicts = findings.filter(({ ruleId }) => /cross-doc|two-ids|duplicate/.test(ruleId));
  return renderRecordPage({
    name: "Citations",
    subject,
    summary: [renderVerdict(verdict), ` ${reason_code}: ${summary}`],
    pages,
    sections: [
      makeWorkSection(details),
      {
        id: "conflicts",
        title: "Conflicts across documents",
        body: renderTexts(
          "Conflicts",
          ["Rule", "What differs"],
          conflicts.map(({ ruleId, message }) => [ruleId, message]),
          "None.",
        ),
      },
      {
        id: "problems",
        title: "What the rules found",
        body: renderTexts(
          "Findings",
          ["Rule", "Severity", "What"],
          findings.map(({ ruleId, severity = "", message }) => [ruleId, severity, message]),
          "Nothing.",
        ),
      },
    ],
    footer: `Made from the artefact of the stage citations, ${showTime(generated_at)} UTC.`,
  });
}
