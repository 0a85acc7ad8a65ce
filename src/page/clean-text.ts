/**
 * Returns `text` made safe to show: lone surrogates become U+FFFD, control characters other than line feed and tab
 * become their visible symbols, and the characters that reorder or hide text become U+FFFD. Text that has none is
 * returned as it is.
 *
 * @example
 * cleanText("a\u001b[31mb"); // "a␛[31mb"
 */
export function cleanText(text: string): string {
  return (
    text
      .replace(/\p{Surrogate}/gu, "\uFFFD")
      .replace(/\r\n?/g, "\n")
      .replace(/[\u0000-\u0008\u000b-\u001f]/g, (control) => String.fromCharCode(0x2400 + control.charCodeAt(0)))
      // C1 controls and DEL act on terminals; the bidirectional controls reorder what follows them.
      .replace(/[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\uFFFD")
  );
}

/**
 * Returns the first `maxLength` UTF-16 code units of a text, one fewer where a surrogate pair would be split.
 *
 * @example
 * cutText("ab\u{1f600}", 3); // "ab"
 */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return text.slice(0, /[\uD800-\uDBFF]/.test(text.charAt(maxLength - 1)) ? maxLength - 1 : maxLength);
}
