export type { AppliedAction, Command, CommandAnswer, RefusedCall } from "./commands.js";
export { applyCommands, createCallAction, readCommand } from "./commands.js";
