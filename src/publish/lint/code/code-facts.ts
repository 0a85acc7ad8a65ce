// internal
import type { Block, ExecMode, PublishDocument } from "../../document.js";
import { findDataFaults } from "./data-faults.js";
import type { NamePlace, PythonNames } from "./python-names.js";
import type { PythonParser, SyntaxFault } from "./python-parser.js";
import { analyzeScripts, isScriptLanguage } from "./typescript-names.js";

/** Which reader a block's language has. Blocks of one family see each other's names. */
export type CodeFamily = "python" | "script" | "data" | "other";

/** One code block with what its reader found; lines are those of the document. */
export interface CodeFacts {
  readonly block: Block;
  readonly family: CodeFamily;
  readonly mode: ExecMode;
  readonly faults: readonly SyntaxFault[];
  readonly definitions: readonly (NamePlace & { readonly isImport: boolean })[];
  /** Names that the block itself does not define. */
  readonly undefinedNames: readonly NamePlace[];
  readonly lateNames: PythonNames["lateNames"];
  readonly hasWildcard: boolean;
}

const pythonLanguages: ReadonlySet<string> = new Set(["python", "py", "python3", "pycon", "ipython"]);

/** Returns the family of a language. */
export function getCodeFamily(language: string): CodeFamily {
  if (pythonLanguages.has(language)) return "python";
  if (isScriptLanguage(language)) return "script";
  return findDataFaults(language, "null") === undefined ? "other" : "data";
}

/** Returns how a block is treated: its own attribute, then the document's default, then `parse`. */
export function getExecMode({ attributes = {} }: Block, { frontMatter }: PublishDocument): ExecMode {
  const own = attributes["exec"];
  if (own === "run" || own === "parse" || own === "skip") return own;
  return frontMatter.code ?? "parse";
}

type Facts = Omit<CodeFacts, "block" | "family" | "mode">;

const nothing: Facts = { faults: [], definitions: [], undefinedNames: [], lateNames: [], hasWildcard: false };

function analyzePython(parser: PythonParser, code: string): Facts {
  const { faults, names } = parser.analyze(code);
  // Names in a block that cannot be read would be guesses; what it defines still serves later ones.
  return faults.length > 0 ? { ...nothing, faults, definitions: names.definitions } : { faults, ...names };
}

/** Returns the facts with lines of the document; the first line of code is the one after the fence. */
function place(facts: Facts, { lineStart }: Block): Facts {
  const move = <Place extends { readonly line: number }>(place: Place): Place => ({
    ...place,
    line: place.line + lineStart,
  });
  return {
    ...facts,
    faults: facts.faults.map(move),
    definitions: facts.definitions.map(move),
    undefinedNames: facts.undefinedNames.map(move),
    lateNames: facts.lateNames.map((late) => ({ ...move(late), boundLine: late.boundLine + lineStart })),
  };
}

const known = new WeakMap<PublishDocument, readonly CodeFacts[]>();

/** Returns the facts of every code block in document order; skipped blocks and unknown languages have empty ones. */
export function listCodeFacts(document: PublishDocument, parser: PythonParser): readonly CodeFacts[] {
  const cached = known.get(document);
  if (cached !== undefined) return cached;
  const blocks = document.blocks.filter(({ type }) => type === "code");
  const judged = (block: Block): boolean => getExecMode(block, document) !== "skip";
  const scripts = blocks.filter((block) => judged(block) && isScriptLanguage(block.language ?? ""));
  const scriptFacts = new Map(
    analyzeScripts(scripts.map(({ language = "", code = "" }) => ({ language, code }))).map((facts, i) => [
      scripts[i],
      { ...nothing, ...facts },
    ]),
  );
  const all = blocks.map((block): CodeFacts => {
    const { language = "", code = "" } = block;
    const family = getCodeFamily(language);
    let facts = nothing;
    if (!judged(block)) facts = nothing;
    else if (family === "python") facts = analyzePython(parser, code);
    else if (family === "script") facts = scriptFacts.get(block) ?? nothing;
    else if (family === "data") facts = { ...nothing, faults: findDataFaults(language, code) ?? [] };
    return { block, family, mode: getExecMode(block, document), ...place(facts, block) };
  });
  known.set(document, all);
  return all;
}

/**
 * Returns the blocks that a block continues, first to last: with the attribute `continues` the block of its family
 * before it, or the one whose id or label it names, and what that one continues.
 */
export function listChain(facts: CodeFacts, all: readonly CodeFacts[]): readonly CodeFacts[] {
  const target = facts.block.attributes?.["continues"];
  if (target === undefined) return [];
  const earlier = all.slice(0, all.indexOf(facts)).filter(({ family }) => family === facts.family);
  const named = earlier.find(({ block }) => block.id === target || block.attributes?.["id"] === target);
  const before = named ?? earlier.at(-1);
  return before === undefined ? [] : [...listChain(before, all), before];
}

/** Returns what is defined before a block: by its chain where it is run, by every earlier block otherwise. */
export function listEarlier(facts: CodeFacts, all: readonly CodeFacts[]): readonly CodeFacts[] {
  if (facts.mode === "run") return listChain(facts, all);
  return all.slice(0, all.indexOf(facts)).filter(({ family }) => family === facts.family);
}
