import { getEpisodeId, sha256, trajectorySchema, type StopReason, type Trajectory } from "../../src/core/index.js";

/** What a made-up episode is like; the rest of the record is filled in. */
export interface EpisodeSketch {
  readonly policy?: string;
  readonly task: string;
  readonly sample?: number;
  /** Grade after each turn; `undefined` is unknown. Its length is the number of turns. */
  readonly grades: readonly (boolean | undefined)[];
  /** Default: the last grade. */
  readonly success?: boolean;
  /** Default: solved, or out of turns. */
  readonly stop?: StopReason;
  readonly changes?: Partial<Trajectory>;
}

/** Returns a record with these grades. */
export function sketchTrajectory(sketch: EpisodeSketch): Trajectory {
  const { policy = "base", task, sample = 0, grades, stop, changes } = sketch;
  const success = "success" in sketch ? sketch.success : grades.at(-1);
  const taskHash = sha256(task);
  const setting = { budget: { maxTurns: 8 }, disclosure: "hidden" as const, terminalRule: "act" as const };
  return {
    schema: trajectorySchema,
    episodeId: getEpisodeId({ policyId: policy, taskHash, sampleIndex: sample, ...setting }),
    task: { id: task, hash: taskHash },
    sampleIndex: sample,
    policy: { id: policy },
    env: { id: "counter", version: "1" },
    ...setting,
    turns: grades.map((solvedAfter) => ({
      observation: { text: "" },
      action: { text: "go" },
      ...(solvedAfter === undefined ? {} : { solvedAfter }),
    })),
    stopReason: stop ?? (success === true ? { type: "env_end", kind: "solved" } : { type: "max_turns" }),
    ...(success === undefined ? {} : { success }),
    ...changes,
  };
}

/** Returns grades of an episode that is solved with turn `turns`, or never within `turns` turns. */
export function solvedAt(turns: number, isSolved = true): boolean[] {
  return Array.from({ length: turns }, (_, index) => isSolved && index === turns - 1);
}
