// internal
import { decide, problemAt } from "../judgement.js";
import type { CheckLocation, RenderCheck } from "../render-check.js";
import { isEscaped } from "./escapes.js";

const placeholder = /\{\{[^{}]*\}\}|\{%[^{}]*%\}|<%[^%]*%>|\$\{[^{}$]*\}|\[\[c:[^\]]*\]\]/;
const privateUse = /[\uE000-\uF8FF\u{F0000}-\u{10FFFD}]/u;

export const placeholderLeakCheck: RenderCheck = {
  id: "R07",
  name: "placeholder_leak",
  weight: "fidelity",
  description: "No template braces, private-use characters or unresolved claims in text and attributes",
  judge({ document, evidence: { texts } }) {
    const find = (text: string, place: Partial<CheckLocation>): CheckLocation[] => {
      const found = placeholder.exec(text)?.[0];
      return found === undefined ? [] : [problemAt(place, `A placeholder is left: "${found.slice(0, 60)}"`)];
    };
    const findPrivate = (text: string, place: Partial<CheckLocation>): CheckLocation[] => {
      const sign = privateUse.exec(text)?.[0];
      // In code a sign may be meant; what the source has not is left over from the making.
      if (
        sign === undefined ||
        (!privateUse.test(text.replaceAll(sign, "")) &&
          document?.source.includes(sign) === true &&
          place.selector === "pre")
      )
        return [];
      return [
        problemAt(place, `A private-use character is left: U+${sign.codePointAt(0)?.toString(16).toUpperCase()}`),
      ];
    };
    const problems = [
      ...texts.segments.flatMap((segment) => [...find(segment.prose, segment), ...findPrivate(segment.full, segment)]),
      ...texts.attributes.flatMap((each) => [...find(each.value, each), ...findPrivate(each.value, each)]),
    ];
    return decide({
      expected: "no placeholders",
      actual: `${texts.segments.length} texts and ${texts.attributes.length} attributes without any`,
      problems,
    });
  },
};

const markdown = [/\*\*/, /`/, /\]\(/, /^\s*#{1,6}(?=\s)/];

export const rawMarkdownLeakCheck: RenderCheck = {
  id: "R16",
  name: "raw_markdown_leak",
  weight: "fidelity",
  description: "No signs of Markdown in visible text outside code, contents, titles and summaries included",
  judge({ document, evidence: { texts } }) {
    const problems = texts.segments.flatMap((segment) =>
      markdown.flatMap((form) => {
        const found = form.exec(segment.prose);
        if (found === null || isEscaped(document, segment, found[0].trim()[0])) return [];
        const around = segment.prose.slice(Math.max(0, found.index - 20), found.index + 30).trim();
        return [problemAt(segment, `Markdown stands as text: "${around}"`)];
      }),
    );
    return decide({
      expected: "no Markdown in the text",
      actual: `${texts.segments.length} texts without any`,
      problems,
    });
  },
};
