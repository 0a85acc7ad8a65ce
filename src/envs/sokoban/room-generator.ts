// internal
import type { Random } from "../../core/index.js";
import { directions, moveCell } from "../grid.js";
import { measureRoom, renderRows, type Room, type RoomData } from "./room.js";

/** Size with walls, floor cells, boxes, and the fewest moves a solution may take. */
const levels = [
  { size: 6, floorCount: 12, boxCount: 1, minMoves: 3, maxMoves: 6 },
  { size: 6, floorCount: 12, boxCount: 1, minMoves: 8, maxMoves: 30 },
  { size: 7, floorCount: 18, boxCount: 2, minMoves: 10, maxMoves: 40 },
] as const;

/** Number of difficulty levels: one box near, one box far, two boxes. */
export const roomLevelCount = levels.length;

/** Returns walls with a connected floor of `floorCount` cells, dug by a random walk inside the border. */
function digFloor(size: number, floorCount: number, random: Random): boolean[] {
  const isWall = Array.from({ length: size * size }, () => true);
  const isInside = (cell: number) =>
    cell % size > 0 && cell % size < size - 1 && cell >= size && cell < size * (size - 1);
  let cell = (1 + random.nextInt(size - 2)) * size + 1 + random.nextInt(size - 2);
  for (let dug = 0; dug < floorCount;) {
    if (isWall[cell]) [isWall[cell], dug] = [false, dug + 1];
    const next = moveCell(cell, random.pick(directions), size, size);
    if (isInside(next)) cell = next;
  }
  return isWall;
}

/**
 * Returns a random room of this level, or `undefined` when the draw has no start that is far enough. The start is
 * drawn from the states that backward play from the solution reaches, so every room can be solved.
 */
export function generateRoom(level: number, random: Random): RoomData | undefined {
  const { size, floorCount, boxCount, minMoves, maxMoves } = levels[level - 1];
  const isWall = digFloor(size, floorCount, random);
  const floor = isWall.flatMap((wall, cell) => (wall ? [] : [cell]));
  const targets = random
    .shuffle(floor)
    .slice(0, boxCount)
    .sort((a, b) => a - b);
  const room: Room = { width: size, height: size, isWall, targets, start: { player: floor[0], boxes: targets } };
  const starts = measureRoom(room).listStates(minMoves, maxMoves);
  return starts.length === 0 ? undefined : { rows: renderRows(room, random.pick(starts)) };
}
