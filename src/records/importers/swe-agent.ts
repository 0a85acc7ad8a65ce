import type { Budget, JsonObject, StopReason, ToolCall, Turn } from "../../core/index.js";
import { isJsonObject } from "../../core/index.js";
import { readJsonDocument } from "../reading/jsonl.js";
import type { EpisodeParts, ImportContext } from "./episode.js";
import {
  addFinalObserved,
  createEnvEnd,
  createEpisode,
  createImportContext,
  createTaskRef,
  convertSafely,
  describeValue,
  readStatedOutcome,
  repaired,
  wrongFormat,
} from "./episode.js";
import { decodeHead, getList, getName, getNumber, getObject, getPresent, getRest, getText } from "./fields.js";
import type { ImportItem, Importer } from "./importer.js";
import type { TranslatedMessages } from "./messages.js";
import { translateMessages } from "./messages.js";
import { findReportedSuccess } from "./swe-report.js";

const turnNote =
  "A turn is one step of the trajectory: one model call and the one command taken from it, with the answer of the shell. " +
  "Demonstrations shown to the model are no turns. The file holds no grade: success comes from a SWE-bench report beside it.";

/** Fields of a step that stand in its turn already, as the messages of the history. */
const stepFields = ["observation", "response", "thought", "query", "messages", "tool_calls"];

/** A history row that is part of this episode: demonstrations, which SWE-agent puts in front, are not. */
function isOwnRow(row: JsonObject): boolean {
  return row["is_demo"] !== true;
}

/** A command is a call of the tool that its first word names; its text is kept as it was written. */
function readCommand(action: string): ToolCall[] {
  const name = /^\S+/.exec(action.trim())?.[0];
  return name === undefined ? [] : [{ name, rawArguments: action }];
}

interface Steps extends TranslatedMessages {
  readonly notes: readonly string[];
}

/** Returns what the model was shown and said: the history, or the steps where the history does not match them. */
function findMessages(
  steps: readonly JsonObject[] | undefined,
  rows: readonly JsonObject[],
  notes: string[],
): readonly JsonObject[] {
  const answered = rows.filter((row) => row["role"] === "assistant").length;
  if (steps === undefined) {
    notes.push("The file has no steps; turns are the answers of its history");
    return rows;
  }
  if (answered === steps.length) return rows;
  if (rows.length > 0) notes.push(`The history has ${answered} answers for ${steps.length} steps; turns are the steps`);
  const end = rows.findIndex((row) => row["role"] === "assistant");
  const opening = end === -1 ? rows : rows.slice(0, end);
  const rest = steps.flatMap((step): JsonObject[] => [
    { role: "assistant", content: step["response"] ?? step["thought"] ?? "", tool_calls: step["tool_calls"] },
    { role: "user", content: step["observation"] ?? "" },
  ]);
  return [...opening, ...rest];
}

/** Gives the turn the command of its step when the model made no tool call, and the step's other fields. */
function addStep(turn: Turn, step: JsonObject, row: JsonObject): Turn {
  const command = getText(step["action"]) ?? getText(row["action"]);
  const kept = getRest(step, stepFields);
  const extra =
    kept === undefined && turn.extra === undefined
      ? {}
      : { extra: { ...turn.extra, ...(kept === undefined ? {} : { step: kept }) } };
  if ((turn.action.toolCalls?.length ?? 0) > 0 || command === undefined) return { ...turn, ...extra };
  const toolCalls = readCommand(command);
  if (toolCalls.length > 0) return { ...turn, ...extra, action: { ...turn.action, toolCalls } };
  const action = { ...turn.action, invalid: "no command in the response" };
  return { ...turn, ...extra, action, flags: { ...turn.flags, invalid: true } };
}

function readSteps(root: JsonObject): Steps {
  const steps = Array.isArray(root["trajectory"]) ? getList(root["trajectory"]).map(getObject) : undefined;
  const rows = getList(root["history"]).map(getObject).filter(isOwnRow);
  const notes: string[] = [];
  if (steps?.some((step) => step["query"] !== undefined || step["messages"] !== undefined) === true) {
    notes.push("The prompt repeated in each step is left out: it is the history up to there");
  }
  const messages = findMessages(steps, rows, notes).map((row) => {
    const callId = getList(row["tool_call_ids"])[0];
    return callId === undefined ? row : { ...row, tool_call_id: callId };
  });
  const translated = translateMessages(messages);
  const turns = translated.turns.map((turn, index) =>
    addStep(turn, steps?.[index] ?? {}, messages[translated.messageIndexes[index]]),
  );
  return { ...translated, turns, notes: [...notes, ...translated.notes] };
}

/** Budget limits as the agent's configuration states them; 0 means no limit there. */
function readBudget(model: JsonObject): Budget {
  const positive = (value: unknown): number | undefined => ((getNumber(value) ?? 0) > 0 ? getNumber(value) : undefined);
  return (
    getPresent({
      maxTurns: positive(model["per_instance_call_limit"]),
      maxCost: positive(model["per_instance_cost_limit"]),
    }) ?? {}
  );
}

/**
 * Translates an exit status. `submitted (exit_cost)` names the limit after which the work so far was submitted; that
 * limit is why it ended. What failed outside the agent is an error.
 */
function readStop(status: string | undefined, success: boolean | undefined): StopReason {
  if (status === undefined || status === "") return { type: "unknown" };
  const cause = /\((\w+)\)/.exec(status)?.[1] ?? status;
  switch (cause) {
    case "submitted":
      return createEnvEnd(success);
    case "exit_cost":
    case "exit_total_cost":
      return { type: "max_cost" };
    case "exit_context":
      return { type: "context_overflow" };
    case "exit_command_timeout":
    case "exit_total_execution_time":
      return { type: "max_seconds" };
    case "exit_forfeit":
      return { type: "quit" };
    case "exit_format":
      return { type: "env_end", kind: success === true ? "solved" : "env_fail" };
    case "exit_api":
    case "exit_error":
      return { type: "error", boundary: "policy", errorClass: cause, message: status };
    case "exit_environment_error":
      return { type: "error", boundary: "env", errorClass: cause, message: status };
    default:
      return { type: "unknown" };
  }
}

/** The run's settings: an object, or in some releases a JSON text. */
function readReplayConfig(value: unknown): JsonObject {
  const text = getText(value);
  if (text === undefined) return getObject(value);
  try {
    return getObject(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Run folders and old flat names begin with the model: `<model>__<data>__<config>__t-0.00__…`. */
function findModelInPath(path: string): string | undefined {
  return /(?:^|[\\/])([^\\/]+?)__[^\\/]*?__t-\d/.exec(path)?.[1];
}

async function readFile(
  root: JsonObject,
  context: ImportContext,
): Promise<{ parts: EpisodeParts; problems: readonly ImportItem[] }> {
  const { source, options } = context;
  const config = readReplayConfig(root["replay_config"]);
  const model = getObject(getObject(config["agent"])["model"]);
  const info = getObject(root["info"]);
  const read = readSteps(root);
  const stated = readStatedOutcome(root, options);
  const instanceId =
    stated.taskId ??
    getName(getObject(config["problem_statement"])["id"]) ??
    source.name.replace(/\.(traj|json)$/g, "");
  const report = await findReportedSuccess(source, instanceId);
  const success = stated.success ?? report.success;
  const status = getText(info["exit_status"]);
  const notes = [turnNote, ...read.notes];
  if (report.note !== undefined) notes.push(report.note);
  if (status !== undefined) notes.push(`Exit status: "${status}"`);
  if (status?.startsWith("submitted") === true && success === undefined)
    notes.push("Submitted, and not graded in the file: success is unknown");
  const task = createTaskRef({ instanceId }, instanceId);
  const parts: EpisodeParts = {
    format: "swe-agent",
    source,
    notes,
    task,
    sampleIndex: context.samples.next(task.hash),
    policy: { id: options.policyId ?? getName(model["name"]) ?? findModelInPath(source.path) ?? "unknown" },
    env: { id: "swe-agent", version: getName(info["swe_agent_version"]) ?? "unknown" },
    budget: readBudget(model),
    turns: read.turns,
    finalObservation: read.finalObservation,
    stopReason: readStop(status, success),
    success,
    episodeReturn: stated.reward,
    extra: addFinalObserved(getRest(root, ["trajectory", "history"]), read),
  };
  return { parts, problems: report.problems };
}

const listPattern = /"(?:trajectory|history)"\s*:\s*\[/;
/** A message of the history, or the answer in a step. */
const rowPattern = /"role"\s*:\s*"(?:system|user|assistant|tool)"|"(?:observation|response|thought)"\s*:/;

/** Reads SWE-agent `.traj` files of every generation, one episode a file. */
export const sweAgentImporter: Importer = {
  format: "swe-agent",
  description: "SWE-agent trajectories (.traj)",
  turnNote,
  detect({ name, head }) {
    const isNamed = name.endsWith(".traj");
    const start = decodeHead(head);
    const isShaped = /^\s*\{/.test(start) && !start.includes('"turn_history"') && listPattern.test(start);
    if (isNamed) return isShaped ? 0.95 : 0.4;
    // Lists of these names are common; what is in them decides.
    return isShaped && rowPattern.test(start) ? 0.5 : 0;
  },
  async *read(source, options) {
    const { value, problems } = await readJsonDocument(source);
    if (!isJsonObject(value) || !(Array.isArray(value["trajectory"]) || Array.isArray(value["history"]))) {
      throw wrongFormat(source, "swe-agent", describeValue(value), 'an object with "trajectory" or "history"');
    }
    yield* problems;
    const context = createImportContext(source, options);
    const read = await readFile(value, context);
    yield* read.problems;
    if (read.parts.turns.length === 0) yield repaired("no_turns", "The trajectory has no steps; kept without turns");
    yield* convertSafely(undefined, () => [{ type: "trajectory", trajectory: createEpisode(read.parts) }]);
  },
};
