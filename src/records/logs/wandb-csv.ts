import type { RecordedNumber } from "../../core/index.js";
import { decodeHead } from "../importers/fields.js";
import { readCsvTable, type CsvRow } from "./csv-metrics.js";
import { buildLog, type LogRecord } from "./log-builder.js";
import type { LogReader } from "./log-reader.js";

/** A chart's column: `run name - metric`; `__MIN` and `__MAX` bound the values a sampled chart stands for. */
const chartColumn = /^(?:.*:)?(.+) - ([^-].*?)(?:__(MIN|MAX))?$/;

/** A column's own name, by run; `undefined` for columns that belong to all runs, null for bounds. */
function readColumn(name: string): { readonly run: string; readonly metric: string } | null | undefined {
  const found = chartColumn.exec(name);
  if (found === null) return undefined;
  return found[3] === undefined ? { run: found[1], metric: found[2] } : null;
}

/** Returns the records of every run of a chart, and those columns that belong to all of them. */
function splitRuns(rows: readonly CsvRow[]): Map<string, LogRecord[]> {
  const byRun = new Map<string, LogRecord[]>();
  for (const { line, values, texts } of rows) {
    const shared: [string, RecordedNumber][] = [];
    const own = new Map<string, { readonly values: [string, RecordedNumber][]; readonly texts: [string, string][] }>();
    const getOwn = (run: string) => {
      const lists = own.get(run) ?? { values: [], texts: [] };
      own.set(run, lists);
      return lists;
    };
    for (const [name, value] of values) {
      const column = readColumn(name);
      if (column === undefined) shared.push([name, value]);
      else if (column !== null) getOwn(column.run).values.push([column.metric, value]);
    }
    for (const [name, text] of texts) {
      const column = readColumn(name);
      if (column !== undefined && column !== null) getOwn(column.run).texts.push([column.metric, text]);
    }
    for (const [run, found] of own) {
      const records = byRun.get(run) ?? [];
      records.push({ line, values: new Map([...shared, ...found.values]), texts: new Map(found.texts) });
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
