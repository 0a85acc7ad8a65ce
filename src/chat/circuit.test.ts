import { expect, test } from "vitest";
import { createManualClock } from "../../test/mock-server/manual-clock.js";
import { Circuit } from "./circuit.js";
import type { CircuitConfig } from "./settings.js";

function createCircuit(config: CircuitConfig = {}) {
  const clock = createManualClock();
  const events: string[] = [];
  const circuit = new Circuit(config, clock, new AbortController().signal, {
    opened: (seconds, errorClass) => events.push(`opened ${seconds} ${errorClass}`),
    closed: (outageSeconds) => events.push(`closed ${outageSeconds}`),
    changed: () => events.push("changed"),
  });
  function fail(count: number): void {
    for (let i = 0; i < count; i += 1) circuit.fail(false, "server_error");
  }
  return { circuit, clock, events, fail };
}

test("a circuit opens after failures in a row and not before", () => {
  const { circuit, fail, events } = createCircuit({ failureThreshold: 3 });
  fail(2);
  circuit.succeed();
  fail(2);
  expect(circuit.isClosed).toBe(true);
  fail(1);
  expect(circuit.isClosed).toBe(false);
  expect(circuit.isEnterable).toBe(false);
  expect(events).toEqual(["opened 5 server_error"]);
});

test("an open circuit lets one probe in after its time, whose success closes it", async () => {
  const { circuit, clock, fail, events } = createCircuit({ failureThreshold: 1 });
  fail(1);
  await clock.advance(4);
  expect(circuit.isEnterable).toBe(false);
  await clock.advance(1);
  expect(circuit.isEnterable).toBe(true);
  expect(circuit.enter()).toBe(true);
  expect(circuit.isEnterable).toBe(false);
  circuit.succeed();
  expect(circuit.isClosed).toBe(true);
  expect(circuit.enter()).toBe(false);
  expect(events).toEqual(["opened 5 server_error", "changed", "closed 5", "changed"]);
});

test("a failed probe opens the circuit for twice as long, up to the maximum", async () => {
  const { circuit, clock, fail, events } = createCircuit({ failureThreshold: 1, openSeconds: 10, maxOpenSeconds: 30 });
  fail(1);
  for (const seconds of [10, 20, 30]) {
    await clock.advance(seconds);
    expect(circuit.enter()).toBe(true);
    circuit.fail(true, "timeout");
  }
  expect(events.filter((event) => event.startsWith("opened"))).toEqual([
    "opened 10 server_error",
    "opened 20 timeout",
    "opened 30 timeout",
    "opened 30 timeout",
  ]);
});

test("late failures of calls sent before the outage do not prolong it", async () => {
  const { circuit, clock, fail } = createCircuit({ failureThreshold: 1 });
  fail(50);
  await clock.advance(5);
  expect(circuit.isEnterable).toBe(true);
});

test("a late success of a call sent before the outage closes the circuit", () => {
  const { circuit, fail } = createCircuit({ failureThreshold: 1 });
  fail(1);
  circuit.succeed();
  expect(circuit.isClosed).toBe(true);
});

test("a probe that is given up leaves the question to the next call", async () => {
  const { circuit, clock, fail } = createCircuit({ failureThreshold: 1 });
  fail(1);
  await clock.advance(5);
  circuit.enter();
  circuit.cancelProbe();
  expect(circuit.isEnterable).toBe(true);
});

test("patience counts from the beginning of the outage, over failed probes, and anew after it", async () => {
  const { circuit, clock, fail, events } = createCircuit({
    failureThreshold: 1,
    openSeconds: 60,
    patienceSeconds: 100,
  });
  fail(1);
  await clock.advance(60);
  circuit.enter();
  circuit.fail(true, "timeout");
  await clock.advance(39);
  expect(circuit.isGivenUp).toBe(false);
  const before = events.length;
  await clock.advance(1);
  expect(circuit.isGivenUp).toBe(true);
  expect(events.slice(before)).toEqual(["changed"]);
  circuit.succeed();
  fail(1);
  expect(circuit.isGivenUp).toBe(false);
});
