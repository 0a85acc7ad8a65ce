// internal
import { inspect } from "node:util";
import { inputError, type PoolJudge } from "../core/index.js";

/**
 * Refuses error rates that were not measured: without them nobody can say what a rule's errors are worth.
 *
 * @throws {TurnwiseError} (input) naming the rate, what was found and what is allowed.
 */
export function checkRates(path: string, { id, sensitivity, specificity, checkedCount }: PoolJudge): void {
  const isShare = (value: unknown): boolean => typeof value === "number" && value > 0 && value <= 1;
  const rates: readonly (readonly [string, unknown, boolean, string])[] = [
    ["sensitivity", sensitivity, isShare(sensitivity), "a share in (0, 1]"],
    ["specificity", specificity, isShare(specificity), "a share in (0, 1]"],
    ["checkedCount", checkedCount, Number.isInteger(checkedCount) && checkedCount > 0, "a whole number from 1"],
  ];
  const odd = rates.find(([, , isSound]) => !isSound);
  if (odd === undefined) return;
  const [name, found, , allowed] = odd;
  throw inputError(
    `Cannot use the rule "${id}" in "${path}": its ${name} must be ${allowed}, found ${inspect(found, { depth: 0 }).slice(0, 80)}`,
    "Measure both rates on turns that people have checked, and state how many: { sensitivity, specificity, checkedCount }",
  );
}
