/** Something wrong in a run folder that was passed over. */
export interface RunProblem {
  readonly problemClass: "torn_tail" | "damaged_line" | "missing_blob";
  readonly message: string;
  readonly segment: number;
  /** Byte position in the segment. */
  readonly offset: number;
}
