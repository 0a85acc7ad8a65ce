// internal
import { setMaxListeners } from "node:events";
import { PolicyError, usageError, type JsonObject, type TurnUsage } from "../core/index.js";
import { Call, type CallSettings } from "./call.js";
import type { Failure } from "./failure.js";
import type { ChatAnswer, ChatRequest } from "./message.js";
import { computeCost } from "./price.js";
import type { ReadAnswer } from "./read-answer.js";
import { drawBackoffSeconds } from "./retry.js";
import type { ChatClientOptions } from "./settings.js";
import { createStations, enterStation, findStation, tryEnterStation, type Station, type Stations } from "./station.js";
import { createAbortError, sendAttempt, type Outcome } from "./transport.js";

/** The client over sockets: sends attempts, tells gates and circuits how they went, and decides what follows. */
export class HttpChatClient {
  readonly endpoints: readonly { readonly baseUrl: string; readonly model: string }[];
  readonly extraBody: JsonObject;
  readonly #options: ChatClientOptions;
  readonly #callSettings: CallSettings;
  readonly #stations: Stations;
  readonly #stop = new AbortController();
  readonly #patienceSeconds: number;

  constructor(options: ChatClientOptions) {
    const { maxConcurrency = 64, streaming = false, extraBody = {} } = options;
    const { maxTokensField = "max_tokens", endpoints, circuit = {} } = options;
    if (endpoints.length === 0) throw usageError("Cannot create a chat client: no endpoint is given");
    // Every call that waits listens to it: many listeners are no leak.
    setMaxListeners(0, this.#stop.signal);
    this.#options = options;
    const hasTokenLimit = [options, ...endpoints].some(({ tokensPerMinute }) => tokensPerMinute !== undefined);
    const firstModel = endpoints[0].model;
    this.#callSettings = { isStreaming: streaming, maxTokensField, extraBody, firstModel, hasTokenLimit };
    this.#stations = createStations(options, maxConcurrency, this.#stop.signal);
    this.#patienceSeconds = circuit.patienceSeconds ?? 600;
    this.endpoints = this.#stations.list.map(({ target }) => ({ baseUrl: target.baseUrl.text, model: target.model }));
    this.extraBody = extraBody;
  }

  async complete(request: ChatRequest, { signal }: { readonly signal?: AbortSignal } = {}): Promise<ChatAnswer> {
    // One signal may end a whole run's calls.
    if (signal !== undefined) setMaxListeners(0, signal);
    const { clock } = this.#options;
    const call = new Call(request, this.#callSettings, signal, this.#stop.signal);
    try {
      for (;;) {
        if (this.#stop.signal.aborted) throw createAbortError(this.#stop.signal);
        const { station, isProbe } =
          tryEnterStation(this.#stations, call) ?? (await enterStation(this.#stations, call));
        const startedAt = clock.now();
        let outcome: Outcome;
        try {
          outcome = await this.#attempt(call, station);
          if (this.#stop.signal.aborted) throw createAbortError(this.#stop.signal);
        } catch (error) {
          if (isProbe) station.circuit.cancelProbe();
          station.gate.leave(call.tokens, undefined);
          throw error;
        }
        this.#settle(call, station, isProbe, startedAt, outcome);
        if (outcome.type === "answer") return this.#createAnswer(call, station, outcome.answer);
        const isOpen = !station.circuit.isClosed;
        const seconds = this.#planRetry(call, station, outcome.failure, isOpen);
        if (seconds > 0) await clock.sleep(seconds, call.getWaitSignal());
      }
    } catch (error) {
      throw this.#finishError(call, error);
    } finally {
      call.release();
    }
  }

  async close(): Promise<void> {
    this.#stop.abort(new Error("the chat client was closed"));
    await Promise.all(this.#stations.list.map(({ connections }) => connections.destroy()));
  }

  #attempt(call: Call, { target, connections, hasAnswered }: Station): Promise<Outcome> {
    const { clock, splitThink: isThinkSplit = true } = this.#options;
    call.requestCount += 1;
    const settings = { isThinkSplit, hasAnswered, signal: call.signal, clock };
    return sendAttempt(connections, target, call.getBody(target.model), settings);
  }

  /** Tells gate and circuit how an attempt went. */
  #settle(call: Call, { gate, circuit }: Station, isProbe: boolean, startedAt: number, outcome: Outcome): void {
    let usedTokens: number | undefined;
    if (outcome.type === "answer") {
      const { promptTokens, completionTokens = 0 } = outcome.answer.usage;
      if (promptTokens !== undefined) usedTokens = promptTokens + completionTokens;
      gate.grow();
      circuit.succeed();
    } else {
      const { errorClass, isRetryable, isOutage, retryAfterSeconds } = outcome.failure;
      if (errorClass === "rate_limit" && isRetryable) gate.shrink(startedAt);
      if (retryAfterSeconds !== undefined && retryAfterSeconds <= this.#patienceSeconds) gate.pause(retryAfterSeconds);
      if (isOutage) circuit.fail(isProbe, errorClass);
      else circuit.succeed();
    }
    gate.leave(call.tokens, usedTokens);
  }

  /** Decides what follows a failed attempt: returns the seconds to wait before the next one, or throws. */
  #planRetry(call: Call, station: Station, failure: Failure, isOpen: boolean): number {
    const { random, retry = {}, onEvent } = this.#options;
    const { retryAfterSeconds = 0, errorClass, message, usage = {}, isRetryable } = failure;
    const { list } = this.#stations;
    const baseUrl = station.target.baseUrl.text;
    call.lastMessage = message;
    call.wastedCost += this.#findCost(usage, station) ?? 0;
    // While the endpoint is down, waiting is the circuit's business and uses up no call.
    if (!isOpen) call.attemptCount += 1;
    const isPatient = retryAfterSeconds <= this.#patienceSeconds && call.attemptCount < (retry.maxAttempts ?? 8);
    if (!isRetryable || !isPatient) throw this.#createError(call, failure);
    const failed = (call.failed ??= new Set());
    if (failed.size + 1 >= list.length) failed.clear();
    failed.add(station);
    const next = findStation(list, failed);
    const isTakenOver = next !== undefined && !failed.has(next);
    // A circuit or a pause makes the call wait at the gate instead.
    const isHeldElsewhere = isOpen || isTakenOver || retryAfterSeconds > 0;
    const delaySeconds = isHeldElsewhere ? 0 : drawBackoffSeconds(call.attemptCount, random, retry);
    if (errorClass === "rate_limit") {
      onEvent?.({ type: "rate_limited", baseUrl, pauseSeconds: Math.max(retryAfterSeconds, delaySeconds) });
    }
    const { attemptCount } = call;
    if (!isOpen) onEvent?.({ type: "retry", baseUrl, errorClass, message, attemptCount, delaySeconds });
    return delaySeconds;
  }

  #findCost(usage: TurnUsage, { target }: Station): number | undefined {
    const { priceTable = {} } = this.#options;
    const price = Object.hasOwn(priceTable, target.model) ? priceTable[target.model] : undefined;
    return price === undefined ? usage.cost : computeCost(usage, price);
  }

  #createAnswer({ requestCount, wastedCost }: Call, station: Station, answer: ReadAnswer): ChatAnswer {
    station.hasAnswered = true;
    const cost = this.#findCost(answer.usage, station);
    const counts = answer.usage.cost === undefined ? answer.usage : dropCost(answer.usage);
    const usage: TurnUsage =
      cost === undefined
        ? { ...counts, requests: requestCount }
        : { ...counts, cost: cost + wastedCost, requests: requestCount };
    return { ...answer, usage, requestCount, baseUrl: station.target.baseUrl.text };
  }

  #createError(call: Call, { errorClass, message, cause }: Failure): PolicyError {
    const attempts = call.attemptCount > 1 ? ` (after ${call.attemptCount} attempts)` : "";
    return new PolicyError(errorClass, `${message}${attempts}`, { cause });
  }

  /** Returns what to throw for a call that ended with `error`: an error of its class that says what the call used. */
  #finishError(call: Call, error: unknown): unknown {
    const { requestCount, wastedCost, signal } = call;
    const usage: TurnUsage = { requests: requestCount, ...(wastedCost > 0 ? { cost: wastedCost } : {}) };
    const aborted = [signal, this.#stop.signal].find((candidate) => candidate?.aborted === true);
    const known = error instanceof PolicyError ? error : aborted === undefined ? undefined : createAbortError(aborted);
    if (known === undefined) return error;
    return new PolicyError(known.errorClass, known.message, { cause: known.cause, usage });
  }
}

/** Returns the usage without the cost that the server stated. */
function dropCost({ cost: _stated, ...counts }: TurnUsage): TurnUsage {
  return counts;
}
