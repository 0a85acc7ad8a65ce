// Runs the code of README.md, docs/guides/ and the examples' README files, block by block, in documents' order.
//
// `sh` blocks run with bash in a folder that looks like a clone after the build; `text` blocks marked `expect` are
// compared with what the block before printed; `ts` blocks are type-checked and run; blocks marked `file` are written
// under that name. What cannot run here is marked `not run` with its reason. A document that uses $OPENAI_BASE_URL gets
// the mock server.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listFiles } from "../../scripts/lib/sources.mjs";
import { findMissingLine, parseBlocks, splitShell, type Block } from "./blocks.js";
import { startDocsServer, type DocsServer } from "./server.js";
import { createWorkspace, repositoryRoot, type RunResult } from "./workspace.js";

const documents = [
  "README.md",
  ...listFiles(repositoryRoot, "docs/guides").filter((file) => file.endsWith(".md")),
  ...listFiles(repositoryRoot, "examples").filter((file) => file.endsWith("/README.md")),
].filter((file) => existsSync(join(repositoryRoot, file)));

const workspace = createWorkspace();
afterAll(() => workspace.remove());

const manifest = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as {
  name: string;
  scripts: Record<string, string>;
};
const tsx = pathToFileURL(join(repositoryRoot, "node_modules/tsx/dist/loader.mjs")).href;

describe.each(documents)("%s", (file) => {
  const markdown = readFileSync(join(repositoryRoot, file), "utf8");
  const blocks = parseBlocks(file, markdown);
  let server: DocsServer | undefined;
  let last: RunResult = { code: 0, output: "" };
  beforeAll(async () => {
    if (markdown.includes("$OPENAI_BASE_URL")) server = await startDocsServer();
  });
  afterAll(() => server?.close());

  const tested = blocks.filter(
    ({ language, marks }) => ["sh", "ts"].includes(language) || marks.has("file") || marks.has("expect"),
  );
  test.each(tested)("$language block of line $line", { timeout: 180_000 }, async (block) => {
    const reason = block.marks.get("not run");
    if (reason !== undefined) {
      expect(reason.length, "a block that is not run gives its reason").toBeGreaterThan(10);
      return;
    }
    if (block.marks.has("expect")) {
      expect(findMissingLine(block.text, last.output), last.output).toBeUndefined();
      return;
    }
    if (block.language !== "sh" && block.language !== "ts") {
      writeFileSync(join(workspace.folderOf(file), block.marks.get("file") ?? ""), block.text);
      return;
    }
    const command = block.language === "sh" ? prepareShell(block) : prepareTypeScript(block);
    last = await workspace.run(file, command, server?.env ?? {});
    expect(last.code, last.output).toBe(Number(block.marks.get("exit") ?? 0));
  });
});

/** Checks what is not run and returns the command for the rest. */
function prepareShell(block: Block): [string, ...string[]] {
  const { script, npmScripts, npmPackages } = splitShell(block.text);
  for (const name of npmScripts) expect(Object.keys(manifest.scripts)).toContain(name);
  for (const name of npmPackages) expect(name.replace(/(?<=.)@.*/, "")).toBe(manifest.name);
  return ["bash", "-euo", "pipefail", "-c", script];
}

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: ["node"],
  typeRoots: [join(repositoryRoot, "node_modules/@types")],
};

/** Returns a host that reads each declaration once for all blocks: they are most of what checking a block takes. */
function createSharedHost(): ts.CompilerHost {
  const host = ts.createCompilerHost(compilerOptions);
  const read = host.getSourceFile.bind(host);
  const declarations = new Map<string, ts.SourceFile | undefined>();
  host.getSourceFile = (path, ...rest) => {
    if (!path.endsWith(".d.ts")) return read(path, ...rest);
    if (!declarations.has(path)) declarations.set(path, read(path, ...rest));
    return declarations.get(path);
  };
  return host;
}
const host = createSharedHost();

/** Writes the block to a file, checks its types, and returns the command that runs it. */
function prepareTypeScript(block: Block): [string, ...string[]] {
  const path = join(workspace.folderOf(block.file), block.marks.get("file") ?? `line-${block.line}.ts`);
  writeFileSync(path, block.text);
  const program = ts.createProgram([path], compilerOptions, host);
  const faults = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  expect(faults).toEqual([]);
  return [process.execPath, "--import", tsx, path];
}
