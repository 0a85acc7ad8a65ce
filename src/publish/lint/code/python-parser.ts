import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Language, Parser, type Node } from "web-tree-sitter";
import { findPythonNames, type PythonNames } from "./python-names.js";

/** Something that is no Python 3. */
export interface SyntaxFault {
  /** 1-based, within the code. */
  readonly line: number;
  readonly message: string;
}

/** Reads Python without an interpreter. */
export interface PythonParser {
  /** Returns what is wrong with the form of a block, and the names it defines and uses. */
  analyze(code: string): { readonly faults: readonly SyntaxFault[]; readonly names: PythonNames };
}

/** Statements of Python 2 that the grammar still takes. */
const oldStatements = ["print_statement", "exec_statement"];

function showNode(node: Node): string {
  const [line] = node.text.split("\n");
  return line.length > 40 ? `${line.slice(0, 40)}…` : line;
}

/** Returns the innermost places where the parser had to skip or to invent something. */
function findErrors(node: Node, faults: SyntaxFault[] = []): SyntaxFault[] {
  const line = node.startPosition.row + 1;
  if (node.isMissing) faults.push({ line, message: `"${node.type}" is missing` });
  else if (node.isError) faults.push({ line, message: `"${showNode(node)}" cannot be read here` });
  else for (const child of node.children) if (child.hasError) findErrors(child, faults);
  return faults;
}

function findFaults(root: Node): readonly SyntaxFault[] {
  const old = root.descendantsOfType(oldStatements).map((node) => ({
    line: node.startPosition.row + 1,
    message: `"${showNode(node)}" is a statement of Python 2`,
  }));
  return [...findErrors(root), ...old].sort((a, b) => a.line - b.line);
}

/**
 * Returns code with what only notebooks and shells understand blanked out, lines kept: prompts of an interactive
 * session with what it printed, and lines that begin with `!` or `%`.
 */
export function stripNotebookSyntax(code: string): string {
  const lines = code.split("\n");
  const isSession = lines.some((line) => line.startsWith(">>> "));
  return lines
    .map((line) => {
      if (isSession) return /^(>>>|\.\.\.)( |$)/.test(line) ? line.slice(4) : "";
      return /^\s*[!%]\S/.test(line) ? "" : line;
    })
    .join("\n");
}

/**
 * Loads the grammar and returns the parser; it lives as long as the process.
 *
 * @throws {Error} when the grammar's files cannot be read.
 */
export async function loadPythonParser(): Promise<PythonParser> {
  const { resolve } = createRequire(import.meta.url);
  await Parser.init();
  const language = await Language.load(await readFile(resolve("tree-sitter-python/tree-sitter-python.wasm")));
  const parser = new Parser();
  parser.setLanguage(language);
  return {
    analyze(code) {
      const tree = parser.parse(stripNotebookSyntax(code));
      // Only a parser without a language or one that was cancelled returns nothing.
      if (tree === null) throw new Error("The Python parser gave no tree");
      try {
        return { faults: findFaults(tree.rootNode), names: findPythonNames(tree.rootNode) };
      } finally {
        tree.delete();
      }
    },
  };
}
