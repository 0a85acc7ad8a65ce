import {
  PolicyError,
  type BatchAnswers,
  type Env,
  type Policy,
  type PolicyRequest,
  type PolicyResult,
  type Task,
  type Trajectory,
} from "../core/index.js";
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
  while (episode.request !== undefined) await episode.ask((request) => policy.act(request));
  return episode.getTrajectory();
}

/** One episode of a lockstep batch. */
export interface LockstepEntry {
  readonly env: Env;
  readonly task: Task;
  readonly options: EpisodeOptions;
}

async function answerBatch(policy: Policy, requests: readonly PolicyRequest[]): Promise<BatchAnswers> {
  const results: unknown = await policy.actBatch?.(requests);
  if (!Array.isArray(results)) throw new TypeError("actBatch answered without a list of answers");
  if (results.length !== requests.length) {
    throw new TypeError(`actBatch answered ${results.length} of ${requests.length} requests`);
  }
  return results as BatchAnswers; // each one is checked where its episode takes it
}

function takeAnswer(answer: PolicyResult | PolicyError): PolicyResult {
  if (answer instanceof PolicyError) throw answer;
  return answer;
}

/**
 * Plays several episodes of one batching policy in lockstep and returns their records in the order given: every
 * running episode is asked in each round, so what a batch holds never depends on timing. An error of the batched
 * call ends every episode that was in it.
 *
 * @throws {TypeError} when the policy has no `actBatch`, or answers another number of requests than it was asked.
 */
export async function runLockstep(policy: Policy, entries: readonly LockstepEntry[]): Promise<Trajectory[]> {
  if (policy.actBatch === undefined)
    throw new TypeError(`Cannot run policy "${policy.id}" in lockstep: it has no actBatch`);
  const episodes: Episode[] = [];
  for (const { env, task, options } of entries) episodes.push(await Episode.start(env, policy, task, options));
  for (;;) {
    const running = episodes.filter((episode) => episode.request !== undefined);
    const requests = running.flatMap((episode) => (episode.request === undefined ? [] : [episode.request]));
    if (requests.length === 0) break;
    const batch = answerBatch(policy, requests);
    // Each episode waits as long as it may itself; one whose time is up does not take the others' answers away.
    await Promise.all(
      running.map((episode, index) => episode.ask(() => batch.then((results) => takeAnswer(results[index])))),
    );
  }
  return episodes.map((episode) => episode.getTrajectory());
}
