import fc from "fast-check";
import { expect, test } from "vitest";
import { addProcessSignal, shapeByPotential } from "./potential-shaping.js";
import { SignalOutcomeLog } from "./signal-outcome-log.js";

test("shapeByPotential() telescopes to minus the potential of the start, whatever happened in between", () => {
  const potentials = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 2, maxLength: 10 });
  fc.assert(
    fc.property(potentials, fc.double({ min: 0, max: 1, noNaN: true }), (list, gamma) => {
      const sum = shapeByPotential(list, { gamma }).reduce((total, reward, turn) => total + gamma ** turn * reward, 0);
      expect(sum).toBeCloseTo(-list[0], 9);
    }),
  );
});

test("shapeByPotential() keeps the potential of a state the episode was cut at", () => {
  expect(shapeByPotential([-2, -1, -1], { gamma: 1 })).toEqual([1, 1]);
  expect(shapeByPotential([-2, -1, -1], { gamma: 1, isCut: true })).toEqual([1, 0]);
  expect(() => shapeByPotential([-Infinity, 0], { gamma: 1 })).toThrow("2 finite ones");
});

test("addProcessSignal() adds nothing for a turn whose signal is unknown", () => {
  expect(addProcessSignal([0, 0, 1], [1, undefined, 2], 0.1)).toEqual([0.1, 0, 1.2]);
  expect(() => addProcessSignal([0], [], 1)).toThrow("0 signals to 1 rewards");
});

const episodes = (signal: number, solved: number, count = 10) =>
  Array.from({ length: count }, (_, i) => ({ signal: signal + (i % 2) * 0.1, success: i < solved }));

test("SignalOutcomeLog raises no alert while signal and success rise together", () => {
  const log = new SignalOutcomeLog("format");
  const alerts = Array.from({ length: 20 }, (_, i) => log.add(i, episodes(i * 0.1, Math.floor(i / 2)))).flat();
  expect(alerts.filter(({ kind }) => kind === "farming")).toEqual([]);
  expect(log.entries).toHaveLength(20);
});

test("SignalOutcomeLog finds a format reward that is farmed while the outcome stays", () => {
  const log = new SignalOutcomeLog("format");
  const alerts = Array.from({ length: 20 }, (_, i) => log.add(i, episodes(i * 0.1, 0))).flat();
  expect(alerts[0]).toMatchObject({ kind: "farming", updateIndex: 9 });
  expect(alerts[0].message).toContain("the signal is collected in place of the outcome");
});

test("SignalOutcomeLog finds a signal that failures have more of", () => {
  const log = new SignalOutcomeLog("steps");
  const mixed = [1, 2, 3, 4].map((signal) => ({ signal, success: signal < 3 }));
  expect(log.add(0, mixed)).toMatchObject([{ kind: "inverted" }]);
  expect(log.entries[0].correlation).toBeCloseTo(-0.894, 3);
  expect(log.add(1, [{ signal: 1, success: true }])).toEqual([]);
});
