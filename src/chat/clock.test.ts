import { expect, test } from "vitest";
import { systemClock } from "./clock.js";

test("systemClock tells seconds since 1970 and never goes back", async () => {
  const before = systemClock.now();
  expect(Math.abs(before - Date.now() / 1000)).toBeLessThan(60);
  await systemClock.sleep(0.005);
  expect(systemClock.now()).toBeGreaterThan(before);
});

test("systemClock.sleep() rejects with the signal's reason, before and during the sleep", async () => {
  const reason = new Error("stop");
  await expect(systemClock.sleep(1000, AbortSignal.abort(reason))).rejects.toBe(reason);
  const controller = new AbortController();
  // Longer than a platform timer can hold: it must not end at once either.
  const sleeping = systemClock.sleep(1e9, controller.signal);
  await systemClock.sleep(0.005);
  controller.abort(reason);
  await expect(sleeping).rejects.toBe(reason);
});
