import type { EpisodeKey, Trajectory } from "./trajectory.js";

/** Where a run's episodes go. */
export interface EpisodeStore {
  /** Keeps a trajectory; resolves when it is durable. A later record of the same key replaces an earlier one. */
  append(trajectory: Trajectory): Promise<void>;
  /** Says whether an episode with this key is kept and did not end in an error. */
  hasFinished(key: EpisodeKey): boolean;
  /** Yields the newest record of each key, in a stable order. */
  read(): AsyncIterable<Trajectory>;
  close(): Promise<void>;
}
