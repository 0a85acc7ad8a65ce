// internal
import { getEpisodeId, getEpisodeKey, sha256, trajectorySchema, type Trajectory } from "../../core/index.js";
import { createRunManifest, type RunManifest } from "./manifest.js";

// What the kill test's two sides agree on.

/** Small segments, so that kills also fall into rotations. */
export const storeOptions = { maxSegmentEpisodes: 700 };

/** Returns the manifest of the kill test's run. */
export function makeManifest(): RunManifest {
  return createRunManifest(
    { kind: "eval", config: {}, policies: [{ id: "kill" }] },
    { now: new Date(0), turnwiseVersion: "0" },
  );
}

/** Returns episode `number` of the plan: made from the number alone, so that what is read can be compared. */
export function makePlannedEpisode(number: number): Trajectory {
  const text = "é\u{1F600} a text whose characters take several bytes ".repeat(1 + (number % 7));
  const trajectory: Trajectory = {
    schema: trajectorySchema,
    episodeId: "",
    task: { id: `task-${number >> 2}`, hash: sha256(`task-${number >> 2}`) },
    sampleIndex: number % 4,
    policy: { id: "kill" },
    env: { id: "made-up", version: "1" },
    budget: { maxTurns: 4 },
    disclosure: "hidden",
    terminalRule: "act",
    turns: [{ observation: { text }, action: { text: String(number) } }],
    stopReason: { type: "env_end", kind: "solved" },
    success: true,
  };
  return { ...trajectory, episodeId: getEpisodeId(getEpisodeKey(trajectory)) };
}
