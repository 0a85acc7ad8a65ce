// internal

/** Resolves after `seconds`, or settles in any way, and at once, when the signal aborts. */
export type Sleep = (seconds: number, signal: AbortSignal) => Promise<unknown>;

/** The time an episode may take was up while a call was in flight. */
export class TimeUp extends Error {
  override readonly name = "TimeUp";
}

/** The run was stopped while a call was in flight. */
export class Stopped extends Error {
  override readonly name = "Stopped";
  readonly errorClass = "aborted";
}

/** How long a call is waited for. */
export interface WaitLimit {
  readonly signal?: AbortSignal;
  /** Enforced only where `sleep` is given. */
  readonly seconds?: number;
  readonly sleep?: Sleep;
}

/** [signal] what is called when it aborts: one listener for all calls in flight, however many there are. */
const waitingBySignal = new WeakMap<AbortSignal, Set<() => void>>();

function getWaiting(signal: AbortSignal): Set<() => void> {
  const known = waitingBySignal.get(signal);
  if (known !== undefined) return known;
  const waiting = new Set<() => void>();
  waitingBySignal.set(signal, waiting);
  signal.addEventListener("abort", () => waiting.forEach((stop) => stop()), { once: true });
  return waiting;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/**
 * Makes a call and returns its answer, waiting no longer than the limit. An answer that comes later is ignored, and so
 * is a late error. A call that answers at once is never cut.
 *
 * @throws {TimeUp} when the seconds are over first.
 * @throws {Stopped} when the signal aborts first; the call is not made when it already has.
 */
export function waitFor<T>(call: () => T | PromiseLike<T>, { signal, seconds, sleep }: WaitLimit): T | Promise<T> {
  if (signal?.aborted === true) throw new Stopped("The run was stopped");
  const answer = call();
  const isTimed = sleep !== undefined && seconds !== undefined;
  if (!isThenable(answer)) return answer;
  if (signal === undefined && !isTimed) return Promise.resolve(answer);
  return new Promise<T>((resolve, reject) => {
    const timer = isTimed ? new AbortController() : undefined;
    const waiting = signal === undefined ? undefined : getWaiting(signal);
    const stop = (): void => {
      settle();
      reject(new Stopped("The run was stopped"));
    };
    function settle(): void {
      waiting?.delete(stop);
      timer?.abort();
    }
    Promise.resolve(answer).then(
      (value) => {
        settle();
        resolve(value);
      },
      (error: unknown) => {
        settle();
        reject(error);
      },
    );
    waiting?.add(stop);
    if (!isTimed || timer === undefined) return;
    sleep(Math.max(0, seconds), timer.signal).then(
      () => {
        if (timer.signal.aborted) return;
        settle();
        reject(new TimeUp("The time of the episode was up"));
      },
      (error: unknown) => {
        if (timer.signal.aborted) return; // the sleep of a settled call, cut short
        settle();
        reject(error);
      },
    );
  });
}
