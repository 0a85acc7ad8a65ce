import { inputError } from "../../core/index.js";

/** What an expression computes with: numbers, truth values, texts, and lists of them. */
export type ExpressionValue = number | boolean | string | readonly ExpressionValue[];

/** Returns a value as error messages name it. */
export function describeValue(value: ExpressionValue): string {
  if (typeof value === "object") return `a list of ${value.length}`;
  return typeof value === "string" ? `the text "${value.slice(0, 60)}"` : String(value);
}

/** Returns the number a value is: truth values count as 1 and 0. */
export function toNumber(value: ExpressionValue, what: string): number {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  throw inputError(`Cannot compute ${what}: it needs a number and found ${describeValue(value)}`);
}

/** Returns a list of numbers. Throws an `inputError` for anything else. */
export function toNumbers(value: ExpressionValue, what: string): number[] {
  if (typeof value !== "object")
    throw inputError(`Cannot compute ${what}: it needs a list and found ${describeValue(value)}`);
  return value.map((item) => toNumber(item, what));
}
