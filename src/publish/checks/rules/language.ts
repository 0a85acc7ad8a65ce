// internal
import { detectLanguage, getBaseLanguage } from "../../parse/language.js";
import { decide, noSource } from "../judgement.js";
import type { CheckLocation, RenderCheck } from "../render-check.js";

/** Languages that their script tells. */
const ownScript: ReadonlySet<string> = new Set(["zh", "ja", "ko", "ru"]);

export const langCheck: RenderCheck = {
  id: "R17",
  name: "lang",
  weight: "fidelity",
  description: "The page states the language of the source and is written in its script",
  judge({ document, evidence: { parts, texts } }) {
    const { lang } = parts;
    const problems: CheckLocation[] = [];
    if (lang === "") problems.push({ message: "The page states no language" });
    if (document !== undefined && lang !== document.lang)
      problems.push({ message: `The page states "${lang}", the source "${document.lang}"` });
    const prose = texts.segments
      .filter(({ where, block }) => where === "main" && block !== undefined)
      .map(({ prose: text }) => text);
    const detected = detectLanguage(prose.join(" "));
    const base = getBaseLanguage(lang);
    // Latin text may be in any language that is written so.
    const agrees = detected === "und" || base === detected || (detected === "en" && !ownScript.has(base));
    if (lang !== "" && !agrees) problems.push({ message: `The page states "${lang}" and is written in "${detected}"` });
    return decide({
      expected: "the language of the source, in the script it is written in",
      actual: `"${lang}"`,
      problems,
      gap: document === undefined ? noSource : undefined,
    });
  },
};
