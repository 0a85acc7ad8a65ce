import { isQuit, type Action, type LikelihoodSegment, type Trajectory } from "../../core/index.js";
import { advanceMode, firstModeState } from "../attribution/mode-labels.js";

/** What one token of a turn belongs to. */
export type TokenPart = "thought" | "action" | "unsplit";

/** Marks after which a call is written, in the formats that models use. */
const callMarks = [
  "<tool_call>",
  "<action>",
  "[TOOL_CALLS]",
  "<|python_tag|>",
  "<function=",
  "<|tool_calls_section_begin|>",
  "<｜tool▁calls▁begin｜>",
  "```",
];

/** Returns where the action begins in the raw text of a turn, or `undefined` when it is not found there. */
function findActionStart(raw: string, { text, toolCalls = [], reasoning }: Action): number | undefined {
  // The visible part begins after the reasoning, whether its opening tag was sampled or stood in the prompt.
  const thinkEnd = raw.lastIndexOf("</think>");
  const visible =
    thinkEnd >= 0
      ? thinkEnd + "</think>".length
      : reasoning !== undefined && raw.startsWith(reasoning)
        ? reasoning.length
        : 0;
  if (toolCalls.length > 0) {
    const marked = callMarks.map((mark) => raw.indexOf(mark, visible)).filter((position) => position >= 0);
    if (marked.length > 0) return Math.min(...marked);
    const called = findCall(raw, toolCalls[0].name, visible);
    return called < 0 ? undefined : called;
  }
  const said = text.trim() === "" ? -1 : raw.indexOf(text.trim(), visible);
  return said < 0 ? undefined : said;
}

/** Returns where a call without a mark begins: at the brace of its JSON, else at the last mention of the tool. */
function findCall(raw: string, name: string, from: number): number {
  for (let at = raw.indexOf(name, from); at >= 0; at = raw.indexOf(name, at + 1)) {
    const brace = raw.lastIndexOf("{", at);
    if (brace >= from && /^\{\s*"?(name|function|tool)?"?[\s:"]*$/.test(raw.slice(brace, at))) return brace;
  }
  const last = raw.lastIndexOf(name);
  return last >= from ? last : -1;
}

/**
 * Returns [token] what each token of a turn belongs to, from the token texts: everything before the action (reasoning, and
 * visible text before a call) is thought, the rest is action. A token across the border belongs to the action. Where texts
 * are missing or do not contain the action, all tokens are `unsplit`.
 */
export function splitTurn(action: Action, tokenCount: number, texts: readonly string[] | undefined): TokenPart[] {
  const unsplit = (): TokenPart[] => Array.from({ length: tokenCount }, () => "unsplit");
  if (texts?.length !== tokenCount) return unsplit();
  const start = findActionStart(texts.join(""), action);
  if (start === undefined) return unsplit();
  let end = 0;
  return texts.map((piece) => {
    end += piece.length;
    return end > start || (piece === "" && end === start && start > 0) ? "action" : "thought";
  });
}

/** Returns [turn] the segments of whole turns: `all`, and where they fall the first error, a recovery, the final answer. */
export function labelTurns({ turns, stopReason }: Trajectory): LikelihoodSegment[][] {
  let state = firstModeState;
  let hasErred = false;
  return turns.map((turn, index) => {
    const segments: LikelihoodSegment[] = ["all"];
    const before = state.mode;
    state = advanceMode(state, turn);
    const isEnd = index === turns.length - 1 && stopReason.type === "env_end";
    const erred = state.mode === "error" && !isQuit(turn.action);
    if (erred && !hasErred) segments.push("first_error");
    hasErred ||= erred;
    if (before === "error" && !isQuit(turn.action) && (state.mode === "clean" || turn.solvedAfter === true))
      segments.push("recovery");
    if (isEnd) segments.push("final_answer");
    return segments;
  });
}
