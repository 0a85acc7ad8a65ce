// internal
import type { ChatClock } from "./clock.js";

/** Limits of one endpoint. Absent is unlimited. */
export interface GateLimits {
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
  /** Calls in flight at once. */
  readonly maxConcurrency: number;
}

/** A bucket that refills evenly and may go into debt, so that a request larger than it still passes at the right rate. */
interface Bucket {
  readonly perSecond: number;
  level: number;
  updatedAt: number;
}

interface Waiter {
  readonly tokens: number;
  readonly resolve: () => void;
}

function createBucket(perMinute: number, now: number): Bucket {
  return { perSecond: perMinute / 60, level: Math.max(1, perMinute / 60), updatedAt: now };
}

/** Refills a bucket up to one second's worth and returns the seconds until it has something to give. */
function refill(bucket: Bucket | undefined, now: number): number {
  if (bucket === undefined) return 0;
  const capacity = Math.max(1, bucket.perSecond);
  bucket.level = Math.min(capacity, bucket.level + (now - bucket.updatedAt) * bucket.perSecond);
  bucket.updatedAt = now;
  const missing = 1 - bucket.level;
  return missing > 1e-6 ? missing / bucket.perSecond : 0;
}

/**
 * Lets calls through to one endpoint, first come first served: within requests and tokens per minute, within a
 * number in flight that shrinks by half when the server says "too many" and grows back by one for each round of
 * successes, and not before a pause that the server asked for is over.
 */
export class Gate {
  readonly #clock: ChatClock;
  readonly #maxConcurrency: number;
  readonly #requests: Bucket | undefined;
  readonly #tokens: Bucket | undefined;
  readonly #stop: AbortSignal;
  readonly #queue = new Map<number, Waiter>();
  #nextTicket = 0;
  #inFlight = 0;
  #window: number;
  #shrunkAt = -Infinity;
  #pausedUntil = -Infinity;
  #isSleeping = false;

  constructor(limits: GateLimits, clock: ChatClock, stop: AbortSignal) {
    const { requestsPerMinute, tokensPerMinute, maxConcurrency } = limits;
    this.#clock = clock;
    this.#stop = stop;
    this.#maxConcurrency = maxConcurrency;
    this.#window = maxConcurrency;
    const now = clock.now();
    this.#requests = requestsPerMinute === undefined ? undefined : createBucket(requestsPerMinute, now);
    this.#tokens = tokensPerMinute === undefined ? undefined : createBucket(tokensPerMinute, now);
  }

  /** Calls in flight and waiting. */
  get load(): number {
    return this.#inFlight + this.#queue.size;
  }

  /** The server asked to be left alone, and that time is not over. */
  get isPaused(): boolean {
    return this.#pausedUntil > this.#clock.now();
  }

  /** Takes a place at once when nobody waits and no limit forbids; says whether it did. */
  tryEnter(tokens: number): boolean {
    if (this.#queue.size > 0 || this.#inFlight >= Math.floor(this.#window) || this.#waitSeconds() > 0) return false;
    this.#take(tokens);
    return true;
  }

  /** Waits in line for a place. Rejects with the signal's reason when it is aborted first. */
  enter(tokens: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const ticket = this.#nextTicket;
      this.#nextTicket += 1;
      const abort = (): void => {
        this.#queue.delete(ticket);
        reject(signal?.reason);
        this.#pump();
      };
      const admit = (): void => {
        signal?.removeEventListener("abort", abort);
        resolve();
      };
      if (signal?.aborted === true) {
        reject(signal.reason);
        return;
      }
      signal?.addEventListener("abort", abort, { once: true });
      this.#queue.set(ticket, { tokens, resolve: admit });
      this.#pump();
    });
  }

  /** Gives a place back. `tokens` is what the call reserved, `usedTokens` what it really used when known. */
  leave(tokens: number, usedTokens: number | undefined): void {
    this.#inFlight -= 1;
    if (this.#tokens !== undefined && usedTokens !== undefined) this.#tokens.level += tokens - usedTokens;
    this.#pump();
  }

  /** Gives a place back that was not used: nothing was sent. */
  leaveUnused(tokens: number): void {
    if (this.#requests !== undefined) this.#requests.level += 1;
    this.leave(tokens, 0);
  }

  /** Notes that a call that began at `startedAt` was refused as one too many. */
  shrink(startedAt: number): void {
    if (startedAt < this.#shrunkAt) return; // that call belongs to the round that was already answered to
    this.#shrunkAt = this.#clock.now();
    this.#window = Math.max(1, Math.min(this.#window, this.#inFlight) / 2);
  }

  /** Notes a success: room for one more after as many successes as there are places. */
  grow(): void {
    if (this.#window < this.#maxConcurrency) {
      this.#window = Math.min(this.#maxConcurrency, this.#window + 1 / this.#window);
    }
  }

  /** Lets nobody through for `seconds`. */
  pause(seconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.now() + seconds);
  }

  #take(tokens: number): void {
    this.#inFlight += 1;
    if (this.#requests !== undefined) this.#requests.level -= 1;
    if (this.#tokens !== undefined) this.#tokens.level -= tokens;
  }

  #waitSeconds(): number {
    if (this.#requests === undefined && this.#tokens === undefined && this.#pausedUntil === -Infinity) return 0;
    const now = this.#clock.now();
    return Math.max(this.#pausedUntil - now, refill(this.#requests, now), refill(this.#tokens, now), 0);
  }

  #pump(): void {
    while (this.#queue.size > 0 && this.#inFlight < Math.floor(this.#window)) {
      const seconds = this.#waitSeconds();
      if (seconds > 0) {
        void this.#pumpAfter(seconds);
        return;
      }
      const [ticket, waiter] = this.#queue.entries().next().value as [number, Waiter]; // the queue is not empty
      this.#queue.delete(ticket);
      this.#take(waiter.tokens);
      waiter.resolve();
    }
  }

  async #pumpAfter(seconds: number): Promise<void> {
    if (this.#isSleeping) return;
    this.#isSleeping = true;
    try {
      // A sleep shorter than the clock can tell apart would never end the wait.
      await this.#clock.sleep(Math.max(0.001, seconds), this.#stop);
    } catch {
      return; // the client was closed: those who wait are aborted by it
    }
    this.#isSleeping = false;
    this.#pump();
  }
}
