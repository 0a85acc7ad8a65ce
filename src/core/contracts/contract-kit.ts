// internal
import type { Action, ToolSpec } from "../action.js";
import type { Env, EnvSession, StepResult } from "../env.js";
import {
  canonicalJson,
  isJsonObject,
  untagNumber,
  type JsonObject,
  type JsonValue,
  type RecordedNumber,
} from "../json.js";
import { createRandom, type Random } from "../random.js";
import type { Split, Task } from "../task.js";
import { parseTextAction } from "../text-action.js";

/** Picks the next action of a session that has made these steps; `undefined` stops. */
export type Chooser = (session: EnvSession, steps: readonly PlayedStep[]) => Action | undefined;

/** What every check of an env's contract needs. */
export interface CheckContext {
  readonly env: Env;
  readonly tasks: readonly Task[];
  readonly seed: number;
  readonly maxTurns: number;
  readonly levels: readonly number[];
  readonly taskCount: number;
  readonly actions: readonly Action[];
  /** Whether the episodes of this task do not depend on the seed. */
  isSeedIndependent(task: Task): boolean;
}

/** One step of a played episode with the state before it, where the env has snapshots. */
export interface PlayedStep {
  readonly action: Action;
  readonly result: StepResult;
  readonly before?: JsonValue;
}

export const splits: readonly Split[] = ["train", "eval"];

/** Throws an error with this message unless the condition holds. */
export function expectThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** Returns the text that two equal values share: what is compared and shown. */
export function toText(value: unknown): string {
  return canonicalJson(value);
}

/** Returns what JSON text keeps of a value. */
export function throughJson(value: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue; // what JSON text holds is a JsonValue
}

/** Returns a recorded distance as a number; `undefined` when the env does not know it. */
export function readDistance(value: RecordedNumber | undefined): number | undefined {
  return untagNumber(value);
}

function createValue(schema: JsonValue | undefined, random: Random): JsonValue {
  if (!isJsonObject(schema)) return "x";
  if (Array.isArray(schema["enum"])) return random.pick<JsonValue>(schema["enum"]);
  const { minimum, maximum } = schema;
  const low = typeof minimum === "number" ? Math.ceil(minimum) : 0;
  const high = typeof maximum === "number" ? Math.floor(maximum) : low + 3;
  switch (schema["type"]) {
    case "integer":
    case "number":
      return low + random.nextInt(Math.max(1, high - low + 1));
    case "boolean":
      return random.nextInt(2) === 0;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return "x";
  }
}

/** Returns the parameters of a tool by name. */
export function getProperties(tool: ToolSpec): JsonObject {
  const { properties } = tool.parameters;
  return isJsonObject(properties) ? properties : {};
}

/** Returns a call of `tool` whose arguments its schema allows. */
export function createAllowedCall(tool: ToolSpec, random: Random): Action {
  const values = Object.fromEntries(
    Object.entries(getProperties(tool)).map(([name, schema]) => [name, createValue(schema, random)]),
  );
  return { text: "", toolCalls: [{ name: tool.name, arguments: values }] };
}

/** Returns a text example as the action it stands for: calls where the env has tools, otherwise the text itself. */
export function toExampleAction(env: Env, text: string): Action {
  if (env.tools.length === 0) return { text };
  const parsed = parseTextAction(text, env.tools);
  return parsed.type === "calls" ? { text, toolCalls: parsed.calls } : { text, invalid: "not an action" };
}

/** Returns some action for the session's state: an allowed one where the oracle knows, otherwise any well-formed one. */
export function chooseAction({ env, actions }: CheckContext, task: Task, session: EnvSession, random: Random): Action {
  if (env.oracle !== undefined && session.snapshot !== undefined) {
    return random.pick(env.oracle.allowedActions(task, session.snapshot()));
  }
  const examples = [...actions, ...(env.text?.examples ?? []).map((text) => toExampleAction(env, text))];
  const choices = [...examples, ...env.tools.map((tool) => createAllowedCall(tool, random))];
  return choices.length === 0 ? { text: "x" } : random.pick(choices);
}

/**
 * Plays one episode from its start (or from `session`) until its end, at most `context.maxTurns` steps, and closes it.
 * Actions come from `choose`; by default they are drawn from a stream of their own, so that two plays with the same
 * `stream` do the same.
 */
export async function play(
  context: CheckContext,
  task: Task,
  options: {
    readonly session?: EnvSession;
    readonly stream?: string;
    readonly choose?: Chooser;
  } = {},
): Promise<PlayedStep[]> {
  const random = createRandom(context.seed, task.hash, options.stream ?? "play");
  const { choose = (current: EnvSession) => chooseAction(context, task, current, random) } = options;
  const session = options.session ?? (await context.env.start(task, context.seed));
  const steps: PlayedStep[] = [];
  try {
    while (steps.length < context.maxTurns) {
      const before = session.snapshot?.();
      const action = choose(session, steps);
      if (action === undefined) break;
      const result = await session.step(action);
      steps.push({ action, result, ...(before === undefined ? {} : { before }) });
      if (result.ended !== undefined) break;
    }
  } finally {
    await session.close();
  }
  return steps;
}

/** Makes one step and closes the session. */
export async function stepOnce(session: EnvSession, action: Action): Promise<StepResult> {
  try {
    return await session.step(action);
  } finally {
    await session.close();
  }
}

/** Returns a chooser that replays the actions of a played episode. */
export function replay(steps: readonly PlayedStep[], from = 0): Chooser {
  return (_, made) => steps[from + made.length]?.action;
}

/** Throws unless both episodes got the same answers. */
export function expectSameAnswers(expected: readonly PlayedStep[], found: readonly PlayedStep[], what: string): void {
  for (let i = 0; i < Math.max(expected.length, found.length); i += 1) {
    const [one, other] = [toText(expected[i]?.result), toText(found[i]?.result)];
    expectThat(one === other, `${what}: step ${i} answered ${other} instead of ${one}`);
  }
}

/** Returns a short name of a task for messages. */
export function nameTask(task: Task): string {
  return `task "${task.id}"${task.level === undefined ? "" : ` of level ${task.level}`}`;
}
