import fc from "fast-check";
import { expect, test } from "vitest";
import { createManualClock } from "../../test/mock-server/manual-clock.js";
import { Gate, type GateLimits } from "./gate.js";

const never = new AbortController().signal;

function createGate(limits: Partial<GateLimits>) {
  const clock = createManualClock();
  const start = clock.now();
  const gate = new Gate({ maxConcurrency: 1000, ...limits }, clock, never);
  const entered: { readonly name: number; readonly at: number }[] = [];
  async function enter(name: number, tokens = 0, signal?: AbortSignal): Promise<void> {
    if (!gate.tryEnter(tokens)) await gate.enter(tokens, signal);
    entered.push({ name, at: clock.now() - start });
  }
  return { gate, clock, entered, enter };
}

test("a gate lets everyone in at once when nothing limits it", async () => {
  const { entered, enter } = createGate({});
  await Promise.all([enter(0), enter(1), enter(2)]);
  expect(entered.map(({ at }) => at)).toEqual([0, 0, 0]);
});

test("a gate spaces calls by the requests per minute, first come first served", async () => {
  const { clock, entered, enter } = createGate({ requestsPerMinute: 60 });
  for (let name = 0; name < 5; name += 1) void enter(name);
  await clock.advance(10);
  expect(entered.map(({ name }) => name)).toEqual([0, 1, 2, 3, 4]);
  entered.forEach(({ at }, i) => expect(at).toBeCloseTo(i, 6));
});

test("a gate holds tokens per minute on average, and lets a call larger than the bucket through", async () => {
  const { gate, clock, entered, enter } = createGate({ tokensPerMinute: 60_000 });
  for (let name = 0; name < 4; name += 1) void enter(name, 3000);
  await clock.advance(60);
  expect(entered.map(({ name }) => name)).toEqual([0, 1, 2, 3]);
  // The first leaves a debt of 2,000 tokens: 2 s; each further one of 3,000: 3 s.
  entered.forEach(({ at }, i) => expect(at).toBeCloseTo(i === 0 ? 0 : 2 + 3 * (i - 1), 2));
  expect(gate.load).toBe(4);
});

test("a gate gives tokens back that a call reserved and did not use", async () => {
  const { gate, clock, entered, enter } = createGate({ tokensPerMinute: 60_000 });
  await enter(0, 10_000);
  void enter(1, 10);
  await clock.advance(0.5);
  expect(entered).toHaveLength(1);
  gate.leave(10_000, 200);
  await clock.advance(0.1);
  expect(entered).toHaveLength(2);
});

test("a gate keeps to its number in flight", async () => {
  const { gate, clock, entered, enter } = createGate({ maxConcurrency: 2 });
  for (let name = 0; name < 4; name += 1) void enter(name);
  await clock.advance(0);
  expect(entered).toHaveLength(2);
  gate.leave(0, undefined);
  await clock.advance(0);
  expect(entered.map(({ name }) => name)).toEqual([0, 1, 2]);
});

test("an aborted call leaves the line without using up anything", async () => {
  const { gate, clock, entered, enter } = createGate({ requestsPerMinute: 60 });
  const controller = new AbortController();
  await enter(0);
  const aborted = enter(1, 0, controller.signal);
  void enter(2);
  controller.abort(new Error("stop"));
  await expect(aborted).rejects.toThrow("stop");
  await clock.advance(1);
  expect(entered.map(({ name, at }) => [name, Math.round(at)])).toEqual([
    [0, 0],
    [2, 1],
  ]);
  expect(gate.load).toBe(2);
});

test("a paused gate lets nobody in until the pause is over", async () => {
  const { gate, clock, entered, enter } = createGate({});
  gate.pause(20);
  expect(gate.isPaused).toBe(true);
  void enter(0);
  await clock.advance(19);
  expect(entered).toEqual([]);
  await clock.advance(1);
  expect(entered).toHaveLength(1);
  expect(gate.isPaused).toBe(false);
});

test("a gate halves what is in flight once for each round of refusals and grows back by successes", async () => {
  const { gate, clock, entered, enter } = createGate({ maxConcurrency: 8 });
  const startedAt = clock.now();
  for (let name = 0; name < 8; name += 1) await enter(name);
  await clock.advance(1);
  for (let i = 0; i < 8; i += 1) {
    gate.shrink(startedAt); // all eight were refused: one round
    gate.leave(0, undefined);
  }
  for (let name = 8; name < 20; name += 1) void enter(name);
  await clock.advance(0);
  expect(entered).toHaveLength(8 + 4);
  for (let i = 0; i < 200; i += 1) gate.grow();
  gate.leave(0, undefined);
  await clock.advance(0);
  expect(gate.load).toBe(11);
  expect(entered).toHaveLength(8 + 4 + 5);
});

test("no minute sees more calls than the limit and one second's worth allow", async () => {
  const limits = fc.record({ perMinute: fc.integer({ min: 1, max: 600 }), count: fc.integer({ min: 1, max: 60 }) });
  await fc.assert(
    fc.asyncProperty(limits, async ({ perMinute, count }) => {
      const { clock, entered, enter } = createGate({ requestsPerMinute: perMinute });
      for (let name = 0; name < count; name += 1) void enter(name);
      await clock.advance((count / perMinute) * 60 + 1);
      expect(entered).toHaveLength(count);
      for (const { at } of entered) {
        const inMinute = entered.filter((other) => other.at >= at && other.at < at + 60).length;
        expect(inMinute).toBeLessThanOrEqual(perMinute + Math.max(1, Math.ceil(perMinute / 60)));
      }
    }),
    { numRuns: 20 },
  );
});
