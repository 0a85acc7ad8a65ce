import type { ChatClock } from "../../src/chat/index.js";

/** A clock that moves only when told to, and remembers what was slept. */
export interface ManualClock extends ChatClock {
  /** Lengths of all sleeps asked for, in order. */
  readonly sleeps: readonly number[];
  /** Moves on by `seconds`, ending each sleep at its time, in order, and letting what follows from it happen. */
  advance(seconds: number): Promise<void>;
}

/** Lets promise callbacks run that are ready now. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

/** Returns a clock that begins at `start` seconds since 1970. */
export function createManualClock(start = 1_700_000_000): ManualClock {
  let now = start;
  const sleeps: number[] = [];
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  return {
    sleeps,
    now: () => now,
    sleep(seconds, signal) {
      sleeps.push(seconds);
      return new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason);
        const sleeper = {
          until: now + seconds,
          wake: () => {
            signal?.removeEventListener("abort", abort);
            resolve();
          },
        };
        function abort(): void {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        }
        signal?.addEventListener("abort", abort, { once: true });
        sleepers.add(sleeper);
      });
    },
    async advance(seconds) {
      const end = now + seconds;
      for (;;) {
        await settle();
        const next = [...sleepers].sort((a, b) => a.until - b.until)[0];
        if (next === undefined || next.until > end) break;
        sleepers.delete(next);
        now = Math.max(now, next.until);
        next.wake();
      }
      now = end;
      await settle();
    },
  };
}

/** Returns a clock whose sleeps end at once and move it on by their length: for tests over real sockets. */
export function createInstantClock(start = 1_700_000_000): ChatClock & { readonly sleeps: readonly number[] } {
  let now = start;
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => now,
    async sleep(seconds, signal) {
      signal?.throwIfAborted();
      sleeps.push(seconds);
      await settle();
      signal?.throwIfAborted();
      now += seconds;
    },
  };
}
