import {
  inputError,
  isQuit,
  untagNumber,
  type Disclosure,
  type TerminalRule,
  type Trajectory,
} from "../../core/index.js";
import { chainModes, modeStride, outcomeIndex } from "../attribution/mode-chain.js";
import { readChainEpisode } from "../attribution/mode-labels.js";
import { getActionKey, isInvalidTurn } from "../signals/process-signals.js";

/** Sums over one episode of what {@linkcode CheckpointEpisode} measures by turn or token. */
export interface EpisodeSums {
  readonly turns: number;
  readonly invalidTurns: number;
  readonly toolErrorTurns: number;
  readonly distinctActions: number;
  /** [mode][outcome] events of the mode chain. */
  readonly events: Float64Array;
  /** Sum of -log p over sampled tokens, and their number; 0 and 0 where not all of a turn's are known. */
  readonly negativeLogProb: number;
  readonly tokens: number;
}

/** One counted episode of a checkpoint. */
export interface CheckpointEpisode {
  readonly maxTurns: number;
  /** [turn] solved after it; unknown grades are failures until the end. */
  readonly grades: Uint8Array;
  readonly success: boolean;
  readonly end: "solved" | "quit" | "wrong" | "truncated";
  readonly return: number;
  /** Names the sequence of actions. */
  readonly sequence: string;
  readonly sums: EpisodeSums;
}

/** The episodes of one checkpoint, by task. */
export interface CheckpointEpisodes {
  readonly label: string;
  readonly updateIndex?: number;
  readonly env: { readonly id: string; readonly version: string };
  readonly disclosure: Disclosure;
  readonly terminalRule: TerminalRule;
  /** By task hash. */
  readonly tasks: ReadonlyMap<string, { readonly family?: string; readonly episodes: readonly CheckpointEpisode[] }>;
  readonly excluded: number;
  /** Episodes cut before their end would be graded as failures although turns are not graded. */
  readonly ungraded: number;
  /** Whether every episode states its rewards; otherwise returns are outcomes. */
  readonly hasRewards: boolean;
}

function readReturn({ turns, episodeReturn, success }: Trajectory): {
  readonly value: number;
  readonly isStated: boolean;
} {
  const total = untagNumber(episodeReturn);
  if (total !== undefined && Number.isFinite(total)) return { value: total, isStated: true };
  const rewards = turns
    .map(({ reward }) => untagNumber(reward))
    .filter((reward) => reward !== undefined && Number.isFinite(reward));
  if (rewards.length > 0)
    return { value: rewards.reduce((sum: number, reward) => sum + (reward ?? 0), 0), isStated: true };
  return { value: success === true ? 1 : 0, isStated: false };
}

function readEnd({ success, stopReason, turns }: Trajectory): CheckpointEpisode["end"] {
  if (success === true) return "solved";
  if (stopReason.type === "quit" || (turns.length > 0 && isQuit(turns[turns.length - 1].action))) return "quit";
  return stopReason.type === "env_end" ? "wrong" : "truncated";
}

function sumTurns(trajectory: Trajectory, events: Uint8Array): EpisodeSums {
  const { turns } = trajectory;
  const counts = new Float64Array(chainModes.length * modeStride);
  for (const event of events) counts[event] += 1;
  let negativeLogProb = 0;
  let tokens = 0;
  for (const turn of turns) {
    const logProbs = (turn.tokens?.logProbs ?? []).map(untagNumber);
    if (!logProbs.every((value) => value !== undefined && Number.isFinite(value))) continue;
    for (const value of logProbs) negativeLogProb -= value ?? 0;
    tokens += logProbs.length;
  }
  return {
    turns: turns.length,
    invalidTurns: turns.filter(isInvalidTurn).length,
    toolErrorTurns: turns.filter(({ flags }) => flags?.toolError === true).length,
    distinctActions: new Set(turns.map(({ action }) => getActionKey(action))).size,
    events: counts,
    negativeLogProb,
    tokens,
  };
}

/**
 * Reads the episodes of one checkpoint into numbers. They must share env version, disclosure and terminal rule. Episodes
 * that ended in an error, are not graded or began in the middle are left out and counted.
 *
 * @throws {TurnwiseError} (input) without a countable episode or for mixed settings.
 */
export async function collectCheckpoint(
  trajectories: AsyncIterable<Trajectory> | Iterable<Trajectory>,
  name: { readonly label: string; readonly updateIndex?: number },
): Promise<CheckpointEpisodes> {
  const tasks = new Map<string, { family?: string; episodes: CheckpointEpisode[] }>();
  let first: Trajectory | undefined;
  let excluded = 0;
  let ungraded = 0;
  let hasRewards = true;
  for await (const trajectory of trajectories) {
    first ??= trajectory;
    for (const field of ["disclosure", "terminalRule"] as const) {
      if (trajectory[field] === first[field]) continue;
      throw inputError(
        `Cannot follow "${name.label}": it holds episodes under two settings, ${field} "${first[field]}" and "${trajectory[field]}"`,
      );
    }
    if (trajectory.env.id !== first.env.id || trajectory.env.version !== first.env.version) {
      throw inputError(
        `Cannot follow "${name.label}": it holds episodes of two envs, "${first.env.id}" ${first.env.version} and "${trajectory.env.id}" ${trajectory.env.version}`,
      );
    }
    const chain = trajectory.prefix === undefined ? readChainEpisode(trajectory, trajectory.terminalRule) : undefined;
    if (chain === undefined) {
      excluded += 1;
      continue;
    }
    const { turns, task, success = false, budget } = trajectory;
    const { value, isStated } = readReturn(trajectory);
    hasRewards &&= isStated;
    if (trajectory.terminalRule === "act" && turns.some(({ solvedAfter }) => solvedAfter === undefined)) ungraded += 1;
    const entry = tasks.get(task.hash) ?? {
      ...(task.family === undefined ? {} : { family: task.family }),
      episodes: [],
    };
    tasks.set(task.hash, entry);
    entry.episodes.push({
      maxTurns: budget.maxTurns ?? Infinity,
      grades: Uint8Array.from(turns, (turn) =>
        trajectory.terminalRule === "act" && turn.solvedAfter === true ? 1 : 0,
      ),
      success,
      end: readEnd(trajectory),
      return: value,
      sequence: turns.map(({ action }) => getActionKey(action)).join("\n"),
      sums: sumTurns(trajectory, chain.events),
    });
  }
  if (first === undefined || tasks.size === 0) {
    throw inputError(
      `Cannot follow "${name.label}": it holds no episode that can be counted${excluded > 0 ? `, ${excluded} ended in an error or are not graded` : ""}`,
    );
  }
  const { env, disclosure, terminalRule } = first;
  return { ...name, env, disclosure, terminalRule, tasks, excluded, ungraded, hasRewards };
}

/** Says whether an episode succeeds within `maxTurns` turns: its own outcome once it is over, else the grade of the state it was in. */
export function succeedsWithin({ grades, success }: CheckpointEpisode, maxTurns: number): boolean {
  return maxTurns >= grades.length ? success : maxTurns > 0 && grades[maxTurns - 1] === 1;
}

/** Positions of the chain's outcomes in {@linkcode EpisodeSums.events}. */
export const chainEvent = {
  clean: (outcome: keyof typeof outcomeIndex): number => outcomeIndex[outcome],
  error: (outcome: keyof typeof outcomeIndex): number => modeStride + outcomeIndex[outcome],
} as const;
