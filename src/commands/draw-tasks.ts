// internal
import { inputError, usageError, type Env, type SuiteRequest, type Task } from "../core/index.js";

function isTask(value: unknown): value is Task {
  if (typeof value !== "object" || value === null) return false;
  const { id, hash, envId } = value as Partial<Task>; // read as a task to see whether it is one
  return typeof id === "string" && typeof hash === "string" && typeof envId === "string";
}

/** More tasks than any suite holds: making them would take hours before the first is played. */
const mostTasks = 1_000_000;

/**
 * Returns the tasks that an env makes. An env may come from a module that no compiler has seen, so they are checked.
 *
 * @throws {TurnwiseError} (input) for what is no list of tasks; (usage) for an env that makes no tasks, and for more
 * tasks than any suite holds.
 */
export function drawTasks(env: Env, request: SuiteRequest): readonly Task[] {
  if (env.makeTasks === undefined) {
    throw usageError(
      `Cannot draw tasks from env "${env.id}": it makes none`,
      "Name a file with tasks: --tasks-file tasks.jsonl",
    );
  }
  if (request.taskCount > mostTasks) {
    throw usageError(
      `Cannot draw ${request.taskCount} tasks from env "${env.id}": at most ${mostTasks} are drawn`,
      "Ask for fewer tasks; intervals narrow with the root of their number",
    );
  }
  const tasks: unknown = env.makeTasks(request);
  const remedy = "makeTasks(request) returns a list of tasks made with createTask()";
  if (!Array.isArray(tasks))
    throw inputError(`Cannot draw tasks from env "${env.id}": what its makeTasks() gave is no list`, remedy);
  const list: readonly unknown[] = tasks;
  const odd = list.findIndex((task) => !isTask(task));
  if (odd !== -1)
    throw inputError(
      `Cannot draw tasks from env "${env.id}": entry ${odd} of what its makeTasks() gave is no task`,
      remedy,
    );
  return list.filter(isTask);
}
