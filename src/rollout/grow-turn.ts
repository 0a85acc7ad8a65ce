// internal
import type { Turn, Usage } from "../core/index.js";

/** A turn whose record is being written. */
export type GrowingTurn = { -readonly [field in keyof Turn]: Turn[field] };

/** Adds what the env answered. Field by field, since turns of one shape take less room and time than copies do. */
export function copyAnswer(turn: GrowingTurn, answer: Partial<Turn>): void {
  const { reward, flags, distanceBefore, distanceAfter, regret, solvedAfter, usage } = answer;
  if (reward !== undefined) turn.reward = reward;
  if (flags !== undefined) turn.flags = flags;
  if (distanceBefore !== undefined) turn.distanceBefore = distanceBefore;
  if (distanceAfter !== undefined) turn.distanceAfter = distanceAfter;
  if (regret !== undefined) turn.regret = regret;
  if (solvedAfter !== undefined) turn.solvedAfter = solvedAfter;
  if (usage !== undefined) turn.usage = usage;
}

/** Returns the sum of what two stretches of an episode used. */
export function addUsage(first: Usage, second: Usage): Usage {
  return {
    turns: first.turns + second.turns,
    tokens: first.tokens + second.tokens,
    toolCalls: first.toolCalls + second.toolCalls,
    seconds: first.seconds + second.seconds,
    cost: first.cost + second.cost,
  };
}
