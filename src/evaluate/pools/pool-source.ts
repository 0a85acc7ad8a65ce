import type { PoolJudge, Task, Trajectory } from "../../core/index.js";

/** Episodes that prefixes are taken from. */
export interface PoolSource {
  /** The run's name, for the card. */
  readonly name: string;
  readonly configHash?: string;
  /** The tasks of its episodes, by hash. */
  readonly tasks: ReadonlyMap<string, Task>;
  read(): AsyncIterable<Trajectory> | Iterable<Trajectory>;
}

/** A rule or judge that finds errors where the env does not tell them. */
export interface PoolErrorJudge extends PoolJudge {
  /** Returns the 0-based turn of the first error, or `undefined` when there is none. May throw. */
  findError(episode: Trajectory): number | undefined | Promise<number | undefined>;
}
