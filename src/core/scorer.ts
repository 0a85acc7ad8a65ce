import type { RecordedNumber } from "./json.js";
import type { Trajectory } from "./trajectory.js";

/** A scorer's judgement of one trajectory. What was not computed is absent, never 0. */
export interface Score {
  readonly success?: boolean;
  readonly parts?: { readonly [name: string]: RecordedNumber | boolean | string };
}

/** What judges trajectories. */
export interface Scorer {
  readonly id: string;
  readonly version: string;
  /** Returns the judgement. What it throws is recorded as an error of the scorer. */
  score(trajectory: Trajectory): Score | Promise<Score>;
}
