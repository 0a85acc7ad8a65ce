import { sumUsage, type Trajectory } from "../core/index.js";

/** How far a run is. Successes and failures count only episodes that did not end in an error. */
export interface RunProgress {
  /** Episodes of this call's plan. */
  readonly planned: number;
  /** Finished in an earlier call and kept. */
  readonly kept: number;
  /** Played and durable in this call, errored ones included. */
  readonly played: number;
  readonly running: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Played without a known outcome. */
  readonly unknown: number;
  readonly errored: number;
  /** Errors by boundary and class, e.g. `policy/rate_limit`. */
  readonly errorsByClass: { readonly [errorClass: string]: number };
  /** The first message of each class of errors. */
  readonly firstErrors: { readonly [errorClass: string]: string };
  readonly turns: number;
  readonly tokens: number;
  readonly cost: number;
}

/** Counts what a run has done; the numbers behind its progress display. */
export class RunTally {
  readonly #planned: number;
  readonly #count = { kept: 0, played: 0, running: 0, succeeded: 0, failed: 0, unknown: 0, errored: 0 };
  readonly #used = { turns: 0, tokens: 0, cost: 0 };
  readonly #errorsByClass: Record<string, number> = {};
  readonly #firstErrors: Record<string, string> = {};

  /** Begins a count towards `planned` episodes. */
  constructor(planned: number) {
    this.#planned = planned;
  }

  /** Counts an episode that an earlier call finished. */
  keep(): void {
    this.#count.kept += 1;
  }

  /** Changes the number of episodes in flight. */
  move(difference: number): void {
    this.#count.running += difference;
  }

  /** Counts an episode that was played and is durable. */
  add(trajectory: Trajectory): void {
    const { stopReason, success, turns, closing } = trajectory;
    const usage = sumUsage(turns);
    this.#used.turns += usage.turns;
    this.#used.tokens += usage.tokens + (closing?.usage?.promptTokens ?? 0) + (closing?.usage?.completionTokens ?? 0);
    this.#used.cost += usage.cost + (closing?.usage?.cost ?? 0);
    this.#count.played += 1;
    if (stopReason.type === "error") {
      this.#count.errored += 1;
      const errorClass = `${stopReason.boundary}/${stopReason.errorClass}`;
      this.#errorsByClass[errorClass] = (this.#errorsByClass[errorClass] ?? 0) + 1;
      this.#firstErrors[errorClass] ??= stopReason.message;
    } else if (success === undefined) this.#count.unknown += 1;
    else if (success) this.#count.succeeded += 1;
    else this.#count.failed += 1;
  }

  /** Returns the numbers as they stand. */
  getProgress(): RunProgress {
    return {
      planned: this.#planned,
      ...this.#count,
      errorsByClass: { ...this.#errorsByClass },
      firstErrors: { ...this.#firstErrors },
      ...this.#used,
    };
  }
}
