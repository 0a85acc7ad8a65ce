import { listCodeFacts, listEarlier } from "../../code/code-facts.js";
import { lintFinding, lintRule } from "../../lint-rule.js";

/** Imports that come too late. */
export const codeImportOrderRule = lintRule({
  id: "code.import-order",
  severity: "warning",
  description: "Finds names that are used before the line, or the block, that imports them.",
  rationale: "Run from top to bottom, the code fails; the import was added where its author happened to be.",
  remedy: "Move the import to the first block that uses it",
  examples: [
    {
      name: "an import before its use",
      markdown: "```python\nimport math\n```\n\n```python\nmath.pi\n```",
      messages: [],
    },
    {
      name: "an import in a later block",
      markdown: "```python\nx = math.pi\n```\n\n```python\nimport math\n```",
      messages: ['"math" is used here and imported on line 6'],
      lines: [2],
    },
    {
      name: "an import further down the same block",
      markdown: "```python\nx = np.pi\nimport numpy as np\n```",
      messages: ['"np" is used here and imported on line 3'],
    },
  ],
  check({ document, python }) {
    const all = listCodeFacts(document, python);
    return all.flatMap((facts, i) => {
      const earlier = listEarlier(facts, all);
      const defined = new Set(earlier.flatMap(({ definitions }) => definitions.map(({ name }) => name)));
      const late = facts.lateNames.filter(({ isImport, name }) => isImport && !defined.has(name));
      const later = all.slice(i + 1).filter(({ family }) => family === facts.family);
      const fromLater = facts.undefinedNames.flatMap(({ name, line }) => {
        const found = later
          .flatMap(({ definitions }) => definitions)
          .find((each) => each.isImport && each.name === name);
        return found === undefined || defined.has(name) ? [] : [{ name, line, boundLine: found.line }];
      });
      return [...late, ...fromLater].map(({ name, line, boundLine }) =>
        lintFinding(line, `"${name}" is used here and imported on line ${boundLine}`),
      );
    });
  },
});
