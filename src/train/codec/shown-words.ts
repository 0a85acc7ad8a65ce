// internal
import type { Observation } from "../../core/index.js";
import { isPunctuation, joinPieces } from "./text-pieces.js";
import { decodeTextPieces, joinId, lineId, otherId, type SlotBinding, type WordTable } from "./word-table.js";

/** Returns what an observation shows as one text: its text, or that of its tool results where it has none. */
export function getShownText({ text, toolResults = [] }: Observation): string {
  return text !== "" ? text : toolResults.map((result) => result.text).join("\n");
}

/** Stands between texts that do not belong together. */
const gap = -1;

/**
 * The text tokens one episode has shown, and the spans of whole words among them: a span begins where a word begins,
 * ends where one ends, and lies on one line. It begins and ends with a letter or digit.
 */
export class ShownWords {
  readonly #table: WordTable;
  readonly #slots: SlotBinding;
  readonly #ids: number[] = [gap];
  /** For each position, the nearest position from it on where a span may end; `Infinity` when the line ends before. */
  #nextEnd: number[] = [Infinity];
  #starts: number[] = [];

  constructor(table: WordTable, slots: SlotBinding) {
    this.#table = table;
    this.#slots = slots;
  }

  /** Adds a text; it can be copied from at once. */
  add(ids: readonly number[]): void {
    for (const id of ids) this.#ids.push(id === lineId || id === otherId ? gap : id);
    this.#ids.push(gap);
    this.#nextEnd = this.#ids.map(() => Infinity);
    this.#starts = [];
    for (let at = this.#ids.length - 2; at > 0; at -= 1) {
      if (this.#ids[at] === gap) continue;
      this.#nextEnd[at] = this.#hasContent(at) && this.#isBoundary(at) ? at : this.#nextEnd[at + 1];
      if (this.#hasContent(at) && this.#isBoundary(at - 1)) this.#starts.push(at);
    }
    this.#starts.reverse();
  }

  /** Returns every token shown, without gaps and repeats, ascending. */
  listIds(): number[] {
    return [...new Set(this.#ids)].filter((id) => id !== gap && id !== joinId).sort((a, b) => a - b);
  }

  #hasContent(at: number): boolean {
    const id = this.#ids[at];
    if (id === joinId) return false;
    return this.#table.isSlot(id) ? /[\p{L}\p{N}]/u.test(this.#slots.getText(id) ?? "") : this.#isWord(id);
  }

  #isWord(id: number): boolean {
    return id >= this.#table.firstPiece && !isPunctuation(this.#table.getPiece(id));
  }

  /** Says whether a word ends at `at` and another thing begins after it. */
  #isBoundary(at: number): boolean {
    const [left, right] = [this.#ids[at], this.#ids[at + 1]];
    if (left === gap || right === gap) return true;
    if (left === joinId) return this.#isBoundaryMark(at - 1);
    if (this.#isMark(left)) return true;
    if (right === joinId) return false;
    return this.#table.isSlot(right) || !this.#table.getPiece(right).isGlued || this.#isMark(right);
  }

  #isBoundaryMark(at: number): boolean {
    return this.#ids[at] === gap || this.#isMark(this.#ids[at]);
  }

  #isMark(id: number): boolean {
    return id >= this.#table.firstPiece && isPunctuation(this.#table.getPiece(id));
  }

  /**
   * Returns what may follow when `value` are the ids of a span begun, and whether it may end here. Every id returned
   * can still be brought to an end within `maxTokens` ids in all.
   */
  listNext(value: readonly number[], maxTokens: number): { readonly ids: number[]; readonly canEnd: boolean } {
    const ids = new Set<number>();
    let canEnd = false;
    for (const start of this.#starts) {
      if (value.some((id, offset) => this.#ids[start + offset] !== id)) continue;
      const at = start + value.length;
      if (value.length > 0 && this.#nextEnd[at - 1] === at - 1) canEnd = true;
      if (this.#nextEnd[at] - start < maxTokens) ids.add(this.#ids[at]);
    }
    return { ids: [...ids].sort((a, b) => a - b), canEnd };
  }

  /** Returns the ids of the first span with this text, or `undefined`. */
  findSpan(text: string, maxTokens: number): number[] | undefined {
    for (const start of this.#starts) {
      for (let end = this.#nextEnd[start]; end - start < maxTokens; end = this.#nextEnd[end + 1]) {
        const ids = this.#ids.slice(start, end + 1);
        const found = joinPieces(decodeTextPieces(this.#table, this.#slots, ids));
        if (found === text) return ids;
        if (!text.startsWith(found)) break;
      }
    }
    return undefined;
  }

  /** Says whether there is any span of at most `maxTokens` ids. */
  hasSpan(maxTokens: number): boolean {
    return this.#starts.some((start) => this.#nextEnd[start] - start < maxTokens);
  }
}
