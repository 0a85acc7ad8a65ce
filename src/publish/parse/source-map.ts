// internal
/** Text made from another text, piece by piece, that knows where each piece came from. */
export interface MappedText {
  readonly text: string;
  /** Returns the offset in the original at which what begins at an offset of the made text begins. */
  toSource(offset: number): number;
  /** Returns the offset in the original at which what ends at an offset of the made text ends. */
  toSourceEnd(offset: number): number;
}

/** Builds a {@linkcode MappedText}: text kept as it is, text put in place of other text, text added. */
export interface TextMaker {
  /** Keeps `source.slice(start, end)`. */
  keep(start: number, end: number): void;
  /** Puts `text` in place of the source from `start` to `end`; equal offsets add text. */
  put(text: string, start: number, end: number): void;
  finish(): MappedText;
}

/** Starts a text made from `source`. Pieces must be given in the order of the source. */
export function createTextMaker(source: string): TextMaker {
  const parts: string[] = [];
  const made: number[] = []; // where each piece begins in the made text
  const from: number[] = []; // where it begins in the source
  const until: number[] = []; // and ends
  const isKept: boolean[] = [];
  let length = 0;
  function add(text: string, start: number, end: number, kept: boolean): void {
    if (text === "") return;
    parts.push(text);
    made.push(length);
    from.push(start);
    until.push(end);
    isKept.push(kept);
    length += text.length;
  }
  return {
    keep(start, end) {
      add(source.slice(start, end), start, end, true);
    },
    put(text, start, end) {
      add(text, start, end, false);
      // A piece of no length marks where the source goes on.
      made.push(length);
      from.push(end);
      until.push(end);
      isKept.push(true);
      parts.push("");
    },
    finish() {
      /** Returns the last piece that begins before an offset, or at it. */
      const findPiece = (offset: number): number => {
        let low = 0;
        let high = made.length - 1;
        while (low < high) {
          const middle = (low + high + 1) >> 1;
          if (made[middle] <= offset) low = middle;
          else high = middle - 1;
        }
        return low;
      };
      return {
        text: parts.join(""),
        toSource(offset) {
          if (made.length === 0) return offset;
          const piece = findPiece(offset);
          return isKept[piece] ? from[piece] + (offset - made[piece]) : from[piece];
        },
        toSourceEnd(offset) {
          if (made.length === 0 || offset === 0) return offset;
          const piece = findPiece(offset - 1);
          return isKept[piece] ? from[piece] + (offset - made[piece]) : until[piece];
        },
      };
    },
  };
}
