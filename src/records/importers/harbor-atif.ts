// internal
import type { JsonObject, JsonValue, Turn } from "../../core/index.js";
import { isJsonObject } from "../../core/index.js";
import { readSiblingJson } from "./episode.js";
import {
  getAt,
  getCount,
  getList,
  getName,
  getNumber,
  getObject,
  getPresent,
  getRecordedNumber,
  getRest,
  getText,
  isErrorText,
} from "./fields.js";
import type { ImportItem, ImportSource } from "./importer.js";
import { getContentText } from "./message-content.js";
import type { TranslatedMessages } from "./messages.js";
import { translateMessages } from "./messages.js";

/** Says whether a JSON value is an ATIF trajectory. */
export function isAtif(value: unknown): value is JsonObject {
  if (!isJsonObject(value) || !Array.isArray(value["steps"])) return false;
  return String(getText(value["schema_version"]) ?? "").startsWith("ATIF-") || isJsonObject(value["agent"]);
}

/** Returns the trajectory with the steps of the files that continue it, in order. */
export async function joinContinuations(
  root: JsonObject,
  source: ImportSource,
): Promise<{ readonly root: JsonObject; readonly problems: readonly ImportItem[]; readonly notes: readonly string[] }> {
  const steps: JsonValue[] = [...getList(root["steps"])];
  const problems: ImportItem[] = [];
  const seen = new Set<string>([source.name]);
  let next = getText(root["continued_trajectory_ref"]);
  let fileCount = 1;
  while (next !== undefined && !seen.has(next)) {
    seen.add(next);
    const { value, problems: found } = await readSiblingJson(source, [next]);
    problems.push(...found);
    if (!isAtif(value)) break;
    steps.push(...getList(value["steps"]));
    fileCount += 1;
    next = getText(value["continued_trajectory_ref"]);
  }
  const notes = fileCount > 1 ? [`Joined from ${fileCount} files; steps copied as context are no turns`] : [];
  return { root: { ...root, steps }, problems, notes };
}

/** A step that a later file or a handed-over context repeats. */
function isCopied(step: JsonObject): boolean {
  return step["is_copied_context"] === true || getAt(step, "extra.is_copied_context") === true;
}

/** Returns the messages of one step: what the agent said, and the results that its calls or the system brought. */
function readStep(step: JsonObject): readonly JsonObject[] {
  const { source, message } = step;
  const calls = getList(step["tool_calls"]).map((call) => ({
    id: getAt(call, "tool_call_id"),
    type: "function",
    function: { name: getAt(call, "function_name"), arguments: getAt(call, "arguments") },
  }));
  const isAgent = source === "agent";
  const said: JsonObject = {
    role: isAgent ? "assistant" : source === "system" ? "system" : "user",
    content: message ?? null,
    ...(typeof step["reasoning_content"] === "string" ? { reasoning_content: step["reasoning_content"] } : {}),
    ...(calls.length > 0 ? { tool_calls: calls as unknown as JsonValue } : {}), // parts of parsed JSON
  };
  const results = getList(getAt(step, "observation.results")).map((result): JsonObject => {
    const callId = getName(getAt(result, "source_call_id"));
    const content = (getAt(result, "content") ?? null) as JsonValue; // part of parsed JSON
    const rest = isJsonObject(result) ? getRest(result, ["source_call_id", "content"]) : undefined;
    // Terminal agents have no call ids: the screen is shown as text.
    const shown =
      callId === undefined && calls.length === 0
        ? { role: "user", content }
        : { role: "tool", content, tool_call_id: callId };
    return { ...shown, ...rest };
  });
  return message === undefined && !isAgent ? results : [said, ...results];
}

const stepFields = ["source", "message", "reasoning_content", "tool_calls", "observation"];

/** Returns the turns: agent steps that called a model. A step that says it made no call is shown to the agent instead. */
export function readSteps(root: JsonObject): TranslatedMessages & { readonly steps: readonly JsonObject[] } {
  const all = getList(root["steps"]).map(getObject);
  const entries = all.flatMap((step) => readStep(step).map((message) => ({ message, step })));
  const read = translateMessages(
    entries.map((entry) => entry.message),
    {
      getRole: (message, index) => {
        const { step } = entries[index];
        return message["role"] === "assistant" && (isCopied(step) || step["llm_call_count"] === 0) ? "user" : undefined;
      },
      isToolError: (message) => isErrorText(getContentText(message["content"])),
    },
  );
  const turns = read.turns.map((turn, index): Turn => {
    const { step } = entries[read.messageIndexes[index]];
    const kept = getRest(step, stepFields);
    return {
      ...turn,
      ...readMetrics(getObject(step["metrics"])),
      ...(kept === undefined ? {} : { extra: { ...turn.extra, step: kept } }),
    };
  });
  const multiple = all.filter(
    (step) => step["source"] === "agent" && (getCount(step["llm_call_count"]) ?? 1) > 1,
  ).length;
  const notes = multiple > 0 ? [`${multiple} steps stand for several model calls each; a step is one turn`] : [];
  if (all.some(isCopied)) notes.push("Steps copied as context are shown to the agent and are no turns");
  return { ...read, turns, notes: [...read.notes, ...notes], steps: all };
}

/** Returns what the step's metrics say. Their prompt tokens include cached ones, as here. */
function readMetrics(metrics: JsonObject): Pick<Turn, "usage" | "tokens"> {
  const ids = getList(metrics["completion_token_ids"]).map(getCount);
  const logProbs = getList(metrics["logprobs"]).map(getRecordedNumber);
  const promptIds = getList(metrics["prompt_token_ids"]).map(getCount);
  const tokens = getPresent({
    ids: ids.length > 0 && !ids.includes(undefined) ? (ids as number[]) : undefined, // checked just before
    logProbs: logProbs.length > 0 && !logProbs.includes(undefined) ? (logProbs as number[]) : undefined, // checked just before
    promptIds: promptIds.length > 0 && !promptIds.includes(undefined) ? (promptIds as number[]) : undefined, // checked just before
  });
  const usage = getPresent({
    promptTokens: getCount(metrics["prompt_tokens"]),
    completionTokens: getCount(metrics["completion_tokens"]),
    cachedTokens: getCount(metrics["cached_tokens"]),
    cost: getNumber(metrics["cost_usd"]),
  });
  return getPresent({ usage, tokens }) ?? {};
}
