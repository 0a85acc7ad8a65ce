import fc from "fast-check";
import { expect, test } from "vitest";
import { checkShaping } from "./shaping.js";

/** Pays gamma x after - before, with the end at 0. */
function shape(potentials: readonly number[], gamma: number): number[] {
  return potentials.slice(1).map((after, i) => gamma * after - potentials[i]);
}

test("checkShaping() passes every reward made from a potential that ends at 0", () => {
  const path = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.array(path, { minLength: 2, maxLength: 5 }), fc.constantFrom(1, 0.9), (paths, gamma) => {
      const episodes = paths.map((middle) => {
        const potentials = [-5, ...middle, 0];
        return { start: "s", rewards: shape(potentials, gamma), potentials };
      });
      expect(checkShaping("x", episodes, { gamma }).verdict).toBe("potential_based");
      const blind = episodes.map(({ start, rewards }) => ({ start, rewards }));
      expect(checkShaping("x", blind, { gamma })).toMatchObject({
        verdict: "potential_based",
        tasks: 1,
        unequalTasks: 0,
      });
    }),
  );
});

test.each([
  {
    name: "a turn that breaks the equation",
    episodes: [{ start: "s", rewards: [1, 1], potentials: [-2, -1, -1] }],
    says: "1 of 2 turns break",
  },
  {
    name: "an end that is open",
    episodes: [{ start: "s", rewards: [1], potentials: [-2, -1] }],
    says: "1 episodes end at a potential other than 0",
  },
  {
    name: "a bonus a turn",
    episodes: [
      { start: "s", rewards: [1, 1] },
      { start: "s", rewards: [1, 1, 1] },
    ],
    says: "sums from one start differ in 1 of 1 tasks",
  },
])("checkShaping() finds $name", ({ episodes, says }) => {
  const check = checkShaping("x", episodes);
  expect(check.verdict).toBe("not_potential_based");
  expect(check.reason).toContain(says);
});

test("checkShaping() says so where nothing can be checked", () => {
  expect(checkShaping("x", [{ start: "s", rewards: [1] }]).verdict).toBe("not_checked");
  expect(checkShaping("x", []).verdict).toBe("not_checked");
  expect(
    checkShaping("x", [
      { start: "s", rewards: [0] },
      { start: "s", rewards: [0, 0] },
    ]).reason,
  ).toBe("it is 0 in every turn");
});

test("checkShaping() takes a fall to minus infinity only with a reward of minus infinity", () => {
  const fall = { start: "s", potentials: [-2, -Infinity] };
  expect(checkShaping("x", [{ ...fall, rewards: [-Infinity] }])).toMatchObject({ broken: 0, openEnds: 1 });
  expect(checkShaping("x", [{ ...fall, rewards: [-1] }])).toMatchObject({ broken: 1 });
});
