// internal
import { createRandom } from "../../../core/index.js";
import { groupBy } from "./rule-kit.js";

/** Permutations behind a p value; the smallest one it can give is 1 in 500. */
const permutations = 499;

/** Returns the share of permutations whose statistic is at least the one found, the data counted among them. */
function countAsLarge(found: number, draw: () => number): number {
  let asLarge = 1;
  for (let i = 0; i < permutations; i += 1) if (draw() >= found - 1e-12) asLarge += 1;
  return asLarge / (permutations + 1);
}

/** Two labels of one group: its task and its budget. */
export interface Cell {
  readonly task: string;
  readonly maxTurns: number;
}

function cramersV(cells: readonly Cell[]): number {
  const rows = groupBy(cells, ({ task }) => task);
  const columns = groupBy(cells, ({ maxTurns }) => maxTurns);
  const degrees = Math.min(rows.size, columns.size) - 1;
  if (degrees < 1) return 0;
  const counts = new Map<string, number>();
  for (const { task, maxTurns } of cells) {
    const key = `${maxTurns} ${task}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  // chi2 / n = sum over cells of observed^2 / (row x column) - 1, so that empty cells need no visit.
  let sum = 0;
  for (const [key, count] of counts) {
    const at = key.indexOf(" ");
    const [column, row] = [columns.get(Number(key.slice(0, at))), rows.get(key.slice(at + 1))];
    sum += count ** 2 / ((row?.length ?? 1) * (column?.length ?? 1));
  }
  return Math.sqrt(Math.max(0, sum - 1) / degrees);
}

/**
 * Returns Cramér's V of task and budget (0 independent, 1 one decides the other) with the p value of permuting budgets
 * among groups. Under a plan that balances cells V is smaller than chance makes it.
 */
export function testIndependence(
  cells: readonly Cell[],
  seed: number,
): { readonly v: number; readonly pValue: number } {
  const v = cramersV(cells);
  const random = createRandom(seed, "budgetmix independence");
  const budgets = cells.map(({ maxTurns }) => maxTurns);
  const pValue = countAsLarge(v, () => {
    const shuffled = random.shuffle(budgets);
    return cramersV(cells.map(({ task }, index) => ({ task, maxTurns: shuffled[index] })));
  });
  return { v, pValue };
}

/** What the members of one group did first. */
export interface FirstActionGroup extends Cell {
  readonly actions: readonly string[];
}

/** Returns the mean over budgets of the distance of their first actions from those of all, weighed by episodes. */
function distanceOf(groups: readonly FirstActionGroup[]): { readonly distance: number; readonly episodes: number } {
  const all = groups.flatMap(({ actions }) => actions);
  const overall = shareOf(all);
  let sum = 0;
  for (const own of groupBy(groups, ({ maxTurns }) => maxTurns).values()) {
    const actions = own.flatMap((group) => group.actions);
    const shares = shareOf(actions);
    let distance = 0;
    for (const [action, share] of overall) distance += Math.abs((shares.get(action) ?? 0) - share) / 2;
    sum += distance * actions.length;
  }
  return { distance: sum, episodes: all.length };
}

function shareOf(actions: readonly string[]): Map<string, number> {
  const shares = new Map<string, number>();
  for (const action of actions) shares.set(action, (shares.get(action) ?? 0) + 1 / actions.length);
  return shares;
}

/**
 * Returns how far first actions depend on the budget: the total variation distance between the first actions at a budget
 * and those at all budgets of the same task, averaged over episodes, with the p value of permuting budgets among the
 * groups of a task. With few episodes the distance is above 0 for policies that do not look, so only p tells.
 */
export function testFirstActions(
  groups: readonly FirstActionGroup[],
  seed: number,
): { readonly distance: number; readonly pValue: number } {
  const strata = [...groupBy(groups, ({ task }) => task).values()];
  const measure = (each: readonly (readonly FirstActionGroup[])[]): number => {
    const parts = each.map(distanceOf);
    const episodes = parts.reduce((sum, part) => sum + part.episodes, 0);
    return episodes === 0 ? 0 : parts.reduce((sum, { distance }) => sum + distance, 0) / episodes;
  };
  const distance = measure(strata);
  const random = createRandom(seed, "budgetmix first actions");
  const pValue = countAsLarge(distance, () =>
    measure(
      strata.map((stratum) => {
        const budgets = random.shuffle(stratum.map(({ maxTurns }) => maxTurns));
        return stratum.map((group, index) => ({ ...group, maxTurns: budgets[index] }));
      }),
    ),
  );
  return { distance, pValue };
}
