import type { JsonObject, TokenSample } from "../../core/index.js";

/** Reads one tool's token-level training samples. */
export interface TokenSampleReader {
  /** Name for `--format`, kebab-case. */
  readonly format: string;
  /** One line for help: which tool, which fields. */
  readonly description: string;
  /** Says whether a record has this tool's fields. */
  matches(record: JsonObject): boolean;
  /**
   * Returns the samples of a record, with the lists as they are: what does not fit is left for rules to report. Throws
   * nothing; a text says why the record holds no sample.
   */
  read(record: JsonObject, id: string): readonly TokenSample[] | string;
}
