import type { ExpressionValue } from "./expression-value.js";
import type { ClaimEntry } from "./ledger.js";
import { roundDecimal } from "./round-decimal.js";

/** Returns the unit that is written behind a claim's number. */
export function getUnitMark({ display, kind, unit }: Pick<ClaimEntry, "display" | "kind" | "unit">): string {
  if (unit !== undefined) return unit === "%" ? "%" : unit === "x" ? "×" : ` ${unit}`;
  if (!display.percent) return "";
  return kind === "delta" ? " pp" : "%";
}

function group(digits: string): string {
  const [whole, fraction] = digits.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

function displayNumber(value: number, claim: Pick<ClaimEntry, "display" | "kind">): string {
  const { display } = claim;
  if (Number.isNaN(value)) return "–";
  if (Math.abs(value) === Infinity) return value > 0 ? "∞" : "−∞";
  const shift = display.percent ? 2 : 0;
  const decimals = display.decimals ?? (Number.isInteger(value * 10 ** shift) ? 0 : display.percent ? 1 : 3);
  if (display.format === "scientific") return value.toExponential(decimals).replace("-", "−").replace("+", "");
  const least = 10 ** -decimals;
  if (claim.kind === "test" && value > 0 && value < least) return `<${least.toFixed(decimals)}`;
  const rounded = roundDecimal(value, decimals, { mode: display.rounding, shift });
  const digits = display.format === "grouped" ? group(rounded.replace("-", "")) : rounded.replace("-", "");
  if (rounded.startsWith("-")) return `−${digits}`;
  return display.signed && /[1-9]/.test(digits) ? `+${digits}` : digits;
}

/** Returns a claim's value as the document shows it: `74.2%`, `[61.0, 83.5]%`, `+3.1 pp`, `yes`. */
export function displayValue(value: ExpressionValue, claim: Pick<ClaimEntry, "display" | "kind" | "unit">): string {
  const unit = getUnitMark(claim);
  if (typeof value === "number") return `${displayNumber(value, claim)}${Number.isNaN(value) ? "" : unit}`;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value;
  return `[${value.map((item) => (typeof item === "number" ? displayNumber(item, claim) : String(item))).join(", ")}]${unit}`;
}
