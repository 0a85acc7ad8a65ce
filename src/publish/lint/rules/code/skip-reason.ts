import { listCodeFacts } from "../../code/code-facts.js";
import { lintFinding, lintRule } from "../../lint-rule.js";

/** Code left out of every check without a word. */
export const codeSkipReasonRule = lintRule({
  id: "code.skip-reason",
  severity: "warning",
  description: "Finds blocks marked exec=skip that give no reason.",
  rationale: "A skipped block is neither parsed nor run; a reader must be able to see why.",
  remedy: 'Add why="…" to the fence',
  examples: [
    { name: "a reason", markdown: '```python exec=skip why="needs a GPU"\nx\n```', messages: [] },
    { name: "no reason", markdown: "```python exec=skip\nx\n```", messages: ["The block is skipped without a reason"] },
  ],
  check({ document, python }) {
    return listCodeFacts(document, python).flatMap(({ block, mode }) =>
      mode === "skip" && block.attributes?.["exec"] === "skip" && (block.attributes["why"] ?? "").trim() === ""
        ? [lintFinding(block.lineStart, "The block is skipped without a reason")]
        : [],
    );
  },
});
