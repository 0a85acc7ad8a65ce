// internal
import { getBaseLanguage } from "../../parse/language.js";
import { compareCounts, decide, notApplicable } from "../judgement.js";
import type { RenderCheck } from "../render-check.js";

export const translationParityCheck: RenderCheck = {
  id: "R30",
  name: "translation_parity",
  weight: "quality",
  description: "The page in the other language holds as many blocks of each kind, and both lead to each other",
  judge({ document, evidence: { content, parts, pair } }) {
    const expected = "equal counts, and links to each other";
    if (pair === undefined) {
      const original = document?.frontMatter.translation_of;
      if (original === undefined && parts.translations.length === 0)
        return notApplicable(expected, "the page has no other language");
      return decide({ expected, actual: "", problems: [], gap: "the page in the other language was not given" });
    }
    const count = ({ inventory }: Pick<typeof pair, "inventory">): { [name: string]: number } => {
      const { callouts, code_by_lang, ...numbers } = inventory;
      const named = (name: string, of: object): [string, number][] =>
        Object.entries(of).map(([key, value]) => [`${name} ${key}`, Number(value)]);
      // Works and ids may be named more often in one language.
      const { citations: _citations, arxiv_ids: _ids, ...equal } = numbers;
      return Object.fromEntries([
        ...Object.entries(equal),
        ...named("callouts", callouts),
        ...named("code", code_by_lang),
      ]);
    };
    const leadsTo = (links: readonly { readonly lang: string }[], lang: string): boolean =>
      links.some((link) => getBaseLanguage(link.lang) === getBaseLanguage(lang));
    const problems = compareCounts(count(pair), count(content)).map(({ message }) => ({
      message: message.replace(/in the source$/, "in the other language"),
    }));
    if (!leadsTo(parts.translations, pair.lang))
      problems.push({ message: `The page does not lead to the one in "${pair.lang}"` });
    if (!leadsTo(pair.links, parts.lang))
      problems.push({ message: `The page in "${pair.lang}" does not lead to this one` });
    return decide({ expected, actual: `equal to the page in "${pair.lang}"`, problems });
  },
};
