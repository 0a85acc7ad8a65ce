/** How a tie is rounded. */
export type RoundingMode = "half_even" | "half_up";

/** Returns the digits of a finite number, without sign, and where its point stands. Fifteen digits: what a double can be trusted with. */
function toDigits(value: number): { readonly digits: string; readonly point: number } {
  const [mantissa, exponent] = Math.abs(value).toExponential(14).split("e");
  return { digits: mantissa.replace(".", ""), point: Number(exponent) + 1 };
}

function addOne(digits: string): string {
  return (BigInt(digits === "" ? "0" : digits) + 1n).toString().padStart(digits.length, "0");
}

/**
 * Returns a number with `decimals` digits after the point, rounded in decimal: 0.145 is a tie whatever its binary
 * form. `shift` moves the point first, 2 for per cent. `half_up` rounds ties away from zero. What rounds to zero has
 * no sign.
 *
 * @example
 * roundDecimal(0.5625, 1, { mode: "half_even", shift: 2 }); // "56.2"
 */
export function roundDecimal(
  value: number,
  decimals: number,
  options: { readonly mode?: RoundingMode; readonly shift?: number } = {},
): string {
  const { mode = "half_up", shift = 0 } = options;
  if (!Number.isFinite(value)) return String(value);
  const { digits, point } = toDigits(value);
  // Digits that stay; negative when the number is far below the last place.
  const kept = point + shift + decimals;
  const head = kept <= 0 ? "" : digits.slice(0, kept).padEnd(kept, "0");
  const tail = kept < 0 ? "0".repeat(-kept) + digits : digits.slice(Math.max(0, kept));
  const isTie = /^50*$/.test(tail);
  const isOdd = Number(head.at(-1) ?? "0") % 2 === 1;
  const isUp = isTie ? mode === "half_up" || isOdd : tail > "5";
  const whole = (isUp ? addOne(head) : head === "" ? "0" : head).padStart(decimals + 1, "0");
  const cut = whole.length - decimals;
  const integer = whole.slice(0, cut).replace(/^0+(?=\d)/, "");
  const text = decimals > 0 ? `${integer}.${whole.slice(cut)}` : integer;
  return value < 0 && /[1-9]/.test(text) ? `-${text}` : text;
}
