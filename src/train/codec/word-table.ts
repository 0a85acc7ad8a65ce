// internal
import { getPieceKey, isPunctuation, lineBreak, readPieceKey, unmergePiece, type TextPiece } from "./text-pieces.js";

/** The tokens every word codec begins with, in this order. */
export const specialTokens = [
  "<pad>",
  "<end>",
  "<obs>",
  "<act>",
  "<budget>",
  "<left>",
  "<next>",
  "<skip>",
  "<quit>",
  "<other>",
  "<+>",
  "<nl>",
] as const;
type SpecialToken = (typeof specialTokens)[number];

/** Returns the id of a token that every word codec has. */
export function getSpecialId(token: SpecialToken): number {
  return specialTokens.indexOf(token);
}

export const endId = getSpecialId("<end>");
export const nextId = getSpecialId("<next>");
export const skipId = getSpecialId("<skip>");
export const quitId = getSpecialId("<quit>");
/** A word for which no slot was left; cannot be copied. */
export const otherId = getSpecialId("<other>");
/** Takes away the space before the slot that follows. */
export const joinId = getSpecialId("<+>");
export const lineId = getSpecialId("<nl>");

/** Returns the vocabulary's text for copy slot `index`. */
export function getSlotToken(index: number): string {
  return `<w${index}>`;
}

/** What each id of a word codec stands for. */
export interface WordTable {
  readonly vocabulary: readonly string[];
  readonly firstSlot: number;
  readonly slotCount: number;
  /** First id that is a piece of text. */
  readonly firstPiece: number;
  /** The glued digits 0 to 9. */
  readonly digitIds: readonly number[];
  /** Pieces with a letter or digit, ascending. */
  readonly contentIds: readonly number[];
  /** Returns the id of a piece, or `undefined` when the vocabulary lacks it. */
  findId(piece: TextPiece): number | undefined;
  /** Returns the piece of an id from `firstPiece` on. */
  getPiece(id: number): TextPiece;
  isSlot(id: number): boolean;
}

/** Returns the table of a vocabulary: special tokens, tool names, slots, pieces. */
export function createWordTable(vocabulary: readonly string[], toolCount: number, slotCount: number): WordTable {
  const firstSlot = specialTokens.length + toolCount;
  const firstPiece = firstSlot + slotCount;
  const keys = vocabulary.slice(firstPiece);
  const ids = new Map(keys.map((key, index) => [key, firstPiece + index]));
  const pieces = keys.map(readPieceKey);
  const digitIds = Array.from({ length: 10 }, (_, digit) => ids.get(String(digit)) ?? otherId);
  return {
    vocabulary,
    firstSlot,
    slotCount,
    firstPiece,
    digitIds,
    contentIds: pieces.flatMap((piece, index) => (isPunctuation(piece) ? [] : [firstPiece + index])),
    findId: (piece) => (piece.text === "\n" ? lineId : ids.get(getPieceKey(piece))),
    getPiece: (id) => pieces[id - firstPiece],
    isSlot: (id) => id >= firstSlot && id < firstPiece,
  };
}

/** The words of one episode that the vocabulary lacks, in the order in which they appeared. */
export class SlotBinding {
  readonly #table: WordTable;
  readonly #texts: string[] = [];
  readonly #slots = new Map<string, number>();
  constructor(table: WordTable) {
    this.#table = table;
  }

  get size(): number {
    return this.#texts.length;
  }

  /** Returns the slot ids bound so far, ascending. */
  listIds(): number[] {
    return this.#texts.map((_, index) => this.#table.firstSlot + index);
  }

  /** Returns the id bound to a word, or `undefined`. */
  findId(text: string): number | undefined {
    return this.#slots.get(text);
  }

  /** Returns the word an id is bound to; `undefined` for a slot that is free. */
  getText(id: number): string | undefined {
    return this.#texts[id - this.#table.firstSlot];
  }

  /** Returns the id bound to a word, binding the next free slot; `undefined` when none is left. */
  bind(text: string): number | undefined {
    const bound = this.#slots.get(text);
    if (bound !== undefined || this.#texts.length === this.#table.slotCount) return bound;
    const id = this.#table.firstSlot + this.#texts.length;
    this.#texts.push(text);
    this.#slots.set(text, id);
    return id;
  }
}

/** Returns the ids of a shown text, binding slots for words that the vocabulary lacks. */
export function encodeShownText(table: WordTable, slots: SlotBinding, pieces: readonly TextPiece[]): number[] {
  return pieces.flatMap((piece) => {
    const known = table.findId(piece);
    if (known !== undefined) return [known];
    return unmergePiece(piece).flatMap((part) => {
      const id = table.findId(part);
      if (id !== undefined) return [id];
      const slot = slots.bind(part.text);
      if (slot === undefined) return [otherId];
      return part.isGlued ? [joinId, slot] : [slot];
    });
  });
}

/** Returns the pieces that ids of text stand for. A join takes the space of the piece that follows it. */
export function decodeTextPieces(table: WordTable, slots: SlotBinding, ids: readonly number[]): TextPiece[] {
  const pieces: TextPiece[] = [];
  let isJoined = false;
  for (const id of ids) {
    if (id === joinId) {
      isJoined = true;
      continue;
    }
    const piece =
      id === lineId
        ? lineBreak
        : table.isSlot(id)
          ? { text: slots.getText(id) ?? "", isGlued: false }
          : table.getPiece(id);
    pieces.push(isJoined ? { ...piece, isGlued: true } : piece);
    isJoined = false;
  }
  return pieces;
}
