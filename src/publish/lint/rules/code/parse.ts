import { listCodeFacts } from "../../code/code-facts.js";
import { lintFinding, lintRule } from "../../lint-rule.js";

/** Code that is none. */
export const codeParseRule = lintRule({
  id: "code.parse",
  severity: "error",
  description: "Finds syntax errors in Python, TypeScript, JavaScript, JSON and YAML blocks.",
  rationale:
    "Readers copy the code, and it does not even load. No interpreter is needed to see it. Other languages are not judged.",
  remedy: 'Correct the code; mark what is only a sketch with exec=skip why="…"',
  examples: [
    {
      name: "sound code, and a sketch that says so",
      markdown:
        '```python\nx = [1, 2]\n```\n\n```json\n{"a": 1}\n```\n\n```ts exec=skip why="a sketch"\nlet x = ...\n```',
      messages: [],
    },
    {
      name: "a missing bracket and a trailing comma",
      markdown: '```python\nx = 1\nprint(x\n```\n\n```json\n{"a": 1,}\n```',
      messages: [
        'python: "print(x" cannot be read here',
        "json: The text is no JSON: comments, trailing commas and single quotes are not allowed",
      ],
      lines: [3, 7],
    },
    { name: "TypeScript", markdown: "```ts\nconst a: number = ;\n```", messages: ["ts: Expression expected"] },
  ],
  check({ document, python }) {
    return listCodeFacts(document, python).flatMap(({ faults, block }) =>
      faults.slice(0, 3).map(({ line, message }) => lintFinding(line, `${block.language}: ${message}`)),
    );
  },
});
