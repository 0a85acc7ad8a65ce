// internal
import {
  isDeeperThan,
  isJsonObject,
  maxArgumentDepth,
  type JsonObject,
  type JsonValue,
  type ToolCall,
} from "../core/index.js";
import { writeJson } from "./write-json.js";

/** Returns the value of a JSON text, or `undefined` when it is none. */
function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue; // JSON text yields nothing else
  } catch {
    return undefined;
  }
}

/** Returns arguments as the core form: parsed, or raw when they are not a JSON object or too deep. Empty means none. */
function readArguments(value: JsonValue | undefined): Pick<ToolCall, "arguments" | "rawArguments"> {
  if (value === undefined || value === null) return { arguments: {} };
  if (typeof value === "string" && value.trim() === "") return { arguments: {} };
  const parsed = typeof value === "string" ? parseJson(value) : value;
  // What follows walks through arguments call by call, so very deep ones would overflow the stack there.
  if (isJsonObject(parsed) && !isDeeperThan(parsed, maxArgumentDepth)) return { arguments: parsed };
  // The env answers for it, and the model sees its own words again.
  return { rawArguments: typeof value === "string" ? value : writeJson(value) };
}

function readToolCall(item: JsonValue): ToolCall | undefined {
  const value = typeof item === "string" ? parseJson(item) : item;
  if (typeof item === "string" && value === undefined) return { name: "", rawArguments: item };
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

/** Returns the items of `tool_calls`, which may also be one object or the JSON text of either; `undefined` for other things. */
function readItems(written: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (typeof written === "string" && written.trim() === "") return [];
  const value = typeof written === "string" ? parseJson(written) : (written ?? null);
  if (value === null) return [];
  if (Array.isArray(value)) return value as readonly JsonValue[]; // an array of JSON values
  return isJsonObject(value) ? [value] : undefined;
}

/**
 * Returns the calls of an answer's message, in order: `tool_calls` as a list of objects or of JSON texts, as one
 * object, as the JSON text of either, or null, and the old `function_call`. Returns `undefined` when there is something
 * in their place and none of it is a call.
 */
export function readToolCalls({
  tool_calls: toolCalls,
  function_call: functionCall,
}: JsonObject): ToolCall[] | undefined {
  const written = readItems(toolCalls);
  const items = (written ?? []).length === 0 && isJsonObject(functionCall) ? [functionCall] : written;
  const calls = items?.map(readToolCall).filter((call) => call !== undefined);
  return items !== undefined && items.length > 0 && calls?.length === 0 ? undefined : calls;
}
