import {
  disclosures,
  inputError,
  isJsonObject,
  terminalRules,
  type BudgetPlan,
  type JsonObject,
  type JsonValue,
} from "../../core/index.js";
import { budgetPlanSchema, hashBudgetPlan } from "./plan-budget-mix.js";

function isCount(value: JsonValue | undefined, least: number): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= least;
}

function isText(value: JsonValue | undefined): boolean {
  return typeof value === "string";
}

function findRowFault(row: JsonValue, groupSize: JsonValue | undefined): string | undefined {
  if (!isJsonObject(row)) return "is no object";
  for (const name of ["group", "taskId", "taskHash"]) if (!isText(row[name])) return `has no text "${name}"`;
  if (!isCount(row["update"], 0)) return 'has no whole number from 0 as "update"';
  if (!isCount(row["maxTurns"], 1)) return 'has no whole number from 1 as "maxTurns"';
  if (!isCount(row["envSeed"], 0)) return 'has no whole number from 0 as "envSeed"';
  if (row["notice"] !== undefined && !isText(row["notice"])) return 'has a "notice" that is no text';
  const seeds = row["samplingSeeds"];
  if (!Array.isArray(seeds) || !seeds.every((seed: JsonValue) => isCount(seed, 0)))
    return 'has no list of seeds as "samplingSeeds"';
  if (seeds.length !== groupSize)
    return `has ${seeds.length} sampling seeds, and groups have ${JSON.stringify(groupSize)} episodes`;
  return undefined;
}

function findFault(json: JsonObject): string | undefined {
  const { schema, env, disclosure, terminalRule, mix, seed, groupSize, rows, hash } = json;
  if (schema !== budgetPlanSchema) return `its schema is ${JSON.stringify(schema ?? null)}, not "${budgetPlanSchema}"`;
  if (!isJsonObject(env) || !isText(env["id"]) || !isText(env["version"])) return "it names no env with id and version";
  if (!disclosures.some((name) => name === disclosure)) return `its disclosure is none of ${disclosures.join(", ")}`;
  if (!terminalRules.some((name) => name === terminalRule))
    return `its terminal rule is none of ${terminalRules.join(", ")}`;
  if (!isJsonObject(mix)) return "it has no mix";
  if (typeof seed !== "number" || !isCount(groupSize, 2)) return "it has no seed, or no group size of at least 2";
  if (!Array.isArray(rows) || rows.length === 0) return "it has no rows";
  for (const [index, row] of rows.entries()) {
    const fault = findRowFault(row as JsonValue, groupSize); // an element of a JSON array
    if (fault !== undefined) return `row ${index + 1} ${fault}`;
  }
  if (!isText(hash)) return "it has no hash";
  return undefined;
}

/**
 * Returns the plan that JSON holds.
 *
 * @throws {TurnwiseError} (input) for anything that is no plan, and for a plan that was changed since it was made: its
 * hash no longer fits.
 */
export function readBudgetPlan(json: JsonValue, place = "the plan"): BudgetPlan {
  const remedy = "Make one with: turnwise budgetmix plan";
  const fault = isJsonObject(json) ? findFault(json) : "it is no JSON object";
  if (fault !== undefined) throw inputError(`Cannot use ${place}: ${fault}`, remedy);
  const plan = json as unknown as BudgetPlan; // findFault() looked at every field
  const hash = hashBudgetPlan(plan);
  if (hash === plan.hash) return plan;
  throw inputError(
    `Cannot use ${place}: it was changed after it was made; its hash is ${hash.slice(0, 12)}, and it states ${plan.hash.slice(0, 12)}`,
    "Use the plan that training was given, or plan again",
  );
}
