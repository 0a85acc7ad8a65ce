import {
  createTask,
  getSplit,
  pureEnv,
  readPureState,
  tagNumber,
  type Action,
  type Env,
  type EnvSession,
  type JsonValue,
  type StepResult,
  type SuiteRequest,
  type Task,
} from "../../src/core/index.js";

/** Where the walker of the smallest env stands: the goal is at `goal`, the pit at -2. */
export type WalkState = { readonly at: number };

const goals = [2, 3, 4];

function makeTasks({ split, level, taskCount, seed }: SuiteRequest): Task[] {
  const tasks: Task[] = [];
  for (let draw = 0; tasks.length < taskCount; draw += 1) {
    const task = createTask(
      "tiny-walk",
      { goal: goals[(draw + seed) % goals.length], level, name: `${seed}-${draw}` },
      { split, level },
    );
    if (getSplit(task.hash) === split) tasks.push(task);
  }
  return tasks;
}

function getGoal(task: Task): number {
  return (task.data as { readonly goal: number }).goal; // made by makeTasks
}

function getDistance(task: Task, at: number): number {
  return at <= -2 ? Infinity : Math.abs(getGoal(task) - at);
}

/** Returns an action that walks. */
export function walk(direction: string): Action {
  return { text: "", toolCalls: [{ name: "walk", arguments: { direction } }] };
}

function readDirection(action: Action): { readonly direction?: string; readonly isUnknown: boolean } {
  const [call] = action.toolCalls ?? [];
  const direction = call?.arguments?.["direction"];
  const isKnown = call?.name === "walk" && (direction === "left" || direction === "right");
  return isKnown && action.invalid === undefined
    ? { direction, isUnknown: false }
    : { isUnknown: call !== undefined && call.name !== "walk" };
}

function refuse(action: Action, isUnknown: boolean): StepResult {
  const toolResults = (action.toolCalls ?? []).map(({ id, name }) => ({
    callId: id,
    name,
    text: "refused",
    isError: true as const,
  }));
  return {
    observation: { text: "refused", toolResults },
    flags: { invalid: true, ...(isUnknown ? { unknownTool: true } : {}) },
    toolCalls: toolResults.length,
  };
}

/** A correct env in a few lines, for tests of the contract suites: walk along a line to the goal, away from the pit. */
export const tinyWalk: Env = pureEnv<WalkState>({
  id: "tiny-walk",
  version: "1",
  instructions: "Walk to the goal.",
  tools: [
    {
      name: "walk",
      description: "Walk one place.",
      parameters: {
        type: "object",
        properties: { direction: { type: "string", enum: ["left", "right"] } },
        required: ["direction"],
      },
    },
  ],
  text: { instructions: "Write <action>walk DIRECTION</action>.", examples: ["<action>walk left</action>"] },
  isSuccessAbsorbing: true,
  isDeterministic: true,
  makeTasks,
  initial: () => ({ at: 0 }),
  observe: ({ at }, task) => ({ text: `You are at ${at}, the goal is at ${getGoal(task)}.` }),
  step({ at }, action, task) {
    const { direction, isUnknown } = readDirection(action);
    const next = direction === undefined ? at : at + (direction === "right" ? 1 : -1);
    const after = {
      distanceBefore: tagNumber(getDistance(task, at)),
      distanceAfter: tagNumber(getDistance(task, next)),
    };
    const solvedAfter = next === getGoal(task);
    if (direction === undefined) return { ...refuse(action, isUnknown), ...after, solvedAfter, state: { at } };
    const ended = solvedAfter ? "solved" : next === -2 ? "env_fail" : undefined;
    const answer = {
      state: { at: next },
      observation: { text: `You are at ${next}.` },
      reward: solvedAfter ? 1 : 0,
      regret: next === -2 ? 1 : 0,
    };
    return { ...answer, ...after, solvedAfter, ...(ended === undefined ? {} : { ended }) };
  },
  closing: { prompt: "Left or right?", submit: ({ text }) => walk(text) },
  render: ({ at }) => `at ${at}`,
  oracle: {
    bestActions: (task, snapshot) => [walk(readPureState<WalkState>(snapshot).at < getGoal(task) ? "right" : "left")],
    allowedActions: () => [walk("left"), walk("right")],
    getSuccessChance(task, snapshot, turnsLeft = Infinity, first) {
      const { at } = readPureState<WalkState>(snapshot);
      if (first === undefined) return getDistance(task, at) <= turnsLeft ? 1 : 0;
      const { direction } = readDirection(first);
      const next = direction === undefined ? at : at + (direction === "right" ? 1 : -1);
      return getDistance(task, next) <= turnsLeft - 1 ? 1 : 0;
    },
  },
});

/** Returns `env` with every session changed by `change`. */
export function changeSessions(env: Env, change: (session: EnvSession, task: Task, seed: number) => EnvSession): Env {
  return {
    ...env,
    start: async (task, seed) => change(await env.start(task, seed), task, seed),
    resume: async (task, seed, snapshot) => {
      if (env.resume === undefined) throw new TypeError("Cannot resume: the env has no snapshots");
      return change(await env.resume(task, seed, snapshot), task, seed);
    },
  };
}

/** Returns `env` with every answer changed by `change`, which also gets the state after the step. */
export function changeSteps(
  env: Env,
  change: (result: StepResult, action: Action, snapshot: JsonValue) => StepResult,
): Env {
  return changeSessions(env, (session) => ({
    observation: session.observation,
    step: async (action) => change(await session.step(action), action, session.snapshot?.() ?? null),
    snapshot: () => session.snapshot?.() ?? null,
    close: () => session.close(),
  }));
}
