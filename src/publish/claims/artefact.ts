import {
  errorMessage,
  inputError,
  isJsonObject,
  parseCsv,
  sha256,
  type JsonObject,
  type JsonValue,
} from "../../core/index.js";

/** A file that claims are computed from, parsed once. */
export interface Artefact {
  /** As named in the ledger. */
  readonly name: string;
  /** SHA-256 of its bytes, `sha256:<hex>`. */
  readonly sha256: string;
  /** The document for JSON; a list of rows for JSONL and CSV. */
  readonly value: JsonValue;
  readonly isTable: boolean;
  /** The files it is made of, where it is not one file. */
  readonly parts?: readonly { readonly name: string; readonly sha256: string }[];
}

/**
 * Returns tables as one, their rows in order: the segments of a run. Its hash is that of the names and hashes of its
 * parts.
 */
export function joinArtefacts(name: string, artefacts: readonly Artefact[]): Artefact {
  const parts = artefacts.map(({ name: part, sha256: hash }) => ({ name: part, sha256: hash }));
  const value = artefacts.flatMap((artefact) => (Array.isArray(artefact.value) ? (artefact.value as JsonValue[]) : [])); // an array inside JSON holds JSON
  return { name, sha256: `sha256:${sha256(JSON.stringify(parts))}`, value, isTable: true, parts };
}

function parseLines(name: string, text: string): JsonValue[] {
  const rows: JsonValue[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      rows.push(JSON.parse(line) as JsonValue); // what JSON.parse returns is JSON
    } catch (error) {
      throw inputError(
        `Cannot read line ${index + 1} of the artefact "${name}": ${errorMessage(error)}`,
        "Repair the file, or remove the torn line",
      );
    }
  }
  return rows;
}

/** Returns the number a cell states, or the cell as it is. */
function toCell(cell: string): number | string {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(cell.trim()) ? Number(cell) : cell;
}

function parseTable(name: string, text: string): JsonObject[] {
  const [head, ...records] = parseCsv(text);
  if (head === undefined) throw inputError(`Cannot read the artefact "${name}": it has no header row`);
  return records.map(({ cells, line }) => {
    if (cells.length !== head.cells.length) {
      throw inputError(
        `Cannot read line ${line} of the artefact "${name}": it has ${cells.length} cells under ${head.cells.length} columns`,
        "Repair the row",
      );
    }
    return Object.fromEntries(head.cells.map((column, index) => [column.trim(), toCell(cells[index])]));
  });
}

/**
 * Returns the artefact with these bytes; its name's ending says how they are read: `.json`, `.jsonl` (or `.ndjson`),
 * `.csv`. Throws an `inputError` for other endings and for content that cannot be read, with the line.
 */
export function parseArtefact(name: string, bytes: Uint8Array): Artefact {
  const text = new TextDecoder().decode(bytes);
  const head = { name, sha256: `sha256:${sha256(bytes)}` };
  if (/\.(?:jsonl|ndjson)$/i.test(name)) return { ...head, value: parseLines(name, text), isTable: true };
  if (/\.csv$/i.test(name)) return { ...head, value: parseTable(name, text), isTable: true };
  if (/\.json$/i.test(name)) {
    try {
      return { ...head, value: JSON.parse(text) as JsonValue, isTable: false }; // what JSON.parse returns is JSON
    } catch (error) {
      throw inputError(`Cannot read the artefact "${name}" as JSON: ${errorMessage(error)}`, "Repair the file");
    }
  }
  throw inputError(`Cannot read the artefact "${name}"`, "Name a .json, .jsonl or .csv file");
}

/** Returns the state a run manifest states, or `undefined` when the artefact is none. */
export function findRunStatus({ value }: Artefact): string | undefined {
  return isJsonObject(value) && typeof value["status"] === "string" ? value["status"] : undefined;
}
