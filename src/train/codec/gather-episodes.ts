import { createRandom, isQuit, type Action, type Env, type Observation, type Task } from "../../core/index.js";
import type { CodecEpisode } from "./codec-episode.js";

/** How episodes are gathered. */
export interface GatherOptions {
  readonly seed: number;
  /** Turns at most; default 12. */
  readonly maxTurns?: number;
  /** Share of turns with any allowed action in place of a best one, so that errors are seen too; default 0.3. */
  readonly stray?: number;
}

/** Returns the next action as the env's oracle has it; `undefined` without an oracle or a state to ask about. */
function choose(
  env: Env,
  task: Task,
  snapshot: unknown,
  isStray: boolean,
  pick: <T>(items: readonly T[]) => T,
): Action | undefined {
  if (env.oracle === undefined || snapshot === undefined) return undefined;
  const state = snapshot as Parameters<typeof env.oracle.bestActions>[1]; // as snapshot() returned it
  const actions = isStray ? env.oracle.allowedActions(task, state) : env.oracle.bestActions(task, state);
  const playable = actions.filter((action) => !isQuit(action));
  return playable.length === 0 ? undefined : pick(playable);
}

/**
 * Plays one episode for each task with the env's oracle, astray in some turns, and returns what was shown and done:
 * what a codec learns its words from. Give training tasks only. Without an oracle an episode is its first observation.
 */
export async function gatherCodecEpisodes(
  env: Env,
  tasks: readonly Task[],
  { seed, maxTurns = 12, stray = 0.3 }: GatherOptions,
): Promise<CodecEpisode[]> {
  const episodes: CodecEpisode[] = [];
  for (const [index, task] of tasks.entries()) {
    const random = createRandom(seed, "codec", index);
    const session = await env.start(task, random.nextUint32() >>> 1);
    const turns: { observation: Observation; action: Action }[] = [];
    let { observation } = session;
    try {
      for (let turn = 0; turn < maxTurns; turn += 1) {
        const action = choose(env, task, session.snapshot?.(), random.next() < stray, random.pick);
        if (action === undefined) break;
        const result = await session.step(action);
        turns.push({ observation, action });
        ({ observation } = result);
        if (result.ended !== undefined) break;
      }
    } finally {
      await session.close();
    }
    episodes.push({ turns, finalObservation: observation });
  }
  return episodes;
}
