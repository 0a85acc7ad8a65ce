// internal

/** A person, or a body by `literal`. */
export interface PersonName {
  readonly family?: string;
  readonly given?: string;
  readonly suffix?: string;
  readonly literal?: string;
}

/** Splits at top level, outside braces. */
function splitOutside(text: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "{") depth += 1;
    else if (text[at] === "}") depth -= 1;
    else if (depth === 0) {
      separator.lastIndex = at;
      const match = separator.exec(text);
      if (match !== null) {
        parts.push(text.slice(from, at));
        at += match[0].length - 1;
        from = at + 1;
      }
    }
  }
  return [...parts, text.slice(from)].map((part) => part.trim()).filter((part) => part !== "");
}

function parseName(tex: string, decode: (tex: string) => string): PersonName {
  if (/^\{[^]*\}$/.test(tex)) return { literal: decode(tex) };
  const parts = splitOutside(tex, /,/y);
  if (parts.length >= 2) {
    const [family, second, third] = parts;
    const given = third ?? second;
    return { family: decode(family), given: decode(given), ...(third === undefined ? {} : { suffix: decode(second) }) };
  }
  const words = splitOutside(tex, /\s+/y);
  if (words.length === 1) return { family: decode(words[0]) };
  // Words in lower case before the last begin the family name: Ludwig van Beethoven.
  const particle = words.findIndex((word, index) => index > 0 && index < words.length - 1 && /^[a-z]/.test(word));
  const at = particle > 0 ? particle : words.length - 1;
  return { family: decode(words.slice(at).join(" ")), given: decode(words.slice(0, at).join(" ")) };
}

/** Returns the names of a BibTeX list; `others` is left out, as is an empty list. */
export function parseNames(tex: string, decode: (tex: string) => string): PersonName[] {
  return splitOutside(tex, /\s+and\s+/iy)
    .filter((name) => name.toLowerCase() !== "others")
    .map((name) => parseName(name, decode));
}

const special: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

/** Returns a text for comparison: small letters without accents, digits, single blanks. */
export function foldText(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => special[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Returns the family name, or the whole of a body. */
export function getFamily({ family, literal }: PersonName): string {
  return family ?? literal ?? "";
}

/** Returns how many letters must change to make one text the other; stops counting above `most`. */
export function countEdits(a: string, b: string, most = Infinity): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let row = Array.from({ length: b.length + 1 }, (_unused, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, change));
    }
    row = next;
  }
  return row[b.length];
}
