// internal
import {
  writeCount,
  type RecoveryDifference,
  type RecoveryResult,
  type StepDifference,
  type StepEvaluation,
} from "../core/index.js";
import type { HasClaim } from "./answer.js";
import type { Sentence } from "./report.js";

function writeBand(id: string, hasClaim: HasClaim): Sentence {
  if (hasClaim(`${id}.band`)) return [" (band ", { claim: `${id}.band` }, ")"];
  return hasClaim(`${id}.interval`) ? [" (interval ", { claim: `${id}.interval` }, ")"] : [];
}

function turnsLeft(count: number): string {
  return `${count} ${count === 1 ? "turn" : "turns"} left`;
}

/** Says who recovers better beyond being better anyway, at the largest b. */
function writePair(row: RecoveryDifference, index: number, result: RecoveryResult, hasClaim: HasClaim): Sentence[] {
  const { a, b, maxTurns, verdict } = row;
  const id = `rec.diff.${index}`;
  if (verdict === undefined) {
    const numbers: Sentence = [{ claim: `${id}.error` }, ...writeBand(`${id}.error`, hasClaim)];
    return [
      [
        `After the same errors, with ${turnsLeft(maxTurns)}, success of ${b} differs from that of ${a} by `,
        ...numbers,
        "; without a control this cannot be told from being better or worse anyway.",
      ],
    ];
  }
  // The difference beyond the control can be due to the control alone: then nobody recovers better or worse.
  const isLower = row.error.value <= 0;
  const head: { readonly [word in typeof verdict]: string } = {
    gain: isLower
      ? `An error costs ${b} less than ${a}, but only as ${b} succeeds less often without one: it does not recover better`
      : `${b} recovers from errors better than ${a}, beyond being better anyway`,
    loss: isLower
      ? `${b} recovers from errors worse than ${a}, given how good each is anyway`
      : `An error costs ${b} more than ${a}, but only as ${b} succeeds more often without one: it does not recover worse`,
    equivalent: `An error costs ${b} and ${a} the same within the margin`,
    undecided: `These episodes do not decide whether ${b} or ${a} recovers better, given how good each is anyway`,
  };
  const numbers: Sentence = [
    `: with ${turnsLeft(maxTurns)}, success of ${b} differs by `,
    { claim: `${id}.error` },
    " after an error and by ",
    { claim: `${id}.clean` },
    " after the best action in its place, which leaves ",
    { claim: `${id}.beyondControl` },
    ...writeBand(`${id}.beyondControl`, hasClaim),
    ".",
  ];
  return [[head[verdict], ...numbers], ...writeReturn(row, id, result, hasClaim)];
}

/** Says who finds the way back more often, where the env knows distances. */
function writeReturn(
  { a, b, maxTurns, returnedVerdict }: RecoveryDifference,
  id: string,
  { contexts }: RecoveryResult,
  hasClaim: HasClaim,
): Sentence[] {
  if (returnedVerdict === undefined || contexts.length === 0) return [];
  const words: { readonly [word in typeof returnedVerdict]: string } = {
    gain: `${b} is back where it was before the error more often than ${a}`,
    loss: `${b} is back where it was before the error less often than ${a}`,
    equivalent: `${b} and ${a} are back where they were before the error equally often within the margin`,
    undecided: `Whether ${b} or ${a} is back where it was more often is undecided`,
  };
  return [
    [
      `${words[returnedVerdict]} within ${writeCount(maxTurns, "turn")}: `,
      { claim: `${id}.returned` },
      ...writeBand(`${id}.returned`, hasClaim),
      ".",
    ],
  ];
}

/** Returns the sentences about a recovery evaluation, the headline first. */
export function answerRecovery(result: RecoveryResult, hasClaim: HasClaim): Sentence[] {
  const largest = Math.max(...result.budgets);
  const pairs = result.differences.flatMap((row, index) =>
    row.maxTurns === largest ? writePair(row, index, result, hasClaim) : [],
  );
  const costs = result.cells.flatMap((cell, index): Sentence[] => {
    if (cell.maxTurns !== largest || cell.context !== result.contexts[0]) return [];
    const id = `rec.cell.${index}`;
    const tail: Sentence =
      cell.clean === undefined
        ? []
        : [
            " and in ",
            { claim: `${id}.clean` },
            " after the best action in its place: an error costs ",
            { claim: `${id}.cost` },
            ...writeBand(`${id}.cost`, hasClaim),
          ];
    return [
      [
        `With ${turnsLeft(largest)}, ${cell.policy} succeeds in `,
        { claim: `${id}.error` },
        " of its attempts after an error",
        ...tail,
        ".",
      ],
    ];
  });
  return [...pairs, ...costs];
}

function writeProgress({ a, b, verdict }: StepDifference, index: number, hasClaim: HasClaim): Sentence {
  const words: { readonly [word in typeof verdict]: string } = {
    gain: `In the states just before known errors ${b} decides better than ${a}`,
    loss: `In the states just before known errors ${b} decides worse than ${a}`,
    equivalent: `In the states just before known errors ${b} and ${a} decide equally well within the margin`,
    undecided: `These draws do not decide whether ${b} or ${a} decides better in the states just before known errors`,
  };
  const id = `step.diff.${index}`;
  return [
    `${words[verdict]}: the share of next actions that are no error differs by `,
    { claim: id },
    ...writeBand(id, hasClaim),
    ".",
  ];
}

/** Returns the sentences about a step evaluation, the headline first. */
export function answerSteps(result: StepEvaluation, hasClaim: HasClaim): Sentence[] {
  const progress = result.differences.flatMap((row, index) =>
    row.measure === "progress" ? [writeProgress(row, index, hasClaim)] : [],
  );
  const splits = result.splits.map(({ a, b }, index): Sentence => {
    const id = `step.split.${index}`;
    return [
      `Over all turns the error rate of ${b} differs from that of ${a} by `,
      { claim: `${id}.difference` },
      ...writeBand(`${id}.difference`, hasClaim),
      ": ",
      { claim: `${id}.policyPart` },
      " by other choices in the same states, ",
      { claim: `${id}.stateMixPart` },
      " by being in other states.",
    ];
  });
  // Without an action there is no progress to compare; that a policy only quits is then the answer.
  const quits = result.rows.flatMap((row, index): Sentence[] => {
    if (row.progress !== undefined || row.quit.value < 1) return [];
    const id = `step.row.${index}.quit`;
    return [
      [
        `In the states just before known errors ${row.policy} never acts: it quits in `,
        { claim: id },
        ...writeBand(id, hasClaim),
        " of its draws, so how well it decides is not known.",
      ],
    ];
  });
  const single = result.rows.flatMap((row, index): Sentence[] => {
    if (result.policies.length > 1 || row.progress === undefined) return [];
    const id = `step.row.${index}.progress`;
    return [
      [
        `In the states just before known errors the next action of ${row.policy} is no error in `,
        { claim: id },
        ...writeBand(id, hasClaim),
        " of its draws.",
      ],
    ];
  });
  return [...progress, ...quits, ...single, ...splits];
}
