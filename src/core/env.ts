import type { Action, Observation, ToolSpec } from "./action.js";
import type { JsonValue, RecordedNumber } from "./json.js";
import type { Outcome } from "./outcomes.js";
import type { EnvEndKind } from "./stop-reason.js";
import type { SuiteRequest, Task } from "./task.js";
import type { TurnFlags } from "./trajectory.js";

/** The env's answer to one action. */
export interface StepResult {
  readonly observation: Observation;
  readonly reward?: number;
  /** Present when the env ended the episode with this action. */
  readonly ended?: EnvEndKind;
  /** Grade of the state after this action; absent is unknown. */
  readonly solvedAfter?: boolean;
  readonly flags?: TurnFlags;
  /** Fewest turns an optimal agent with this episode's information still needs; infinite (tagged) when hopeless. */
  readonly distanceBefore?: RecordedNumber;
  readonly distanceAfter?: RecordedNumber;
  /** Loss of the optimal success probability caused by the choice, in random envs. */
  readonly regret?: number;
  /** Calls answered in this step, when not the number of the action's tool calls. */
  readonly toolCalls?: number;
  /** Env steps made in this turn, when not 1. */
  readonly envSteps?: number;
}

/** One episode being played. */
export interface EnvSession {
  /** What the policy is shown first. */
  readonly observation: Observation;
  /**
   * Applies one action. An action the env cannot carry out is answered with flags, not thrown; what is thrown ends
   * the episode as an error of the env.
   */
  step(action: Action): StepResult | Promise<StepResult>;
  /** Returns the whole state as JSON, hidden parts included. Present where a prefix can be resumed exactly. */
  snapshot?(): JsonValue;
  /** Releases what the session holds. Called once, also after an error. */
  close(): void | Promise<void>;
}

/** How the text surface writes actions; the chat policy parses by it. */
export interface TextSurface {
  /** Instructions shown in the system prompt: how to write one action. */
  readonly instructions: string;
  /** Example actions that the grammar accepts; the contract suite parses each. */
  readonly examples: readonly string[];
}

/** What answers actions. Sessions are independent of each other. */
export interface Env {
  /** Short name, kebab-case. */
  readonly id: string;
  /** Changes whenever the same task, seed and actions could give another episode. */
  readonly version: string;
  /** What the agent is told about its job, the same for every task. */
  readonly instructions: string;
  /** The actions as tools; both surfaces offer these. Empty for an env that reads plain text. */
  readonly tools: readonly ToolSpec[];
  readonly text?: TextSurface;
  /** Turns after which the env itself ends every episode; absent where it ends none. Larger budgets are refused. */
  readonly maxTurns?: number;
  /** Whether a solved state stays solved whatever follows; only then are curves cut from one run monotone in T. */
  readonly isSuccessAbsorbing: boolean;
  /** Whether the same task, seed and actions always give the same episode. */
  readonly isDeterministic: boolean;
  /** Returns tasks of one split; the same request gives the same tasks. Absent when tasks come from elsewhere. */
  makeTasks?(request: SuiteRequest): readonly Task[];
  /** Begins an episode. Everything random in it comes from `seed`. */
  start(task: Task, seed: number): EnvSession | Promise<EnvSession>;
  /** Begins in the middle, at a state that {@linkcode EnvSession.snapshot} returned. */
  resume?(task: Task, seed: number, snapshot: JsonValue): EnvSession | Promise<EnvSession>;
  /**
   * Returns every way `step(action)` can go from this state, with exact probabilities; absent where that cannot be
   * enumerated. Exact values of scripted policies are computed with it.
   */
  outcomes?(task: Task, snapshot: JsonValue, action: Action): readonly Outcome<StepOutcome>[];
  /** Returns the current state as text for people, from a snapshot. */
  render?(task: Task, snapshot: JsonValue): string;
  /** How the `answer_only` rule asks for a closing answer and hands it in; absent where the env takes none. */
  readonly closing?: ClosingRule;
  /** Knows the best and the allowed actions of a state; scripted policies and error labels stand on it. */
  readonly oracle?: Oracle;
}

/** The closing answer of the `answer_only` rule. */
export interface ClosingRule {
  /** What the policy is asked after its last turn, without tools. */
  readonly prompt: string;
  /** Returns the action that hands in the answer the policy gave, normally its irrevocable submission. */
  submit(answer: Action): Action;
}

/** One way a step can go: the env's answer and the state after it. */
export interface StepOutcome {
  readonly result: StepResult;
  readonly snapshot: JsonValue;
}

/** What an env knows about the choices in a state, given as a snapshot. */
export interface Oracle {
  /**
   * Returns every best action, never empty before the end: those after which an optimal agent with this episode's
   * information needs the fewest turns, or, where the env is random or a gamble, has the best chance of success
   * within `turnsLeft` turns (unlimited when absent).
   */
  bestActions(task: Task, snapshot: JsonValue, turnsLeft?: number): readonly Action[];
  /** Returns the meaningful actions of the state, best ones included, in a fixed order; may leave out parameters without end. */
  allowedActions(task: Task, snapshot: JsonValue): readonly Action[];
  /**
   * Returns the best chance of success within `turnsLeft` turns (unlimited when absent) of an agent that knows what
   * this episode has shown, or, with `first`, the chance when it takes that action first and then the best ones. The
   * difference of the two is the regret of `first` at this budget. Present where the env is random or a gamble.
   */
  getSuccessChance?(task: Task, snapshot: JsonValue, turnsLeft?: number, first?: Action): number;
}
