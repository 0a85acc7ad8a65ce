import { listCodeFacts, listEarlier } from "../../code/code-facts.js";
import { lintFinding, lintRule } from "../../lint-rule.js";

/** Names out of nowhere. */
export const codeUndefinedRule = lintRule({
  id: "code.undefined",
  severity: "warning",
  description:
    "Finds names in Python, TypeScript and JavaScript blocks that neither the block, an earlier block nor the language defines.",
  rationale:
    "The code fails at that name when a reader runs it. A block that is run sees only the blocks it continues, and there the finding is an error. Names that a later block imports are left to code.import-order.",
  remedy: "Define or import the name in this block or an earlier one",
  examples: [
    {
      name: "names of earlier blocks, builtins and parameters",
      markdown: "```python\nimport torch\ndef f(x): return torch.exp(x)\n```\n\n```python\nprint(f(sum([1])))\n```",
      messages: [],
    },
    {
      name: "names nobody defined",
      markdown: "```python\nloss = model(batch)\n```\n\n```ts\nconst a: Widget = make();\n```",
      messages: ["Not defined here or before: model, batch", "Not defined here or before: Widget, make"],
      lines: [2, 6],
    },
    {
      name: "a block that is run does not see blocks it does not continue",
      markdown: "```js exec=run\nconst a = 1;\n```\n\n```js exec=run\na + 1;\n```\n\n```js exec=run continues\nb;\n```",
      messages: ["Not defined here or before: a", "Not defined here or before: b"],
    },
  ],
  check({ document, python }) {
    const all = listCodeFacts(document, python);
    return all.flatMap((facts, i) => {
      const earlier = listEarlier(facts, all);
      if (facts.hasWildcard || earlier.some(({ hasWildcard }) => hasWildcard)) return [];
      const defined = new Set(earlier.flatMap(({ definitions }) => definitions.map(({ name }) => name)));
      const later = all.slice(i + 1).filter(({ family }) => family === facts.family);
      const imported = new Set(
        later.flatMap(({ definitions }) => definitions.filter(({ isImport }) => isImport).map(({ name }) => name)),
      );
      const missing = [...facts.undefinedNames, ...facts.lateNames.filter(({ isImport }) => !isImport)].filter(
        ({ name }) => !defined.has(name) && !imported.has(name),
      );
      if (missing.length === 0) return [];
      const line = Math.min(...missing.map((place) => place.line));
      const names = missing.map(({ name }) => name).join(", ");
      const severity = facts.mode === "run" ? "error" : "warning";
      return [
        lintFinding(line, `Not defined here or before: ${names}`, { severity, evidence: { block: facts.block.id } }),
      ];
    });
  },
});
