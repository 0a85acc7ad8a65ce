import {
  canonicalJson,
  type Action,
  type BoundOracle,
  type Disclosure,
  type Env,
  type EnvEndKind,
  type JsonValue,
  type Outcome,
  type StepOutcome,
  type StepResult,
  type Task,
} from "../../core/index.js";
import { firstMemory, type ScriptedMemory } from "./memory.js";
import type { ScriptedPolicy } from "./scripted-policy.js";

/** What is exactly known of a policy on a task after a number of turns. All but `turns` are probabilities. */
export interface ExactRow {
  readonly turns: number;
  /** Success when the episode is cut after this many turns: V(turns), with terminal rule `act`. */
  readonly value: number;
  /** Has ended by then, by kind of end; a quit counts at its own turn. */
  readonly ended: Readonly<Record<EnvEndKind | "quit", number>>;
  /** Is still running. */
  readonly running: number;
}

/** An env state with the policy's memory, and how likely the episode is to be there. */
interface Node {
  readonly state: State;
  readonly memory: ScriptedMemory;
  probability: number;
}

/** An env state; what is asked of the env and its oracle there is kept, since many memories share it. */
interface State {
  readonly key: string;
  readonly isSolved: boolean;
  readonly oracle: BoundOracle;
  getOutcomes(action: Action): Promise<readonly Outcome<StepOutcome>[]>;
}

/**
 * Returns one row for each turn 1..`maxTurns` of the exact course of a scripted policy on a task, by forward dynamic
 * programming over (env state, policy memory) with the policy's action distribution and all outcomes of each step.
 * With a hidden budget (the default) row T holds V(T) for every T; with a disclosed one the policy is told
 * `maxTurns`, and only the last row is a value at its budget: call it once for each T.
 *
 * What the env draws at the start comes from `options.envSeed` (default 0).
 *
 * @throws {TypeError} when the env has no oracle, no snapshots, or cannot list the outcomes of a step.
 */
export async function computeExactRun(
  env: Env,
  policy: ScriptedPolicy,
  task: Task,
  maxTurns: number,
  options: { readonly disclosure?: Disclosure; readonly envSeed?: number } = {},
): Promise<ExactRow[]> {
  const { disclosure = "hidden", envSeed = 0 } = options;
  const first = await startState(env, task, envSeed);
  const ended = { solved: 0, wrong_final: 0, env_fail: 0, quit: 0 };
  let value = 0;
  let nodes: Node[] = [{ state: first, memory: firstMemory, probability: 1 }];
  const rows: ExactRow[] = [];
  for (let turns = 1; turns <= maxTurns; turns += 1) {
    const turnsLeft = disclosure === "hidden" ? undefined : maxTurns - turns + 1;
    const states = new Map<string, State>();
    const next = new Map<string, Node>();
    for (const { state, memory, probability } of nodes) {
      for (const { action, probability: share } of policy.getActionDistribution(memory, state.oracle, turnsLeft)) {
        if (action.quit === true) {
          ended.quit += probability * share;
          if (state.isSolved) value += probability * share;
          continue;
        }
        for (const outcome of await state.getOutcomes(action)) {
          const { result, snapshot } = outcome.value;
          const reached = probability * share * outcome.probability;
          if (result.ended === "solved") value += reached;
          if (result.ended !== undefined) ended[result.ended] += reached;
          else
            addNode(
              next,
              shareState(states, env, task, snapshot, result),
              policy.remember(memory, { ...result, action }),
              reached,
            );
        }
      }
    }
    nodes = [...next.values()];
    rows.push({
      turns,
      value: value + sum(nodes.filter(({ state }) => state.isSolved)),
      ended: { ...ended },
      running: sum(nodes),
    });
  }
  return rows;
}

function sum(nodes: readonly Node[]): number {
  return nodes.reduce((total, { probability }) => total + probability, 0);
}

function addNode(nodes: Map<string, Node>, state: State, memory: ScriptedMemory, probability: number): void {
  const key = `${state.key} ${canonicalJson(memory)}`;
  const known = nodes.get(key);
  if (known === undefined) nodes.set(key, { state, memory, probability });
  else known.probability += probability;
}

async function startState(env: Env, task: Task, envSeed: number): Promise<State> {
  const session = await env.start(task, envSeed);
  const snapshot = session.snapshot?.();
  await session.close();
  if (snapshot === undefined) throw new TypeError(`Cannot compute exact values: env "${env.id}" gives no snapshots`);
  return createState(env, task, snapshot, canonicalJson(snapshot), false);
}

function shareState(states: Map<string, State>, env: Env, task: Task, snapshot: JsonValue, result: StepResult): State {
  const isSolved = result.solvedAfter === true;
  const key = canonicalJson([snapshot, isSolved]);
  const known = states.get(key) ?? createState(env, task, snapshot, key, isSolved);
  states.set(key, known);
  return known;
}

function createState(env: Env, task: Task, snapshot: JsonValue, key: string, isSolved: boolean): State {
  const { oracle } = env;
  if (oracle === undefined || (env.outcomes === undefined && !(env.isDeterministic && env.resume !== undefined))) {
    throw new TypeError(
      `Cannot compute exact values: env "${env.id}" lacks an oracle or cannot list the outcomes of a step`,
    );
  }
  let allowed: readonly Action[] | undefined;
  return {
    key,
    isSolved,
    oracle: {
      best: keepAnswers((turnsLeft?: number) => oracle.bestActions(task, snapshot, turnsLeft), String),
      allowed: () => (allowed ??= oracle.allowedActions(task, snapshot)),
    },
    getOutcomes: keepAnswers((action: Action) => listOutcomes(env, task, snapshot, action), canonicalJson),
  };
}

/** Returns every way a step can go; in a deterministic env that does not list them, the one that it goes. */
async function listOutcomes(
  env: Env,
  task: Task,
  snapshot: JsonValue,
  action: Action,
): Promise<readonly Outcome<StepOutcome>[]> {
  if (env.outcomes !== undefined) return env.outcomes(task, snapshot, action);
  const session = await env.resume?.(task, 0, snapshot);
  if (session === undefined) return [];
  const result = await session.step(action);
  const reached = session.snapshot?.() ?? snapshot;
  await session.close();
  return [{ probability: 1, value: { result, snapshot: reached } }];
}

/** Returns `ask` with its answers kept. */
function keepAnswers<Question, Answer>(
  ask: (question: Question) => Answer,
  getKey: (question: Question) => string,
): (question: Question) => Answer {
  const kept = new Map<string, Answer>();
  return (question) => {
    const key = getKey(question);
    const known = kept.get(key) ?? ask(question);
    kept.set(key, known);
    return known;
  };
}
