import type { Env, Policy, Task, Trajectory } from "../core/index.js";
import { Episode, type EpisodeOptions } from "./episode.js";

/**
 * Plays one episode and returns its record. It never throws for what goes wrong inside the episode: that is
 * recorded as the stop reason.
 *
 * @example
 * const trajectory = await runEpisode(env, policy, task, { budget: { maxTurns: 8 } });
 */
export async function runEpisode(
  env: Env,
  policy: Policy,
  task: Task,
  options: EpisodeOptions = {},
): Promise<Trajectory> {
  const episode = await Episode.start(env, policy, task, options);
  while (episode.request !== undefined) {
    let result;
    try {
      result = await policy.act(episode.request);
    } catch (error) {
      await episode.fail(error);
      break;
    }
    await episode.answer(result);
  }
  return episode.getTrajectory();
}

/** One episode of a lockstep batch. */
export interface LockstepEntry {
  readonly env: Env;
  readonly task: Task;
  readonly options: EpisodeOptions;
}

/**
 * Plays several episodes of one batching policy in lockstep and returns their records in the order given: every
 * running episode is asked in each round, so what a batch holds never depends on timing. An error of the batched
 * call ends every episode that was in it.
 *
 * @throws {TypeError} when the policy has no `actBatch`, or answers another number of requests than it was asked.
 */
export async function runLockstep(policy: Policy, entries: readonly LockstepEntry[]): Promise<Trajectory[]> {
  const { actBatch } = policy;
  if (actBatch === undefined) throw new TypeError(`Cannot run policy "${policy.id}" in lockstep: it has no actBatch`);
  const episodes: Episode[] = [];
  for (const { env, task, options } of entries) episodes.push(await Episode.start(env, policy, task, options));
  for (;;) {
    const running = episodes.filter((episode) => episode.request !== undefined);
    const requests = running.flatMap((episode) => (episode.request === undefined ? [] : [episode.request]));
    if (requests.length === 0) break;
    let results;
    try {
      results = await actBatch.call(policy, requests);
      if (results.length !== requests.length) {
        throw new TypeError(`actBatch answered ${results.length} of ${requests.length} requests`);
      }
    } catch (error) {
      for (const episode of running) await episode.fail(error);
      continue;
    }
    for (const [index, episode] of running.entries()) await episode.answer(results[index]);
  }
  return episodes.map((episode) => episode.getTrajectory());
}
