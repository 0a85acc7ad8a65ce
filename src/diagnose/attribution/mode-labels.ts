import {
  isFlaggedError,
  isQuit,
  untagNumber,
  type TerminalRule,
  type Trajectory,
  type Turn,
} from "../../core/index.js";
import { outcomeIndex, modeStride } from "./mode-chain.js";

/** Whether an episode is going well, or is working off an error. */
export type EpisodeMode = "clean" | "error";

/** The mode an episode is in, and the smallest oracle distance it has reached. */
export interface ModeState {
  readonly mode: EpisodeMode;
  /** Absent before the first turn and where the env knows no distance. */
  readonly bestDistance?: number;
}

/** The mode at the start of an episode. */
export const firstModeState: ModeState = { mode: "clean" };

/** What of a turn decides the mode after it. */
export type LabelledTurn = Pick<Turn, "flags" | "distanceBefore" | "distanceAfter" | "regret" | "extra">;

/** A rule of the user's that says after which turns an episode is in error; it returns `undefined` where it cannot say. */
export type TurnJudge = (turn: LabelledTurn) => EpisodeMode | undefined;

/** Where a label came from. */
export type LabelSource = "judge" | "distance" | "signals";

/** Choices that give away less than this chance of success are no errors. */
const minRegret = 1e-9;

/** Returns where the label after this turn comes from: the judge, the oracle distance, or else what the env signals. */
export function getLabelSource(turn: LabelledTurn, judge?: TurnJudge): LabelSource {
  if (judge?.(turn) !== undefined) return "judge";
  const isKnown = untagNumber(turn.distanceBefore) !== undefined && untagNumber(turn.distanceAfter) !== undefined;
  return isKnown ? "distance" : "signals";
}

/**
 * Says whether the record of a turn can tell of an error at all: by a label, a distance, a regret or a flag. Importers and
 * envs note flags only where something went wrong, so a turn without any says nothing by itself.
 */
export function tellsMode(turn: LabelledTurn, judge?: TurnJudge): boolean {
  if (getLabelSource(turn, judge) !== "signals") return true;
  return turn.regret !== undefined || isFlaggedError(turn.flags);
}

/**
 * Returns the mode after one more turn. With an oracle distance an episode is clean when the turn lowered the distance
 * to the smallest value reached so far, and in error otherwise, so a wasted turn is an error too. Without a distance it
 * is in error after a turn that was flagged (invalid, unknown tool, tool error) or that gave away a chance of success: errors the
 * env does not signal go unseen. A `judge` overrides both where it says something.
 */
export function advanceMode(state: ModeState, turn: LabelledTurn, judge?: TurnJudge): ModeState {
  const before = untagNumber(turn.distanceBefore);
  const after = untagNumber(turn.distanceAfter);
  const reached = [state.bestDistance, before, after].filter((distance) => distance !== undefined);
  const best = reached.length === 0 ? undefined : Math.min(...reached);
  const rest = best === undefined ? {} : { bestDistance: best };
  const judged = judge?.(turn);
  if (judged !== undefined) return { mode: judged, ...rest };
  if (before !== undefined && after !== undefined) {
    return { mode: after < before && after === best ? "clean" : "error", ...rest };
  }
  const isError = isFlaggedError(turn.flags) || (turn.regret ?? 0) > minRegret;
  return { mode: isError ? "error" : "clean", ...rest };
}

/** One episode as the chain sees it. */
export interface ChainEpisode {
  /** By turn: 5 x mode + outcome (indexes of `chainModes` and `chainOutcomes`). */
  readonly events: Uint8Array;
  /** Stopped before its turn budget by another limit, or for a reason that is not known. */
  readonly isTruncated: boolean;
  /** Solved at some turn, and not solved at its end. */
  readonly hasLostSuccess: boolean;
  /** Labels by where they came from. */
  readonly sources: { readonly [source in LabelSource]: number };
}

/** Returns the 0-based turn in which the episode counts as solved, or -1. */
function findSolvedTurn({ turns, success }: Trajectory, rule: TerminalRule): number {
  if (success !== true) return -1;
  const last = Math.max(0, turns.length - 1);
  if (rule !== "act") return last;
  let first = last;
  // Solved from here to the end without a gap: success that was lost in between does not count before it is back.
  while (first > 0 && turns[first - 1].solvedAfter === true) first -= 1;
  return first;
}

/**
 * Returns an episode as events of the chain, or `undefined` when it ended in an error or its outcome is not known.
 * Under `act` it is solved in the first turn from which it stays solved, otherwise in its last. Quitting is told from
 * the action alone; a wrong submission and an end by the env are outcomes of the turn. Another limit than turns, or an
 * unknown stop, ends the episode in its last turn like a wrong end and is counted apart.
 */
export function readChainEpisode(
  trajectory: Trajectory,
  rule: TerminalRule,
  judge?: TurnJudge,
): ChainEpisode | undefined {
  const { turns, stopReason, success } = trajectory;
  if (stopReason.type === "error" || success === undefined) return undefined;
  const solvedTurn = findSolvedTurn(trajectory, rule);
  const hasLostSuccess = !success && turns.some((turn) => turn.solvedAfter === true);
  const sources = { judge: 0, distance: 0, signals: 0 };
  const events: number[] = [];
  const isCut = stopReason.type === "max_turns";
  const isTruncated = !isCut && !success && stopReason.type !== "env_end" && stopReason.type !== "quit";
  let state = firstModeState;
  const push = (outcome: number): void => void events.push((state.mode === "clean" ? 0 : modeStride) + outcome);
  for (const [index, turn] of turns.entries()) {
    const isLast = index === turns.length - 1;
    if (index === solvedTurn) {
      push(outcomeIndex.solved);
      break;
    }
    if (isQuit(turn.action)) {
      push(outcomeIndex.quit);
      break;
    }
    if (isLast && (stopReason.type === "env_end" || isTruncated)) {
      push(outcomeIndex.wrong);
      break;
    }
    const next = advanceMode(state, turn, judge);
    sources[getLabelSource(turn, judge)] += 1;
    push(next.mode === "clean" ? outcomeIndex.clean : outcomeIndex.error);
    state = next;
    // Imported episodes may stop without a turn that says so: the quit falls in the turn that was not played.
    if (isLast && stopReason.type === "quit") push(outcomeIndex.quit);
  }
  if (events.length === 0)
    push(success ? outcomeIndex.solved : stopReason.type === "quit" ? outcomeIndex.quit : outcomeIndex.wrong);
  return { events: Uint8Array.from(events), isTruncated, hasLostSuccess, sources };
}
