/**
 * Returns the language that a text is written in, by its script: `zh`, `ja`, `ko`, `ru`, `vi`, or `en` for any other
 * Latin text; `und` for a text without letters. A tenth of the letters decides for Chinese, since its technical prose
 * is full of Latin terms: one ideograph stands for about two letters and a half.
 */
export function detectLanguage(text: string): string {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const letters = count(/\p{L}/gu);
  if (letters === 0) return "und";
  const kana = count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const hangul = count(/\p{Script=Hangul}/gu);
  const han = count(/\p{Script=Han}/gu);
  if (kana / letters > 0.05) return "ja";
  if (hangul / letters > 0.1) return "ko";
  if (han / letters > 0.1) return "zh";
  if (count(/\p{Script=Cyrillic}/gu) / letters > 0.3) return "ru";
  // Letters with two marks, and the horned ones, are Vietnamese alone.
  if (count(/[ăđơưĂĐƠƯ\u1EA0-\u1EF9]/g) / letters > 0.03) return "vi";
  return "en";
}

/** Returns the language of a tag without its script and region. */
export function getBaseLanguage(tag: string): string {
  return tag.toLowerCase().split("-")[0];
}
