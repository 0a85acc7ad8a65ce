import { markup } from "../../page/index.js";
import type { CitationsDetails } from "../citations/check-citations.js";
import {
  renderPairs,
  renderRecordPage,
  renderTexts,
  renderVerdict,
  showTime,
  type RecordSection,
} from "./page-parts.js";
import type { StagePageInput } from "./record-pages.js";

function makeWorkSection({ per_entry: entries, counts, uncited, resolver }: CitationsDetails): RecordSection {
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
          !resolver.online
            ? "offline, from the registry alone"
            : `by ${resolver.name ?? "a resolver"}, ${resolver.pending} pending`,
        ],
      ]),
      renderTexts(
        "Works",
        ["Key", "Decision", "Exists", "Record", "Context", "Registry", "Uses", "Checked"],
        entries.map(({ key, verdict: decision, axes, uses, checked_at, method, canonical }) => [
          key,
          renderVerdict(decision),
          axes.existence,
          axes.metadata,
          axes.context,
          canonical ?? "–",
          uses.map(
            ({ line, verdict: support, sentence, note }) =>
              markup`line ${line}${support !== undefined && [" ", renderVerdict(support)]} ${sentence}${note !== undefined && ` (${note})`}<br>`,
          ),
          checked_at === undefined ? "never" : `${checked_at.slice(0, 10)}${method === undefined ? "" : ` ${method}`}`,
        ]),
        "The text cites no work.",
      ),
    ],
  };
}

/** Returns the page of the works a document cites: each with its three axes, its uses and the age of its check. */
export function renderCitationsPage({ subject, artefact, pages }: StagePageInput<CitationsDetails>): string {
  const { verdict, reason_code, summary, generated_at, details } = artefact;
  const { findings, proposals } = details;
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
        id: "proposals",
        title: "Changes proposed",
        body: renderTexts(
          "Proposals",
          ["Work", "Line", "Says", "Would say"],
          proposals.map(({ work, line, from, to }) => [
            work,
            String(line),
            markup`<del>${from}</del>`,
            markup`<ins>${to}</ins>`,
          ]),
          "None.",
        ),
      },
      {
        id: "problems",
        title: "What the rules found",
        body: renderTexts(
          "Findings",
          ["Rule", "Severity", "What"],
          findings.map(({ ruleId, severity, message }) => [ruleId, severity, message]),
          "Nothing.",
        ),
      },
    ],
    source: artefact,
    footer: `Made from the artefact of the stage citations, ${showTime(generated_at)} UTC.`,
  });
}
