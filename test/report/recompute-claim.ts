import { isJsonObject, type Claim, type JsonValue } from "../../src/core/index.js";

function select(document: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(value)) value = (value as readonly JsonValue[])[Number(key)]; // narrowed by Array.isArray
    else value = isJsonObject(value) ? value[key] : undefined;
  }
  return value;
}

/** Computes a claim again from report.json alone, as publishing does. */
export function recomputeClaim({ expr, inputs }: Claim, document: JsonValue): JsonValue | undefined {
  const [a, b] = inputs.map((input) => select(document, input.select));
  if (expr === "value") return a;
  if (expr === "count(value)") return Array.isArray(a) ? a.length : undefined;
  if (expr === "[a, b]") return [a ?? null, b ?? null];
  if (expr === "b - a") return Number(b) - Number(a);
  throw new RangeError(`Cannot compute "${expr}"`);
}
