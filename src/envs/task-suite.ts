import {
  createRandom,
  createTask,
  getSplit,
  usageError,
  type JsonValue,
  type Random,
  type SuiteRequest,
  type Task,
} from "../core/index.js";

/** Drawn problems for each task that is kept, at most; one in four belongs to the eval split. */
const maxDrawsPerTask = 400;

/**
 * Returns `request.taskCount` different tasks of one split and level, drawn one after the other: `generate` makes
 * the data of one problem from its own random stream, or returns `undefined` when that draw gave none. The first n
 * tasks of a larger request are the tasks of the request for n.
 *
 * @throws {TurnwiseError} (usage) for a level that is not in 1..`levelCount`, or when the level does not have that
 * many different problems.
 */
export function makeTaskSuite(
  envId: string,
  request: SuiteRequest,
  levelCount: number,
  generate: (level: number, random: Random) => JsonValue | undefined,
): Task[] {
  const { split, level, taskCount, seed } = request;
  if (!Number.isInteger(level) || level < 1 || level > levelCount) {
    throw usageError(
      `Cannot make tasks of env "${envId}" as its levels are 1..${levelCount}: current level is ${level}`,
    );
  }
  const tasks = new Map<string, Task>();
  for (let draw = 0; tasks.size < taskCount; draw += 1) {
    if (draw >= maxDrawsPerTask * taskCount) {
      throw usageError(
        `Cannot make ${taskCount} different "${split}" tasks of env "${envId}" at level ${level}: found ${tasks.size}`,
        "Ask for fewer tasks or another level",
      );
    }
    const data = generate(level, createRandom(seed, envId, level, draw));
    if (data === undefined) continue;
    const task = createTask(envId, data, { split, level });
    if (getSplit(task.hash) === split) tasks.set(task.hash, task);
  }
  return [...tasks.values()];
}
