/** What running a program against its tests came to, in the order of CodeRL's critic classes 0 to 3. */
export type UnitTestOutcome = "compile_error" | "runtime_error" | "failed_tests" | "passed";
/** The critic's classes: the position is the class. */
export const unitTestOutcomes: readonly UnitTestOutcome[] = [
  "compile_error",
  "runtime_error",
  "failed_tests",
  "passed",
];

/**
 * Returns CodeRL's return of an outcome (arXiv 2207.01780, eq. 2): -1, -.6, -.3 or 1.
 */
export function unitTestReward(outcome: UnitTestOutcome): number {
  switch (outcome) {
    case "compile_error":
      return -1;
    case "runtime_error":
      return -0.6;
    case "failed_tests":
      return -0.3;
    case "passed":
      return 1;
    default:
      return outcome satisfies never;
  }
}

/**
 * Returns each token's weight in CodeRL's policy loss: the critic's probability of the realised class at that token
 * times (return - return of the greedy baseline program). 0 where the token was not sampled, whatever the critic says
 * there. Used as the advantage of the token. Shape [token].
 *
 * @param criticLogits [token][class] in the order of {@linkcode unitTestOutcomes}.
 */
export function criticWeightedReturn(
  actionMask: readonly boolean[],
  criticLogits: readonly (readonly number[])[],
  outcome: UnitTestOutcome,
  baseline: UnitTestOutcome,
): number[] {
  const gain = unitTestReward(outcome) - unitTestReward(baseline);
  const realised = unitTestOutcomes.indexOf(outcome);
  return actionMask.map((isSampled, i) => {
    if (!isSampled) return 0;
    const highest = Math.max(...criticLogits[i]);
    const parts = criticLogits[i].map((logit) => Math.exp(logit - highest));
    return (gain * parts[realised]) / parts.reduce((sum, part) => sum + part, 0);
  });
}
