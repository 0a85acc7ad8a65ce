import { betaCdf, normalCdf, studentTCdf } from "../../../stats/index.js";
import { roundDecimal } from "../round-decimal.js";

/** Something a text says of statistics that cannot be. */
export interface StatisticFault {
  /** Place in the text. */
  readonly at: number;
  readonly text: string;
  readonly message: string;
  /** Whether it may hold for reasons the text does not give. */
  readonly isDoubtful?: boolean;
}

/** Chance of a value of chi-square above x: by the series of the incomplete gamma function (DLMF 8.11.4). */
function chiSquareTail(x: number, degrees: number): number {
  // For one and two degrees there are closed forms; the rest by recurrence Q(k+2) = Q(k) + (x/2)^(k/2) e^(-x/2) / Γ(k/2+1).
  let tail = degrees % 2 === 1 ? 2 * (1 - normalCdf(Math.sqrt(x))) : Math.exp(-x / 2);
  let term = degrees % 2 === 1 ? Math.sqrt((2 * x) / Math.PI) * Math.exp(-x / 2) : (x / 2) * Math.exp(-x / 2);
  for (let k = degrees % 2 === 1 ? 1 : 2; k < degrees; k += 2) {
    tail += term;
    term *= x / (k + 2);
  }
  return Math.min(1, tail);
}

/** Returns the two-sided p value of a statistic (one-sided for F and chi-square, as is usual). */
export function computePValue(name: string, value: number, degrees: readonly number[]): number | undefined {
  const [first, second] = degrees;
  switch (name.toLowerCase()) {
    case "t":
      return first === undefined || first <= 0 ? undefined : 2 * (1 - studentTCdf(Math.abs(value), first));
    case "z":
      return 2 * (1 - normalCdf(Math.abs(value)));
    case "f":
      if (first === undefined || second === undefined || first <= 0 || second <= 0 || value < 0) return undefined;
      return 1 - betaCdf((first * value) / (first * value + second), first / 2, second / 2);
    case "r": {
      if (first === undefined || first <= 0 || Math.abs(value) >= 1) return undefined;
      const t = value * Math.sqrt(first / (1 - value * value));
      return 2 * (1 - studentTCdf(Math.abs(t), first));
    }
    default:
      return first === undefined || first <= 0 || value < 0 || !Number.isInteger(first)
        ? undefined
        : chiSquareTail(value, first);
  }
}

const testPattern =
  /(?<![\p{L}\d])(t|F|z|Z|r|χ²|χ2|χ\^2|chi2|X2)\s*(?:\(\s*(\d+(?:\.\d+)?)\s*(?:,\s*(?:[nN]\s*=\s*)?(\d+(?:\.\d+)?)\s*)?\))?\s*=\s*([−-]?\d*\.?\d+)\s*[,;，；]\s*p\s*([=<>≤≥])\s*(\d*\.?\d+(?:e[−-]?\d+)?)/gu;

function countDecimals(text: string): number {
  return text.split(".")[1]?.replace(/e.*$/, "").length ?? 0;
}

/** `t(28) = 2.20, p = .036`: the p value must follow from the statistic, both as rounded. */
function checkTests(text: string): StatisticFault[] {
  return [...text.matchAll(testPattern)].flatMap((match): StatisticFault[] => {
    const [whole, name, first, second, statistic, sign, p] = match;
    const isChi = !["t", "F", "z", "Z", "r"].includes(name);
    // χ²(1, N = 90): the second number is no degree of freedom.
    const degrees = [first, isChi ? undefined : second].flatMap((degree) =>
      degree === undefined ? [] : [Number(degree)],
    );
    const value = Number(statistic.replace("−", "-"));
    const half = 0.5 * 10 ** -countDecimals(statistic);
    const magnitude = Math.abs(value);
    const bounds = [magnitude - half, magnitude + half].map((each) => computePValue(name, Math.max(0, each), degrees));
    const [high, low] = bounds;
    if (high === undefined || low === undefined) return [];
    const stated = Number(p.replace("−", "-"));
    const slack = 0.5 * 10 ** -countDecimals(p);
    const fits = (shift: number): boolean => {
      if (sign === "<" || sign === "≤") return low * shift < stated;
      if (sign === ">" || sign === "≥") return high * shift > stated;
      return stated - slack <= high * shift && low * shift <= stated + slack;
    };
    if (fits(1)) return [];
    const exact = computePValue(name, magnitude, degrees) ?? NaN;
    // Half the p value is a one-sided test; the text need not say so.
    const isOneSided = (name === "t" || /z/i.test(name) || name === "r") && fits(0.5);
    if (isOneSided && /one[- ](?:sided|tailed)|单侧|một phía/i.test(text)) return [];
    const hint = isOneSided ? ", which fits a one-sided test only" : "";
    const message = `"${whole}" does not fit: the statistic gives p = ${exact.toPrecision(3)}${hint}`;
    return [{ at: match.index, text: whole, message, ...(isOneSided ? { isDoubtful: true } : {}) }];
  });
}

const countShare =
  /(?<![\d.,])(\d[\d,]*)\s*(?:\/|of(?: the)?|out of|trên|\bin\b)\s*(\d[\d,]*)(?![.,]?\d)[^.!?。()（）\d]{0,30}[(（=:≈,]\s*(?:i\.e\.,?\s*)?(\d+(?:\.\d+)?)\s?[%％]/g;
const shareCount =
  /(?<![\d.,])(\d+(?:\.\d+)?)\s?[%％]\s*[(（[]\s*(?:n\s*=\s*)?(\d[\d,]*)\s*(?:\/|of(?: the)?|out of|trên)\s*(\d[\d,]*)\s*[)）\]]/g;

function checkShare(match: RegExpMatchArray, count: string, total: string, share: string): StatisticFault[] {
  const [k, n] = [count, total].map((digits) => Number(digits.replaceAll(",", "")));
  if (n === 0 || k > n)
    return [{ at: match.index ?? 0, text: match[0], message: `"${match[0]}" does not fit: ${k} is no part of ${n}` }];
  const decimals = countDecimals(share);
  const options = (["half_up", "half_even"] as const).map((mode) => roundDecimal(k / n, decimals, { mode, shift: 2 }));
  if (options.some((text) => Number(text) === Number(share))) return [];
  const message = `"${match[0]}" does not fit: ${k} of ${n} is ${options[0]}%`;
  return [{ at: match.index ?? 0, text: match[0], message }];
}

/** `23 of 31 (74.2%)`, `74.2% (23/31)`: the share must be that of the counts. */
function checkShares(text: string): StatisticFault[] {
  return [
    ...[...text.matchAll(countShare)].flatMap((match) => checkShare(match, match[1], match[2], match[3])),
    ...[...text.matchAll(shareCount)].flatMap((match) => checkShare(match, match[2], match[3], match[1])),
  ];
}

/** Says whether a mean of n whole numbers can be written so (Brown and Heathers 2017). */
export function isMeanAdmissible(mean: string, n: number): boolean {
  const decimals = countDecimals(mean);
  const centre = Math.round(Number(mean) * n);
  return [centre - 1, centre, centre + 1].some((sum) =>
    (["half_up", "half_even"] as const).some(
      (mode) => Number(roundDecimal(sum / n, decimals, { mode })) === Number(mean),
    ),
  );
}

const meanPattern =
  /(?<![\p{L}\d])(?:M|mean|average|均值|平均)\s*[=:＝：]?\s*(\d+\.\d+)[^.!?。]{0,40}?\b[nN]\s*=\s*(\d{1,4})(?![\d.,]*\d)/gu;

/** `M = 3.47, n = 20`: a mean of whole numbers times n is near a whole number. */
function checkMeans(text: string): StatisticFault[] {
  return [...text.matchAll(meanPattern)].flatMap((match): StatisticFault[] => {
    const [whole, mean, count] = match;
    if (isMeanAdmissible(mean, Number(count))) return [];
    const message = `"${whole}" does not fit whole-numbered items: no sum of ${count} of them has the mean ${mean}`;
    return [{ at: match.index, text: whole, message, isDoubtful: true }];
  });
}

const numberText = "([+−-]?\\d+(?:\\.\\d+)?)";
const intervalPattern = new RegExp(
  `(?<![\\d.,\\p{L}])${numberText}\\s?(?:%|pp)?\\s*[,，]?\\s*(?:[(（]\\s*)?(?:(?:(?:9\\d(?:\\.\\d)?)\\s?%\\s*)?(?:CI|confidence interval|interval|置信区间|khoảng tin cậy)[:：]?\\s*(?:of\\s+)?[\\[（(]?|\\[)\\s*${numberText}\\s?%?\\s*(?:[,，;]|–|—|to|至|đến)\\s*${numberText}`,
  "giu",
);

/** `0.74 [0.61, 0.83]`, `0.74 (95% CI 0.61–0.83)`: the interval must contain the estimate. */
function checkIntervals(text: string): StatisticFault[] {
  return [...text.matchAll(intervalPattern)].flatMap((match): StatisticFault[] => {
    const [estimate, lower, upper] = match.slice(1, 4).map((digits) => Number(digits.replace("−", "-")));
    const report = (message: string) => [{ at: match.index, text: match[0], message }];
    if (lower > upper) return report(`"${match[0]}" does not fit: the interval ends before it begins`);
    if (estimate >= lower && estimate <= upper) return [];
    return report(`"${match[0]}" does not fit: the interval does not contain ${match[1]}`);
  });
}

/** Returns what a text says of statistics that contradicts itself. */
export function checkStatistics(text: string): StatisticFault[] {
  return [...checkTests(text), ...checkShares(text), ...checkMeans(text), ...checkIntervals(text)].sort(
    (a, b) => a.at - b.at,
  );
}

/** Returns what is wrong with a column of shares that ends in its total: `undefined` when they add up or it has none. */
export function checkColumnTotal(cells: readonly (readonly [label: string, cell: string])[]): string | undefined {
  const last = cells.at(-1);
  if (last === undefined || cells.length < 3 || !/^\s*(?:total|sum|all|合计|总计|总和|tổng)\b/iu.test(`${last[0]} `))
    return undefined;
  if (/^\s*all\b/i.test(last[0])) return undefined; // often a mean
  const numbers = cells.map(([, cell]) => /^\s*(\d[\d,]*(?:\.\d+)?)\s?%?\s*$/.exec(cell)?.[1]);
  if (numbers.some((number) => number === undefined)) return undefined;
  const decimals = Math.max(...numbers.map((number) => countDecimals(number ?? "")));
  const values = numbers.map((number) => Number((number ?? "").replaceAll(",", "")));
  const sum = values.slice(0, -1).reduce((total, value) => total + value, 0);
  const total = values.at(-1) ?? NaN;
  // Each part may be off by half a unit of its last digit.
  if (Math.abs(sum - total) <= 0.5 * 10 ** -decimals * cells.length) return undefined;
  return `The column adds up to ${Number(sum.toFixed(decimals))}, its total says ${total}`;
}
