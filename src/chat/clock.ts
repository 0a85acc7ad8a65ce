/** Time as the client sees it; an argument so that tests need not wait. */
export interface ChatClock {
  /** Seconds since 1970, never going backwards. */
  now(): number;
  /** Resolves after `seconds`; rejects with the signal's reason when it is aborted first. */
  sleep(seconds: number, signal?: AbortSignal): Promise<void>;
}

/** The longest delay that one timer of the platform can hold, in seconds. */
const maxTimerSeconds = 2_147_483;

/** The machine's own clock. */
export const systemClock: ChatClock = {
  now: () => (performance.timeOrigin + performance.now()) / 1000,
  sleep(seconds, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason);
        return;
      }
      const timer = setTimeout(finish, Math.min(seconds, maxTimerSeconds) * 1000);
      function abort(): void {
        clearTimeout(timer);
        reject(signal?.reason);
      }
      function finish(): void {
        signal?.removeEventListener("abort", abort);
        resolve();
      }
      signal?.addEventListener("abort", abort, { once: true });
    });
  },
};
