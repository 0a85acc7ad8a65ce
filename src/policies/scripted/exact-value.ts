import { canonicalJson, type Disclosure, type Env, type EnvEndKind, type JsonValue, type StepOutcome, type Task } from "../../core/index.js";
import { advanceMemory, firstMemory, type ScriptedMemory } from "./memory.js";
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

interface Node {
  readonly snapshot: JsonValue;
  readonly memory: ScriptedMemory;
  readonly isSolved: boolean;
  probability: number;
}

/**
 * Returns one row for each turn 1..`maxTurns` of the exact course of a scripted policy on a task, by forward dynamic
 * programming over (env state, policy memory) with the policy's action distribution and all outcomes of each step.
 * With a hidden budget (the default) row T holds V(T) for every T; with a disclosed one the policy is told
 * `maxTurns`, and only the last row is a value at its budget: call it once for each T.
 *
 * What the env draws at the start comes from `options.envSeed` (default 0); all envs here draw nothing then.
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
  const { oracle, outcomes } = env;
  const session = await env.start(task, envSeed);
  const snapshot = session.snapshot?.();
  await session.close();
  if (oracle === undefined || outcomes === undefined || snapshot === undefined) {
    throw new TypeError(`Cannot compute exact values: env "${env.id}" lacks an oracle, snapshots or outcomes`);
  }
  const ended = { solved: 0, wrong_final: 0, env_fail: 0, quit: 0 };
  let value = 0;
  let nodes: Node[] = [{ snapshot, memory: firstMemory, isSolved: false, probability: 1 }];
  const rows: ExactRow[] = [];
  for (let turns = 1; turns <= maxTurns; turns += 1) {
    const turnsLeft = disclosure === "hidden" ? undefined : maxTurns - turns + 1;
    const next = new Map<string, Node>();
    for (const node of nodes) {
      const bound = {
        best: (left?: number) => oracle.bestActions(task, node.snapshot, left),
        allowed: () => oracle.allowedActions(task, node.snapshot),
      };
      for (const { action, probability: share } of policy.getActionDistribution(node.memory, bound, turnsLeft)) {
        const probability = node.probability * share;
        if (action.quit === true) {
          ended.quit += probability;
          if (node.isSolved) value += probability;
          continue;
        }
        for (const outcome of outcomes.call(env, task, node.snapshot, action)) {
          const { result } = outcome.value;
          const reached = probability * outcome.probability;
          if (result.ended === undefined) addNode(next, createNode(node.memory, action, outcome.value, reached));
          else ended[result.ended] += reached;
          if (result.ended === "solved") value += reached;
        }
      }
    }
    nodes = [...next.values()];
    const running = sum(nodes);
    rows.push({ turns, value: value + sum(nodes.filter((node) => node.isSolved)), ended: { ...ended }, running });
  }
  return rows;
}

function sum(nodes: readonly Node[]): number {
  return nodes.reduce((total, { probability }) => total + probability, 0);
}

function createNode(memory: ScriptedMemory, action: Parameters<typeof advanceMemory>[1]["action"], { result, snapshot }: StepOutcome, probability: number): Node {
  return { snapshot, memory: advanceMemory(memory, { ...result, action }), isSolved: result.solvedAfter === true, probability };
}

function addNode(nodes: Map<string, Node>, node: Node): void {
  const key = canonicalJson([node.snapshot, node.memory, node.isSolved]);
  const known = nodes.get(key);
  if (known === undefined) nodes.set(key, node);
  else known.probability += node.probability;
}
