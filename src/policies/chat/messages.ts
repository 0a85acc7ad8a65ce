// internal
import type { ChatMessage, ChatMessageToolCall } from "../../chat/index.js";
import {
  defaultTextGrammar,
  type Action,
  type Observation,
  type PolicyRequest,
  type ToolCall,
  type Turn,
} from "../../core/index.js";
import type { ChatPolicyOptions } from "./config.js";
import { isPlainText, renderSystemPrompt, renderTextAction } from "./surface.js";

/** What stands behind one observation: the calls it answers and the budget text that goes with it. */
interface Shown {
  readonly observation: Observation;
  readonly notice?: string;
}

/**
 * Returns the id a call is known by in messages: its own, or one made from its place. Nine letters and digits, since
 * Mistral's chat templates accept nothing else.
 */
export function getCallId(call: ToolCall, turnIndex: number, callIndex: number): string {
  return call.id ?? `c${String(turnIndex).padStart(4, "0")}${String(callIndex).padStart(4, "0")}`;
}

function joinText(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join("\n\n");
}

/** Returns everything an observation says, as one text. Results that the text repeats are not said twice. */
function renderObservation({ observation, notice }: Shown): string {
  const { text, toolResults = [] } = observation;
  const results = toolResults.map((result) => result.text).join("\n");
  return joinText(text === "" ? results : text, notice);
}

function toMessageCall(call: ToolCall, turnIndex: number, callIndex: number): ChatMessageToolCall {
  const { name, arguments: values, rawArguments } = call;
  // What could not be parsed goes back word for word, so that the model sees what it wrote.
  const written = values === undefined ? (rawArguments ?? "{}") : JSON.stringify(values);
  return { id: getCallId(call, turnIndex, callIndex), type: "function", function: { name, arguments: written } };
}

/** Returns an action's text; calls that were made without any (by another policy, as tools) are written by the grammar. */
function renderActionText(
  { text, toolCalls = [] }: Action,
  { grammar = defaultTextGrammar }: ChatPolicyOptions,
): string {
  if (text !== "") return text;
  return toolCalls
    .map(
      ({ name, arguments: values, rawArguments }) =>
        `${name} ${values === undefined ? (rawArguments ?? "") : JSON.stringify(values)}`,
    )
    .map((action) => renderTextAction(action.trim(), grammar))
    .join("\n");
}

function renderAssistant(
  action: Action,
  turnIndex: number,
  areToolsShown: boolean,
  options: ChatPolicyOptions,
): ChatMessage {
  const { sendReasoningBack = false, reasoningForm = "reasoning_content" } = options;
  const { reasoning, toolCalls = [] } = action;
  const text = areToolsShown ? action.text : renderActionText(action, options);
  const calls = areToolsShown ? toolCalls.map((call, i) => toMessageCall(call, turnIndex, i)) : [];
  const isShown = sendReasoningBack && reasoning !== undefined;
  const content = isShown && reasoningForm === "think_tag" ? `<think>\n${reasoning}\n</think>\n\n${text}` : text;
  return {
    role: "assistant",
    content, // "" and not null beside tool calls: llama-cpp-python's server answers null with an error 500
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(isShown && reasoningForm === "reasoning_content" ? { reasoning_content: reasoning } : {}),
    ...(isShown && reasoningForm === "reasoning" ? { reasoning } : {}),
  };
}

/**
 * Returns the text that answers each call, in call order: the result with its id, else the result in its place.
 * Servers refuse a history in which a call has no answer, so one that the env did not answer says that.
 */
function matchResults(calls: readonly ToolCall[], observation: Observation): (string | undefined)[] {
  const { toolResults = [] } = observation;
  const free = new Set(toolResults);
  const texts = calls.map((call) => {
    if (call.id === undefined) return undefined;
    const result = [...free].find(({ callId }) => callId === call.id);
    if (result !== undefined) free.delete(result);
    return result?.text;
  });
  return texts.map((text, i) => {
    if (text !== undefined) return text;
    const inPlace = toolResults[i];
    const result = inPlace !== undefined && free.has(inPlace) ? inPlace : [...free][0];
    if (result !== undefined) free.delete(result);
    return result?.text;
  });
}

/** Returns the tool messages that answer an action's calls, with the rest of what the observation says in the last. */
function renderToolMessages(
  calls: readonly ToolCall[],
  turnIndex: number,
  { observation, notice }: Shown,
): ChatMessage[] {
  const texts = matchResults(calls, observation);
  // Envs repeat the results as one text for the text surface.
  const given = (observation.toolResults ?? []).map((result) => result.text);
  const isRepeated = observation.text === given.join("\n") || observation.text === given.join("\n\n");
  const rest = joinText(isRepeated ? undefined : observation.text, notice);
  return calls.map((call, i) => {
    const own = texts[i] ?? (i === calls.length - 1 && rest !== "" ? undefined : "Not carried out.");
    const content = i === calls.length - 1 ? joinText(own, rest) : (own ?? "");
    return { role: "tool", tool_call_id: getCallId(call, turnIndex, i), content };
  });
}

/** Returns the messages that show one observation after the action before it. */
function renderReply(before: Turn, turnIndex: number, shown: Shown, areToolsShown: boolean): ChatMessage[] {
  const calls = before.action.toolCalls ?? [];
  if (areToolsShown && calls.length > 0) return renderToolMessages(calls, turnIndex, shown);
  return [{ role: "user", content: renderObservation(shown) }];
}

/** Returns the first user message; with a shortened history it also holds what the first turn kept was shown. */
function renderTask(task: Shown, first: number, shown: Shown): ChatMessage {
  if (first === 0) return { role: "user", content: renderObservation(shown) };
  const gap = first === 1 ? "[1 earlier turn is left out]" : `[${first} earlier turns are left out]`;
  return { role: "user", content: joinText(renderObservation(task), gap, renderObservation(shown)) };
}

/** The messages of an episode so far that no later turn changes: all but what shows the newest observation. */
interface Transcript {
  readonly env: PolicyRequest["env"];
  readonly messages: ChatMessage[];
  /** The turns that the messages stand for, those left out included. */
  turnCount: number;
  lastTurn: Turn | undefined;
}

/** Transcripts by the list of turns they stand for: an episode shows the same list at every turn, grown by one. */
export type Transcripts = WeakMap<readonly Turn[], Transcript>;

/** Returns what is known of an episode's messages, if anything; whoever shows another history in its list gets nothing. */
function findTranscript({ turns, env }: PolicyRequest, transcripts: Transcripts): Transcript | undefined {
  const found = transcripts.get(turns);
  const isSame = found !== undefined && found.env === env && found.turnCount <= turns.length;
  return isSame && found.lastTurn === turns[found.turnCount - 1] ? found : undefined;
}

/**
 * Returns the chat that stands for an episode so far: the system prompt, the task, then each turn's action and what
 * the env answered. Budget texts stand where they were told: with the task, or at the end of an observation. Every
 * tool call is answered. A closing prompt comes last, as the user's. With `transcripts`, the messages of earlier calls
 * for the same episode are taken over, so that a turn costs the same however many came before it.
 */
export function renderMessages(
  request: PolicyRequest,
  options: ChatPolicyOptions,
  transcripts?: Transcripts,
): ChatMessage[] {
  const { surface = "tools", maxHistoryTurns = Infinity } = options;
  const { turns, env, closingPrompt } = request;
  const areToolsShown = surface === "tools" && !isPlainText(request);
  const first = Math.max(0, turns.length - maxHistoryTurns);
  const isKept = transcripts !== undefined && first === 0;
  let transcript = isKept ? findTranscript(request, transcripts) : undefined;
  if (transcript === undefined) {
    const system: ChatMessage = { role: "system", content: renderSystemPrompt(request, options) };
    transcript = { env, messages: [system], turnCount: first, lastTurn: undefined };
    if (isKept) transcripts.set(turns, transcript);
  }
  const show = (index: number, shown: Shown): ChatMessage[] =>
    index === first
      ? [renderTask(turns[0] ?? shown, first, shown)]
      : renderReply(turns[index - 1], index - 1, shown, areToolsShown);
  for (let i = transcript.turnCount; i < turns.length; i += 1) {
    transcript.messages.push(...show(i, turns[i]), renderAssistant(turns[i].action, i, areToolsShown, options));
  }
  transcript.turnCount = turns.length;
  transcript.lastTurn = turns[turns.length - 1];
  const messages = [...transcript.messages, ...show(turns.length, request)];
  return closingPrompt === undefined ? messages : addClosingPrompt(messages, closingPrompt);
}

/** Adds the prompt to a last user message, as some chat templates refuse two user messages in a row. */
function addClosingPrompt(messages: ChatMessage[], prompt: string): ChatMessage[] {
  const last = messages[messages.length - 1];
  if (last.role !== "user") return [...messages, { role: "user", content: prompt }];
  return [...messages.slice(0, -1), { role: "user", content: joinText(last.content, prompt) }];
}
