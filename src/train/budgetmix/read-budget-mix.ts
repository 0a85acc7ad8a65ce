import { isJsonObject, mostBudgetTurns, usageError, type JsonObject, type JsonValue } from "../../core/index.js";
import { listMixBudgets, type BudgetMix, type BudgetWeight, type MixPart } from "./budget-mix.js";

/** A mixture of mixtures deeper than this is a mistake. */
const maxDepth = 8;

const forms =
  '{"type":"fixed","budgets":[2,4,8]}, {"type":"weights","weights":[{"maxTurns":2,"weight":1}]}, {"type":"log_uniform","min":1,"max":16}, {"type":"curriculum","caps":[5,8,10],"every":100} or {"type":"mixture","parts":[{"weight":1,"mix":…}]}';

function refuse(reason: string, remedy = `A mix is one of ${forms}`): never {
  throw usageError(`Cannot use this budget mix: ${reason}`, remedy);
}

function readBudget(value: JsonValue | undefined, what: string): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= mostBudgetTurns) return value;
  return refuse(
    `${what} must be a whole number of turns from 1 to ${mostBudgetTurns}, found ${JSON.stringify(value ?? null)}`,
  );
}

function readSteps(value: JsonValue | undefined): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
  return refuse(
    `every, the updates between steps, must be a whole number from 1, found ${JSON.stringify(value ?? null)}`,
  );
}

/** Weights are ratios: beyond this their sum could overflow. */
const mostWeight = 1e12;

function readWeight(value: JsonValue | undefined, what: string): number {
  if (typeof value === "number" && value >= 0 && value <= mostWeight) return value;
  return refuse(`the weight of ${what} must be a number from 0 to 1e12, found ${JSON.stringify(value ?? null)}`);
}

/** Refuses what would be left out without a word, such as weights beside the budgets of a fixed mix. */
function refuseOtherKeys(json: JsonObject, known: readonly string[], what: string): void {
  const other = Object.keys(json).find((key) => !known.includes(key));
  if (other !== undefined) refuse(`${what} has no "${other}", only ${known.join(", ")}`);
}

function readList(value: JsonValue | undefined, what: string): readonly JsonValue[] {
  if (Array.isArray(value) && value.length > 0) return value as readonly JsonValue[]; // an array of a JsonValue holds JsonValues
  return refuse(`${what} must be a list with at least one entry, found ${JSON.stringify(value ?? null)}`);
}

function refuseRepeats(budgets: readonly number[], what: string): void {
  const repeated = budgets.find((budget, index) => budgets.indexOf(budget) !== index);
  if (repeated !== undefined)
    refuse(`${what} name T=${repeated} twice`, "Name each budget once; give it a weight to play it more often");
}

function readWeights(value: JsonValue | undefined): BudgetWeight[] {
  const weights = readList(value, "weights").map((entry) => {
    if (!isJsonObject(entry)) return refuse(`an entry of weights must be an object, found ${JSON.stringify(entry)}`);
    refuseOtherKeys(entry, ["maxTurns", "weight"], "an entry of weights");
    const maxTurns = readBudget(entry["maxTurns"], "maxTurns of weights");
    return { maxTurns, weight: readWeight(entry["weight"], `T=${maxTurns}`) };
  });
  refuseRepeats(
    weights.map(({ maxTurns }) => maxTurns),
    "weights",
  );
  if (weights.every(({ weight }) => weight === 0))
    refuse("all weights are 0, so no budget would be played", "Give at least one budget a weight above 0");
  return weights;
}

function readParts(value: JsonValue | undefined, depth: number): MixPart[] {
  const parts = readList(value, "parts").map((entry, index) => {
    if (!isJsonObject(entry)) return refuse(`a part of the mixture must be an object, found ${JSON.stringify(entry)}`);
    refuseOtherKeys(entry, ["weight", "mix"], "a part of the mixture");
    const weight = readWeight(entry["weight"], `part ${index + 1} of the mixture`);
    return { weight, mix: readMix(entry["mix"], depth + 1) };
  });
  if (parts.every(({ weight }) => weight === 0))
    refuse("all parts of the mixture have weight 0", "Give at least one part a weight above 0");
  return parts;
}

function readLogUniform(json: JsonObject): BudgetMix {
  const [min, max] = [readBudget(json["min"], "min"), readBudget(json["max"], "max")];
  if (max < min) refuse(`max ${max} is below min ${min}`, "Write the smaller budget as min");
  return { type: "log_uniform", min, max };
}

/** What each type of mix is written with, beside its type. */
const keysOfType = {
  fixed: ["budgets"],
  weights: ["weights"],
  log_uniform: ["min", "max"],
  curriculum: ["caps", "every"],
  mixture: ["parts"],
} as const;

function readMix(json: JsonValue | undefined, depth: number): BudgetMix {
  if (!isJsonObject(json)) return refuse(`it must be an object, found ${JSON.stringify(json ?? null)}`);
  if (depth > maxDepth) return refuse(`mixtures are nested deeper than ${maxDepth} levels`);
  const known = Object.entries(keysOfType).find(([type]) => type === json["type"]);
  if (known !== undefined) refuseOtherKeys(json, ["type", ...known[1]], `a mix of type "${known[0]}"`);
  switch (json["type"]) {
    case "fixed": {
      const budgets = readList(json["budgets"], "budgets").map((budget) => readBudget(budget, "an entry of budgets"));
      refuseRepeats(budgets, "budgets");
      return { type: "fixed", budgets };
    }
    case "weights":
      return { type: "weights", weights: readWeights(json["weights"]) };
    case "log_uniform":
      return readLogUniform(json);
    case "curriculum": {
      const caps = readList(json["caps"], "caps").map((cap) => readBudget(cap, "an entry of caps"));
      return { type: "curriculum", caps, every: readSteps(json["every"]) };
    }
    case "mixture":
      return { type: "mixture", parts: readParts(json["parts"], depth) };
    default:
      return refuse(`its type is ${JSON.stringify(json["type"] ?? null)}`);
  }
}

/**
 * Returns the mix that JSON describes.
 *
 * @throws {TurnwiseError} (usage) for anything that is no mix: an unknown type, a budget that is no whole number from 1,
 * a weight below 0, weights that are all 0, a budget named twice.
 */
export function readBudgetMix(json: JsonValue): BudgetMix {
  return readMix(json, 0);
}

/**
 * Refuses a mix with a budget above the most turns an env gives.
 *
 * @throws {TurnwiseError} (usage) naming the budget.
 */
export function checkMixCap(mix: BudgetMix, cap: number, envId: string): void {
  const over = listMixBudgets(mix).find((budget) => budget > cap);
  if (over === undefined) return;
  throw usageError(
    `Cannot play T=${over} in env "${envId}": it ends every episode after ${cap} turns, so a larger budget would be announced and never given`,
    `Choose budgets of at most ${cap}`,
  );
}
