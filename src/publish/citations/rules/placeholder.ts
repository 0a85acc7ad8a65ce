import type { CiteRule } from "../cite-rule.js";

/** Says whether a key stands for a work that is still to be found. */
export function isPlaceholderKey(key: string): boolean {
  return /^(?:(?:todo|tbd|fixme|x{3,}|placeholder|citation-?needed|cite-?me|authoryear|need(?:s|ed)?-?(?:ref|cite|citation))[-_:.]?\d*|(?:ref|key|author|unknown|someone)\d*)$/i.test(
    key,
  );
}

/** Keys that stand for a work still to be found. */
export const citePlaceholderRule: CiteRule = {
  id: "cite.placeholder",
  severity: "warning",
  description: "Finds placeholder keys such as @todo; an error at release.",
  rationale: "The sentence has no source yet.",
  remedy: "Find the source, or take the sentence out",
  examples: [
    {
      name: "ordinary keys",
      markdown: "See [@todorov2012; @keyphrase2020].",
      bibtex: "@misc{todorov2012, title = {A}}\n@misc{keyphrase2020, title = {B}}",
      messages: [],
    },
    { name: "a placeholder at draft", markdown: "It works [@TODO].", messages: ["@TODO is a placeholder"] },
    {
      name: "a placeholder at release",
      markdown: "It works [@citation-needed].",
      level: "release",
      messages: ["@citation-needed is a placeholder"],
    },
  ],
  check({ uses, level }) {
    return uses.flatMap(({ key, line }) => {
      if (key === undefined || !isPlaceholderKey(key)) return [];
      const severity = level === "release" ? ("error" as const) : ("warning" as const);
      return [{ message: `@${key} is a placeholder`, line, work: `@${key}`, severity }];
    });
  },
};
