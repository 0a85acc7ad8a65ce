import type { Env } from "../env.js";
import { usageError } from "../errors.js";
import type { Policy } from "../policy.js";
import type { Task } from "../task.js";
import type { ContractCheck } from "./contract.js";
import { splits } from "./contract-kit.js";
import { batchCheck, closeCheck, honestyChecks, identityChecks, repeatChecks } from "./policy-checks.js";

/** How a policy is checked. */
export interface PolicyContractOptions {
  /** Tasks to play; by default one of each split at level 1 from the env's `makeTasks`. */
  readonly tasks?: readonly Task[];
  /** Turns of one played episode (default 5). */
  readonly maxTurns?: number;
  /** Seed of the suites and the episodes (default 1). */
  readonly seed?: number;
  /** Whether the same request with the same seed always gives the same action (default true). */
  readonly isRepeatable?: boolean;
}

/**
 * Returns every promise of the {@linkcode Policy} contract that can be seen from outside, as checks to run one by one
 * and in order: the last one closes the policy. The policy is played in `env` for a few turns with seeded requests.
 *
 * @throws {TurnwiseError} (usage) when there is no task to play.
 * @example
 * for (const check of policyContractChecks(policy, env)) test(check.name, () => check.run());
 */
export function policyContractChecks(policy: Policy, env: Env, options: PolicyContractOptions = {}): ContractCheck[] {
  const { maxTurns = 5, seed = 1, isRepeatable = true } = options;
  const { tasks = splits.flatMap((split) => env.makeTasks?.({ split, level: 1, taskCount: 1, seed }) ?? []) } = options;
  if (tasks.length === 0) {
    throw usageError(
      `Cannot check policy "${policy.id}" as env "${env.id}" has no task to play and no tasks were given`,
    );
  }
  const context = { policy, env, tasks, maxTurns, seed };
  return [
    ...identityChecks(context),
    ...honestyChecks(context),
    ...(isRepeatable ? repeatChecks(context) : []),
    ...(policy.actBatch === undefined ? [] : [batchCheck(context, isRepeatable)]),
    closeCheck(context),
  ];
}
