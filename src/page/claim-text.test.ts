import fc from "fast-check";
import { expect, test } from "vitest";
import type { Claim, ClaimDisplay, ClaimKind, JsonValue } from "../core/index.js";
import { formatClaim, formatNumber } from "./claim-text.js";

function makeClaim(kind: ClaimKind, value: JsonValue, display: ClaimDisplay): Claim {
  return { id: "x", kind, expr: "value", inputs: [], value, display };
}

const share: ClaimDisplay = { decimals: 1, percent: true };
const signedShare: ClaimDisplay = { ...share, signed: true };

test.each([
  { name: "writes a share in per cent", claim: makeClaim("value", 0.55, share), text: "55.0%" },
  {
    name: "writes a difference in points with its sign",
    claim: makeClaim("delta", -0.1234, signedShare),
    text: "−12.3 pp",
  },
  { name: "gives a positive difference its plus", claim: makeClaim("delta", 0.34, signedShare), text: "+34.0 pp" },
  { name: "writes a margin in points without a sign", claim: makeClaim("delta", 0.03, share), text: "3.0 pp" },
  { name: "drops the sign of what rounds to zero", claim: makeClaim("delta", -0.0004, signedShare), text: "0.0 pp" },
  { name: "rounds a decimal tie up", claim: makeClaim("value", 1.005, { decimals: 2 }), text: "1.01" },
  { name: "rounds a share that is a tie up", claim: makeClaim("value", 0.5625, share), text: "56.3%" },
  { name: "groups thousands", claim: makeClaim("count", 1234567, { decimals: 0 }), text: "1,234,567" },
  {
    name: "writes both ends of an interval",
    claim: makeClaim("interval", [-0.1, 0.25], signedShare),
    text: "[−10.0, +25.0] pp",
  },
  {
    name: "writes an open end",
    claim: makeClaim("interval", [1.25, { $number: "Infinity" }], { decimals: 1 }),
    text: "[1.3, ∞]",
  },
  {
    name: "writes a p value below the last decimal as such",
    claim: makeClaim("test", 0.00001, { decimals: 4 }),
    text: "<0.0001",
  },
  { name: "writes a p value of one", claim: makeClaim("test", 1, { decimals: 4 }), text: "1.0000" },
  { name: "writes a dash for an unknown number", claim: makeClaim("value", { $number: "unknown" }, share), text: "–" },
  { name: "writes text as it is", claim: makeClaim("rank", "first", share), text: "first" },
])("formatClaim() $name", ({ claim, text }) => {
  expect(formatClaim(claim)).toBe(text);
});

test("formatClaim() leaves the unit out for tables", () => {
  expect(formatClaim(makeClaim("value", 0.5, share), { hasUnit: false })).toBe("50.0");
});

test("formatNumber() is within half of the last digit of any share", () => {
  fc.assert(
    fc.property(fc.double({ min: -1, max: 1, noNaN: true }), (value) => {
      const read = Number(formatNumber(value, signedShare).replace("−", "-"));
      expect(Math.abs(read - value * 100)).toBeLessThanOrEqual(0.05 + 1e-9);
    }),
  );
});
