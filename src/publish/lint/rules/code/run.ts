import { lintFinding, lintRule } from "../../lint-rule.js";

/** Code that fails. */
export const codeRunRule = lintRule({
  id: "code.run",
  severity: "error",
  description: "Finds blocks marked exec=run that fail, do not end, or do not give what expect= says.",
  rationale:
    "What a page shows as working was run. `turnwise publish code` runs the blocks; without that they are not judged. A block that lacks what it needs is blocked, which is no pass.",
  remedy: "Correct the code or the expectation",
  examples: [
    {
      name: "a block that gives what it says",
      isRun: true,
      markdown:
        '```ts exec=run expect="3"\nconst a: number = 1;\nconsole.log(a + 2);\n```\n\n```ts exec=run continues expect=4\na + 3;\n```',
      messages: [],
    },
    {
      name: "an error and a wrong expectation",
      isRun: true,
      markdown: "```js exec=run\nnull.x;\n```\n\n```js exec=run expect=5\n2 + 2;\n```",
      messages: ["code:1: TypeError: cannot read property 'x' of null", 'code:2: The block gives "4" and not "5"'],
    },
  ],
  findGap: ({ codeRuns }) =>
    codeRuns === undefined ? "the code was not run: turnwise publish code runs it" : undefined,
  check({ codeRuns = [] }) {
    return codeRuns.flatMap(({ mode, outcome, block, line, message = "" }) =>
      mode === "run" && outcome === "failed" ? [lintFinding(line, `${block}: ${message}`)] : [],
    );
  },
});
