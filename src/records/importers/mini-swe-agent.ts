import type { Budget, JsonObject, StopReason, ToolCall, Turn } from "../../core/index.js";
import { isJsonObject } from "../../core/index.js";
import { readJsonDocument } from "../reading/jsonl.js";
import type { ImportContext } from "./episode.js";
import {
  addFinalObserved,
  convertSafely,
  createEnvEnd,
  createEpisode,
  createImportContext,
  createTaskRef,
  describeValue,
  readStatedOutcome,
  repaired,
  wrongFormat,
} from "./episode.js";
import { decodeHead, getAt, getCount, getList, getName, getNumber, getObject, getPresent, getRest } from "./fields.js";
import type { ImportItem, ImportSource, Importer } from "./importer.js";
import { getContentText } from "./message-content.js";
import type { TranslatedMessages } from "./messages.js";
import { translateMessages } from "./messages.js";
import { findReportedSuccess } from "./swe-report.js";

const turnNote =
  "A turn is one call of the model, also one whose answer had no readable command. A step limit counts the same calls. " +
  "The file holds no grade: success comes from a SWE-bench report beside it.";

/** The line by which the agent submits; its command ends the episode. */
const submitMark = /COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT/;

/** Returns the commands in fenced blocks, as versions without tool calls write them. */
function readFencedCommands(text: string): ToolCall[] {
  const blocks = [...text.matchAll(/```(?:bash|mswea_bash_command|sh)[ \t]*\n([\s\S]*?)\n?```/g)];
  return blocks.map((block) => ({ name: "bash", arguments: { command: block[1] } }));
}

/** Says whether the answer to a command reports a failure: by its return code, or by the text that repeats it. */
function isFailure(message: JsonObject): boolean {
  const code = getNumber(getAt(message, "extra.returncode"));
  if (code !== undefined) return code !== 0;
  const written = /^\s*<returncode>(-?\d+)<\/returncode>/.exec(getContentText(message["content"]))?.[1];
  return written !== undefined && written !== "0";
}

/** Adds to a turn what the agent's own message formats hold: commands in text, cost and tokens, failures. */
function completeTurn(turn: Turn, message: JsonObject, answers: readonly JsonObject[]): Turn {
  const fenced = (turn.action.toolCalls?.length ?? 0) > 0 ? [] : readFencedCommands(turn.action.text);
  const usage = getPresent({
    promptTokens: getCount(getAt(message, "extra.response.usage.prompt_tokens")),
    completionTokens: getCount(getAt(message, "extra.response.usage.completion_tokens")),
    reasoningTokens: getCount(getAt(message, "extra.response.usage.completion_tokens_details.reasoning_tokens")),
    cachedTokens: getCount(getAt(message, "extra.response.usage.prompt_tokens_details.cached_tokens")),
    cost: getNumber(getAt(message, "extra.cost")),
  });
  // Versions that read fences accept exactly one; any other number is answered with a format error.
  const isInvalid = turn.action.toolCalls === undefined && fenced.length !== 1;
  const reason =
    fenced.length === 0 ? "no command in the response" : `${fenced.length} commands in the response, one is allowed`;
  const action = {
    ...turn.action,
    ...(isInvalid ? { invalid: reason } : {}),
    ...(fenced.length === 1 ? { toolCalls: fenced } : {}),
  };
  const hasFailed = answers.some(isFailure);
  const flags = getPresent({
    ...turn.flags,
    ...(isInvalid ? { invalid: true as const } : {}),
    ...(hasFailed ? { toolError: true as const } : {}),
  });
  return { ...turn, action, ...getPresent({ usage, flags }) };
}

function readMessages(messages: readonly JsonObject[]): TranslatedMessages {
  // The closing message repeats the submission and is shown to nobody.
  const shown = messages.filter((message) => message["role"] !== "exit");
  const read = translateMessages(shown, { isToolError: isFailure });
  const turns = read.turns.map((turn, index) => {
    const from = read.messageIndexes[index];
    return completeTurn(turn, shown[from], shown.slice(from + 1, read.messageIndexes[index + 1]));
  });
  return { ...read, turns };
}

/** Limits in force; 0 means none there. */
function readBudget(agent: JsonObject): Budget {
  const positive = (value: unknown): number | undefined => ((getNumber(value) ?? 0) > 0 ? getNumber(value) : undefined);
  return (
    getPresent({
      maxTurns: positive(agent["step_limit"]),
      maxCost: positive(agent["cost_limit"]),
      maxSeconds: positive(agent["time_limit"]),
    }) ?? {}
  );
}

function readStop(status: string, read: TranslatedMessages, budget: Budget, success: boolean | undefined): StopReason {
  switch (status) {
    case "": {
      // Lists of messages have no status; a submitting command is the end all the same.
      const last = JSON.stringify(read.turns.at(-1)?.action ?? "");
      return submitMark.test(last) ? createEnvEnd(success) : { type: "unknown" };
    }
    case "Submitted":
      return createEnvEnd(success);
    case "LimitsExceeded":
      return budget.maxTurns !== undefined && read.turns.length >= budget.maxTurns
        ? { type: "max_turns" }
        : { type: "max_cost" };
    case "TimeExceeded":
      return { type: "max_seconds" };
    case "RepeatedFormatError":
      return { type: "env_end", kind: success === true ? "solved" : "env_fail" };
    default:
      if (/ContextWindow/i.test(status)) return { type: "context_overflow" };
      return { type: "error", boundary: "policy", errorClass: status, message: status };
  }
}

/** Returns the instance, named in the file or by its name. */
function findInstanceId(root: JsonObject, source: ImportSource): string {
  return (
    getName(root["instance_id"]) ??
    getName(getAt(root, "info.instance_id")) ??
    source.name.replace(/(\.traj)?\.json$/, "")
  );
}

async function* readFile(
  root: JsonObject,
  messages: readonly JsonObject[],
  context: ImportContext,
): AsyncGenerator<ImportItem> {
  const { source, options, samples } = context;
  const read = readMessages(messages);
  const info = getObject(root["info"]);
  const config = getObject(info["config"]);
  const stated = readStatedOutcome(root, options);
  const instanceId = stated.taskId ?? findInstanceId(root, source);
  const report = await findReportedSuccess(source, instanceId);
  yield* report.problems;
  const success = stated.success ?? report.success;
  const exit = messages.find((message) => message["role"] === "exit");
  const status = getName(info["exit_status"]) ?? getName(getAt(exit, "extra.exit_status")) ?? "";
  const budget = readBudget(getObject(config["agent"]));
  const notes = [turnNote, ...read.notes, "Failed commands are told by their return code"];
  if (report.note !== undefined) notes.push(report.note);
  notes.push(
    status === ""
      ? "No exit status: the run is unfinished or its state is not in the file"
      : `Exit status: "${status}"`,
  );
  const calls = getCount(getAt(info, "model_stats.api_calls"));
  if (calls !== undefined && calls !== read.turns.length) {
    notes.push(`The file counts ${calls} model calls, its messages show ${read.turns.length}; turns are the messages`);
  }
  const task = createTaskRef({ instanceId }, instanceId);
  const trajectory = createEpisode({
    format: "mini-swe-agent",
    source,
    notes,
    task,
    sampleIndex: samples.next(task.hash),
    policy: { id: options.policyId ?? getName(getAt(config, "model.model_name")) ?? "unknown" },
    env: { id: "mini-swe-agent", version: getName(info["mini_version"]) ?? "unknown" },
    budget,
    turns: read.turns,
    finalObservation: read.finalObservation,
    stopReason: readStop(status, read, budget, success),
    success,
    episodeReturn: stated.reward,
    extra: addFinalObserved(
      getPresent({ ...getRest(root, ["messages"]), ...(exit === undefined ? {} : { exit }) }),
      read,
    ),
  });
  yield { type: "trajectory", trajectory };
}

/** Reads mini-swe-agent trajectories: versions 1 and 2, and bare lists of messages. One episode a file. */
export const miniSweAgentImporter: Importer = {
  format: "mini-swe-agent",
  description: "mini-swe-agent trajectories (.traj.json)",
  turnNote,
  detect({ name, head }) {
    const start = decodeHead(head);
    if (/"trajectory_format"\s*:\s*"mini-swe-agent/.test(start) || /"mini_version"\s*:/.test(start)) return 0.98;
    const isNamed = name.endsWith(".traj.json");
    if (/^\s*\[\s*\{\s*"role"\s*:/.test(start)) return isNamed ? 0.9 : /mswea_bash_command/.test(start) ? 0.8 : 0.05;
    const hasEnvelope =
      /"info"\s*:\s*\{/.test(start) && /"(model_stats|exit_status)"\s*:/.test(start) && !/"trajectory"\s*:/.test(start);
    return hasEnvelope ? (isNamed ? 0.9 : 0.5) : isNamed ? 0.4 : 0;
  },
  async *read(source, options) {
    const { value, problems } = await readJsonDocument(source);
    const root = isJsonObject(value) ? value : {};
    const list = Array.isArray(value) ? value : root["messages"];
    const messages = getList(list).filter(isJsonObject);
    if (!Array.isArray(list) || !messages.some((message) => typeof message["role"] === "string")) {
      throw wrongFormat(
        source,
        "mini-swe-agent",
        describeValue(value),
        'an object with "info" and "messages", or a list of messages',
      );
    }
    yield* problems;
    const lost = getList(list).length - messages.length;
    if (lost > 0)
      yield repaired("not_a_message", `${lost} items of the message list are no messages and were left out`);
    const context = createImportContext(source, options);
    const items: ImportItem[] = [];
    for await (const item of readFile(root, messages, context)) items.push(item);
    yield* convertSafely(undefined, () => items);
  },
};
