import {
  type Env,
  type Policy,
  type Task,
  type TokenCodec,
  type Trajectory,
  type TrainingSequence,
} from "../core/index.js";
import { runEpisode } from "../rollout/index.js";
import { EpisodeStream } from "./episode-stream.js";

/** Which demonstrated episodes are learnt from. */
export type DemonstrationFilter = "all" | "solved";

/** How demonstrations are played. */
export interface DemonstrationOptions {
  readonly env: Env;
  readonly policy: Policy;
  readonly tasks: readonly Task[];
  readonly codec: TokenCodec;
  /** Turn budgets, one for each episode; told to nobody, so that demonstrations carry no budget text. */
  readonly maxTurns: number;
  readonly keep: DemonstrationFilter;
  /** Returns the seeds of an episode from its position. */
  readonly seeds: (index: number) => { readonly envSeed: number; readonly samplingSeed: number };
}

/** Demonstrations as tokens, with what became of the episodes. */
export interface Demonstrations {
  readonly sequences: readonly TrainingSequence[];
  readonly played: number;
  readonly solved: number;
  /** Episodes left out by the filter. */
  readonly filtered: number;
  /** Episodes with an action that the codec's grammar cannot write; left out. */
  readonly unwritable: number;
  /** Episodes that failed in policy or env; left out. */
  readonly failed: number;
}

/**
 * Returns an episode as a demonstration: its actions are trained on, its observations are not. `undefined` when the
 * codec cannot write one of its actions.
 */
export function encodeDemonstration(trajectory: Trajectory, codec: TokenCodec): TrainingSequence | undefined {
  const stream = new EpisodeStream(trajectory.episodeId, codec.startSession());
  const { maxTurns } = trajectory.budget;
  for (const [index, turn] of trajectory.turns.entries()) {
    const isTold = turn.notice !== undefined && maxTurns !== undefined;
    const budget = isTold ? { disclosure: trajectory.disclosure, maxTurns, turnsLeft: maxTurns - index } : undefined;
    stream.appendObservation(stream.session.encodeObservation(turn.observation, budget));
    const ids = stream.session.encodeAction(turn.action);
    if (ids === undefined) return undefined;
    stream.appendDemonstration(ids);
  }
  return stream.toSequence();
}

/** Plays one episode for each task with the demonstrating policy and returns them as tokens. */
export async function playDemonstrations(options: DemonstrationOptions): Promise<Demonstrations> {
  const { env, policy, tasks, codec, maxTurns, keep, seeds } = options;
  const sequences: TrainingSequence[] = [];
  const counts = { played: 0, solved: 0, filtered: 0, unwritable: 0, failed: 0 };
  for (const [index, task] of tasks.entries()) {
    const trajectory = await runEpisode(env, policy, task, { budget: { maxTurns }, ...seeds(index) });
    counts.played += 1;
    if (trajectory.stopReason.type === "error") {
      counts.failed += 1;
      continue;
    }
    if (trajectory.success === true) counts.solved += 1;
    if (keep === "solved" && trajectory.success !== true) {
      counts.filtered += 1;
      continue;
    }
    const sequence = encodeDemonstration(trajectory, codec);
    if (sequence === undefined) counts.unwritable += 1;
    else sequences.push(sequence);
  }
  return { sequences, ...counts };
}
