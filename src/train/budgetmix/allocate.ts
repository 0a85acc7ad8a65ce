// internal
import type { Random } from "../../core/index.js";
import type { BudgetWeight } from "./budget-mix.js";

/**
 * Gives the groups of one update to budgets after another. Each update gets its largest-remainder counts; what rounding
 * took from a budget is carried on, so that the counts of all updates so far stay about a group or less from the mix.
 */
export class BudgetAllocator {
  /** By budget: groups it should have had so far, less those it had. */
  readonly #owed = new Map<number, number>();

  /** Returns the number of groups of each budget in the next update, budgets ascending. */
  allocate(shares: readonly BudgetWeight[], groups: number): Map<number, number> {
    const quotas = shares.map(({ maxTurns, weight }) => ({ maxTurns, quota: weight * groups }));
    const counts = new Map<number, number>();
    for (const { maxTurns, quota } of quotas) {
      const owed = (this.#owed.get(maxTurns) ?? 0) + quota;
      const floor = Math.min(Math.floor(quota + 1e-9), groups);
      counts.set(maxTurns, floor);
      this.#owed.set(maxTurns, owed - floor);
    }
    let left = groups - [...counts.values()].reduce((sum, count) => sum + count, 0);
    // A budget outside this update's shares keeps what it is owed until it is played again.
    const byNeed = quotas
      .map(({ maxTurns }) => ({ maxTurns, owed: this.#owed.get(maxTurns) ?? 0 }))
      .sort((a, b) => (Math.abs(a.owed - b.owed) < 1e-9 ? a.maxTurns - b.maxTurns : b.owed - a.owed));
    for (const { maxTurns } of byNeed) {
      if (left === 0) break;
      counts.set(maxTurns, (counts.get(maxTurns) ?? 0) + 1);
      this.#owed.set(maxTurns, (this.#owed.get(maxTurns) ?? 0) - 1);
      left -= 1;
    }
    return counts;
  }
}

/**
 * Deals tasks to budgets so that each budget has played every task equally often, give or take one, at any time: task
 * and budget stay independent. Among the tasks a budget may take next, those played least so far come first, and tasks
 * of the same update are avoided.
 */
export class TaskDealer {
  readonly #taskCount: number;
  readonly #random: Random;
  readonly #played: number[];
  /** By budget: the tasks of its current round that are still to come, in random order. */
  readonly #rounds = new Map<number, number[]>();

  constructor(taskCount: number, random: Random) {
    this.#taskCount = taskCount;
    this.#random = random;
    this.#played = Array.from({ length: taskCount }, () => 0);
  }

  /** Returns the position of the task that the budget plays next. `taken` are those of the same update. */
  deal(maxTurns: number, taken: ReadonlySet<number>): number {
    let round = this.#rounds.get(maxTurns) ?? [];
    if (round.length === 0) {
      round = this.#random.shuffle(Array.from({ length: this.#taskCount }, (_, position) => position));
      this.#rounds.set(maxTurns, round);
    }
    let best = 0;
    for (let index = 1; index < round.length; index += 1) {
      if (this.#cost(round[index], taken) < this.#cost(round[best], taken)) best = index;
    }
    const [position] = round.splice(best, 1);
    this.#played[position] += 1;
    return position;
  }

  #cost(position: number, taken: ReadonlySet<number>): number {
    return this.#played[position] + (taken.has(position) ? 1e9 : 0);
  }
}
