// internal
import type { JsonObject, JsonValue } from "../../core/index.js";
import { isJsonObject } from "../../core/index.js";
import { getAt, getList, getName, getObject, getText } from "./fields.js";
import type { Span } from "./otel-spans.js";

/** What a model call was shown and what it answered; empty when the instrumentation did not record content. */
export interface CallMessages {
  readonly input: readonly JsonObject[];
  readonly output: readonly JsonObject[];
}

/** Returns structured content: a value, or the JSON text of one. */
function readStructured(value: unknown): JsonValue | undefined {
  if (typeof value !== "string") return value as JsonValue | undefined; // an attribute value, so JSON
  try {
    return JSON.parse(value) as JsonValue; // JSON.parse returns nothing else
  } catch {
    return value;
  }
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
}

/** Returns a message with parts in the shape of the OpenAI API: tool answers become messages of their own. */
function readMessage(value: JsonValue): readonly JsonObject[] {
  if (typeof value === "string") return [{ role: "user", content: value }];
  const message = getObject(value);
  if (!Array.isArray(message["parts"])) return [normalizeRole(message)];
  const parts = getList(message["parts"]).map(getObject);
  const answers = parts
    .filter((part) => part["type"] === "tool_call_response")
    .map((part): JsonObject => {
      return { role: "tool", tool_call_id: part["id"], content: toText(part["response"] ?? part["result"]) };
    });
  const calls = parts
    .filter((part) => part["type"] === "tool_call")
    .map((part): JsonObject => {
      return { id: part["id"], type: "function", function: { name: part["name"], arguments: part["arguments"] } };
    });
  const reasoning = parts.filter((part) => part["type"] === "reasoning").map((part) => toText(part["content"]));
  const others = parts.filter(
    (part) => !["tool_call_response", "tool_call", "reasoning"].includes(getText(part["type"]) ?? ""),
  );
  if (others.length + calls.length + reasoning.length === 0 && answers.length > 0) return answers;
  const isText = others.every((part) => part["type"] === "text");
  const content = isText
    ? others.map((part) => toText(part["content"])).join("\n")
    : others.map((part): JsonObject =>
        part["type"] === "text" ? { type: "text", text: toText(part["content"]) } : part,
      );
  const said: JsonObject = {
    ...normalizeRole(message),
    content,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(reasoning.length > 0 ? { reasoning_content: reasoning.join("\n\n") } : {}),
  };
  const { parts: _, ...rest } = said;
  return [rest, ...answers];
}

function normalizeRole(message: JsonObject): JsonObject {
  return message["role"] === "model" ? { ...message, role: "assistant" } : message;
}

/** Returns the items of attributes such as `gen_ai.prompt.0.content`, as nested objects. */
function readIndexed(attributes: JsonObject, prefix: string): readonly JsonObject[] {
  const items: Record<string, JsonValue>[] = [];
  for (const [key, value] of Object.entries(attributes)) {
    const match = key.startsWith(`${prefix}.`) ? /^(\d{1,6})\.(.+)$/.exec(key.slice(prefix.length + 1)) : null;
    if (match === null || value === undefined) continue;
    const index = Number(match[1]);
    items[index] = setAt(items[index] ?? {}, match[2].split("."), value);
  }
  return items.filter((item) => item !== undefined);
}

function setAt(target: JsonObject, path: readonly string[], value: JsonValue): Record<string, JsonValue> {
  const [key, ...rest] = path;
  const current = target as Record<string, JsonValue>; // JSON without absent fields
  return { ...current, [key]: rest.length === 0 ? value : setAt(getObject(current[key]), rest, value) };
}

/** Returns a message of the indexed form, with calls in any of the instrumentations' nestings. */
function readIndexedMessage(item: JsonObject): JsonObject {
  const message = isJsonObject(item["message"]) ? item["message"] : item;
  const { tool_calls: listed, ...rest } = message;
  const calls = Object.values(getObject(listed)).map((entry): JsonObject => {
    const call = isJsonObject(getAt(entry, "tool_call")) ? getObject(getAt(entry, "tool_call")) : getObject(entry);
    const named = isJsonObject(call["function"]) ? call["function"] : call;
    return { id: call["id"], type: "function", function: { name: named["name"], arguments: named["arguments"] } };
  });
  return {
    ...normalizeRole(rest),
    content: rest["content"] ?? null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

/** Messages in span events: `gen_ai.user.message`, `gen_ai.choice` and the like. */
function readEvents(span: Span): CallMessages {
  const input: JsonObject[] = [];
  const output: JsonObject[] = [];
  for (const { name, attributes } of span.events) {
    const role = /^gen_ai\.(system|user|assistant|tool)\.message$/.exec(name)?.[1];
    const body = { ...attributes, ...getObject(readStructured(attributes["event.body"] ?? attributes["body"])) };
    if (role !== undefined)
      input.push({
        ...body,
        role,
        tool_calls: readStructured(body["tool_calls"]),
        tool_call_id: body["tool_call_id"] ?? body["id"],
      });
    if (name !== "gen_ai.choice") continue;
    const message = getObject(readStructured(body["message"]) ?? body);
    output.push({
      ...message,
      role: "assistant",
      content: message["content"] ?? null,
      tool_calls: readStructured(message["tool_calls"]),
    });
  }
  return { input, output };
}

/** Returns what a model span recorded of its messages, whichever convention it follows. */
export function readCallMessages(span: Span): CallMessages {
  const details =
    span.events.find((event) => event.name === "gen_ai.client.inference.operation.details")?.attributes ?? {};
  const attributes: JsonObject = { ...details, ...span.attributes };
  const list = (key: string): readonly JsonObject[] => getList(readStructured(attributes[key])).flatMap(readMessage);
  const input = list("gen_ai.input.messages");
  const output = list("gen_ai.output.messages").map((message): JsonObject => ({ ...message, role: "assistant" }));
  const instructions = getList(readStructured(attributes["gen_ai.system_instructions"])).map((part) =>
    toText(getAt(part, "content") ?? part),
  );
  const system = instructions.length === 0 ? [] : [{ role: "system", content: instructions.join("\n") }];
  if (input.length + output.length > 0) return { input: [...system, ...input], output };
  for (const [shown, said] of [
    ["gen_ai.prompt", "gen_ai.completion"],
    ["llm.input_messages", "llm.output_messages"],
  ]) {
    const prompt = readIndexed(attributes, shown).map(readIndexedMessage);
    const answer = readIndexed(attributes, said).map((item): JsonObject => ({
      ...readIndexedMessage(item),
      role: "assistant",
    }));
    if (prompt.length + answer.length > 0) return { input: prompt, output: answer };
  }
  return readEvents(span);
}

/** Returns the call and the answer that a tool span stands for. */
export function readToolSpan(span: Span): { readonly call: JsonObject; readonly answer: JsonObject } {
  const { attributes } = span;
  const id = getName(attributes["gen_ai.tool.call.id"]) ?? span.spanId;
  const name = getName(attributes["gen_ai.tool.name"]) ?? getName(attributes["tool.name"]) ?? span.name;
  const values = attributes["gen_ai.tool.call.arguments"] ?? attributes["input.value"] ?? attributes["tool.parameters"];
  const result = attributes["gen_ai.tool.call.result"] ?? attributes["output.value"];
  return {
    call: { id, type: "function", function: { name, arguments: values ?? null } },
    answer: {
      role: "tool",
      tool_call_id: id,
      name,
      content: toText(result),
      ...(span.hasError ? { is_error: true } : {}),
    },
  };
}
