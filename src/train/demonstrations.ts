import {
  type Disclosure,
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

/** How one demonstration is played. */
export interface DemonstrationSetting {
  readonly envSeed: number;
  readonly samplingSeed: number;
  readonly maxTurns: number;
  /** What the demonstrator is told, and with it what the network reads; `hidden` writes no budget text. */
  readonly disclosure: Disclosure;
}

/** How demonstrations are played. */
export interface DemonstrationOptions {
  readonly env: Env;
  readonly policy: Policy;
  readonly tasks: readonly Task[];
  readonly codec: TokenCodec;
  readonly keep: DemonstrationFilter;
  /** Returns how the episode at this position is played. */
  readonly getSetting: (index: number) => DemonstrationSetting;
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
  /** What the first of them failed of. */
  readonly firstFailure?: string;
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
  const { env, policy, tasks, codec, keep, getSetting } = options;
  const sequences: TrainingSequence[] = [];
  let firstFailure: string | undefined;
  const counts = { played: 0, solved: 0, filtered: 0, unwritable: 0, failed: 0 };
  for (const [index, task] of tasks.entries()) {
    const { maxTurns, ...setting } = getSetting(index);
    const trajectory = await runEpisode(env, policy, task, { budget: { maxTurns }, ...setting });
    counts.played += 1;
    if (trajectory.stopReason.type === "error") {
      const { boundary, message } = trajectory.stopReason;
      firstFailure ??= `${boundary}: ${message}`;
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
  return { sequences, ...counts, ...(firstFailure === undefined ? {} : { firstFailure }) };
}
