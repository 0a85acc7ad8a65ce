import { isJsonObject, type Claim, type ClaimDisplay, type JsonValue } from "../core/index.js";

/** What is written where there is no value. */
export const missingText = "–";

/** Writes whole thousands with commas, as in 16,000. Works on the text of a number that has no sign. */
function groupThousands(digits: string): string {
  const [whole = "", fraction] = digits.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/**
 * Returns a number as reports write it: rounded half away from zero at `decimals`, a true minus sign, thousands
 * grouped, `∞` for infinity, `–` for what is not a number. A value that rounds to zero has no sign.
 *
 * @example
 * formatNumber(-0.1234, { decimals: 1, percent: true, signed: true }); // "−12.3"
 */
export function formatNumber(value: number, display: ClaimDisplay): string {
  if (Number.isNaN(value)) return missingText;
  const scaled = display.percent ? value * 100 : value;
  const magnitude = Math.abs(scaled);
  if (magnitude === Infinity) return scaled > 0 ? "∞" : "−∞";
  // A hair more than the value, so that decimal ties such as 1.005 do not fall by their binary form.
  const digits = groupThousands((magnitude * (1 + 4 * Number.EPSILON)).toFixed(display.decimals));
  const isZero = !/[1-9]/.test(digits);
  if (isZero) return digits;
  if (scaled < 0) return `−${digits}`;
  return display.signed ? `+${digits}` : digits;
}

function getUnit({ kind, display }: Claim): string {
  if (!display.percent) return "";
  return display.signed || kind === "delta" ? " pp" : "%";
}

/** Returns the number a claim's value means, or `undefined` when it is no number or not known. */
function findNumber(value: JsonValue): number | undefined {
  if (typeof value === "number") return value;
  if (!isJsonObject(value)) return undefined;
  const tags: { readonly [tag: string]: number } = { Infinity, "-Infinity": -Infinity };
  return typeof value["$number"] === "string" ? tags[value["$number"]] : undefined;
}

/** Options of {@linkcode formatClaim}. */
export interface FormatClaimOptions {
  /** Writes the unit: `%` for shares, `pp` for what is signed or a delta. Default true; tables that name the unit in their head leave it out. */
  readonly hasUnit?: boolean;
}

/**
 * Returns the one text of a claim's value, the same on the page and in the terminal. Intervals are
 * `[lower, upper]`; p values below the last decimal are `<0.001`; text values are themselves.
 *
 * @example
 * formatClaim({ id: "x", kind: "value", expr: "value", inputs: [], value: 0.55, display: { decimals: 1, percent: true } }); // "55.0%"
 */
export function formatClaim(claim: Claim, options: FormatClaimOptions = {}): string {
  const { hasUnit = true } = options;
  const { value, display } = claim;
  const unit = hasUnit ? getUnit(claim) : "";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) {
    const ends = value.map((end: JsonValue) => formatNumber(findNumber(end) ?? NaN, display));
    return `[${ends.join(", ")}]${unit}`;
  }
  const number = findNumber(value);
  if (number === undefined || Number.isNaN(number)) return missingText;
  const smallest = 10 ** -display.decimals;
  if (claim.kind === "test" && number < smallest) return `<${smallest.toFixed(display.decimals)}`;
  return `${formatNumber(number, display)}${unit}`;
}
