// internal
import type { JsonObject, JsonValue, RecordedNumber } from "../../core/index.js";
import { isJsonObject, tagNumber } from "../../core/index.js";

/** Returns the object `value` is, or an empty one: for reading fields of records whose shape nobody promised. */
export function getObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Returns the list `value` is, or an empty one. */
export function getList(value: unknown): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : []; // parsed from JSON, so its items are JSON
}

/** Returns `value` when it is a text, `""` included. */
export function getText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns `value` as text when it is a non-empty text or a finite number: ids are written both ways. */
export function getName(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns `value` when it is a finite number. */
export function getNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Returns `value` when it is a whole number from 0. */
export function getCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Returns `value` when it is `true` or `false`. */
export function getFlag(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/** Returns a number as records keep it, tagged when it is not finite; `undefined` when `value` is no number. */
export function getRecordedNumber(value: unknown): RecordedNumber | undefined {
  if (typeof value === "number") return tagNumber(value);
  if (!isJsonObject(value)) return undefined;
  const tag = value["$number"];
  return tag === "Infinity" || tag === "-Infinity" || tag === "NaN" ? { $number: tag } : undefined;
}

/** Returns those of the given fields that are numbers, or `undefined` when none is. */
export function getNumbers(
  fields: readonly (readonly [string, unknown])[],
): { readonly [name: string]: RecordedNumber } | undefined {
  const numbers = fields.flatMap(([name, value]) => {
    const number = getRecordedNumber(value);
    return number === undefined ? [] : [[name, number] as const];
  });
  return numbers.length === 0 ? undefined : Object.fromEntries(numbers);
}

/** Returns the value at a dotted path, e.g. `info.task.id`, or `undefined`. List items are named by position. */
export function getAt(value: unknown, path: string): unknown {
  let current: unknown = value;
  for (const key of path.split(".")) {
    if (Array.isArray(current)) current = (current as readonly unknown[])[Number(key)]; // Array.isArray loses the element type
    else if (isJsonObject(current) && Object.hasOwn(current, key)) current = current[key];
    else return undefined;
  }
  return current;
}

/** Returns the fields of `record` that are not in `known` and not `undefined`, or `undefined` when none is left. */
export function getRest(record: JsonObject, known: readonly string[]): JsonObject | undefined {
  const rest = Object.entries(record).filter(([key, value]) => value !== undefined && !known.includes(key));
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

/** Returns `fields` without those that are `undefined`, or `undefined` when none is left. */
export function getPresent<T extends object>(fields: T): T | undefined {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return present.length === 0 ? undefined : (Object.fromEntries(present) as T); // the same fields, minus absent ones
}

/** Returns the last part of a path, whichever slash it uses. */
export function getBaseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

/** Returns a file's first bytes as text, to recognise a format by. */
export function decodeHead(head: Uint8Array): string {
  return new TextDecoder().decode(head);
}

/** Says whether a tool's answer begins like an error: the only sign in formats without a flag. */
export function isErrorText(text: string): boolean {
  return /^\s*(?:<tool_error>|\[?(?:error|exception|traceback \(most recent call last\))\b)/i.test(text);
}
