import type { JsonObject, Trajectory } from "../../core/index.js";

/** One file to import, readable in pieces. Compressed files (.gz) are already opened. */
export interface ImportSource {
  /** File name without folders, `.gz` removed. */
  readonly name: string;
  /** Path as given, for messages. */
  readonly path: string;
  /** Byte length after decompression, when known. */
  readonly size?: number;
  /** The first bytes, up to 64 KiB: enough to recognise a format. */
  readonly head: Uint8Array;
  /** Streams the bytes from the beginning. */
  bytes(): AsyncIterable<Uint8Array>;
  /** Returns all bytes: for container formats and single JSON documents. */
  readAll(): Promise<Uint8Array>;
  /** Opens a file beside this one (run metadata, a job's other files), or returns `undefined` if there is none. */
  sibling(relativePath: string): Promise<ImportSource | undefined>;
}

/** Settings of an import that no file states. */
export interface ImportOptions {
  /** Names the policy where the source does not. */
  readonly policyId?: string;
  /** Path (dotted) of the reward in a record, for message formats. */
  readonly rewardField?: string;
  /** Path (dotted) of the success flag. */
  readonly successField?: string;
  /** Path (dotted) of the task id. */
  readonly taskField?: string;
  /** Path (dotted) of the attempt's number at its task, from 0. */
  readonly sampleField?: string;
  /** Reward from which an episode counts as solved, when the source states only a reward; default of the format. */
  readonly successThreshold?: number;
  /** The generic mapping of `--map`: record field paths by trajectory field. */
  readonly map?: JsonObject;
}

/** What an importer yields: a trajectory, or a problem with the place and whether the record was lost. */
export type ImportItem =
  | {
      readonly type: "trajectory";
      readonly trajectory: Trajectory;
      /**
       * The source itself numbers the attempts (trial, epoch), so the same number twice is a duplicate or a conflict.
       * Absent, a repeated key becomes a further sample.
       */
      readonly isSampleStated?: true;
    }
  | {
      readonly type: "problem";
      /** `skipped`: the record could not be kept; `repaired`: it was kept, with what was changed in the message. */
      readonly severity: "skipped" | "repaired";
      /** Short class the summary counts by, e.g. `torn_line`, `not_json`, `duplicate`. */
      readonly problemClass: string;
      readonly message: string;
      /** 1-based line or 0-based element. */
      readonly position?: number;
    };

/** Reads one tool's files. */
export interface Importer {
  /** Name for `--format`, kebab-case. */
  readonly format: string;
  /** One line for help: which tool, which files. */
  readonly description: string;
  /** What one turn means in this format and how it is translated; stored with every record. */
  readonly turnNote: string;
  /** Returns how surely the file is of this format, 0 (no) to 1 (certain), from its name and first bytes. */
  detect(source: ImportSource): number;
  /**
   * Yields every record of the file as a trajectory or a problem; nothing is silently skipped. Throws an input
   * error when the file as a whole cannot be used (empty, a Git LFS pointer, another format).
   */
  read(source: ImportSource, options: ImportOptions): AsyncIterable<ImportItem>;
  /**
   * Returns the files beside this one whose records {@linkcode Importer.read} yields too, as paths from its folder:
   * importing a folder leaves them out, so that no episode counts twice. Absent when a file never holds others'
   * records. Returns an empty list, and does not throw, for a file that cannot be read.
   */
  listParts?(source: ImportSource): Promise<readonly string[]>;
}

/** A file that is being imported. */
export interface ImportedFile {
  /** Name of the importer, e.g. `verifiers`. */
  readonly format: string;
  /** What one turn means in this format and how it was translated. */
  readonly turnNote: string;
  /** Every record as a trajectory or a problem. Can be read once. */
  readonly items: AsyncIterable<ImportItem>;
}
