// internal
import { errorMessage, inputError, type JsonObject, type JsonValue } from "../../core/index.js";
import type { ImportSource } from "../importers/importer.js";

/** Says whether the first bytes are those of a parquet file. */
export function isParquet(head: Uint8Array): boolean {
  return head.length >= 4 && String.fromCharCode(...head.subarray(0, 4)) === "PAR1";
}

/** Returns what JSON can hold of a parquet value: 64-bit numbers as numbers, times as text, bytes left out. */
function toJson(value: unknown): JsonValue | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean" || typeof value === "number")
    return value;
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((item) => toJson(item) ?? null);
  if (typeof value !== "object" || value instanceof Uint8Array) return undefined;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toJson(field)]));
}

/**
 * Returns the rows of a parquet file as objects.
 *
 * @throws {TurnwiseError} (input) for a file that is damaged or compressed in a way that cannot be opened.
 */
export async function readParquetRows(source: ImportSource): Promise<JsonObject[]> {
  const { parquetReadObjects } = await import("hyparquet");
  const bytes = await source.readAll();
  const file = new Uint8Array(bytes).buffer; // a buffer of its own, not a part of a pool
  try {
    const rows = await parquetReadObjects({ file });
    return rows.map((row) => toJson(row) as JsonObject); // a row is an object
  } catch (error) {
    throw inputError(
      `Cannot read "${source.path}": the parquet file is damaged or compressed in a way that is not known: ${errorMessage(error)}`,
      "Write it uncompressed or with snappy, or convert it to JSONL",
      error,
    );
  }
}
