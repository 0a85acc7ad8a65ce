export type { AppliedAction, Command, CommandAnswer, RefusedCall } from "./commands.js";
export { applyCommands, createCallAction, readCommand } from "./commands.js";
export { createFrozenLakeEnv } from "./frozen-lake/frozen-lake.js";
export { createSokobanEnv } from "./sokoban/sokoban.js";
export { makeTaskSuite } from "./task-suite.js";
