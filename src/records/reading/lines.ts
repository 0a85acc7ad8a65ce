// internal
/** One line of a file as bytes, without its line end. */
export interface RawLine {
  /** 1-based. */
  readonly lineNumber: number;
  /** Position of the line's first byte in the file. */
  readonly offset: number;
  /** Without the line feed, a carriage return before it, and a byte order mark. */
  readonly bytes: Buffer;
  /** Whether a line feed follows; only the last line may lack it. */
  readonly isTerminated: boolean;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

function toLine(bytes: Buffer, lineNumber: number, offset: number, isTerminated: boolean): RawLine {
  let start = 0;
  let end = bytes.length;
  if (lineNumber === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) start = 3;
  if (end > start && bytes[end - 1] === carriageReturn) end -= 1;
  return { lineNumber, offset: offset + start, bytes: bytes.subarray(start, end), isTerminated };
}

/**
 * Yields the lines of a byte stream, blank ones included. Memory is bounded by the longest line: pieces of a line
 * that spans chunks are joined once. A line's bytes stay valid until the next one is asked for, and longer only
 * if copied.
 */
export async function* readRawLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<RawLine> {
  let pieces: Buffer[] = [];
  let lineNumber = 1;
  let lineOffset = 0;
  let chunkOffset = 0;
  for await (const bytes of chunks) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      const last = chunk.subarray(start, end);
      const line = pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
      if (pieces.length > 0) pieces = [];
      yield toLine(line, lineNumber, lineOffset, true);
      lineNumber += 1;
      start = end + 1;
      lineOffset = chunkOffset + start;
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
    chunkOffset += chunk.length;
  }
  if (pieces.length > 0) yield toLine(Buffer.concat(pieces), lineNumber, lineOffset, false);
}

/** Says whether a line holds nothing but spaces and tabs. */
export function isBlank(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x09 && byte !== carriageReturn && byte !== 0) return false;
  return true;
}
