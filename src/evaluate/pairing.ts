import { inputError, usageError, writeCount } from "../core/index.js";
import { doublingGrid, readGrid, type GridTask, type SeriesGrid } from "./grid.js";
import type { Series } from "./series.js";

/** What two sides may differ in beyond the policy, when asked for by name; the result is labelled with it. */
export type AllowedDifference = "env_version" | "disclosure" | "terminal_rule" | "mark" | "grader" | "limits";
/** Every difference that can be allowed. */
export const allowedDifferences: readonly AllowedDifference[] = [
  "env_version",
  "disclosure",
  "terminal_rule",
  "mark",
  "grader",
  "limits",
];

/** Two sides read on the same grid, restricted to the tasks they share, in the same order. */
export interface Pairing {
  readonly a: SeriesGrid;
  readonly b: SeriesGrid;
  readonly onlyInA: readonly string[];
  readonly onlyInB: readonly string[];
}

/** Returns what differs between the sides beyond the policy; throws for what was not allowed. */
export function checkComparable(a: SeriesGrid, b: SeriesGrid, allow: readonly AllowedDifference[]): string[] {
  const first = a.series;
  const second = b.series;
  if (first.env.id !== second.env.id) {
    throw usageError(
      `Cannot compare "${first.label}" with "${second.label}": they were played in different envs, "${first.env.id}" and "${second.env.id}"`,
    );
  }
  const differences: readonly (readonly [AllowedDifference, string, string, string])[] = [
    ["env_version", "env version", first.env.version, second.env.version],
    ["disclosure", "disclosure", first.disclosure, second.disclosure],
    ["grader", "grader", first.grader ?? "the env's own", second.grader ?? "the env's own"],
    ["terminal_rule", "terminal rule", a.rule, b.rule],
    ["mark", "cell mark", a.mark, b.mark],
    ["limits", "limits beside turns", first.limits || "none", second.limits || "none"],
  ];
  const labels: string[] = [];
  for (const [name, words, valueA, valueB] of differences) {
    if (valueA === valueB) continue;
    // A mark follows from disclosure and terminal rule, so it needs no permission of its own once those are allowed.
    const isAllowed =
      allow.includes(name) || (name === "mark" && (allow.includes("disclosure") || allow.includes("terminal_rule")));
    if (!isAllowed) {
      throw usageError(
        `Cannot compare "${first.label}" with "${second.label}": the ${words} is not the same, "${valueA}" and "${valueB}"`,
        `Compare runs that agree, or pass --allow ${name} to compare all the same, labelled`,
      );
    }
    labels.push(`${words}: ${valueA} (A), ${valueB} (B)`);
  }
  if (a.mark === "cut" && b.mark === "cut" && getTurnLimit(first) !== getTurnLimit(second)) {
    // The reason stands with the figures: InterCode's SQL gpt-4 solves 7.1 % with its first turn, and 9.1 % when run with one.
    labels.push(
      `turn limit of the runs: ${renderLimit(first)} (A), ${renderLimit(second)} (B). The first turns of a long run and a short run are different figures where the agent can tell its budget, for instance from its prompt`,
    );
  }
  return labels;
}

function renderLimit(series: Series): string {
  const limit = getTurnLimit(series);
  return Number.isFinite(limit) ? String(limit) : "not stated";
}

/**
 * Returns both grids restricted to the tasks they share, matched by content.
 *
 * @throws {TurnwiseError} (input) when they share none.
 */
export function pairTasks(a: SeriesGrid, b: SeriesGrid): Pairing {
  const inA = new Set(a.tasks.map((task) => task.taskHash));
  const inB = new Set(b.tasks.map((task) => task.taskHash));
  const shared = (grid: SeriesGrid, other: ReadonlySet<string>): GridTask[] =>
    grid.tasks
      .filter((task) => other.has(task.taskHash))
      .sort((x, y) => (x.taskHash < y.taskHash ? -1 : x.taskHash > y.taskHash ? 1 : 0));
  const tasksA = shared(a, inB);
  for (const { series, tasks, droppedTasks } of [a, b]) {
    if (tasks.length > 0) continue;
    throw inputError(
      `Cannot compare "${series.label}": none of its ${writeCount(droppedTasks.length, "task")} has an episode that can be counted (outcomes are unknown, or ended in errors)`,
      "If outcomes are unknown, say what counts as solved when reading the file: --success-field, or --reward-field with --success-threshold",
    );
  }
  if (tasksA.length === 0) {
    throw inputError(
      `Cannot compare "${a.series.label}" with "${b.series.label}": they share no task (${a.tasks.length} and ${writeCount(b.tasks.length, "task")}; tasks are matched by their content, not by their id)`,
      "Run or import both on the same tasks",
    );
  }
  return {
    a: { ...a, tasks: tasksA },
    b: { ...b, tasks: shared(b, inA) },
    onlyInA: a.tasks.filter((task) => !inB.has(task.taskHash)).map((task) => task.taskId),
    onlyInB: b.tasks.filter((task) => !inA.has(task.taskHash)).map((task) => task.taskId),
  };
}

/** Returns the turn limit of a series' longest runs; `Infinity` when none is known. */
function getTurnLimit(series: Series): number {
  return Math.max(...series.tallies.keys());
}

function getLongest(grid: SeriesGrid): number {
  return Math.max(...grid.tallies.map((tally) => tally.totals.longest));
}

/** Returns the budgets both sides can be read at: those asked for, or the ones both have by default. */
export function shareBudgets(a: Series, b: Series, requested: readonly number[] | undefined): readonly number[] {
  if (requested !== undefined) return requested;
  const gridA = readGrid(a);
  const gridB = readGrid(b);
  if (gridA.mark === "cut" && gridB.mark === "cut") {
    // Both can be read up to the smaller limit, and nothing changes beyond the longer of their longest episodes.
    return doublingGrid(
      Math.max(1, Math.min(getTurnLimit(a), getTurnLimit(b), Math.max(getLongest(gridA), getLongest(gridB)))),
    );
  }
  const run = gridA.mark === "run" ? gridA : gridB;
  const other = run === gridA ? gridB : gridA;
  const shared = run.budgets.filter((budget) =>
    other.mark === "cut" ? budget <= getTurnLimit(other.series) : other.budgets.includes(budget),
  );
  if (shared.length > 0) return shared;
  throw usageError(
    `Cannot compare "${a.label}" with "${b.label}": they share no turn budget (${gridA.budgets.join(", ")} and ${gridB.budgets.join(", ")})`,
  );
}
