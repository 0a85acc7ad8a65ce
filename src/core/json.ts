/** Any value JSON text can carry. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/**
 * A number that JSON cannot write, as a tagged value: infinite, not a number, or not known.
 * `null` is never used for these, since it could mean any of them.
 */
export interface NumberTag {
  readonly $number: "Infinity" | "-Infinity" | "NaN" | "unknown";
}
/** A number as it stands in a record: a plain finite number or a tag. */
export type RecordedNumber = number | NumberTag;

/**
 * Returns `value` in the form records use: finite numbers as they are, the rest as a tag.
 *
 * @example
 * tagNumber(Infinity); // { $number: "Infinity" }
 */
export function tagNumber(value: number | undefined): RecordedNumber {
  if (value === undefined) return { $number: "unknown" };
  if (Number.isFinite(value)) return value;
  if (Number.isNaN(value)) return { $number: "NaN" };
  return { $number: value > 0 ? "Infinity" : "-Infinity" };
}

/**
 * Returns the number a record means, or `undefined` when it is unknown.
 *
 * @example
 * untagNumber({ $number: "-Infinity" }); // -Infinity
 */
export function untagNumber(value: RecordedNumber | undefined): number | undefined {
  if (value === undefined || typeof value === "number") return value;
  switch (value.$number) {
    case "Infinity":
      return Infinity;
    case "-Infinity":
      return -Infinity;
    case "NaN":
      return NaN;
    case "unknown":
      return undefined;
    default:
      return value.$number satisfies never;
  }
}

/** Says whether `value` is a JSON object: not `null`, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns the one canonical JSON text of `value`: keys sorted by UTF-16 code unit, no spaces, fields
 * that are `undefined` left out, lone surrogates escaped. Equal data give equal text, so the text can be hashed.
 *
 * @throws {TypeError} for a number that is not finite; tag it first with {@linkcode tagNumber}.
 * @example
 * canonicalJson({ b: 1, a: [true, undefined] }); // '{"a":[true,null],"b":1}'
 */
export function canonicalJson(value: unknown): string {
  if (value === undefined) return "null";
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new TypeError(`Cannot write a number that is not finite as canonical JSON: current value is ${value}`);
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const record = value as Readonly<Record<string, unknown>>; // not an array and not null, so a keyed object
  const fields = Object.keys(record)
    .filter((key) => record[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(record[key])}`);
  return `{${fields.join(",")}}`;
}
