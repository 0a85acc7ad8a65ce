import { modeStride, turnStride } from "./mode-chain.js";

/** Episodes of two policies on one task, as chain events. */
export interface ChainTask {
  readonly taskId: string;
  readonly taskHash: string;
  readonly family?: string;
  /** Events of each episode of A and of B; see `ChainEpisode`. At least one of each. */
  readonly a: readonly Uint8Array[];
  readonly b: readonly Uint8Array[];
}

/** Numbers kept for one task without regard to turns: 2 policies x 2 modes x 5 outcomes. */
export const pooledStride = 2 * turnStride;

/** Counts of two policies on shared tasks, all that the estimates need: memory grows with tasks and turns, not with episodes. */
export interface ChainData {
  readonly taskCount: number;
  /** Turns counted: the largest T that can be read. */
  readonly maxTurns: number;
  /** [task][policy][mode][outcome] events, all turns together: what the classes are fitted to. */
  readonly pooled: Float64Array;
  /**
   * Events by turn, each divided by the task's number of episodes of that policy, as sparse rows: those of task i are
   * at `rowStarts[i]` up to `rowStarts[i + 1]`, each with its column [policy][turn][mode][outcome].
   */
  readonly rowStarts: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float64Array;
  /** [task][policy] episodes. */
  readonly episodeCounts: Float64Array;
  /** [task] number of its family, in order of first appearance; tasks without one stand alone. */
  readonly familyOf: Int32Array;
  readonly familyCount: number;
}

/**
 * Returns the counts of these tasks up to turn `maxTurns`; later events are left out, as a cut at `maxTurns` would.
 *
 * @throws {RangeError} without a task, or for a task without an episode of each policy.
 */
export function countChainData(tasks: readonly ChainTask[], maxTurns: number): ChainData {
  if (tasks.length === 0) throw new RangeError("Cannot count a chain without tasks: none was given");
  const width = 2 * maxTurns * turnStride;
  const pooled = new Float64Array(tasks.length * pooledStride);
  const episodeCounts = new Float64Array(tasks.length * 2);
  const rowStarts = new Int32Array(tasks.length + 1);
  const columns: number[] = [];
  const values: number[] = [];
  const row = new Float64Array(width);
  for (const [task, { a, b, taskId }] of tasks.entries()) {
    row.fill(0);
    for (const [policy, episodes] of [a, b].entries()) {
      if (episodes.length === 0)
        throw new RangeError(`Cannot count task "${taskId}" as it has no episode of one policy`);
      episodeCounts[2 * task + policy] = episodes.length;
      for (const events of episodes) {
        const length = Math.min(events.length, maxTurns);
        for (let t = 0; t < length; t += 1) {
          row[(policy * maxTurns + t) * turnStride + events[t]] += 1;
          pooled[task * pooledStride + policy * turnStride + events[t]] += 1;
        }
      }
    }
    for (let column = 0; column < width; column += 1) {
      if (row[column] === 0) continue;
      columns.push(column);
      values.push(row[column] / episodeCounts[2 * task + (column < width / 2 ? 0 : 1)]);
    }
    rowStarts[task + 1] = columns.length;
  }
  return {
    taskCount: tasks.length,
    maxTurns,
    pooled,
    rowStarts,
    columns: Int32Array.from(columns),
    values: Float64Array.from(values),
    episodeCounts,
    ...numberFamilies(tasks),
  };
}

function numberFamilies(tasks: readonly ChainTask[]): Pick<ChainData, "familyOf" | "familyCount"> {
  const numbers = new Map<string, number>();
  const familyOf = Int32Array.from(tasks, ({ family }, task) => {
    const name = family === undefined ? `task:${task}` : `family:${family}`;
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  });
  return { familyOf, familyCount: numbers.size };
}

/** Returns the tasks with every end of kind W read as a quit: the sensitivity to the quit/wrong-answer convention. */
export function readWrongAsQuit(tasks: readonly ChainTask[]): ChainTask[] {
  const convert = (events: Uint8Array): Uint8Array =>
    events.map((event) => (event % modeStride === modeStride - 1 ? event - (modeStride - 1) : event));
  return tasks.map((task) => ({ ...task, a: task.a.map(convert), b: task.b.map(convert) }));
}
