import type { JsonObject, StopLabel, StopReason, TerminalRule, Trajectory, Turn } from "../../core/index.js";
import { envEndKinds, getStopLabel, isJsonObject, stopLabels, terminalRules } from "../../core/index.js";
import { readJsonDocument } from "../reading/jsonl.js";
import type { ImportContext } from "./episode.js";
import {
  convertSafely,
  createEpisode,
  createImportContext,
  createTaskRef,
  describeValue,
  repaired,
  skipped,
  wrongFormat,
} from "./episode.js";
import { decodeHead, getCount, getList, getName, getObject, getRest, getText } from "./fields.js";
import type { ImportItem, Importer } from "./importer.js";

/** The version that every outcome table carries. */
export const outcomeTableSchema = "turnwise.outcomes/1";

/**
 * One episode: position in the table's `tasks`, sample index, turns, success (1, 0, or `null` for unknown), and the
 * stop label where it is not the one these give: `solved`, `max_turns` for a failure at the limit, else `unknown`.
 */
export type OutcomeRow = readonly [
  taskIndex: number,
  sampleIndex: number,
  turns: number,
  success: 0 | 1 | null,
  stop?: StopLabel,
];

/** The outcomes of one policy. */
export interface OutcomePolicy {
  readonly id: string;
  /** What tables show, where the id alone does not tell runs apart. */
  readonly label: string;
  /** The turn limit of this run, when it is not the table's. */
  readonly maxTurns?: number;
  readonly episodes: readonly OutcomeRow[];
}

/** Where the facts of a table come from. */
export interface OutcomeSource {
  readonly repository: string;
  readonly commit: string;
  readonly licence: string;
  /** What one turn means there. */
  readonly turn: string;
  readonly notes?: readonly string[];
}

/** Facts of episodes without their transcripts: task, turns, success. */
export interface OutcomeTable {
  readonly schema: typeof outcomeTableSchema;
  readonly title: string;
  readonly source: OutcomeSource;
  readonly envId: string;
  readonly terminalRule: TerminalRule;
  readonly maxTurns?: number;
  readonly policies: readonly OutcomePolicy[];
  /** Short labels; a task is known by its label and env. */
  readonly tasks: readonly string[];
}

const turnNote = "Outcome table: turns are counted, there are no transcripts. What a turn means is the source's word.";

/** All turns of a table are this one: nothing of them is known but that they were made. */
const emptyTurn: Turn = { observation: { text: "" }, action: { text: "" } };

/** A table longer than this is damaged: no agent makes so many turns. */
const mostTurns = 1_000_000;

/** The stop label that needs no writing down. */
function getImpliedStop(success: boolean | undefined, turns: number, maxTurns: number | undefined): StopLabel {
  if (success === true) return "solved";
  return maxTurns !== undefined && turns >= maxTurns ? "max_turns" : "unknown";
}

function createStop(known: StopLabel): StopReason {
  const kind = envEndKinds.find((candidate) => candidate === known);
  if (kind !== undefined) return { type: "env_end", kind };
  if (known === "error") return { type: "error", boundary: "env", errorClass: "unknown", message: "not in the table" };
  return { type: known } as StopReason; // what is left of the labels are the types without other fields
}

/** What a row's policy and table say about it. */
interface RowPlace {
  readonly table: JsonObject;
  readonly policy: JsonObject;
  readonly policyIndex: number;
  readonly position: number;
}

function* convertRow(row: unknown, place: RowPlace, context: ImportContext): Generator<ImportItem> {
  const { table, policy, policyIndex, position } = place;
  const [taskIndex, sampleIndex, turns, success, stop] = getList(row);
  const label = getName(getList(table["tasks"])[getCount(taskIndex) ?? -1]);
  const sample = getCount(sampleIndex);
  const count = getCount(turns);
  if (label === undefined || sample === undefined || count === undefined || count > mostTurns) {
    yield skipped(
      "not_a_record",
      `Episode ${position} is not [taskIndex, sampleIndex, turns, success]: ${JSON.stringify(row)}`,
      position,
    );
    return;
  }
  const envId = getName(table["envId"]) ?? "unknown";
  const task = createTaskRef({ envId, label }, label);
  const claimed = context.samples.claim(`${policyIndex} ${task.hash}`, sample, row);
  if (claimed === undefined) {
    yield skipped("duplicate", `Episode ${position} repeats a row`, position);
    return;
  }
  if (claimed.isMoved)
    yield repaired("duplicate", `Episode ${position} repeats a sample; kept as sample ${claimed.index}`, position);
  const isSolved = success === 1 || success === true ? true : success === 0 || success === false ? false : undefined;
  const source = getObject(table["source"]);
  const maxTurns = getCount(policy["maxTurns"]) ?? getCount(table["maxTurns"]);
  const stopReason = createStop(
    stopLabels.find((known) => known === stop) ?? getImpliedStop(isSolved, count, maxTurns),
  );
  const trajectory = createEpisode({
    format: "outcomes",
    source: context.source,
    position,
    notes: [
      turnNote,
      ...["turn", "repository", "commit"].flatMap((key) =>
        getText(source[key]) === undefined ? [] : [`${key}: ${getText(source[key])}`],
      ),
    ],
    task,
    sampleIndex: claimed.index,
    policy: { id: context.options.policyId ?? getName(policy["id"]) ?? "unknown" },
    env: { id: envId, version: getName(source["commit"]) ?? "unknown" },
    budget: maxTurns === undefined ? {} : { maxTurns },
    terminalRule: terminalRules.find((rule) => rule === table["terminalRule"]) ?? "hard",
    turns: Array.from({ length: count }, () => emptyTurn),
    stopReason,
    success: stopReason.type === "error" ? undefined : isSolved,
    extra: getRest({ label: policy["label"] }, []),
  });
  yield { type: "trajectory", trajectory, ...(claimed.isMoved ? {} : { isSampleStated: true }) };
}

/** Returns a table of the given episodes, one policy for each entry; tasks are listed in order of first sight. */
export function createOutcomeTable(
  head: Pick<OutcomeTable, "title" | "source" | "envId" | "terminalRule" | "maxTurns">,
  runs: readonly {
    readonly id: string;
    readonly label: string;
    readonly maxTurns?: number;
    readonly trajectories: readonly Trajectory[];
  }[],
): OutcomeTable {
  const positions = new Map<string, number>(); // task hash -> position in `tasks`
  const tasks: string[] = [];
  const policies = runs.map(({ trajectories, ...policy }): OutcomePolicy => {
    const episodes = trajectories.map((trajectory): OutcomeRow => {
      const { task, sampleIndex, turns, success, stopReason } = trajectory;
      const taskIndex = positions.get(task.hash) ?? tasks.push(task.id) - 1;
      positions.set(task.hash, taskIndex);
      const label = getStopLabel(stopReason);
      const row = [taskIndex, sampleIndex, turns.length, success === undefined ? null : success ? 1 : 0] as const;
      return label === getImpliedStop(success, turns.length, policy.maxTurns ?? head.maxTurns) ? row : [...row, label];
    });
    return { ...policy, episodes };
  });
  if (new Set(tasks).size < tasks.length)
    throw new RangeError(`Cannot make an outcome table: two of ${tasks.length} tasks share a label`);
  return { schema: outcomeTableSchema, ...head, policies, tasks };
}

/** Reads outcome tables: published figures without transcripts, on which every analysis of outcomes works. */
export const outcomesImporter: Importer = {
  format: "outcomes",
  description: "Outcome tables (task, turns, success) without transcripts",
  turnNote,
  detect({ head }) {
    return /"schema"\s*:\s*"turnwise\.outcomes\//.test(decodeHead(head)) ? 1 : 0;
  },
  async *read(source, options) {
    const { value, problems } = await readJsonDocument(source);
    if (!isJsonObject(value) || value["schema"] !== outcomeTableSchema || !Array.isArray(value["policies"])) {
      throw wrongFormat(
        source,
        "outcomes",
        describeValue(value),
        `an object with schema "${outcomeTableSchema}" and "policies"`,
      );
    }
    yield* problems;
    const context = createImportContext(source, options);
    let position = 0;
    for (const [policyIndex, policy] of getList(value["policies"]).map(getObject).entries()) {
      for (const row of getList(policy["episodes"])) {
        const place = { table: value, policy, policyIndex, position };
        yield* convertSafely(position, () => convertRow(row, place, context));
        position += 1;
      }
    }
    if (position === 0) throw wrongFormat(source, "outcomes", "no episodes", "at least one");
  },
};
