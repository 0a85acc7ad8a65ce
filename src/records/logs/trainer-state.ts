import { isJsonObject, type JsonObject } from "../../core/index.js";
import { decodeHead, getCount, getList } from "../importers/fields.js";
import { readJsonDocument } from "../reading/jsonl.js";
import { readMetrics, toLogProblem } from "./json-metrics.js";
import { buildLog } from "./log-builder.js";
import type { LogReader } from "./log-reader.js";

function toRecord(entry: JsonObject, position: number) {
  const { values, texts } = readMetrics(entry);
  const step = getCount(entry["step"]);
  values.delete("step");
  return { record: position, values, texts, ...(step === undefined ? {} : { updateIndex: step }) };
}

/** Reads `trainer_state.json` of the Transformers trainer, which TRL builds on: one record in `log_history` per logging step. */
export const trainerStateReader: LogReader = {
  format: "trl-trainer-state",
  description: "TRL and Transformers: trainer_state.json (in the output folder or a checkpoint)",
  detect({ head }) {
    const start = decodeHead(head);
    if (start.includes('"log_history"')) return 0.95;
    return /^\s*\{\s*"best_(?:global_step|metric)"/.test(start) && start.includes('"epoch"') ? 0.9 : 0;
  },
  async read(source) {
    const { value, problems } = await readJsonDocument(source);
    const state: JsonObject = isJsonObject(value) ? value : {};
    const entries = getList(state["log_history"]).filter(isJsonObject);
    // The last record holds totals of the whole run beside the last update's number.
    const records = entries
      .map((entry, position) => toRecord(entry, position + 1))
      .filter(({ values }) => !values.has("train_runtime"));
    const plannedUpdates = getCount(state["max_steps"]);
    const head = {
      file: source.path,
      format: "trl-trainer-state",
      ...(plannedUpdates === undefined ? {} : { plannedUpdates }),
    };
    return [buildLog(head, records, problems.filter(({ message }) => !message.startsWith("NaN")).map(toLogProblem))];
  },
};
