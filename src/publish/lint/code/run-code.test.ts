import { afterAll, expect, test } from "vitest";
import { createSandbox } from "../../../sandbox/index.js";
import { parseDocument } from "../../parse/parse-document.js";
import { judgeCodeRuns } from "./code-stage.js";
import { loadPythonParser } from "./python-parser.js";
import { findPython, openPythonRunner } from "./python-runner.js";
import { runDocumentCode, type CodeRunners } from "./run-code.js";

const parser = await loadPythonParser();
const sandbox = createSandbox({ maxThreads: 1 });
afterAll(() => sandbox.close());
const file = findPython();
const python = file === undefined ? undefined : await openPythonRunner(file);
if (python === undefined) console.warn("No Python here: the tests that run Python are skipped"); // eslint-disable-line no-console

async function run(markdown: string, more: Partial<CodeRunners> = {}) {
  const document = parseDocument(markdown, { file: "a.md" });
  const runs = await runDocumentCode(document, parser, { sandbox, ...more });
  return { runs, artefact: judgeCodeRuns(document, runs, "2030-01-01T00:00:00Z") };
}

test("TypeScript runs with its types stripped, and blocks see what they continue", async () => {
  const { runs, artefact } = await run(
    '```ts exec=run expect="1 2"\nexport interface A { a: number }\nexport const one: number = 1;\nconsole.log(one, 2);\n```\n\n```ts exec=run continues expect="3"\nconst { a }: A = { a: 2 };\none + a;\n```\n\n```ts exec=run expect="7"\nconst x = await Promise.resolve(7);\nconsole.log(x);\n```',
  );
  expect(runs.map(({ outcome, message }) => [outcome, message])).toEqual([
    ["passed", undefined],
    ["passed", undefined],
    ["passed", undefined],
  ]);
  expect(runs[1].output).toBe("3");
  expect(artefact).toMatchObject({ verdict: "PASS", stage: "code" });
});

test.each([
  ["an error", "```js exec=run\nnope();\n```", "FAIL", /not defined/],
  ["an endless loop", "```js exec=run\nfor (;;);\n```", "FAIL", /does not end/],
  ["a wrong expectation", "```js exec=run expect=3\n2;\n```", "FAIL", /gives "2" and not "3"/],
  ["a syntax error", "```ts exec=run\nlet = ;\n```", "FAIL", /Line 2/],
  ["an import", '```ts exec=run\nimport { a } from "b";\na;\n```', "BLOCKED", /imports "b"/],
  ["a need", "```ts exec=run needs=gpu\n1;\n```", "BLOCKED", /needs gpu/],
  ["another language", "```bash exec=run\nls\n```", "BLOCKED", /cannot be run here/],
  ["Python without an interpreter", "```python exec=run\n1\n```", "BLOCKED", /No Python/],
])("%s gives %s", async (_, markdown, verdict, message) => {
  const { runs, artefact } = await run(markdown);
  expect(artefact.verdict).toBe(verdict);
  expect(runs[0].message).toMatch(message);
});

test("skipped code warns, parsed code passes, no code is not applicable", async () => {
  expect((await run("```js exec=skip\nx(\n```")).artefact.verdict).toBe("WARN");
  expect((await run("```js\nx();\n```")).artefact.verdict).toBe("PASS");
  expect((await run("Text.")).artefact.verdict).toBe("NOT_APPLICABLE");
});

test.skipIf(python === undefined)(
  "Python runs in one namespace with its chain, without network and processes",
  async () => {
    const { runs } = await run(
      [
        '```python exec=run expect="1"\nx = 1\nprint(x)\n```',
        '```python exec=run continues expect="2"\nprint(x + 1)\n```',
        "```python exec=run\nimport module_that_is_not_there\n```",
        "```python exec=run\nimport socket\nsocket.create_connection(('127.0.0.1', 9))\n```",
        "```python exec=run\nimport os\nos.system('true')\n```",
        "```python exec=run\nopen('/a-file-in-the-root', 'w')\n```",
        "```python exec=run\nopen('own.txt', 'w').write('a')\n```",
        "```python exec=run\n1 / 0\n```",
      ].join("\n\n"),
      { python },
    );
    expect(runs.map(({ outcome }) => outcome)).toEqual([
      "passed",
      "passed",
      "blocked",
      "failed",
      "failed",
      "failed",
      "passed",
      "failed",
    ]);
    expect(runs[2].message).toMatch(/module_that_is_not_there/);
    expect(runs[4].message).toMatch(/may not use os.system/);
    expect(runs[7].message).toBe("ZeroDivisionError: division by zero");
  },
);

test.skipIf(python === undefined)("Python that does not end is ended", async () => {
  const { runs } = await run("```python exec=run\nwhile True: pass\n```", { python, maxSeconds: 1 });
  expect(runs[0]).toMatchObject({ outcome: "failed" });
});
