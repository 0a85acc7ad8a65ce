import { explainRecord, isTrajectory } from "../schema/validate.js";
import { openImportSource } from "../reading/source.js";
import { skipped } from "./episode.js";
import { createImportLedger, type ImportLedger } from "./import-ledger.js";
import type { ImportItem, ImportOptions } from "./importer.js";
import { getImporter } from "./registry.js";

/** A file that is being imported. */
export interface ImportedFile {
  /** Name of the importer, e.g. `verifiers`. */
  readonly format: string;
  /** What one turn means in this format and how it was translated. */
  readonly turnNote: string;
  /** Every record as a trajectory or a problem. Can be read once. */
  readonly items: AsyncIterable<ImportItem>;
}

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

/** As {@linkcode importFile}, with a ledger that several files share. */
export async function importWithLedger(path: string, format: string, options: ImportOptions, ledger: ImportLedger): Promise<ImportedFile> {
  const source = await openImportSource(path);
  const importer = getImporter(format, source);
  return { format: importer.format, turnNote: importer.turnNote, items: admitItems(importer.read(source, options), ledger) };
}

async function* admitItems(items: AsyncIterable<ImportItem>, ledger: ImportLedger): AsyncGenerator<ImportItem> {
  for await (const item of items) {
    if (item.type === "problem") {
      yield item;
      continue;
    }
    const position = item.trajectory.provenance?.position;
    if (!isTrajectory(item.trajectory)) {
      yield skipped("invalid_record", `the record cannot be kept: ${explainRecord(item.trajectory) ?? "invalid"}`, position);
      continue;
    }
    yield* ledger.admit(item, position);
  }
}
