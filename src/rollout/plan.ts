import {
  createRandom,
  type Budget,
  type Disclosure,
  type EpisodeKey,
  type Task,
  type TerminalRule,
} from "../core/index.js";
import type { EpisodePrefix } from "./prefix.js";

/** One episode that a run asks for. */
export interface PlannedEpisode {
  readonly policyId: string;
  readonly task: Task;
  readonly sampleIndex: number;
  readonly budget: Budget;
  readonly disclosure: Disclosure;
  readonly terminalRule: TerminalRule;
  /** The same for all policies and budgets of a task's sample, so that comparisons are paired. */
  readonly envSeed: number;
  /** Its own for every episode: sharing it across policies would buy nothing. */
  readonly samplingSeed: number;
  readonly groupId?: string;
  /** Begins in the middle; see `EpisodeOptions.prefix`. */
  readonly prefix?: EpisodePrefix;
}

/** What a run asks for. */
export interface PlanConfig {
  readonly policyIds: readonly string[];
  readonly tasks: readonly Task[];
  readonly sampleCount: number;
  /** The turn budgets of the grid, each a whole number from 1 (from 0 with `answer_only`). */
  readonly turnBudgets: readonly number[];
  /** Limits beside the turns, the same for every episode. */
  readonly limits?: Budget;
  readonly disclosure: Disclosure;
  readonly terminalRule: TerminalRule;
  readonly seed: number;
}

/** Returns a seed of 31 bits derived from `seed` for the named purpose. */
export function deriveSeed(seed: number, ...purpose: readonly (string | number)[]): number {
  return createRandom(seed, ...purpose).nextUint32() >>> 1;
}

/**
 * Says whether smaller budgets may be cut from the longest run: only while the policy cannot know its budget, and
 * not when the end of the budget changes what is asked.
 */
export function canCut(disclosure: Disclosure, terminalRule: TerminalRule): boolean {
  return disclosure === "hidden" && terminalRule !== "answer_only";
}

/** Returns the turn budgets that are really run: only the largest where the others can be cut from it. */
export function getRunBudgets(config: PlanConfig): number[] {
  const budgets = [...new Set(config.turnBudgets)].sort((a, b) => a - b);
  return canCut(config.disclosure, config.terminalRule) ? budgets.slice(-1) : budgets;
}

/** Returns how many episodes {@linkcode planEpisodes} yields. */
export function countPlanned(config: PlanConfig): number {
  return config.policyIds.length * config.tasks.length * config.sampleCount * getRunBudgets(config).length;
}

/**
 * Yields every episode of the plan, samples outermost and policies inside tasks, so that a run that is stopped
 * early has all tasks and policies with about equally many samples. Lazy: a plan of millions costs nothing.
 *
 * @throws {RangeError} for an empty plan or a budget that is no whole number in range.
 */
export function* planEpisodes(config: PlanConfig): Generator<PlannedEpisode> {
  const { policyIds, tasks, sampleCount, turnBudgets, limits = {}, disclosure, terminalRule, seed } = config;
  const least = terminalRule === "answer_only" ? 0 : 1;
  for (const budget of turnBudgets) {
    if (!Number.isInteger(budget) || budget < least) {
      throw new RangeError(
        `Cannot plan a turn budget as it must be a whole number from ${least}: current value is ${budget}`,
      );
    }
  }
  if (policyIds.length * tasks.length * turnBudgets.length === 0 || !(sampleCount >= 1)) {
    throw new RangeError("Cannot plan a run without policies, tasks, budgets and at least one sample");
  }
  const budgets = getRunBudgets(config);
  for (let sampleIndex = 0; sampleIndex < sampleCount; sampleIndex += 1) {
    for (const task of tasks) {
      const envSeed = deriveSeed(seed, "env", task.hash, sampleIndex);
      for (const maxTurns of budgets) {
        for (const policyId of policyIds) {
          const samplingSeed = deriveSeed(seed, "sampling", policyId, task.hash, sampleIndex, maxTurns, disclosure);
          const budget = { ...limits, maxTurns };
          yield { policyId, task, sampleIndex, budget, disclosure, terminalRule, envSeed, samplingSeed };
        }
      }
    }
  }
}

/** Returns the key under which a planned episode is kept. */
export function getPlannedKey(planned: PlannedEpisode): EpisodeKey {
  const { policyId, task, sampleIndex, budget, disclosure, terminalRule } = planned;
  return { policyId, taskHash: task.hash, sampleIndex, budget, disclosure, terminalRule };
}
