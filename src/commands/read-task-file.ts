import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import {
  createTask,
  errorMessage,
  inputError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Task,
} from "../core/index.js";

function readTask(value: JsonObject, envId: string, place: string): Task {
  const { id, family, data } = value;
  for (const [name, field] of Object.entries({ id, family })) {
    if (field !== undefined && typeof field !== "string") {
      throw inputError(`Cannot read a task from ${place}: "${name}" must be text, found ${JSON.stringify(field)}`);
    }
  }
  // A line without `data` is the data itself, so that plain problem files work as they are.
  const content: JsonValue = data === undefined ? value : data;
  return createTask(envId, content, {
    ...(typeof id === "string" ? { id } : {}),
    ...(typeof family === "string" ? { family } : {}),
  });
}

/**
 * Returns the tasks of a JSONL file: each line an object with `data` (what the env builds the problem from) and
 * optionally `id` and `family`; a line without `data` is the data itself.
 *
 * @throws {TurnwiseError} (input) for an unreadable file, a line that is no JSON object, a task that stands twice, or
 * an empty file; the message names the line.
 */
export async function readTaskFile(path: string, envId: string): Promise<Task[]> {
  const tasks = new Map<string, Task>();
  let lineNumber = 0;
  try {
    for await (const line of createInterface({ input: createReadStream(path, "utf8"), crlfDelay: Infinity })) {
      lineNumber += 1;
      if (line.trim() === "") continue;
      const place = `"${path}" line ${lineNumber}`;
      let value: unknown;
      try {
        value = JSON.parse(line);
      } catch (error) {
        throw inputError(`Cannot read a task from ${place}: it is not JSON: ${errorMessage(error)}`);
      }
      if (!isJsonObject(value)) throw inputError(`Cannot read a task from ${place}: it is no JSON object`);
      const task = readTask(value, envId, place);
      if (tasks.has(task.hash)) throw inputError(`Cannot read tasks: ${place} repeats an earlier task`);
      tasks.set(task.hash, task);
    }
  } catch (error) {
    if (error instanceof Error && "code" in error) {
      throw inputError(`Cannot read tasks from "${path}": ${error.message}`, undefined, error);
    }
    throw error;
  }
  if (tasks.size === 0) throw inputError(`Cannot read tasks from "${path}": it holds none`);
  return [...tasks.values()];
}
