import type { RunProgress as RolloutProgress } from "../rollout/index.js";

/** How far a run is. */
export type RunProgress = RolloutProgress;

/** Told how a run goes, for display. Must not throw. */
export interface RunEvents {
  /** How far the run is; called after every episode. */
  onProgress?(progress: RunProgress): void;
  /** A line for people: a pause, an outage, what is written. */
  onMessage?(message: string): void;
}

/** Signals that stop a run. */
export interface RunStop {
  /** No new episode begins; those in flight are played to their end. */
  readonly drain?: AbortSignal;
  /** Episodes in flight are given up; they are redone when the run is continued. */
  readonly abort?: AbortSignal;
}
