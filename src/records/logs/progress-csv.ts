import { decodeHead } from "../importers/fields.js";
import { readCsvTable, type CsvRow } from "./csv-metrics.js";
import { buildLog } from "./log-builder.js";
import type { LogReader } from "./log-reader.js";

/** Columns whose texts tell runs apart where one file holds several. */
const runColumns = ["run", "run_id", "run_name", "runId", "Name", "experiment", "experiment_name"];

/** Returns rows by run; one list under `undefined` when no column names runs. */
function splitByRun(rows: readonly CsvRow[]): Map<string | undefined, CsvRow[]> {
  const column = runColumns.find((name) =>
    rows.some((row) => row.texts.has(name) || (row.values.has(name) && rows[0].values.has(name))),
  );
  const byRun = new Map<string | undefined, CsvRow[]>();
  for (const row of rows) {
    const number = column === undefined ? undefined : row.values.get(column);
    const run =
      column === undefined
        ? undefined
        : (row.texts.get(column) ?? (typeof number === "number" ? String(number) : undefined));
    const list = byRun.get(run);
    if (list === undefined) byRun.set(run, [row]);
    else list.push(row);
  }
  return byRun;
}

/** Reads `progress.csv` of OpenAI Baselines and Stable-Baselines, and any other table with a row per update. */
export const progressCsvReader: LogReader = {
  format: "progress-csv",
  description: "OpenAI Baselines, Stable-Baselines and others: progress.csv, a row per update",
  detect({ head, name }) {
    const [first = ""] = decodeHead(head).split(/\r?\n/, 1);
    if (first.startsWith("{") || first.startsWith("[") || !first.includes(",")) return 0;
    if (/(?:^|,)"?(?:misc\/nupdates|eprewmean|rollout\/ep_rew_mean|time\/total_timesteps)"?(?:,|$)/.test(first))
      return 0.9;
    return name.endsWith(".csv")
      ? 0.5
      : /^[\w"][^{}]*(?:,[^{},]+)+$/.test(first) && /(?:^|,)"?_?(?:global_)?step"?(?:,|$)/i.test(first)
        ? 0.4
        : 0;
  },
  async read(source) {
    const { rows, problems } = await readCsvTable(source);
    return [...splitByRun(rows)].map(([run, records]) =>
      buildLog({ file: source.path, format: "progress-csv", ...(run === undefined ? {} : { run }) }, records, problems),
    );
  },
};
