import { findProfile } from "../../profiles.js";
import { lintFinding, lintRule } from "../../lint-rule.js";

/** Documents of unusual length. */
export const profileLengthRule = lintRule({
  id: "profile.length",
  severity: "warning",
  description: "Finds documents whose body is outside the length band of their profile.",
  rationale: "The band is fixed before drafting, so that a length is a decision and not an accident.",
  remedy: "Cut or complete the text, or waive the rule with the reason",
  examples: [
    { name: "a kind without a band", kind: "page", markdown: "Short.", messages: [] },
    {
      name: "a tutorial of one line",
      kind: "tutorial",
      markdown: "Short.",
      messages: ['The body has 1 line, the profile "tutorial" 800 to 1200'],
    },
  ],
  findGap: ({ document }) =>
    findProfile(document) === undefined ? "the document names no kind or profile" : undefined,
  check({ document }) {
    const profile = findProfile(document);
    if (profile?.lengthBand === undefined) return [];
    const { min, max, unit } = profile.lengthBand;
    const { lines, bodyLine } = document;
    const count = lines.length - bodyLine + (lines.at(-1) === "" ? 0 : 1);
    if (count >= min && count <= max) return [];
    const shown = `${count} ${count === 1 ? unit.slice(0, -1) : unit}`;
    return [lintFinding(bodyLine, `The body has ${shown}, the profile "${profile.name}" ${min} to ${max}`)];
  },
});
