import ts from "typescript";
import { createHash } from "node:crypto";
import type { Sandbox } from "../../../sandbox/index.js";
import type { ExecMode, PublishDocument } from "../../document.js";
import { listChain, listCodeFacts, type CodeFacts } from "./code-facts.js";
import type { PythonParser } from "./python-parser.js";
import type { PythonRunner } from "./python-runner.js";
import type { RunResult } from "./run-result.js";

/** How running a block came out: `parsed` and `skipped` ones were not run, `blocked` ones could not be. */
export type CodeOutcome = "passed" | "failed" | "blocked" | "skipped" | "parsed";

/** One code block and what became of it. */
export interface CodeRun {
  readonly block: string;
  readonly line: number;
  readonly language: string;
  readonly mode: ExecMode;
  readonly outcome: CodeOutcome;
  /** Why it failed or was blocked. */
  readonly message?: string;
  /** What was expected, where the block says so. */
  readonly expect?: string;
  /** What it printed, or its last value where it printed nothing. */
  readonly output?: string;
  /** SHA-256 of the output, hex. */
  readonly output_sha256?: string;
}

/** What runs code. */
export interface CodeRunners {
  readonly sandbox: Sandbox;
  /** Absent: Python blocks are blocked. */
  readonly python?: PythonRunner;
  /** Seconds for one block; default 10. */
  readonly maxSeconds?: number;
}

/** Returns the source without what only modules know: `export` before declarations, lists of exports, type imports. */
function toScript(code: string): { readonly script: string; readonly imports: readonly string[] } {
  const file = ts.createSourceFile("block.ts", code, ts.ScriptTarget.ES2024, true);
  const cuts: (readonly [number, number])[] = [];
  const imports: string[] = [];
  for (const statement of file.statements) {
    const whole = [statement.getStart(file), statement.end] as const;
    if (ts.isImportDeclaration(statement)) {
      cuts.push(whole);
      if (statement.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword)
        imports.push(statement.moduleSpecifier.getText(file));
    } else if (ts.isExportDeclaration(statement)) cuts.push(whole);
    else if (ts.canHaveModifiers(statement)) {
      for (const modifier of ts.getModifiers(statement) ?? [])
        if (modifier.kind === ts.SyntaxKind.ExportKeyword || modifier.kind === ts.SyntaxKind.DefaultKeyword)
          cuts.push([modifier.getStart(file), modifier.end]);
    }
  }
  const blanked = cuts.reduce(
    (text, [from, to]) => text.slice(0, from) + text.slice(from, to).replace(/[^\n]/g, " ") + text.slice(to),
    code,
  );
  const script = ts.transpileModule(blanked, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, removeComments: false },
  }).outputText;
  const isAsync = file.statements.some(function waits(node: ts.Node): boolean {
    if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier !== undefined)) return true;
    return ts.isFunctionLike(node) ? false : (ts.forEachChild(node, waits) ?? false);
  });
  return { script: isAsync ? `(async () => {\n${script}\n})()` : script, imports };
}

function showValue(value: unknown): string {
  return typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
}

async function runScript(chain: readonly CodeFacts[], facts: CodeFacts, runners: CodeRunners): Promise<RunResult> {
  const parts = [...chain, facts].map(({ block }) => ({ name: block.id, ...toScript(block.code ?? "") }));
  const imported = parts.flatMap(({ imports }) => imports);
  if (imported.length > 0) {
    const message = `The block imports ${imported.join(", ")}: the sandbox has no modules`;
    return { outcome: "blocked", output: "", message };
  }
  const last = parts[parts.length - 1];
  // What the blocks before print is not this block's output.
  const hush = {
    name: "quiet",
    code: "globalThis.__console = console; globalThis.console = new Proxy({}, { get: () => () => {} });",
  };
  const loud = { name: "loud", code: "globalThis.console = globalThis.__console; delete globalThis.__console;" };
  const earlier = parts.slice(0, -1).map(({ name, script }) => ({ name, code: script }));
  const { outcome, output, value, error } = await runners.sandbox.run(last.script, {
    name: last.name,
    maxSeconds: runners.maxSeconds ?? 10,
    ...(earlier.length === 0 ? {} : { scripts: [hush, ...earlier, loud] }),
  });
  const shown = output.trim() === "" ? showValue(value) : output;
  if (outcome === "ok") return { outcome: "passed", output: shown };
  const place = error?.place === undefined ? "" : ` (${error.place.script})`;
  const message =
    outcome === "error"
      ? `${error?.name ?? "Error"}: ${error?.message ?? ""}${place}`
      : outcome === "timeout"
        ? "The block does not end in time"
        : "The block needs more memory than it may use";
  return { outcome: "failed", output: shown, message };
}

async function runPython(chain: readonly CodeFacts[], facts: CodeFacts, runners: CodeRunners): Promise<RunResult> {
  const { python, maxSeconds = 10 } = runners;
  if (python === undefined) return { outcome: "blocked", output: "", message: "No Python interpreter is on the PATH" };
  return python.run(
    [...chain, facts].map(({ block }) => block.code ?? ""),
    maxSeconds,
  );
}

/** Whitespace at the ends of lines and of the text does not count. */
function normalize(text: string): string {
  return text
    .replaceAll("\\n", "\n")
    .replace(/[ \t]+$/gm, "")
    .trim();
}

async function runBlock(facts: CodeFacts, all: readonly CodeFacts[], runners: CodeRunners): Promise<CodeRun> {
  const { block, mode, family, faults } = facts;
  const attributes = block.attributes ?? {};
  const head = { block: block.id, line: block.lineStart, language: block.language ?? "", mode };
  if (mode === "skip") return { ...head, outcome: "skipped" };
  if (faults.length > 0) return { ...head, outcome: "failed", message: `Line ${faults[0].line}: ${faults[0].message}` };
  if (mode === "parse") return { ...head, outcome: "parsed" };
  if (family !== "script" && family !== "python")
    return { ...head, outcome: "blocked", message: `Code in "${head.language}" cannot be run here` };
  const needs = attributes["needs"];
  if (needs !== undefined && family === "script")
    return { ...head, outcome: "blocked", message: `The block needs ${needs}, which the sandbox lacks` };
  const chain = listChain(facts, all);
  const { outcome, output, message } = await (family === "script" ? runScript : runPython)(chain, facts, runners);
  const expect = attributes["expect"];
  const ran = {
    ...head,
    ...(expect === undefined ? {} : { expect }),
    output,
    output_sha256: createHash("sha256").update(output).digest("hex"),
  };
  if (outcome !== "passed") return { ...ran, outcome, message };
  if (expect === undefined || normalize(output) === normalize(expect)) return { ...ran, outcome };
  return {
    ...ran,
    outcome: "failed",
    message: `The block gives "${normalize(output).slice(0, 200)}" and not "${expect}"`,
  };
}

/**
 * Parses every code block of a document and runs those marked `exec=run`, one after another: TypeScript and JavaScript
 * in the sandbox, types stripped; Python by an interpreter. A block with `continues` sees what the blocks it continues
 * defined. What a block does wrong is in its outcome, never thrown.
 */
export async function runDocumentCode(
  document: PublishDocument,
  parser: PythonParser,
  runners: CodeRunners,
): Promise<readonly CodeRun[]> {
  const all = listCodeFacts(document, parser);
  const runs: CodeRun[] = [];
  for (const facts of all) runs.push(await runBlock(facts, all, runners));
  return runs;
}
