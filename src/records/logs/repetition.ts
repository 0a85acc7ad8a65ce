/** How a text is judged to repeat itself. */
export interface RepetitionOptions {
  /** Words of the repeated piece; default 8. */
  readonly wordCount?: number;
  /** Share of the text's pieces that occurred before; default 0.5. */
  readonly leastShare?: number;
}

/**
 * Returns the share of a text's runs of `wordCount` words that occurred earlier in the same text, in [0, 1]: near 1 for
 * a text that is caught in a loop. 0 for texts of at most `wordCount` words.
 *
 * @example
 * repeatedShare("go up go up go up go up", 2); // 5 / 7: "go up" and "up go" are new once each
 */
export function repeatedShare(text: string, wordCount = 8): number {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const pieceCount = words.length - wordCount + 1;
  if (pieceCount <= 1) return 0;
  const seen = new Set<string>();
  let repeated = 0;
  for (let i = 0; i < pieceCount; i += 1) {
    const piece = words.slice(i, i + wordCount).join(" ");
    if (seen.has(piece)) repeated += 1;
    else seen.add(piece);
  }
  return repeated / pieceCount;
}

/** Says whether at least `leastShare` (default one half) of a text's runs of words repeat earlier ones. */
export function isLoop(text: string, { wordCount = 8, leastShare = 0.5 }: RepetitionOptions = {}): boolean {
  return repeatedShare(text, wordCount) >= leastShare;
}
