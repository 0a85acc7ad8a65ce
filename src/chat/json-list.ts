// internal
import type { JsonValue } from "../core/index.js";

/** Returns a JSON list's items, and none for anything else. */
export function asList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : []; // an array of JSON values
}
