// internal
import type {
  JsonObject,
  RecordedNumber,
  StopReason,
  Trajectory,
  Turn,
  TurnTokens,
  TurnUsage,
} from "../../core/index.js";
import { isJsonObject } from "../../core/index.js";
import type { ImportContext } from "./episode.js";
import {
  addFinalObserved,
  createEnvEnd,
  createEpisode,
  createTaskRef,
  judgeReward,
  readStatedOutcome,
  skipped,
} from "./episode.js";
import {
  getAt,
  getCount,
  getFlag,
  getList,
  getName,
  getNumber,
  getNumbers,
  getObject,
  getPresent,
  getRecordedNumber,
  getRest,
  getText,
  isErrorText,
} from "./fields.js";
import type { ImportItem } from "./importer.js";
import { getContentText } from "./message-content.js";
import { translateMessages } from "./messages.js";

/** Reward from which an episode counts as solved. */
const defaultThreshold = 0.5;

/** Says whether a line is a v1 episode with its traces, or one trace. */
export function isTraceLine(record: JsonObject): boolean {
  return Array.isArray(record["traces"]) || Array.isArray(record["nodes"]);
}

/** Yields one trajectory for each trace of a v1 line: several agents in one episode have a trace each. */
export function* convertTraceLine(
  record: JsonObject,
  line: number,
  config: JsonObject,
  turnNote: string,
  context: ImportContext,
): Generator<ImportItem> {
  const traces = Array.isArray(record["traces"]) ? getList(record["traces"]) : [record];
  if (traces.length === 0) yield skipped("no_trace", `Line ${line} is an episode without traces`, line);
  for (const [index, value] of traces.entries()) {
    if (!isJsonObject(value) || !Array.isArray(value["nodes"])) {
      yield skipped("not_a_record", `Line ${line}: trace ${index} has no list of nodes`, line);
      continue;
    }
    yield {
      type: "trajectory",
      trajectory: convertTrace(record, value, traces.length > 1, line, config, turnNote, context),
    };
  }
}

/** Returns the weighted sum of the trace's rewards; a reward that was not computed leaves the sum unknown. */
function readReward(trace: JsonObject): RecordedNumber | undefined {
  const rewards = Object.values(getObject(trace["rewards"])).map(getObject);
  if (rewards.length === 0) return undefined;
  let sum = 0;
  for (const reward of rewards) {
    const score = getNumber(reward["score"]);
    if (score === undefined) return undefined;
    sum += score * (getNumber(reward["weight"]) ?? 1);
  }
  return sum;
}

function readStop(record: JsonObject, trace: JsonObject, success: boolean | undefined): StopReason {
  const error = [...getList(trace["errors"]), ...getList(record["errors"])].map(getObject).at(-1);
  const condition = getText(trace["stop_condition"]) ?? "";
  if (condition === "error" || getFlag(trace["ok"]) === false || (error !== undefined && condition === "")) {
    const errorClass = getName(error?.["type"]) ?? "error";
    return { type: "error", boundary: getBoundary(errorClass), errorClass, message: getText(error?.["message"]) ?? "" };
  }
  if (condition === "max_turns") return { type: "max_turns" };
  if (/^max_(input|output|total)_tokens$/.test(condition)) return { type: "max_tokens" };
  if (condition === "context_length") return { type: "context_overflow" };
  if (/timeout/.test(condition)) return { type: "max_seconds" };
  return condition === "" ? { type: "unknown" } : createEnvEnd(success);
}

function getBoundary(errorClass: string): "policy" | "env" | "scorer" {
  if (/(model|provider|client|rate|api)/i.test(errorClass)) return "policy";
  return /(score|reward|judge)/i.test(errorClass) ? "scorer" : "env";
}

function readUsage(call: JsonObject): TurnUsage | undefined {
  const usage = getObject(call["usage"]);
  const prompt = getCount(usage["prompt_tokens"]);
  const cached = getCount(usage["cached_input_tokens"]);
  return getPresent({
    promptTokens: prompt === undefined ? undefined : prompt + (cached ?? 0), // the source leaves cached tokens out
    completionTokens: getCount(usage["completion_tokens"]),
    reasoningTokens: getCount(usage["reasoning_tokens"]),
    cachedTokens: cached,
    cost: getNumber(usage["cost"]),
  });
}

/** Returns the sampled tokens of a node: those its mask marks, or all. */
function readTokens(node: JsonObject): TurnTokens | undefined {
  const ids = getList(node["token_ids"]).map(getCount);
  if (ids.length === 0 || ids.includes(undefined)) return undefined;
  const mask = getList(node["mask"]);
  const isSampled = (_: unknown, index: number): boolean =>
    mask.length !== ids.length || mask[index] === true || mask[index] === 1;
  const sampled = ids.filter(isSampled) as number[]; // no undefined among them
  const all = getList(node["logprobs"]).map(getRecordedNumber);
  const logProbs = all.length === ids.length ? all.filter(isSampled) : all;
  const isComplete = logProbs.length === sampled.length && !logProbs.includes(undefined);
  return { ids: sampled, ...(isComplete ? { logProbs: logProbs as RecordedNumber[] } : {}) }; // complete, so none is undefined
}

const nodeArrays = ["message", "sampled", "token_ids", "mask", "logprobs", "parent"];

/** Returns the turns: sampled nodes in the order they were made, each with what its call used. */
function readNodes(trace: JsonObject): ReturnType<typeof translateMessages> {
  const nodes = getList(trace["nodes"]).map(getObject);
  const calls = new Map(getList(trace["calls"]).map((call) => [getObject(call)["node"], getObject(call)]));
  const read = translateMessages(
    nodes.map((node) => getObject(node["message"])),
    {
      getRole: (message, index) =>
        nodes[index]["sampled"] === true ? "assistant" : message["role"] === "assistant" ? "user" : undefined,
      isToolError: (message) => isErrorText(getContentText(message["content"])),
    },
  );
  const turns = read.turns.map((turn, index): Turn => {
    const nodeIndex = read.messageIndexes[index];
    const call = calls.get(nodeIndex);
    const extra = getPresent({ ...turn.extra, ...getPresent({ node: getRest(nodes[nodeIndex], nodeArrays), call }) });
    return {
      ...turn,
      ...getPresent({
        usage: call === undefined ? undefined : readUsage(call),
        tokens: readTokens(nodes[nodeIndex]),
        extra,
      }),
    };
  });
  const parents = new Set(nodes.map((node) => getCount(node["parent"])).filter((parent) => parent !== undefined));
  const leafCount = nodes.filter((_, index) => !parents.has(index)).length;
  const notes = leafCount > 1 ? [`The trace has ${leafCount} branches; turns are all sampled nodes in order`] : [];
  return { ...read, turns, notes: [...read.notes, ...notes] };
}

function createTask(record: JsonObject, trace: JsonObject): Trajectory["task"] {
  const task = isJsonObject(record["task"]) ? record["task"] : getObject(trace["task"]);
  const content = task["data"] ?? task["hash"] ?? task["key"] ?? getAt(trace, "nodes.0.message.content") ?? null;
  return createTaskRef({ task: content as JsonObject }, getName(task["key"])); // any JSON value can be hashed
}

/** Where a turn limit stands in a run's or an agent's configuration. */
const limitPaths = ["max_turns", "agent.max_turns", "agent.harness.max_turns", "harness.max_turns", "env.max_turns"];

function convertTrace(
  record: JsonObject,
  trace: JsonObject,
  isOneOfMany: boolean,
  line: number,
  config: JsonObject,
  turnNote: string,
  context: ImportContext,
): Trajectory {
  const { source, options, samples } = context;
  const read = readNodes(trace);
  const agent = getObject(trace["agent"]);
  const reward = readStatedOutcome(record, options).reward ?? readReward(trace);
  const success =
    readStatedOutcome(record, options).success ?? judgeReward(reward, options.successThreshold ?? defaultThreshold);
  const stopReason = readStop(record, trace, success);
  const maxTurns = [agent["config"], config]
    .flatMap((settings) => limitPaths.map((path) => getCount(getAt(settings, path))))
    .find((limit) => limit !== undefined);
  const model =
    getName(getAt(trace, "calls.0.model")) ?? getName(getAt(agent, "config.model")) ?? getName(getAt(config, "model"));
  const agentName = getName(agent["name"]);
  const task = createTask(record, trace);
  const policyId = options.policyId ?? model ?? agentName ?? "unknown";
  return createEpisode({
    format: "verifiers",
    source,
    position: line,
    notes: [turnNote, ...read.notes, ...(isOneOfMany ? ["One of several agents' traces of the same episode"] : [])],
    task,
    sampleIndex: samples.next(`${task.hash} ${isOneOfMany ? (agentName ?? "") : ""}`),
    policy: { id: isOneOfMany && agentName !== undefined ? `${policyId} as ${agentName}` : policyId },
    env: {
      id: getName(getAt(record, "env.id")) ?? "verifiers",
      version: getName(getAt(trace, "verifiers.version")) ?? "unknown",
    },
    budget: maxTurns === undefined ? {} : { maxTurns },
    turns: read.turns,
    finalObservation: read.finalObservation,
    stopReason,
    success: stopReason.type === "error" ? undefined : success,
    scores: getNumbers(Object.entries(getObject(trace["metrics"]))),
    episodeReturn: reward,
    extra: addFinalObserved(
      getPresent({
        episode: getRest(record, ["traces", "nodes"]),
        trace: isJsonObject(record["nodes"]) ? undefined : getRest(trace, ["nodes", "calls"]),
      }),
      read,
    ),
  });
}
