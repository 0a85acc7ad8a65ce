import { usageError } from "../../core/index.js";

/** One replacement made in every observation before it becomes tokens. Data and no function: it is part of the codec's hash. */
export interface TextRewrite {
  /** Regular expression, with the flags `g`, `u` and `m` set. */
  readonly pattern: string;
  /** As in `String.replace`: `$1` is the first group. */
  readonly replacement: string;
}

/** Words that say little and cost a token each. */
const fillers = "a|an|are|by|in|is|its|on|the|was|were|at|that|these|this|which|whose";

/**
 * Shortens what the vault shows to what changes: the keys on one line, the odds as two numbers, then the value a plate
 * tells, and whether the reader is stuck or jammed. Which plates were read is in the episode already.
 */
export const vaultRewrites: readonly TextRewrite[] = [
  { pattern: "^There are \\d+ keys:\\n", replacement: "keys\n" },
  { pattern: "^- ([a-z-]+)\\n", replacement: "$1 " },
  { pattern: "The plates tell [a-z, ]+\\. ", replacement: "" },
  { pattern: "Plates never stick here\\.", replacement: "stick 0" },
  { pattern: "One plate in (\\d+) sticks at its first reading\\.", replacement: "stick $1" },
  { pattern: "Force opens one door in (\\d+)\\.", replacement: "force $1" },
  { pattern: "\\n?Plates read: [a-z, ]+\\. The reader works\\.", replacement: "" },
  { pattern: "\\n?Plates read: [a-z, ]+\\. The reader is jammed\\.", replacement: " jammed" },
  { pattern: "The plate says: the right key's ([a-z]+) is ([a-z]+)\\.", replacement: "$1 $2" },
  { pattern: "You have read this plate before\\.", replacement: "again" },
  { pattern: "The ([a-z]+) plate stuck and jammed the reader\\.", replacement: "$1 stuck" },
  { pattern: "The reader is jammed, and pulling at it makes it worse\\.", replacement: "worse" },
  { pattern: "The reader is less jammed, but needs another reset\\.", replacement: "less" },
  { pattern: "The reader is free again\\.", replacement: "free" },
  { pattern: "The reader is not jammed; resetting it changes nothing\\.", replacement: "nothing" },
  { pattern: "The guard has nothing new to say\\. ", replacement: "again " },
  { pattern: "The guard names ([a-z-]+)\\.", replacement: "guard $1" },
];

/**
 * Shortens the paragraphs of lookup by leaving out words that carry no fact. Names keep theirs: an article before a
 * capital at the beginning of a title stays.
 */
export const lookupRewrites: readonly TextRewrite[] = [
  { pattern: "^Question: ", replacement: "" },
  { pattern: "^Other paragraphs: ", replacement: "also " },
  { pattern: "The answer is (right|wrong)\\.", replacement: "$1" },
  // A title "The Brae of Skoun" is a name; "The River Dovan" is a name after an article.
  { pattern: "\\bThe (?=(?:River|Lake)\\b|[a-z])", replacement: "" },
  { pattern: `\\b(?:${fillers}) `, replacement: "" },
];

const rewritesByEnv: { readonly [envId: string]: readonly TextRewrite[] } = {
  vault: vaultRewrites,
  lookup: lookupRewrites,
};

/** Returns the rewrites that suit an env of turnwise; none for envs whose texts are short, and for any other env. */
export function getTextRewrites(envId: string): readonly TextRewrite[] {
  return Object.hasOwn(rewritesByEnv, envId) ? rewritesByEnv[envId] : [];
}

/**
 * Returns a function that makes all replacements in a text, in order, and drops spaces at the end of lines.
 *
 * @throws {TurnwiseError} (usage) for a pattern that is no regular expression.
 */
export function createTextRewriter(rewrites: readonly TextRewrite[]): (text: string) => string {
  const compiled = rewrites.map(({ pattern, replacement }) => {
    try {
      return { expression: new RegExp(pattern, "gum"), replacement };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw usageError(
        `Cannot use the text rewrite "${pattern}": it is no regular expression (${reason})`,
        "Patterns are JavaScript regular expressions with the flags g, u and m",
      );
    }
  });
  if (compiled.length === 0) return (text) => text;
  return (text) =>
    compiled
      .reduce((current, { expression, replacement }) => current.replace(expression, replacement), text)
      .replace(/ +$/gm, "");
}
