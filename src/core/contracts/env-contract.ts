import type { Action } from "../action.js";
import type { Env } from "../env.js";
import { usageError } from "../errors.js";
import type { Task } from "../task.js";
import type { ContractCheck } from "./contract.js";
import { splits } from "./contract-kit.js";
import { closingChecks, outcomeChecks } from "./model-checks.js";
import { oracleChecks } from "./oracle-checks.js";
import { sessionChecks, snapshotChecks } from "./session-checks.js";
import { surfaceChecks } from "./surface-checks.js";
import { taskIdentityCheck, taskSuiteChecks } from "./task-checks.js";

/** How an env is checked. */
export interface EnvContractOptions {
  /** Tasks to play; by default `taskCount` of each level and split from the env's own `makeTasks`. */
  readonly tasks?: readonly Task[];
  /** Difficulty levels to draw tasks from (default 1, 2, 3). */
  readonly levels?: readonly number[];
  /** Tasks of each level and split (default 2). */
  readonly taskCount?: number;
  /** Seed of the suites, the episodes and the random play (default 1). */
  readonly seed?: number;
  /** Turns of one played episode (default 24). */
  readonly maxTurns?: number;
  /** Actions worth trying, for an env without an oracle and without tools. */
  readonly actions?: readonly Action[];
  /** Says whether the episodes of a task do not depend on the seed either (default: no task). */
  readonly isSeedIndependent?: (task: Task) => boolean;
}

/**
 * Returns every promise of the {@linkcode Env} contract that applies to `env`, as checks to run one by one in a test
 * suite or by `turnwise doctor`. Episodes are played with seeded random actions (those the oracle allows, or calls
 * made from the tools' schemas). What an env does not offer (tasks, snapshots, an oracle) is not checked.
 *
 * @throws {TurnwiseError} (usage) when there is no task to play.
 * @example
 * for (const check of envContractChecks(env)) test(check.name, () => check.run());
 */
export function envContractChecks(env: Env, options: EnvContractOptions = {}): ContractCheck[] {
  const {
    levels = [1, 2, 3],
    taskCount = 2,
    seed = 1,
    maxTurns = 24,
    actions = [],
    isSeedIndependent = () => false,
  } = options;
  const {
    tasks = levels.flatMap((level) =>
      splits.flatMap((split) => env.makeTasks?.({ split, level, taskCount, seed }) ?? []),
    ),
  } = options;
  if (tasks.length === 0) {
    throw usageError(
      `Cannot check env "${env.id}" as there is no task to play: it has no makeTasks() and no tasks were given`,
    );
  }
  const context = { env, tasks, seed, maxTurns, levels, taskCount, actions, isSeedIndependent };
  return [
    ...surfaceChecks(context),
    ...taskSuiteChecks(context),
    taskIdentityCheck(context),
    ...sessionChecks(context),
    ...snapshotChecks(context),
    ...outcomeChecks(context),
    ...closingChecks(context),
    ...oracleChecks(context),
  ];
}
