// internal
import { isJsonObject } from "../../core/index.js";
import type { CodecEpisode, TextParameterStyle } from "./codec-episode.js";
import { getChoiceText, type ToolParameter } from "./tool-parameters.js";
import {
  getPieceKey,
  isWritable,
  loneSpace,
  readPieceKey,
  splitPieces,
  unmergePiece,
  type TextPiece,
} from "./text-pieces.js";
import { getShownText } from "./shown-words.js";

/** What the episodes say about one text parameter. */
export interface ParameterUse {
  readonly style: TextParameterStyle;
  /** Keys of the pieces its values were made of often enough; empty for `span`. */
  readonly keys: readonly string[];
  readonly hasLines: boolean;
  readonly hasEmpty: boolean;
  readonly maxTokens: number;
}

/** How many episodes hold each piece; keyed by how a vocabulary writes it. */
export class PieceCounts {
  readonly #counts = new Map<string, number>();
  /** Counts each piece of the texts of one episode once. */
  add(texts: Iterable<string>): void {
    const keys = new Set<string>();
    for (const text of texts) {
      for (const piece of splitPieces(text)) if (piece.text !== "\n" && isWritable(piece)) keys.add(getPieceKey(piece));
    }
    for (const key of keys) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** Returns the keys in at least `least` episodes, most frequent first, at most `most`. Ties by text. */
  listFrequent(least: number, most: number): string[] {
    return [...this.#counts]
      .filter(([, count]) => count >= least)
      .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
      .slice(0, most)
      .map(([key]) => key);
  }
}

/** Returns the shown texts of an episode, rewritten, in order. */
export function listShownTexts(episode: CodecEpisode, rewrite: (text: string) => string): string[] {
  const last = episode.finalObservation === undefined ? [] : [episode.finalObservation];
  return [...episode.turns.map(({ observation }) => observation), ...last].map((observation) =>
    rewrite(getShownText(observation)),
  );
}

const wordPattern = /[\p{L}\p{M}\p{N}]/u;

/** Says whether a value stands somewhere in the texts, on one line and not inside a word. */
function isShown(value: string, texts: readonly string[]): boolean {
  if (value === "" || value.includes("\n")) return false;
  if (!wordPattern.test(value[0]) || !wordPattern.test(value[value.length - 1])) return false;
  return texts.some((text) => {
    for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
      const [before, after] = [text[at - 1] ?? " ", text[at + value.length] ?? " "];
      if (!wordPattern.test(before) && !wordPattern.test(after)) return true;
    }
    return false;
  });
}

/** A value of a text parameter with whether it could have been copied. */
interface UsedValue {
  readonly value: string;
  readonly episode: number;
  readonly isCopied: boolean;
}

/** Returns every value the episodes give to text parameters, keyed `tool.parameter`. */
export function collectValues(
  episodes: readonly CodecEpisode[],
  rewrite: (text: string) => string,
): Map<string, UsedValue[]> {
  const values = new Map<string, UsedValue[]>();
  for (const [index, episode] of episodes.entries()) {
    const texts = listShownTexts(episode, rewrite);
    for (const [turn, { action }] of episode.turns.entries()) {
      for (const { name, arguments: given } of action.toolCalls ?? []) {
        for (const [parameter, value] of Object.entries(isJsonObject(given) ? given : {})) {
          if (typeof value !== "string") continue;
          const key = `${name}.${parameter}`;
          const used = values.get(key) ?? [];
          used.push({ value, episode: index, isCopied: isShown(value, texts.slice(0, turn + 1)) });
          values.set(key, used);
        }
      }
    }
  }
  return values;
}

/** A text parameter is copied when this share of its values could have been. */
const minCopiedShare = 0.9;
const defaultSpanTokens = 8;
const defaultWordTokens = 16;

/**
 * Returns how a text parameter is written, from the values it had: copied when nearly all could be (or there is none),
 * else words. Values may be a little longer than the longest seen.
 */
export function describeUse(
  used: readonly UsedValue[],
  { style, least }: { readonly style?: TextParameterStyle; readonly least: number },
): ParameterUse {
  const copied = used.filter(({ isCopied }) => isCopied).length;
  const chosen = style ?? (copied >= minCopiedShare * used.length ? "span" : "words");
  const lengths = used.map(({ value }) => splitPieces(value).length);
  const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
  const hasLines = used.some(({ value }) => value.includes("\n"));
  const hasEmpty = used.some(({ value }) => value === "");
  if (chosen === "span") {
    const maxTokens = used.length === 0 ? defaultSpanTokens : Math.max(4, longest + 1);
    return { style: chosen, keys: [], hasLines: false, hasEmpty: false, maxTokens };
  }
  const counts = new PieceCounts();
  for (const episode of new Set(used.map(({ episode: index }) => index))) {
    counts.add(used.filter((value) => value.episode === episode).map(({ value }) => value));
  }
  const maxTokens = Math.max(defaultWordTokens, Math.ceil(1.5 * longest));
  return { style: chosen, keys: counts.listFrequent(least, Infinity), hasLines, hasEmpty, maxTokens };
}

/** Printable ASCII without the space: any word of these can be spelled. */
const spellable = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));

/** Returns the keys a vocabulary must hold whatever was shown: digits, choices, and characters to spell by where asked. */
export function listNeededKeys(
  parameters: readonly ToolParameter[],
  uses: readonly ParameterUse[],
  shownKeys: readonly string[],
): string[] {
  const glued = (text: string): TextPiece => ({ text, isGlued: true });
  const digits = Array.from({ length: 10 }, (_, digit) => String(digit)).flatMap((text) => [
    { text, isGlued: true },
    { text, isGlued: false },
  ]);
  const choices = parameters.flatMap(({ kind }) =>
    kind.type === "choice" ? kind.values.flatMap((value) => splitPieces(getChoiceText(value))) : [],
  );
  const signs = parameters.some(({ kind }) => kind.type === "number") ? [glued("-"), glued(".")] : [];
  const spelling = uses.some(({ style }) => style === "words") ? spellable.map(glued) : [];
  // What a merged piece falls apart into must be written when the merged one is rare.
  const marks = shownKeys.flatMap((key) => unmergePiece(readPieceKey(key)).slice(0, -1));
  return [loneSpace, ...digits, ...choices, ...signs, ...spelling, ...marks].map(getPieceKey);
}
