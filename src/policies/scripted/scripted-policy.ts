import type { Action, BoundOracle, JsonValue, Policy, PolicyRequest } from "../../core/index.js";
import { advanceMemory, firstMemory, type ScriptedMemory, type SeenTurn } from "./memory.js";

/** How a scripted policy behaves. Every part is a probability for one turn. */
export interface ScriptedPolicyConfig {
  readonly id: string;
  /** Decision: how often a clean turn's action is not a best one (default 0). */
  readonly errorRate?: number;
  /** Recovery: how often an action in error is a best one (default 1 - `errorRate`). */
  readonly recoveryRate?: number;
  /** Persistence: how often it stops before acting, on clean turns and in error (default 0 each). */
  readonly quitHazard?: { readonly clean?: number; readonly error?: number };
  /** How often it repeats its last calls instead of choosing (default 0). */
  readonly loopRate?: number;
  /** Share of its errors that cannot be parsed (default 0). */
  readonly invalidRate?: number;
  /** Whether its best actions are those for the turns left, where it is told them (default `budget_blind`). */
  readonly planning?: "budget_blind" | "budget_aware";
}

/** An action and how likely it is. */
export interface WeightedAction {
  readonly action: Action;
  /** In (0, 1]; the probabilities of one turn sum to 1. Equal actions may be listed more than once. */
  readonly probability: number;
}

/** A policy whose exact behaviour is known. */
export interface ScriptedPolicy extends Policy {
  readonly needsOracle: true;
  /** Returns what it remembers after one more turn; see {@linkcode advanceMemory}. Starts from `firstMemory`. */
  remember(memory: ScriptedMemory, turn: SeenTurn): ScriptedMemory;
  /**
   * Returns every action the policy may take next and how likely it is, given what it remembers, the oracle at the
   * current state and the turns left (only where it is told them). `act` samples from exactly this.
   */
  getActionDistribution(memory: ScriptedMemory, oracle: BoundOracle, turnsLeft?: number): WeightedAction[];
}

const quitAction: Action = { text: "I stop here.", quit: true };
const invalidAction: Action = { text: "Hm.", invalid: "no action found in the text" };

function spread(actions: readonly Action[], probability: number): WeightedAction[] {
  return actions.map((action) => ({ action, probability: probability / actions.length }));
}

/** Picks a tool first, then one of its calls, so that a tool with many arguments is no likelier than another. */
function spreadByTool(actions: readonly Action[], probability: number): WeightedAction[] {
  const groups = new Map<string, Action[]>();
  for (const action of actions) {
    const name = action.toolCalls?.[0]?.name ?? "";
    groups.set(name, [...(groups.get(name) ?? []), action]);
  }
  return [...groups.values()].flatMap((group) => spread(group, probability / groups.size));
}

function getCallKey({ text, toolCalls = [] }: Action): string {
  return JSON.stringify(toolCalls.length === 0 ? text : toolCalls.map((call) => [call.name, call.arguments]));
}

function checkRates(config: ScriptedPolicyConfig): void {
  const { errorRate, recoveryRate, quitHazard, loopRate, invalidRate } = config;
  const rates = {
    errorRate,
    recoveryRate,
    loopRate,
    invalidRate,
    "quitHazard.clean": quitHazard?.clean,
    "quitHazard.error": quitHazard?.error,
  };
  for (const [name, rate] of Object.entries(rates)) {
    if (rate === undefined || (rate >= 0 && rate <= 1)) continue;
    throw new RangeError(`Cannot create a scripted policy as ${name} must be in 0..1: current value is ${rate}`);
  }
}

/**
 * Returns a policy that plays any env with an oracle by fixed rates, so that its value at every budget can be
 * computed exactly ({@linkcode computeExactRun}). Each turn, in this order: it quits with the hazard of its mode;
 * else it repeats its last calls with `loopRate`; else it takes one of the best actions, all alike, or errs: with a
 * tool drawn from those of the allowed actions that are not best, then one of its calls. With nothing to err on it
 * takes a best action.
 *
 * Decision, recovery and persistence are separate: two policies that differ only in `errorRate` (with `recoveryRate`
 * given), only in `recoveryRate` or only in `quitHazard` differ in exactly that block.
 *
 * @throws {RangeError} for a rate outside 0..1.
 * @example
 * createScriptedPolicy({ id: "noisy", errorRate: 0.3, recoveryRate: 0.5 });
 */
export function createScriptedPolicy(config: ScriptedPolicyConfig): ScriptedPolicy {
  checkRates(config);
  const { id, errorRate = 0, recoveryRate = 1 - errorRate, quitHazard = {}, loopRate = 0, invalidRate = 0 } = config;
  const { planning = "budget_blind" } = config;

  function remember(memory: ScriptedMemory, turn: SeenTurn): ScriptedMemory {
    const { lastCalls, ...rest } = advanceMemory(memory, turn);
    // What is never repeated need not be remembered: exact values take far fewer states then.
    return loopRate === 0 || lastCalls === undefined ? rest : { ...rest, lastCalls };
  }
  function choose(memory: ScriptedMemory, oracle: BoundOracle, turnsLeft: number | undefined): WeightedAction[] {
    const accuracy = memory.mode === "clean" ? 1 - errorRate : recoveryRate;
    const best = oracle.best(planning === "budget_aware" ? turnsLeft : undefined);
    if (accuracy === 1) return spread(best, 1);
    const bestKeys = new Set(best.map(getCallKey));
    const others = oracle.allowed().filter((action) => !bestKeys.has(getCallKey(action)));
    const invalid = [{ action: invalidAction, probability: (1 - accuracy) * invalidRate }];
    const wrong = (1 - accuracy) * (1 - invalidRate);
    return [
      ...spread(best, accuracy),
      ...invalid,
      ...(others.length === 0 ? spread(best, wrong) : spreadByTool(others, wrong)),
    ];
  }
  function getActionDistribution(memory: ScriptedMemory, oracle: BoundOracle, turnsLeft?: number): WeightedAction[] {
    const quit = quitHazard[memory.mode] ?? 0;
    const loop = memory.lastCalls === undefined ? 0 : (1 - quit) * loopRate;
    const repeated: Action = { text: "", toolCalls: memory.lastCalls ?? [] };
    const act = 1 - quit - loop;
    const all = [
      { action: quitAction, probability: quit },
      { action: repeated, probability: loop },
      ...choose(memory, oracle, turnsLeft).map(({ action, probability }) => ({
        action,
        probability: probability * act,
      })),
    ];
    return all.filter(({ probability }) => probability > 0);
  }
  return {
    id,
    config: { type: "scripted", ...config },
    needsOracle: true,
    remember,
    getActionDistribution,
    act(request) {
      const { oracle, closingPrompt } = request;
      if (oracle === undefined) throw new TypeError(`Cannot act: scripted policy "${id}" was given no oracle`);
      if (closingPrompt !== undefined) return { action: answerClosing(oracle) };
      const memory = request.turns.reduce(remember, firstMemory);
      return { action: sample(getActionDistribution(memory, oracle, request.disclosed?.turnsLeft), request) };
    },
  };
}

function sample(distribution: readonly WeightedAction[], { random }: PolicyRequest): Action {
  let rest = random.next();
  for (const { action, probability } of distribution) {
    rest -= probability;
    if (rest < 0) return action;
  }
  return distribution[distribution.length - 1].action; // the probabilities sum to 1 only up to rounding
}

/** Returns what the best last call would hand in, as text. */
function answerClosing(oracle: BoundOracle): Action {
  const values: readonly (JsonValue | undefined)[] = Object.values(oracle.best(1)[0]?.toolCalls?.[0]?.arguments ?? {});
  return {
    text: values
      .filter((value) => value !== undefined)
      .map((value) => (typeof value === "string" ? value : JSON.stringify(value)))
      .join(" "),
  };
}
