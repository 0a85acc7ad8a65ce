// internal
import type { PublishDocument } from "../../document.js";
import { headingGluedRule } from "../../lint/rules/heading/glued.js";
import type { LintSubject } from "../../lint/lint-rule.js";
import { parseDocument } from "../../parse/parse-document.js";
import type { ContentsEntry } from "../probe/try-controls.js";
import { decide, noSource, notApplicable, problemAt } from "../judgement.js";
import type { CheckLocation, RenderCheck, RenderSubject } from "../render-check.js";

const words = (text: string): string => text.replace(/\s+/g, " ").trim();

export const headingGlueCheck: RenderCheck = {
  id: "R12",
  name: "heading_glue_fix",
  weight: "fidelity",
  description: "A separator stands between number and text of every heading, on the page and in the contents",
  judge({ evidence: { structure, contents } }) {
    const titles = [...structure.headings, ...(contents.at(0)?.entries ?? [])];
    const empty = parseDocument("", { file: "page.html" });
    const blocks = titles.map(
      ({ text = "" }, i) =>
        ({
          id: String(i),
          type: "heading",
          text,
          source: "",
          lineStart: i + 1,
          lineEnd: i + 1,
          headingPath: [],
        }) as const,
    );
    const document: PublishDocument = { ...empty, blocks };
    // The rule reads headings alone.
    const found = headingGluedRule.check(
      { document, set: [document], level: "release", userNames: [] } as unknown as LintSubject, // a node of the dialect
      {},
    );
    const problems = found.map(({ message, place }) => problemAt(titles[(place?.line ?? 1) - 1], message));
    return decide({
      expected: "numbers apart from their text",
      actual: `${titles.length} headings and entries`,
      problems,
    });
  },
};

/** A number that a title begins with, by its parts: `2`, `2.1`, `§3`. */
function readNumber(title: string): { readonly form: string; readonly parts: readonly number[] } | undefined {
  const match = /^([^\d\s]{0,2})(\d+(?:\.\d+)*)(?=$|[\s.．、:：)）])/u.exec(title);
  return match === null ? undefined : { form: match[1], parts: match[2].split(".").map(Number) };
}

/** Returns entries whose number does not follow the one before it on its level. */
function findGaps(entries: readonly ContentsEntry[]): CheckLocation[] {
  const problems: CheckLocation[] = [];
  const last = new Map<number, { readonly form: string; readonly parts: readonly number[] }>();
  for (const entry of entries) {
    const number = readNumber(entry.text ?? "");
    if (entry.depth === 2) last.delete(3);
    if (number === undefined) continue;
    const before = last.get(entry.depth);
    const isSameForm = before?.form === number.form && before.parts.length === number.parts.length;
    const isSameParent = isSameForm && before.parts.slice(0, -1).join(".") === number.parts.slice(0, -1).join(".");
    const value = number.parts.at(-1) ?? 0;
    if (isSameParent && value !== (before.parts.at(-1) ?? 0) + 1)
      problems.push(problemAt(entry, `${number.parts.join(".")} follows ${before.parts.join(".")}`));
    const above = last.get(2);
    const belongs =
      entry.depth !== 3 || number.parts.length !== 2 || above?.parts.length !== 1 || above.parts[0] === number.parts[0];
    if (!belongs) problems.push(problemAt(entry, `${number.parts.join(".")} stands under ${above.parts.join(".")}`));
    last.set(entry.depth, number);
  }
  return problems;
}

function listExpected({
  document,
  evidence,
}: RenderSubject): { readonly anchor: string; readonly text: string; readonly depth: number }[] {
  if (document !== undefined)
    return document.blocks
      .filter(({ isInToc }) => isInToc === true)
      .map(({ anchor = "", depth = 0, id }) => {
        const shown = evidence.structure.headings.find(({ block }) => block === id);
        return { anchor, depth, text: shown?.text ?? "" };
      });
  return evidence.structure.headings
    .filter(({ level, isFolded }) => (level === 2 || level === 3) && !isFolded)
    .map(({ id, level, text = "" }) => ({ anchor: id, depth: level, text }));
}

export const contentsCheck: RenderCheck = {
  id: "R13",
  name: "toc_sidebar_links_resolve",
  weight: "fidelity",
  description:
    "The contents list the headings of the second and third level; each entry leads to its heading; numbers follow each other",
  judge(subject) {
    const { document, evidence } = subject;
    const wanted = listExpected(subject);
    const [{ entries } = { entries: [] }] = evidence.contents;
    const expected = `${wanted.length} entries in order`;
    if (wanted.length === 0 && entries.length === 0) return notApplicable(expected, "there are no headings to list");
    const decode = (href: string): string => {
      try {
        return decodeURIComponent(href.slice(1));
      } catch {
        return href; // no address at all, so it differs
      }
    };
    const at = wanted.findIndex(({ anchor, text }, i) => {
      const entry = entries[i];
      return entry === undefined || decode(entry.href) !== anchor || words(entry.text ?? "") !== words(text);
    });
    const differing: CheckLocation[] = [];
    if (at !== -1)
      differing.push(
        problemAt(
          entries[at] ?? {},
          `Entry ${at + 1} is "${entries[at]?.text ?? ""}" (${entries[at]?.href ?? "absent"}), expected "${wanted[at].text}" (#${wanted[at].anchor})`,
        ),
      );
    else if (entries.length > wanted.length)
      differing.push(
        problemAt(entries[wanted.length], `The contents have ${entries.length} entries instead of ${wanted.length}`),
      );
    const lost = evidence.contents.flatMap(({ width, entries: all }) =>
      all.flatMap((entry) => {
        if (!entry.hasTarget) return [problemAt(entry, `The entry leads nowhere: ${entry.href}`)];
        return entry.isReached
          ? []
          : [problemAt(entry, `After a click the heading is not in the window at ${width} pixels: ${entry.href}`)];
      }),
    );
    return decide({
      expected,
      actual: `${entries.length} entries, all reached`,
      problems: [...differing, ...lost, ...findGaps(entries)],
      gap: document === undefined ? noSource : undefined,
    });
  },
};
