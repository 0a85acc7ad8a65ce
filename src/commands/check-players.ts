// internal
import { inputError, usageError, type Env, type Policy } from "../core/index.js";

/**
 * Refuses policies that need what the env does not have, and those made for another one.
 *
 * @throws {TurnwiseError} (usage) for a policy that needs an oracle where there is none; (input) for one whose weights
 * know another env.
 */
export function checkPlayers(env: Env, policies: readonly Policy[]): void {
  for (const policy of policies) {
    const { id, needsOracle } = policy;
    const mismatch = policy.findMismatch?.(env);
    if (mismatch !== undefined) {
      throw inputError(
        `Cannot play policy "${id}" in env "${env.id}": ${mismatch}`,
        "Play it in the env it was trained in, or train one here: turnwise train",
      );
    }
    if (needsOracle === true && env.oracle === undefined) {
      throw usageError(`Cannot play policy "${id}" in env "${env.id}": it needs an oracle, and the env has none`);
    }
  }
}
