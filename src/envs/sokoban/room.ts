// internal
import { directions, moveCell, opposite, type Direction } from "../grid.js";

/** One room. Rows hold `#` wall, `_` floor, `O` target, `X` box, `√` box on a target, `P` player, `S` player on a target. */
export type RoomData = { readonly rows: readonly string[] };

/** Where player and boxes are, as row-major cell indexes; boxes in ascending order. */
export type RoomState = { readonly player: number; readonly boxes: readonly number[] };

/** A room ready for use. */
export interface Room {
  readonly width: number;
  readonly height: number;
  readonly isWall: readonly boolean[];
  readonly targets: readonly number[];
  readonly start: RoomState;
}

function findCells(symbols: readonly string[], wanted: string): number[] {
  return symbols.flatMap((symbol, cell) => (wanted.includes(symbol) ? [cell] : []));
}

/** Returns the room that the data describe. */
export function readRoom({ rows }: RoomData): Room {
  const symbols = rows.flatMap((row) => row.split(""));
  return {
    width: rows[0]?.length ?? 0,
    height: rows.length,
    isWall: symbols.map((symbol) => symbol === "#"),
    targets: findCells(symbols, "O√S"),
    start: { player: findCells(symbols, "PS")[0] ?? 0, boxes: findCells(symbols, "X√") },
  };
}

/** Returns the rows that show the room in this state; the inverse of {@linkcode readRoom}. */
export function renderRows({ width, isWall, targets }: Room, { player, boxes }: RoomState): string[] {
  const symbols = isWall.map((wall, cell) => {
    const isTarget = targets.includes(cell);
    if (wall) return "#";
    if (cell === player) return isTarget ? "S" : "P";
    if (boxes.includes(cell)) return isTarget ? "√" : "X";
    return isTarget ? "O" : "_";
  });
  return Array.from({ length: symbols.length / width }, (_, row) =>
    symbols.slice(row * width, (row + 1) * width).join(""),
  );
}

/** Returns the number of boxes that stand on a target. */
export function countPlaced({ targets }: Room, { boxes }: RoomState): number {
  return boxes.filter((box) => targets.includes(box)).length;
}

/** Says whether every box stands on a target. */
export function isSolvedRoom(room: Room, state: RoomState): boolean {
  return countPlaced(room, state) === state.boxes.length;
}

/** Returns the boxes with one of them moved, in ascending order. */
function replaceBox(boxes: readonly number[], from: number, to: number): number[] {
  return boxes.map((box) => (box === from ? to : box)).sort((a, b) => a - b);
}

/** Returns the state after a move; the same state when a wall, or a box that cannot give way, is there. */
export function movePlayer({ width, height, isWall }: Room, state: RoomState, direction: Direction): RoomState {
  const player = moveCell(state.player, direction, width, height);
  if (isWall[player] || player === state.player) return state;
  if (!state.boxes.includes(player)) return { player, boxes: state.boxes };
  const behind = moveCell(player, direction, width, height);
  if (isWall[behind] || behind === player || state.boxes.includes(behind)) return state;
  return { player, boxes: replaceBox(state.boxes, player, behind) };
}

/** The fewest moves to a solution from every state of a room. */
export interface RoomDistances {
  /** Returns the moves needed from `state`; infinite when it cannot be solved any more. */
  getDistance(state: RoomState): number;
  /** Returns every state from which a solution can be reached in `min` to `max` moves, in a fixed order. */
  listStates(min: number, max: number): RoomState[];
}

/**
 * Returns the exact distance of every state, by breadth-first search backwards from all solved states: a step back
 * either undoes a plain move or also pulls the box that was pushed. States never reached are deadlocks.
 */
export function measureRoom(room: Room): RoomDistances {
  const { width, height, isWall, targets } = room;
  const floor = isWall.flatMap((wall, cell) => (wall ? [] : [cell]));
  const floorIndex = isWall.map((wall, cell) => (wall ? -1 : floor.indexOf(cell)));
  const boxCount = room.start.boxes.length;
  const distances = new Int32Array(floor.length ** (boxCount + 1)).fill(-1);
  const getKey = ({ player, boxes }: RoomState): number =>
    boxes.reduce((key, box) => key * floor.length + floorIndex[box], floorIndex[player]);

  const queue: RoomState[] = [];
  function visit(state: RoomState, distance: number): void {
    const key = getKey(state);
    if (distances[key] >= 0) return;
    distances[key] = distance;
    queue.push(state);
  }
  for (const player of floor) {
    if (!targets.includes(player)) visit({ player, boxes: targets }, 0);
  }
  for (const state of queue) {
    const next = distances[getKey(state)] + 1;
    for (const direction of directions) {
      const from = moveCell(state.player, opposite[direction], width, height);
      if (from === state.player || isWall[from] || state.boxes.includes(from)) continue;
      visit({ player: from, boxes: state.boxes }, next);
      const pushed = moveCell(state.player, direction, width, height);
      if (state.boxes.includes(pushed))
        visit({ player: from, boxes: replaceBox(state.boxes, pushed, state.player) }, next);
    }
  }
  return {
    getDistance(state) {
      const distance = distances[getKey(state)];
      return distance < 0 ? Infinity : distance;
    },
    listStates: (min, max) =>
      queue.filter((state) => distances[getKey(state)] >= min && distances[getKey(state)] <= max),
  };
}
