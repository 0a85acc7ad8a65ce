import type { Action, Observation, ToolSpec } from "./action.js";
import type { Disclosure } from "./budget.js";
import type { TextSurface } from "./env.js";
import type { JsonValue } from "./json.js";
import type { Random } from "./random.js";
import type { Task } from "./task.js";
import type { Turn, TurnTokens, TurnUsage } from "./trajectory.js";

/** What a policy may know when it acts. With a hidden budget nothing in here depends on the budget. */
export interface PolicyRequest {
  /** Identity only: policies that are shown nothing but observations must not read `task.data`. */
  readonly task: Task;
  readonly env: {
    readonly id: string;
    readonly instructions: string;
    readonly tools: readonly ToolSpec[];
    readonly text?: TextSurface;
  };
  /** The turns before this one. */
  readonly turns: readonly Turn[];
  readonly observation: Observation;
  readonly turnIndex: number;
  /** The budget text of this turn, word for word; absent when nothing is told. */
  readonly notice?: string;
  /** The budget, for policies that are told it; absent when hidden. `turnsLeft` includes this turn. */
  readonly disclosed?: { readonly disclosure: Disclosure; readonly maxTurns: number; readonly turnsLeft: number };
  /** Present on the closing call of the `answer_only` rule: answer now, without tools. */
  readonly closingPrompt?: string;
  /** The env's oracle bound to the current state, only for policies that declare `needsOracle`. */
  readonly oracle?: BoundOracle;
  /** Identifies the episode's random stream: the same seed, the same choices, where the policy can. */
  readonly samplingSeed: number;
  /** Seeded from the sampling seed and the turn. */
  readonly random: Random;
  /** Aborts the call when the episode's time is up or the run is stopped. */
  readonly signal?: AbortSignal;
}

/** An env's oracle at the current state of an episode. */
export interface BoundOracle {
  /** Every best action; see `Oracle.bestActions`. */
  best(turnsLeft?: number): readonly Action[];
  /** The meaningful actions, best ones included. */
  allowed(): readonly Action[];
}

/** A policy's answer: the action and what is known about how it came about. */
export interface PolicyResult {
  readonly action: Action;
  readonly usage?: TurnUsage;
  readonly tokens?: TurnTokens;
}

/** What chooses actions. */
export interface Policy {
  /** Short name, unique within a run; part of every episode's key. */
  readonly id: string;
  readonly checkpoint?: string;
  /** What defines its behaviour, without secrets; stored with the run and compared on resume. */
  readonly config: JsonValue;
  /** Asks the loop for the env's oracle (scripted policies). Absent is no. */
  readonly needsOracle?: true;
  /**
   * Returns why the policy cannot play in an env, as the end of "Cannot play it: …", such as weights that know only the
   * words of another; `undefined` when it can. Absent is: it can play anywhere.
   */
  findMismatch?(env: Pick<PolicyRequest["env"], "id" | "tools">): string | undefined;
  /**
   * Returns the next action. Throws {@linkcode PolicyError} when none can be had; anything else thrown is recorded
   * as an error of the policy too.
   */
  act(request: PolicyRequest): PolicyResult | Promise<PolicyResult>;
  /**
   * Answers many requests at once, in order. Where present, the runner may step episodes in lockstep. An error in the
   * place of an answer ends that episode only; one that is thrown ends all of the batch.
   */
  actBatch?(requests: readonly PolicyRequest[]): BatchAnswers | Promise<BatchAnswers>;
  /** Releases connections. */
  close?(): void | Promise<void>;
}

/** The answers to a batch of requests, in their order: each an answer, or why there is none. */
export type BatchAnswers = readonly (PolicyResult | PolicyError)[];

/** Why no action could be had. */
export class PolicyError extends Error {
  override readonly name = "PolicyError";
  /**
   * A short class such as `rate_limit`, `server_error`, `timeout`, `bad_response`; `context_overflow` ends the
   * episode with that stop reason instead of an error.
   */
  readonly errorClass: string;
  /** What the failed call used, if anything. */
  readonly usage: TurnUsage | undefined;
  constructor(
    errorClass: string,
    message: string,
    options: { readonly cause?: unknown; readonly usage?: TurnUsage } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.errorClass = errorClass;
    this.usage = options.usage;
  }
}
