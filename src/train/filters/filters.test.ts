import fc from "fast-check";
import { expect, test } from "vitest";
import { distinctRolloutShare, findLeakedCanaries, findRepeats } from "./duplicates.js";
import { sampleMixedGroups } from "./mixed-groups.js";
import { filterByVariance } from "./variance-filter.js";
import { curriculumFilter, replayFilter } from "./webrl-filters.js";

const outcomes = (text: string) => ({ successes: Array.from(text, (digit) => digit === "1"), text });
const rounds = (lists: readonly (readonly string[])[]) => (_: number, round: number) =>
  (lists[round] ?? []).map(outcomes);

test("sampleMixedGroups() returns exactly what was wanted and counts what it threw away", async () => {
  const result = await sampleMixedGroups(
    2,
    rounds([
      ["00", "11", "01"],
      ["10", "00", "01"],
    ]),
    {
      roundSize: 3,
      maxRounds: 10,
    },
  );
  expect(result.type).toBe("filled");
  expect(result.groups.map(({ text }) => text)).toEqual(["01", "10"]);
  expect(result.counts).toEqual({ rounds: 2, drawn: 6, allFailed: 2, allSolved: 1, surplus: 1 });
});

test("sampleMixedGroups() gives up with a reason when rounds or groups run out", async () => {
  const hopeless = await sampleMixedGroups(1, () => [outcomes("00")], { roundSize: 1, maxRounds: 10 });
  expect(hopeless).toMatchObject({ type: "too_few", reason: "max_rounds", groups: [], counts: { rounds: 10 } });
  const empty = await sampleMixedGroups(2, rounds([["01"]]), { roundSize: 1, maxRounds: 10 });
  expect(empty).toMatchObject({ type: "too_few", reason: "no_more_groups", wanted: 2, counts: { rounds: 2 } });
});

test("sampleMixedGroups() holds mixed groups only, as many as wanted or a failure", async () => {
  const batch = fc.array(fc.stringMatching(/^[01]{2,4}$/), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { maxLength: 6 }), fc.integer({ min: 1, max: 5 }), async (lists, wanted) => {
      const result = await sampleMixedGroups(wanted, rounds(lists), { roundSize: 6, maxRounds: 4 });
      expect(result.groups.length === wanted).toBe(result.type === "filled");
      for (const { text } of result.groups) expect(new Set(text).size).toBe(2);
    }),
  );
});

test("filterByVariance() keeps what spreads most, the first of equals, and at least one", () => {
  expect(
    filterByVariance(
      [
        [1, 1],
        [0, 1],
        [0, 0],
        [0, 0.5],
      ],
      0.5,
    ).kept,
  ).toEqual([1, 3]);
  expect(
    filterByVariance(
      [
        [0, 1],
        [1, 0],
        [0, 1],
        [1, 0],
      ],
      0.5,
    ).kept,
  ).toEqual([0, 1]);
  expect(
    filterByVariance(
      [
        [0, 0],
        [0, 1],
        [1, 1],
      ],
      0.25,
    ).kept,
  ).toEqual([1]);
  expect(filterByVariance([[0, 1]], 0.25)).toMatchObject({ kept: [0], hasSignal: true });
});

test("filterByVariance() says that a batch without spread must not be trained on", () => {
  expect(
    filterByVariance(
      [
        [0.1, 0.1, 0.1],
        [1, 1],
      ],
      0.5,
    ),
  ).toEqual({ kept: [0], spreads: [0, 0], hasSignal: false });
});

test("filterByVariance() does not lose a group to rounding of the share", () => {
  const groups = Array.from({ length: 10 }, (_, i) => [0, i]);
  expect(filterByVariance(groups, 0.3).kept).toEqual([7, 8, 9]);
});

test("replayFilter() takes one success a task and the turns in between", () => {
  const turn = (confidence: number) => [Math.log(confidence), Math.log(confidence)];
  const successes = [
    { taskId: "a", logProbs: [turn(0.5), turn(0.501), turn(0.949), turn(0.96)] },
    { taskId: "a", logProbs: [turn(0.7)] },
    { taskId: "b", logProbs: [turn(0.7), []] },
  ];
  expect(replayFilter(successes, { newTurns: 10 }).map(({ taskId, turnIndex }) => `${taskId}${turnIndex}`)).toEqual([
    "a1",
    "a2",
    "b0",
  ]);
  expect(replayFilter(successes, { newTurns: 1 })).toHaveLength(2);
});

test("curriculumFilter() keeps tasks that some head finds neither hopeless nor easy", () => {
  expect([[0.05, 0.9], [0.75], [0.04, 0.76], []].map((heads) => curriculumFilter(heads))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("findRepeats(), distinctRolloutShare() and findLeakedCanaries() find what must not be there", () => {
  expect(findRepeats([3, 1, 3, 3, 1])).toEqual([3, 1]);
  expect(distinctRolloutShare(["a", "a", [1], [1]])).toBe(0.5);
  expect(findLeakedCanaries(["open the door", "GOLD-7f"], ["gold-7F"])).toEqual([
    { promptIndex: 1, canary: "gold-7F" },
  ]);
  expect(() => findLeakedCanaries(["x"], [""])).toThrow("empty canary");
});
