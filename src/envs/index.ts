export type { AppliedAction, Command, CommandAnswer, RefusedCall } from "./commands.js";
export { applyCommands, createCallAction, readCommand } from "./commands.js";
export { createFrozenLakeEnv } from "./frozen-lake/frozen-lake.js";
export type { LookupComparison, LookupData, LookupParagraph, LookupState } from "./lookup/lookup-data.js";
export { normalizeAnswer } from "./lookup/lookup-data.js";
export { createSokobanEnv } from "./sokoban/sokoban.js";
export { makeTaskSuite } from "./task-suite.js";
export { createVaultEnv } from "./vault/vault.js";
