// internal
import { isJsonObject, type JsonObject, type JsonValue, type ToolCall } from "../../core/index.js";
import { getList } from "./fields.js";

function parseArguments(value: JsonValue | undefined): Pick<ToolCall, "arguments" | "rawArguments"> {
  if (isJsonObject(value)) return { arguments: value };
  if (value === undefined || value === null) return { arguments: {} };
  if (typeof value !== "string") return { rawArguments: JSON.stringify(value) };
  if (value === "") return { arguments: {} };
  try {
    const parsed: unknown = JSON.parse(value);
    if (isJsonObject(parsed)) return { arguments: parsed };
  } catch {
    // Kept as it was written; the turn is marked.
  }
  return { rawArguments: value };
}

function parseCall(value: JsonValue, notes: Set<string>): ToolCall {
  let call = value;
  if (typeof value === "string") {
    notes.add("tool calls were written as JSON text");
    try {
      call = JSON.parse(value) as JsonValue; // JSON.parse returns nothing else
    } catch {
      return { name: "", rawArguments: value };
    }
  }
  if (!isJsonObject(call)) return { name: "", rawArguments: JSON.stringify(value) };
  const inner = isJsonObject(call.function) ? call.function : call;
  const { name } = inner;
  const id =
    typeof call.id === "string" ? call.id : typeof call.tool_call_id === "string" ? call.tool_call_id : undefined;
  const { arguments: parsed, rawArguments } = parseArguments(inner.arguments);
  // A plain literal, absent fields and all: spreading optional fields costs V8 a hidden class for each object.
  return { id, name: typeof name === "string" ? name : "", arguments: parsed, rawArguments };
}

/** Returns the calls of an assistant message: `tool_calls` in any of its shapes, or the old `function_call`. */
export function parseCalls(message: JsonObject, notes: Set<string>): ToolCall[] {
  const { tool_calls: listed, function_call: old } = message;
  let list = listed;
  if (typeof list === "string" && list !== "") {
    try {
      list = JSON.parse(list) as JsonValue; // JSON.parse returns nothing else
    } catch {
      // Read below as one call that cannot be parsed.
    }
  }
  const single = list === undefined || list === null || list === "" ? [] : [list];
  const calls = Array.isArray(list) ? getList(list) : single;
  const parsed = calls.map((call) => parseCall(call, notes));
  if (isJsonObject(old)) parsed.push(parseCall(old, notes));
  return parsed;
}

/** Says whether the exporter would write these calls exactly as they stand in the message. */
function areCallsPlain(message: JsonObject, calls: readonly ToolCall[]): boolean {
  const { tool_calls: listed } = message;
  if (listed === undefined) return calls.length === 0;
  if (!Array.isArray(listed) || listed.length !== calls.length || listed.length === 0) return false;
  return getList(listed).every((item, callIndex) => {
    if (!isJsonObject(item) || !isJsonObject(item.function)) return false;
    const { id, type, function: inner } = item;
    const call = calls[callIndex];
    if (Object.keys(item).length !== 3 || Object.keys(inner).length !== 2 || type !== "function") return false;
    if (id !== call.id || inner.name !== call.name || call.id === undefined) return false;
    return inner.arguments === (call.rawArguments ?? JSON.stringify(call.arguments));
  });
}

/** Returns the fields of an assistant message that its action does not carry as they stand, or `undefined`. */
export function findUnplainFields(message: JsonObject, calls: readonly ToolCall[]): JsonObject | undefined {
  let rest: Record<string, JsonValue | undefined> | undefined;
  for (const key of Object.keys(message)) {
    const value = message[key];
    if (key === "role" && value === "assistant") continue;
    if (key === "content" && typeof value === "string") continue;
    if (key === "reasoning_content" && typeof value === "string" && message.reasoning === undefined) continue;
    if (key === "tool_calls" && areCallsPlain(message, calls)) continue;
    rest ??= {};
    rest[key] = value;
  }
  return rest;
}
