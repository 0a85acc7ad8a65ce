// internal
import { parseHTML } from "linkedom";
import type { Claim, Finding } from "../../core/index.js";
import { formatClaim } from "../../page/index.js";
import type { ClaimOccurrence } from "./check-place.js";
import type { ClaimStatus } from "./claim-status.js";

/** A claim of a report and what its inputs give. */
export interface Recomputed {
  readonly claim: Claim;
  readonly status: ClaimStatus;
  readonly detail?: string;
  /** The claim with the value that its inputs give. */
  readonly sound: Claim;
  readonly sha256?: string;
}

/** What the page shows of one claim. */
interface Shown {
  readonly id: string;
  readonly text: string;
  readonly kind: "link" | "row";
}

function readShown(page: string): Shown[] {
  const { document } = parseHTML(page);
  const links = [...document.querySelectorAll('a[href^="#c."]')].map((link): Shown => ({
    id: (link.getAttribute("href") ?? "").slice(3),
    text: link.textContent ?? "",
    kind: "link",
  }));
  const rows = [...document.querySelectorAll('tr[id^="c."]')].map((row): Shown => ({
    id: (row.getAttribute("id") ?? "").slice(2),
    text: [...row.querySelectorAll("td")]
      .slice(0, 2)
      .map((cell) => cell.textContent ?? "")
      .join("\t"),
    kind: "row",
  }));
  return [...links, ...rows];
}

function judgeShown({ text, kind }: Shown, claim: Claim): string | undefined {
  const plain = formatClaim(claim);
  if (kind === "link") {
    const bare = formatClaim(claim, { hasUnit: false });
    return text === plain || text === bare ? undefined : `the page shows "${text}", the data give "${plain}"`;
  }
  const value = typeof claim.value === "string" ? claim.value : JSON.stringify(claim.value);
  return text === `${plain}\t${value}`
    ? undefined
    : `the evidence table shows "${text.replace("\t", '" and "')}", the data give "${plain}" and "${value}"`;
}

/** Returns the lines of the body of a page, and how many lines stand before it: styles and scripts state no number. */
function splitBody(page: string): { readonly lines: readonly string[]; readonly before: number } {
  const start = Math.max(0, page.indexOf("<body"));
  const [body] = page.slice(start).split(/\s*(?:<script\b|<\/body>)/);
  return { lines: body.split("\n"), before: page.slice(0, start).split("\n").length - 1 };
}

const spoken = /\s(?:aria-label|title|alt)="([^"]*)"/g;

/** Returns what of a line of a page is read: its text, and the texts of its attributes. */
function getReadable(line: string): string {
  return line.replace(/<[^>]*>/g, (tag) => `|${[...tag.matchAll(spoken)].map(([, text]) => text).join("|")}`);
}

/** Where two pages differ. */
interface PageDifference {
  readonly line: number;
  readonly detail: string;
  /** Whether readers are told something else, or only the drawing differs. */
  readonly isText: boolean;
}

/** Returns the first line in which the bodies of two pages differ, with both texts; one that reads otherwise first. */
function findDifference(found: string, expected: string): PageDifference | undefined {
  const { lines, before } = splitBody(found);
  const wanted = splitBody(expected).lines;
  const indexes = Array.from({ length: Math.max(lines.length, wanted.length) }, (_unused, index) => index);
  const read = (line: string | undefined): string | undefined => (line === undefined ? undefined : getReadable(line));
  const inText = indexes.find((index) => read(lines[index]) !== read(wanted[index]));
  const at = inText ?? indexes.find((index) => lines[index] !== wanted[index]);
  if (at === undefined) return undefined;
  const isText = inText !== undefined;
  const [x, y] = [lines[at] ?? "", wanted[at] ?? ""].map((line) => (isText ? getReadable(line) : line));
  let from = 0;
  while (from < x.length && x[from] === y[from]) from += 1;
  const cut = (text: string): string => JSON.stringify(text.slice(Math.max(0, from - 30), from + 40));
  return { line: before + at + 1, detail: `${cut(x)} where the data give ${cut(y)}`, isText };
}

/** Compares every number of a page with what the data give, and the page as a whole with the expected one. */
export function checkReportPage(recomputed: readonly Recomputed[], page: string | undefined, expectedPage?: string) {
  const findings: Finding[] = [];
  const occurrences = new Map<string, ClaimOccurrence[]>();
  if (page === undefined) return { findings, occurrences, shownCount: 0 };
  const byId = new Map(recomputed.map((each) => [each.claim.id, each]));
  const shown = readShown(page);
  const report = (status: ClaimStatus, message: string, claim?: string, line?: number): void => {
    findings.push({
      ruleId: `claim.${status.replaceAll("_", "-")}`,
      severity: status === "ambiguous_mapping" ? "warning" : "error",
      message,
      place: { file: "report.html", ...(line === undefined ? {} : { line }) },
      ...(claim === undefined ? {} : { evidence: { claim } }),
    });
  };
  for (const each of shown) {
    const own = byId.get(each.id);
    if (own === undefined) {
      report("unsupported_claim", `${each.id}: the page shows "${each.text}", report.json has no such claim`, each.id);
      continue;
    }
    const problem = judgeShown(each, own.sound);
    const status = problem === undefined ? "exact_match" : "number_mismatch";
    if (problem !== undefined) report(status, `${each.id}: ${problem}`, each.id);
    const at = {
      line: 1,
      block: each.kind === "link" ? "page" : "evidence",
      text: each.text.split("\t")[0],
      isFilled: false,
    };
    const list = occurrences.get(each.id) ?? [];
    list.push({ ...at, status, ...(problem === undefined ? {} : { detail: problem }) });
    occurrences.set(each.id, list);
  }
  const difference = expectedPage === undefined ? undefined : findDifference(page, expectedPage);
  if (difference?.isText === true && findings.length === 0)
    report(
      "number_mismatch",
      `The page is not what its data give: line ${difference.line} has ${difference.detail}`,
      undefined,
      difference.line,
    );
  if (difference?.isText === false)
    report(
      "ambiguous_mapping",
      `A drawing of the page is not as this version draws it: line ${difference.line} has ${difference.detail}`,
      undefined,
      difference.line,
    );
  const rows = new Set(shown.filter(({ kind }) => kind === "row").map(({ id }) => id));
  for (const { claim } of recomputed)
    if (!rows.has(claim.id))
      report("missing_evidence", `${claim.id}: the page has no row of evidence for it`, claim.id);
  return { findings, occurrences, shownCount: shown.filter(({ kind }) => kind === "link").length };
}
