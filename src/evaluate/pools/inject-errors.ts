import { usageError, type Action, type Env, type Policy, type Task, type Trajectory } from "../../core/index.js";
import { deriveSeed, runEpisode } from "../../rollout/index.js";

/** How errors are injected. */
export interface InjectionOptions {
  /** 0-based turns at which the error happens, one episode each. */
  readonly turns: readonly number[];
  /** Turn limit of the episodes. */
  readonly maxTurns: number;
  /** Default 1. */
  readonly seed?: number;
}

function getKey({ text, toolCalls = [] }: Action): string {
  return JSON.stringify(toolCalls.length === 0 ? text : toolCalls.map((call) => [call.name, call.arguments]));
}

/**
 * Returns a policy that plays best but for turn `errorTurn`, where it takes one of the allowed actions that are not
 * best, drawn at random; with none to take it plays best there too.
 */
export function createInjectionPolicy(errorTurn: number): Policy {
  return {
    id: "injected",
    config: { type: "injection", errorTurn },
    needsOracle: true,
    act({ oracle, turnIndex, random }) {
      if (oracle === undefined) throw new TypeError("Cannot inject an error: the policy was given no oracle");
      const best = oracle.best();
      const keys = new Set(best.map(getKey));
      const others = oracle.allowed().filter((action) => !keys.has(getKey(action)));
      const isError = turnIndex === errorTurn && others.length > 0;
      return { action: isError ? random.pick(others) : best[0] };
    },
  };
}

/**
 * Yields one episode for each task and error turn, played best but for the one injected error: prefixes whose error and
 * turn are known beforehand. The producer's id is `injected`; an episode solved before its turn holds no error.
 *
 * @throws {TurnwiseError} (usage) when the env has no oracle.
 */
export async function* injectErrors(
  env: Env,
  tasks: readonly Task[],
  options: InjectionOptions,
): AsyncGenerator<Trajectory> {
  const { turns, maxTurns, seed = 1 } = options;
  if (env.oracle === undefined) {
    throw usageError(
      `Cannot inject errors in env "${env.id}": it has no oracle that knows best actions`,
      "Take prefixes from runs alone, without --inject",
    );
  }
  for (const task of tasks) {
    for (const [sampleIndex, turn] of turns.entries()) {
      yield runEpisode(env, createInjectionPolicy(turn), task, {
        budget: { maxTurns },
        sampleIndex,
        envSeed: deriveSeed(seed, "env", task.hash, sampleIndex),
        samplingSeed: deriveSeed(seed, "injection", task.hash, sampleIndex),
      });
    }
  }
}
