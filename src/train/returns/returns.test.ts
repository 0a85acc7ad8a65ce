import fc from "fast-check";
import { expect, test } from "vitest";
import { discountRewards } from "./discounted-returns.js";
import { bilevelGae, estimateAdvantages, tokenGae, turnGae } from "./gae.js";
import { placeRewards } from "./token-rewards.js";
import { whitenAdvantages } from "./whiten.js";

const round = (list: readonly number[]) => list.map((value) => Math.round(value * 1e6) / 1e6 + 0);
const mask = (digits: string) => Array.from(digits, (digit) => digit === "1");

test("discountRewards() sums what comes later, discounted", () => {
  expect(round(discountRewards([0, 0, 1], 0.9))).toEqual([0.81, 0.9, 1]);
  expect(() => discountRewards([1], 1.5)).toThrow("gamma must be in [0, 1]: current gamma is 1.5");
});

const example = { rewards: [0, 0, 0, 0, 0, 1], values: [0.2, 0.3, 0.9, 0.9, 0.5, 0.6] };
const settings = { gamma: 0.9, lambda: 0.95 };

test("tokenGae() carries value and estimate across observations", () => {
  const { advantages, returns } = tokenGae(mask("110011"), example.rewards, example.values, settings);
  expect(round(advantages)).toEqual([0.477502, 0.47661, 0, 0, 0.382, 0.4]);
  expect(round(returns)).toEqual([0.677502, 0.77661, 0, 0, 0.882, 1]);
});

test("estimateAdvantages() over observations too is another number", () => {
  expect(round(estimateAdvantages(example.rewards, example.values, settings).slice(0, 2))).toEqual([
    0.363136, 0.342849,
  ]);
});

const steps = fc.array(
  fc.record({
    isSampled: fc.boolean(),
    reward: fc.double({ min: -1, max: 1, noNaN: true }),
    value: fc.double({ min: -1, max: 1, noNaN: true }),
  }),
  { maxLength: 20 },
);

test("tokenGae() is GAE of the sequence with observations cut out, whatever they hold", () => {
  fc.assert(
    fc.property(steps, fc.constantFrom(800, NaN, Infinity, -3), (list, poison) => {
      const kept = list.filter(({ isSampled }) => isSampled);
      const expected = estimateAdvantages(
        kept.map(({ reward }) => reward),
        kept.map(({ value }) => value),
        settings,
      );
      const { advantages } = tokenGae(
        list.map(({ isSampled }) => isSampled),
        list.map(({ isSampled, reward }) => (isSampled ? reward : 0)),
        list.map(({ isSampled, value }) => (isSampled ? value : poison)),
        settings,
      );
      expect(advantages.filter((_, i) => list[i].isSampled)).toEqual(expected);
    }),
  );
});

test("tokenGae() with lambda 1 is the return less the value", () => {
  const { returns } = tokenGae(mask("1011"), [0, 0, 0, 1], [5, 9, -2, 3], { gamma: 1, lambda: 1 });
  expect(round(returns)).toEqual([1, 0, 1, 1]);
});

test("tokenGae() refuses a reward that would be skipped", () => {
  expect(() => tokenGae(mask("10"), [0, 1], [0, 0], settings)).toThrow("a reward stands on token 1");
});

test("turnGae() gives the tokens of a turn one advantage, from the value at its first token", () => {
  const tokens = { actionMask: mask("0110011"), turnIndex: [-1, 0, 0, 0, 0, 1, 1] };
  const { advantages, returns } = turnGae(tokens, [0, 1], [9, 0.2, 9, 9, 9, 0.5, 9], settings);
  const last = 1 - 0.5;
  const first = 0.9 * 0.5 - 0.2 + 0.9 * 0.95 * last;
  expect(round(advantages)).toEqual(round([0, first, first, 0, 0, last, last]));
  expect(round(returns)).toEqual(round([0, first + 0.2, first + 0.2, 0, 0, 1, 1]));
});

const ragen = { actionMask: mask("1111111111"), turnIndex: [0, 0, 0, 0, 0, 1, 1, 1, 1, 1] };
const ragenValues = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
const bilevel = { gamma: 1, lambda: 1, turnGamma: 0.95 };

test("bilevelGae() gives the figures of RAGEN's example", () => {
  const { advantages, returns } = bilevelGae(ragen, [1, 1], ragenValues, bilevel);
  expect(round(advantages)).toEqual([1.85, 1.75, 1.65, 1.55, 1.45, 0.4, 0.3, 0.2, 0.1, 0]);
  expect(round(returns)).toEqual([1.95, 1.95, 1.95, 1.95, 1.95, 1, 1, 1, 1, 1]);
});

test("bilevelGae() skips observations between turns", () => {
  const tokens = { actionMask: mask("1111100011111"), turnIndex: [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1] };
  const values = [...ragenValues.slice(0, 5), NaN, 800, NaN, ...ragenValues.slice(5)];
  const { returns } = bilevelGae(tokens, [1, 1], values, bilevel);
  expect(round(returns)).toEqual([1.95, 1.95, 1.95, 1.95, 1.95, 0, 0, 0, 1, 1, 1, 1, 1]);
});

test("placeRewards() keeps the episode's return, wherever observations and padding stand", () => {
  const turns = fc.array(
    fc.record({ shown: fc.nat(3), drawn: fc.integer({ min: 1, max: 3 }), reward: fc.integer({ min: -5, max: 5 }) }),
    { minLength: 1, maxLength: 6 },
  );
  fc.assert(
    fc.property(turns, fc.nat(3), (list, padding) => {
      const columns = list.flatMap(({ shown, drawn }, turn) => [
        ...Array.from({ length: shown }, () => [false, turn - 1] as const),
        ...Array.from({ length: drawn }, () => [true, turn] as const),
      ]);
      for (let i = 0; i < padding; i += 1) columns.push([false, list.length - 1]);
      const actionMask = columns.map(([isSampled]) => isSampled);
      const rewards = placeRewards(
        { actionMask, turnIndex: columns.map(([, turn]) => turn) },
        list.map(({ reward }) => reward),
      );
      const total = list.reduce((sum, { reward }) => sum + reward, 0);
      expect(rewards.reduce((sum, reward, i) => sum + (actionMask[i] ? reward : 0), 0)).toBe(total);
      expect(rewards.reduce((sum, reward) => sum + reward, 0)).toBe(total);
    }),
  );
});

test("placeRewards() refuses a reward that no token can carry", () => {
  expect(() => placeRewards({ actionMask: [true], turnIndex: [0] }, [0, 1])).toThrow("the reward 1 of turn 1");
});

test("whitenAdvantages() looks at sampled tokens only, and makes equal ones exactly 0", () => {
  const whitened = whitenAdvantages([[1, NaN], [3]], [[true, false], [true]], { ddof: 0, epsilon: 0 });
  expect(whitened).toEqual([[-1, 0], [1]]);
  const [[low, high]] = whitenAdvantages([[1, 3]], [[true, true]], { ddof: 1, epsilon: 0.5, keepMean: true });
  expect([low, high]).toEqual([2 - 1 / (Math.SQRT2 + 0.5), 2 + 1 / (Math.SQRT2 + 0.5)]);
  expect(whitenAdvantages([[0.1, 0.1, 0.1]], [mask("111")], { ddof: 1, epsilon: 0 })).toEqual([[0, 0, 0]]);
  expect(whitenAdvantages([[0.7]], [[true]], { ddof: 1, epsilon: 0 })).toEqual([[0]]);
});
