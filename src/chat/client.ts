import { PolicyError, usageError, type JsonObject, type TurnUsage } from "../core/index.js";
import type { Failure } from "./failure.js";
import type { ChatAnswer, ChatRequest } from "./message.js";
import { computeCost } from "./price.js";
import type { ReadAnswer } from "./read-answer.js";
import { renderBody, withModel } from "./request-body.js";
import { drawBackoffSeconds } from "./retry.js";
import type { ChatClientOptions } from "./settings.js";
import { createStations, enterStation, findStation, type Entrant, type Station } from "./station.js";
import { createAbortError, createAgent, sendAttempt, type Outcome } from "./transport.js";

/** A client for one model behind one or several OpenAI-compatible servers. */
export interface ChatClient {
  /** Where calls go, without secrets. */
  readonly endpoints: readonly { readonly baseUrl: string; readonly model: string }[];
  /** Fields that every request body carries. */
  readonly extraBody: JsonObject;
  /**
   * Returns the model's answer, however many attempts that takes.
   *
   * @throws {PolicyError} whose class is a {@linkcode ChatErrorClass} or `context_overflow`; its `usage.requests`
   * says how many requests were made.
   */
  complete(request: ChatRequest, options?: { readonly signal?: AbortSignal }): Promise<ChatAnswer>;
  /** Closes the connections; calls in flight fail with class `aborted`. */
  close(): Promise<void>;
}

/** One call's memory over its attempts. */
interface Call extends Entrant {
  readonly body: string;
  readonly signal: AbortSignal | undefined;
  readonly failed: Set<Station>;
  requestCount: number;
  attemptCount: number;
  /** What failed attempts cost, as far as it is known. */
  wastedCost: number;
  lastMessage: string | undefined;
}

/**
 * Returns a client. Keys are looked up at once, connections are opened when needed.
 *
 * @throws a usage error for a bad base URL, a missing key variable, or no endpoint.
 */
export function createChatClient(options: ChatClientOptions): ChatClient {
  const { maxConcurrency = 64, timeoutSeconds = 600, retry = {}, streaming = false, extraBody = {}, onEvent } = options;
  const { maxTokensField = "max_tokens", splitThink: isThinkSplit = true, priceTable = {}, clock, random } = options;
  const { maxAttempts = 8 } = retry;
  const { patienceSeconds = 600 } = options.circuit ?? {};
  if (options.endpoints.length === 0) throw usageError("Cannot create a chat client: no endpoint is given");
  const stop = new AbortController();
  const stations = createStations(options, maxConcurrency, stop.signal);
  const agent = createAgent(maxConcurrency, timeoutSeconds);
  const hasTokenLimit = [options, ...options.endpoints].some(({ tokensPerMinute }) => tokensPerMinute !== undefined);

  function createCall(request: ChatRequest, signal: AbortSignal | undefined): Call {
    const body = renderBody(request, { isStreaming: streaming, maxTokensField, extraBody });
    let waitSignal: AbortSignal | undefined;
    return {
      body,
      // About four bytes of JSON make a token; put right when the server says what it counted.
      tokens: hasTokenLimit ? Math.ceil(body.length / 4) + (request.maxTokens ?? 0) : 0,
      signal,
      failed: new Set(),
      getWaitSignal: () => (waitSignal ??= signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal])),
      requestCount: 0,
      attemptCount: 0,
      wastedCost: 0,
      lastMessage: undefined,
    };
  }

  async function attempt(call: Call, station: Station, isProbe: boolean): Promise<Outcome & { readonly isOpen: boolean }> {
    const { gate, circuit, target } = station;
    const startedAt = clock.now();
    call.requestCount += 1;
    let outcome: Outcome;
    try {
      const { signal } = call;
      const { hasAnswered } = station;
      outcome = await sendAttempt(agent, target, withModel(call.body, target.model), { isThinkSplit, signal, now: clock.now, hasAnswered });
      if (stop.signal.aborted) throw createAbortError(stop.signal);
    } catch (error) {
      if (isProbe) circuit.cancelProbe();
      gate.leave(call.tokens, undefined);
      throw error;
    }
    const isOpen = settle(call, station, isProbe, startedAt, outcome);
    return { ...outcome, isOpen };
  }

  /** Tells gate and circuit how an attempt went; returns whether the circuit is open now. */
  function settle(call: Call, station: Station, isProbe: boolean, startedAt: number, outcome: Outcome): boolean {
    const { gate, circuit } = station;
    if (outcome.type === "answer") {
      const { promptTokens, completionTokens } = outcome.answer.usage;
      station.hasAnswered = true;
      gate.grow();
      circuit.succeed();
      gate.leave(call.tokens, promptTokens === undefined ? undefined : promptTokens + (completionTokens ?? 0));
      return false;
    }
    const { failure } = outcome;
    const { retryAfterSeconds } = failure;
    if (failure.errorClass === "rate_limit" && failure.isRetryable) gate.shrink(startedAt);
    if (retryAfterSeconds !== undefined && retryAfterSeconds <= patienceSeconds) gate.pause(retryAfterSeconds);
    let isOpen = false;
    if (failure.isOutage) isOpen = circuit.fail(isProbe, failure.errorClass);
    else circuit.succeed();
    gate.leave(call.tokens, undefined);
    return isOpen;
  }

  /** Decides what follows a failed attempt: returns the seconds to wait before the next, or throws. */
  function planRetry(call: Call, station: Station, failure: Failure, isOpen: boolean): number {
    const { retryAfterSeconds = 0, errorClass, usage = {} } = failure;
    const baseUrl = station.target.baseUrl.text;
    call.lastMessage = failure.message;
    call.wastedCost += getCost(usage, station) ?? 0;
    // While the endpoint is down, waiting is the circuit's business and no call is used up by it.
    if (!isOpen) call.attemptCount += 1;
    const isTooLong = retryAfterSeconds > patienceSeconds;
    if (!failure.isRetryable || isTooLong || call.attemptCount >= maxAttempts) throw createError(call, failure);
    call.failed.add(station);
    if (call.failed.size === stations.list.length) {
      call.failed.clear();
      if (stations.list.length > 1) call.failed.add(station);
    }
    const next = findStation(stations.list, call.failed);
    const canWaitElsewhere = isOpen || retryAfterSeconds > 0 || (next !== undefined && !call.failed.has(next));
    const delaySeconds = canWaitElsewhere ? 0 : drawBackoffSeconds(call.attemptCount, random, retry);
    if (errorClass === "rate_limit") onEvent?.({ type: "rate_limited", baseUrl, pauseSeconds: Math.max(retryAfterSeconds, delaySeconds) });
    const { message } = failure;
    if (!isOpen) onEvent?.({ type: "retry", baseUrl, errorClass, message, attemptCount: call.attemptCount, delaySeconds });
    return delaySeconds;
  }

  function getCost(usage: TurnUsage, { target }: Station): number | undefined {
    const price = Object.hasOwn(priceTable, target.model) ? priceTable[target.model] : undefined;
    return price === undefined ? usage.cost : computeCost(usage, price);
  }

  function createError(call: Call, failure: Failure): PolicyError {
    const attempts = call.attemptCount > 1 ? ` (after ${call.attemptCount} attempts)` : "";
    return new PolicyError(failure.errorClass, `${failure.message}${attempts}`, { cause: failure.cause, usage: getSpent(call) });
  }

  function getSpent({ requestCount, wastedCost }: Call): TurnUsage {
    return { requests: requestCount, ...(wastedCost > 0 ? { cost: wastedCost } : {}) };
  }

  function createAnswer(call: Call, station: Station, { usage, ...rest }: ReadAnswer): ChatAnswer {
    const { requestCount, wastedCost } = call;
    const ownCost = getCost(usage, station);
    const cost = ownCost === undefined && wastedCost === 0 ? {} : { cost: (ownCost ?? 0) + wastedCost };
    return { ...rest, usage: { ...usage, ...cost, requests: requestCount }, requestCount, baseUrl: station.target.baseUrl.text };
  }

  async function complete(request: ChatRequest, { signal }: { readonly signal?: AbortSignal } = {}): Promise<ChatAnswer> {
    const call = createCall(request, signal);
    try {
      for (;;) {
        if (stop.signal.aborted) throw createAbortError(stop.signal);
        const { station, isProbe } = await enterStation(stations, call);
        const outcome = await attempt(call, station, isProbe);
        if (outcome.type === "answer") return createAnswer(call, station, outcome.answer);
        const seconds = planRetry(call, station, outcome.failure, outcome.isOpen);
        if (seconds > 0) await clock.sleep(seconds, call.getWaitSignal());
      }
    } catch (error) {
      if (error instanceof PolicyError && error.usage !== undefined) throw error;
      const ended = error instanceof PolicyError ? error : findAbortError(call);
      if (ended === undefined) throw error;
      throw new PolicyError(ended.errorClass, ended.message, { cause: ended.cause, usage: getSpent(call) });
    }
  }

  function findAbortError(call: Call): PolicyError | undefined {
    const aborted = [call.signal, stop.signal].find((candidate) => candidate?.aborted === true);
    return aborted === undefined ? undefined : createAbortError(aborted);
  }

  return {
    endpoints: stations.list.map(({ target }) => ({ baseUrl: target.baseUrl.text, model: target.model })),
    extraBody,
    complete,
    async close() {
      stop.abort(new Error("the chat client was closed"));
      await agent.destroy();
    },
  };
}
