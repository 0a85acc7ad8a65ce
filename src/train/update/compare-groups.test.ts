import { expect, test } from "vitest";
import { compareGroups } from "./compare-groups.js";

const play = (group: string, ...returns: readonly number[]) =>
  returns.map((episodeReturn) => ({ group, maxTurns: 4, episodeReturn }));

test("compareGroups() counts groups of equal returns and calls no group of one flat", () => {
  const alone = [...play("a", 1), ...play("b", 0)];
  expect(compareGroups([...alone, ...play("c", 1, 1), ...play("d", 1, 0, 1, 0)])).toEqual({
    comparedGroups: 2,
    flatGroups: 1,
    groupStd: Math.sqrt(1 / 3) / 2,
  });
  expect(compareGroups(alone)).toEqual({ comparedGroups: 0, flatGroups: 0 });
});
