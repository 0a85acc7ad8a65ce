import type { Action, Observation } from "./action.js";
import type { Env, EnvSession, StepResult } from "./env.js";
import type { JsonValue } from "./json.js";
import { enumerateOutcomes } from "./outcomes.js";
import { createLazyRandom, type Random } from "./random.js";
import type { EnvEndKind } from "./stop-reason.js";
import type { Task } from "./task.js";

/** What one pure transition returns: the env's answer and the state after it. */
export interface PureStep<State extends JsonValue> extends StepResult {
  readonly state: State;
}

/** An env as pure functions over a JSON state: the preferred way to write one. */
export interface PureEnvConfig<State extends JsonValue> extends Omit<Env, "start" | "resume" | "render" | "outcomes"> {
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

/** What a session of a pure env saves. */
interface Saved<State extends JsonValue> {
  readonly state: State;
  readonly stepIndex: number;
  /** Present once the env has ended the episode. */
  readonly ended?: EnvEndKind;
}

/**
 * Returns the state inside a snapshot that a session of a {@linkcode pureEnv} made; for oracles, which are given
 * snapshots.
 */
export function readPureState<State extends JsonValue>(snapshot: JsonValue): State {
  return (snapshot as unknown as Saved<State>).state; // written by snapshot() below
}

/**
 * Returns an env made from pure functions over a JSON state. Sessions can be snapshot and resumed exactly, and
 * hold nothing else. Stepping on after the end throws a `RangeError`.
 */
export function pureEnv<State extends JsonValue>(config: PureEnvConfig<State>): Env {
  const { initial, observe, step, render, ...description } = config;
  function createSession(task: Task, seed: number, first: Saved<State>): EnvSession {
    let saved = first;
    return {
      observation: observe(first.state, task),
      step(action) {
        const random = createLazyRandom(seed, task.hash, "step", saved.stepIndex);
        const { next, answer } = advance(saved, action, task, random);
        saved = next;
        return answer;
      },
      snapshot: () => ({ ...saved }),
      close() {},
    };
  }
  function advance(saved: Saved<State>, action: Action, task: Task, random: Random) {
    if (saved.ended !== undefined) {
      throw new RangeError(
        `Cannot step as the episode has ended: it ended "${saved.ended}" at step ${saved.stepIndex}`,
      );
    }
    const { state, ...answer } = step(saved.state, action, task, random);
    const { ended } = answer;
    const next: Saved<State> = { state, stepIndex: saved.stepIndex + 1, ...(ended === undefined ? {} : { ended }) };
    return { next, answer };
  }
  return {
    ...description,
    start(task, seed) {
      return createSession(task, seed, {
        state: initial(task, createLazyRandom(seed, task.hash, "initial")),
        stepIndex: 0,
      });
    },
    resume(task, seed, snapshot) {
      return createSession(task, seed, snapshot as unknown as Saved<State>); // written by snapshot() above
    },
    outcomes(task, snapshot, action) {
      const saved = snapshot as unknown as Saved<State>; // written by snapshot() above
      return enumerateOutcomes((random) => advance(saved, action, task, random)).map(({ probability, value }) => ({
        probability,
        value: { result: value.answer, snapshot: { ...value.next } },
      }));
    },
    ...(render === undefined ? {} : { render: (task, snapshot) => render(readPureState<State>(snapshot), task) }),
  };
}
