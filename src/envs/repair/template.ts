// internal
import type { Random } from "../../core/index.js";

/** One way to fill the hole of a program: the code, and the rule it follows in words. */
export interface Fill {
  readonly code: string;
  readonly rule: string;
}

/**
 * A small function with a hole. Every fill makes a sensible program; which one is meant is told by its rule, or by
 * tests. `{name}` stands for an identifier drawn from `names`, `{hole}` for the fill.
 */
export interface Template {
  readonly id: string;
  /** Names to draw identifiers from; `f` is the function's. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** What the function does, without the rule. */
  readonly purpose: string;
  readonly lines: readonly string[];
  readonly fills: readonly Fill[];
  /** Plain mistakes, wrong whatever the rule; used where the comment tells the rule. */
  readonly defects: readonly string[];
  /** Lists of arguments that together tell every fill from every other. */
  readonly pins: readonly (readonly unknown[])[];
  /** Draws arguments for further tests. */
  drawArguments(random: Random): readonly unknown[];
}

/** Makes a template whose numbers are drawn anew for each program. */
export type TemplateMaker = (random: Random) => Template;

/** Returns a whole number in low..high. */
export function drawInteger(random: Random, low: number, high: number): number {
  return low + random.nextInt(high - low + 1);
}

/** Returns `count` whole numbers in low..high. */
export function drawIntegers(random: Random, count: number, low: number, high: number): number[] {
  return Array.from({ length: count }, () => drawInteger(random, low, high));
}

/** Names of loop indexes, totals, lists and items: most templates draw from these. */
export const commonNames = {
  i: ["i", "index", "step", "position"],
  total: ["total", "sum", "result", "amount"],
  list: ["list", "items", "values", "entries"],
  item: ["item", "value", "entry", "each"],
};
