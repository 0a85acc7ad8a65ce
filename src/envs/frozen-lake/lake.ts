// internal
import type { Outcome, Random } from "../../core/index.js";
import { directions, isDrawn, moveCell, sideways, type Direction } from "../grid.js";

/** One lake. Rows hold `S` start, `F` ice, `H` hole, `G` goal. */
export type LakeData = {
  readonly rows: readonly string[];
  /** With true, a step goes where it was meant to with probability 1/3, and to either side with 1/3 each. */
  readonly isSlippery: boolean;
};

/** Where the agent stands, as a row-major cell index. */
export type LakeState = { readonly cell: number };

/** A lake ready for use: data with cells by index. */
export interface Lake {
  readonly width: number;
  readonly height: number;
  readonly cells: readonly string[];
  readonly start: number;
  readonly isSlippery: boolean;
}

/** Returns the lake that the data describe. */
export function readLake({ rows, isSlippery }: LakeData): Lake {
  const cells = rows.flatMap((row) => row.split(""));
  return { width: rows[0]?.length ?? 0, height: rows.length, cells, start: cells.indexOf("S"), isSlippery };
}

/** Says whether the episode is over at this cell. */
export function isFinalCell({ cells }: Lake, cell: number): boolean {
  return cells[cell] === "H" || cells[cell] === "G";
}

/** Returns the directions a step meant for `direction` can take, with probabilities. */
export function getSlips({ isSlippery }: Lake, direction: Direction): readonly Outcome<Direction>[] {
  if (!isSlippery) return [{ probability: 1, value: direction }];
  const [one, other] = sideways[direction];
  return [direction, one, other].map((value) => ({ probability: 1 / 3, value }));
}

/** Draws the direction a step meant for `direction` takes; the same distribution as {@linkcode getSlips}. */
export function drawSlip({ isSlippery }: Lake, direction: Direction, random: Random): Direction {
  return isSlippery ? random.pick([direction, ...sideways[direction]]) : direction;
}

/** Returns the fewest steps from every cell to the goal around the holes; infinite where there is no way. */
export function getGoalDistances(lake: Lake): readonly number[] {
  const distances = lake.cells.map((cell) => (cell === "G" ? 0 : Infinity));
  const queue = lake.cells.flatMap((cell, index) => (cell === "G" ? [index] : []));
  for (const cell of queue) {
    for (const direction of directions) {
      const next = moveCell(cell, direction, lake.width, lake.height);
      if (lake.cells[next] === "H" || distances[next] !== Infinity) continue;
      distances[next] = distances[cell] + 1;
      queue.push(next);
    }
  }
  return distances;
}

/** How large, how holey and how slippery each level is; `minDistance` keeps start and goal apart. */
const levels = [
  { size: 4, holes: [2, 10], minDistance: 3, isSlippery: false },
  { size: 6, holes: [3, 10], minDistance: 6, isSlippery: false },
  { size: 4, holes: [1, 10], minDistance: 3, isSlippery: true },
  { size: 5, holes: [3, 20], minDistance: 5, isSlippery: true },
] as const;

/** Number of difficulty levels: 4 x 4 and 6 x 6 on firm ice, 4 x 4 and 5 x 5 on slippery ice. */
export const lakeLevelCount = levels.length;

/** Returns a random lake of this level, or `undefined` when the draw has no way far enough from start to goal. */
export function generateLake(level: number, random: Random): LakeData | undefined {
  const { size, holes, minDistance, isSlippery } = levels[level - 1];
  const cells: string[] = Array.from({ length: size * size }, () => (isDrawn(random, holes[0], holes[1]) ? "H" : "F"));
  const start = random.nextInt(cells.length);
  const goal = random.nextInt(cells.length);
  cells[start] = "S";
  cells[goal] = "G";
  const rows = Array.from({ length: size }, (_, row) => cells.slice(row * size, (row + 1) * size).join(""));
  const data = { rows, isSlippery };
  const distance = start === goal ? 0 : getGoalDistances(readLake(data))[start];
  return distance < minDistance || distance === Infinity || !cells.includes("H") ? undefined : data;
}
