// internal
import type { BudgetRollout, JsonObject } from "../../core/index.js";

/** Reads the rollouts of one trainer's dump. */
export interface RolloutReader {
  readonly format: string;
  readonly description: string;
  /** Says whether this is a record of the format. */
  matches(record: JsonObject): boolean;
  /** Returns what a record says of its episode. `fileStep` is the step that the file's name states. */
  read(record: JsonObject, fileStep: number | undefined): Omit<BudgetRollout, "place">;
}
