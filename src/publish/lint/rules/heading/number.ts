import { lintFinding, lintRule } from "../../lint-rule.js";

/** Returns the number of a heading as its parts: `§3` and `3.` are [3], `3.1` is [3, 1], `§A` is ["A"]. */
function readNumber(text: string): readonly string[] | undefined {
  const match =
    /^(?:§\s*([A-Z]|\d+(?:\.\d+)*)|([A-Z]?\.?\d+(?:\.\d+)+|[A-Z](?:\.\d+)+)|(\d+)[.、)])(?![\p{L}\d%])/u.exec(text);
  return (match?.[1] ?? match?.[2] ?? match?.[3])?.split(".");
}

function isNext(before: string, now: string): boolean {
  if (/^\d+$/.test(before) && /^\d+$/.test(now)) return Number(now) === Number(before) + 1;
  // Appendices begin with A after the last number.
  if (/^\d+$/.test(before)) return now === "A";
  return now.charCodeAt(0) === before.charCodeAt(0) + 1;
}

/** Section numbers out of order. */
export const headingNumberRule = lintRule({
  id: "heading.number",
  severity: "warning",
  description: "Finds numbered headings whose number skips, repeats or does not belong to the section around it.",
  rationale:
    "A gap looks like a lost section, and references by number lead to the wrong place. Headings without a number are left alone.",
  remedy: "Number the sections through",
  examples: [
    {
      name: "numbers in order, labels and an appendix",
      markdown: "## §0 A\n\n## §1 B\n\n### 1.1 C\n\n### 1.2 D\n\n### L1 E\n\n## §A F\n\n### A.1 G",
      messages: [],
    },
    { name: "a gap", markdown: "## §1 A\n\n### 1.1 B\n\n### 1.3 C", messages: ["Number 1.3 follows 1.1"] },
    {
      name: "a repetition and a wrong parent",
      markdown: "## §1 A\n\n## §1 B\n\n### 2.1 C",
      messages: ["Number 1 follows 1", "Number 2.1 stands in section 1"],
    },
  ],
  check({ document }) {
    const last = new Map<number, readonly string[]>();
    return document.blocks.flatMap(({ type, depth = 1, text, lineStart }) => {
      const number = type === "heading" ? readNumber(text) : undefined;
      if (number === undefined) return [];
      const shown = number.join(".");
      const parent = last.get(number.length - 1);
      const before = last.get(number.length);
      for (const level of last.keys()) if (level > number.length) last.delete(level);
      last.set(number.length, number);
      const isChild = parent === undefined || number.slice(0, -1).join(".") === parent.join(".");
      if (number.length > 1 && !isChild && depth > 1)
        return [lintFinding(lineStart, `Number ${shown} stands in section ${parent.join(".")}`)];
      if (before === undefined) {
        const first = number.at(-1) ?? "";
        const isStart = number.length === 1 || /^[01A]$/.test(first);
        return isStart ? [] : [lintFinding(lineStart, `Number ${shown} is the first of its section`)];
      }
      return isNext(before.at(-1) ?? "", number.at(-1) ?? "")
        ? []
        : [lintFinding(lineStart, `Number ${shown} follows ${before.join(".")}`)];
    });
  },
});
