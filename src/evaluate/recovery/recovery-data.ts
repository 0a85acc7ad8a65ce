// internal
import {
  checkActionSpaces,
  createActionTally,
  getStopLabel,
  isQuit,
  tallyActions,
  untagNumber,
  usageError,
  type ActionTally,
  type ContextMode,
  type ErrorPool,
  type ErrorPrefix,
  type Task,
  type TerminalRule,
  type Trajectory,
} from "../../core/index.js";
import { judgeTurn } from "../pools/label-error.js";
import { meanOf } from "./estimate-cells.js";
import { isRecoverable } from "./plan-pool.js";

/** What figures need of one episode played from a prefix. */
export interface PlayedEpisode {
  /** [b - 1] solved within b turns, for b up to the largest; cut from this episode. */
  readonly solved: readonly boolean[];
  /** Turns until back at the best distance before the error or solved; `Infinity` for never, absent when not known. */
  readonly returnTurn: number | undefined;
  /** Turns in which it could quit before that, and whether it did. */
  readonly atRisk: number;
  readonly hasQuit: boolean;
  /** Whether it erred again after the return; absent without one. */
  readonly hasRelapsed: boolean | undefined;
}

/** The two arms that a recovery evaluation plays. */
export type RecoveryArm = "error" | "clean";

/** Episodes by policy, context, arm, budget run and prefix. */
export class PlayedPool {
  readonly #episodes = new Map<string, PlayedEpisode[]>();
  readonly #errored = new Map<string, number>();
  readonly #played = new Map<string, number>();

  /** Adds an episode that ended with a grade. */
  add(
    policy: string,
    context: ContextMode,
    arm: RecoveryArm,
    budget: number,
    prefixId: string,
    episode: PlayedEpisode,
  ): void {
    const key = JSON.stringify([policy, context, arm, budget, prefixId]);
    const list = this.#episodes.get(key) ?? [];
    this.#episodes.set(key, list);
    list.push(episode);
    this.#count(this.#played, policy, context);
  }

  /** Counts an episode that ended in an error or without a grade. */
  addErrored(policy: string, context: ContextMode): void {
    this.#count(this.#errored, policy, context);
  }

  #count(counts: Map<string, number>, policy: string, context: ContextMode): void {
    const key = JSON.stringify([policy, context]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }

  /** Returns the episodes of one cell. */
  list(
    policy: string,
    context: ContextMode,
    arm: RecoveryArm,
    budget: number,
    prefixId: string,
  ): readonly PlayedEpisode[] {
    return this.#episodes.get(JSON.stringify([policy, context, arm, budget, prefixId])) ?? [];
  }

  countPlayed(policy: string, context: ContextMode): number {
    return this.#played.get(JSON.stringify([policy, context])) ?? 0;
  }

  countErrored(policy: string, context: ContextMode): number {
    return this.#errored.get(JSON.stringify([policy, context])) ?? 0;
  }
}

/** Returns [b - 1] whether the episode is solved within b turns; a grade that is not known makes the whole unknown. */
function readSolved(
  { turns, success, stopReason }: Trajectory,
  most: number,
  rule: TerminalRule,
): boolean[] | undefined {
  const solved: boolean[] = [];
  for (let b = 1; b <= most; b += 1) {
    if (b >= turns.length) solved.push(success === true);
    else {
      const { solvedAfter } = turns[b - 1];
      if (solvedAfter === undefined && rule === "act") return undefined;
      solved.push(rule === "act" && solvedAfter === true);
    }
  }
  return stopReason.type === "error" || success === undefined ? undefined : solved;
}

/**
 * Returns the 1-based turn in which the episode is on its way again: the action lowered the distance, and it is then no
 * larger than the best one before the error; or the task is solved. After a wasted action the distance is still the
 * best one, so being there is no return. `Infinity` for never.
 */
function findReturn({ turns, success, stopReason }: Trajectory, best: number | undefined): number | undefined {
  if (best === undefined) return undefined;
  const back = turns.findIndex(({ distanceBefore, distanceAfter, solvedAfter }) => {
    const after = untagNumber(distanceAfter) ?? Infinity;
    return solvedAfter === true || (after <= best && after < (untagNumber(distanceBefore) ?? Infinity));
  });
  if (back >= 0) return back + 1;
  return success === true && getStopLabel(stopReason) === "solved" ? turns.length : Infinity;
}

/** Returns what figures need of an episode, or `undefined` when it has no grade. */
function readEpisode(
  episode: Trajectory,
  entry: ErrorPrefix,
  arm: RecoveryArm,
  most: number,
  regretThreshold: number,
): PlayedEpisode | undefined {
  const { turns, terminalRule } = episode;
  const solved = readSolved(episode, most, terminalRule);
  if (solved === undefined) return undefined;
  const returnTurn = arm === "error" ? findReturn(episode, entry.bestDistance) : undefined;
  const end = returnTurn === undefined ? turns.length : Math.min(turns.length, returnTurn);
  const isError = (turn: Trajectory["turns"][number]): boolean =>
    typeof judgeTurn(turn, { regretThreshold }) === "object";
  const hasReturned = returnTurn !== undefined && returnTurn < Infinity;
  return {
    solved,
    returnTurn,
    atRisk: end,
    hasQuit: turns.slice(0, end).some((turn) => isQuit(turn.action)),
    hasRelapsed: hasReturned ? turns.slice(returnTurn).some(isError) : undefined,
  };
}

/** Returns the episodes played from a pool, read for recovery figures. Episodes of other arms are passed over. Refuses policies of another action space. */
export async function readPlayedPool(
  pool: ErrorPool,
  episodes: AsyncIterable<Trajectory> | Iterable<Trajectory>,
  mostTurns: number,
): Promise<PlayedPool> {
  const entries = new Map(pool.prefixes.map((prefix) => [prefix.id, prefix]));
  const played = new PlayedPool();
  const actions = new Map<string, ActionTally>();
  for await (const episode of episodes) {
    const { prefix, policy, budget } = episode;
    const entry = entries.get(prefix?.id ?? "");
    if (prefix === undefined || entry === undefined || (prefix.arm !== "error" && prefix.arm !== "clean")) continue;
    const { maxTurns } = budget;
    const tally = actions.get(policy.id) ?? createActionTally();
    actions.set(policy.id, tally);
    tallyActions(tally, episode);
    if (maxTurns === undefined)
      throw usageError(`Cannot measure recovery: episode "${episode.episodeId}" has no turn limit`);
    const read = readEpisode(
      episode,
      entry,
      prefix.arm,
      Math.min(maxTurns, mostTurns),
      pool.card.rules.regretThreshold,
    );
    if (read === undefined) played.addErrored(policy.id, prefix.context);
    else played.add(policy.id, prefix.context, prefix.arm, maxTurns, entry.id, read);
  }
  checkActionSpaces(
    "measure recovery",
    [...actions].map(([label, tally]) => ({ label, actions: tally })),
  );
  return played;
}

/** How the budgets of a grid are read: all from episodes run at the largest, or each from its own. */
export interface BudgetReading {
  readonly isCut: boolean;
  readonly largest: number;
}

/** Returns the share of episodes solved within b turns after this arm's action; `undefined` without episodes. */
export function getSuccess(
  played: PlayedPool,
  prefix: ErrorPrefix,
  cell: { readonly policy: string; readonly context: ContextMode; readonly arm: RecoveryArm; readonly b: number },
  { isCut, largest }: BudgetReading,
): number | undefined {
  const { policy, context, arm, b } = cell;
  const ended = prefix[arm]?.ended;
  if (ended !== undefined) return ended === "solved" ? 1 : 0; // the action itself ended the episode
  if (b === 0) return prefix[arm]?.turn.solvedAfter === true ? 1 : 0;
  const list = played.list(policy, context, arm, isCut ? largest : b, prefix.id);
  return meanOf(list.map(({ solved }) => (solved[b - 1] ? 1 : 0)));
}

/** One task's prefixes. */
export interface TaskPrefixes {
  readonly task: Task;
  readonly prefixes: readonly ErrorPrefix[];
}

/** Returns prefixes by task, in the pool's order. */
export function groupByTask(prefixes: readonly ErrorPrefix[]): TaskPrefixes[] {
  const groups = new Map<string, { task: Task; prefixes: ErrorPrefix[] }>();
  for (const prefix of prefixes) {
    const group = groups.get(prefix.task.hash) ?? { task: prefix.task, prefixes: [] };
    groups.set(prefix.task.hash, group);
    group.prefixes.push(prefix);
  }
  return [...groups.values()];
}

/** The prefixes that figures are over, and how many are not. */
export interface ChosenPrefixes {
  readonly prefixes: readonly ErrorPrefix[];
  readonly hasControl: boolean;
  readonly trapCount: number;
  readonly endedCount: number;
  readonly withoutControl: number;
  readonly unplayedCount: number;
}

/** Returns the prefixes that every policy has played in every arm and context: all figures are over the same errors. */
export function choosePlayed(
  pool: ErrorPool,
  played: PlayedPool,
  setting: {
    readonly policies: readonly string[];
    readonly contexts: readonly ContextMode[];
    readonly budgets: readonly number[];
  },
  reading: BudgetReading,
): ChosenPrefixes {
  const { policies, contexts, budgets } = setting;
  const traps = pool.prefixes.filter(({ label }) => label === "trap");
  const ended = pool.prefixes.filter(({ label, error }) => label !== "trap" && error.ended !== undefined);
  const recoverable = pool.prefixes.filter(isRecoverable);
  const hasControl = recoverable.some((prefix) => prefix.clean !== undefined);
  const arms: readonly RecoveryArm[] = hasControl ? ["error", "clean"] : ["error"];
  const eligible = recoverable.filter((prefix) => !hasControl || prefix.clean !== undefined);
  const prefixes = eligible.filter((prefix) =>
    policies.every((policy) =>
      contexts.every((context) =>
        arms.every((arm) =>
          budgets.every((b) => getSuccess(played, prefix, { policy, context, arm, b }, reading) !== undefined),
        ),
      ),
    ),
  );
  return {
    prefixes,
    hasControl,
    trapCount: traps.length,
    endedCount: ended.length,
    withoutControl: recoverable.length - eligible.length,
    unplayedCount: eligible.length - prefixes.length,
  };
}
