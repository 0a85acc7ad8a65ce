// internal
import type { Budget, Env, Policy, TerminalRule } from "../core/index.js";

/** The settings that not every env, policy or caller can play with. */
interface CheckedOptions {
  readonly budget?: Budget;
  readonly terminalRule?: TerminalRule;
  readonly now?: () => number;
}

/** Refuses settings that no episode can be played with. */
export function checkOptions(env: Env, policy: Policy, options: CheckedOptions): void {
  const { maxTurns, maxSeconds } = options.budget ?? {};
  if (maxTurns !== undefined && (!Number.isInteger(maxTurns) || maxTurns < 0)) {
    throw new RangeError(
      `Cannot play an episode as maxTurns must be a whole number from 0: current value is ${maxTurns}`,
    );
  }
  if (maxSeconds !== undefined && options.now === undefined) {
    throw new TypeError("Cannot limit seconds without a clock: pass options.now");
  }
  if (options.terminalRule === "answer_only" && env.closing === undefined) {
    throw new TypeError(`Cannot play env "${env.id}" with terminal rule "answer_only": it takes no closing answer`);
  }
  if (policy.needsOracle === true && env.oracle === undefined) {
    throw new TypeError(
      `Cannot play policy "${policy.id}" in env "${env.id}": the policy needs an oracle, the env has none`,
    );
  }
}
