// internal

const ideograph = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}`;
const wordPattern = new RegExp(`[${ideograph}]|(?:(?![${ideograph}])[\\p{L}\\p{M}\\p{N}])+`, "gu");

/**
 * Returns the words of a text for comparing texts: NFKC, lower case; each Chinese, Japanese or Korean character is a
 * word of its own, and everything that is neither letter nor digit separates.
 */
export function splitWords(text: string): string[] {
  return text.normalize("NFKC").toLowerCase().match(wordPattern) ?? [];
}

/** Returns every run of `size` words of a text. */
export function listGrams(text: string, size: number): Set<string> {
  const words = splitWords(text);
  const grams = new Set<string>();
  for (let start = 0; start + size <= words.length; start += 1) grams.add(words.slice(start, start + size).join(" "));
  return grams;
}
