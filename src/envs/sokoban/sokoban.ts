import { pureEnv, readPureState, tagNumber, type Env, type Oracle, type Task } from "../../core/index.js";
import { applyCommands, createCallAction, type CommandAnswer } from "../commands.js";
import { createMoveTool, directions, type Direction } from "../grid.js";
import { memoize } from "../memo.js";
import { makeTaskSuite } from "../task-suite.js";
import { generateRoom, roomLevelCount } from "./room-generator.js";
import {
  countPlaced,
  isSolvedRoom,
  measureRoom,
  movePlayer,
  readRoom,
  renderRows,
  type Room,
  type RoomData,
  type RoomState,
} from "./room.js";

const instructions = [
  "You are in a warehouse and must push every box onto a target.",
  "The map shows: # wall, _ floor, O target, X box, √ box on a target, P you, S you on a target.",
  "Each move goes one cell up, down, left or right. Walking into a box pushes it one cell on if the cell behind it is free; boxes cannot be pulled, and two boxes in a row cannot be pushed. A box pushed into a corner may never come out again.",
].join("\n");
const tools = [createMoveTool("Walk one cell, pushing a box that is in the way.")];

/** What is computed once for each room. */
function prepareRoom(task: Task) {
  const room = readRoom(task.data as RoomData); // made by generateRoom
  return { room, distances: measureRoom(room) };
}

/** RAGEN's rewards: -0.1 for an action, 1 for a box put on a target, -1 for one taken off, 10 when all are placed. */
function getReward(room: Room, before: RoomState, after: RoomState): number {
  const placed = countPlaced(room, after) - countPlaced(room, before);
  return placed - 0.1 + (isSolvedRoom(room, after) ? 10 : 0);
}

function describeMove(room: Room, before: RoomState, after: RoomState, direction: Direction): string {
  if (isSolvedRoom(room, after)) return "Every box is on a target.";
  if (before === after) return `You cannot go ${direction}: the way is blocked.`;
  if (before.boxes === after.boxes) return `You moved ${direction}.`;
  const change = countPlaced(room, after) - countPlaced(room, before);
  const suffix = change > 0 ? " onto a target" : change < 0 ? " off its target" : "";
  return `You pushed a box ${direction}${suffix}.`;
}

function createRoomOracle(prepare: (task: Task) => ReturnType<typeof prepareRoom>): Oracle {
  const toActions = (chosen: readonly Direction[]) =>
    chosen.map((direction) => createCallAction("move", { direction }));
  return {
    bestActions(task, snapshot) {
      const { room, distances } = prepare(task);
      const state = readPureState<RoomState>(snapshot);
      const after = directions.map((direction) => distances.getDistance(movePlayer(room, state, direction)));
      return toActions(directions.filter((_, index) => after[index] === Math.min(...after)));
    },
    allowedActions: () => toActions(directions),
  };
}

/**
 * Returns the sokoban env: push boxes onto targets. Levels 1 and 2 are 6 x 6 rooms with one box (walls included; at
 * most 6, at least 8 moves), level 3 is 7 x 7 with two boxes. Rewards are RAGEN's: -0.1 an action, +1 for a box put
 * on a target, -1 for one taken off, +10 when done. A move that is blocked costs its turn and changes nothing.
 *
 * Distances are exact (turns of one move each), and infinite as soon as the room cannot be solved any more. Being
 * stuck does not end the episode.
 */
export function createSokobanEnv(): Env {
  const prepare = memoize((task: Task) => task.hash, prepareRoom);
  return pureEnv<RoomState>({
    id: "sokoban",
    version: "1",
    instructions,
    tools,
    text: {
      instructions: "Write one move as <action>move DIRECTION</action> where DIRECTION is up, down, left or right.",
      examples: directions.map((direction) => `<action>move ${direction}</action>`),
    },
    isSuccessAbsorbing: true,
    isDeterministic: true,
    makeTasks: (request) => makeTaskSuite("sokoban", request, roomLevelCount, generateRoom),
    initial: (task) => prepare(task).room.start,
    observe: (state, task) => ({ text: renderRows(prepare(task).room, state).join("\n") }),
    step(state, action, task) {
      const { room, distances } = prepare(task);
      const applied = applyCommands<RoomState>(
        action,
        tools,
        state,
        (before, { values }): CommandAnswer<RoomState> => {
          const direction = values["direction"] as Direction; // the schema allows nothing else
          const after = movePlayer(room, before, direction);
          const text = describeMove(room, before, after, direction);
          const reward = getReward(room, before, after);
          return { state: after, text, reward, ...(isSolvedRoom(room, after) ? { ended: "solved" } : {}) };
        },
        { describe: (current) => renderRows(room, current).join("\n") },
      );
      return {
        ...applied,
        solvedAfter: isSolvedRoom(room, applied.state),
        distanceBefore: tagNumber(distances.getDistance(state)),
        distanceAfter: tagNumber(distances.getDistance(applied.state)),
      };
    },
    render: (state, task) => renderRows(prepare(task).room, state).join("\n"),
    oracle: createRoomOracle(prepare),
  });
}
