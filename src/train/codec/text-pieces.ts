// internal

/** The smallest unit a text is split into. */
export interface TextPiece {
  /** Letters, one digit, one other character, a hyphen or apostrophe with the letters after it, `""` for a space. */
  readonly text: string;
  /** Whether it follows the piece before without a space. */
  readonly isGlued: boolean;
}

/** The piece that a line break is. */
export const lineBreak: TextPiece = { text: "\n", isGlued: true };
/** A space beyond the one that separates two pieces: of indented code. */
export const loneSpace: TextPiece = { text: "", isGlued: false };

/** Marks a piece that follows a space, as it stands in a vocabulary. */
const spaceMark = "▁";
const piecePattern = /( ?)((?<=[\p{L}\p{M}])[-'’][\p{L}\p{M}]+|[\p{L}\p{M}]+|[^ ])| /gu;
/** A line without spaces, small letters and digits is a drawing of which every character means something by itself. */
const drawingPattern = /^[^\s\p{Ll}\p{N}]{2,}$/u;

/** Returns how a piece is written in a vocabulary: with a mark for the space before it. */
export function getPieceKey({ text, isGlued }: TextPiece): string {
  return isGlued ? text : spaceMark + text;
}

/** Returns the piece a vocabulary entry stands for. */
export function readPieceKey(key: string): TextPiece {
  return key.startsWith(spaceMark)
    ? { text: key.slice(spaceMark.length), isGlued: false }
    : { text: key, isGlued: true };
}

/** Says whether a vocabulary can hold the piece: one with the mark in its own text could not be told apart. */
export function isWritable({ text }: TextPiece): boolean {
  return !text.includes(spaceMark);
}

/** Says whether the piece has neither letter nor digit. */
export function isPunctuation({ text }: TextPiece): boolean {
  return !/[\p{L}\p{N}]/u.test(text);
}

/** Returns a hyphen or apostrophe with letters as two pieces; any other piece alone. */
export function unmergePiece(piece: TextPiece): readonly TextPiece[] {
  if (piece.text.length < 2 || !isPunctuation({ text: piece.text[0], isGlued: true })) return [piece];
  return [
    { text: piece.text[0], isGlued: piece.isGlued },
    { text: piece.text.slice(1), isGlued: true },
  ];
}

function splitLine(line: string): TextPiece[] {
  if (line === "") return [];
  if (drawingPattern.test(line)) return Array.from(line, (text, index) => ({ text, isGlued: index > 0 }));
  // The first piece of a line is written like one inside it, so that a word is one entry wherever it stands.
  return [...` ${line}`.matchAll(piecePattern)].map(([, space, text]) =>
    text === undefined ? loneSpace : { text, isGlued: space === "" },
  );
}

/**
 * Returns the pieces of a text, {@linkcode lineBreak} between lines. {@linkcode joinPieces} gives the text back,
 * character by character.
 *
 * @example
 * splitPieces("It's 12.").map(getPieceKey); // ["▁It", "'s", "▁1", "2", "."]
 */
export function splitPieces(text: string): TextPiece[] {
  return text.split("\n").flatMap((line, index) => (index === 0 ? splitLine(line) : [lineBreak, ...splitLine(line)]));
}

/** Returns the text of pieces; the space before the first piece of a line is not written. */
export function joinPieces(pieces: readonly TextPiece[]): string {
  let result = "";
  let isLineStart = true;
  for (const { text, isGlued } of pieces) {
    result += (isGlued || isLineStart ? "" : " ") + text;
    isLineStart = text === "\n";
  }
  return result;
}
