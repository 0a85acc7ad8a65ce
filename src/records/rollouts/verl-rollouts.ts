// internal
import { getCount, getName, getText } from "../importers/fields.js";
import type { RolloutReader } from "./rollout-reader.js";
import { openExtraInfo, readFirstAnswer, readPlanFields, readReward, readTold } from "./rollout-fields.js";

/**
 * verl's rollout dumps. Steps count from 1. A group is what `group_key` says, else the prompt's part of
 * `uid` = `{prompt uuid}_{session}_{output}`, else the prompt itself.
 */
export const verlRolloutReader: RolloutReader = {
  format: "verl",
  description: "verl: rollout dumps, <step>.jsonl with input, output, score, uid and columns of the reward function",
  matches: (record) => typeof record["input"] === "string" && typeof record["output"] === "string",
  read(record, fileStep) {
    const fields = openExtraInfo(record);
    const [input, output] = [getText(record["input"]) ?? "", getText(record["output"]) ?? ""];
    const step = getCount(record["step"]) ?? fileStep;
    const uid = getName(record["uid"])?.replace(/_\d+_\d+$/, "");
    const [reward, firstAction] = [readReward(record["score"]), readFirstAnswer(output)];
    return {
      group: uid ?? `${step ?? ""} ${input}`,
      ...(step === undefined || step < 1 ? {} : { update: step - 1 }),
      told: readTold([input, output]),
      ...(reward === undefined ? {} : { reward }),
      ...(firstAction === undefined ? {} : { firstAction }),
      ...readPlanFields(fields),
    };
  },
};
