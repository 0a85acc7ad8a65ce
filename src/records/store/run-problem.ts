/**
 * Something wrong in a run folder that was passed over: an unfinished end, a line that is not JSON, a line that is no record, a record
 * whose large values are not all there, or not those that were stored.
 */
export interface RunProblem {
  readonly problemClass: "torn_tail" | "damaged_line" | "damaged_record" | "missing_blob" | "altered_blob";
  readonly message: string;
  readonly segment: number;
  /** Byte position in the segment. */
  readonly offset: number;
}
