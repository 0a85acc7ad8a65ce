import {
  errorMessage,
  hashJson,
  tagNumber,
  type Env,
  type EnvSession,
  type JsonValue,
  type Observation,
  type PolicyResult,
  type StepResult,
  type Task,
  type Turn,
} from "../core/index.js";
import type { EpisodePrefix } from "./prefix.js";

/** Why recorded turns could not be played again: the env answered otherwise than the record says. */
export class ReplayError extends Error {
  override readonly name = "ReplayError";
  readonly errorClass = "replay_diverged";
}

/** Recorded turns, played again. */
export interface ReplayedTurns {
  /** At the state after the turns. Whoever asked closes it. */
  readonly session: EnvSession;
  /** [turn] the state before each turn, and at last the state after the last one; absent without snapshots. */
  readonly snapshots: readonly (JsonValue | undefined)[];
  /** [turn] the env's answer to each turn; absent for a call of a tool that the env refused with an exception. */
  readonly steps: readonly (StepResult | undefined)[];
}

/** Returns the record of a turn: what was shown, what was done, and what the env noticed about it. */
export function createTurn(observation: Observation, { action, tokens, usage }: PolicyResult, step: StepResult): Turn {
  const { reward, flags, distanceBefore, distanceAfter, regret, solvedAfter } = step;
  const turn: { -readonly [field in keyof Turn]: Turn[field] } = { observation, action };
  if (reward !== undefined) turn.reward = tagNumber(reward);
  const isInvalid = action.invalid !== undefined || flags?.invalid === true;
  const allFlags = isInvalid ? { ...flags, invalid: true as const } : flags;
  if (allFlags !== undefined && Object.keys(allFlags).length > 0) turn.flags = allFlags;
  if (distanceBefore !== undefined) turn.distanceBefore = distanceBefore;
  if (distanceAfter !== undefined) turn.distanceAfter = distanceAfter;
  if (regret !== undefined) turn.regret = regret;
  if (solvedAfter !== undefined) turn.solvedAfter = solvedAfter;
  const toolCalls = step.toolCalls ?? action.toolCalls?.length ?? 0;
  turn.usage = { ...usage, toolCalls, envSteps: step.envSteps ?? 1 };
  if (tokens !== undefined) turn.tokens = tokens;
  return turn;
}

function refuseDifference(turn: number, found: Observation, recorded: Observation): void {
  const [foundHash, recordedHash] = [hashJson(found), hashJson(recorded)];
  if (foundHash === recordedHash) return;
  const hashes = `${foundHash.slice(0, 12)}, recorded ${recordedHash.slice(0, 12)}`;
  throw new ReplayError(
    `Cannot play the recorded turns again: what is shown before turn ${turn + 1} differs (${hashes})`,
  );
}

/** Applies one recorded action. A call of a tool that does not exist is a step without effect, also where the env throws. */
async function stepAgain(session: EnvSession, turn: Turn, index: number): Promise<StepResult | undefined> {
  try {
    return await session.step(turn.action);
  } catch (error) {
    if (turn.flags?.unknownTool === true) return undefined;
    throw new ReplayError(`Cannot play recorded turn ${index + 1} again: ${errorMessage(error)}`, { cause: error });
  }
}

/**
 * Plays recorded turns again from the env seed and checks by hash that the env shows what it showed then: before each
 * turn, and after the last one where `last` is given. With `hasEnded` the last action may end the episode.
 *
 * @throws {ReplayError} at the first difference; the session is closed then.
 */
export async function replayTurns(
  env: Env,
  task: Task,
  envSeed: number,
  turns: readonly Turn[],
  options: { readonly last?: Observation; readonly hasEnded?: boolean } = {},
): Promise<ReplayedTurns> {
  const { last, hasEnded = false } = options;
  const session = await env.start(task, envSeed);
  const snapshots: (JsonValue | undefined)[] = [session.snapshot?.()];
  const steps: (StepResult | undefined)[] = [];
  let shown = session.observation;
  try {
    for (const [index, turn] of turns.entries()) {
      refuseDifference(index, shown, turn.observation);
      const step = await stepAgain(session, turn, index);
      if (step?.ended !== undefined && !(hasEnded && index === turns.length - 1)) {
        throw new ReplayError(
          `Cannot play the recorded turns again: turn ${index + 1} ended the episode (${step.ended})`,
        );
      }
      shown = step?.observation ?? turns[index + 1]?.observation ?? last ?? shown;
      snapshots.push(session.snapshot?.());
      steps.push(step);
    }
    if (last !== undefined) refuseDifference(turns.length, shown, last);
    return { session, snapshots, steps };
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** A session at the end of a prefix. */
export interface RestoredPrefix {
  readonly session: EnvSession;
  /** What shows the state and nothing of how it came about. */
  readonly atState: Observation;
}

/**
 * Returns a session at the end of a prefix: taken up from its state where the env can, else by playing its turns
 * again.
 *
 * @throws {ReplayError} when the turns, played again, go another way.
 */
export async function restorePrefix(
  env: Env,
  task: Task,
  envSeed: number,
  prefix: EpisodePrefix,
): Promise<RestoredPrefix> {
  const { snapshot, turns, observation } = prefix;
  if (snapshot !== undefined && env.resume !== undefined) {
    const session = await env.resume(task, envSeed, snapshot);
    return { session, atState: session.observation };
  }
  const { session } = await replayTurns(env, task, envSeed, turns, { last: observation });
  const text = [session.observation.text, observation.text].join("\n\n");
  return { session, atState: { ...observation, text } };
}
