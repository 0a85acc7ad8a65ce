import { isJsonObject, type JsonObject, type JsonValue, type MetricLogProblem } from "../../core/index.js";
import type { ImportSource } from "../importers/importer.js";
import { decodeHead, getName } from "../importers/fields.js";
import { readJsonDocument } from "../reading/jsonl.js";
import { readMetrics, readLogRecords, toLogProblem, type JsonLogRecord } from "./json-metrics.js";
import { buildLog, type LogRecord } from "./log-builder.js";
import type { LogReader } from "./log-reader.js";

const runFields = ["run", "run_id", "run_name", "_run", "experiment"];

/** Returns the records of a data frame written by columns: `{"loss": {"0": 1.2, "1": 1.1}}` or with lists. */
function readFrame(value: JsonObject): JsonLogRecord[] | undefined {
  const columns = Object.entries(value).filter(
    (entry): entry is [string, JsonObject | readonly JsonValue[]] => typeof entry[1] === "object" && entry[1] !== null,
  );
  if (columns.length < 2 || columns.length !== Object.keys(value).length) return undefined;
  const rows = new Map<string, { [name: string]: JsonValue | undefined }>();
  for (const [name, cells] of columns) {
    for (const [row, cell] of Object.entries(cells)) {
      const found = rows.get(row) ?? {};
      found[name] = cell;
      rows.set(row, found);
    }
  }
  return [...rows.values()].map((record, position) => ({ record, place: { record: position + 1 } }));
}

async function readRecords(
  source: ImportSource,
): Promise<{ readonly records: readonly JsonLogRecord[]; readonly problems: readonly MetricLogProblem[] }> {
  const found = await readLogRecords(source);
  if (found.records.length !== 1) return found;
  const frame = readFrame(found.records[0].record);
  if (frame !== undefined) return { records: frame, problems: found.problems };
  // `{"history": [...]}`, as scripts that call the API often write it.
  const lists = Object.values(found.records[0].record).filter(
    (value) => Array.isArray(value) && value.some(isJsonObject),
  );
  if (lists.length !== 1) return found;
  const { problems } = await readJsonDocument(source);
  const list = lists[0] as readonly JsonValue[]; // just checked to be a list
  return {
    records: list.filter(isJsonObject).map((record, position) => ({ record, place: { record: position + 1 } })),
    problems: problems.map(toLogProblem),
  };
}

/** Reads histories as JSON or JSONL with a record per step: Weights & Biases exports, prime-rl, tinker-cookbook, own loggers. */
export const historyReader: LogReader = {
  format: "wandb-history",
  description: "Weights & Biases history, prime-rl and tinker-cookbook metrics.jsonl: JSON or JSONL, a record per step",
  detect({ head }) {
    const start = decodeHead(head)
      .replace(/^\ufeff/, "")
      .trimStart();
    if (!/^[[{]/.test(start)) return 0;
    const [first] = start.split("\n", 1);
    if (/"_step"\s*:/.test(start)) return 0.9;
    return /"(?:[\w-]+\/)?(?:global_)?step"\s*:\s*[-\d{[]|"(?:iteration|update|progress\/batch)"\s*:\s*[-\d]/.test(
      first.length > 2 ? first : start,
    )
      ? 0.5
      : 0;
  },
  async read(source) {
    const { records, problems } = await readRecords(source);
    const byRun = new Map<string | undefined, LogRecord[]>();
    for (const { record, place } of records) {
      const run = runFields.map((field) => getName(record[field])).find((name) => name !== undefined);
      const list = byRun.get(run) ?? [];
      list.push({ ...place, ...readMetrics(record) });
      byRun.set(run, list);
    }
    if (byRun.size === 0) byRun.set(undefined, []);
    return [...byRun].map(([run, list]) =>
      buildLog({ file: source.path, format: "wandb-history", ...(run === undefined ? {} : { run }) }, list, problems),
    );
  },
};
