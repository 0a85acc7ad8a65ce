import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { inputError, type Env, type Task, type Trajectory } from "../core/index.js";
import type { PoolSource } from "../evaluate/index.js";
import { readRun, type RunManifest } from "../records/index.js";
import { drawTasks } from "./draw-tasks.js";
import { isFolder } from "./run-source.js";

/** Returns the tasks that an evaluation drew, drawn again; none where they came from a file. */
function drawAgain(env: Env, { suite }: RunManifest): readonly Task[] {
  if (
    suite?.split === undefined ||
    suite.level === undefined ||
    suite.seed === undefined ||
    env.makeTasks === undefined
  )
    return [];
  const { split, level, seed, taskCount } = suite;
  return drawTasks(env, { split, level, seed, taskCount });
}

/** A run folder opened for its episodes and its env. */
export interface OpenedRun {
  readonly folder: string;
  readonly manifest: RunManifest;
  /** Env of the run: of its suite, else of its first episode. */
  readonly envId: string;
  /** Returns the run as a source of prefixes, its tasks drawn again and joined by those given. */
  toPoolSource(env: Env, tasks: readonly Task[]): PoolSource;
}

/**
 * Opens a run folder.
 *
 * @throws {TurnwiseError} (input) when there is none, or it holds no episode.
 */
export async function openRun(folder: string): Promise<OpenedRun> {
  if (!isFolder(folder) || !existsSync(join(folder, "run.json"))) {
    throw inputError(
      `Cannot read a run in "${folder}": there is no "run.json" in it`,
      `Play one with turnwise eval budget, or import a file first: turnwise import ${folder} -o RUN`,
    );
  }
  const run = await readRun(folder);
  const { manifest } = run;
  let first: Trajectory | undefined;
  if (manifest.suite === undefined) {
    for await (const episode of run.read()) {
      first = episode;
      break;
    }
  }
  const envId = manifest.suite?.envId ?? first?.env.id;
  if (envId === undefined) throw inputError(`Cannot use the run in "${folder}": it holds no episodes`);
  return {
    folder,
    manifest,
    envId,
    toPoolSource: (env, tasks) => ({
      name: basename(folder),
      configHash: manifest.configHash,
      tasks: new Map([...drawAgain(env, manifest), ...tasks].map((task) => [task.hash, task])),
      read: () => run.read(),
    }),
  };
}
