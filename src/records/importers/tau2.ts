import type { JsonObject, StopReason, Trajectory, Turn } from "../../core/index.js";
import { isJsonObject, untagNumber } from "../../core/index.js";
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
  readSiblingJson,
  readStatedOutcome,
  repaired,
  skipped,
  tryReadJson,
  wrongFormat,
} from "./episode.js";
import {
  decodeHead,
  getAt,
  getCount,
  getList,
  getName,
  getNumber,
  getNumbers,
  getObject,
  getPresent,
  getRecordedNumber,
  getRest,
  getText,
} from "./fields.js";
import type { ImportItem, Importer } from "./importer.js";
import { translateMessages } from "./messages.js";

const turnNote =
  "A turn is one message that the agent's model made. The simulated user's messages and tool calls are what the agent was shown, " +
  "and the fixed greeting is no turn. Solved is a reward within 1e-6 of 1.";

const tolerance = 1e-6;
const greeting = "Hi! How can I help you today?";

/** What one results file says about all its simulations. */
interface Results {
  readonly info: JsonObject;
  readonly domain: string;
  readonly policyId: string;
  readonly notes: readonly string[];
}

function readResults(root: JsonObject, context: ImportContext): Results {
  const info = getObject(root["info"]);
  const maxSteps = getCount(info["max_steps"]);
  return {
    info,
    domain: getName(getAt(info, "environment_info.domain_name")) ?? "unknown",
    policyId:
      context.options.policyId ??
      getName(getAt(info, "agent_info.llm")) ??
      getName(getAt(info, "agent_info.implementation")) ??
      "unknown",
    notes:
      maxSteps === undefined
        ? []
        : [
            `The source's limit of ${maxSteps} steps counts every hand-off between agent, user and env; it is no turn budget and left out of it`,
          ],
  };
}

/** Says whether a first message was put there by the tool: it cost nothing to make while later ones did. */
function isGreeting(message: JsonObject, index: number, messages: readonly JsonObject[]): boolean {
  if (index !== 0 || message["role"] !== "assistant" || getList(message["tool_calls"]).length > 0) return false;
  const isMade = (other: JsonObject): boolean => isJsonObject(other["usage"]) || isJsonObject(other["raw_data"]);
  if (isMade(message)) return false;
  return message["content"] === greeting || messages.some((other) => other["role"] === "assistant" && isMade(other));
}

/** A tool message that answers the simulated user is something the agent never saw as its own result. */
function isUserSide(message: JsonObject): boolean {
  return message["role"] === "tool" && message["requestor"] === "user";
}

/** Returns the agent's turns. Calls that an agent message makes for the user do not occur; only its own are counted. */
function readMessages(
  simulation: JsonObject,
  toolNames: ReadonlySet<string> | undefined,
): ReturnType<typeof translateMessages> {
  const messages = getList(simulation["messages"]).map(getObject);
  const translated = translateMessages(
    messages.map((message) =>
      message["role"] === "tool" && message["tool_call_id"] === undefined
        ? { ...message, tool_call_id: message["id"] }
        : message,
    ),
    {
      getRole: (message, index) => (isUserSide(message) || isGreeting(message, index, messages) ? "user" : undefined),
      isToolError: (message) => message["error"] === true,
      toolNames,
    },
  );
  const turns = translated.turns.map((turn, index): Turn => {
    const message = messages[translated.messageIndexes[index]];
    const usage = getPresent({
      promptTokens: getCount(getAt(message, "usage.prompt_tokens")),
      completionTokens: getCount(getAt(message, "usage.completion_tokens")),
      cost: getNumber(message["cost"]),
    });
    return usage === undefined ? turn : { ...turn, usage };
  });
  return { ...translated, turns };
}

/**
 * Translates a termination reason. What failed outside the agent is an error and leaves every denominator; the rest
 * counts as the tool counts it.
 */
function readStop(simulation: JsonObject, success: boolean | undefined): StopReason {
  const reason = getText(simulation["termination_reason"]) ?? "";
  switch (reason) {
    case "user_stop":
    case "agent_stop":
      return createEnvEnd(success);
    case "max_steps":
      return { type: "max_turns" };
    case "timeout":
      return { type: "max_seconds" };
    case "context_window_exceeded":
      return { type: "context_overflow" };
    case "too_many_errors":
    case "agent_error":
    case "user_error":
      return { type: "env_end", kind: success === true ? "solved" : "env_fail" };
    case "infrastructure_error":
    case "unexpected_error":
      return {
        type: "error",
        boundary: "env",
        errorClass: reason,
        message: getText(getAt(simulation, "info.error")) ?? reason,
      };
    default:
      return { type: "unknown" };
  }
}

/** A task is known by its domain, id and what the user was told to do. */
function createTask(simulation: JsonObject, results: Results): Trajectory["task"] | undefined {
  const id = getName(simulation["task_id"]);
  if (id === undefined) return undefined;
  return createTaskRef({ tool: "tau2", domain: results.domain, id }, id);
}

/** Parts of the judgement: each check's share and the basis of the reward. */
function readScores(rewardInfo: JsonObject): Trajectory["scores"] {
  return getNumbers(Object.entries(getObject(rewardInfo["reward_breakdown"])));
}

function readSuccess(simulation: JsonObject): boolean | undefined {
  const reward = untagNumber(getRecordedNumber(getAt(simulation, "reward_info.reward")));
  return reward === undefined || Number.isNaN(reward) ? undefined : Math.abs(reward - 1) <= tolerance;
}

function* convertSimulation(
  simulation: JsonObject,
  position: number,
  results: Results,
  context: ImportContext,
): Generator<ImportItem> {
  const { source, options, samples } = context;
  const task = createTask(simulation, results);
  if (task === undefined) {
    yield skipped("not_a_record", `Simulation ${position} has no "task_id"`, position);
    return;
  }
  const trial = getCount(simulation["trial"]);
  const sample = samples.claim(task.hash, trial ?? 0, simulation);
  if (sample === undefined) {
    yield skipped("duplicate", `Simulation ${position} is a copy of an earlier one`, position);
    return;
  }
  if (sample.isMoved && trial !== undefined) {
    yield repaired(
      "duplicate",
      `Simulation ${position} repeats task "${task.id}", trial ${trial}; kept as sample ${sample.index}`,
      position,
    );
  }
  const notes = [turnNote, ...results.notes];
  if (!Array.isArray(simulation["messages"])) {
    notes.push("The simulation has no messages (a voice run holds ticks); kept without turns");
    yield repaired("no_turns", `Simulation ${position} has no messages; kept without turns`, position);
  }
  const tools = getList(getAt(results.info, "environment_info.tool_defs")).map(
    (tool) => getName(getAt(tool, "name")) ?? getName(getAt(tool, "function.name")),
  );
  const names = tools.filter((name) => name !== undefined);
  const read = readMessages(simulation, names.length > 0 ? new Set(names) : undefined);
  const stated = readStatedOutcome(simulation, options);
  const success = stated.success ?? readSuccess(simulation);
  const stopReason = readStop(simulation, success);
  const reason = getText(simulation["termination_reason"]);
  if (reason !== undefined) notes.push(`Termination reason: "${reason}"`);
  const trajectory = createEpisode({
    format: "tau2",
    source,
    position,
    notes: [...notes, ...read.notes],
    task,
    sampleIndex: sample.index,
    policy: { id: results.policyId },
    env: { id: `tau2/${results.domain}`, version: getName(results.info["git_commit"]) ?? "unknown" },
    samplingSeed: getCount(simulation["seed"]),
    turns: read.turns,
    finalObservation: read.finalObservation,
    stopReason,
    success: stopReason.type === "error" ? undefined : success,
    scores: readScores(getObject(simulation["reward_info"])),
    episodeReturn: stated.reward ?? getRecordedNumber(getAt(simulation, "reward_info.reward")),
    extra: addFinalObserved(getRest(simulation, ["messages"]), read),
  });
  yield { type: "trajectory", trajectory, ...(trial === undefined || sample.isMoved ? {} : { isSampleStated: true }) };
}

/** Returns the simulations that the folder form lists, with their files. */
function listSimulationFiles(root: JsonObject): { readonly id: string; readonly file: string }[] {
  return getList(root["simulation_index"]).flatMap((entry) => {
    const id = getName(entry) ?? getName(getObject(entry)["id"]);
    return id === undefined ? [] : [{ id, file: getText(getObject(entry)["path"]) ?? `simulations/${id}.json` }];
  });
}

/** Yields the simulations: those in the file, and those that the folder form keeps in files of their own. */
async function* readSimulations(root: JsonObject, context: ImportContext): AsyncGenerator<JsonObject | ImportItem> {
  const inline = getList(root["simulations"]);
  for (const simulation of inline) yield getObject(simulation);
  const known = new Set(inline.map((simulation) => getName(getObject(simulation)["id"])));
  for (const { id, file } of listSimulationFiles(root)) {
    if (known.has(id)) continue;
    const { value, problems } = await readSiblingJson(context.source, [file]);
    yield* problems;
    if (isJsonObject(value)) yield value;
    else yield skipped("missing_file", `Simulation "${id}" is listed, but "${file}" cannot be read`);
  }
}

/** Says whether a results file is the head of the folder form without a list of its simulations. */
function isFolderHead(root: JsonObject): boolean {
  const isListed = Array.isArray(root["simulations"]) || Array.isArray(root["simulation_index"]);
  return !isListed && isJsonObject(getAt(root, "info.environment_info"));
}

/** Reads tau2 results: one file, or the folder form with a file for each simulation. */
export const tau2Importer: Importer = {
  format: "tau2",
  description: "tau2-bench results (results.json, or the folder form with simulations/)",
  turnNote,
  detect({ head }) {
    const start = decodeHead(head);
    if (!/^\s*\{/.test(start)) return 0;
    const isResults = /"environment_info"\s*:/.test(start) && /"(agent_info|user_info)"\s*:/.test(start);
    return isResults ? 0.95 : /"termination_reason"\s*:/.test(start) && /"task_id"\s*:/.test(start) ? 0.6 : 0;
  },
  async listParts(source) {
    const { value } = await tryReadJson(source);
    return listSimulationFiles(getObject(value)).map(({ file }) => file);
  },
  async *read(source, options) {
    const { value, problems } = await readJsonDocument(source);
    const root = getObject(value);
    const isSimulation = "termination_reason" in root && "task_id" in root;
    if (!isSimulation && isFolderHead(root)) {
      yield* problems;
      yield repaired(
        "no_episodes",
        'The file holds only the settings of the run; import its folder or the files in "simulations/"',
      );
      return;
    }
    if (!isSimulation && !Array.isArray(root["simulations"]) && !Array.isArray(root["simulation_index"])) {
      throw wrongFormat(source, "tau2", describeValue(value), 'an object with "info", "tasks" and "simulations"');
    }
    yield* problems;
    const context = createImportContext(source, options);
    // One simulation on its own belongs to the results file one folder up.
    const parent = isSimulation ? await readSiblingJson(source, ["../results.json"]) : undefined;
    if (parent !== undefined) yield* parent.problems;
    const results = readResults(parent === undefined ? root : getObject(parent.value), context);
    let position = 0;
    for await (const item of isSimulation ? [root] : readSimulations(root, context)) {
      if ("type" in item && item["type"] === "problem") {
        yield item as ImportItem; // simulations have no "type"
        continue;
      }
      const simulation = item as JsonObject; // the other half of the union
      yield* convertSafely(position, () => convertSimulation(simulation, position, results, context));
      position += 1;
    }
    if (position === 0) throw wrongFormat(source, "tau2", "no simulation that can be read", "at least one");
  },
};
