import type { ToolCall, ToolSpec } from "./action.js";
import { isDeeperThan, maxArgumentDepth } from "./json-depth.js";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.js";

/** How text actions are written. */
export type TextGrammar =
  /** `<action>tool argument</action>`, the last such block counts; the tag is configurable. */
  | { readonly type: "tag"; readonly tag: string }
  /** The last line that begins with the prefix, e.g. `Action: tool argument`. */
  | { readonly type: "line"; readonly prefix: string }
  /** The last fenced block of this language, e.g. bash. */
  | { readonly type: "fence"; readonly language: string }
  /** The whole text is the action. */
  | { readonly type: "whole" };

/** The grammar used unless another is asked for. */
export const defaultTextGrammar: TextGrammar = { type: "tag", tag: "action" };

/** What was read from a text: calls, a quit, or the reason why nothing could be read. */
export type ParsedText =
  | { readonly type: "calls"; readonly calls: readonly ToolCall[] }
  | { readonly type: "quit" }
  | { readonly type: "invalid"; readonly reason: string };

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** Returns the text of the last action the grammar finds, or `undefined`. */
export function findTextAction(text: string, grammar: TextGrammar): string | undefined {
  switch (grammar.type) {
    case "tag": {
      const tag = escapePattern(grammar.tag);
      const blocks = [...text.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, "gi"))];
      return blocks.at(-1)?.[1]?.trim();
    }
    case "line": {
      const prefix = grammar.prefix.toLowerCase();
      const lines = text.split("\n").filter((line) => line.trim().toLowerCase().startsWith(prefix));
      return lines.at(-1)?.trim().slice(prefix.length).trim();
    }
    case "fence": {
      const language = escapePattern(grammar.language);
      const blocks = [...text.matchAll(new RegExp(`\`\`\`${language}[ \\t]*\\n([\\s\\S]*?)\`\`\``, "gi"))];
      return blocks.at(-1)?.[1]?.trim();
    }
    case "whole":
      return text.trim();
    default:
      return grammar satisfies never;
  }
}

function getParameterNames(tool: ToolSpec): string[] {
  const { properties } = tool.parameters;
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

function coerce(text: string, tool: ToolSpec, name: string): JsonValue {
  const { properties } = tool.parameters;
  const schema = isJsonObject(properties) ? properties[name] : undefined;
  const type = isJsonObject(schema) ? schema["type"] : undefined;
  if ((type === "integer" || type === "number") && text.trim() !== "" && Number.isFinite(Number(text))) {
    return Number(text);
  }
  return text;
}

function parseArguments(rest: string, tool: ToolSpec): JsonObject | string {
  const names = getParameterNames(tool);
  if (rest.startsWith("{")) {
    try {
      const value: unknown = JSON.parse(rest);
      if (isDeeperThan(value, maxArgumentDepth))
        return `arguments of "${tool.name}" are nested more than ${maxArgumentDepth} levels deep`;
      if (isJsonObject(value)) return value;
    } catch {
      return `arguments of "${tool.name}" begin with "{" but are not valid JSON`;
    }
  }
  if (names.length === 0) return {};
  if (rest === "") return {};
  if (names.length === 1) return { [names[0]]: coerce(rest, tool, names[0]) };
  // With several parameters all but the last are single words: "edit 3 return a + b".
  const words = rest.split(/\s+/);
  if (words.length < names.length) return `"${tool.name}" takes ${names.join(", ")}: ${words.length} found`;
  const values: Record<string, JsonValue> = {};
  let remaining = rest;
  for (const name of names.slice(0, -1)) {
    const match = /^(\S+)\s+/.exec(remaining);
    if (match === null) return `"${tool.name}" takes ${names.join(", ")}`;
    values[name] = coerce(match[1], tool, name);
    remaining = remaining.slice(match[0].length);
  }
  const last = names[names.length - 1];
  values[last] = coerce(remaining, tool, last);
  return values;
}

/**
 * Reads one action from a text: `tool`, `tool argument`, `tool {"name": "value"}`, `tool(argument)`, or `quit`.
 * With several parameters all but the last are single words. A tool the env does not have is still returned as a
 * call, since whether it exists is the env's answer to give.
 *
 * @example
 * parseTextAction("I will look. <action>search red barn</action>", tools);
 * // { type: "calls", calls: [{ name: "search", arguments: { query: "red barn" } }] }
 */
export function parseTextAction(
  text: string,
  tools: readonly ToolSpec[],
  grammar: TextGrammar = defaultTextGrammar,
): ParsedText {
  const found = findTextAction(text, grammar);
  if (found === undefined || found === "") return { type: "invalid", reason: "no action found in the text" };
  const called = /^([A-Za-z_][\w-]*)\s*\(([\s\S]*)\)$/.exec(found);
  const name = called?.[1] ?? /^\S+/.exec(found)?.[0] ?? "";
  const rest = (
    called === null ? found.slice(name.length) : (called[2] ?? "").replace(/^(["'])([\s\S]*)\1$/, "$2")
  ).trim();
  const tool = tools.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
  if (tool === undefined) {
    if (/^(quit|give[_ ]up)$/i.test(name)) return { type: "quit" };
    return { type: "calls", calls: [{ name, rawArguments: rest }] };
  }
  const values = parseArguments(rest, tool);
  if (typeof values === "string") return { type: "invalid", reason: values };
  return { type: "calls", calls: [{ name: tool.name, arguments: values }] };
}
