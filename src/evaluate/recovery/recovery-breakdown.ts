// internal
import {
  errorLabels,
  getSlackStratum,
  slackStrata,
  untagNumber,
  type ContextEffect,
  type ErrorDebtRow,
  type ErrorPrefix,
  type Estimate,
  type ProducerMatrix,
  type RecoveryStratum,
} from "../../core/index.js";
import { countUnits, estimateCells, estimateMean, judgeDifference, meanOf, type TaskCells } from "./estimate-cells.js";
import { averageByTask, readArm, subtract, type RecoveryContext } from "./recovery-context.js";
import { groupByTask } from "./recovery-data.js";

/** Returns the bucket of 1-based turns that a 0-based turn falls into: 1, 2, 3-4, 5-8, 9-16 and so on. */
export function getTurnBucket(turnIndex: number): string {
  const turn = turnIndex + 1;
  if (turn <= 2) return String(turn);
  const last = 2 ** Math.ceil(Math.log2(turn));
  return `${last / 2 + 1}-${last}`;
}

function restrict(context: RecoveryContext, prefixes: readonly ErrorPrefix[]): RecoveryContext {
  return { ...context, chosen: { ...context.chosen, prefixes } };
}

function measureDebtRow(context: RecoveryContext, policy: string, turns: string): ErrorDebtRow {
  const { budgets, figures, contexts, reading, chosen } = context;
  const [mode] = contexts;
  const [error, clean] = [readArm(context, policy, mode, "error"), readArm(context, policy, mode, "clean")];
  const costs = estimateCells(
    averageByTask(context, (prefix, b) => clean(prefix, b) - error(prefix, b)),
    [-1, 1],
    figures,
  );
  // The mean turns to success, restricted to B, is the sum over b < B of 1 - V(b); the difference is the debt.
  const grid = Array.from({ length: reading.largest }, (_, b) => b);
  const debts = groupByTask(chosen.prefixes).map(({ task, prefixes }) => ({
    task,
    values: [
      meanOf(prefixes.map((prefix) => grid.reduce((sum, b) => sum + clean(prefix, b) - error(prefix, b), 0))) ?? 0,
    ],
  }));
  const extraTurns = reading.isCut ? estimateMean(debts, [-reading.largest, reading.largest], figures) : undefined;
  return {
    policy,
    turns,
    prefixes: chosen.prefixes.length,
    costs: budgets.map((maxTurns, index) => ({ maxTurns, cost: costs[index] })),
    ...(extraTurns === undefined ? {} : { extraTurns }),
  };
}

/** Returns what errors cost a policy by the turn they happen in and by turns left, and over all prefixes. */
export function measureDebt(context: RecoveryContext, policy: string): ErrorDebtRow[] {
  const { prefixes } = context.chosen;
  const order = [...new Set(prefixes.map((prefix) => prefix.turnIndex))].sort((a, b) => a - b);
  const buckets = [...new Set(order.map(getTurnBucket))];
  const rows = buckets.map((bucket) =>
    measureDebtRow(
      restrict(
        context,
        prefixes.filter((prefix) => getTurnBucket(prefix.turnIndex) === bucket),
      ),
      policy,
      bucket,
    ),
  );
  return [measureDebtRow(context, policy, "all"), ...rows];
}

/** Returns what other contexts change against full context, at the largest b; empty without full context. */
export function measureContexts(context: RecoveryContext): ContextEffect[] {
  const { contexts, policies, figures, reading, chosen } = context;
  if (!contexts.includes("full")) return [];
  const last = { ...context, budgets: [reading.largest] };
  return policies.flatMap((policy) =>
    contexts.flatMap((mode): ContextEffect[] => {
      if (mode === "full") return [];
      const change = (arm: "error" | "clean"): TaskCells[] =>
        subtract(
          averageByTask(last, readArm(last, policy, mode, arm)),
          averageByTask(last, readArm(last, policy, "full", arm)),
        );
      const [error, clean] = [change("error"), change("clean")];
      const [errorEffect] = estimateCells(error, [-1, 1], figures);
      const shown = { policy, context: mode, maxTurns: reading.largest, error: errorEffect };
      if (!chosen.hasControl) return [shown];
      const [pollution] = estimateCells(subtract(error, clean), [-2, 2], figures);
      const judging = { margin: figures.margin, unitCount: countUnits(error) };
      const [cleanEffect] = estimateCells(clean, [-1, 1], figures);
      return [{ ...shown, clean: cleanEffect, pollution, verdict: judgeDifference(pollution, judging) }];
    }),
  );
}

/** Returns the weight of each cell (row-major) in the excess of the diagonal over an additive model, by least squares. */
export function getExcessWeights(producers: readonly string[], solvers: readonly string[]): number[] | undefined {
  const isSelf = producers.flatMap((producer) => solvers.map((solver) => (producer === solver ? 1 : 0)));
  const at = (row: number, column: number): number => isSelf[row * solvers.length + column];
  const rowMeans = producers.map((_, row) => meanOf(solvers.map((__, column) => at(row, column))) ?? 0);
  const columnMeans = solvers.map((_, column) => meanOf(producers.map((__, row) => at(row, column))) ?? 0);
  const grand = meanOf(isSelf) ?? 0;
  // The part of "own error" that producer and solver alone do not explain; its regression coefficient is the excess.
  const rest = producers.flatMap((_, row) =>
    solvers.map((__, column) => at(row, column) - rowMeans[row] - columnMeans[column] + grand),
  );
  const scale = rest.reduce((sum, value) => sum + value ** 2, 0);
  return scale < 1e-12 ? undefined : rest.map((value) => value / scale);
}

/** Returns success of each solver on each producer's errors, and the excess on their own. */
export function measureMatrix(context: RecoveryContext): ProducerMatrix | undefined {
  const { chosen, policies, contexts, figures, reading } = context;
  const producers = [...new Set(chosen.prefixes.map((prefix) => prefix.producer))].sort();
  if (producers.length < 2) return undefined;
  const last = { ...context, budgets: [reading.largest] };
  const rowsOf = (producer: string, solver: string): TaskCells[] => {
    const own = restrict(
      last,
      chosen.prefixes.filter((prefix) => prefix.producer === producer),
    );
    return averageByTask(own, readArm(own, solver, contexts[0], "error"));
  };
  const table = producers.flatMap((producer) => policies.map((solver) => rowsOf(producer, solver)));
  const cells = table.map((rows) => estimateCells(rows, [0, 1], figures)[0]);
  const weights = getExcessWeights(producers, policies);
  const selfExcess = weights === undefined ? undefined : estimateExcess(context, table, cells, weights);
  return {
    maxTurns: reading.largest,
    producers,
    solvers: policies,
    cells,
    prefixes: producers.map((producer) => chosen.prefixes.filter((prefix) => prefix.producer === producer).length),
    ...(selfExcess === undefined ? {} : { selfExcess }),
  };
}

/** Returns the weighted sum of cells, linearised by task: a task counts in the cells whose producer erred in it. */
function estimateExcess(
  { chosen, figures }: RecoveryContext,
  table: readonly TaskCells[][],
  cells: readonly Estimate[],
  weights: readonly number[],
): Estimate | undefined {
  const value = weights.reduce((sum, weight, index) => sum + weight * cells[index].value, 0);
  const groups = groupByTask(chosen.prefixes);
  const known = table.map((rows) => new Map(rows.map(({ task, values }) => [task.hash, values[0]])));
  const rows = groups.map(({ task }) => {
    const pull = weights.reduce((sum, weight, index) => {
      const own = known[index].get(task.hash);
      return own === undefined
        ? sum
        : sum + (weight * (own - cells[index].value) * groups.length) / table[index].length;
    }, 0);
    return { task, values: [value + pull] };
  });
  const estimate = estimateMean(rows, [-1, 1], figures);
  return estimate === undefined ? undefined : { ...estimate, value };
}

/** Returns success after the error by slack, over all b of the grid, and by label at the largest b. */
export function measureStrata(context: RecoveryContext, policy: string): RecoveryStratum[] {
  const { chosen, budgets, contexts, figures, reading } = context;
  const [error, clean] = [
    readArm(context, policy, contexts[0], "error"),
    readArm(context, policy, contexts[0], "clean"),
  ];
  const measure = (
    by: RecoveryStratum["by"],
    value: string,
    choose: (prefix: ErrorPrefix) => readonly number[],
  ): RecoveryStratum[] => {
    let cases = 0;
    const rows = groupByTask(chosen.prefixes).flatMap(({ task, prefixes }): TaskCells[] => {
      const pairs = prefixes.flatMap((prefix) =>
        choose(prefix).map((b) => [error(prefix, b), clean(prefix, b)] as const),
      );
      cases += pairs.length;
      if (pairs.length === 0) return [];
      const after = meanOf(pairs.map(([one]) => one)) ?? 0;
      return [{ task, values: [after, (meanOf(pairs.map(([, other]) => other)) ?? 0) - after] }];
    });
    if (rows.length === 0) return [];
    const [errorEstimate, cost] = estimateCells(rows, [-1, 1], figures);
    return [{ policy, by, value, cases, error: errorEstimate, ...(chosen.hasControl ? { cost } : {}) }];
  };
  const getStratum = ({ distanceAfter }: ErrorPrefix, b: number): string => {
    const distance = untagNumber(distanceAfter);
    return getSlackStratum(distance === undefined ? undefined : b - distance);
  };
  return [
    ...slackStrata.flatMap((value) =>
      measure("slack", value, (prefix) => budgets.filter((b) => getStratum(prefix, b) === value)),
    ),
    ...errorLabels.flatMap((value) =>
      measure("label", value, (prefix) => (prefix.label === value ? [reading.largest] : [])),
    ),
  ];
}
