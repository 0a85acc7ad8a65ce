import type { CitationContext } from "../publish/index.js";
import { renderFindingLines } from "./claims-text.js";
import type { CheckedCitations, ImportedBibliography, ResolvedBibliography } from "./publish-cites.js";

/** Returns checked citations as text: the verdict of each document, what is wrong, what is unverified, what would mend it. */
export function renderCitesText(checked: readonly CheckedCitations[], maxFindings = 10): string {
  return checked
    .flatMap(({ file, artefact: { verdict, summary, details } }) => {
      const open = details.per_entry.filter(({ axes }) => axes.existence !== "verified").map(({ key }) => key);
      return [
        `${file}  citations ${verdict}: ${summary}`,
        ...renderFindingLines(details.findings, maxFindings),
        ...details.proposals
          .slice(0, maxFindings)
          .map(
            ({ line, from, to, work }) =>
              `       ${file}:${line}  ${details.frozen ? "change the sentence" : "if the registry is right"}: "${from}" to "${to}" (${work})`,
          ),
        ...(open.length === 0
          ? []
          : [
              `       not looked up: ${open.slice(0, 12).join(", ")}${open.length > 12 ? ` and ${open.length - 12} more` : ""}`,
            ]),
      ];
    })
    .join("\n");
}

/** Returns what a reviewer is asked as text, a block for each use. */
export function renderContextText(contexts: readonly CitationContext[]): string {
  return contexts
    .map(({ work, file, line, sentence, title, passages }) =>
      [
        `${file}:${line}  ${work}${title === undefined ? "" : `: ${title}`}`,
        `  says    ${sentence.replace(/\s+/g, " ")}`,
        ...(passages.length === 0
          ? ["  stored  nothing"]
          : passages.map((passage) => `  stored  ${passage.replace(/\s+/g, " ")}`)),
      ].join("\n"),
    )
    .join("\n\n");
}

/** Returns what an import took over as text. */
export function renderImportedText({ file, added, updated, unchanged }: ImportedBibliography): string {
  return [
    `${file}: ${added.length} added, ${updated.length} updated, ${unchanged} unchanged`,
    ...(updated.length === 0 ? [] : [`  updated ${updated.join(", ")}`]),
  ].join("\n");
}

/** Returns what a look-up gave as text. */
export function renderResolvedText({ file, entryCount, counts, differences }: ResolvedBibliography): string {
  const said = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([result, count]) => `${count} ${result}`);
  return [
    `${file}: ${entryCount} ${entryCount === 1 ? "work" : "works"}, ${said.join(", ") || "nothing to look up"}`,
    ...differences.map(
      ({ key, field, registry, source }) =>
        `WARN   @${key}  ${field}: the registry has "${registry}", the source "${source}"`,
    ),
  ].join("\n");
}
