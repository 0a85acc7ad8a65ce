// internal
import { readFileSync } from "node:fs";
import {
  describeSystemError,
  isDeeperThan,
  maxRecordDepth,
  type JsonValue,
  type Trajectory,
} from "../../core/index.js";
import { explainRecord, isTrajectory } from "../schema/validate.js";
import { getBlobPath } from "./files.js";
import { AlteredBlob, restoreBlobs } from "./record-line.js";
import type { RunProblem } from "./run-problem.js";

/** A stored line's record, or why it has none. */
export type CheckedLine =
  | { readonly record: Trajectory; readonly problemClass?: undefined; readonly reason?: undefined }
  | { readonly record?: undefined; readonly problemClass: RunProblem["problemClass"]; readonly reason: string };

/** Returns the record of a stored line with what lies beside it put back, as a reader would; never throws. */
export function checkLine(folder: string, bytes: Buffer): CheckedLine {
  let line: JsonValue;
  try {
    line = JSON.parse(bytes.toString("utf8")) as JsonValue; // JSON.parse returns nothing else
  } catch {
    return { problemClass: "damaged_line", reason: "it is not JSON" };
  }
  if (isDeeperThan(line)) {
    return { problemClass: "damaged_record", reason: `its values are nested deeper than ${maxRecordDepth} levels` };
  }
  let record: unknown;
  try {
    record = restoreBlobs(line, (sha256) => readFileSync(getBlobPath(folder, sha256)));
  } catch (error) {
    if (error instanceof AlteredBlob) return { problemClass: "altered_blob", reason: error.message };
    return {
      problemClass: "missing_blob",
      reason: `a large value beside it cannot be read: ${describeSystemError(error)}`,
    };
  }
  if (isTrajectory(record)) return { record };
  return { problemClass: "damaged_record", reason: explainRecord(record) ?? "it is no record" };
}
