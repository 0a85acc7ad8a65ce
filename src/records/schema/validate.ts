import { Ajv, type ValidateFunction } from "ajv";
import { z } from "zod";
import { isJsonObject, type JsonObject, type Trajectory } from "../../core/index.js";
import { trajectoryShape } from "./trajectory-schema.js";

/**
 * Returns the JSON Schema (draft 7) of a record: the published contract for tools that write records themselves, and
 * what bulk reads are checked by.
 */
export function createTrajectoryJsonSchema(): JsonObject {
  const schema = z.toJSONSchema(trajectoryShape, { target: "draft-7" });
  const text = JSON.stringify({
    title: "turnwise trajectory",
    description: "One episode of an agent, one a line.",
    ...schema,
  });
  return JSON.parse(text) as JsonObject; // a JSON Schema is a JSON object; the round trip drops what is not JSON
}

let compiled: ValidateFunction | undefined;

/**
 * Says whether `value` is a record: required fields present and every known field of its type; unknown fields may be
 * there. Fast (about 1 us for a record of 2 KB); {@linkcode explainRecord} says why one is not.
 */
export function isTrajectory(value: unknown): value is Trajectory {
  compiled ??= new Ajv({ strict: false, strictNumbers: true, logger: false }).compile(createTrajectoryJsonSchema());
  return compiled(value) === true;
}

/** Returns what is wrong with a record, each fault with its place, or `undefined` if nothing is. */
export function explainRecord(value: unknown): string | undefined {
  const result = trajectoryShape.safeParse(value);
  if (result.success) return undefined;
  const faults = result.error.issues.slice(0, 5).map(({ path, message }) => {
    const place = path.length === 0 ? "the record" : path.map(String).join(".");
    return `${place}: ${message}`;
  });
  const more = result.error.issues.length - faults.length;
  const version = isJsonObject(value) && typeof value.schema === "string" ? ` (schema "${value.schema}")` : "";
  return `${faults.join("; ")}${more > 0 ? `; and ${more} more` : ""}${version}`;
}
