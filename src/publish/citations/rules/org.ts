import { foldText } from "../names.js";
import { nameWork, type CiteFault, type CiteRule } from "../cite-rule.js";

/** Organisations named for a work. */
export const citeOrgRule: CiteRule = {
  id: "cite.org",
  severity: "warning",
  description: "Finds organisations named beside a citation that are not the registry's.",
  rationale:
    "Works are often put down to the wrong laboratory. An organisation in the sentence may be there for another reason.",
  remedy: "Check who made the work",
  examples: [
    {
      name: "the same",
      markdown: "Google DeepMind's work [@a].",
      bibtex: "@misc{a, title = {A}, author = {Li, B}, organization = {DeepMind}}",
      messages: [],
    },
    {
      name: "another",
      markdown: "OpenAI's work [@a].",
      bibtex: "@misc{a, title = {A}, author = {Li, B}, organization = {Anthropic}}",
      messages: ["The text names OpenAI, the registry Anthropic (@a)"],
    },
  ],
  check({ uses }) {
    return uses.flatMap((use): CiteFault[] => {
      const said = use.statement.organisation;
      const known = use.entry?.custom.organisation;
      if (said === undefined || known === undefined) return [];
      const [a, b] = [foldText(said), foldText(known)];
      if (a.includes(b) || b.includes(a)) return [];
      return [
        {
          message: `The text names ${said}, the registry ${known} (${nameWork(use)})`,
          line: use.line,
          work: `@${use.entry?.id}`,
        },
      ];
    });
  },
};
