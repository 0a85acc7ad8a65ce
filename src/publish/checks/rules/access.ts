// internal
import { decide, problemAt } from "../judgement.js";
import type { CheckLocation, RenderCheck } from "../render-check.js";

export const a11yCheck: RenderCheck = {
  id: "R22",
  name: "a11y",
  weight: "quality",
  description:
    "axe finds nothing serious in both schemes; headings in order, landmarks, a skip link, words for formulas and figures",
  judge({ evidence: { barriers, structure, skipLink, landmarks } }) {
    const shown = structure.headings.filter(({ block, level }) => block !== undefined || level === 1);
    const jumps = shown.flatMap((heading, i) => {
      const before = shown[i - 1]?.level ?? 0;
      return heading.level > before + 1
        ? [problemAt(heading, `A heading of level ${heading.level} follows one of level ${before}`)]
        : [];
    });
    const problems: CheckLocation[] = [
      ...(barriers ?? []).map(({ rule, impact, scheme, selector, html, message }) => ({
        message: `${rule} (${impact}, ${scheme}): ${message}`,
        selector,
        text: html,
      })),
      ...jumps,
      ...structure.withoutAlternative.map((place) => problemAt(place, "It has no words for those who cannot see it")),
    ];
    if (landmarks["main"] !== 1) problems.push({ message: `The page has ${landmarks["main"]} main parts` });
    if (landmarks["navigation"] === 0) problems.push({ message: "The page has no named navigation" });
    if (!skipLink.isFirst || !skipLink.hasTarget)
      problems.push({ message: "The first control does not lead past the navigation" });
    return decide({
      expected: "nothing serious",
      actual: "nothing serious, light and dark",
      problems,
      gap: barriers === undefined ? 'axe-core was not there: "npm install axe-core"; the other parts hold' : undefined,
    });
  },
};

export const keyboardCheck: RenderCheck = {
  id: "R25",
  name: "keyboard",
  weight: "quality",
  description: "The tab key reaches every control in its order, and the focus can be seen",
  judge({ evidence: { keyboard } }) {
    const { controls, order, unseen } = keyboard;
    const reached = new Set(order);
    const lost = controls.filter((_control, i) => !reached.has(i));
    const first = [...reached].filter((index) => index !== -1);
    const at = first.findIndex((index, i) => i > 0 && index < first[i - 1]);
    const problems = [
      ...lost.map((place) => problemAt(place, "The tab key does not reach it")),
      ...(at === -1 ? [] : [problemAt(controls[first[at]], "It gets the focus out of order")]),
      ...unseen.map((place) => problemAt(place, "The focus on it cannot be seen")),
    ];
    return decide({
      expected: `${controls.length} controls in order`,
      actual: `${first.length} reached, all visible`,
      problems,
    });
  },
};
