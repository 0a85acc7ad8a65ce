import { isFlaggedError, untagNumber, type Action, type JsonObject, type Turn } from "../../core/index.js";

/** Whether an episode is going well, or is working off an error. */
export type ScriptedMode = "clean" | "error";

/** All that a scripted policy remembers of the turns before: what its next choice depends on, as JSON. */
export type ScriptedMemory = {
  readonly mode: ScriptedMode;
  /** Smallest distance reached so far; absent before the first turn and where the env knows none. */
  readonly bestDistance?: number;
  /** What the last action called; absent when it could not be read. */
  readonly lastCalls?: readonly { readonly name: string; readonly arguments: JsonObject }[];
};

/** What a scripted policy remembers before its first turn. */
export const firstMemory: ScriptedMemory = { mode: "clean" };

/** Choices that give away less than this chance of success are no errors. */
const minRegret = 1e-9;

/** The part of a turn that a scripted policy looks at. */
export type SeenTurn = Pick<Turn, "action" | "flags" | "distanceBefore" | "distanceAfter" | "regret">;

function getMode(
  turn: SeenTurn,
  before: number | undefined,
  after: number | undefined,
  best: number | undefined,
): ScriptedMode {
  if (before !== undefined && after !== undefined) return after < before && after === best ? "clean" : "error";
  return isFlaggedError(turn.flags) || (turn.regret ?? 0) > minRegret ? "error" : "clean";
}

function readLastCalls({ toolCalls = [], invalid }: Action): Pick<ScriptedMemory, "lastCalls"> {
  if (invalid !== undefined || toolCalls.length === 0) return {};
  return { lastCalls: toolCalls.map(({ name, arguments: values = {} }) => ({ name, arguments: values })) };
}

/**
 * Returns the memory after one more turn. An episode is clean when the last action lowered the oracle's distance to
 * the smallest value reached so far, and in error otherwise (the rule of the budgeted mode chain). Where the env
 * knows no distance, it is in error after a turn that was flagged or had a regret.
 */
export function advanceMemory(memory: ScriptedMemory, turn: SeenTurn): ScriptedMemory {
  const [before, after] = [untagNumber(turn.distanceBefore), untagNumber(turn.distanceAfter)];
  const reached = [memory.bestDistance, before, after].filter((distance) => distance !== undefined);
  const best = reached.length === 0 ? undefined : Math.min(...reached);
  return {
    mode: getMode(turn, before, after, best),
    // A hopeless start has no finite best; JSON has no infinity, and absent means the same to the rule above.
    ...(best === undefined || best === Infinity ? {} : { bestDistance: best }),
    ...readLastCalls(turn.action),
  };
}
