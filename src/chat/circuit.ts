// internal
import type { ChatClock } from "./clock.js";
import type { CircuitConfig } from "./settings.js";

/** What a circuit tells the client. */
export interface CircuitEvents {
  opened(seconds: number, errorClass: string): void;
  closed(outageSeconds: number): void;
  /** Those who wait should look again. */
  changed(): void;
}

/**
 * Watches one endpoint. After enough failures in a row, whoever made the calls, it opens: calls wait. After a
 * while one call may probe; its success closes the circuit, its failure opens it for twice as long.
 */
export class Circuit {
  readonly #clock: ChatClock;
  readonly #stop: AbortSignal;
  readonly #events: CircuitEvents;
  readonly #failureThreshold: number;
  readonly #openSeconds: number;
  readonly #maxOpenSeconds: number;
  readonly #patienceSeconds: number;
  #state: "closed" | "open" | "half_open" | "probing" = "closed";
  #failureCount = 0;
  #openCount = 0;
  #outageSince: number | undefined;

  constructor(config: CircuitConfig, clock: ChatClock, stop: AbortSignal, events: CircuitEvents) {
    const { failureThreshold = 5, openSeconds = 5, maxOpenSeconds = 60, patienceSeconds = 600 } = config;
    this.#clock = clock;
    this.#stop = stop;
    this.#events = events;
    this.#failureThreshold = failureThreshold;
    this.#openSeconds = openSeconds;
    this.#maxOpenSeconds = maxOpenSeconds;
    this.#patienceSeconds = patienceSeconds;
  }

  /** Calls may pass. */
  get isClosed(): boolean {
    return this.#state === "closed";
  }

  /** A call may pass, if only as the probe. */
  get isEnterable(): boolean {
    return this.#state === "closed" || this.#state === "half_open";
  }

  /** The outage has lasted longer than the patience limit. */
  get isGivenUp(): boolean {
    return this.#outageSince !== undefined && this.#clock.now() - this.#outageSince >= this.#patienceSeconds;
  }

  /** Passes a call; returns whether it is the probe. Call only while {@linkcode isEnterable}. */
  enter(): boolean {
    if (this.#state === "closed") return false;
    this.#state = "probing";
    return true;
  }

  /** The endpoint answered as a working server does, be it with a refusal. */
  succeed(): void {
    this.#failureCount = 0;
    if (this.#state === "closed") return;
    const since = this.#outageSince ?? this.#clock.now();
    this.#state = "closed";
    this.#openCount = 0;
    this.#outageSince = undefined;
    this.#events.closed(this.#clock.now() - since);
    this.#events.changed();
  }

  /** The endpoint failed. Returns whether the circuit is open now, so that the call need not be blamed. */
  fail(isProbe: boolean, errorClass: string): boolean {
    this.#failureCount += 1;
    if (this.#state === "closed" ? this.#failureCount >= this.#failureThreshold : isProbe) this.#open(errorClass);
    return this.#state !== "closed";
  }

  /** The probe ended without an answer to the question, as when its caller gave up. */
  cancelProbe(): void {
    if (this.#state !== "probing") return;
    this.#state = "half_open";
    this.#events.changed();
  }

  #open(errorClass: string): void {
    const seconds = Math.min(this.#maxOpenSeconds, this.#openSeconds * 2 ** this.#openCount);
    this.#openCount += 1;
    this.#state = "open";
    if (this.#outageSince === undefined) {
      this.#outageSince = this.#clock.now();
      void this.#wakeAfter(this.#patienceSeconds, () => {});
    }
    this.#events.opened(seconds, errorClass);
    void this.#wakeAfter(seconds, () => {
      if (this.#state === "open") this.#state = "half_open";
    });
  }

  async #wakeAfter(seconds: number, change: () => void): Promise<void> {
    try {
      await this.#clock.sleep(seconds, this.#stop);
    } catch {
      return; // the client was closed
    }
    change();
    this.#events.changed();
  }
}
