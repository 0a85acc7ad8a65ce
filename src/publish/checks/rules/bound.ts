// internal
import type { PublishDocument } from "../../document.js";
import type { BoundNumberNode, ClaimReferenceNode, SpanNode } from "../../parse/nodes.js";
import { walk } from "../../parse/resolve-references.js";
import { getVisibleText } from "../../parse/visible-text.js";
import { getWorstVerdict } from "../../verdict.js";
import { decide, notApplicable, problemAt } from "../judgement.js";
import type { CheckLocation, RenderCheck } from "../render-check.js";

const words = (text: string): string => text.replace(/\s+/g, " ").trim();

interface SourceClaim {
  readonly id: string;
  /** Absent where the page fills it in. */
  readonly text?: string;
  readonly line: number;
}

function listClaims(document: PublishDocument | undefined): SourceClaim[] {
  const claims: SourceClaim[] = [];
  if (document === undefined) return claims;
  walk(document.tree, (node) => {
    const line = node.position?.start.line ?? 1;
    // By their types.
    if (node.type === "boundNumber")
      claims.push({ id: (node as BoundNumberNode).claim, text: words(getVisibleText(node)), line }); // by its type
    if (node.type === "claimReference") claims.push({ id: (node as ClaimReferenceNode).claim, line }); // by its type
  });
  return claims;
}

export const claimsLinkedCheck: RenderCheck = {
  id: "R27",
  name: "claims_linked",
  weight: "quality",
  description: "The numbers bound on the page are those of the source and the ledger, and show the recomputed values",
  judge({ document, evidence: { parts }, claims }) {
    const wanted = listClaims(document);
    const expected = "bound numbers as in source and ledger";
    if (wanted.length === 0 && parts.claims.length === 0) return notApplicable(expected, "no number is bound");
    const problems: CheckLocation[] = [];
    const shown = parts.claims.map(({ claim }) => claim);
    if (document !== undefined && JSON.stringify(shown) !== JSON.stringify(wanted.map(({ id }) => id))) {
      const at = Math.max(
        0,
        [...shown, ""].findIndex((id, i) => id !== wanted[i]?.id),
      );
      problems.push(
        problemAt(
          parts.claims[at] ?? {},
          `Bound number ${at + 1} is ${shown[at] ?? "absent"}, in the source ${wanted[at]?.id ?? "absent"}`,
        ),
      );
    }
    parts.claims.forEach(({ claim, shown: text, ...place }, i) => {
      const source = wanted[i]?.id === claim ? wanted[i].text : undefined;
      const entry = claims?.find(({ id }) => id === claim);
      if (claims !== undefined && entry === undefined)
        problems.push(problemAt(place, `The claim ${claim} is not in the ledger`));
      if (source !== undefined && words(text) !== source)
        problems.push(problemAt(place, `The page shows ${text} for ${claim}, the source ${source}`));
      else if (entry !== undefined && !isSame(words(text), entry.text))
        problems.push(problemAt(place, `The page shows ${text} for ${claim}, recomputed is ${entry.text}`));
    });
    return decide({
      expected,
      actual: `${parts.claims.length} bound numbers`,
      problems,
      gap: claims === undefined ? "no ledger was given" : undefined,
    });
  },
};

/** Says whether a number is shown as recomputed: the text may have words round it, as in "about 0.74". */
function isSame(shown: string, value: string): boolean {
  const plain = (text: string): string => text.replace(/[,\s\u2009\u202F]/g, "").replace(/\u2212/g, "-");
  return plain(shown) === plain(value) || plain(shown).replace(/^[^\d+-]+|[^\d%]+$/g, "") === plain(value);
}

export const citationsLinkedCheck: RenderCheck = {
  id: "R28",
  name: "citations_linked",
  weight: "quality",
  description: "Every citation leads to one entry, and the entry leads back",
  judge({ document, evidence: { parts } }) {
    const { citations } = parts;
    const expected = "an entry for each citation, with a way back";
    const count = document?.inventory.citations ?? citations.length;
    if (citations.length === 0 && count === 0) return notApplicable(expected, "nothing is cited by key");
    const problems = citations.flatMap(({ key, isLinked, isLinkedBack, ...place }) => {
      if (!isLinked) return [problemAt(place, `The citation of ${key} leads to no entry`)];
      return isLinkedBack ? [] : [problemAt(place, `The entry of ${key} does not lead back`)];
    });
    if (citations.length !== count)
      problems.push({ message: `The page cites ${citations.length} times, the source ${count} times` });
    return decide({ expected, actual: `${citations.length} citations`, problems });
  },
};

function countStatuses(document: PublishDocument | undefined): number {
  let count = 0;
  if (document !== undefined)
    walk(document.tree, (node) => {
      // By its type.
      if (node.type === "span" && (node as SpanNode).status !== undefined) count += 1;
    });
  return count;
}

export const verdictVisibleCheck: RenderCheck = {
  id: "R29",
  name: "verdict_visible",
  weight: "quality",
  description:
    "The page shows its verdicts, their date, the hash, what is deferred and hedged, as the audit has them now",
  judge({ document, evidence: { parts }, verdicts }) {
    const { statuses, verdicts: strip } = parts;
    const expected =
      verdicts === undefined ? "marked statements" : `${verdicts.overall} with ${verdicts.stages.length} stages`;
    const problems: CheckLocation[] = statuses
      .filter(({ hasMark }) => !hasMark)
      .map((place) => problemAt(place, `The statement is ${place.status} and not marked so`));
    const marked = document === undefined ? statuses.length : countStatuses(document);
    if (marked !== statuses.length)
      problems.push({ message: `${statuses.length} statements are marked, in the source ${marked}` });
    if (verdicts === undefined) {
      if (strip !== undefined)
        return decide({ expected, actual: "", problems, gap: "the page shows verdicts; the audit was not given" });
      if (marked === 0 && problems.length === 0) return notApplicable(expected, "no audit was given, none is shown");
      return decide({ expected, actual: `${statuses.length} marked statements; no audit was given`, problems });
    }
    if (strip === undefined)
      return decide({ expected, actual: "", problems: [...problems, { message: "The page shows no verdicts" }] });
    const { deferred, hedged = [], skipped = [] } = verdicts;
    const texts = [verdicts.date, document?.sha256.slice(0, 16) ?? "", ...deferred, ...hedged, ...skipped];
    const missing = texts.filter((text) => !strip.text.includes(words(text)));
    // A page cannot show the verdict of its own first check: until it is made anew, it is whole without.
    const isUnchecked = !strip.stages.some(({ stage }) => stage === "render");
    const due = verdicts.stages.filter(({ stage }) => !(isUnchecked && stage === "render"));
    const overall =
      due.length === verdicts.stages.length ? verdicts.overall : getWorstVerdict(due.map(({ verdict }) => verdict));
    const stages = due.filter(
      ({ stage, verdict }) => strip.stages.find((each) => each.stage === stage)?.verdict !== verdict,
    );
    problems.push(
      ...(strip.isShown ? [] : [{ message: "The verdicts cannot be seen" }]),
      ...(strip.overall === overall ? [] : [{ message: `The page says ${strip.overall}, the audit ${overall}` }]),
      ...stages.map(({ stage, verdict }) => ({ message: `The page does not show ${stage} as ${verdict}` })),
      ...missing.map((text) => ({ message: `The verdicts do not show "${text}"` })),
    );
    return decide({ expected, actual: `${strip.overall} with ${strip.stages.length} stages`, problems });
  },
};
