// internal
import type { CitationItem } from "./nodes.js";

/** Attributes in braces: `{#id .class name=value}`. */
export interface Attributes {
  readonly id?: string;
  readonly classes: readonly string[];
  readonly values: { readonly [name: string]: string };
}

/** What a placeholder stands for. */
export type TokenContent =
  | { readonly kind: "math"; readonly isDisplay: boolean; readonly tex: string }
  | { readonly kind: "comment"; readonly value: string }
  | { readonly kind: "open" | "close"; readonly name: "details" | "figure" | "figcaption"; readonly isOpen?: boolean }
  | { readonly kind: "container_open"; readonly name: string }
  | { readonly kind: "container_close" }
  | { readonly kind: "summary" }
  | { readonly kind: "definition" }
  | { readonly kind: "span_open" }
  | { readonly kind: "span_close"; readonly attributes: Attributes }
  | { readonly kind: "label"; readonly attributes: Attributes }
  | { readonly kind: "claim"; readonly claim: string }
  | { readonly kind: "reference"; readonly label: string }
  | { readonly kind: "citation"; readonly items: readonly CitationItem[]; readonly isBare: boolean }
  | { readonly kind: "external"; readonly scheme: "arxiv" | "doi"; readonly id: string }
  | { readonly kind: "literal"; readonly text: string };

/** One piece of the source that Markdown must not look into. */
export type Token = TokenContent & { readonly start: number; readonly end: number };

const first = "\uE000";
const last = "\uE001";
const digitStart = 0xe100;
const base = 1024;
const placeholder = /\uE000([\uE100-\uE4FF])([\uE100-\uE4FF])\uE001/g;

/** Characters that placeholders use; in a source they are kept as literals. */
export const privateUse = /[\uE000-\uF8FF]+/g;

/** Returns the text that stands for token `index`: private-use characters, letters to every rule of Markdown. */
export function makePlaceholder(index: number): string {
  return first + String.fromCharCode(digitStart + Math.floor(index / base), digitStart + (index % base)) + last;
}

/** Calls back for every stretch of text and every token in `text`, in order. */
export function splitByTokens(
  text: string,
  tokens: readonly Token[],
  onText: (part: string, from: number, to: number) => void,
  onToken: (token: Token, from: number, to: number) => void,
): void {
  let at = 0;
  for (const match of text.matchAll(placeholder)) {
    const [whole, high = "", low = ""] = match;
    const token = tokens[(high.charCodeAt(0) - digitStart) * base + low.charCodeAt(0) - digitStart];
    if (match.index > at) onText(text.slice(at, match.index), at, match.index);
    at = match.index + whole.length;
    onToken(token, match.index, at);
  }
  if (at < text.length) onText(text.slice(at), at, text.length);
}

/** Returns text with every placeholder replaced by what the author wrote there. */
export function restoreSource(text: string, tokens: readonly Token[], source: string): string {
  if (!text.includes(first)) return text;
  let restored = "";
  splitByTokens(
    text,
    tokens,
    (part) => (restored += part),
    (token) => (restored += token.kind === "literal" ? token.text : source.slice(token.start, token.end)),
  );
  return restored;
}
