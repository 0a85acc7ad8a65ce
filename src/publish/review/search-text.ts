// internal

/** A text made comparable: markup of emphasis left out, blanks one space, letters in one case and width. */
export interface SearchText {
  readonly text: string;
  /** Offset in the original of each unit of `text`. */
  readonly offsets: readonly number[];
}

const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Returns a text in the form in which wordings are looked for. Blanks between ideographs are no words' end and go. */
export function toSearchText(source: string): SearchText {
  const units: string[] = [];
  const offsets: number[] = [];
  let at = 0;
  let gap: number | undefined;
  for (const symbol of source) {
    if (/\s/.test(symbol)) gap ??= at;
    else if (symbol !== "*" && symbol !== "`") {
      const plain = symbol.normalize("NFKC").toLowerCase();
      const before = units.at(-1);
      const isJoined = before !== undefined && ideograph.test(before) && ideograph.test(plain);
      if (gap !== undefined && before !== undefined && !isJoined) {
        units.push(" ");
        offsets.push(gap);
      }
      gap = undefined;
      for (const unit of plain.split("")) {
        units.push(unit);
        offsets.push(at);
      }
    }
    at += symbol.length;
  }
  return { text: units.join(""), offsets };
}

/** Returns every place of `needle` as offsets [start, end) in the original of `hay`. */
export function findWording(hay: SearchText, needle: string): (readonly [number, number])[] {
  const wanted = toSearchText(needle).text;
  if (wanted === "") return [];
  const found: (readonly [number, number])[] = [];
  for (let at = hay.text.indexOf(wanted); at !== -1; at = hay.text.indexOf(wanted, at + wanted.length))
    found.push([hay.offsets[at], hay.offsets[at + wanted.length - 1] + 1]);
  return found;
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

function decodeEntity(whole: string, name: string): string {
  const code = /^#x([0-9a-f]+)$/i.exec(name)?.[1];
  const value = code === undefined ? Number(/^#(\d+)$/.exec(name)?.[1]) : Number.parseInt(code, 16);
  if (Number.isInteger(value) && value > 0 && value <= 0x10ffff) return String.fromCodePoint(value);
  return entities[name] ?? whole;
}

/** Visible text of a page, with the source block each part came from. */
export interface PageText {
  readonly text: string;
  /** Offsets in `text` from which a block's text runs, ascending. */
  readonly blocks: readonly { readonly at: number; readonly block: string }[];
}

const blockTag =
  /^<\/?(?:p|div|li|ul|ol|h[1-6]|td|th|tr|table|pre|blockquote|details|summary|section|figure|figcaption|br|hr|nav|article|main|header|footer|aside|dl|dt|dd)\b/i;

/** Returns what a reader of a page can see, and the alternative texts. Scripts and styles are left out. */
export function readPageText(html: string): PageText {
  const blocks: { at: number; block: string }[] = [];
  let text = "";
  const body = html.replace(/<(script|style|template)\b[^>]*>[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->/gi, "");
  const decode = (part: string): string => part.replace(/&(#?\w+);/g, decodeEntity);
  let at = 0;
  for (const match of body.matchAll(/<[a-z/!][^>]*>/gi)) {
    text += decode(body.slice(at, match.index));
    at = match.index + match[0].length;
    const [tag] = match;
    const block = /\sdata-block="([^"]*)"/.exec(tag)?.[1];
    if (blockTag.test(tag)) text += "\n";
    if (block !== undefined) blocks.push({ at: text.length, block: decode(block) });
    const label = /\s(?:alt|aria-label|title)="([^"]*)"/.exec(tag)?.[1];
    if (label !== undefined && label !== "") text += `\n${decode(label)}\n`;
  }
  return { text: text + decode(body.slice(at)), blocks };
}
