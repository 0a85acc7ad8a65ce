// internal
/** Text made from another text, piece by piece, that knows where each piece came from. */
export interface MappedText {
  readonly text: string;
  /** Returns the offset in the original of an offset in the made text. */
  toSource(offset: number): number;
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
  const isKept: boolean[] = [];
  let length = 0;
  function add(text: string, start: number, kept: boolean): void {
    if (text === "") return;
    parts.push(text);
    made.push(length);
    from.push(start);
    isKept.push(kept);
    length += text.length;
  }
  return {
    keep(start, end) {
      add(source.slice(start, end), start, true);
    },
    put(text, start, end) {
      add(text, start, false);
      // A piece of no length marks where the source goes on.
      made.push(length);
      from.push(end);
      isKept.push(true);
      parts.push("");
    },
    finish() {
      return {
        text: parts.join(""),
        toSource(offset) {
          let low = 0;
          let high = made.length - 1;
          while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (made[middle] <= offset) low = middle;
            else high = middle - 1;
          }
          if (made.length === 0) return offset;
          return isKept[low] ? from[low] + (offset - made[low]) : from[low];
        },
      };
    },
  };
}
