import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getEpisodeKey, sha256, type Trajectory } from "../../core/index.js";
import { createSampleTrajectory, readAllTrajectories } from "../testing.js";
import { createRunManifest, type RunManifestFields } from "./manifest.js";
import { mergeRuns } from "./merge.js";
import { readRun } from "./run-reader.js";
import { createRunStore } from "./run-store.js";
import { isInShard } from "./shard.js";

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "turnwise-merge-"));
});
afterAll(() => rm(root, { recursive: true }));

const makeEpisode = (number: number, changes: Partial<Trajectory> = {}) =>
  createSampleTrajectory({ task: { id: `t${number}`, hash: sha256(`t${number}`) }, ...changes });

async function writeRun(
  name: string,
  episodes: readonly Trajectory[],
  changes: Partial<RunManifestFields> = {},
): Promise<string> {
  const fields: RunManifestFields = { kind: "eval", config: { samples: 1 }, policies: [{ id: "base" }], ...changes };
  const folder = join(root, name);
  const store = await createRunStore(folder, createRunManifest(fields, { now: new Date(0), turnwiseVersion: "0" }));
  await Promise.all(episodes.map((episode) => store.append(episode)));
  await store.close();
  return folder;
}

test("mergeRuns() of all shards is the whole run", async () => {
  const all = Array.from({ length: 40 }, (_, number) => makeEpisode(number));
  const parts = await Promise.all(
    [1, 2, 3].map((number) => {
      const episodes = all.filter((episode) => isInShard(getEpisodeKey(episode), number, 3));
      return writeRun(`shard-${number}`, episodes, { shard: { number, count: 3 }, plannedEpisodes: episodes.length });
    }),
  );
  const summary = await mergeRuns(parts, join(root, "whole"));
  expect(summary).toMatchObject({ episodeCount: 40, duplicateCount: 0, conflicts: [], problems: [] });
  const merged = await readRun(join(root, "whole"));
  expect(merged.manifest).toMatchObject({ plannedEpisodes: 40 });
  expect(merged.manifest.shard).toBeUndefined();
  const reference = await readRun(await writeRun("reference", all));
  expect(await readAllTrajectories(merged)).toEqual(await readAllTrajectories(reference));
});

test("mergeRuns() counts copies, reports conflicts and prefers finished episodes to errors", async () => {
  const error = { type: "error", boundary: "env", errorClass: "crash", message: "" } as const;
  const a = await writeRun("a", [
    makeEpisode(1),
    makeEpisode(2),
    makeEpisode(3, { stopReason: error }),
    makeEpisode(4),
  ]);
  const b = await writeRun("b", [
    makeEpisode(1),
    makeEpisode(2, { success: true }),
    makeEpisode(3),
    makeEpisode(4, { stopReason: error }),
  ]);
  const summary = await mergeRuns([a, b], join(root, "both"));
  expect(summary).toMatchObject({
    episodeCount: 4,
    duplicateCount: 1,
    conflicts: [{ taskId: "t2", kept: a, dropped: b }],
  });
  const merged = await readAllTrajectories(await readRun(join(root, "both")));
  expect(merged.map(({ stopReason }) => stopReason.type)).toEqual(Array(4).fill("env_end"));
});

test("mergeRuns() refuses runs of different configurations and names the field", async () => {
  const a = await writeRun("c", [], { config: { samples: 1 } });
  const b = await writeRun("d", [], { config: { samples: 2 } });
  await expect(mergeRuns([a, b], join(root, "never"))).rejects.toThrow("config.samples: 1 -> 2");
});
