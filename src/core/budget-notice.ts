/** A number of turns that a text tells, as {@linkcode renderDisclosure} words it. */
export interface BudgetNotice {
  /** All turns of the episode, or those left, the coming one included. */
  readonly kind: "all" | "left";
  readonly turns: number;
}

/**
 * Returns the turn budgets that a text tells, in order: the inverse of {@linkcode renderDisclosure}, also inside a longer
 * prompt. A text of another wording tells none.
 *
 * @example
 * findBudgetNotices("Question: ... You have 8 turns in all."); // [{ kind: "all", turns: 8 }]
 */
export function findBudgetNotices(text: string): BudgetNotice[] {
  const pattern = /You have (\d+) turns? in all\.|Turns left, this one included: (-?\d+)\./g;
  return [...text.matchAll(pattern)].map(([, all, left]) =>
    all === undefined ? { kind: "left", turns: Number(left) } : { kind: "all", turns: Number(all) },
  );
}
