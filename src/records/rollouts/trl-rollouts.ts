// internal
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from "../../core/index.js";
import { getList, getObject, getText } from "../importers/fields.js";
import { openExtraInfo, planFields, readFirstAnswer, readPlanFields, readReward, readTold } from "./rollout-fields.js";
import type { RolloutReader } from "./rollout-reader.js";

/** Columns of a completion log that are no reward. */
const noReward = new Set<string>([
  "step",
  "prompt",
  "completion",
  "advantage",
  "data_source",
  "environment",
  "extra_info",
  "index",
  "level",
  ...planFields,
]);

/** Returns the texts of a prompt or completion, which is one text or a list of messages. */
function listTexts(value: JsonValue | undefined): string[] {
  if (typeof value === "string") return [value];
  return getList(value).flatMap((message) => {
    const content = getObject(message)["content"];
    if (typeof content === "string") return [content];
    return getList(content).flatMap((part) => getText(getObject(part)["text"]) ?? []);
  });
}

/** Returns the first answer: its tool calls where it has some, else its text. */
function findFirstAction(completion: JsonValue | undefined): string | undefined {
  if (typeof completion === "string") return readFirstAnswer(completion);
  const first = getList(completion)
    .filter(isJsonObject)
    .find(({ role }) => role === "assistant");
  if (first === undefined) return undefined;
  const calls = getList(first["tool_calls"]).map((call) => canonicalJson(getObject(call)["function"] ?? call));
  return calls.length > 0 ? calls.join("; ") : readFirstAnswer(listTexts([first]).join("\n"));
}

/** The reward: of that name, else the sum of the columns that reward functions wrote. */
function findReward(record: JsonObject): number | undefined {
  const own = readReward(record["reward"]);
  if (own !== undefined) return own;
  const columns = Object.entries(record).filter(([name, value]) => !noReward.has(name) && typeof value === "number");
  const values = columns.map(([, value]) => readReward(value));
  return values.length === 0 || values.some((value) => value === undefined)
    ? undefined
    : values.reduce((sum: number, value) => sum + (value ?? 0), 0);
}

/** TRL's completion logs. Whether its steps begin at 0 or 1 depends on the version, so they are no update of a plan. */
export const trlRolloutReader: RolloutReader = {
  format: "trl",
  description: "TRL: completions_<step>.parquet or JSONL with prompt, completion and a column for each reward function",
  matches: (record) => record["prompt"] !== undefined && record["completion"] !== undefined,
  read(record) {
    const fields = openExtraInfo(record);
    const { prompt, completion } = record;
    const [reward, firstAction] = [findReward(fields), findFirstAction(completion)];
    const asked = typeof prompt === "string" ? prompt : canonicalJson(prompt);
    const assistants = getList(completion).filter((message) => getObject(message)["role"] === "assistant").length;
    return {
      group: `${JSON.stringify(record["step"] ?? null)} ${asked}`,
      told: readTold([...listTexts(prompt), ...listTexts(completion)]),
      ...(assistants === 0 ? {} : { turns: assistants }),
      ...(reward === undefined ? {} : { reward }),
      ...(firstAction === undefined ? {} : { firstAction }),
      ...readPlanFields(fields),
    };
  },
};
