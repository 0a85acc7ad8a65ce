import type { JsonValue } from "./json.js";
import { hashJson } from "./sha256.js";

/** One problem. */
export interface Task {
  /** The content hash's first 16 digits, unless the data has a durable id. */
  readonly id: string;
  /** SHA-256 of env id and data: the same id with other content is another task. */
  readonly hash: string;
  /** The env that poses it. */
  readonly envId: string;
  /** What the env builds the problem from. */
  readonly data: JsonValue;
  /** Tasks that share a source are resampled together. */
  readonly family?: string;
  readonly split?: Split;
  /** Difficulty level, from 1. */
  readonly level?: number;
}

/** Which half of an env's tasks: what training may see, and what only evaluation may. */
export type Split = "train" | "eval";

/** How to draw tasks from an env. */
export interface SuiteRequest {
  readonly split: Split;
  readonly level: number;
  readonly taskCount: number;
  readonly seed: number;
}

/**
 * Returns the task of env `envId` with this content. Its id is the first 16 hex digits of the hash unless
 * `options.id` names a durable one.
 */
export function createTask(
  envId: string,
  data: JsonValue,
  options: { readonly id?: string; readonly family?: string; readonly split?: Split; readonly level?: number } = {},
): Task {
  const hash = hashJson({ envId, data });
  return { id: hash.slice(0, 16), hash, envId, data, ...options };
}

/**
 * Returns the split that a task belongs to, from its content alone: one in four is `eval`. Suites keep only the
 * tasks of the split asked for, so train and eval cannot overlap whatever the seeds.
 */
export function getSplit(taskHash: string): Split {
  return Number.parseInt(taskHash.slice(-2), 16) % 4 === 0 ? "eval" : "train";
}
