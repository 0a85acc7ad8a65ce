import { markup, type Html } from "../../page/index.js";
import type { CheckedClaim } from "../claims/checked-claim.js";
import type { JsonValue } from "../../core/index.js";
import { getUseId } from "./reference-handlers.js";
import type { ResolvedCitation, ResolvedClaim } from "./render-options.js";
import { getPageWords, type PageWords } from "./words.js";

/** One work as the list of references shows it. */
export interface PageReference {
  readonly key: string;
  /** E.g. `Shao et al. 2024`. */
  readonly short: string;
  /** Authors, year, title, venue. */
  readonly full: string;
  /** Address of the work. */
  readonly url?: string;
  /** What the check of the entry came to, e.g. `unverified`. */
  readonly status?: string;
  /** Date of that check. */
  readonly checkedAt?: string;
}

function getClaimAnchor(id: string): string {
  return `tw-claim-${id.replace(/^c:/, "")}`;
}

function getReferenceAnchor(key: string): string {
  return `tw-ref-${key}`;
}

function showValue(value: JsonValue | undefined): string {
  if (value === undefined) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function describeInput({ artefact, select }: CheckedClaim["inputs"][number]): string {
  return `${artefact} ${select}`;
}

/** Returns what a page asks about its claims: the text of each, its status, and the entry of its evidence. */
export function createEvidenceResolver(claims: readonly CheckedClaim[]): (id: string) => ResolvedClaim | undefined {
  const byId = new Map(claims.map((claim) => [claim.id, claim]));
  return (id) => {
    const claim = byId.get(id);
    if (claim === undefined) return undefined;
    return {
      text: claim.display ?? `[[${id}]]`,
      status: claim.status,
      href: `#${getClaimAnchor(id)}`,
      note: `${claim.status}: ${claim.inputs.map(describeInput).join("; ")}`,
    };
  };
}

/** Returns what a page asks about the works it cites. */
export function createReferenceResolver(
  references: readonly PageReference[],
): (item: { readonly key: string }) => ResolvedCitation | undefined {
  const byKey = new Map(references.map((reference) => [reference.key, reference]));
  return ({ key }) => {
    const reference = byKey.get(key);
    if (reference === undefined) return undefined;
    return { text: reference.short, href: `#${getReferenceAnchor(key)}`, note: reference.full };
  };
}

function renderFacts(facts: readonly (readonly [string, string | undefined])[]): Html {
  return markup`<dl>${facts
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([name, value]) => markup`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

function renderClaimEntry(claim: CheckedClaim, checkedAt: string, words: PageWords): Html {
  const { id, inputs, value, display, expr, rounding, n, status, detail } = claim;
  const shown = [...new Set(claim.occurrences.map(({ text }) => text))].join(", ");
  const inputFacts = inputs.flatMap(({ artefact, select, sha256 }) => [
    [words.artefact, sha256 === undefined ? artefact : `${artefact} · ${sha256.slice(0, 23)}`] as const,
    [words.selector, select === "" ? "/" : select] as const,
  ]);
  return markup`<li id="${getClaimAnchor(id)}" data-evidence="${id}" data-status="${status}"><p><b>${shown === "" ? (display ?? "–") : shown}</b> <code>${id}</code> <a class="back" href="#${getUseId(id, 1)}" aria-label="${words.backToUse}">↩</a></p>
${renderFacts([
  [words.recomputed, `${showValue(value)}${display === undefined ? "" : ` → ${display}`}`],
  ...inputFacts,
  [words.expression, expr === "value" ? undefined : expr],
  [words.rounding, rounding],
  ["n", n === undefined ? undefined : String(n)],
  [words.status, detail === undefined ? status : `${status}: ${detail}`],
  [words.checked, checkedAt.slice(0, 10)],
])}</li>
`;
}

function renderReferenceEntry({ key, full, url, status, checkedAt }: PageReference, words: PageWords): Html {
  const note = [status, checkedAt?.slice(0, 10)].filter((part) => part !== undefined).join(", ");
  return markup`<li id="${getReferenceAnchor(key)}" data-reference="${key}">${url === undefined ? full : markup`<a href="${url}" rel="noopener noreferrer">${full}</a>`}${note !== "" && markup` <span class="note-text">(${note})</span>`} <a class="back" href="#${getUseId(key, 1)}" aria-label="${words.backToUse}">↩</a></li>
`;
}

/** What stands below the text of a page. */
export interface EvidenceOptions {
  /** Claims that the text uses. */
  readonly claims: readonly CheckedClaim[];
  /** When they were checked: UTC, ISO 8601. */
  readonly checkedAt: string;
  /** Works that the text cites. */
  readonly references: readonly PageReference[];
  readonly lang: string;
}

/**
 * Returns the evidence of bound numbers and the list of cited works, as HTML for the end of a page. Each number leads
 * to its entry, which the style sheet shows as a card above the text while it is the target, so it needs no script;
 * each entry leads back. Empty without either.
 */
export function renderEvidence({ claims, checkedAt, references, lang }: EvidenceOptions): string {
  const words = getPageWords(lang);
  const parts = [
    claims.length > 0 &&
      markup`<section class="evidence" data-generated aria-label="${words.evidence}"><p class="part-title">${words.evidence}</p>
<ul>
${claims.map((claim) => renderClaimEntry(claim, checkedAt, words))}</ul></section>
`,
    references.length > 0 &&
      markup`<section class="evidence references" data-generated aria-label="${words.references}"><p class="part-title">${words.references}</p>
<ol>
${references.map((reference) => renderReferenceEntry(reference, words))}</ol></section>
`,
  ];
  return markup`${parts}`.toString();
}
