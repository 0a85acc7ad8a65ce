// internal
import { createRandom, type Random } from "../../../core/index.js";
import { groupBy } from "./rule-kit.js";

/** Permutations behind a p value; the smallest one it can give is 1 in 500. */
const permutations = 499;

/** Returns the share of permutations whose statistic is at least the one found, the data counted among them. */
function countAsLarge(found: number, draw: () => number): number {
  let asLarge = 1;
  for (let i = 0; i < permutations; i += 1) if (draw() >= found - 1e-12) asLarge += 1;
  return asLarge / (permutations + 1);
}

/** Returns the position of each value among the distinct ones, in the order they first occur, and how many those are. */
function numberValues(values: readonly (string | number)[]): {
  readonly positions: Int32Array;
  readonly count: number;
} {
  const known = new Map<string | number, number>();
  const positions = Int32Array.from(values, (value) => {
    const position = known.get(value) ?? known.size;
    known.set(value, position);
    return position;
  });
  return { positions, count: known.size };
}

/** Shuffles in place (Fisher-Yates): what is permuted again and again need not be copied. */
function shuffleInPlace(values: Int32Array, random: Random): void {
  for (let i = values.length - 1; i > 0; i -= 1) {
    const j = random.nextInt(i + 1);
    [values[i], values[j]] = [values[j], values[i]];
  }
}

/** Two labels of one group: its task and its budget. */
export interface Cell {
  readonly task: string;
  readonly maxTurns: number;
}

/**
 * Returns Cramér's V of task and budget (0 independent, 1 one decides the other) with the p value of permuting budgets
 * among groups. Under a plan that balances cells V is smaller than chance makes it.
 */
export function testIndependence(
  cells: readonly Cell[],
  seed: number,
): { readonly v: number; readonly pValue: number } {
  const tasks = numberValues(cells.map(({ task }) => task));
  const budgets = numberValues(cells.map(({ maxTurns }) => maxTurns));
  const degrees = Math.min(tasks.count, budgets.count) - 1;
  if (degrees < 1) return { v: 0, pValue: 1 };
  const rows = new Int32Array(tasks.count);
  const columns = new Int32Array(budgets.count);
  for (const task of tasks.positions) rows[task] += 1;
  for (const budget of budgets.positions) columns[budget] += 1;
  const table = new Int32Array(tasks.count * budgets.count);
  /** chi2 / n = sum over cells of observed^2 / (row x column) - 1. */
  function measure(): number {
    table.fill(0);
    tasks.positions.forEach((task, index) => (table[task * budgets.count + budgets.positions[index]] += 1));
    let sum = -1;
    for (let task = 0; task < tasks.count; task += 1) {
      for (let budget = 0; budget < budgets.count; budget += 1) {
        sum += table[task * budgets.count + budget] ** 2 / (rows[task] * columns[budget]);
      }
    }
    return Math.sqrt(Math.max(0, sum) / degrees);
  }
  const v = measure();
  const random = createRandom(seed, "budgetmix independence");
  const pValue = countAsLarge(v, () => {
    shuffleInPlace(budgets.positions, random);
    return measure();
  });
  return { v, pValue };
}

/** What the members of one group did first. */
export interface FirstActionGroup extends Cell {
  readonly actions: readonly string[];
}

/** The groups of one task, ready to be counted by budget. */
interface Stratum {
  /** [group] position of its budget; permuted in place. */
  readonly budgets: Int32Array;
  /** [group][member] position of the action. */
  readonly actions: readonly Int32Array[];
  /** [action] share among all members. */
  readonly overall: Float64Array;
  /** [budget x action] room to count in. */
  readonly table: Float64Array;
}

function toStratum(groups: readonly FirstActionGroup[]): Stratum {
  const budgets = numberValues(groups.map(({ maxTurns }) => maxTurns));
  const all = numberValues(groups.flatMap(({ actions }) => actions));
  const overall = new Float64Array(all.count);
  for (const action of all.positions) overall[action] += 1 / all.positions.length;
  let at = 0;
  const actions = groups.map((group) => all.positions.subarray(at, (at += group.actions.length)));
  return { budgets: budgets.positions, actions, overall, table: new Float64Array(budgets.count * all.count) };
}

/** Returns the sum over members of the distance between the first actions at their budget and those at all budgets. */
function sumDistances({ budgets, actions, overall, table }: Stratum): number {
  const width = overall.length;
  table.fill(0);
  actions.forEach((members, group) => {
    for (const action of members) table[budgets[group] * width + action] += 1;
  });
  let sum = 0;
  for (let start = 0; start < table.length; start += width) {
    let members = 0;
    for (let action = 0; action < width; action += 1) members += table[start + action];
    for (let action = 0; action < width; action += 1) {
      sum += Math.abs(table[start + action] - members * overall[action]) / 2;
    }
  }
  return sum;
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
  const strata = [...groupBy(groups, ({ task }) => task).values()].map(toStratum);
  const episodes = groups.reduce((sum, { actions }) => sum + actions.length, 0);
  const measure = (): number =>
    episodes === 0 ? 0 : strata.reduce((sum, stratum) => sum + sumDistances(stratum), 0) / episodes;
  const distance = measure();
  const random = createRandom(seed, "budgetmix first actions");
  const pValue = countAsLarge(distance, () => {
    for (const { budgets } of strata) shuffleInPlace(budgets, random);
    return measure();
  });
  return { distance, pValue };
}
