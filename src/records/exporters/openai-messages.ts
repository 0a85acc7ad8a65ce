import {
  isJsonObject,
  type Action,
  type JsonObject,
  type JsonValue,
  type Observation,
  type ToolCall,
  type ToolResult,
  type Trajectory,
  type Turn,
} from "../../core/index.js";
import { textSeparator } from "../importers/observation-builder.js";

function renderCall(call: ToolCall): JsonObject {
  const text = call.rawArguments ?? JSON.stringify(call.arguments ?? {});
  return {
    ...(call.id === undefined ? {} : { id: call.id }),
    type: "function",
    function: { name: call.name, arguments: text },
  };
}

/** Returns the assistant message of a turn: field by field as it was imported, where that is kept. */
function renderAction(action: Action, extra: JsonObject | undefined): JsonObject {
  const absent = Array.isArray(extra?.absent) ? (extra.absent as readonly JsonValue[]) : []; // Array.isArray loses the element type
  const kept = isJsonObject(extra?.message) ? extra.message : {};
  const isReasoningKept = "reasoning" in kept || "reasoning_content" in kept;
  const isCallKept = "tool_calls" in kept || "function_call" in kept;
  return {
    ...(absent.includes("role") ? {} : { role: "assistant" }),
    ...(absent.includes("content") ? {} : { content: action.text }),
    ...(action.reasoning === undefined || isReasoningKept ? {} : { reasoning_content: action.reasoning }),
    ...(action.toolCalls === undefined || isCallKept ? {} : { tool_calls: action.toolCalls.map(renderCall) }),
    ...kept,
  };
}

function renderResult({ callId, name, text, isError }: ToolResult): JsonObject {
  return {
    role: "tool",
    ...(callId === undefined ? {} : { tool_call_id: callId }),
    ...(name === undefined ? {} : { name }),
    content: text,
    ...(isError === true ? { is_error: true } : {}),
  };
}

/** Returns the messages of an observation that was put together from several, each as it was. */
function renderParts(observation: Observation, parts: readonly JsonValue[]): JsonObject[] {
  let at = 0;
  return parts.filter(isJsonObject).map((part) => {
    const fields = isJsonObject(part.fields) ? part.fields : {};
    const isContentKept = part.isContentAbsent === true || "content" in fields;
    if (typeof part.result === "number") {
      const result = observation.toolResults?.[part.result];
      return {
        ...(result?.callId === undefined ? {} : { tool_call_id: result.callId }),
        ...(result?.name === undefined ? {} : { name: result.name }),
        ...(isContentKept ? {} : { content: result?.text ?? "" }),
        ...fields,
      };
    }
    const length = typeof part.length === "number" ? part.length : 0;
    const text = observation.text.slice(at, at + length);
    at += length + textSeparator.length;
    return { ...(isContentKept ? {} : { content: text }), ...fields };
  });
}

function renderObservation(observation: Observation | undefined, observed: JsonValue | undefined): JsonObject[] {
  if (observation === undefined) return [];
  if (Array.isArray(observed)) return renderParts(observation, observed as readonly JsonValue[]); // Array.isArray loses the element type
  const results = (observation.toolResults ?? []).map(renderResult);
  return observation.text === "" && results.length === 0
    ? []
    : [...results, ...(observation.text === "" ? [] : [{ role: "user", content: observation.text }])];
}

function renderTurn({ observation, notice, action, extra }: Turn): {
  readonly shown: JsonObject[];
  readonly answer: JsonObject;
} {
  const shown = renderObservation(observation, extra?.observed);
  if (notice !== undefined) shown.push({ role: "user", content: notice });
  return { shown, answer: renderAction(action, extra) };
}

/** Returns the fields beside the messages: the record's own where it was imported, else named as the importer reads them. */
function renderFields(trajectory: Trajectory): JsonObject {
  const { task, sampleIndex, policy, env, budget, stopReason, success, episodeReturn, extra } = trajectory;
  if (isJsonObject(extra?.record) || trajectory.provenance?.format === "openai-messages") {
    return isJsonObject(extra?.record) ? extra.record : {};
  }
  const stop =
    stopReason.type === "env_end" ? stopReason.kind : stopReason.type === "error" ? { ...stopReason } : stopReason.type;
  return {
    task_id: task.id,
    sample_index: sampleIndex,
    model: policy.id,
    env: env.id,
    env_version: env.version,
    ...(budget.maxTurns === undefined ? {} : { max_turns: budget.maxTurns }),
    ...(success === undefined ? {} : { success }),
    ...(episodeReturn === undefined
      ? {}
      : { reward: typeof episodeReturn === "number" ? episodeReturn : { ...episodeReturn } }),
    ...(stop === "unknown" ? {} : { stop_reason: stop }),
  };
}

/**
 * Returns a trajectory as one record of OpenAI chat messages. Records imported from messages come back field by field;
 * of others, text, calls, results, task, sample, budget, success, reward and stop reason are carried.
 */
export function renderOpenaiRecord(trajectory: Trajectory): JsonObject {
  const turns = trajectory.turns.map(renderTurn);
  const last = renderObservation(trajectory.finalObservation, trajectory.extra?.finalObserved);
  const [first, ...others] = turns;
  const rest = others.flatMap(({ shown, answer }) => [...shown, answer]);
  const fields = renderFields(trajectory);
  // Assistant messages that the agent was given are examples, which only a prompt can tell from turns.
  if (first?.shown.some(({ role }) => role === "assistant") === true) {
    return { prompt: first.shown, completion: [first.answer, ...rest, ...last], ...fields };
  }
  return { messages: [...(first === undefined ? [] : [...first.shown, first.answer]), ...rest, ...last], ...fields };
}

/** Yields trajectories as OpenAI messages JSONL, one line with its line feed each. */
export async function* exportOpenaiMessages(
  trajectories: Iterable<Trajectory> | AsyncIterable<Trajectory>,
): AsyncGenerator<string> {
  for await (const trajectory of trajectories) yield `${JSON.stringify(renderOpenaiRecord(trajectory))}\n`;
}
