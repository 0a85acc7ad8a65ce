import { inputError, isJsonObject, type JsonValue } from "../../core/index.js";
import type { Artefact } from "./artefact.js";
import { evaluateExpression, parseExpression } from "./expression.js";
import { describeValue, type ExpressionValue } from "./expression-value.js";

const forms =
  'Write a JSON Pointer (/runs/0/tasks), a path ($.runs[0].tasks, $.runs[*].tasks), or rows[policy == "a" and budget == 8]/success';

function refuse({ name }: Artefact, select: string, problem: string): Error {
  return inputError(`Cannot select "${select}" from the artefact "${name}": ${problem}`, forms);
}

/** Returns the member of a list or object, `undefined` when there is none. */
function getMember(value: JsonValue, key: string): JsonValue | undefined {
  if (Array.isArray(value))
    return /^(?:0|[1-9]\d*)$/.test(key) ? (value as readonly JsonValue[])[Number(key)] : undefined; // an array inside JSON holds JSON
  if (isJsonObject(value) && Object.hasOwn(value, key)) return value[key];
  return undefined;
}

function listMembers(value: JsonValue): readonly JsonValue[] | undefined {
  if (Array.isArray(value)) return value as readonly JsonValue[]; // an array inside JSON holds JSON
  return isJsonObject(value) ? Object.values(value).filter((member) => member !== undefined) : undefined;
}

/** Returns the steps of a JSON Pointer (RFC 6901). */
function parsePointer(pointer: string): string[] {
  return pointer === ""
    ? []
    : pointer
        .slice(1)
        .split("/")
        .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function followPointer(artefact: Artefact, select: string, start: JsonValue, pointer: string): JsonValue {
  let value = start;
  for (const key of parsePointer(pointer)) {
    const member = getMember(value, key);
    if (member === undefined) throw refuse(artefact, select, `there is no "${key}" where it looks`);
    value = member;
  }
  return value;
}

const pathStep = /\.([\p{L}\p{N}_-]+)|\[(\d+)\]|\[(?:"([^"]*)"|'([^']*)')\]|(\[\*\]|\.\*)/uy;

/** Follows a path; with a `*` in it the result is the list of all that match. */
function followPath(artefact: Artefact, select: string): JsonValue {
  let values: readonly JsonValue[] = [artefact.value];
  let isList = false;
  let at = 1;
  while (at < select.length) {
    pathStep.lastIndex = at;
    const match = pathStep.exec(select);
    if (match === null) throw refuse(artefact, select, `"${select.slice(at)}" is no step of a path`);
    at += match[0].length;
    const key = match[1] ?? match[2] ?? match[3] ?? match[4];
    if (key === undefined) {
      isList = true;
      values = values.flatMap((value) => {
        const members = listMembers(value);
        if (members === undefined)
          throw refuse(artefact, select, `"*" meets ${JSON.stringify(value)}, which has no members`);
        return members;
      });
      continue;
    }
    values = values.map((value) => {
      const member = getMember(value, key);
      if (member === undefined) throw refuse(artefact, select, `there is no "${key}" where it looks`);
      return member;
    });
  }
  return isList ? values : values[0];
}

function toScalar(value: JsonValue | undefined): ExpressionValue | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "object" ? undefined : value;
}

/** Looks a name such as `policy.id` up in a row; a name with dots in it counts as it stands too. */
function lookUpField(row: JsonValue, name: string): ExpressionValue | undefined {
  const whole = toScalar(getMember(row, name));
  if (whole !== undefined) return whole;
  let value: JsonValue | undefined = row;
  for (const key of name.split(".")) value = value === undefined ? undefined : getMember(value, key);
  return toScalar(value);
}

/** Returns the end of a bracketed part that may hold quotes and brackets; -1 when it never ends. */
function findClose(text: string, open: number): number {
  let depth = 0;
  let quote = "";
  for (let at = open; at < text.length; at += 1) {
    const char = text[at];
    if (quote !== "") {
      if (char === "\\") at += 1;
      else if (char === quote) quote = "";
    } else if (char === '"' || char === "'") quote = char;
    else if (char === "[") depth += 1;
    else if (char === "]") {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

/** `rows[CONDITION]/pointer`: the pointed-at value of every row for which the condition holds. */
function selectRows(artefact: Artefact, select: string): JsonValue {
  const rows = listMembers(artefact.value);
  if (rows === undefined) throw refuse(artefact, select, "it is no table");
  const hasFilter = select.startsWith("rows[");
  const close = hasFilter ? findClose(select, 4) : 3;
  if (close < 0) throw refuse(artefact, select, '"[" is never closed');
  const pointer = select.slice(close + 1);
  if (pointer !== "" && !pointer.startsWith("/")) throw refuse(artefact, select, `"${pointer}" must begin with "/"`);
  const condition = hasFilter ? parseExpression(select.slice(5, close)) : undefined;
  const chosen = rows.filter((row, index) => {
    if (condition === undefined) return true;
    const isWanted = evaluateExpression(condition, (name) => (name === "row" ? index + 1 : lookUpField(row, name)));
    if (typeof isWanted !== "boolean")
      throw refuse(artefact, select, `the condition gives ${describeValue(isWanted)}, not true or false`);
    return isWanted;
  });
  return chosen.map((row) => followPointer(artefact, select, row, pointer));
}

/**
 * Returns what a selector names: a value, or a list for paths with `*` and for rows. Throws an `inputError` when it
 * names nothing.
 *
 * @example
 * selectValue(artefact, 'rows[budget == 8 and policy == "base"]/success'); // [true, false, true]
 */
export function selectValue(artefact: Artefact, select: string): JsonValue {
  if (select === "" || select.startsWith("/")) return followPointer(artefact, select, artefact.value, select);
  if (select.startsWith("$")) return followPath(artefact, select);
  if (select === "rows" || /^rows[[/]/.test(select)) return selectRows(artefact, select);
  throw refuse(artefact, select, "it has no known form");
}

/** Returns JSON as expressions take it. Throws an `inputError` for objects and null; tagged numbers become numbers. */
export function toExpressionValue(value: JsonValue, what: string): ExpressionValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => toExpressionValue(item, what)); // an array inside JSON holds JSON
  if (isJsonObject(value) && typeof value["$number"] === "string") return Number(value["$number"]);
  if (value === null || typeof value === "object") {
    throw inputError(`Cannot compute with ${what}: it is ${value === null ? "null" : "an object"}, no number`);
  }
  return value;
}
