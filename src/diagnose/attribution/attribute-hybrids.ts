import {
  inputError,
  type AttributionResult,
  type AttributionRow,
  type HybridCost,
  type HybridSelfCheck,
} from "../../core/index.js";
import { makeAttributionRows } from "./attribution-rows.js";
import { listDataWarnings } from "./attribution-warnings.js";
import { attributeLogs, type AttributeLogsOptions } from "./attribute-logs.js";
import type { ChainSide } from "./chain-side.js";
import { listOtherGaps, takeComparedGaps } from "./compared-gaps.js";
import { compareFirstActions } from "./first-actions.js";
import { measureForcedArms } from "./forced-arms.js";
import { estimateHybridCells } from "./hybrid-cells.js";
import {
  estimateTaskMeans,
  findLimit,
  listSharedTasks,
  numberFamilies,
  tabulate,
  type PlayedCells,
} from "./played-cells.js";
import { attributionCells, type AttributionCell, type AttributionPart } from "./shapley.js";

const mixedCells = attributionCells.slice(1, 7);

/**
 * Splits the gap by playing the hybrids: the eight cells are success rates of real policies on the same tasks and env
 * seeds, so no chain is assumed. Shapley shares of the means, bands from a bootstrap over tasks that keeps all cells of a
 * task together. The estimate from the logs of A and B is made too, and its difference to the played one reported.
 *
 * @throws {TurnwiseError} (input) when a cell was not played or no task was played in every cell; and as
 * `attributeLogs` does.
 */
export function attributeHybrids(played: PlayedCells, options: AttributeLogsOptions = {}): AttributionResult {
  const { a, b, hybrids } = played;
  const logs = attributeLogs(a, b, options);
  const { level, margin, replicates, seed } = logs;
  const budgets = logs.rows.map((row) => row.maxTurns);
  const missing = mixedCells.filter((cell) => hybrids[cell] === undefined);
  if (missing.length > 0)
    throw inputError(
      `Cannot attribute without all hybrids: ${missing.join(", ")} were not played`,
      "Run the same command again to continue",
    );
  const sides = attributionCells.map((cell, index) => (index === 0 ? a : index === 7 ? b : (hybrids[cell] ?? a)));
  const tasks = listSharedTasks(sides, budgets);
  if (tasks.length === 0)
    throw inputError("Cannot attribute: no task was played in every cell", "Run the same command again to continue");
  const families = numberFamilies(a, tasks, budgets[0]);
  const outcomes = {
    taskCount: tasks.length,
    budgetCount: budgets.length,
    values: tabulate(sides, tasks, budgets),
    ...families,
  };
  const estimate = estimateHybridCells(outcomes, { seed, replicates });
  const rows = makeAttributionRows(
    budgets.map((maxTurns, index) => ({
      maxTurns,
      values: estimate.values[index],
      replicates: estimate.replicates[index],
      thinShare: 0,
    })),
    { level, margin, unitCount: families.familyCount, knowsModes: logs.unknownModes === undefined },
  );
  const last = rows[rows.length - 1];
  const selfChecks = (["a", "b"] as const).flatMap((policy) => {
    const copy = hybrids[policy === "a" ? "AAA" : "BBB"];
    return copy === undefined
      ? []
      : [checkCopy(policy, policy === "a" ? a : b, copy, last.maxTurns, { level, replicates, seed })];
  });
  return {
    ...logs,
    estimator: "interventional",
    rows: takeComparedGaps(rows, options.comparedGaps ?? []),
    taskCount: tasks.length,
    unitCount: families.familyCount,
    ...compareEstimators(logs.rows, rows),
    ...(selfChecks.length === 0 ? {} : { selfChecks }),
    hybridCosts: attributionCells.flatMap((cell) => describeCost(cell, hybrids[cell])),
    ...(played.arms === undefined
      ? {}
      : { forcedArms: measureForcedArms(played, budgets, { level, margin, replicates, seed }) }),
    warnings: [
      ...listDataWarnings(a, b, families.familyCount),
      ...listPlayedWarnings(played, selfChecks),
      ...listOtherGaps(rows, options.comparedGaps ?? []),
    ],
    notes: [
      ...logs.notes.slice(0, 1),
      "The hybrids were played on the same tasks and env seeds; no chain is assumed",
      ...logs.notes.slice(2),
    ],
  };
}

/** Returns the estimate from logs minus the played one at the largest budget at which that from logs is identified. */
function compareEstimators(
  logs: readonly AttributionRow[],
  played: readonly AttributionRow[],
): Pick<AttributionResult, "estimatorDifference"> {
  const index = logs.findLastIndex((row) => row.isIdentified);
  if (index < 0) return {};
  const difference = (part: AttributionPart): number =>
    logs[index][part].estimate.value - played[index][part].estimate.value;
  return {
    estimatorDifference: {
      maxTurns: logs[index].maxTurns,
      decision: difference("decision"),
      recovery: difference("recovery"),
      persistence: difference("persistence"),
    },
  };
}

function describeCost(cell: AttributionCell, side: ChainSide | undefined): HybridCost[] {
  if (side === undefined) return [];
  const { turnCount, discardedCalls, discardedTokens, forcedTurns } = side;
  return [
    {
      cell,
      turns: turnCount,
      extraCalls: discardedCalls,
      ...(discardedTokens > 0 ? { extraTokens: discardedTokens } : {}),
      forcedTurns,
    },
  ];
}

/** Warns of copies that do not behave like their policies, and of hybrids in which more than 1 % of turns had no action. */
function listPlayedWarnings({ a, b, hybrids }: PlayedCells, selfChecks: readonly HybridSelfCheck[]): string[] {
  const copies = selfChecks.flatMap(({ policy, passes }) => {
    if (passes) return [];
    const { label } = policy === "a" ? a : b;
    return [`The played copy of "${label}" does not behave like it: its shares are not to be trusted`];
  });
  const forced = attributionCells.flatMap((cell) => {
    const side = hybrids[cell];
    if (side === undefined || side.forcedTurns <= 0.01 * side.turnCount) return [];
    const share = ((100 * side.forcedTurns) / side.turnCount).toFixed(1);
    return [`In ${share} % of the turns of hybrid ${cell} no action but quitting was had, so nothing was done`];
  });
  return [...copies, ...forced];
}

/** Compares a played copy with the policy itself: success at the largest budget, and first actions. */
function checkCopy(
  policy: "a" | "b",
  native: ChainSide,
  copy: ChainSide,
  maxTurns: number,
  options: { readonly level: number; readonly replicates: number; readonly seed: number },
): HybridSelfCheck {
  const tasks = listSharedTasks([native, copy], [maxTurns]);
  const shares = tabulate([copy, native], tasks, [maxTurns]);
  const gaps = Float64Array.from(tasks, (_hash, task) => shares[2 * task] - shares[2 * task + 1]);
  const [difference] = estimateTaskMeans(gaps, 1, numberFamilies(native, tasks, maxTurns), options);
  const actions = (side: ChainSide, hash: string): readonly string[] =>
    side.byLimit.get(findLimit(side, maxTurns))?.get(hash)?.firstActions ?? [];
  const { distance, pValue } = compareFirstActions(
    tasks.map((hash) => ({ left: actions(copy, hash), right: actions(native, hash) })),
    options.seed,
  );
  const { interval, value } = difference;
  const isEqual =
    interval === undefined ? Math.abs(value) < 1e-12 : Math.abs(value) <= 3 * (difference.standardError ?? 0);
  // Three standard errors and p = .01: a check that runs every time must not cry wolf one time in twenty.
  return {
    policy,
    maxTurns,
    difference,
    firstActionDistance: distance,
    firstActionP: pValue,
    passes: isEqual && pValue >= 0.01,
  };
}
