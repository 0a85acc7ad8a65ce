import { narrowDigits } from "./number-masks.js";

/** A number as it is written in a text. */
export interface Quantity {
  /** As written, with sign and unit. */
  readonly text: string;
  /** The written number; 74.2 for `74.2%`. */
  readonly value: number;
  /** Digits after the point. */
  readonly decimals: number;
  readonly isSigned: boolean;
  /** `%`, `pp`, `x`, or the letters that stand directly behind it. */
  readonly unit?: string;
  /** What the unit multiplies by, for 3k, 7B, 3 万. */
  readonly scale?: number;
  /** `<`, `>`, `≤`, `≥` before it. */
  readonly comparator?: string;
  /** Place in the text, sign and unit counted. */
  readonly from: number;
  readonly to: number;
  /** Where its digits begin. */
  readonly digits: number;
}

const scales: Readonly<Record<string, number>> = {
  k: 1e3,
  K: 1e3,
  M: 1e6,
  B: 1e9,
  T: 1e12,
  千: 1e3,
  万: 1e4,
  百万: 1e6,
  亿: 1e8,
};

const quantityPattern =
  /(?<![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}_.@#\\^]|[\p{Script=Latin}][-‑]|\p{N}[,:])((?<=^|[\s([{（【,，;；:：=~≈<>≤≥|/"“·。])[+\-−±])?(\d{1,3}(?:[,\u202F\u2009]\d{3})+(?!\d)|\d+)?((?:(?<=\d)|(?<![\d.]))\.\d+)?(?:[eE]([+-]?\d+)|\s?[×x·]\s?10(?:\^\{?([−-]?\d+)\}?|([⁻⁺]?[⁰¹²³⁴-⁹]+)))?/gu;

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function readExponent(plain?: string, caret?: string, raised?: string): number {
  if (raised === undefined) return Number((plain ?? caret ?? "0").replace("−", "-"));
  const digits = Array.from(raised, (sign) => (sign === "⁻" ? "-" : sign === "⁺" ? "" : superscripts.indexOf(sign)));
  return Number(digits.join(""));
}

const unitPattern =
  /^(?:\s?(%|‰)|\s?(个?百分点|percentage[ -]points?|điểm phần trăm|pp\b)|\s?(percent\b|per cent\b|phần trăm)|([×倍]|x\b)|\s?(百万|[万亿千])|([kKMBT])(?![\p{Script=Latin}\d])|([\p{Script=Latin}µ]{1,12})(?![\p{Script=Latin}\d_-]))/u;

function readUnit(rest: string): { readonly length: number; readonly unit?: string; readonly scale?: number } {
  const match = unitPattern.exec(rest);
  if (match === null) return { length: 0 };
  const [whole, percent, points, percentWord, times, large, suffix, letters] = match;
  const { length } = whole;
  if (percent === "‰") return { length, unit: "‰", scale: 1e-3 };
  if (percent !== undefined || percentWord !== undefined) return { length, unit: "%" };
  if (points !== undefined) return { length, unit: "pp" };
  if (times !== undefined) return { length, unit: "x" };
  const multiple = large ?? suffix;
  if (multiple !== undefined) return { length, unit: multiple, scale: scales[multiple] };
  return { length, unit: letters };
}

/** Languages that part decimals by a comma. */
const commaLanguages = /^(?:vi|de|fr|es|pt|it|ru|nl|pl|id|sv|da|fi|tr)\b/;

/** Returns the text with decimal commas as points; a comma before exactly three digits parts thousands, after 0 decimals. */
function pointDecimals(text: string, lang: string): string {
  if (!commaLanguages.test(lang)) return text;
  return text.replace(/(?<![\d.,])(?:0,\d+|\d+,(?:\d{1,2}|\d{4,}))(?![\d,])/g, (found) => found.replace(",", "."));
}

/**
 * Returns every number written in a text, in order. Digits that are part of a name (`GPT-4`, `top1`) are none. `lang`
 * decides what a comma between digits means.
 *
 * @example
 * listQuantities("rose by +3.1 pp to 74.2% of 1,024"); // 3.1 pp, 74.2 %, 1024
 */
export function listQuantities(text: string, lang = "en"): Quantity[] {
  const plain = pointDecimals(narrowDigits(text), lang);
  const found: Quantity[] = [];
  for (const match of plain.matchAll(quantityPattern)) {
    const [whole, sign, integer, fraction = "", plainExponent, caret, raised] = match;
    if (integer === undefined && fraction === "") continue;
    const end = match.index + whole.length;
    const { length, unit, scale } = readUnit(plain.slice(end));
    // Letters, a bar and a digit behind it: part of a name such as 3d_conv.
    if (/^[_\p{Script=Latin}]/u.test(plain.slice(end + length))) continue;
    const exponent = readExponent(plainExponent, caret, raised);
    const digits = `${(integer ?? "0").replace(/[,\u202F\u2009]/g, "")}${fraction}`;
    const isNegative = sign === "-" || sign === "−";
    const comparator = /([<>≤≥])\s*$/.exec(plain.slice(0, match.index))?.[1];
    found.push({
      text: text.slice(match.index, end + length),
      value: (isNegative ? -1 : 1) * Number(`${digits}e${exponent}`),
      decimals: Math.max(0, fraction.length - 1) - exponent,
      isSigned: sign !== undefined,
      ...(unit === undefined ? {} : { unit }),
      ...(scale === undefined ? {} : { scale }),
      ...(comparator === undefined ? {} : { comparator }),
      from: match.index,
      to: end + length,
      digits: match.index + (sign?.length ?? 0),
    });
  }
  return found;
}
