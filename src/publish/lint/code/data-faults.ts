// internal
import ts from "typescript";
import { LineCounter, parseAllDocuments } from "yaml";
import { errorMessage } from "../../../core/index.js";
import type { SyntaxFault } from "./python-parser.js";

function showFault({ messageText }: ts.Diagnostic): string {
  return ts.flattenDiagnosticMessageText(messageText, ": ").replace(/\.$/, "");
}

/** Returns the first fault of JSON text; none for sound text. The compiler says what is wrong where it is stricter than JSON. */
function findJsonFault(code: string, firstLine = 1): SyntaxFault[] {
  try {
    JSON.parse(code);
    return [];
  } catch (error) {
    const file = ts.parseJsonText("block.json", code);
    const [fault] = findJsonDiagnostics(file);
    // Engines word their messages differently; all of them give the offset.
    const stated = Number(/position (\d+)/.exec(errorMessage(error))?.[1] ?? 0);
    const { line } = file.getLineAndCharacterOfPosition(fault?.start ?? stated);
    const loose = "The text is no JSON: comments, trailing commas and single quotes are not allowed";
    const message = fault === undefined ? (code.trim() === "" ? "The text is empty" : loose) : showFault(fault);
    return [{ line: line + firstLine, message }];
  }
}

function findJsonDiagnostics(file: ts.JsonSourceFile): readonly ts.Diagnostic[] {
  const { parseDiagnostics } = file as ts.JsonSourceFile & { parseDiagnostics?: readonly ts.Diagnostic[] }; // not in the public types
  return parseDiagnostics ?? [];
}

function findJsonLinesFaults(code: string): SyntaxFault[] {
  return code.split("\n").flatMap((line, i) => (line.trim() === "" ? [] : findJsonFault(line, i + 1)));
}

function findCommentedJsonFaults(code: string): SyntaxFault[] {
  const file = ts.parseJsonText("block.jsonc", code);
  return findJsonDiagnostics(file).map((fault) => ({
    line: file.getLineAndCharacterOfPosition(fault.start ?? 0).line + 1,
    message: showFault(fault),
  }));
}

function findYamlFaults(code: string): SyntaxFault[] {
  const lineCounter = new LineCounter();
  return parseAllDocuments(code, { lineCounter, prettyErrors: false }).flatMap((document) =>
    document.errors.map(({ message, pos }) => ({ line: lineCounter.linePos(pos[0]).line, message })),
  );
}

const checks: { readonly [language: string]: (code: string) => SyntaxFault[] } = {
  json: (code) => findJsonFault(code),
  jsonl: findJsonLinesFaults,
  ndjson: findJsonLinesFaults,
  jsonc: findCommentedJsonFaults,
  json5: findCommentedJsonFaults,
  yaml: findYamlFaults,
  yml: findYamlFaults,
};

/** Returns what is wrong with a block of data, or `undefined` for a language that is not data. */
export function findDataFaults(language: string, code: string): readonly SyntaxFault[] | undefined {
  return Object.hasOwn(checks, language) ? checks[language](code) : undefined;
}
