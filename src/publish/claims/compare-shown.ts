import type { ClaimStatus } from "./claim-status.js";
import { displayValue } from "./display-value.js";
import type { ExpressionValue } from "./expression-value.js";
import type { ClaimEntry } from "./ledger.js";
import { roundDecimal, type RoundingMode } from "./round-decimal.js";
import { listQuantities, type Quantity } from "./text/quantity.js";

/** What a comparison of a literal with its value came to. */
export interface ShownComparison {
  readonly status: ClaimStatus;
  /** Why, unless it is an exact match. */
  readonly detail?: string;
  /** Whether the ledger declares the rounding that was found; rounding that it does not is worth a look. */
  readonly isDeclared?: boolean;
}

/** What stands around a literal. */
export interface ShownContext {
  readonly lang: string;
  /** The words before it in its sentence. */
  readonly before: string;
  /** Its sentence, or its row and column head. */
  readonly sentence: string;
}

const hedge =
  /(?:\b(?:about|around|roughly|approximately|approx\.|circa|ca\.|nearly|almost|some|khoảng|gần|xấp xỉ)|[~≈约]|大约|大概|将近|接近)\s*$/i;
const fall =
  /\b(?:falls?|fell|drops?|dropped|decreas\w+|declin\w+|lower|los\w+|reduc\w+|worse\w*|fewer|less|below|behind|minus|giảm|thấp)\b|下降|降低|减少|低于|落后/i;

/** One way in which a written number can state a value: by how much the value is multiplied for it. */
interface Reading {
  readonly shift: number;
  readonly factor: number;
}

function getReading(quantity: Quantity, claim: ClaimEntry): Reading | ClaimStatus {
  const { unit, scale } = quantity;
  const isShare = claim.display.percent;
  if (unit === "%" || unit === "pp") {
    if (claim.unit === unit) return { shift: isShare ? 2 : 0, factor: 1 };
    if (claim.unit !== undefined || !isShare) return "unit_mismatch";
    if (claim.kind === "delta" && unit === "%") return "unit_mismatch";
    if (claim.kind === "relative_delta" && unit === "pp") return "unit_mismatch";
    return { shift: 2, factor: 1 };
  }
  if (scale !== undefined && unit !== claim.unit) return { shift: 0, factor: 1 / scale };
  if (unit !== undefined && unit !== "x" && claim.unit !== undefined && unit !== claim.unit) return "unit_mismatch";
  return { shift: 0, factor: 1 };
}

function isWithin(value: number, shown: number, tolerance: ClaimEntry["tolerance"]): boolean {
  if (tolerance === undefined) return false;
  const bound = typeof tolerance === "number" ? tolerance : (Math.abs(value) * Number(tolerance.slice(0, -1))) / 100;
  return Math.abs(value - shown) <= bound * (1 + 1e-12);
}

function isComparatorTrue(value: number, { comparator }: Quantity, shown: number): boolean {
  if (comparator === "<") return value < shown;
  if (comparator === ">") return value > shown;
  return comparator === "≤" ? value <= shown : value >= shown;
}

function isRounded(value: number, shown: Quantity, { shift, factor }: Reading, mode: RoundingMode): boolean {
  const places = Math.max(0, shown.decimals);
  if (shown.decimals < 0) {
    // 3×10^8 states one digit: the value is rounded to the last digit that is written.
    const unit = 10 ** -shown.decimals;
    return Number(roundDecimal((value * factor) / unit, 0, { mode, shift })) * unit === shown.value;
  }
  return Number(roundDecimal(value * factor, places, { mode, shift })) === shown.value;
}

function describe(value: number, claim: ClaimEntry): string {
  return `the evidence gives ${displayValue(value, claim)} (${value})`;
}

/** Compares one written number with one value. */
function compareNumber(value: number, given: Quantity, claim: ClaimEntry, context: ShownContext): ShownComparison {
  const reading = getReading(given, claim);
  const plain = claim.display.percent ? value * 100 : value;
  if (typeof reading === "string") {
    const wanted = claim.unit ?? (claim.display.percent ? (claim.kind === "delta" ? "pp" : "%") : "no unit");
    return { status: reading, detail: `"${given.text.trim()}" is written in ${given.unit}, the ledger says ${wanted}` };
  }
  const isFall = value < 0 && !given.isSigned && given.value > 0 && fall.test(context.sentence);
  const target = isFall ? -value : value;
  const scaled = target * 10 ** reading.shift * reading.factor;
  if (given.comparator !== undefined) {
    const holds = isComparatorTrue(scaled, given, given.value);
    return holds
      ? { status: "rounding_ok", isDeclared: true }
      : {
          status: "number_mismatch",
          detail: `"${given.comparator} ${given.text}" does not hold: ${describe(value, claim)}`,
        };
  }
  const { rounding, decimals } = claim.display;
  if (isRounded(target, given, reading, rounding)) {
    if (
      decimals !== undefined &&
      reading.shift === (claim.display.percent ? 2 : 0) &&
      reading.factor === 1 &&
      given.decimals !== decimals
    )
      return {
        status: "ambiguous_mapping",
        detail: `"${given.text}" has ${given.decimals} decimals, the ledger says ${decimals}`,
      };
    const isExact = Math.abs(scaled - given.value) <= Math.abs(scaled) * 1e-13;
    return isExact ? { status: "exact_match" } : { status: "rounding_ok", isDeclared: decimals !== undefined };
  }
  const shownValue = given.value / (10 ** reading.shift * reading.factor);
  const isAbout = hedge.test(context.before) || /^\s*[~≈]/.test(context.before.slice(-2));
  if (isAbout && isWithin(target, shownValue, claim.tolerance))
    return { status: "rounding_ok", isDeclared: true, detail: `within the tolerance of ${claim.tolerance}` };
  // In a column or row of shares the sign stands in the head.
  if (
    claim.display.percent &&
    given.unit === undefined &&
    isRounded(target, given, { shift: 2, factor: 1 }, rounding)
  ) {
    if (/[%％]|\bpp\b|percent|百分/i.test(context.sentence))
      return {
        status: Math.abs(plain - given.value) < 1e-12 ? "exact_match" : "rounding_ok",
        isDeclared: decimals !== undefined,
      };
    return { status: "unit_mismatch", detail: `"${given.text}" lacks its unit: ${describe(value, claim)}` };
  }
  if (value < 0 && !given.isSigned && isRounded(-value, given, reading, rounding))
    return { status: "number_mismatch", detail: `"${given.text}" lacks its minus sign: ${describe(value, claim)}` };
  return { status: "number_mismatch", detail: `"${given.text}" is shown, ${describe(value, claim)}` };
}

const ordinals: readonly (readonly [RegExp, number])[] = [
  [/\b(?:first|best|top|highest|1st|nhất|đầu tiên)\b|第一|最高|最好|最佳/i, 1],
  [/\b(?:second|2nd)\b|第二|thứ hai/i, 2],
  [/\b(?:third|3rd)\b|第三|thứ ba/i, 3],
];

function compareTexts(value: string, literal: string): ShownComparison {
  const clean = (text: string): string => text.normalize("NFKC").replace(/\s+/g, " ").trim().toLowerCase();
  if (clean(value) === clean(literal)) return { status: "exact_match" };
  return { status: "number_mismatch", detail: `"${literal}" is shown, the evidence says "${value}"` };
}

const worst: readonly ClaimStatus[] = [
  "unit_mismatch",
  "number_mismatch",
  "ambiguous_mapping",
  "rounding_ok",
  "exact_match",
];

function compareList(
  values: readonly ExpressionValue[],
  quantities: readonly Quantity[],
  claim: ClaimEntry,
  context: ShownContext,
): ShownComparison {
  if (quantities.length !== values.length)
    return {
      status: "ambiguous_mapping",
      detail: `${quantities.length} numbers are written where the claim has ${values.length}`,
    };
  const unit = quantities.find((quantity) => quantity.unit !== undefined)?.unit;
  const results = values.map((value, index): ShownComparison => {
    // The unit of an interval is written once, behind it.
    const shown =
      quantities[index].unit === undefined && unit !== undefined ? { ...quantities[index], unit } : quantities[index];
    return typeof value === "number"
      ? compareNumber(value, { ...shown, comparator: undefined }, claim, context)
      : { status: "selector_error", detail: "an interval is made of numbers" };
  });
  const status = worst.find((each) => results.some((result) => result.status === each)) ?? "exact_match";
  const details = results.flatMap((result) =>
    result.status === status && result.detail !== undefined ? [result.detail] : [],
  );
  return {
    status,
    isDeclared: results.every(({ isDeclared = true }) => isDeclared),
    ...(details.length === 0 ? {} : { detail: details.join("; ") }),
  };
}

/**
 * Compares what is written for a claim with what the evidence gives: rounding to the digits that are written, by the
 * rule the ledger declares, and nothing else; after "about" the declared tolerance too. A truth value needs no number:
 * false is `unsupported_claim`.
 */
export function compareShown(
  literal: string,
  value: ExpressionValue,
  claim: ClaimEntry,
  context: ShownContext,
): ShownComparison {
  if (typeof value === "boolean")
    return value
      ? { status: "exact_match" }
      : { status: "unsupported_claim", detail: `"${literal}" does not hold: ${claim.expr} is false` };
  if (typeof value === "string") return compareTexts(value, literal);
  const quantities = listQuantities(literal, context.lang);
  if (typeof value === "object") return compareList(value, quantities, claim, context);
  if (quantities.length === 0) {
    const rank = ordinals.find(([word]) => word.test(literal))?.[1];
    if (rank !== undefined && (claim.kind === "rank" || claim.kind === "count"))
      return rank === value
        ? { status: "exact_match" }
        : { status: "number_mismatch", detail: `"${literal}" is shown, the evidence gives rank ${value}` };
    return { status: "ambiguous_mapping", detail: `"${literal}" holds no number for the claim` };
  }
  if (quantities.length > 1)
    return { status: "ambiguous_mapping", detail: `"${literal}" holds ${quantities.length} numbers for one value` };
  return compareNumber(value, quantities[0], claim, context);
}
