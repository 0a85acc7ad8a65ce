import type { Action, Observation } from "./action.js";
import type { Env, EnvSession, StepResult } from "./env.js";
import type { JsonValue } from "./json.js";
import { createRandom, type Random } from "./random.js";
import type { Task } from "./task.js";

/** What one pure transition returns: the env's answer and the state after it. */
export interface PureStep<State extends JsonValue> extends StepResult {
  readonly state: State;
}

/** An env as pure functions over a JSON state: the preferred way to write one. */
export interface PureEnvConfig<State extends JsonValue> extends Omit<Env, "start" | "resume" | "render"> {
  /** Returns the first state of a task. */
  initial(task: Task, random: Random): State;
  /** Returns what is shown at the beginning. */
  observe(state: State, task: Task): Observation;
  /**
   * Applies one action. `random` is seeded from the episode's seed and the number of steps before, so a resumed
   * episode goes on exactly like an uninterrupted one.
   */
  step(state: State, action: Action, task: Task, random: Random): PureStep<State>;
  /** Returns the state as text for people. */
  render?(state: State, task: Task): string;
}

/**
 * Returns an env made from pure functions over a JSON state. Sessions can be snapshot and resumed exactly, and
 * hold nothing else.
 */
export function pureEnv<State extends JsonValue>(config: PureEnvConfig<State>): Env {
  const { initial, observe, step, render, ...description } = config;
  function createSession(task: Task, seed: number, first: State, stepsBefore: number): EnvSession {
    let state = first;
    let stepIndex = stepsBefore;
    return {
      observation: observe(first, task),
      step(action) {
        const { state: next, ...answer } = step(state, action, task, createRandom(seed, task.hash, "step", stepIndex));
        state = next;
        stepIndex += 1;
        return answer;
      },
      snapshot: () => ({ state, stepIndex }),
      close() {},
    };
  }
  return {
    ...description,
    start(task, seed) {
      return createSession(task, seed, initial(task, createRandom(seed, task.hash, "initial")), 0);
    },
    resume(task, seed, snapshot) {
      const saved = snapshot as { readonly state: State; readonly stepIndex: number }; // written by snapshot() above
      return createSession(task, seed, saved.state, saved.stepIndex);
    },
    ...(render === undefined
      ? {}
      : { render: (task, snapshot) => render((snapshot as { readonly state: State }).state, task) }), // written by snapshot() above
  };
}
