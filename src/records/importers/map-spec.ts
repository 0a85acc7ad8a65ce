// internal
import { isJsonObject, usageError, type JsonObject, type JsonValue } from "../../core/index.js";
import { getAt } from "./fields.js";

/** How one value is found in a record. */
export type MapRule =
  /** Dotted path, e.g. `info.task.id`; items of lists by position. */
  | string
  /** The same value for every record. */
  | { readonly value: JsonValue }
  /** The value at a path, translated: by a table, by comparison to a value, or by a lower limit. */
  | { readonly path: string; readonly values?: JsonObject; readonly equals?: JsonValue; readonly atLeast?: number };

/** Fields of the mapping that take one value. */
export const valueFields = [
  "messages",
  "turns",
  "turnCount",
  "taskId",
  "taskContent",
  "family",
  "sampleIndex",
  "policyId",
  "checkpoint",
  "envId",
  "envVersion",
  "envSeed",
  "success",
  "reward",
  "stopReason",
  "maxTurns",
] as const;

/** Fields of one turn, read from each item of the list that `turns` names. */
export const turnFields = [
  "observation",
  "action",
  "toolCalls",
  "reasoning",
  "reward",
  "solvedAfter",
  "invalid",
  "toolError",
  "promptTokens",
  "completionTokens",
] as const;

export type ValueField = (typeof valueFields)[number];
export type TurnField = (typeof turnFields)[number];

/** A checked mapping. */
export interface MapSpec {
  readonly fields: { readonly [field in ValueField]?: MapRule };
  readonly turn: { readonly [field in TurnField]?: MapRule };
}

function checkRule(field: string, rule: JsonValue | undefined): MapRule {
  if (typeof rule === "string" && rule !== "") return rule;
  if (isJsonObject(rule)) {
    const keys = Object.keys(rule);
    if (keys.length === 1 && keys[0] === "value") return { value: rule.value ?? null };
    const { path, values, equals, atLeast } = rule;
    const isKnown = keys.every((key) => ["path", "values", "equals", "atLeast"].includes(key));
    if (isKnown && keys.length <= 2 && typeof path === "string" && (values === undefined || isJsonObject(values))) {
      if (atLeast === undefined || typeof atLeast === "number") return { path, values, equals, atLeast };
    }
  }
  throw usageError(
    `Cannot use the mapping: "${field}" is ${JSON.stringify(rule)}`,
    'Give a dotted path, {"value": ...}, or {"path": "...", "values": {...} | "equals": ... | "atLeast": 0.5}',
  );
}

function checkRules<T extends string>(
  rules: JsonObject,
  allowed: readonly T[],
  where: string,
): { [field in T]?: MapRule } {
  const checked: { [field in T]?: MapRule } = {};
  for (const [field, rule] of Object.entries(rules)) {
    const known = allowed.find((name) => name === field);
    if (known === undefined)
      throw usageError(`Cannot use the mapping: ${where} has no field "${field}"; allowed: ${allowed.join(", ")}`);
    checked[known] = checkRule(field, rule);
  }
  return checked;
}

/**
 * Returns the checked mapping.
 *
 * @throws {TurnwiseError} (usage) that names the field which cannot be used.
 */
export function parseMapSpec(map: JsonObject | undefined): MapSpec {
  if (map === undefined) {
    throw usageError(
      "Cannot import with a mapping: none was given",
      'Give one with --map, e.g. {"messages": "chat", "taskId": "problem.id", "success": "passed"}',
    );
  }
  const { turn = {}, ...rest } = map;
  if (!isJsonObject(turn)) throw usageError('Cannot use the mapping: "turn" must be an object of rules for one turn');
  const fields = checkRules(rest, valueFields, "an episode");
  const turnRules = checkRules(turn, turnFields, "a turn");
  const sources = [fields.messages, fields.turns, fields.turnCount].filter((rule) => rule !== undefined);
  if (sources.length !== 1)
    throw usageError('Cannot use the mapping: exactly one of "messages", "turns" and "turnCount" must be given');
  if (fields.turns !== undefined && turnRules.action === undefined && turnRules.toolCalls === undefined) {
    throw usageError('Cannot use the mapping: "turns" needs "turn" with "action" or "toolCalls"');
  }
  return { fields, turn: turnRules };
}

/** Returns what a rule finds in a record, or `undefined`. */
export function applyRule(rule: MapRule | undefined, record: JsonValue): JsonValue | undefined {
  if (rule === undefined) return undefined;
  if (typeof rule === "string") return find(record, rule);
  if ("value" in rule) return rule.value;
  const found = find(record, rule.path);
  if (rule.equals !== undefined)
    return found === undefined ? undefined : JSON.stringify(found) === JSON.stringify(rule.equals);
  if (rule.atLeast !== undefined) return typeof found === "number" ? found >= rule.atLeast : undefined;
  if (rule.values !== undefined)
    return found === undefined ? undefined : rule.values[typeof found === "string" ? found : JSON.stringify(found)];
  return found;
}

function find(record: JsonValue, path: string): JsonValue | undefined {
  return getAt(record, path) as JsonValue | undefined; // a part of a JSON value is a JSON value
}
