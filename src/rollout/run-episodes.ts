import type { Env, EpisodeStore, Policy, Scorer, Trajectory } from "../core/index.js";
import { applyScorer } from "./apply-scorer.js";
import type { EpisodeOptions } from "./episode.js";
import { getPlannedKey, type PlannedEpisode } from "./plan.js";
import { runEpisode, runLockstep } from "./run-episode.js";
import { RunTally, type RunProgress } from "./run-progress.js";

/** Settings of a run. */
export interface RunEpisodesOptions {
  /** Number of episodes in the plan, for progress. */
  readonly planned?: number;
  /** Episodes in flight at once; default 16. */
  readonly concurrency?: number;
  /** Episodes stepped together for a policy with `actBatch`; default 32. */
  readonly batchSize?: number;
  /** Most episodes to play in this call; the rest is left for the next one. */
  readonly limit?: number;
  /** Judges each trajectory; without it the env's own grade stands. */
  readonly scorer?: Scorer;
  /** Returns the time in seconds; without it no timing is recorded. */
  readonly now?: () => number;
  /** Cuts calls in flight at `maxSeconds`; see {@linkcode EpisodeOptions}. */
  readonly sleep?: EpisodeOptions["sleep"];
  /** When aborted, no new episode begins; those in flight are played to their end. */
  readonly drainSignal?: AbortSignal;
  /** When aborted, episodes in flight are given up too and not recorded. */
  readonly abortSignal?: AbortSignal;
  /** Called after every episode; must not throw. */
  readonly onProgress?: (progress: RunProgress, trajectory: Trajectory | undefined) => void;
}

/** A job for one worker: one episode, or a lockstep batch. */
type Job = readonly PlannedEpisode[];

function* formJobs(
  plan: Iterable<PlannedEpisode>,
  policies: ReadonlyMap<string, Policy>,
  isWanted: (planned: PlannedEpisode) => boolean,
  batchSize: number,
): Generator<Job> {
  const batches = new Map<string, PlannedEpisode[]>();
  for (const planned of plan) {
    if (!isWanted(planned)) continue;
    if (policies.get(planned.policyId)?.actBatch === undefined) {
      yield [planned];
      continue;
    }
    const batch = batches.get(planned.policyId) ?? [];
    batch.push(planned);
    batches.set(planned.policyId, batch);
    if (batch.length === batchSize) {
      batches.delete(planned.policyId);
      yield batch;
    }
  }
  yield* batches.values();
}

function getEpisodeOptions(episode: PlannedEpisode, { now, sleep, abortSignal }: RunEpisodesOptions): EpisodeOptions {
  const { budget, disclosure, terminalRule, sampleIndex, envSeed, samplingSeed, groupId, prefix } = episode;
  return {
    budget,
    disclosure,
    terminalRule,
    sampleIndex,
    envSeed,
    samplingSeed,
    ...(groupId === undefined ? {} : { groupId }),
    ...(prefix === undefined ? {} : { prefix }),
    ...(now === undefined ? {} : { now }),
    ...(sleep === undefined ? {} : { sleep }),
    ...(abortSignal === undefined ? {} : { signal: abortSignal }),
  };
}

/**
 * Plays the episodes of a plan that the store does not hold yet, at most `concurrency` at once and pulled lazily,
 * and returns how far it came. A failed episode never cancels its siblings: it is recorded with the boundary that
 * failed. Only the store can stop a run, since an episode that cannot be kept must not be lost silently.
 *
 * @throws what `store.append` throws, after the episodes in flight have come to their end.
 * @throws {RangeError} when the plan names a policy that is not given.
 */
export async function runEpisodes(
  env: Env,
  policies: readonly Policy[],
  plan: Iterable<PlannedEpisode>,
  store: EpisodeStore,
  options: RunEpisodesOptions = {},
): Promise<RunProgress> {
  const { planned = 0, concurrency = 16, batchSize = 32, limit = Infinity, scorer } = options;
  const { drainSignal, abortSignal, onProgress } = options;
  const policyById = new Map(policies.map((policy) => [policy.id, policy]));
  const tally = new RunTally(planned);
  let begun = 0;
  let fault: { readonly error: unknown } | undefined;
  const isAborted = (): boolean => abortSignal?.aborted === true;
  const mayBegin = (): boolean => fault === undefined && begun < limit && drainSignal?.aborted !== true && !isAborted();

  function isWanted(episode: PlannedEpisode): boolean {
    const isFinished = store.hasFinished(getPlannedKey(episode));
    if (isFinished) tally.keep();
    return !isFinished;
  }

  async function play(job: Job): Promise<readonly Trajectory[]> {
    const policy = policyById.get(job[0].policyId);
    if (policy === undefined)
      throw new RangeError(`Cannot play an episode of policy "${job[0].policyId}": it is not given`);
    if (policy.actBatch === undefined)
      return [await runEpisode(env, policy, job[0].task, getEpisodeOptions(job[0], options))];
    return runLockstep(
      policy,
      job.map((episode) => ({ env, task: episode.task, options: getEpisodeOptions(episode, options) })),
    );
  }

  const jobs = formJobs(plan, policyById, isWanted, Math.max(1, Math.min(batchSize, limit)));

  async function work(): Promise<void> {
    while (mayBegin()) {
      const next = jobs.next();
      if (next.done === true) return;
      const job = next.value.slice(0, limit - begun);
      begun += job.length;
      tally.move(job.length);
      try {
        for (const trajectory of await play(job)) {
          const judged = scorer === undefined ? trajectory : await applyScorer(trajectory, scorer, abortSignal);
          if (isAborted() && judged.stopReason.type === "error") continue; // given up, redone next time
          await store.append(judged);
          tally.add(judged);
          onProgress?.(tally.getProgress(), judged);
        }
      } catch (error) {
        fault ??= { error };
      }
      tally.move(-job.length);
    }
  }

  await Promise.all(Array.from({ length: concurrency }, work));
  if (fault !== undefined) throw fault.error;
  onProgress?.(tally.getProgress(), undefined);
  return tally.getProgress();
}
