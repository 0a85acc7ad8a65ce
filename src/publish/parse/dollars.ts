// internal
/** A formula between dollars: offsets of its first character and of the one after it, delimiters included. */
export interface DollarPair {
  readonly start: number;
  readonly end: number;
  readonly isDisplay: boolean;
}

/** An amount of money rather than a formula: a number, then words or nothing that TeX knows. */
function isAmount(content: string, after: string): boolean {
  if (!/^\d/.test(content) || /[\\^_={}]/.test(content)) return false;
  if (/^\d[\d.,]*\s?[A-Za-z%+]*\s+\S*(?:[a-z]{2}|\p{Script=Han}|\p{Script=Kana})/iu.test(content))
    return /\s$|[^\w)\]]$/u.test(content) || /^\d/.test(after);
  return /^\d/.test(after) && /[^A-Za-z0-9)\]]$/.test(content);
}

/**
 * Returns the formulas of one line from the offsets of its dollar runs (length 1 or 2), left to right. A line with an
 * odd number of single dollars takes only what is surely a formula: no space inside, no digit after; the rest are
 * amounts of money.
 */
export function pairDollars(
  text: string,
  runs: readonly { readonly at: number; readonly length: number }[],
): DollarPair[] {
  const pairs: DollarPair[] = [];
  const singles: number[] = [];
  for (let index = 0; index < runs.length; index += 1) {
    const { at, length } = runs[index];
    if (length === 1) {
      singles.push(at);
      continue;
    }
    const close = runs.findIndex((run, other) => other > index && run.length === 2);
    if (close < 0) continue;
    const end = runs[close].at + 2;
    if (text.slice(at + 2, end - 2).trim() !== "") pairs.push({ start: at, end, isDisplay: true });
    index = close;
  }
  const isStrict = singles.length % 2 === 1;
  for (let index = 0; index + 1 < singles.length; index += 1) {
    const [start, close] = [singles[index], singles[index + 1]];
    const content = text.slice(start + 1, close);
    const after = text[close + 1] ?? "";
    if (content.trim() === "" || pairs.some((pair) => pair.isDisplay && pair.start > start && pair.start < close))
      continue;
    if (isAmount(content, after)) continue;
    if (isStrict && (/^\s|\s$/.test(content) || /\d/.test(after))) continue;
    pairs.push({ start, end: close + 1, isDisplay: false });
    index += 1;
  }
  return pairs.sort((a, b) => a.start - b.start);
}
