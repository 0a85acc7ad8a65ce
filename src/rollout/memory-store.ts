import { getEpisodeId, type EpisodeKey, type EpisodeStore, type Trajectory } from "../core/index.js";

/** Returns a store that keeps trajectories in memory: for tests, browsers and runs that need no folder. */
export function createMemoryStore(): EpisodeStore {
  const kept = new Map<string, Trajectory>();
  return {
    async append(trajectory) {
      kept.set(trajectory.episodeId, trajectory);
    },
    hasFinished(key: EpisodeKey) {
      const found = kept.size === 0 ? undefined : kept.get(getEpisodeId(key)); // the hash is what costs
      return found !== undefined && found.stopReason.type !== "error";
    },
    async *read() {
      yield* kept.values();
    },
    async close() {},
  };
}
