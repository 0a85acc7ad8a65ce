// internal
import type { Trajectory } from "../../core/index.js";
import { getStopLabel, stopLabels, sumUsage } from "../../core/index.js";
import type { EpisodeRow, EpisodeSetting } from "./episode-row.js";

/** The version that every index file of this shape carries. */
const indexSchema = "turnwise.index/2";

/** The columns that hold numbers taken from a record. */
const recordColumns = [
  "sampleIndex",
  "stopIndex",
  "success", // 1 yes, 0 no, -1 unknown
  "turnCount",
  "solvedTurn", // 0: not known to be solved
  "tokens",
  "toolCalls",
  "seconds",
  "cost",
] as const;

/** All columns that hold numbers; one place for their names keeps reading and writing in step. */
const numberColumns = [...recordColumns, "taskIndex", "settingIndex", "errorIndex", "offset", "length"] as const;
type NumberColumn = (typeof numberColumns)[number];

/** Gives equal values one number. */
class Dictionary<T> {
  readonly #indexes = new Map<string, number>();
  readonly values: T[] = [];
  intern(key: string, create: () => T): number {
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    this.#indexes.set(key, this.values.length);
    this.values.push(create());
    return this.values.length - 1;
  }
}

/** A column of numbers that grows. Small whole numbers take 4 bytes; the first that is not makes it 8. */
class Column {
  #values: Int32Array | Float64Array = new Int32Array(64);
  #length = 0;
  push(value: number): void {
    if (this.#values instanceof Int32Array && value !== (value | 0)) this.#values = Float64Array.from(this.#values);
    if (this.#length === this.#values.length) {
      const larger =
        this.#values instanceof Int32Array ? new Int32Array(this.#length * 2) : new Float64Array(this.#length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length] = value;
    this.#length += 1;
  }
  at(rowIndex: number): number {
    return this.#values[rowIndex];
  }
  toArray(): number[] {
    return Array.from(this.#values.subarray(0, this.#length));
  }
}

/** What the index keeps of a record, taken from it so that the record itself need not be held. */
export interface EpisodeScalars {
  readonly episodeId: string;
  readonly task: EpisodeRow["task"];
  readonly setting: EpisodeSetting;
  readonly errorClass: string;
  readonly numbers: { readonly [name in (typeof recordColumns)[number]]: number };
}

/** Returns the scalars of a record. */
export function getScalars(trajectory: Trajectory): EpisodeScalars {
  const { task, policy, env, budget, disclosure, terminalRule, stopReason, success } = trajectory;
  const { turns, tokens, toolCalls, seconds, cost } = sumUsage(trajectory.turns);
  return {
    episodeId: trajectory.episodeId,
    task: { id: task.id, hash: task.hash, family: task.family },
    setting: {
      policyId: policy.id,
      checkpoint: policy.checkpoint,
      envId: env.id,
      envVersion: env.version,
      budget,
      disclosure,
      terminalRule,
    },
    errorClass: stopReason.type === "error" ? `${stopReason.boundary}/${stopReason.errorClass}` : "",
    numbers: {
      sampleIndex: trajectory.sampleIndex,
      stopIndex: stopLabels.indexOf(getStopLabel(stopReason)),
      success: success === undefined ? -1 : Number(success),
      turnCount: turns,
      solvedTurn: trajectory.turns.findIndex((turn) => turn.solvedAfter === true) + 1,
      tokens,
      toolCalls,
      seconds,
      cost,
    },
  };
}

/** The scalars of one segment's records, by column: about 100 bytes an episode. */
export class SegmentIndex {
  readonly segment: number;
  /** The index covers this many bytes from the beginning of the segment. */
  indexedBytes = 0;
  readonly #columns: Record<NumberColumn, Column>;
  readonly #episodeIds: string[] = [];
  readonly #tasks = new Dictionary<EpisodeRow["task"]>();
  readonly #settings = new Dictionary<EpisodeSetting>();
  readonly #errors = new Dictionary<string>();

  constructor(segment: number) {
    this.segment = segment;
    const columns = numberColumns.map((name) => [name, new Column()] as const);
    this.#columns = Object.fromEntries(columns) as Record<NumberColumn, Column>; // one for each name
    this.#errors.intern("", () => "");
  }

  /** Number of records, older ones of the same key included. */
  get rowCount(): number {
    return this.#episodeIds.length;
  }

  #internTask({ id, hash, family }: EpisodeRow["task"]): number {
    return this.#tasks.intern(`${hash} ${id}\n${family ?? ""}`, () => ({ id, hash, family }));
  }

  #internSetting(setting: EpisodeSetting): number {
    return this.#settings.intern(JSON.stringify(setting), () => setting);
  }

  /** Adds the record with these scalars, whose line lies at `offset`; returns its row. */
  add(scalars: EpisodeScalars, offset: number, length: number): number {
    const { episodeId, task, setting, errorClass, numbers } = scalars;
    for (const name of recordColumns) this.#columns[name].push(numbers[name]);
    this.#columns.taskIndex.push(this.#internTask(task));
    this.#columns.settingIndex.push(this.#internSetting(setting));
    this.#columns.errorIndex.push(this.#errors.intern(errorClass, () => errorClass));
    this.#columns.offset.push(offset);
    this.#columns.length.push(length);
    this.#episodeIds.push(episodeId);
    this.indexedBytes = offset + length + 1;
    return this.#episodeIds.length - 1;
  }

  /** Returns what the key of one row is made of. */
  getKeyParts(rowIndex: number): Pick<EpisodeRow, "task" | "setting" | "sampleIndex"> {
    return {
      task: this.#tasks.values[this.#columns.taskIndex.at(rowIndex)],
      setting: this.#settings.values[this.#columns.settingIndex.at(rowIndex)],
      sampleIndex: this.#columns.sampleIndex.at(rowIndex),
    };
  }

  /** Returns one row. */
  getRow(rowIndex: number): EpisodeRow {
    const at = (name: NumberColumn): number => this.#columns[name].at(rowIndex);
    const errorClass = this.#errors.values[at("errorIndex")];
    return {
      episodeId: this.#episodeIds[rowIndex],
      task: this.#tasks.values[at("taskIndex")],
      setting: this.#settings.values[at("settingIndex")],
      sampleIndex: at("sampleIndex"),
      stopLabel: stopLabels[at("stopIndex")],
      errorClass: errorClass === "" ? undefined : errorClass,
      success: at("success") === -1 ? undefined : at("success") === 1,
      turnCount: at("turnCount"),
      solvedTurn: at("solvedTurn") === 0 ? undefined : at("solvedTurn"),
      tokens: at("tokens"),
      toolCalls: at("toolCalls"),
      seconds: at("seconds"),
      cost: at("cost"),
      segment: this.segment,
      offset: at("offset"),
      length: at("length"),
    };
  }

  /** Returns the index as text; `checksum` is that of the segment's indexed bytes. */
  render(checksum: number): string {
    const columns = Object.fromEntries(numberColumns.map((name) => [name, this.#columns[name].toArray()]));
    return JSON.stringify({
      schema: indexSchema,
      segment: this.segment,
      indexedBytes: this.indexedBytes,
      checksum,
      tasks: this.#tasks.values,
      settings: this.#settings.values,
      errors: this.#errors.values,
      episodeIds: this.#episodeIds,
      columns,
    });
  }

  /** Returns the index a text holds with its checksum, or `undefined` when it is of another version or damaged. */
  static parse(text: string): { readonly index: SegmentIndex; readonly checksum: number } | undefined {
    let stored: StoredIndex;
    try {
      stored = JSON.parse(text) as StoredIndex; // checked just below as far as it matters: the file is disposable
    } catch {
      return undefined;
    }
    if (stored?.schema !== indexSchema) return undefined;
    const index = new SegmentIndex(stored.segment);
    for (const task of stored.tasks) index.#internTask(task);
    for (const setting of stored.settings) index.#internSetting(setting);
    for (const errorClass of stored.errors) index.#errors.intern(errorClass, () => errorClass);
    for (const name of numberColumns) for (const value of stored.columns[name]) index.#columns[name].push(value);
    for (const episodeId of stored.episodeIds) index.#episodeIds.push(episodeId);
    index.indexedBytes = stored.indexedBytes;
    return { index, checksum: stored.checksum };
  }
}

/** The JSON of an index file. */
interface StoredIndex {
  readonly schema: string;
  readonly segment: number;
  readonly indexedBytes: number;
  readonly checksum: number;
  readonly tasks: readonly EpisodeRow["task"][];
  readonly settings: readonly EpisodeSetting[];
  readonly errors: readonly string[];
  readonly episodeIds: readonly string[];
  readonly columns: { readonly [name in NumberColumn]: readonly number[] };
}
