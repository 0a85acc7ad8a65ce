// internal
import type { MetricLog, Rule, RuleThresholds } from "../../core/index.js";

/** Returns the rule as it is; lets its functions know the names of its thresholds. */
export function logRule<Thresholds extends RuleThresholds>(rule: Rule<MetricLog, Thresholds>): Rule<MetricLog> {
  return rule;
}

/** Returns `count` times the same value, for examples. */
export function repeat(value: number, count: number): number[] {
  return Array.from({ length: count }, () => value);
}

/** Returns `count` values from `from` to `to` in equal steps, for examples. */
export function ramp(from: number, to: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => Number((from + ((to - from) * i) / (count - 1)).toFixed(6)));
}
