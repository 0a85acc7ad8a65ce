// internal
import { isDeeperThan, maxRecordDepth } from "../../core/index.js";
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
    items: admitItems(importer.read(source, options), ledger, describeGrader(options)),
  };
}

/** Returns what judges success where the user's options say so, in words; `undefined` where the format does. */
function describeGrader({ successField, rewardField, successThreshold }: ImportOptions): string | undefined {
  if (successField === undefined && successThreshold === undefined) return undefined;
  const flag = successField === undefined ? [] : [`field "${successField}"`];
  const reward = rewardField === undefined ? "reward" : `field "${rewardField}"`;
  return [...flag, ...(successThreshold === undefined ? [] : [`${reward} of at least ${successThreshold}`])].join(
    ", else ",
  );
}

async function* admitItems(
  items: AsyncIterable<ImportItem>,
  ledger: ImportLedger,
  grader: string | undefined,
): AsyncGenerator<ImportItem> {
  for await (const read of items) {
    if (read.type === "problem") {
      yield read;
      continue;
    }
    const item =
      grader === undefined || read.trajectory.grader !== undefined
        ? read
        : { ...read, trajectory: { ...read.trajectory, grader } };
    const position = item.trajectory.provenance?.position;
    if (isDeeperThan(item.trajectory)) {
      yield skipped(
        "too_deep",
        `the record cannot be kept: values nested deeper than ${maxRecordDepth} levels`,
        position,
      );
      continue;
    }
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
