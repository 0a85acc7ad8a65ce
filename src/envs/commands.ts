import {
  isJsonObject,
  type Action,
  type EnvEndKind,
  type JsonObject,
  type JsonValue,
  type Observation,
  type ToolCall,
  type ToolResult,
  type ToolSpec,
  type TurnFlags,
} from "../core/index.js";

/** One call that the env has a tool for, with arguments its schema allows. */
export interface Command {
  readonly call: ToolCall;
  readonly name: string;
  readonly values: JsonObject;
}

/** A call the env cannot carry out, with the text that says why and what is allowed. */
export interface RefusedCall {
  readonly call: ToolCall;
  readonly text: string;
  readonly flags: TurnFlags;
}

/** What one command did. */
export interface CommandAnswer<State> {
  readonly state: State;
  readonly text: string;
  readonly reward?: number;
  /** Present when this command ended the episode; later commands of the same action are not carried out. */
  readonly ended?: EnvEndKind;
  /** `toolError` for a tool that answered with an error, `invalid` for what is not allowed in this state. */
  readonly flags?: TurnFlags;
}

/**
 * The env's answer to all commands of one action, and the state after it: a step of a pure env, to which the env adds
 * the grade and the distances.
 */
export interface AppliedAction<State> {
  readonly state: State;
  readonly observation: Observation;
  readonly reward: number;
  readonly ended?: EnvEndKind;
  readonly flags?: TurnFlags;
  /** Calls answered, those that could not be carried out included. */
  readonly toolCalls: number;
  /** Commands carried out. */
  readonly envSteps: number;
}

function describeType(schema: JsonObject): string {
  if (Array.isArray(schema["enum"])) return `one of ${schema["enum"].map((value) => JSON.stringify(value)).join(", ")}`;
  const [low, high] = [schema["minimum"], schema["maximum"]];
  const type = schema["type"] === "integer" ? "a whole number" : `of type ${JSON.stringify(schema["type"] ?? "any")}`;
  if (typeof low === "number" && typeof high === "number") return `${type} in ${low}..${high}`;
  if (typeof low === "number") return `${type} of at least ${low}`;
  return typeof high === "number" ? `${type} of at most ${high}` : type;
}

function hasType(value: JsonValue, type: JsonValue | undefined): boolean {
  if (Array.isArray(type)) return type.some((candidate: JsonValue) => hasType(value, candidate));
  switch (type) {
    case "string":
    case "boolean":
      return typeof value === type;
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "integer":
      return Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value);
    case "null":
      return value === null;
    default:
      return true;
  }
}

function fits(value: JsonValue, schema: JsonObject): boolean {
  if (Array.isArray(schema["enum"]) && !schema["enum"].includes(value)) return false;
  if (!hasType(value, schema["type"])) return false;
  if (typeof value !== "number") return true;
  const { minimum, maximum } = schema;
  return !(typeof minimum === "number" && value < minimum) && !(typeof maximum === "number" && value > maximum);
}

function findArgumentFault(tool: ToolSpec, values: JsonObject): string | undefined {
  const { properties, required, additionalProperties } = tool.parameters;
  const schemas = isJsonObject(properties) ? properties : {};
  for (const name of Array.isArray(required) ? required : []) {
    if (typeof name === "string" && values[name] === undefined) return `"${tool.name}" needs "${name}"`;
  }
  for (const [name, value] of Object.entries(values)) {
    const schema = schemas[name];
    if (schema === undefined && additionalProperties === false) return `"${tool.name}" does not take "${name}"`;
    if (value === undefined || !isJsonObject(schema) || fits(value, schema)) continue;
    return `"${name}" of "${tool.name}" must be ${describeType(schema)}: found ${JSON.stringify(value)}`;
  }
  return undefined;
}

/**
 * Returns the command a call stands for, or why it cannot be carried out: a tool the env does not have, arguments
 * that could not be parsed, that are missing, or that the tool's schema (`type`, `enum`, `minimum`, `maximum`,
 * `required`, `additionalProperties: false`) forbids. Arguments are never converted: `"3"` is not a whole number.
 */
export function readCommand(call: ToolCall, tools: readonly ToolSpec[]): Command | RefusedCall {
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (tool === undefined) {
    const names = tools.map((candidate) => `"${candidate.name}"`).join(", ");
    return {
      call,
      text: `There is no tool "${call.name}": the tools are ${names}`,
      flags: { invalid: true, unknownTool: true },
    };
  }
  if (call.arguments === undefined && (call.rawArguments ?? "").trim() !== "") {
    const text = `The arguments of "${call.name}" are not a JSON object: ${JSON.stringify(call.rawArguments)}`;
    return { call, text, flags: { invalid: true } };
  }
  const values = call.arguments ?? {};
  const fault = findArgumentFault(tool, values);
  return fault === undefined ? { call, name: tool.name, values } : { call, text: fault, flags: { invalid: true } };
}

function createResult(call: ToolCall, text: string, isError: boolean): ToolResult {
  return {
    ...(call.id === undefined ? {} : { callId: call.id }),
    name: call.name,
    text,
    ...(isError ? { isError: true } : {}),
  };
}

function withDescription(results: readonly ToolResult[], description: string): ToolResult[] {
  return results.map((result, i) =>
    description === "" || i < results.length - 1 ? result : { ...result, text: `${result.text}\n${description}` },
  );
}

/**
 * Carries out the calls of one action in order and returns the combined answer. It is one turn however many calls
 * there are.
 *
 * - A call that cannot be carried out is answered with its reason and flagged; the calls after it still count.
 * - After a command that ends the episode the rest is not carried out and not counted; each such call is still
 *   answered, so that a chat log stays complete.
 * - An action without calls (unparsable, only text, or a quit that reached the env) changes nothing and is flagged
 *   `invalid`.
 *
 * `observation.text` holds the whole answer, for the text surface; `toolResults` hold the same, one for each call,
 * for the tool surface. `options.describe` gives what is shown of the new state, added to the last answer (default:
 * nothing). Rewards are summed, and `options.invalidReward` (default 0) is added for each call, or action without
 * calls, that could not be carried out.
 */
export function applyCommands<State>(
  action: Action,
  tools: readonly ToolSpec[],
  first: State,
  apply: (state: State, command: Command) => CommandAnswer<State>,
  options: { readonly describe?: (state: State) => string; readonly invalidReward?: number } = {},
): AppliedAction<State> {
  const { describe = () => "", invalidReward = 0 } = options;
  const calls = action.invalid === undefined && action.quit !== true ? (action.toolCalls ?? []) : [];
  let state = first;
  let reward = 0;
  let toolCalls = 0;
  let envSteps = 0;
  let flags: TurnFlags = {};
  let ended: EnvEndKind | undefined;
  const results: ToolResult[] = [];
  for (const call of calls) {
    if (ended !== undefined) {
      results.push(createResult(call, "Not carried out: the episode had ended", true));
      continue;
    }
    toolCalls += 1;
    const read = readCommand(call, tools);
    if ("flags" in read) {
      flags = { ...flags, ...read.flags };
      reward += invalidReward;
      results.push(createResult(call, read.text, true));
      continue;
    }
    const answer = apply(state, read);
    envSteps += 1;
    ({ state, ended } = answer);
    reward += answer.reward ?? 0;
    flags = { ...flags, ...answer.flags };
    results.push(createResult(call, answer.text, answer.flags?.invalid === true || answer.flags?.toolError === true));
  }
  const description = ended === undefined ? describe(state) : "";
  if (calls.length === 0) {
    const names = tools.map((tool) => `"${tool.name}"`).join(", ");
    const reason = action.invalid ?? (action.quit === true ? "the agent stopped" : "it holds no call of a tool");
    const text = `Nothing was carried out: ${reason}. The tools are ${names}.${description === "" ? "" : `\n${description}`}`;
    return { state, observation: { text }, reward: invalidReward, flags: { invalid: true }, toolCalls: 0, envSteps: 0 };
  }
  const toolResults = withDescription(results, description);
  return {
    state,
    observation: { text: toolResults.map((result) => result.text).join("\n"), toolResults },
    reward,
    ...(ended === undefined ? {} : { ended }),
    ...(Object.keys(flags).length === 0 ? {} : { flags }),
    toolCalls,
    envSteps,
  };
}

/** Returns an action that makes one call, as oracles and tests write them. */
export function createCallAction(name: string, values: JsonObject = {}): Action {
  return { text: "", toolCalls: [{ name, arguments: values }] };
}
