import { getStopLabel, sumUsage, type StopLabel, type TerminalRule, type Trajectory } from "../core/index.js";

/**
 * What is known of one task's episodes under one budget, counted by turn: the memory needed is bounded by tasks and
 * turns, not by episodes.
 */
export interface TaskTally {
  readonly taskId: string;
  readonly taskHash: string;
  readonly family: string | undefined;
  /** Episodes with a known outcome that did not end in an error. */
  counted: number;
  errored: number;
  unknown: number;
  /** [t] episodes still running after turn t whose state was solved then. */
  readonly solvedRunning: number[];
  /** [t] episodes still running after turn t whose grade then is not known. */
  readonly unknownRunning: number[];
  /** [n] episodes that ended successfully with n turns. */
  readonly solvedEnds: number[];
  /** Ends by stop label, [n] by number of turns. */
  readonly ends: Map<StopLabel, number[]>;
  /** The ends among {@linkcode ends} that were not successful. */
  readonly unsolvedEnds: Map<StopLabel, number[]>;
}

/** Sums over all episodes of a tally. */
export interface TallyTotals {
  recorded: number;
  counted: number;
  errored: number;
  unknown: number;
  turns: number;
  /** Present only while every counted episode knows them. */
  tokens: number | undefined;
  /** [t - 1] tokens of turn t, summed over counted episodes; closing answers are not in it. */
  readonly tokensByTurn: number[];
  cost: number | undefined;
  longest: number;
  dependent: number;
  readonly errorsByClass: Record<string, number>;
}

function increase(counts: number[], index: number): void {
  while (counts.length <= index) counts.push(0);
  counts[index] += 1;
}

function getCounts(byLabel: Map<StopLabel, number[]>, label: StopLabel): number[] {
  const counts = byLabel.get(label) ?? [];
  byLabel.set(label, counts);
  return counts;
}

/**
 * Counts episodes of one policy, setting and budget. Episodes that ended in an error, or whose outcome is not known,
 * are counted apart and leave the denominator of every T alike.
 */
export class OutcomeTally {
  readonly tasks = new Map<string, TaskTally>();
  readonly totals: TallyTotals = {
    recorded: 0,
    counted: 0,
    errored: 0,
    unknown: 0,
    turns: 0,
    tokens: 0,
    tokensByTurn: [],
    cost: 0,
    longest: 0,
    dependent: 0,
    errorsByClass: {},
  };

  /** Counts one episode. */
  add(trajectory: Trajectory): void {
    const { totals } = this;
    const task = this.#getTask(trajectory);
    totals.recorded += 1;
    if (trajectory.dependsOn !== undefined) totals.dependent += 1;
    const { stopReason, success } = trajectory;
    if (stopReason.type === "error") {
      task.errored += 1;
      totals.errored += 1;
      const errorClass = `${stopReason.boundary}/${stopReason.errorClass}`;
      totals.errorsByClass[errorClass] = (totals.errorsByClass[errorClass] ?? 0) + 1;
    } else if (success === undefined) {
      task.unknown += 1;
      totals.unknown += 1;
    } else {
      task.counted += 1;
      totals.counted += 1;
      this.#count(task, trajectory, success);
    }
  }

  #getTask(trajectory: Trajectory): TaskTally {
    const { id, hash, family } = trajectory.task;
    let task = this.tasks.get(hash);
    if (task === undefined) {
      const none = { counted: 0, errored: 0, unknown: 0 };
      task = {
        taskId: id,
        taskHash: hash,
        family,
        ...none,
        solvedRunning: [],
        unknownRunning: [],
        solvedEnds: [],
        ends: new Map(),
        unsolvedEnds: new Map(),
      };
      this.tasks.set(hash, task);
    }
    return task;
  }

  #count(task: TaskTally, { turns, stopReason, closing }: Trajectory, success: boolean): void {
    const { totals } = this;
    const length = turns.length;
    const label = getStopLabel(stopReason);
    increase(getCounts(task.ends, label), length);
    increase(success ? task.solvedEnds : getCounts(task.unsolvedEnds, label), length);
    for (let t = 1; t < length; t += 1) {
      const { solvedAfter } = turns[t - 1];
      if (solvedAfter === undefined) increase(task.unknownRunning, t);
      else if (solvedAfter) increase(task.solvedRunning, t);
    }
    totals.turns += length;
    totals.longest = Math.max(totals.longest, length);
    const knowsTokens = turns.every(({ usage }) => usage?.completionTokens !== undefined);
    const knowsCost = turns.every(({ usage }) => usage?.cost !== undefined);
    const usage = sumUsage(turns);
    turns.forEach(({ usage: own }, index) => {
      while (totals.tokensByTurn.length <= index) totals.tokensByTurn.push(0);
      totals.tokensByTurn[index] += (own?.promptTokens ?? 0) + (own?.completionTokens ?? 0);
    });
    const closingTokens = (closing?.usage?.promptTokens ?? 0) + (closing?.usage?.completionTokens ?? 0);
    totals.tokens =
      totals.tokens === undefined || !knowsTokens ? undefined : totals.tokens + usage.tokens + closingTokens;
    totals.cost =
      totals.cost === undefined || !knowsCost ? undefined : totals.cost + usage.cost + (closing?.usage?.cost ?? 0);
  }
}

function sumThrough(counts: readonly number[] | undefined, last: number): number {
  let sum = 0;
  if (counts !== undefined) for (let i = 0; i <= last && i < counts.length; i += 1) sum += counts[i];
  return sum;
}

/**
 * Returns how many of a task's counted episodes succeed when cut at `maxTurns`: those that ended successfully by
 * then, and, under `act`, those still running whose state was solved then. Under `hard` an unfinished episode fails.
 */
export function countSolvedWithin(task: TaskTally, maxTurns: number, rule: TerminalRule): number {
  const ended = sumThrough(task.solvedEnds, maxTurns);
  return rule === "act" ? ended + (task.solvedRunning[maxTurns] ?? 0) : ended;
}

/** Returns how many of a task's counted episodes had ended by `maxTurns`, by stop label; the rest were cut there. */
export function countEndsWithin(task: TaskTally, maxTurns: number): Map<StopLabel, number> {
  const counts = new Map<StopLabel, number>();
  let ended = 0;
  for (const [label, ends] of task.ends) {
    const count = sumThrough(ends, maxTurns);
    ended += count;
    if (count > 0) counts.set(label, count);
  }
  const running = task.counted - ended;
  if (running > 0) counts.set("max_turns", (counts.get("max_turns") ?? 0) + running);
  return counts;
}

/** Says whether cutting at `maxTurns` needs a grade that some episode does not have. */
export function hasUnknownGrade(tally: OutcomeTally, maxTurns: number): boolean {
  for (const task of tally.tasks.values()) if ((task.unknownRunning[maxTurns] ?? 0) > 0) return true;
  return false;
}
