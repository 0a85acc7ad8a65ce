import {
  createTask,
  pureEnv,
  type Action,
  type Env,
  type Policy,
  type PolicyRequest,
  type Task,
} from "../../src/core/index.js";

/** State of the counter env: the value, every action that took effect, in order. */
export interface CounterState {
  readonly value: number;
  readonly effects: readonly string[];
  readonly [key: string]: number | readonly string[];
}

/** Settings of the counter env. */
export interface CounterOptions {
  /** Value from which the task is solved; default 3. */
  readonly goal?: number;
  /** Whether reaching the goal ends the episode; default true. */
  readonly endsWhenSolved?: boolean;
  /** Called with the text of every action the env applies. */
  readonly onStep?: (text: string) => void;
}

/** Returns an env in which `up` adds one, `down` takes one, `fail` ends badly, and anything else is invalid. */
export function createCounterEnv(options: CounterOptions = {}): Env {
  const { goal = 3, endsWhenSolved = true, onStep } = options;
  return pureEnv<CounterState>({
    id: "counter",
    version: "1",
    instructions: "Count to the goal.",
    tools: [],
    isSuccessAbsorbing: endsWhenSolved,
    isDeterministic: true,
    initial: () => ({ value: 0, effects: [] }),
    observe: () => ({ text: "0" }),
    closing: { prompt: "Say the value now.", submit: (action) => ({ text: `answer ${action.text}` }) },
    step(state, action) {
      onStep?.(action.text);
      const effects = [...state.effects, action.text];
      if (action.text === "fail")
        return { state: { ...state, effects }, observation: { text: "broken" }, ended: "wrong_final" };
      if (action.text.startsWith("answer ")) {
        const isRight = action.text === `answer ${state.value}`;
        return {
          state: { ...state, effects },
          observation: { text: "" },
          ended: isRight ? "solved" : "wrong_final",
          solvedAfter: isRight,
        };
      }
      const step = action.text === "up" ? 1 : action.text === "down" ? -1 : undefined;
      const value = state.value + (step ?? 0);
      const solvedAfter = value >= goal;
      return {
        state: { value, effects },
        observation: { text: String(value) },
        reward: step ?? 0,
        solvedAfter,
        distanceBefore: Math.max(0, goal - state.value),
        distanceAfter: Math.max(0, goal - value),
        ...(step === undefined ? { flags: { invalid: true as const } } : {}),
        ...(solvedAfter && endsWhenSolved ? { ended: "solved" as const } : {}),
      };
    },
  });
}

/** Returns a policy that answers with the given texts in order, then with the last one for ever. `"quit"` quits. */
export function createListPolicy(texts: readonly string[], id = "list"): Policy {
  return {
    id,
    config: { texts },
    act: ({ turnIndex }) => ({ action: toAction(texts[Math.min(turnIndex, texts.length - 1)]) }),
  };
}

/** Returns a policy made from a function, for tests that need more than a list. */
export function createFunctionPolicy(act: (request: PolicyRequest) => string, id = "function"): Policy {
  return { id, config: {}, act: (request) => ({ action: toAction(act(request)) }) };
}

/** Returns the action that this text stands for. */
export function toAction(text: string): Action {
  return text === "quit" ? { text, quit: true } : { text };
}

/** Returns a number of distinct tasks of the counter env. */
export function createCounterTasks(count: number): Task[] {
  return Array.from({ length: count }, (_, index) => createTask("counter", { index }, { id: `task-${index}` }));
}
