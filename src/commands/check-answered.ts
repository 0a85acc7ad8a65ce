import { inputError, writeCount, type Trajectory } from "../core/index.js";

/** What became of one policy's episodes. */
interface Fate {
  played: number;
  errored: number;
  first?: { readonly boundary: string; readonly errorClass: string; readonly message: string };
}

const advice: { readonly [boundary: string]: string } = {
  policy:
    "Mend the policy or its server (turnwise doctor tries one episode), then run the same command: only what is missing is played",
  env: "Mend the env (turnwise doctor checks it), then run the same command: only what is missing is played",
  scorer: "Mend the scorer, then run the same command: only what is missing is played",
};

/**
 * Refuses a run in which one of the policies has no episode that ended without an error, since nothing can be said of
 * it; the message names the first error.
 *
 * @throws {TurnwiseError} (input) naming the policy.
 */
export async function checkAnswered(
  task: string,
  episodes: AsyncIterable<Trajectory> | Iterable<Trajectory>,
  policyIds: readonly string[],
): Promise<void> {
  const fates = new Map(policyIds.map((id): [string, Fate] => [id, { played: 0, errored: 0 }]));
  for await (const { policy, stopReason } of episodes) {
    const fate = fates.get(policy.id);
    if (fate === undefined) continue;
    fate.played += 1;
    if (stopReason.type !== "error") continue;
    fate.errored += 1;
    fate.first ??= stopReason;
  }
  for (const [id, { played, errored, first }] of fates) {
    if (first === undefined || errored < played) continue;
    const { boundary, errorClass, message } = first;
    const all = played === 1 ? "its only episode" : `each of its ${writeCount(played, "episode")}`;
    throw inputError(
      `Cannot ${task} policy "${id}": ${all} ended in an error (${boundary}/${errorClass}), e.g. ${message}`,
      advice[boundary],
    );
  }
}
