import { trajectorySchema, type JsonValue } from "../../core/index.js";
import { readJsonItems } from "../reading/jsonl.js";
import { explainRecord, isTrajectory } from "../schema/validate.js";
import { AlteredBlob, listBlobs, restoreBlobs } from "../store/record-line.js";
import { skipped } from "./episode.js";
import { decodeHead } from "./fields.js";
import type { ImportItem, Importer, ImportSource } from "./importer.js";

/** Returns the record, large values put back from the run folder that the file lies in. */
async function readRecord(value: JsonValue, position: number, source: ImportSource): Promise<ImportItem> {
  const blobs = new Map<string, Buffer>();
  for (const sha256 of listBlobs(value)) {
    const isHash = /^[0-9a-f]{64}$/.test(sha256);
    const blob = isHash ? await source.sibling(`../blobs/${sha256.slice(0, 2)}/${sha256}`) : undefined;
    if (blob === undefined)
      return skipped("missing_blob", `a large value of the record is missing: blob ${sha256.slice(0, 80)}`, position);
    blobs.set(sha256, Buffer.from(await blob.readAll()));
  }
  let record = value;
  try {
    if (blobs.size > 0) record = restoreBlobs(value, (sha256) => blobs.get(sha256) ?? Buffer.alloc(0));
  } catch (error) {
    if (!(error instanceof AlteredBlob)) throw error;
    return skipped("altered_blob", error.message, position);
  }
  if (isTrajectory(record)) return { type: "trajectory", trajectory: record, isSampleStated: true };
  return skipped("not_a_record", `not a turnwise record: ${explainRecord(record) ?? "of another kind"}`, position);
}

/** Reads records that turnwise wrote, or that another tool wrote by the published schema. Nothing is translated. */
export const turnwiseImporter: Importer = {
  format: "turnwise",
  description: "turnwise records, one a line: a run's segments or files written by schemas/trajectory.schema.json",
  turnNote: "Records are taken as they are.",
  detect({ head }) {
    return decodeHead(head.subarray(0, 4096)).includes(`"${trajectorySchema}"`) ? 1 : 0;
  },
  async *read(source) {
    for await (const item of readJsonItems(source)) {
      if (item.type === "problem") yield item;
      else yield await readRecord(item.value, item.position, source);
    }
  },
};
