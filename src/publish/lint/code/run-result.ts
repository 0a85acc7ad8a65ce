// internal

/** What a runner says of a block. */
export interface RunResult {
  readonly outcome: "passed" | "failed" | "blocked";
  readonly output: string;
  readonly message?: string;
}
