import { createImportLedger } from "./import-ledger.js";
import { importWithLedger } from "./import-with-ledger.js";
import type { ImportedFile, ImportOptions } from "./importer.js";

/**
 * Opens a file of another tool and returns its episodes: every one a valid record with a key of its own. Where the
 * source does not number attempts at a task, repeated ones are further samples in the order of the file; where it
 * does, equal copies and conflicts are reported. Nothing is read into memory as a whole but what the format needs.
 *
 * @throws {TurnwiseError} (usage) for an unknown format; (input) when the file cannot be used as a whole. Reading the
 * items can throw the latter too.
 */
export function importFile(path: string, format = "auto", options: ImportOptions = {}): Promise<ImportedFile> {
  return importWithLedger(path, format, options, createImportLedger());
}
