import type { RecordedNumber } from "../../core/index.js";
import { decodeHead } from "../importers/fields.js";
import { readCsvTable } from "./csv-metrics.js";
import { buildLog, type LogRecord } from "./log-builder.js";
import type { LogReader } from "./log-reader.js";

/** A chart's column: `run name - metric`; `__MIN` and `__MAX` bound the values a sampled chart stands for. */
const chartColumn = /^(?:.*:)?(.+) - ([^-].*?)(?:__(MIN|MAX))?$/;

/** Returns the records of every run of a chart, and those columns that belong to all of them. */
function splitRuns(
  rows: readonly { readonly line: number; readonly values: ReadonlyMap<string, RecordedNumber> }[],
): Map<string, LogRecord[]> {
  const byRun = new Map<string, LogRecord[]>();
  for (const { line, values } of rows) {
    const shared: [string, RecordedNumber][] = [];
    const own = new Map<string, [string, RecordedNumber][]>();
    for (const [name, value] of values) {
      const found = chartColumn.exec(name);
      if (found === null) shared.push([name, value]);
      else if (found[3] === undefined) {
        const list = own.get(found[1]) ?? [];
        list.push([found[2], value]);
        own.set(found[1], list);
      }
    }
    for (const [run, metrics] of own) {
      const records = byRun.get(run) ?? [];
      records.push({ line, values: new Map([...shared, ...metrics]) });
      byRun.set(run, records);
    }
  }
  return byRun;
}

/** Reads the CSV that a Weights & Biases chart exports: one column per run and metric. */
export const wandbChartReader: LogReader = {
  format: "wandb-chart-csv",
  description: "Weights & Biases: the CSV of a chart, a column per run",
  detect({ head }) {
    const [first = ""] = decodeHead(head).split(/\r?\n/, 1);
    return /^"?[^,]+"?,.* - /.test(first) ? 0.9 : 0;
  },
  async read(source) {
    const { rows, problems } = await readCsvTable(source);
    return [...splitRuns(rows)].map(([run, records]) =>
      buildLog({ file: source.path, format: "wandb-chart-csv", run }, records, problems),
    );
  },
};
