// internal

/** Lets many wait for the next change of something. */
export interface Notifier {
  /** Resolves at the next change; rejects with the signal's reason when it is aborted first. */
  wait(signal: AbortSignal): Promise<void>;
  /** Wakes all who wait now. */
  notify(): void;
}

/** Returns a notifier that nobody waits for yet. */
export function createNotifier(): Notifier {
  let waiters = new Set<() => void>();
  return {
    wait(signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        const abort = (): void => {
          waiters.delete(wake);
          reject(signal.reason);
        };
        const wake = (): void => {
          signal.removeEventListener("abort", abort);
          resolve();
        };
        signal.addEventListener("abort", abort, { once: true });
        waiters.add(wake);
      });
    },
    notify() {
      const woken = waiters;
      waiters = new Set();
      for (const wake of woken) wake();
    },
  };
}
