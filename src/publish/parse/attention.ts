// internal
import { attention } from "micromark-core-commonmark";
import type { Code, Construct, Effects, Extension, State, TokenizeContext } from "micromark-util-types";

const asterisk = 42;
const cjk =
  /[\u1100-\u11FF\u2E80-\u303F\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA960-\uA97F\uAC00-\uD7FF\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFFEE\uD840-\uD88D]/;

type CharacterClass = "space" | "punctuation" | "cjk" | "other";

/** Returns what a character is to emphasis. Punctuation of Chinese, Japanese and Korean counts with their letters. */
function classify(code: Code): CharacterClass {
  if (code === null || code < 0 || code === 32) return "space";
  const character = String.fromCharCode(code);
  if (cjk.test(character)) return "cjk";
  if (/\s/.test(character)) return "space";
  return /[\p{P}\p{S}]/u.test(character) ? "punctuation" : "other";
}

/**
 * The rule of emphasis for text without spaces between words (after the CJK-friendly amendment of CommonMark): a run
 * of marks beside punctuation may also open after, and close before, a Chinese, Japanese or Korean character, whose
 * own punctuation does not count as such. Without it `**文字。**后文` shows its asterisks.
 */
function tokenizeAttention(this: TokenizeContext, effects: Effects, ok: State): State {
  const before = classify(this.previous);
  let marker: Code;
  return start;

  function start(code: Code): State | undefined {
    marker = code;
    effects.enter("attentionSequence");
    return inside(code);
  }
  function inside(code: Code): State | undefined {
    if (code === marker) {
      effects.consume(code);
      return inside;
    }
    const token = effects.exit("attentionSequence");
    const after = classify(code);
    const opens = after !== "space" && (after !== "punctuation" || before !== "other");
    const closes = before !== "space" && (before !== "punctuation" || after !== "other");
    const isWordStart = before !== "other";
    const isWordEnd = after !== "other";
    token._open = marker === asterisk ? opens : opens && (isWordStart || !closes);
    token._close = marker === asterisk ? closes : closes && (isWordEnd || !opens);
    return ok(code);
  }
}

const construct: Construct = { ...attention, name: "cjkAttention", tokenize: tokenizeAttention };

/** Changes to the grammar of CommonMark: emphasis as above, and no HTML blocks, whose tags the dialect reads itself. */
export const dialectSyntax: Extension = {
  text: { 42: construct, 95: construct },
  disable: { null: ["attention", "htmlFlow"] },
};
