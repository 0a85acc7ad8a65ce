// internal
import {
  hashJson,
  type Action,
  type Env,
  type EnvEndKind,
  type JsonValue,
  type Observation,
  type PoolContinuation,
  type PoolState,
  type Task,
  type Trajectory,
  type Turn,
} from "../../core/index.js";
import { createTurn, replayTurns, ReplayError, restorePrefix } from "../../rollout/index.js";

/** A cut of an episode that was played again: the state before an action, and what the action did. */
export interface CheckedCut {
  readonly before: PoolState;
  readonly after: PoolContinuation;
}

/** Returns what was shown after turn `turnIndex`, where the record says. */
function getAnswer({ turns, finalObservation }: Trajectory, turnIndex: number): Observation | undefined {
  return turns[turnIndex + 1]?.observation ?? (turnIndex === turns.length - 1 ? finalObservation : undefined);
}

async function checkRestore(env: Env, task: Task, seed: number, snapshot: JsonValue | undefined): Promise<void> {
  if (snapshot === undefined || env.resume === undefined) return;
  const session = await env.resume(task, seed, snapshot);
  const found = session.snapshot?.();
  await session.close();
  if (found === undefined || hashJson(found) !== hashJson(snapshot)) {
    throw new ReplayError("Cannot take up a saved state: the env is in another state afterwards");
  }
}

function withSnapshot(snapshot: JsonValue | undefined): { readonly snapshot?: JsonValue } {
  return snapshot === undefined ? {} : { snapshot };
}

/**
 * Plays the turns of an episode up to and including `turnIndex` again and returns the states around that turn's
 * action. Every observation must have its recorded hash, and states must be restorable where the env restores them.
 *
 * @throws {ReplayError} when anything differs.
 */
export async function checkCut(env: Env, task: Task, episode: Trajectory, turnIndex: number): Promise<CheckedCut> {
  const { envSeed = 0 } = episode;
  const turns = episode.turns.slice(0, turnIndex + 1);
  const last = getAnswer(episode, turnIndex);
  const replay = await replayTurns(env, task, envSeed, turns, {
    ...(last === undefined ? {} : { last }),
    hasEnded: true,
  });
  await replay.session.close();
  const [before, after] = [replay.snapshots[turnIndex], replay.snapshots[turnIndex + 1]];
  const step = replay.steps[turnIndex];
  await checkRestore(env, task, envSeed, before);
  if (step?.ended === undefined) await checkRestore(env, task, envSeed, after);
  const turn = turns[turnIndex];
  return {
    before: { turns: turns.slice(0, -1), observation: turn.observation, ...withSnapshot(before) },
    after: {
      turn,
      observation: last ?? step?.observation ?? turn.observation,
      ...withSnapshot(after),
      ...(step?.ended === undefined ? {} : { ended: step.ended }),
    },
  };
}

/** Returns the chance of success within `turnsLeft` turns of the best action and of `action`, where the env can say. */
export function readChances(
  env: Env,
  task: Task,
  snapshot: JsonValue | undefined,
  turnsLeft: number | undefined,
  action: Action,
) {
  const { oracle } = env;
  if (snapshot === undefined || oracle?.getSuccessChance === undefined) return undefined;
  return {
    best: oracle.getSuccessChance(task, snapshot, turnsLeft),
    taken: oracle.getSuccessChance(task, snapshot, turnsLeft, action),
  };
}

/**
 * Returns what the best action does in a state, the first one in the env's order; `undefined` where the env has no
 * oracle or gives no snapshot.
 */
export async function playBest(
  env: Env,
  task: Task,
  envSeed: number,
  before: PoolState,
): Promise<PoolContinuation | undefined> {
  const { turns, observation, snapshot } = before;
  if (env.oracle === undefined || snapshot === undefined) return undefined;
  const [action] = env.oracle.bestActions(task, snapshot);
  if (action === undefined) return undefined;
  const { session } = await restorePrefix(env, task, envSeed, { id: "control", turns, observation, snapshot });
  try {
    const step = await session.step(action);
    const turn: Turn = createTurn(observation, { action }, step);
    const ended: EnvEndKind | undefined = step.ended;
    return {
      turn,
      observation: step.observation,
      ...withSnapshot(session.snapshot?.()),
      ...(ended === undefined ? {} : { ended }),
    };
  } finally {
    await session.close();
  }
}
