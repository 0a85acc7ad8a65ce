// internal
import { decide, noSource, notApplicable } from "../judgement.js";
import type { CheckLocation, RenderCheck } from "../render-check.js";

const words = (text: string): string => text.replace(/\s+/g, " ").trim();

export const bylineCheck: RenderCheck = {
  id: "R08",
  name: "author_byline_rendered",
  weight: "fidelity",
  description: "A declared byline is shown once and equal; without one none is shown",
  judge({ document, evidence: { parts } }) {
    const { byline } = document?.frontMatter ?? {};
    const shown = parts.authors;
    const expected = byline === undefined || byline === "" ? "no byline" : `"${byline}", once`;
    if (document === undefined)
      return decide({ expected: "the byline of the source", actual: "", problems: [], gap: noSource });
    if (byline === undefined || byline === "") {
      if (shown.length === 0) return notApplicable(expected, "none is declared, none is shown");
      return decide({
        expected,
        actual: "",
        problems: shown.map(({ text }) => ({ message: `A byline is shown that nobody declared: "${text}"` })),
      });
    }
    const problems: CheckLocation[] = [];
    if (shown.length !== 1) problems.push({ message: `The byline is shown ${shown.length} times` });
    for (const { text, isShown } of shown) {
      if (text !== words(byline)) problems.push({ message: `The byline reads "${text}"` });
      if (!isShown) problems.push({ message: "The byline cannot be seen" });
    }
    return decide({ expected, actual: `"${byline}", once`, problems });
  },
};

function compareOne(what: string, declared: string | undefined, shown: readonly string[]): CheckLocation[] {
  const wanted = declared === undefined || declared === "" ? [] : [words(declared)];
  if (JSON.stringify(wanted) === JSON.stringify(shown)) return [];
  return [
    {
      message: `The ${what} is ${shown.length === 0 ? "not shown" : `"${shown.join('", "')}"`}, declared ${wanted.length === 0 ? "as none" : `as "${wanted[0]}"`}`,
    },
  ];
}

export const titleCheck: RenderCheck = {
  id: "R09",
  name: "eyebrow_subtitle_title",
  weight: "fidelity",
  description:
    "Title, subtitle and eyebrow are those of the source, one heading of the first level, no title from a file name",
  judge({ document, evidence: { parts, structure } }) {
    const expected = "title, subtitle and eyebrow as declared, one h1";
    const problems: CheckLocation[] =
      parts.h1.length === 1 ? [] : [{ message: `The page has ${parts.h1.length} headings of the first level` }];
    if (document === undefined) return decide({ expected, actual: "one h1", problems, gap: noSource });
    const { title, subtitle, eyebrow } = document.frontMatter;
    const hasTitle = title !== undefined || document.blocks.some(({ type }) => type === "heading");
    if (!hasTitle)
      problems.push({ message: `The title "${document.title}" comes from the name of the file: declare one` });
    const head = structure.headings.find(({ level }) => level === 1)?.text ?? "";
    if (head !== words(document.title).slice(0, 120))
      problems.push({ message: `The heading reads "${head}", not "${words(document.title)}"` });
    if (words(parts.title) !== words(document.title))
      problems.push({ message: `The page is titled "${parts.title}", not "${words(document.title)}"` });
    problems.push(
      ...compareOne("subtitle", subtitle, parts.subtitle),
      ...compareOne("eyebrow", eyebrow, parts.eyebrow),
    );
    return decide({ expected, actual: `"${words(document.title)}"`, problems });
  },
};
