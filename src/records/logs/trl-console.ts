import { isJsonObject, type MetricLogProblem } from "../../core/index.js";
import { decodeHead } from "../importers/fields.js";
import { readRawLines } from "../reading/lines.js";
import { refuseUnusable } from "../reading/source.js";
import { parseTolerantJson } from "../reading/tolerant-json.js";
import { readMetrics } from "./json-metrics.js";
import { buildLog, type LogRecord } from "./log-builder.js";
import type { LogReader } from "./log-reader.js";

/** The Python dictionary that the trainer prints at every logging step, behind or between progress bars. */
const dictionary = /\{'(?:loss|eval_loss|reward|num_tokens|grad_norm)': [^{}]*\}/g;

/** Reads what the Transformers trainer prints. It states no update, so positions stand in. */
export const trlConsoleReader: LogReader = {
  format: "trl-console",
  description:
    "TRL and Transformers: console output with lines {'loss': 0.1, 'grad_norm': …}; prefer trainer_state.json, which states updates",
  detect: ({ head }) => (decodeHead(head).search(dictionary) === -1 ? 0 : 0.6),
  async read(source) {
    refuseUnusable(source);
    const records: LogRecord[] = [];
    const problems: MetricLogProblem[] = [];
    for await (const { bytes, lineNumber } of readRawLines(source.bytes())) {
      for (const [text] of bytes.toString("utf8").matchAll(dictionary)) {
        const [value] = parseTolerantJson(text).values;
        if (isJsonObject(value)) records.push({ line: lineNumber, ...readMetrics(value) });
        else
          problems.push({
            problemClass: "not_a_record",
            message: "the printed dictionary could not be read",
            line: lineNumber,
          });
      }
    }
    return [buildLog({ file: source.path, format: "trl-console" }, records, problems)];
  },
};
