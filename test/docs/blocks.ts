// Reads the code blocks of a document and the marks above them.

/** One fenced block. Marks are HTML comments on the lines right above the fence, `<!-- name: value -->`. */
export interface Block {
  readonly file: string;
  /** Line of the opening fence, counted from 1. */
  readonly line: number;
  /** First word after the fence; empty when there is none. */
  readonly language: string;
  readonly text: string;
  readonly marks: ReadonlyMap<string, string>;
}

/** Marks and the languages they may stand above. */
export const knownMarks: Readonly<Record<string, readonly string[]>> = {
  "not run": ["sh", "ts"],
  exit: ["sh"],
  expect: ["text"],
  file: ["ts", "js", "mjs", "json", "jsonl", "yaml", "md"],
};

const fence = /^( *)(`{3,}|~{3,}) *([\w-]*)/;
const mark = /^ *<!-- *([a-z ]+?) *(?:: *(.*?))? *-->$/;

/**
 * Returns the fenced blocks of a Markdown text in order.
 *
 * @throws {SyntaxError} for a fence that is never closed and for a mark that is unknown or stands above the wrong
 *   language: a typing error must not silently turn a check off.
 */
export function parseBlocks(file: string, markdown: string): Block[] {
  const lines = markdown.split("\n");
  const blocks: Block[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const open = fence.exec(lines[index] ?? "");
    if (open === null) continue;
    const [, indent = "", ticks = "", language = ""] = open;
    const marks = readMarks(lines, index);
    const line = index + 1;
    const body: string[] = [];
    for (index += 1; !(lines[index] ?? "").trimStart().startsWith(ticks); index += 1) {
      const text = lines[index];
      if (text === undefined) throw new SyntaxError(`Cannot read ${file}:${line}: the block is never closed`);
      body.push(text.startsWith(indent) ? text.slice(indent.length) : text);
    }
    for (const name of marks.keys()) {
      if (knownMarks[name]?.includes(language) !== true) {
        throw new SyntaxError(
          `Cannot read ${file}:${line}: mark "${name}" does not belong above a "${language}" block`,
        );
      }
    }
    blocks.push({ file, line, language, text: `${body.join("\n")}\n`, marks });
  }
  return blocks;
}

/** Collects the marks on the lines right above a fence. */
function readMarks(lines: readonly string[], fenceIndex: number): Map<string, string> {
  const marks = new Map<string, string>();
  for (let index = fenceIndex - 1; index >= 0; index -= 1) {
    const found = mark.exec(lines[index] ?? "");
    if (found === null) break;
    marks.set(found[1] ?? "", found[2] ?? "");
  }
  return marks;
}

/**
 * Returns the first expected line that the output lacks, or `undefined` if all are there in this order. Lines between
 * them do not matter; `…` stands for anything within a line, and alone on a line for any lines.
 */
export function findMissingLine(expected: string, output: string): string | undefined {
  const lines = output.split("\n").map((line) => line.trimEnd());
  let next = 0;
  for (const line of expected.split("\n").map((text) => text.trimEnd())) {
    if (line === "" || line.trim() === "…") continue;
    const pattern = new RegExp(`^${line.split("…").map(escapePattern).join(".*")}$`);
    const found = lines.findIndex((text, index) => index >= next && pattern.test(text));
    if (found < 0) return line;
    next = found + 1;
  }
  return undefined;
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** A shell block divided into what is run and what only holds in a fresh clone. */
export interface ShellScript {
  readonly script: string;
  /** Names of npm scripts that the block calls; they must exist. */
  readonly npmScripts: readonly string[];
  /** Packages that the block installs by name. */
  readonly npmPackages: readonly string[];
}

/**
 * Returns a shell block without the commands that fetch or install (`npm …`, `git clone`, `cd turnwise` after it):
 * those would run the tests within the tests, so only their names are checked.
 */
export function splitShell(text: string): ShellScript {
  const npmScripts: string[] = [];
  const npmPackages: string[] = [];
  const kept = text.split("\n").map((line) =>
    line
      .split("&&")
      .filter((part) => {
        const words = part.trim().split(/\s+/);
        if (words[0] === "git" && words[1] === "clone") return false;
        if (words[0] === "cd" && words[1] === "turnwise") return false;
        if (words[0] !== "npm") return true;
        if (words[1] === "run") npmScripts.push(words[2] ?? "");
        else if (words[1] === "test" || words[1] === "start") npmScripts.push(words[1]);
        else if (words[1] === "install" || words[1] === "i")
          npmPackages.push(...words.slice(2).filter((word) => !word.startsWith("-")));
        return false;
      })
      .join("&&"),
  );
  return { script: kept.join("\n"), npmScripts, npmPackages };
}
