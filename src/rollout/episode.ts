import {
  emptyUsage,
  errorMessage,
  findBudgetStop,
  getStopLabel,
  getEpisodeId,
  isQuit,
  PolicyError,
  renderDisclosure,
  sumUsage,
  trajectorySchema,
  createLazyRandom,
  type BoundOracle,
  type Budget,
  type ClosingAnswer,
  type Disclosure,
  type Env,
  type EnvSession,
  type ErrorBoundary,
  type Observation,
  type Oracle,
  type Policy,
  type PolicyRequest,
  type PolicyResult,
  type PrefixStart,
  type StepResult,
  type StopReason,
  type Task,
  type TerminalRule,
  type Trajectory,
  type Turn,
  type Usage,
} from "../core/index.js";
import { showPrefix, type EpisodePrefix, type ShownPrefix } from "./prefix.js";
import { createTurn, restorePrefix, ReplayError } from "./replay.js";

/** Settings of one episode. */
export interface EpisodeOptions {
  /** Limits; unlimited when absent. */
  readonly budget?: Budget;
  /** Default `hidden`. */
  readonly disclosure?: Disclosure;
  /** Default `act`. */
  readonly terminalRule?: TerminalRule;
  /** Default 0. */
  readonly sampleIndex?: number;
  /** Default 0. */
  readonly envSeed?: number;
  /** Default 0. */
  readonly samplingSeed?: number;
  readonly groupId?: string;
  /** Begins in the middle. The budget counts from there, and the record holds only what follows. */
  readonly prefix?: EpisodePrefix;
  /** Returns the time in seconds. Without it no timing is recorded and `maxSeconds` is refused. */
  readonly now?: () => number;
  /** Aborts policy calls. */
  readonly signal?: AbortSignal;
}

/** Returns the stop reason for what a boundary threw. */
function describeFailure(boundary: ErrorBoundary, error: unknown): StopReason {
  if (error instanceof PolicyError && error.errorClass === "context_overflow") return { type: "context_overflow" };
  const hasClass = error instanceof PolicyError || error instanceof ReplayError;
  const errorClass = hasClass ? error.errorClass : "exception";
  return { type: "error", boundary, errorClass, message: errorMessage(error) };
}

function bindOracle(oracle: Oracle, session: EnvSession, task: Task): BoundOracle {
  if (session.snapshot === undefined)
    throw new TypeError("Cannot ask the oracle: the env gives no snapshot of its state");
  const snapshot = session.snapshot();
  return {
    best: (turnsLeft) => oracle.bestActions(task, snapshot, turnsLeft),
    allowed: () => oracle.allowedActions(task, snapshot),
  };
}

/** Refuses settings that no episode can be played with. */
function checkOptions(env: Env, policy: Policy, options: EpisodeOptions): void {
  const { maxTurns, maxSeconds } = options.budget ?? {};
  if (maxTurns !== undefined && (!Number.isInteger(maxTurns) || maxTurns < 0)) {
    throw new RangeError(
      `Cannot play an episode as maxTurns must be a whole number from 0: current value is ${maxTurns}`,
    );
  }
  if (maxSeconds !== undefined && options.now === undefined) {
    throw new TypeError("Cannot limit seconds without a clock: pass options.now");
  }
  if (options.terminalRule === "answer_only" && env.closing === undefined) {
    throw new TypeError(`Cannot play env "${env.id}" with terminal rule "answer_only": it takes no closing answer`);
  }
  if (policy.needsOracle === true && env.oracle === undefined) {
    throw new TypeError(
      `Cannot play policy "${policy.id}" in env "${env.id}": the policy needs an oracle, the env has none`,
    );
  }
}

/**
 * One episode being played, as a machine: `request` is what the policy must answer next, absent once the episode
 * has ended. A turn is one answer of the policy; the answer to turn T takes effect, and no request is made after
 * it. What env and policy throw ends the episode and is recorded with the boundary that failed. The loops of
 * {@linkcode runEpisode} and {@linkcode runLockstep} both drive this.
 */
export class Episode {
  readonly #env: Env;
  readonly #policy: Policy;
  readonly #task: Task;
  readonly #options: EpisodeOptions;
  readonly #budget: Budget;
  readonly #disclosure: Disclosure;
  readonly #terminalRule: TerminalRule;
  readonly #shownEnv: PolicyRequest["env"];
  readonly #turns: Turn[] = [];
  #shown: ShownPrefix | undefined;
  #used: Usage = emptyUsage;
  #session: EnvSession | undefined;
  #observation: Observation = { text: "" };
  #request: PolicyRequest | undefined;
  #requestedAt = 0;
  #closing: ClosingAnswer | undefined;
  #stopReason: StopReason | undefined;
  #success: boolean | undefined;

  private constructor(env: Env, policy: Policy, task: Task, options: EpisodeOptions) {
    this.#env = env;
    this.#policy = policy;
    this.#task = task;
    const { id, instructions, tools, text } = env;
    this.#shownEnv = { id, instructions, tools, ...(text === undefined ? {} : { text }) };
    this.#options = options;
    this.#budget = options.budget ?? {};
    this.#disclosure = options.disclosure ?? "hidden";
    this.#terminalRule = options.terminalRule ?? "act";
  }

  /**
   * Begins an episode.
   *
   * @throws {TypeError | RangeError} for settings that cannot be played; see the messages.
   */
  static async start(env: Env, policy: Policy, task: Task, options: EpisodeOptions = {}): Promise<Episode> {
    checkOptions(env, policy, options);
    const episode = new Episode(env, policy, task, options);
    try {
      await episode.#begin();
      await episode.#proceed();
    } catch (error) {
      await episode.#end(describeFailure("env", error));
    }
    return episode;
  }

  /** Opens the session, at the end of the prefix if there is one. */
  async #begin(): Promise<void> {
    const { prefix, envSeed = 0 } = this.#options;
    if (prefix === undefined) {
      this.#session = await this.#env.start(this.#task, envSeed);
      this.#observation = this.#session.observation;
    } else {
      const { session, atState } = await restorePrefix(this.#env, this.#task, envSeed, prefix);
      this.#session = session;
      this.#shown = showPrefix(prefix, atState);
      this.#observation = this.#shown.observation;
    }
  }

  /** What the policy must answer next; absent once the episode has ended. */
  get request(): PolicyRequest | undefined {
    return this.#request;
  }

  /** Applies the policy's answer. Throws a `RangeError` when the episode has ended. */
  async answer(result: PolicyResult): Promise<void> {
    const request = this.#request;
    const session = this.#session;
    if (request === undefined || session === undefined) throw new RangeError("Cannot answer an episode that has ended");
    if (request.closingPrompt !== undefined) return this.#answerClosing(request.closingPrompt, result, session);
    const policySeconds = this.#now() - this.#requestedAt;
    if (isQuit(result.action)) {
      const solvedBefore = this.#getGrade();
      this.#record(request, result, solvedBefore === undefined ? {} : { solvedAfter: solvedBefore }, policySeconds, 0);
      return this.#end({ type: "quit" });
    }
    const steppedAt = this.#now();
    let step: StepResult;
    try {
      step = await session.step(result.action);
    } catch (error) {
      this.#record(request, result, {}, policySeconds, this.#now() - steppedAt);
      return this.#end(describeFailure("env", error));
    }
    const answer = createTurn(request.observation, result, step);
    this.#record(request, result, answer, policySeconds, this.#now() - steppedAt);
    this.#observation = step.observation;
    if (step.ended !== undefined) return this.#end({ type: "env_end", kind: step.ended });
    return this.#proceed();
  }

  /** Ends the episode because the policy gave no answer. Throws a `RangeError` when it has ended already. */
  async fail(error: unknown): Promise<void> {
    if (this.#request === undefined) throw new RangeError("Cannot fail an episode that has ended");
    await this.#end(describeFailure("policy", error));
  }

  /** Returns the record. Throws a `RangeError` while the episode is still running. */
  getTrajectory(): Trajectory {
    if (this.#stopReason === undefined) throw new RangeError("Cannot return the record of an episode that is running");
    const { sampleIndex = 0, envSeed = 0, samplingSeed = 0, groupId, prefix } = this.#options;
    const { id: policyId, checkpoint } = this.#policy;
    const { id, hash, family } = this.#task;
    const setting = { budget: this.#budget, disclosure: this.#disclosure, terminalRule: this.#terminalRule };
    return {
      schema: trajectorySchema,
      episodeId: getEpisodeId({ policyId, taskHash: hash, sampleIndex, ...setting }),
      task: { id, hash, ...(family === undefined ? {} : { family }) },
      sampleIndex,
      ...(groupId === undefined ? {} : { groupId }),
      policy: { id: policyId, ...(checkpoint === undefined ? {} : { checkpoint }) },
      env: { id: this.#env.id, version: this.#env.version },
      envSeed,
      samplingSeed,
      ...setting,
      turns: this.#turns,
      ...(prefix === undefined ? {} : { prefix: describePrefix(prefix) }),
      finalObservation: this.#observation,
      ...(this.#closing === undefined ? {} : { closing: this.#closing }),
      stopReason: this.#stopReason,
      ...(this.#success === undefined ? {} : { success: this.#success }),
    };
  }

  /** Returns the grade of the state reached. Before the first action nothing is solved: such a task would be none. */
  #getGrade(): boolean | undefined {
    const turns = this.#turns.length > 0 ? this.#turns : (this.#options.prefix?.turns ?? []);
    return turns.length === 0 ? false : turns[turns.length - 1].solvedAfter;
  }

  #now(): number {
    return this.#options.now?.() ?? 0;
  }

  /** Sets the next request, or ends the episode when a limit forbids another turn. */
  async #proceed(): Promise<void> {
    const stop = findBudgetStop(this.#budget, this.#used);
    const isClosing = stop === "max_turns" && this.#terminalRule === "answer_only";
    if (stop !== undefined && !isClosing) return this.#end({ type: stop });
    try {
      this.#request = this.#createRequest(isClosing ? this.#env.closing?.prompt : undefined);
      this.#requestedAt = this.#now();
    } catch (error) {
      await this.#end(describeFailure("env", error));
    }
  }

  #createRequest(closingPrompt: string | undefined): PolicyRequest {
    const ownIndex = this.#turns.length; // what the budget counts: turns of a prefix are none of this episode's
    const shown = this.#shown?.turns ?? [];
    const turnIndex = shown.length + ownIndex;
    const { maxTurns } = this.#budget;
    const { samplingSeed = 0, signal } = this.#options;
    const { oracle } = this.#env;
    const notice = closingPrompt === undefined ? renderDisclosure(this.#disclosure, this.#budget, ownIndex) : undefined;
    return {
      task: this.#task,
      env: this.#shownEnv,
      turns: shown.length === 0 ? this.#turns : [...shown, ...this.#turns],
      observation: this.#observation,
      turnIndex,
      notice,
      disclosed:
        this.#disclosure === "hidden" || maxTurns === undefined
          ? undefined
          : { disclosure: this.#disclosure, maxTurns, turnsLeft: maxTurns - ownIndex },
      closingPrompt,
      oracle:
        this.#policy.needsOracle === true && oracle !== undefined && this.#session !== undefined
          ? bindOracle(oracle, this.#session, this.#task)
          : undefined,
      samplingSeed,
      random: createLazyRandom(samplingSeed, "turn", turnIndex),
      signal,
    };
  }

  #record(
    request: PolicyRequest,
    { action, tokens, usage }: PolicyResult,
    answer: Partial<Turn>,
    policySeconds: number,
    envSeconds: number,
  ): void {
    const { observation, notice } = request;
    const turn: GrowingTurn = notice === undefined ? { observation, action } : { observation, notice, action };
    if (usage !== undefined) turn.usage = usage;
    copyAnswer(turn, answer);
    if (this.#options.now !== undefined) turn.timing = { policySeconds, envSeconds };
    if (tokens !== undefined) turn.tokens = tokens;
    this.#turns.push(turn);
    this.#used = addUsage(this.#used, sumUsage([turn]));
  }

  async #answerClosing(prompt: string, { action, usage }: PolicyResult, session: EnvSession): Promise<void> {
    this.#closing = { prompt, action, ...(usage === undefined ? {} : { usage }) };
    if (isQuit(action) || this.#env.closing === undefined) return this.#end({ type: "max_turns" });
    try {
      const step = await session.step(this.#env.closing.submit(action));
      this.#observation = step.observation;
      await this.#end(step.ended === undefined ? { type: "max_turns" } : { type: "env_end", kind: step.ended });
      if (step.ended === undefined) this.#success = step.solvedAfter;
    } catch (error) {
      await this.#end(describeFailure("env", error));
    }
  }

  async #end(reason: StopReason): Promise<void> {
    this.#request = undefined;
    this.#stopReason = reason;
    if (reason.type === "env_end") this.#success = reason.kind === "solved";
    else if (reason.type === "error") this.#success = undefined;
    else this.#success = this.#terminalRule === "hard" ? false : this.#getGrade();
    try {
      await this.#session?.close();
    } catch (error) {
      // A session that cannot be closed has leaked something; its episode is not trusted either.
      this.#stopReason = describeFailure("env", error);
      this.#success = undefined;
    }
  }
}

/** A turn whose record is being written. */
type GrowingTurn = { -readonly [field in keyof Turn]: Turn[field] };

/** Adds what the env answered. Field by field, since turns of one shape take less room and time than copies do. */
function copyAnswer(turn: GrowingTurn, answer: Partial<Turn>): void {
  const { reward, flags, distanceBefore, distanceAfter, regret, solvedAfter, usage } = answer;
  if (reward !== undefined) turn.reward = reward;
  if (flags !== undefined) turn.flags = flags;
  if (distanceBefore !== undefined) turn.distanceBefore = distanceBefore;
  if (distanceAfter !== undefined) turn.distanceAfter = distanceAfter;
  if (regret !== undefined) turn.regret = regret;
  if (solvedAfter !== undefined) turn.solvedAfter = solvedAfter;
  if (usage !== undefined) turn.usage = usage;
}

/** Returns the sum of what two stretches of an episode used. */
function addUsage(first: Usage, second: Usage): Usage {
  return {
    turns: first.turns + second.turns,
    tokens: first.tokens + second.tokens,
    toolCalls: first.toolCalls + second.toolCalls,
    seconds: first.seconds + second.seconds,
    cost: first.cost + second.cost,
  };
}

/** Returns where an episode began, for its record. */
function describePrefix({ id, arm, turns, context = "full" }: EpisodePrefix): PrefixStart {
  return { id, ...(arm === undefined ? {} : { arm }), turnCount: turns.length, context };
}

/** Says in one word how an episode ended, for progress lines. */
export function summarizeEnd(trajectory: Trajectory): string {
  const { stopReason } = trajectory;
  return stopReason.type === "error" ? `${stopReason.boundary}/${stopReason.errorClass}` : getStopLabel(stopReason);
}
