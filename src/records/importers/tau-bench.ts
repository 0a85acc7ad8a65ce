import type { JsonObject, StopReason } from "../../core/index.js";
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
  readStatedOutcome,
  repaired,
  skipped,
  wrongFormat,
} from "./episode.js";
import {
  decodeHead,
  getAt,
  getCount,
  getList,
  getName,
  getObject,
  getRecordedNumber,
  getRest,
  getText,
  isErrorText,
} from "./fields.js";
import type { ImportItem, Importer } from "./importer.js";
import { getContentText } from "./message-content.js";
import type { TranslatedMessages } from "./messages.js";
import { translateMessages } from "./messages.js";

const turnNote =
  "A turn is one assistant message: an answer to the simulated user or one tool call. Only the first call of a message was carried out. " +
  "Solved is a reward within 1e-6 of 1.";

/** How far a reward may be from 1 and still be a success, as the tool has it. */
const tolerance = 1e-6;

/** Turns the tool allows by default; files do not state the limit. */
const defaultMaxTurns = 30;

/** The tool domains, told from file names such as `gpt-4o-airline.json`. */
function findDomain(fileName: string): string | undefined {
  return /(airline|retail|telecom)/i.exec(fileName)?.[1].toLowerCase();
}

/** Returns the policy in names such as `gpt-4o-airline.json` and `tool-calling-gpt-4o-0.0_range_0-50_…json`. */
function findPolicyId(fileName: string): string | undefined {
  const run = /^(?:tool-calling|act|react|few-shot)-(.+?)-\d+(?:\.\d+)?_range_/.exec(fileName);
  return run?.[1] ?? /^(.+?)[-_](?:airline|retail|telecom)\b/i.exec(fileName)?.[1];
}

function readStop(record: JsonObject, read: TranslatedMessages, success: boolean | undefined): StopReason {
  const error = getAt(record, "info.error");
  if (error !== undefined && error !== null && error !== "") {
    return { type: "error", boundary: "env", errorClass: "crash", message: getText(error) ?? JSON.stringify(error) };
  }
  const isStopped = /###STOP###/.test(read.finalObservation?.text ?? "");
  // A hand-over to a person ends the dialogue with its tool result, without another word of the user.
  const isHandedOver =
    read.turns.at(-1)?.action.toolCalls?.some((call) => call.name === "transfer_to_human_agents") === true;
  if (isStopped || isHandedOver) return createEnvEnd(success);
  return read.turns.length >= defaultMaxTurns ? { type: "max_turns" } : { type: "unknown" };
}

function* convertRecord(record: JsonObject, position: number, context: ImportContext): Generator<ImportItem> {
  const { source, options, samples } = context;
  const taskName = getName(record["task_id"]);
  const isCrash = getAt(record, "info.error") !== undefined;
  if (taskName === undefined || (!Array.isArray(record["traj"]) && !isCrash)) {
    yield skipped("not_a_record", `Element ${position} has no "task_id" with "traj" or "info.error"`, position);
    return;
  }
  const domain = findDomain(source.name);
  // The instruction keeps tasks of unnamed domains apart that share a number.
  const instruction = getText(getAt(record, "info.task.instruction"));
  const task = createTaskRef(
    { tool: "tau-bench", taskName, ...(domain === undefined ? { instruction: instruction ?? "" } : { domain }) },
    taskName,
  );
  const trial = getCount(record["trial"]);
  const sample = samples.claim(task.hash, trial ?? 0, record);
  if (sample === undefined) {
    yield skipped("duplicate", `Element ${position} is a copy of an earlier element`, position);
    return;
  }
  if (sample.isMoved && trial !== undefined) {
    yield repaired(
      "duplicate",
      `Element ${position} repeats task ${taskName}, trial ${trial}; kept as sample ${sample.index}`,
      position,
    );
  }
  const read = translateMessages(getList(record["traj"]), {
    isToolError: (message) => isErrorText(getContentText(message["content"])),
  });
  const reward = readStatedOutcome(record, options).reward ?? getRecordedNumber(record["reward"]);
  const success = readStatedOutcome(record, options).success ?? isFullReward(untagNumber(reward));
  const stopReason = readStop(record, read, success);
  const trajectory = createEpisode({
    format: "tau-bench",
    source,
    position,
    notes: [turnNote, ...read.notes, 'Tool errors are told by texts that begin with "Error"', ...noteStop(stopReason)],
    task,
    sampleIndex: sample.index,
    policy: { id: options.policyId ?? findPolicyId(source.name) ?? "unknown" },
    env: { id: domain === undefined ? "tau-bench" : `tau-bench/${domain}`, version: "unknown" },
    turns: read.turns,
    finalObservation: read.finalObservation,
    stopReason,
    success: stopReason.type === "error" ? undefined : success,
    episodeReturn: stopReason.type === "error" ? undefined : reward,
    extra: addFinalObserved(getRest(record, ["traj"]), read),
  });
  yield { type: "trajectory", trajectory, ...(trial === undefined || sample.isMoved ? {} : { isSampleStated: true }) };
}

function isFullReward(reward: number | undefined): boolean | undefined {
  return reward === undefined || Number.isNaN(reward) ? undefined : Math.abs(reward - 1) <= tolerance;
}

function noteStop(stopReason: StopReason): string[] {
  if (stopReason.type === "error")
    return ["The source counts this crash as reward 0; here it is an error and has no outcome"];
  if (stopReason.type === "max_turns")
    return [`No end of the dialogue after ${defaultMaxTurns} turns, the tool's default limit: taken as max_turns`];
  return [];
}

/** Reads tau-bench result files: a list of episodes, each with its messages. */
export const tauBenchImporter: Importer = {
  format: "tau-bench",
  description: "tau-bench results (a JSON list with task_id, reward, traj, trial)",
  turnNote,
  detect({ head }) {
    const start = decodeHead(head);
    if (!/^\s*\[/.test(start) || !/"task_id"\s*:/.test(start)) return 0;
    return /"traj"\s*:\s*\[/.test(start) ? 0.95 : /"info"\s*:\s*\{\s*"(error|task)"/.test(start) ? 0.7 : 0.1;
  },
  async *read(source, options) {
    const { value, problems } = await readJsonDocument(source);
    if (
      !Array.isArray(value) ||
      !value.some((record) => isJsonObject(record) && ("traj" in record || getAt(record, "info.error") !== undefined))
    ) {
      throw wrongFormat(source, "tau-bench", describeValue(value), 'a list of objects with "task_id" and "traj"');
    }
    yield* problems;
    const context = createImportContext(source, options);
    for (const [position, record] of getList(value).entries()) {
      yield* convertSafely(position, () => convertRecord(getObject(record), position, context));
    }
  },
};
