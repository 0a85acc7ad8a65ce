// internal
import { isJsonObject, type JsonObject, type ToolCall } from "../core/index.js";

/** Returns arguments as the core form: parsed, or raw when they are not a JSON object. Empty means none. */
function readArguments(value: unknown): Pick<ToolCall, "arguments" | "rawArguments"> {
  if (value === undefined || value === null) return { arguments: {} };
  if (isJsonObject(value)) return { arguments: value };
  if (typeof value !== "string") return { rawArguments: JSON.stringify(value) };
  if (value.trim() === "") return { arguments: {} };
  try {
    const parsed: unknown = JSON.parse(value);
    if (isJsonObject(parsed)) return { arguments: parsed };
  } catch {
    // Not JSON: the env answers for it, and the model sees its own words again.
  }
  return { rawArguments: value };
}

function readToolCall(item: unknown): ToolCall | undefined {
  let value = item;
  if (typeof value === "string") {
    try {
      value = JSON.parse(value);
    } catch {
      return { name: "", rawArguments: String(item) };
    }
  }
  if (!isJsonObject(value)) return undefined;
  const body: JsonObject = isJsonObject(value["function"]) ? value["function"] : value;
  const { name } = body;
  const { id } = value;
  return {
    ...(typeof id === "string" && id !== "" ? { id } : {}),
    name: typeof name === "string" ? name : "",
    ...readArguments(body["arguments"]),
  };
}

/**
 * Returns the calls of an answer's message, in order: `tool_calls` as a list of objects or of JSON texts, as one
 * object, or null, and the old `function_call`.
 */
export function readToolCalls(message: JsonObject): ToolCall[] {
  const { tool_calls: toolCalls, function_call: functionCall } = message;
  let items: readonly unknown[] = [];
  if (Array.isArray(toolCalls)) items = toolCalls;
  else if (isJsonObject(toolCalls)) items = [toolCalls];
  else if (isJsonObject(functionCall)) items = [functionCall];
  return items.map(readToolCall).filter((call) => call !== undefined);
}
