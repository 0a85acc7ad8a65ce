// internal
import { directions, moveCell, type Direction } from "../grid.js";
import { getSlips, isFinalCell, type Lake } from "./lake.js";

/** Sweeps of value iteration change nothing beyond this, so its result is exact to about 12 digits. */
const tolerance = 1e-14;
/** Two chances closer than this are the same. */
export const tieMargin = 1e-11;

/** The optimal success probabilities of one lake. */
export interface LakeChances {
  /** Returns the best chance of reaching the goal from `cell` in `turnsLeft` steps (possibly infinite). */
  getChance(cell: number, turnsLeft: number): number;
  /** Returns the chance when the first step is meant for `direction` and the rest are the best. */
  getStepChance(cell: number, direction: Direction, turnsLeft: number): number;
  /**
   * Returns the directions with the best chance in `turnsLeft` steps. Without a limit only those of them that also
   * lead towards the goal: standing still loses nothing then, and wins nothing.
   */
  getBest(cell: number, turnsLeft: number): readonly Direction[];
}

/**
 * Returns the optimal success probabilities by dynamic programming: V_0 = [at the goal],
 * V_n(cell) = max over directions of the mean of V_{n-1} over the slips (Bellman 1957), tables kept for each n;
 * without a limit, the limit of V_n.
 */
export function createLakeChances(lake: Lake): LakeChances {
  const { width, height, cells } = lake;
  const tables: (readonly number[])[] = [cells.map((cell) => (cell === "G" ? 1 : 0))];
  const successors = cells.map((_, cell) =>
    directions.map((direction) =>
      getSlips(lake, direction).map(({ probability, value }) => ({
        probability,
        cell: moveCell(cell, value, width, height),
      })),
    ),
  );
  let limit: readonly number[] | undefined;
  let ranks: readonly number[] | undefined;

  function lookAhead(table: readonly number[], cell: number, directionIndex: number): number {
    return successors[cell][directionIndex].reduce((sum, next) => sum + next.probability * table[next.cell], 0);
  }
  function improve(table: readonly number[]): readonly number[] {
    return table.map((value, cell) =>
      isFinalCell(lake, cell) ? value : Math.max(...directions.map((_, index) => lookAhead(table, cell, index))),
    );
  }
  function getTable(turnsLeft: number): readonly number[] {
    if (limit !== undefined && turnsLeft >= tables.length) return limit;
    while (tables.length <= turnsLeft) {
      const last = tables[tables.length - 1];
      const next = improve(last);
      if (next.every((value, cell) => value - last[cell] <= tolerance)) return (limit = next);
      tables.push(next);
    }
    return tables[turnsLeft];
  }
  function getStepChance(cell: number, direction: Direction, turnsLeft: number): number {
    if (isFinalCell(lake, cell)) return getTable(turnsLeft)[cell];
    return turnsLeft < 1 ? 0 : lookAhead(getTable(turnsLeft - 1), cell, directions.indexOf(direction));
  }
  function getTied(cell: number, turnsLeft: number): readonly Direction[] {
    const chances = directions.map((direction) => getStepChance(cell, direction, turnsLeft));
    return directions.filter((_, index) => chances[index] >= Math.max(...chances) - tieMargin);
  }
  /** Fewest steps to the goal with luck, using only best directions: an order in which every cell can make progress. */
  function getRanks(): readonly number[] {
    if (ranks !== undefined) return ranks;
    const found = cells.map((cell) => (cell === "G" ? 0 : Infinity));
    for (let isChanged = true; isChanged;) {
      isChanged = false;
      for (const cell of cells.keys()) {
        if (isFinalCell(lake, cell)) continue;
        const rank = Math.min(...getTied(cell, Infinity).map((direction) => getNextRank(found, cell, direction))) + 1;
        if (rank < found[cell]) [found[cell], isChanged] = [rank, true];
      }
    }
    return (ranks = found);
  }
  function getNextRank(found: readonly number[], cell: number, direction: Direction): number {
    return Math.min(...successors[cell][directions.indexOf(direction)].map((next) => found[next.cell]));
  }
  function getBest(cell: number, turnsLeft: number): readonly Direction[] {
    if (turnsLeft !== Infinity && getTable(turnsLeft)[cell] > 0) return getTied(cell, turnsLeft);
    const order = getRanks();
    const tied = getTied(cell, Infinity);
    const next = tied.map((direction) => getNextRank(order, cell, direction));
    return tied.filter((_, index) => next[index] === Math.min(...next));
  }
  return { getChance: (cell, turnsLeft) => getTable(turnsLeft)[cell], getStepChance, getBest };
}
