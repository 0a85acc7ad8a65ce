// internal
import type { MetricColumn, MetricLog, MetricLogProblem, MetricRow, RecordedNumber } from "../../core/index.js";
import { inputError } from "../../core/index.js";
import { findCommonMetric, getNameRank } from "./metric-names.js";

/** One record of a log as its reader found it. */
export interface LogRecord {
  readonly line?: number;
  readonly record?: number;
  readonly timeSeconds?: number;
  readonly updateIndex?: number;
  readonly values: ReadonlyMap<string, RecordedNumber>;
  /** What stands where a number is expected, by name. */
  readonly texts?: ReadonlyMap<string, string>;
}

/** Names of the column that counts updates, best first. Environment steps count only where nothing else does. */
const indexPatterns: readonly RegExp[] = [
  /(?:^|\/)global_step$/i,
  /(?:^|\/)n_?updates$/i,
  /^time\/iterations$/i,
  /^(?:step|update|iteration|training_iteration)$/i,
  /^progress\/batch$/i,
  /^_step$/,
  /(?:^|\/)total_timesteps$/i,
];
const timePatterns: readonly RegExp[] = [
  /^_timestamp$/,
  /^wall_?time$/i,
  /(?:^|\/)time_elapsed$/i,
  /^_runtime$/,
  /^time$/i,
  /^timestamp$/i,
];

/** Returns the first name that the earliest possible pattern matches in at least half of the records. */
function findColumn(records: readonly LogRecord[], patterns: readonly RegExp[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { values } of records) {
    for (const name of values.keys()) {
      if (patterns.some((pattern) => pattern.test(name))) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  for (const pattern of patterns) {
    for (const [name, count] of counts) if (pattern.test(name) && count * 2 >= records.length) return name;
  }
  return undefined;
}

function getPlain(value: RecordedNumber | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** Returns the columns of records: the most telling name of each common metric first, the others as they came. */
function listColumns(records: readonly LogRecord[], left: ReadonlySet<string>): MetricColumn[] {
  const names = new Set<string>();
  for (const { values } of records) for (const name of values.keys()) if (!left.has(name)) names.add(name);
  return [...names]
    .map((name, position) => ({ name, position, rank: getNameRank(name), metric: findCommonMetric(name) }))
    .sort((a, b) => a.rank - b.rank || a.position - b.position)
    .map(({ name, metric }) => (metric === undefined ? { name } : { name, metric }));
}

interface OpenRow {
  readonly updateIndex: number;
  readonly timeSeconds?: number;
  readonly line?: number;
  readonly record?: number;
  readonly values: (RecordedNumber | undefined)[];
}

function isEqual(a: RecordedNumber | undefined, b: RecordedNumber): boolean {
  return a === b || (typeof a === "object" && typeof b === "object" && a.$number === b.$number);
}

/**
 * Says whether a record belongs to a row: what it states again is equal, as an epoch is, and it does not state the
 * whole row again.
 */
function belongsTo({ values }: OpenRow, stated: readonly (readonly [number, RecordedNumber])[]): boolean {
  const again = stated.filter(([column]) => values[column] !== undefined);
  const isWholeRow =
    again.length === stated.length && again.length === values.filter((value) => value !== undefined).length;
  return !isWholeRow && again.every(([column, value]) => isEqual(values[column], value));
}

/** Returns a problem for each metric that some records state as a text; texts that are no metric anywhere are names. */
function findTextProblems(records: readonly LogRecord[], columns: ReadonlyMap<string, number>): MetricLogProblem[] {
  const found = new Map<string, { readonly first: LogRecord; readonly text: string; count: number }>();
  for (const record of records) {
    for (const [name, text] of record.texts ?? []) {
      if (!columns.has(name) && findCommonMetric(name) === undefined) continue;
      const entry = found.get(name) ?? { first: record, text, count: 0 };
      entry.count += 1;
      found.set(name, entry);
    }
  }
  return [...found].map(([name, { first, text, count }]) => {
    const shown = JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
    const message = `"${name}" is no number in ${count} of ${records.length} records, the first states ${shown}: left out`;
    return { problemClass: "not_a_number", message, ...(first.line === undefined ? {} : { line: first.line }) };
  });
}

/** Returns the problem of records whose update nobody can tell, or none. */
function findLostProblems(lost: readonly LogRecord[], indexName: string): MetricLogProblem[] {
  if (lost.length === 0) return [];
  const [{ line }] = lost;
  const message = `${lost.length} ${lost.length === 1 ? "record states" : "records state"} no "${indexName}" and cannot belong to the update before: left out`;
  return [{ problemClass: "no_update", message, ...(line === undefined ? {} : { line }) }];
}

/**
 * Returns a log of records: the update is read from the column that counts updates (each row's position where there is
 * none), and neighbouring records of the same update that state different metrics become one row, as trackers write them
 * apart. A record without the update goes with the row before where it states other metrics, and is left out otherwise:
 * nobody knows when it was.
 *
 * @throws {TurnwiseError} (input) when no record states a metric.
 */
export function buildLog(
  head: Pick<MetricLog, "file" | "format" | "run" | "plannedUpdates">,
  records: readonly LogRecord[],
  problems: readonly MetricLogProblem[] = [],
): MetricLog {
  const isStated = records.some((record) => record.updateIndex !== undefined);
  const indexName = isStated ? undefined : findColumn(records, indexPatterns);
  const timeName = findColumn(records, timePatterns);
  const columns = listColumns(records, new Set([indexName, timeName].flatMap((name) => name ?? [])));
  const positions = new Map(columns.map(({ name }, position) => [name, position]));
  if (columns.length === 0) {
    const reason =
      records.length === 0 ? "it holds no record" : `none of its ${records.length} records states a metric`;
    throw inputError(`Cannot audit "${head.file}" as ${head.format}: ${reason}`);
  }
  const rows: OpenRow[] = [];
  const lost: LogRecord[] = [];
  records.forEach((record, position) => {
    const last = rows.at(-1);
    const found = record.updateIndex ?? (indexName === undefined ? undefined : getPlain(record.values.get(indexName)));
    const updateIndex = found ?? (isStated || indexName !== undefined ? (last?.updateIndex ?? 0) : position);
    const stated = [...record.values].flatMap(([name, value]) => {
      const column = positions.get(name);
      return column === undefined ? [] : [[column, value] as const];
    });
    if (stated.length === 0) return;
    const isSameRow = last?.updateIndex === updateIndex && belongsTo(last, stated);
    if (!isSameRow && found === undefined && (isStated || indexName !== undefined)) {
      lost.push(record);
      return;
    }
    const timeSeconds =
      record.timeSeconds ?? (timeName === undefined ? undefined : getPlain(record.values.get(timeName)));
    const row = isSameRow ? last : { updateIndex, timeSeconds, line: record.line, record: record.record, values: [] };
    if (!isSameRow) rows.push(row);
    for (const [column, value] of stated) row.values[column] = value;
  });
  return {
    ...head,
    ...(indexName === undefined ? (isStated ? { indexName: "step" } : {}) : { indexName }),
    columns,
    rows: rows.map((row): MetricRow => ({ ...row, values: columns.map((_, column) => row.values[column]) })),
    problems: [...problems, ...findTextProblems(records, positions), ...findLostProblems(lost, indexName ?? "step")],
  };
}

/** Returns the value of a cell or scalar that states a number, with words for what JSON cannot write; else `undefined`. */
export function parseMetric(text: string): RecordedNumber | undefined {
  const word = text.trim().replace(/^(?:np\.|numpy\.)?(?:float|int)\d+\((.*)\)$/, "$1");
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(word)) {
    const value = Number(word);
    return Number.isFinite(value) ? value : { $number: value > 0 ? "Infinity" : "-Infinity" };
  }
  if (/^[-+]?nan(?:\(ind\))?$/i.test(word)) return { $number: "NaN" };
  if (/^\+?inf(?:inity)?$/i.test(word)) return { $number: "Infinity" };
  if (/^-inf(?:inity)?$/i.test(word)) return { $number: "-Infinity" };
  if (/^true$/i.test(word)) return 1;
  if (/^false$/i.test(word)) return 0;
  return undefined;
}
