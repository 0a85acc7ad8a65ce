import { problemRule } from "../../problem-rule.js";

/** Display formulas that are opened and never closed. */
export const mathUnclosedRule = problemRule({
  id: "math.unclosed",
  severity: "error",
  description: "Finds display formulas that are opened and never closed.",
  rationale: "The rest of the document would be taken for maths; it is shown as text.",
  remedy: "Close it with `$$` on a line of its own",
  examples: [
    { name: "a closed display", markdown: "$$\na\n$$", messages: [] },
    {
      name: "an open one",
      markdown: "Text\n\n$$\na = b\n\nmore",
      messages: ["The display formula opened by $$ is never closed"],
    },
  ],
});
