import { writeCount, type AttributionResult, type BudgetResponse, type DifferenceCell } from "../../core/index.js";
import { measureBudgetResponse } from "./budget-response.js";
import { makeAttributionRows, getGapShares, type CellsAtBudget } from "./attribution-rows.js";
import { isRejected, listDataWarnings, listModelWarnings, listUnknownModes } from "./attribution-warnings.js";
import { countChainData, readWrongAsQuit, type ChainData } from "./chain-data.js";
import { listOtherGaps, takeComparedGaps } from "./compared-gaps.js";
import { designChains, type ChainDesign, type ChainSide } from "./chain-side.js";
import { checkMarkov } from "./markov-check.js";
import { rangeOverJudge, type JudgeErrors } from "./judge-range.js";
import type { TaskMeanOptions } from "./played-cells.js";
import { computeCells, weighCounts } from "./plug-in.js";
import { estimatePlugIn, type PlugInEstimate } from "./plug-in-bootstrap.js";
import { findRestartRows } from "./restart-depth.js";

/** Settings of an attribution from logs; every field has a default. */
export interface AttributeLogsOptions {
  /** Turn budgets T; by default 1, 2, 4, ... up to the largest, or those that were run. */
  readonly budgets?: readonly number[];
  /** Coverage of intervals and bands; default .95. */
  readonly level?: number;
  /** Half-width of the region called equivalent; default .03. */
  readonly margin?: number;
  /** Bootstrap refits; default 1,000. */
  readonly replicates?: number;
  /** Seed of resampling and simulation; default 1. */
  readonly seed?: number;
  /** Most classes of tasks tried; default 8. */
  readonly maxClasses?: number;
  /** Data sets simulated for the Markov check; 0 leaves it out. Default 99. */
  readonly simulations?: number;
  /** Error rates of the judge that labelled errors; gives each row the range over them. */
  readonly judgeErrors?: JudgeErrors;
  /**
   * Differences at k=1 of a comparison of the same episodes: their bands and verdicts are then the gap's, as one
   * quantity must not be judged twice.
   */
  readonly comparedGaps?: readonly Pick<DifferenceCell, "maxTurns" | "estimate" | "verdict">[];
}

interface FittedDesign extends ChainDesign {
  readonly data: ChainData;
  readonly estimate: PlugInEstimate;
}

/**
 * Splits the success gap of two policies at each turn budget into decision, recovery and persistence from their
 * episodes: a two-mode chain within classes of tasks (both fitted to the data), its three blocks exchanged one by one, and
 * Shapley shares of the eight values. The values of A and B are exactly the means over shared tasks of the observed
 * success. Bands come from a bootstrap over tasks (families) that refits the classes in every draw.
 *
 * Only the hybrids rest on a model: given class, turn and mode, what happens next must not depend on who came there.
 *
 * @throws {TurnwiseError} as `designChains` does.
 */
export function attributeLogs(a: ChainSide, b: ChainSide, options: AttributeLogsOptions = {}): AttributionResult {
  const {
    level = 0.95,
    margin = 0.03,
    replicates = 1000,
    seed = 1,
    maxClasses = 8,
    simulations = 99,
    judgeErrors,
    comparedGaps = [],
  } = options;
  const designs = designChains(a, b, options.budgets).map((design): FittedDesign => {
    const data = countChainData(design.tasks, design.maxTurns);
    return { ...design, data, estimate: estimatePlugIn(data, { seed, replicates, maxClasses }) };
  });
  const last = designs[designs.length - 1];
  const unitCount = last.data.familyCount;
  const unknownModes = listUnknownModes(a, b);
  // Without modes there is one block only, and no chain whose history could be checked.
  const markov =
    simulations === 0 || unknownModes.length > 0
      ? []
      : checkMarkov(last.tasks, last.data, last.estimate.fit, { seed, simulations });
  const rows = makeAttributionRows(
    designs.flatMap((design) => readBudgets(design, judgeErrors, seed)),
    { level, margin, unitCount, knowsModes: unknownModes.length === 0, isDoubted: markov.some(isRejected) },
  );
  const budgetResponse = measureResponses(a, b, { level, replicates, seed });
  return {
    a: a.label,
    b: b.label,
    env: a.env,
    estimator: "logs",
    disclosure: a.disclosure,
    terminalRule: a.rule,
    mark: designs.length === 1 && a.disclosure === "hidden" ? "cut" : "run",
    taskCount: last.data.taskCount,
    unitCount,
    episodesA: countEpisodes(designs, 0),
    episodesB: countEpisodes(designs, 1),
    level,
    margin,
    replicates,
    seed,
    rows: takeComparedGaps(rows, comparedGaps),
    classes: designs.map(({ maxTurns, estimate: { fit, tried } }) => ({
      maxTurns,
      classCount: fit.classCount,
      shares: [...fit.shares],
      tried: tried.map(({ classCount, bic }) => ({ classCount, bic })),
    })),
    ...(unknownModes.length === 0 ? {} : { unknownModes }),
    labelSources: sumLabelSources(a, b),
    truncatedA: a.truncatedCount,
    truncatedB: b.truncatedCount,
    markov,
    restart: findRestartRows(last.data, { seed, replicates: Math.min(replicates, 500) }),
    ...(budgetResponse.length === 0 ? {} : { budgetResponse }),
    warnings: [
      ...listModelWarnings(a, b, rows, markov),
      ...listDataWarnings(a, b, unitCount),
      ...listOtherGaps(rows, comparedGaps),
    ],
    notes: collectNotes(a, b, designs),
  };
}

function sumLabelSources({ labelSources: x }: ChainSide, { labelSources: y }: ChainSide): ChainSide["labelSources"] {
  return { judge: x.judge + y.judge, distance: x.distance + y.distance, signals: x.signals + y.signals };
}

function measureResponses(a: ChainSide, b: ChainSide, options: TaskMeanOptions): BudgetResponse[] {
  return [measureBudgetResponse("a", a, options), measureBudgetResponse("b", b, options)].filter(
    (response) => response !== undefined,
  );
}

function countEpisodes(designs: readonly FittedDesign[], policy: 0 | 1): number {
  return designs.reduce(
    (sum, { data }) =>
      sum + data.episodeCounts.reduce((count, value, index) => count + (index % 2 === policy ? value : 0), 0),
    0,
  );
}

/** Returns the cells of a design at each of its budgets, with diagnostics and sensitivity rows. */
function readBudgets(
  { budgets, maxTurns, tasks, estimate }: FittedDesign,
  judgeErrors: JudgeErrors | undefined,
  seed: number,
): CellsAtBudget[] {
  const pick = (cells: Float64Array, budget: number): number[] =>
    Array.from({ length: 8 }, (_unused, cell) => cells[cell * maxTurns + budget - 1]);
  // The classes stay as they are: only the convention changes, not what kind of task it is.
  const asQuit = computeCells(
    weighCounts(countChainData(readWrongAsQuit(tasks), maxTurns), estimate.fit),
    maxTurns,
  ).values;
  const ranges =
    judgeErrors === undefined ? undefined : rangeOverJudge(tasks, maxTurns, estimate.fit.classCount, judgeErrors, seed);
  return budgets.map((maxTurnsRead) => {
    const range = ranges?.[maxTurnsRead - 1];
    return {
      maxTurns: maxTurnsRead,
      values: pick(estimate.values, maxTurnsRead),
      replicates: estimate.replicates.map((cells) => pick(cells, maxTurnsRead)),
      thinShare: estimate.thinShares[maxTurnsRead - 1],
      extra: {
        pooled: getGapShares(pick(estimate.pooledValues, maxTurnsRead)),
        wrongAsQuit: getGapShares(pick(asQuit, maxTurnsRead)),
        ...(range === undefined ? {} : { judgeRange: range }),
      },
    };
  });
}

function collectNotes(a: ChainSide, b: ChainSide, designs: readonly FittedDesign[]): string[] {
  const shared = designs[designs.length - 1].data.taskCount;
  const count = (side: ChainSide): number =>
    new Set([...side.byLimit.values()].flatMap((tasks) => [...tasks.keys()])).size;
  const notes = [`${writeCount(shared, "task")} shared; "${a.label}" has ${count(a)}, "${b.label}" ${count(b)}`];
  const classes = [...new Set(designs.map(({ estimate }) => estimate.fit.classCount))];
  notes.push(
    `Tasks fall into ${classes.join(" or ")} ${classes.join() === "1" ? "class" : "classes"}, chosen by BIC; every bootstrap draw refits them`,
  );
  notes.push(
    'A wrong submission is a decision, never a quit; the row "wrong ends as quits" shows what the other convention gives',
  );
  return notes;
}
