// internal
import { canonicalJson, type JsonValue } from "../../core/index.js";
import type { ParameterRule } from "./action-grammar.js";
import type { ShownWords } from "./shown-words.js";
import { joinPieces, loneSpace, splitPieces, unmergePiece, type TextPiece } from "./text-pieces.js";
import { getChoiceText } from "./tool-parameters.js";
import { decodeTextPieces, joinId, type SlotBinding, type WordTable } from "./word-table.js";

/** What one episode knows when an action is written. */
export interface EpisodeWords {
  readonly table: WordTable;
  readonly slots: SlotBinding;
  readonly shown: ShownWords;
}

/** What may follow a value begun. */
export interface ValueContinuation {
  readonly ids: readonly number[];
  /** Whether the end token may follow. */
  readonly canEnd: boolean;
  /** The value is complete as it stands, and no end token follows it. */
  readonly isDone?: true;
}

function continueChoice(
  { values, isPrefixFree }: ParameterRule & { type: "choice" },
  value: readonly number[],
): ValueContinuation {
  const fitting = values.filter(({ ids }) => value.every((id, index) => ids[index] === id));
  const canEnd = fitting.some(({ ids }) => ids.length === value.length);
  if (canEnd && isPrefixFree) return { ids: [], canEnd, isDone: true };
  return { ids: [...new Set(fitting.flatMap(({ ids }) => ids.slice(value.length, value.length + 1)))], canEnd };
}

function continueNumber(
  { isSigned, isWhole, maxTokens }: ParameterRule & { type: "number" },
  value: readonly number[],
  { table }: EpisodeWords,
): ValueContinuation {
  const { digitIds } = table;
  const point = table.findId({ text: ".", isGlued: true });
  const minus = table.findId({ text: "-", isGlued: true });
  const canEnd = value.length > 0 && digitIds.includes(value[value.length - 1]);
  const left = maxTokens - value.length;
  const ids = left > 0 ? [...digitIds] : [];
  if (isSigned && minus !== undefined && value.length === 0 && left > 1) ids.push(minus);
  if (!isWhole && point !== undefined && canEnd && left > 1 && !value.includes(point)) ids.push(point);
  return { ids, canEnd };
}

function continueWords(
  base: readonly number[],
  value: readonly number[],
  { isEmptyAllowed, maxTokens }: { readonly isEmptyAllowed: boolean; readonly maxTokens: number },
  { slots }: EpisodeWords,
): ValueContinuation {
  const isJoined = value[value.length - 1] === joinId;
  const canEnd = !isJoined && (value.length > 0 || isEmptyAllowed);
  const left = maxTokens - value.length;
  if (left < 1) return { ids: [], canEnd };
  if (isJoined) return { ids: slots.listIds(), canEnd };
  return { ids: left > 1 && slots.size > 0 ? [...base, joinId] : base, canEnd };
}

/** Returns what may follow when `value` are the ids of this parameter's value so far. */
export function continueValue(rule: ParameterRule, value: readonly number[], words: EpisodeWords): ValueContinuation {
  switch (rule.type) {
    case "choice":
      return continueChoice(rule, value);
    case "number":
      return continueNumber(rule, value, words);
    case "span":
      if (words.shown.hasSpan(rule.maxTokens)) return words.shown.listNext(value, rule.maxTokens);
      // Nothing to copy yet: any word, so that there is always something to say.
      return continueWords(words.table.contentIds, value, { ...rule, isEmptyAllowed: false }, words);
    case "words":
      return continueWords([...rule.ids, ...words.shown.listIds()], value, rule, words);
    default:
      return rule satisfies never;
  }
}

/** Returns the value that complete ids stand for. */
export function decodeValue(rule: ParameterRule, ids: readonly number[], words: EpisodeWords): JsonValue {
  if (rule.type === "choice") {
    const chosen = rule.values.find((value) => canonicalJson(value.ids) === canonicalJson(ids));
    if (chosen === undefined)
      throw new RangeError(`Cannot decode ids ${ids.join(", ")}: they are no value of the choice`);
    return chosen.value;
  }
  const text = joinPieces(decodeTextPieces(words.table, words.slots, ids));
  return rule.type === "number" ? Number(text) : text;
}

/** Returns the ids of a word letter by letter, or `undefined` when a letter is not in the vocabulary. */
function spell(piece: TextPiece, { table }: EpisodeWords): number[] | undefined {
  const parts = Array.from(piece.text, (text) => ({ text, isGlued: true }));
  const ids = [...(piece.isGlued ? [] : [loneSpace]), ...parts].map((part) => table.findId(part));
  return ids.every((id) => id !== undefined) ? ids : undefined;
}

function encodeWords(
  { ids, maxTokens }: ParameterRule & { type: "words" },
  text: string,
  words: EpisodeWords,
): number[] | undefined {
  const { table, slots, shown } = words;
  const usable = new Set([...ids, ...shown.listIds()]);
  const findUsable = (piece: TextPiece): number | undefined => {
    const id = table.findId(piece);
    return id !== undefined && usable.has(id) ? id : undefined;
  };
  const result: number[] = [];
  for (const whole of splitPieces(text)) {
    const parts = findUsable(whole) === undefined ? unmergePiece(whole) : [whole];
    for (const part of parts) {
      const slot = slots.findId(part.text);
      const slotIds = slot === undefined ? undefined : part.isGlued ? [joinId, slot] : [slot];
      const id = findUsable(part);
      const written = id === undefined ? (slotIds ?? spell(part, words)) : [id];
      if (written === undefined) return undefined;
      result.push(...written);
    }
  }
  return result.length > maxTokens ? undefined : result;
}

/** Returns the ids of a value without its end, or `undefined` when the rule cannot write it. */
export function encodeValue(rule: ParameterRule, value: JsonValue, words: EpisodeWords): readonly number[] | undefined {
  switch (rule.type) {
    case "choice":
      return rule.values.find((choice) => canonicalJson(choice.value) === canonicalJson(value))?.ids;
    case "number": {
      if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
      const ids = Array.from(getChoiceText(value), (text) => words.table.findId({ text, isGlued: true }));
      return ids.every((id) => id !== undefined) ? ids : undefined;
    }
    case "span":
      return typeof value === "string" ? words.shown.findSpan(value, rule.maxTokens) : undefined;
    case "words":
      return typeof value === "string" ? encodeWords(rule, value, words) : undefined;
    default:
      return rule satisfies never;
  }
}
