import fc from "fast-check";
import { expect, test } from "vitest";
import { findBudgetNotices } from "./budget-notice.js";
import { renderDisclosure } from "./budget.js";

test("findBudgetNotices() reads back what renderDisclosure() writes, wherever it stands", () => {
  const turns = fc.integer({ min: 1, max: 99 });
  fc.assert(
    fc.property(turns, fc.nat({ max: 98 }), fc.boolean(), (maxTurns, index, isCountdown) => {
      const turnIndex = index % maxTurns;
      const notice = renderDisclosure(isCountdown ? "countdown" : "static", { maxTurns }, turnIndex) ?? "";
      const expected = isCountdown
        ? [{ kind: "left", turns: maxTurns - turnIndex }]
        : turnIndex === 0
          ? [{ kind: "all", turns: maxTurns }]
          : [];
      expect(findBudgetNotices(`Question: what?\n${notice}\nanswer`)).toEqual(expected);
    }),
  );
});

test("findBudgetNotices() returns all notices of a text in order, and none of another wording", () => {
  const text = "You have 2 turns in all. x Turns left, this one included: 2. y Turns left, this one included: 1.";
  expect(findBudgetNotices(text).map(({ turns }) => turns)).toEqual([2, 2, 1]);
  expect(findBudgetNotices("You get 3 tries.")).toEqual([]);
});
