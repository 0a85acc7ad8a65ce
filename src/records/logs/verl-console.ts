import type { MetricLogProblem, RecordedNumber } from "../../core/index.js";
import { decodeHead } from "../importers/fields.js";
import { readRawLines } from "../reading/lines.js";
import { refuseUnusable } from "../reading/source.js";
import { buildLog, parseMetric, type LogRecord } from "./log-builder.js";
import type { LogReader } from "./log-reader.js";

/** `step:12 - actor/entropy:0.31 - …`, behind whatever Ray puts before it. */
const stepPattern = /(?:^|[\s\])])step:(\d+) - (\S.*)$/;
const colours = /\u001b\[[0-9;]*m/g;

function parseMetrics(text: string): { readonly values: Map<string, RecordedNumber>; readonly odd: string[] } {
  const values = new Map<string, RecordedNumber>();
  const odd: string[] = [];
  for (const part of text.split(" - ")) {
    const at = part.lastIndexOf(":");
    const value = at === -1 ? undefined : parseMetric(part.slice(at + 1));
    if (value === undefined) odd.push(part.trim());
    else values.set(part.slice(0, at).trim(), value);
  }
  return { values, odd };
}

/** Reads what verl prints at every step, out of a file that may hold anything else besides. */
export const verlConsoleReader: LogReader = {
  format: "verl-console",
  description: 'verl, RAGEN, verl-agent: console output with lines "step:1 - actor/entropy:0.3 - …"',
  detect: ({ head }) =>
    decodeHead(head)
      .replace(colours, "")
      .split("\n")
      .some((line) => stepPattern.test(line.trimEnd()))
      ? 0.85
      : 0,
  async read(source) {
    refuseUnusable(source);
    const records: LogRecord[] = [];
    const problems: MetricLogProblem[] = [];
    for await (const { bytes, lineNumber } of readRawLines(source.bytes())) {
      const found = stepPattern.exec(bytes.toString("utf8").replace(colours, "").trimEnd());
      if (found === null) continue;
      const { values, odd } = parseMetrics(found[2]);
      if (odd.length > 0) {
        const message = `${odd.length} metrics of the line state no number, the first is "${odd[0].slice(0, 60)}"`;
        problems.push({ problemClass: "not_a_number", message, line: lineNumber });
      }
      records.push({ line: lineNumber, updateIndex: Number(found[1]), values });
    }
    return [buildLog({ file: source.path, format: "verl-console" }, records, problems)];
  },
};
