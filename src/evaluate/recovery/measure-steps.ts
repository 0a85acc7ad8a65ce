import {
  inputError,
  warnFewVerdictTasks,
  stepMeasures,
  type Env,
  type ErrorPool,
  type ErrorPrefix,
  type Estimate,
  type StepDifference,
  type StepEvaluation,
  type StepMeasure,
  type StepRow,
  type Task,
  type Trajectory,
} from "../../core/index.js";
import {
  countUnits,
  estimateCells,
  estimateMean,
  judgeDifference,
  meanOf,
  widenByArms,
  type PoolFigureOptions,
  type TaskCells,
} from "./estimate-cells.js";
import { describeJudge } from "./pool-notes.js";
import { scoreSteps, type StateScore, type StepScores } from "./score-steps.js";
import { subtract } from "./recovery-context.js";
import { splitErrorRates } from "./split-error-rates.js";

/** How step figures are estimated. */
export interface MeasureStepsOptions {
  /** Policies in the order they are shown; the first one is the reference. */
  readonly policies: readonly string[];
  /** Draws asked for in each state. */
  readonly samples: number;
  /** Coverage of intervals; default .95. */
  readonly level?: number;
  /** Bootstrap resamples of tasks; default 2,000. */
  readonly replicates?: number;
  /** Seed of the resampling; default 1. */
  readonly seed?: number;
  /** Half-width of the region called equivalent; default .03. */
  readonly margin?: number;
}

/** How a state's score reads as each measure; `undefined` where the state says nothing about it. */
const readers: { readonly [measure in StepMeasure]: (score: StateScore) => number | undefined } = {
  progress: ({ judged, errors }) => (judged === 0 ? undefined : 1 - errors / judged),
  regret: ({ withRegret, regret }) => (withRegret === 0 ? undefined : regret / withRegret),
  valid: ({ acts, invalid }) => (acts === 0 ? undefined : 1 - invalid / acts),
  repeat: ({ acts, repeats }) => (acts === 0 ? undefined : repeats / acts),
  quit: ({ draws, quits }) => (draws === 0 ? undefined : quits / draws),
};

/** What is better: more of it, or less. */
const signs: { readonly [measure in StepMeasure]: 1 | -1 } = {
  progress: 1,
  regret: -1,
  valid: 1,
  repeat: -1,
  quit: -1,
};

/** Returns the mean over states of each task; tasks without a value are left out. */
function collectTasks(prefixes: readonly ErrorPrefix[], read: (entryId: string) => number | undefined): TaskCells[] {
  const byTask = new Map<string, { task: Task; values: number[] }>();
  for (const { id, task } of prefixes) {
    const value = read(id);
    if (value === undefined) continue;
    const group = byTask.get(task.hash) ?? { task, values: [] };
    byTask.set(task.hash, group);
    group.values.push(value);
  }
  return [...byTask.values()].map(({ task, values }) => ({ task, values: [meanOf(values) ?? 0] }));
}

function measurePolicy(policy: string, pool: ErrorPool, scores: StepScores, options: PoolFigureOptions): StepRow {
  const states = scores.byPolicy.get(policy);
  const readAs = (measure: StepMeasure) => (id: string) => {
    const score = states?.get(id);
    return score === undefined ? undefined : readers[measure](score);
  };
  const estimates: { [measure in StepMeasure]?: Estimate } = {};
  for (const measure of stepMeasures) {
    const estimate = estimateMean(collectTasks(pool.prefixes, readAs(measure)), [0, 1], options);
    if (estimate !== undefined) estimates[measure] = estimate;
  }
  const { quit, ...others } = estimates;
  const played = pool.prefixes.filter((prefix) => states?.has(prefix.id));
  if (quit === undefined) {
    throw inputError(
      `Cannot evaluate policy "${policy}": none of its draws gave an action (${scores.errored.get(policy) ?? 0} ended in an error)`,
      "Look at the errors of the run, and run the same command again",
    );
  }
  return {
    policy,
    states: played.length,
    draws: played.reduce((sum, { id }) => sum + (states?.get(id)?.draws ?? 0), 0),
    errored: scores.errored.get(policy) ?? 0,
    ...others,
    quit,
  };
}

/** Returns each measure of a state's score; `undefined` when one of them has no value there. */
function readAll(score: StateScore | undefined, measures: readonly StepMeasure[]): readonly number[] | undefined {
  if (score === undefined) return undefined;
  const values = measures.map((measure) => readers[measure](score)).filter((value) => value !== undefined);
  return values.length === measures.length ? values : undefined;
}

/** Compares two policies in the states where both acted; the bands hold for all measures together. */
function comparePair(
  [rowA, rowB]: readonly [StepRow, StepRow],
  pool: ErrorPool,
  scores: StepScores,
  options: PoolFigureOptions,
): StepDifference[] {
  const measures = stepMeasures.filter((measure) => rowA[measure] !== undefined && rowB[measure] !== undefined);
  const [ofA, ofB] = [scores.byPolicy.get(rowA.policy), scores.byPolicy.get(rowB.policy)];
  const byTask = new Map<string, { task: Task; a: (readonly number[])[]; b: (readonly number[])[] }>();
  let states = 0;
  for (const { id, task } of pool.prefixes) {
    const [a, b] = [readAll(ofA?.get(id), measures), readAll(ofB?.get(id), measures)];
    if (a === undefined || b === undefined) continue;
    states += 1;
    const group = byTask.get(task.hash) ?? { task, a: [], b: [] };
    byTask.set(task.hash, group);
    group.a.push(a);
    group.b.push(b);
  }
  if (states === 0) return [];
  const average = (side: "a" | "b"): TaskCells[] =>
    [...byTask.values()].map((group) => ({
      task: group.task,
      values: measures.map((_, index) => meanOf(group[side].map((values) => values[index])) ?? 0),
    }));
  const [a, b] = [average("a"), average("b")];
  const estimates = estimateCells(subtract(b, a), [-1, 1], options);
  const unitCount = countUnits(a);
  return measures.map((measure, index) => {
    const mean = (rows: readonly TaskCells[]): number => meanOf(rows.map(({ values }) => values[index])) ?? 0;
    const estimate = widenByArms(estimates[index], [mean(a), mean(b)], options.level);
    const verdict = judgeDifference(estimate, { margin: options.margin, unitCount, sign: signs[measure] });
    return { a: rowA.policy, b: rowB.policy, measure, states, estimate, verdict };
  });
}

function writeNotes(pool: ErrorPool, rows: readonly StepRow[], hasSplit: boolean): string[] {
  const notes = [
    `States are those just before known errors: hard ones, so these rates say nothing about all turns${hasSplit ? "; the split below does" : ""}`,
    "Bands of the differences hold for all measures together",
    "Progress, regret, validity and repetition are over draws that act; quitting is its own column",
  ];
  const acting = rows.filter(({ quit }) => quit.value < 1);
  for (const { policy } of rows.filter((row) => !acting.includes(row)))
    notes.push(`"${policy}" quits in every draw: of its actions nothing is known`);
  if (acting.length > 0 && acting.every((row) => row.progress === undefined)) {
    notes.push("The env tells neither distance, chance nor flags, so progress is not known: use an env with an oracle");
  }
  return [...notes, ...describeJudge(pool)];
}

/**
 * Returns what policies do in the states just before a pool's errors, one action at a time and without going on: paired
 * by state, each task weighing the same, with the split of error rates into choices and states for policies that are
 * producers of the pool too. `episodes` are those of `planPool` with arms `before` and `visited` and one turn.
 *
 * @throws {TurnwiseError} (input) when a policy has no usable draw.
 */
export async function measureSteps(
  env: Env,
  pool: ErrorPool,
  episodes: AsyncIterable<Trajectory> | Iterable<Trajectory>,
  options: MeasureStepsOptions,
): Promise<StepEvaluation> {
  const { policies, samples, level = 0.95, replicates = 2000, seed = 1, margin = 0.03 } = options;
  const figures = { level, replicates, seed, margin };
  const scores = await scoreSteps(env, pool, episodes);
  const rows = policies.map((policy) => measurePolicy(policy, pool, scores, figures));
  const pairs = rows.slice(1).map((row) => [rows[0], row] as const);
  const splits = pairs.flatMap(([a, b]) => splitErrorRates(pool, scores, [a.policy, b.policy], figures) ?? []);
  return {
    poolHash: pool.card.poolHash,
    env: pool.card.env,
    policies,
    samples,
    taskCount: pool.card.taskCount,
    stateCount: pool.card.prefixCount,
    ...figures,
    rows,
    differences: pairs.flatMap((pair) => comparePair(pair, pool, scores, figures)),
    splits,
    warnings: warnFewVerdictTasks(countUnits(pool.prefixes)),
    notes: writeNotes(pool, rows, splits.length > 0),
  };
}
