import type { MetricLog } from "../../core/index.js";
import type { ImportSource } from "../importers/importer.js";

/** Reads one tool's training logs. */
export interface LogReader {
  /** Name for `--format`, kebab-case. */
  readonly format: string;
  /** One line for help: which tool, which files. */
  readonly description: string;
  /** Returns how surely the file is of this format, 0 (no) to 1 (certain), from its name and first bytes. */
  detect(source: ImportSource): number;
  /**
   * Returns the logs of the file, one for each run in it; what could not be read is in their problems. Throws an
   * input error when the file holds no metric at all.
   */
  read(source: ImportSource): Promise<readonly MetricLog[]>;
}
