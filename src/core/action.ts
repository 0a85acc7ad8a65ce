import type { JsonObject, JsonValue } from "./json.js";

/** One call of a tool, as the policy emitted it. */
export interface ToolCall {
  /** The id that the answer refers to, when the policy gave one. */
  readonly id?: string;
  /** The tool's name, whether or not the env has such a tool. */
  readonly name: string;
  /** The parsed arguments; absent when they could not be parsed. */
  readonly arguments?: JsonObject;
  /** The arguments as they were written; kept when they are not valid JSON or not an object. */
  readonly rawArguments?: string;
}

/** What the policy emitted in one turn. */
export interface Action {
  /** Visible text, `""` when there is none. */
  readonly text: string;
  /** Calls in the order they were made. Text actions are parsed into this form by the policy. */
  readonly toolCalls?: readonly ToolCall[];
  /** Reasoning that the server kept apart from the text. */
  readonly reasoning?: string;
  /** The agent stopped without submitting. Decided from the action alone, never from its grade. */
  readonly quit?: true;
  /** Why no call could be read from this action; such an action costs a turn and has no effect. */
  readonly invalid?: string;
}

/** The answer to one tool call. */
export interface ToolResult {
  /** The id of the call this answers. */
  readonly callId?: string;
  readonly name?: string;
  readonly text: string;
  readonly isError?: true;
}

/** What the policy is shown. */
export interface Observation {
  readonly text: string;
  /** Answers to the calls of the action before, in call order. */
  readonly toolResults?: readonly ToolResult[];
  /** Anything beside the text: images by hash, structured state that is meant to be shown. */
  readonly data?: JsonValue;
}

/** A tool that an env offers. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments object. */
  readonly parameters: JsonObject;
}

/** Says whether the agent stopped without submitting. A wrong submission is not a quit. */
export function isQuit(action: Action): boolean {
  return action.quit === true;
}
