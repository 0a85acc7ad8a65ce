// internal
import type { Action, ToolSpec } from "../action.js";
import type { StepResult } from "../env.js";
import { errorMessage } from "../errors.js";
import { isJsonObject, type JsonValue } from "../json.js";
import { createRandom } from "../random.js";
import type { Task } from "../task.js";
import { parseTextAction } from "../text-action.js";
import type { ContractCheck } from "./contract.js";
import { createAllowedCall, expectThat, getProperties, stepOnce, toText, type CheckContext } from "./contract-kit.js";

const jsonTypes = new Set(["string", "number", "integer", "boolean", "array", "object", "null"]);

function expectSchema(schema: JsonValue | undefined, place: string): void {
  expectThat(isJsonObject(schema), `${place} is not a JSON Schema object: ${toText(schema)}`);
  const types = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"]];
  const isTyped =
    schema["type"] !== undefined && types.every((type) => typeof type === "string" && jsonTypes.has(type));
  expectThat(isTyped || Array.isArray(schema["enum"]), `${place} has no known "type" and no "enum": ${toText(schema)}`);
}

function expectTool(tool: ToolSpec): void {
  // The names chat servers accept; "quit" is the text surface's word for stopping.
  expectThat(
    /^[A-Za-z_][\w-]{0,63}$/.test(tool.name),
    `The tool name "${tool.name}" is not of the form [A-Za-z_][A-Za-z0-9_-]*`,
  );
  expectThat(!/^(quit|give[_ ]up)$/i.test(tool.name), `The tool name "${tool.name}" would hide the way to stop`);
  expectThat(tool.description.trim() !== "", `The tool "${tool.name}" has no description`);
  const { type, properties = {}, required = [] } = tool.parameters;
  expectThat(type === "object", `The parameters of "${tool.name}" are not of type "object"`);
  expectThat(isJsonObject(properties), `"properties" of "${tool.name}" is not an object`);
  for (const [name, schema] of Object.entries(properties))
    expectSchema(schema, `Parameter "${name}" of "${tool.name}"`);
  expectThat(Array.isArray(required), `"required" of "${tool.name}" is not a list`);
  for (const name of required) {
    const isKnown = typeof name === "string" && properties[name] !== undefined;
    expectThat(isKnown, `"${tool.name}" requires ${toText(name)}, which is not among its properties`);
  }
}

/** Returns a value that a schema's type and enum forbid, or `undefined` where they allow everything tried. */
function createWrongValue(schema: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(schema)) return undefined;
  const types = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"]];
  if (schema["type"] === undefined) return undefined;
  const candidates: readonly (readonly [string, JsonValue])[] = [
    ["object", { unexpected: true }],
    ["array", ["unexpected"]],
    ["boolean", true],
  ];
  return candidates.find(([type]) => !types.includes(type))?.[1];
}

interface UnusableAction {
  readonly what: string;
  readonly action: Action;
  readonly isUnknownTool?: true;
}

function listUnusableActions(tools: readonly ToolSpec[]): UnusableAction[] {
  const random = createRandom("unusable actions");
  const list: UnusableAction[] = [
    { what: "an unparsable action", action: { text: "¿?", invalid: "no action found in the text" } },
    { what: "an unparsable action without text", action: { text: "", invalid: "empty" } },
  ];
  if (tools.length === 0) return list;
  list.push(
    { what: "an action without calls", action: { text: "I am thinking" } },
    { what: "an action with an empty list of calls", action: { text: "", toolCalls: [] } },
    {
      what: "a call of an unknown tool",
      action: { text: "", toolCalls: [{ id: "c1", name: "no_such_tool", arguments: {} }] },
      isUnknownTool: true,
    },
    { what: "a call of a tool without a name", action: { text: "", toolCalls: [{ name: "" }] }, isUnknownTool: true },
  );
  for (const tool of tools) {
    const required: readonly JsonValue[] = Array.isArray(tool.parameters["required"])
      ? tool.parameters["required"]
      : [];
    const add = (what: string, call: object) =>
      list.push({
        what: `a call of "${tool.name}" ${what}`,
        action: { text: "", toolCalls: [{ id: "c1", name: tool.name, ...call }] },
      });
    add("whose arguments are broken JSON", { rawArguments: '{"unfinished": ' });
    if (required.length > 0) add("without arguments", {});
    const values = createAllowedCall(tool, random).toolCalls?.[0]?.arguments ?? {};
    for (const [name, schema] of Object.entries(getProperties(tool))) {
      const { [name]: _, ...others } = values;
      if (required.includes(name)) add(`without "${name}"`, { arguments: others });
      const wrong = createWrongValue(schema);
      if (wrong !== undefined) add(`with "${name}" of a wrong type`, { arguments: { ...values, [name]: wrong } });
    }
  }
  return list;
}

function expectRefusal({ what, action, isUnknownTool }: UnusableAction, result: StepResult): void {
  const { flags = {}, observation, ended } = result;
  expectThat(flags.invalid === true || flags.toolError === true, `${what} is not flagged: ${toText(result)}`);
  expectThat(ended === undefined, `${what} ended the episode: ${toText(result)}`);
  expectThat(observation.text.trim() !== "", `${what} is answered without a text`);
  if (isUnknownTool === true)
    expectThat(flags.unknownTool === true, `${what} is not flagged "unknownTool": ${toText(result)}`);
  for (const [i, call] of (action.toolCalls ?? []).entries()) {
    const answer = observation.toolResults?.[i];
    expectThat(
      answer?.isError === true,
      `${what} has no answer to call ${i} that is marked as an error: ${toText(result)}`,
    );
    expectThat(answer.callId === call.id, `${what} is answered under the id "${answer.callId}", asked as "${call.id}"`);
  }
}

async function askOnce({ env, seed }: CheckContext, task: Task, { what, action }: UnusableAction): Promise<StepResult> {
  const session = await env.start(task, seed);
  return stepOnce(session, action).catch((error: unknown) => {
    throw new Error(`${what} was thrown at: ${errorMessage(error)}`, { cause: error });
  });
}

/** Returns the checks of what a policy is told and how what it writes is read. */
export function surfaceChecks(context: CheckContext): ContractCheck[] {
  const { env, tasks, seed } = context;
  const checks: ContractCheck[] = [
    {
      name: "id, version, instructions and tools are well formed",
      async run() {
        expectThat(/^[a-z0-9]+(-[a-z0-9]+)*$/.test(env.id), `The env id "${env.id}" is not kebab-case`);
        expectThat(env.version !== "" && env.instructions.trim() !== "", "The version or the instructions are empty");
        const { maxTurns } = env;
        expectThat(
          maxTurns === undefined || (Number.isInteger(maxTurns) && maxTurns >= 1),
          `maxTurns is ${String(maxTurns)}, which must be a whole number from 1 or absent`,
        );
        for (const tool of env.tools) expectTool(tool);
        expectThat(
          new Set(env.tools.map((tool) => tool.name.toLowerCase())).size === env.tools.length,
          "Two tools share a name",
        );
      },
    },
    {
      name: "actions that cannot be carried out are answered with flags, change no grade and end nothing",
      async run() {
        const task = tasks[0];
        for (const unusable of listUnusableActions(env.tools)) {
          const result = await askOnce(context, task, unusable);
          expectRefusal(unusable, result);
          expectThat(result.solvedAfter !== true, `${unusable.what} solved the task`);
        }
      },
    },
  ];
  const { text } = env;
  if (text !== undefined) {
    checks.push({
      name: "every text example is read as a call of a known tool and carried out",
      async run() {
        expectThat(
          text.examples.length > 0 && text.instructions.trim() !== "",
          "The text surface has no example or no instructions",
        );
        for (const example of env.tools.length === 0 ? [] : text.examples) {
          const parsed = parseTextAction(example, env.tools);
          expectThat(parsed.type === "calls", `The example ${toText(example)} is read as ${toText(parsed)}`);
          const session = await env.start(tasks[0], seed);
          const action = { text: example, toolCalls: parsed.calls };
          const { flags = {} } = await stepOnce(session, action);
          expectThat(
            flags.unknownTool === undefined,
            `The example ${toText(example)} calls a tool the env does not have`,
          );
        }
      },
    });
  }
  return checks;
}
