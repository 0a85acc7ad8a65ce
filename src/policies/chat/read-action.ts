// internal
import type { ChatAnswer } from "../../chat/index.js";
import {
  defaultTextGrammar,
  parseTextAction,
  type Action,
  type PolicyRequest,
  type ToolCall,
} from "../../core/index.js";
import type { ChatPolicyOptions } from "./config.js";
import { getCallId } from "./messages.js";
import { isPlainText } from "./surface.js";

/** Gives every call an id that is its own within the message. */
function withIds(calls: readonly ToolCall[], turnIndex: number): ToolCall[] {
  const seen = new Set<string>();
  return calls.map((call, i) => {
    const isFree = call.id !== undefined && !seen.has(call.id);
    const id = isFree ? getCallId(call, turnIndex, i) : getCallId({ name: call.name }, turnIndex, i);
    seen.add(id);
    return { ...call, id };
  });
}

function hasBadArguments(call: ToolCall): boolean {
  return call.arguments === undefined;
}

function describeCut(finishReason: string | undefined): string | undefined {
  if (finishReason === "length") return "the answer was cut at the token limit before it held an action";
  if (finishReason === "content_filter") return "the server's content filter held the answer back";
  return undefined;
}

function readToolAction(
  answer: ChatAnswer,
  base: Action,
  request: PolicyRequest,
  noToolCall: "quit" | "invalid",
): Action {
  const { message, finishReason } = answer;
  if (message.toolCalls.length === 0) {
    const cut = describeCut(finishReason);
    if (cut !== undefined) return { ...base, invalid: cut };
    return noToolCall === "quit" ? { ...base, quit: true } : { ...base, invalid: "the message holds no tool call" };
  }
  const toolCalls = withIds(message.toolCalls, request.turnIndex);
  if (!toolCalls.every(hasBadArguments)) return { ...base, toolCalls };
  const names = toolCalls.map(({ name }) => `"${name}"`).join(", ");
  return { ...base, toolCalls, invalid: `the arguments of ${names} are not a JSON object` };
}

/**
 * Returns the action that an answer stands for. What cannot be read is an invalid action, which costs a turn; a
 * message without a tool call is a quit unless the settings say otherwise; the closing answer is its text.
 */
export function readAction(answer: ChatAnswer, request: PolicyRequest, options: ChatPolicyOptions): Action {
  const { surface = "tools", grammar = defaultTextGrammar, noToolCall = "quit" } = options;
  const { message, finishReason } = answer;
  const { content, refusal, reasoning } = message;
  const text = content === "" ? (refusal ?? "") : content;
  const base: Action = { text, ...(reasoning === undefined ? {} : { reasoning }) };
  if (request.closingPrompt !== undefined) return base;
  if (isPlainText(request)) {
    return text === "" ? { ...base, invalid: describeCut(finishReason) ?? "the answer is empty" } : base;
  }
  if (surface === "tools") return readToolAction(answer, base, request, noToolCall);
  const parsed = parseTextAction(text, request.env.tools, grammar);
  switch (parsed.type) {
    case "calls":
      return { ...base, toolCalls: parsed.calls };
    case "quit":
      return { ...base, quit: true };
    case "invalid":
      return { ...base, invalid: describeCut(finishReason) ?? parsed.reason };
    default:
      return parsed satisfies never;
  }
}
