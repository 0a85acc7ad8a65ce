import {
  emptyUsage,
  findBudgetStop,
  getStopLabel,
  getEpisodeId,
  isQuit,
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
import { checkResult, checkSession, checkStep } from "./check-answers.js";
import { checkOptions } from "./check-options.js";
import { describeFailure } from "./describe-failure.js";
import { addUsage, copyAnswer, type GrowingTurn } from "./grow-turn.js";
import { showPrefix, type EpisodePrefix, type ShownPrefix } from "./prefix.js";
import { createTurn, restorePrefix } from "./replay.js";
import { TimeUp, waitFor, type WaitLimit } from "./wait-for.js";

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
  /**
   * Resolves after so many seconds, sooner or with an error when the signal aborts. With it `maxSeconds` also cuts a
   * call that is in flight; without it the limit is looked at between calls only.
   */
  readonly sleep?: (seconds: number, signal: AbortSignal) => Promise<unknown>;
  /** Aborts policy calls, and ends the episode as an error even where the call in flight does not listen. */
  readonly signal?: AbortSignal;
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
  /** Tells the policy when the episode's time is up or the run is stopped. */
  readonly #callSignal: AbortSignal | undefined;
  readonly #timeUp: AbortController | undefined;
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
    const { signal, sleep } = options;
    if (sleep !== undefined && this.#budget.maxSeconds !== undefined) this.#timeUp = new AbortController();
    const signals = [signal, this.#timeUp?.signal].filter((one) => one !== undefined);
    this.#callSignal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
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
      await this.#open(() => this.#env.start(this.#task, envSeed));
      if (this.#session !== undefined) this.#observation = checkSession(this.#session);
    } else {
      let atState: Observation | undefined;
      await this.#open(async () => {
        const restored = await restorePrefix(this.#env, this.#task, envSeed, prefix);
        atState = restored.atState;
        return restored.session;
      });
      if (atState === undefined || this.#session === undefined) return;
      checkSession(this.#session);
      this.#shown = showPrefix(prefix, atState);
      this.#observation = this.#shown.observation;
    }
  }

  /** Opens the session. One that comes after the episode has been given up is closed and nothing more. */
  async #open(begin: () => EnvSession | Promise<EnvSession>): Promise<void> {
    let isLate = false;
    async function openInTime(): Promise<EnvSession> {
      const session = await begin();
      if (isLate) await session.close();
      return session;
    }
    try {
      this.#session = await waitFor(openInTime, this.#getLimit(0));
      if (this.#session === undefined || this.#session === null) checkSession(this.#session); // an env may forget it
    } catch (error) {
      isLate = true;
      throw error;
    }
  }

  /** Returns how long a call may take, `spent` seconds into the turn. */
  #getLimit(spent: number): WaitLimit {
    const { signal, sleep } = this.#options;
    const { maxSeconds } = this.#budget;
    if (sleep === undefined || maxSeconds === undefined) return { signal };
    return { signal, sleep, seconds: maxSeconds - this.#used.seconds - spent };
  }

  /** What the policy must answer next; absent once the episode has ended. */
  get request(): PolicyRequest | undefined {
    return this.#request;
  }

  /**
   * Asks the policy and applies its answer. What it throws, an answer no record can hold and one that does not come in
   * time end the episode. Throws a `RangeError` when it has ended already.
   */
  async ask(act: (request: PolicyRequest) => PolicyResult | PromiseLike<PolicyResult>): Promise<void> {
    const request = this.#request;
    if (request === undefined) throw new RangeError("Cannot ask for an answer to an episode that has ended");
    let result: PolicyResult;
    try {
      result = await waitFor(() => act(request), this.#getLimit(0));
    } catch (error) {
      return this.fail(error);
    }
    return this.answer(result);
  }

  /** Applies the policy's answer. Throws a `RangeError` when the episode has ended. */
  async answer(found: PolicyResult): Promise<void> {
    const request = this.#request;
    const session = this.#session;
    if (request === undefined || session === undefined) throw new RangeError("Cannot answer an episode that has ended");
    let result: PolicyResult;
    try {
      result = checkResult(found);
    } catch (error) {
      return this.fail(error);
    }
    if (request.closingPrompt !== undefined) return this.#answerClosing(request.closingPrompt, result, session);
    const policySeconds = this.#getSeconds(this.#requestedAt);
    if (isQuit(result.action)) {
      const solvedBefore = this.#getGrade();
      this.#record(request, result, solvedBefore === undefined ? {} : { solvedAfter: solvedBefore }, policySeconds, 0);
      return this.#end({ type: "quit" });
    }
    const steppedAt = this.#now();
    let step: StepResult;
    try {
      step = checkStep(await waitFor(() => session.step(result.action), this.#getLimit(policySeconds)));
    } catch (error) {
      // A turn whose time was up has no answer, so it is none; one that failed is kept for what it tells.
      if (!(error instanceof TimeUp)) this.#record(request, result, {}, policySeconds, this.#getSeconds(steppedAt));
      return this.#end(describeFailure("env", error));
    }
    const answer = createTurn(request.observation, result, step);
    this.#record(request, result, answer, policySeconds, this.#getSeconds(steppedAt));
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

  /** Returns the seconds since `start`; a clock that was set back makes them 0. */
  #getSeconds(start: number): number {
    return Math.max(0, this.#now() - start);
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
    const { samplingSeed = 0 } = this.#options;
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
      signal: this.#callSignal,
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
    const { closing } = this.#env;
    if (isQuit(action) || closing === undefined) return this.#end({ type: "max_turns" });
    try {
      const limit = this.#getLimit(this.#getSeconds(this.#requestedAt));
      const step = checkStep(await waitFor(() => session.step(closing.submit(action)), limit));
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
    this.#timeUp?.abort();
    if (reason.type === "env_end") this.#success = reason.kind === "solved";
    else if (reason.type === "error") this.#success = undefined;
    else this.#success = this.#terminalRule === "hard" ? false : this.#getGrade();
    try {
      await this.#session?.close?.(); // a session without it is refused already, with a better message
    } catch (error) {
      // A session that cannot be closed has leaked something; its episode is not trusted either.
      this.#stopReason = describeFailure("env", error);
      this.#success = undefined;
    }
  }
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
