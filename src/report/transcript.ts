// internal
import {
  getStopLabel,
  untagNumber,
  type Observation,
  type ToolCall,
  type Trajectory,
  type Turn,
} from "../core/index.js";
import { cutText } from "../page/index.js";
import type { BoundedText, ReportAnswer, ReportEpisode, ReportTurn, SelectionReason, TurnState } from "./report.js";

/** How much of an episode a transcript keeps. */
export interface TranscriptLimits {
  /** UTF-16 code units of one text. */
  readonly maxTextLength: number;
  /** Turns; of longer episodes the first two thirds of this and the last third are kept. */
  readonly maxTurns: number;
}

function boundText(text: string, maxLength: number): BoundedText {
  if (text.length <= maxLength) return { text };
  const kept = cutText(text, maxLength);
  return { text: kept, omittedCharacters: text.length - kept.length };
}

function boundAnswer(observation: Observation, maxLength: number): ReportAnswer {
  const toolResults = (observation.toolResults ?? []).map(({ name, text, isError }) => ({
    ...(name === undefined ? {} : { name }),
    text: boundText(text, maxLength),
    ...(isError ? { isError } : {}),
  }));
  // Envs with tools often say the same twice, as text and as the results of the calls.
  const isSaid = observation.toolResults?.map(({ text }) => text).join("\n") === observation.text;
  return { text: boundText(isSaid ? "" : observation.text, maxLength), toolResults };
}

function writeArguments(call: ToolCall): string {
  if (call.arguments !== undefined) return JSON.stringify(call.arguments);
  return call.rawArguments ?? "";
}

/**
 * Says what a turn's colour is: solved after it; a mistake when it was invalid or a tool failed, when it lost chance
 * of success (regret above 0), or when an optimal agent needs no fewer turns after it than before; else clean.
 */
function findTurnState(turn: Turn): TurnState {
  if (turn.solvedAfter === true) return "solved";
  const { flags, action, regret } = turn;
  if (action.invalid !== undefined || flags?.invalid || flags?.toolError || flags?.unknownTool) return "error";
  if (regret !== undefined) return regret > 0 ? "error" : "clean";
  const before = untagNumber(turn.distanceBefore);
  const after = untagNumber(turn.distanceAfter);
  // Once hopeless no turn is a new mistake; the turn that made it so is.
  if (before === undefined || after === undefined || before === Infinity) return "clean";
  return after >= before && before > 0 ? "error" : "clean";
}

function listFlags({ flags, action }: Turn): string[] {
  const words: string[] = [];
  if (flags?.invalid || action.invalid !== undefined) words.push("invalid");
  if (flags?.toolError) words.push("tool_error");
  if (flags?.unknownTool) words.push("unknown_tool");
  if (action.quit) words.push("quit");
  return words;
}

function boundTurn(trajectory: Trajectory, index: number, maxLength: number): ReportTurn {
  const turn = trajectory.turns[index];
  const { action } = turn;
  const answer = trajectory.turns[index + 1]?.observation ?? trajectory.finalObservation;
  const { maxTurns } = trajectory.budget;
  return {
    turn: index + 1,
    state: findTurnState(turn),
    turnsLeft: maxTurns === undefined ? undefined : maxTurns - index,
    notice: turn.notice,
    text: boundText(action.text, maxLength),
    reasoning: action.reasoning ? boundText(action.reasoning, maxLength) : undefined,
    toolCalls: (action.toolCalls ?? []).map((call) => ({
      name: boundText(call.name, 200).text,
      arguments: boundText(writeArguments(call), maxLength),
    })),
    answer: answer === undefined ? undefined : boundAnswer(answer, maxLength),
    reward: turn.reward,
    flags: listFlags(turn),
    invalidReason: action.invalid,
    solvedAfter: turn.solvedAfter,
    distanceBefore: turn.distanceBefore,
    distanceAfter: turn.distanceAfter,
  };
}

/** Returns the transcript of an episode within the limits. */
export function makeTranscript(
  label: string,
  trajectory: Trajectory,
  reason: SelectionReason,
  { maxTextLength, maxTurns }: TranscriptLimits,
): ReportEpisode {
  const { turns, stopReason, closing, task } = trajectory;
  const tail = turns.length > maxTurns ? Math.floor(maxTurns / 3) : 0;
  const head = Math.min(turns.length, maxTurns - tail);
  const kept = turns.map((_turn, index) => index).filter((index) => index < head || index >= turns.length - tail);
  const omittedTurns = turns.length - kept.length;
  const isError = stopReason.type === "error";
  return {
    episodeId: trajectory.episodeId,
    label,
    taskId: task.id,
    sampleIndex: trajectory.sampleIndex,
    budget: trajectory.budget,
    disclosure: trajectory.disclosure,
    terminalRule: trajectory.terminalRule,
    success: trajectory.success,
    stop: getStopLabel(stopReason),
    stopDetail: isError
      ? boundText(`${stopReason.boundary}/${stopReason.errorClass}: ${stopReason.message}`, maxTextLength).text
      : undefined,
    reason,
    turnCount: turns.length,
    opening: turns.length === 0 ? undefined : boundAnswer(turns[0].observation, maxTextLength),
    turns: kept.map((index) => boundTurn(trajectory, index, maxTextLength)),
    omittedTurns: omittedTurns === 0 ? undefined : omittedTurns,
    closing:
      closing === undefined
        ? undefined
        : { prompt: boundText(closing.prompt, maxTextLength), text: boundText(closing.action.text, maxTextLength) },
  };
}
