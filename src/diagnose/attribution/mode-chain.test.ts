import fc from "fast-check";
import { expect, test } from "vitest";
import { chainGradient, closedFormValue, createModeChain, runChain, type ChainRates } from "./mode-chain.js";
import { attributionCells, splitGap } from "./shapley.js";

const a: ChainRates = {
  clean: { quit: 0.02, solved: 0.15, clean: 0.45, error: 0.4 },
  error: { quit: 0.3, solved: 0.02, clean: 0.18, error: 0.8 },
};
const b: ChainRates = {
  clean: { quit: 0.01, solved: 0.13, clean: 0.45, error: 0.42 },
  error: { quit: 0.05, solved: 0.05, clean: 0.4, error: 0.55 },
};

function computeCells(maxTurns: number): number[] {
  const chains = [createModeChain(a, maxTurns), createModeChain(b, maxTurns)];
  return attributionCells.map((_name, cell) => {
    const blocks = {
      decision: chains[(cell >> 2) & 1],
      recovery: chains[(cell >> 1) & 1],
      persistence: chains[cell & 1],
    };
    return runChain(blocks, maxTurns).values[maxTurns - 1];
  });
}

// Locked: the golden example of the specification of budgeted mode-chain attribution.
test.each([
  [1, 0.147, 0.1287, -0.0197, 0, 0.0014],
  [2, 0.217315, 0.205786, -0.02785, 0.010016, 0.006306],
  [3, 0.258658, 0.270783, -0.032437, 0.027786, 0.016777],
  [4, 0.28615, 0.327936, -0.035412, 0.045523, 0.031675],
  [8, 0.336957, 0.497137, -0.040278, 0.092382, 0.108075],
  [16, 0.355342, 0.662893, -0.039497, 0.11899, 0.228058],
  [32, 0.356955, 0.747134, -0.035209, 0.116194, 0.309194],
])("the golden example splits into its shares at T=%i", (maxTurns, valueA, valueB, decision, recovery, persistence) => {
  const cells = computeCells(maxTurns);
  const split = splitGap(cells);
  expect(cells[0]).toBeCloseTo(valueA, 6);
  expect(cells[7]).toBeCloseTo(valueB, 6);
  expect(split.decision).toBeCloseTo(decision, 6);
  expect(split.recovery).toBeCloseTo(recovery, 6);
  expect(split.persistence).toBeCloseTo(persistence, 6);
});

test("the golden example has its eight cells at T=8", () => {
  const golden = [0.336957, 0.423829, 0.407332, 0.539706, 0.299007, 0.382712, 0.367824, 0.497137];
  for (const [cell, value] of computeCells(8).entries()) expect(value).toBeCloseTo(golden[cell], 6);
});

test("chainGradient() has the golden derivatives of V_A(8)", () => {
  const golden = [-0.691731, 2.084201, 0.630473, 0.203884, 0, -0.22018, 1.216363, 0.317925, 0.090715, 0];
  for (const [index, value] of chainGradient(createModeChain(a, 8), 8).entries())
    expect(value).toBeCloseTo(golden[index], 6);
});

test("closedFormValue() has the golden limits and the value of the recursion at every T", () => {
  expect(closedFormValue(a, Infinity)).toBeCloseTo(0.356966, 6);
  expect(closedFormValue(b, Infinity)).toBeCloseTo(0.76056, 6);
  const { values } = runChain(
    { decision: createModeChain(b, 12), recovery: createModeChain(b, 12), persistence: createModeChain(b, 12) },
    12,
  );
  for (const [t, value] of values.entries()) expect(closedFormValue(b, t + 1)).toBeCloseTo(value, 12);
});

test("closedFormValue() refuses a chain that never leaves", () => {
  const stuck = { quit: 0, solved: 0, clean: 1, error: 0 };
  expect(() => closedFormValue({ clean: stuck, error: { quit: 0, solved: 0, clean: 0, error: 1 } }, Infinity)).toThrow(
    "never leaves",
  );
});

test("createModeChain() refuses outcomes that do not sum to 1", () => {
  expect(() => createModeChain({ ...a, clean: { ...a.clean, solved: 0.3 } }, 4)).toThrow('mode "clean"');
});

test("splitGap() gives shares that sum to the gap, and none to a block that changes nothing", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }), (cells) => {
      const { decision, recovery, persistence } = splitGap(cells);
      expect(decision + recovery + persistence).toBeCloseTo(cells[7] - cells[0], 12);
      const unchanged = splitGap(cells.map((_value, cell) => cells[cell & 3])); // decision has no effect
      expect(unchanged.decision).toBeCloseTo(0, 12);
    }),
  );
});

test("chainGradient() agrees with differences of V", () => {
  const chain = createModeChain({ ...b, clean: { quit: 0.05, solved: 0.2, clean: 0.3, error: 0.4, wrong: 0.1 } }, 6);
  const valueOf = (changed: Float64Array): number =>
    runChain({ decision: changed, recovery: changed, persistence: changed }, 6).values[5];
  for (const [index, slope] of chainGradient(chain, 6).entries()) {
    const shift = (by: number): Float64Array => chain.map((rate, at) => (at % 10 === index ? rate + by : rate));
    expect((valueOf(shift(1e-6)) - valueOf(shift(-1e-6))) / 2e-6).toBeCloseTo(slope, 6);
  }
});
