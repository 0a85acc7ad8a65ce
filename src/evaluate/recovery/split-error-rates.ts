// internal
import type { ErrorPool, ErrorRateSplit, Estimate, Task, VisitedState } from "../../core/index.js";
import { estimateCells, meanOf, type PoolFigureOptions, type TaskCells } from "./estimate-cells.js";
import { getErrorShare, type StepScores } from "./score-steps.js";

/** The error shares of both policies in one visited state. */
interface StateRates {
  readonly a: number;
  readonly b: number;
}

/** [task] the states each of the two visited, with both policies' rates there. */
interface TaskStates {
  readonly task: Task;
  readonly ofA: readonly StateRates[];
  readonly ofB: readonly StateRates[];
}

function groupStates(visited: readonly VisitedState[], scores: StepScores, a: string, b: string): TaskStates[] {
  const groups = new Map<string, { task: Task; ofA: StateRates[]; ofB: StateRates[] }>();
  for (const { id, producer, task } of visited) {
    if (producer !== a && producer !== b) continue;
    const rateA = getErrorShare(scores.byPolicy.get(a)?.get(id));
    const rateB = getErrorShare(scores.byPolicy.get(b)?.get(id));
    if (rateA === undefined || rateB === undefined) continue;
    const group = groups.get(task.hash) ?? { task, ofA: [], ofB: [] };
    groups.set(task.hash, group);
    (producer === a ? group.ofA : group.ofB).push({ a: rateA, b: rateB });
  }
  return [...groups.values()].filter(({ ofA, ofB }) => ofA.length > 0 && ofB.length > 0);
}

/** Returns the five figures of one task; every sum over states is a mean, as states of a policy weigh the same. */
function splitTask({ task, ofA, ofB }: TaskStates): TaskCells {
  const mean = (states: readonly StateRates[], read: (state: StateRates) => number): number =>
    meanOf(states.map(read)) ?? 0;
  const rateA = mean(ofA, ({ a }) => a);
  const rateB = mean(ofB, ({ b }) => b);
  const policyPart = (mean(ofA, ({ a, b }) => b - a) + mean(ofB, ({ a, b }) => b - a)) / 2;
  const stateMixPart = (mean(ofB, ({ a, b }) => a + b) - mean(ofA, ({ a, b }) => a + b)) / 2;
  return { task, values: [rateA, rateB, rateB - rateA, policyPart, stateMixPart] };
}

/**
 * Returns the split of the difference of two producers' error rates per turn into the part of their choices and the
 * part of the states they visit: sum over states of (rhoA + rhoB)/2 x (eB - eA), and of (eA + eB)/2 x (rhoB - rhoA), with
 * rho estimated by each one's random visited states and e by the draws of both there (Kitagawa 1955, Oaxaca 1973).
 * `undefined` when they share no task in which both have such states.
 */
export function splitErrorRates(
  pool: ErrorPool,
  scores: StepScores,
  [a, b]: readonly [string, string],
  options: PoolFigureOptions,
): ErrorRateSplit | undefined {
  const groups = groupStates(pool.visited, scores, a, b);
  if (groups.length === 0) return undefined;
  const [rateA, rateB, difference, policyPart, stateMixPart] = estimateCells(groups.map(splitTask), [-1, 1], options);
  const findLogged = (id: string): number | undefined =>
    pool.card.producers.find((producer) => producer.id === id)?.errorRate;
  const [loggedA, loggedB] = [findLogged(a), findLogged(b)];
  // Rounding aside the parts sum to the difference; taking one as the rest makes it so to the last digit.
  const rest: Estimate = { ...stateMixPart, value: difference.value - policyPart.value };
  return {
    a,
    b,
    taskCount: groups.length,
    statesA: groups.reduce((sum, { ofA }) => sum + ofA.length, 0),
    statesB: groups.reduce((sum, { ofB }) => sum + ofB.length, 0),
    rateA,
    rateB,
    ...(loggedA === undefined ? {} : { loggedA }),
    ...(loggedB === undefined ? {} : { loggedB }),
    difference,
    policyPart,
    stateMixPart: rest,
  };
}
