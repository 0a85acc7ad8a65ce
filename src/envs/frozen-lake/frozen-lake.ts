import { pureEnv, readPureState, tagNumber, type Action, type Env, type Oracle, type Task } from "../../core/index.js";
import { applyCommands, createCallAction, readCommand, type CommandAnswer } from "../commands.js";
import { createMoveTool, directions, moveCell, type Direction } from "../grid.js";
import { memoize } from "../memo.js";
import { makeTaskSuite } from "../task-suite.js";
import { createLakeChances, tieMargin } from "./lake-chances.js";
import {
  drawSlip,
  generateLake,
  getGoalDistances,
  getSlips,
  isFinalCell,
  lakeLevelCount,
  readLake,
  type Lake,
  type LakeData,
  type LakeState,
} from "./lake.js";

const instructions = [
  "You stand on a frozen lake and must walk to the goal without falling into a hole.",
  "The map shows: P you, _ ice, O a hole, G the goal. Each move goes one cell up, down, left or right; a move off the map leaves you where you are.",
  "Falling into a hole ends the episode. On slippery ice, which is announced at the beginning, a move goes where you meant with probability 1/3, and to the left or the right of that with probability 1/3 each.",
].join("\n");
const tools = [createMoveTool("Walk one cell on the lake.")];

/** Returns the map with the agent on it. */
function renderLake({ width, cells }: Lake, cell: number): string {
  const symbols = cells.map((symbol, index) => {
    if (index === cell) return { H: "X", G: "√" }[symbol] ?? "P";
    return { H: "O", G: "G" }[symbol] ?? "_";
  });
  return Array.from({ length: symbols.length / width }, (_, row) =>
    symbols.slice(row * width, (row + 1) * width).join(""),
  ).join("\n");
}

/** What is computed once for each lake. */
function prepareLake(task: Task) {
  const lake = readLake(task.data as LakeData); // made by generateLake
  return { lake, distances: getGoalDistances(lake), chances: createLakeChances(lake) };
}
type PreparedLake = ReturnType<typeof prepareLake>;

function describeMove(lake: Lake, cell: number, next: number, meant: Direction, taken: Direction): string {
  const slipped = meant === taken ? "" : `You slipped and went ${taken} instead of ${meant}. `;
  if (lake.cells[next] === "G") return `${slipped}You reached the goal.`;
  if (lake.cells[next] === "H") return `${slipped}You fell into a hole.`;
  if (next === cell) return `${slipped}The edge of the lake stopped you.`;
  return slipped === "" ? `You moved ${taken}.` : slipped.trim();
}

/** Returns the directions an action asks for; calls that cannot be carried out are left out, as in a step. */
function readMoves(action: Action): Direction[] {
  if (action.invalid !== undefined || action.quit === true) return [];
  return (action.toolCalls ?? []).flatMap((call) => {
    const read = readCommand(call, tools);
    return "flags" in read ? [] : [read.values["direction"] as Direction]; // the schema allows nothing else
  });
}

/** Returns the chance of success when these moves are made from `cell` in this turn and `turnsAfter` turns follow. */
function getMovesChance(lake: PreparedLake, cell: number, moves: readonly Direction[], turnsAfter: number): number {
  const { width, height } = lake.lake;
  if (moves.length === 0 || isFinalCell(lake.lake, cell)) return lake.chances.getChance(cell, turnsAfter);
  return getSlips(lake.lake, moves[0]).reduce((sum, { probability, value }) => {
    return sum + probability * getMovesChance(lake, moveCell(cell, value, width, height), moves.slice(1), turnsAfter);
  }, 0);
}

function createLakeOracle(prepare: (task: Task) => PreparedLake): Oracle {
  return {
    bestActions(task, snapshot, turnsLeft = Infinity) {
      const { lake, distances, chances } = prepare(task);
      const { cell } = readPureState<LakeState>(snapshot);
      // On firm ice the fewest steps are best, however many turns are left.
      const best = chances.getBest(cell, lake.isSlippery || distances[cell] === Infinity ? turnsLeft : distances[cell]);
      return best.map((direction) => createCallAction("move", { direction }));
    },
    allowedActions: () => directions.map((direction) => createCallAction("move", { direction })),
    getSuccessChance(task, snapshot, turnsLeft = Infinity, first) {
      const prepared = prepare(task);
      const { cell } = readPureState<LakeState>(snapshot);
      if (first === undefined) return prepared.chances.getChance(cell, turnsLeft);
      return turnsLeft < 1
        ? prepared.chances.getChance(cell, 0)
        : getMovesChance(prepared, cell, readMoves(first), turnsLeft - 1);
    },
  };
}

/** What the oracle says about one step: distances on firm ice, regret on slippery ice. */
function describeChoice(
  { lake, distances, chances }: PreparedLake,
  before: number,
  after: number,
  moved: readonly [number, Direction][],
) {
  if (!lake.isSlippery)
    return { distanceBefore: tagNumber(distances[before]), distanceAfter: tagNumber(distances[after]) };
  const losses = moved.map(
    ([cell, direction]) => chances.getChance(cell, Infinity) - chances.getStepChance(cell, direction, Infinity),
  );
  const regret = losses.reduce((sum, loss) => (loss < tieMargin ? sum : sum + loss), 0);
  return { regret: Math.min(1, regret) };
}

/**
 * Returns the frozen-lake env: walk over ice to the goal, around holes that end the episode. Levels 1 and 2 are firm
 * ice (4 x 4, 6 x 6), 3 and 4 slippery ice (4 x 4, 5 x 5), where a move goes where it was meant with probability 1/3 and to either
 * side with 1/3 each (Gym's rules, as RAGEN plays them). The reward is 1 at the goal.
 *
 * Steps carry distances on firm ice (turns of one move each, infinite in a hole) and, on slippery ice, the regret
 * without a turn limit; the oracle's chances for a given number of turns are exact.
 */
export function createFrozenLakeEnv(): Env {
  const prepare = memoize((task: Task) => task.hash, prepareLake);
  return pureEnv<LakeState>({
    id: "frozen-lake",
    version: "1",
    instructions,
    tools,
    text: {
      instructions: "Write one move as <action>move DIRECTION</action> where DIRECTION is up, down, left or right.",
      examples: directions.map((direction) => `<action>move ${direction}</action>`),
    },
    isSuccessAbsorbing: true,
    isDeterministic: true,
    makeTasks: (request) => makeTaskSuite("frozen-lake", request, lakeLevelCount, generateLake),
    initial: (task) => ({ cell: prepare(task).lake.start }),
    observe(state, task) {
      const { lake } = prepare(task);
      return { text: `The ice is ${lake.isSlippery ? "slippery" : "firm"}.\n${renderLake(lake, state.cell)}` };
    },
    step(state, action, task, random) {
      const prepared = prepare(task);
      const { lake } = prepared;
      const moved: [number, Direction][] = [];
      const applied = applyCommands<LakeState>(
        action,
        tools,
        state,
        ({ cell }, { values }): CommandAnswer<LakeState> => {
          const meant = values["direction"] as Direction; // the schema allows nothing else
          const taken = drawSlip(lake, meant, random);
          const next = moveCell(cell, taken, lake.width, lake.height);
          moved.push([cell, meant]);
          const text = describeMove(lake, cell, next, meant, taken);
          if (lake.cells[next] === "G") return { state: { cell: next }, text, reward: 1, ended: "solved" };
          return { state: { cell: next }, text, ...(lake.cells[next] === "H" ? { ended: "env_fail" } : {}) };
        },
        { describe: ({ cell }) => renderLake(lake, cell) },
      );
      return {
        ...applied,
        solvedAfter: lake.cells[applied.state.cell] === "G",
        ...describeChoice(prepared, state.cell, applied.state.cell, moved),
      };
    },
    render: (state, task) => renderLake(prepare(task).lake, state.cell),
    oracle: createLakeOracle(prepare),
  });
}
