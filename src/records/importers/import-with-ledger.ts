// internal
import { openImportSource } from "../reading/source.js";
import { explainRecord, isTrajectory } from "../schema/validate.js";
import { skipped } from "./episode.js";
import type { ImportLedger } from "./import-ledger.js";
import type { ImportedFile, ImportItem, ImportOptions } from "./importer.js";
import { getImporter } from "./registry.js";

/** Opens a file for import; its episodes get keys that are their own over all files that share the ledger. */
export async function importWithLedger(
  path: string,
  format: string,
  options: ImportOptions,
  ledger: ImportLedger,
): Promise<ImportedFile> {
  const source = await openImportSource(path);
  const importer = getImporter(format, source);
  return {
    format: importer.format,
    turnNote: importer.turnNote,
    items: admitItems(importer.read(source, options), ledger),
  };
}

async function* admitItems(items: AsyncIterable<ImportItem>, ledger: ImportLedger): AsyncGenerator<ImportItem> {
  for await (const item of items) {
    if (item.type === "problem") {
      yield item;
      continue;
    }
    const position = item.trajectory.provenance?.position;
    if (!isTrajectory(item.trajectory)) {
      yield skipped(
        "invalid_record",
        `the record cannot be kept: ${explainRecord(item.trajectory) ?? "invalid"}`,
        position,
      );
      continue;
    }
    yield* ledger.admit(item, position);
  }
}
