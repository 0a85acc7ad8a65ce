import type { JsonObject, JsonValue, MetricLogProblem, RecordedNumber } from "../../core/index.js";
import { decodeHead, getCount, getName, getNumber, getText } from "../importers/fields.js";
import type { ImportSource } from "../importers/importer.js";
import { readLogRecords } from "./json-metrics.js";
import { buildLog, parseMetric, type LogRecord } from "./log-builder.js";
import type { LogReader } from "./log-reader.js";
import { isLoop } from "./repetition.js";

interface Rollout {
  readonly group: string;
  readonly score?: number;
  readonly output: string;
}

/** Returns a score, also one that was written as text. */
function getScore(value: JsonValue | undefined): number | undefined {
  return getNumber(typeof value === "string" ? parseMetric(value) : value);
}

function isNoScore(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && getScore(value) === undefined;
}

/** The prompt's part of `uid` = `{prompt uuid}_{session}_{output}` names the group; older dumps have only the prompt. */
function toRollout(record: JsonObject): Rollout {
  const uid = getName(record["uid"]);
  const group = uid === undefined ? (getText(record["input"]) ?? "") : uid.replace(/_\d+_\d+$/, "");
  const score = getScore(record["score"]);
  return { group, output: getText(record["output"]) ?? "", ...(score === undefined ? {} : { score }) };
}

/** Returns rollouts by group, in the order groups first occur. */
function groupRollouts(rollouts: readonly Rollout[]): Rollout[][] {
  const groups = new Map<string, Rollout[]>();
  for (const rollout of rollouts) {
    const group = groups.get(rollout.group);
    if (group === undefined) groups.set(rollout.group, [rollout]);
    else group.push(rollout);
  }
  return [...groups.values()];
}

function share(count: number, total: number): number {
  return total === 0 ? 0 : count / total;
}

/** Returns what a step's rollouts say about its groups: each group is judged on its own, then shares are taken. */
function measureStep(rollouts: readonly Rollout[]): Map<string, RecordedNumber> {
  const groups = groupRollouts(rollouts);
  const sizes = groups.map((group) => group.length);
  const real = groups.filter((group) => group.length > 1 && group.every(({ score }) => score !== undefined));
  const scores = rollouts.flatMap(({ score }) => (score === undefined ? [] : [score]));
  const flat = real.filter(([first, ...others]) => others.every(({ score }) => score === first.score));
  const duplicates = groups.reduce(
    (sum, group) => sum + group.length - new Set(group.map(({ output }) => output)).size,
    0,
  );
  const metrics = new Map<string, RecordedNumber>([
    ["group/count", groups.length],
    ["group/smallest", Math.min(...sizes)],
    ["group/largest", Math.max(...sizes)],
    ["group/duplicate_share", share(duplicates, rollouts.length)],
    ["output/loop_share", share(rollouts.filter(({ output }) => isLoop(output)).length, rollouts.length)],
  ]);
  if (real.length > 0) metrics.set("group/flat_share", share(flat.length, real.length));
  if (scores.length > 0) metrics.set("reward", scores.reduce((sum, score) => sum + score, 0) / scores.length);
  return metrics;
}

/** Returns the rollouts of one dump file by the step each record states, or the number the file is named by. */
async function readRollouts(source: ImportSource): Promise<{
  readonly steps: Map<number, { place: { readonly line?: number }; rollouts: Rollout[] }>;
  readonly problems: readonly MetricLogProblem[];
}> {
  const { records, problems } = await readLogRecords(source);
  const unscored = records.filter(({ record }) => record["output"] !== undefined && isNoScore(record["score"]));
  const named = /^(\d+)\.jsonl$/.exec(source.name)?.[1];
  const steps = new Map<number, { place: { readonly line?: number }; rollouts: Rollout[] }>();
  for (const { record, place } of records) {
    if (record["output"] === undefined) continue;
    const step = getCount(record["step"]) ?? Number(named ?? 0);
    const found = steps.get(step) ?? { place, rollouts: [] };
    found.rollouts.push(toRollout(record));
    steps.set(step, found);
  }
  if (unscored.length === 0) return { steps, problems };
  const [{ record, place }] = unscored;
  const message = `"score" is no number in ${unscored.length} of ${records.length} records, the first states ${JSON.stringify(record["score"])?.slice(0, 40)}: left out`;
  return { steps, problems: [...problems, { problemClass: "not_a_number", message, ...place }] };
}

/** Reads verl's rollout dumps (`trainer.rollout_data_dir`): the only log from which each group can be judged itself. */
export const rolloutDumpReader: LogReader = {
  format: "verl-rollouts",
  description: "verl: rollout dumps, <step>.jsonl with input, output, score and uid",
  detect({ head }) {
    const [first = ""] = decodeHead(head).split("\n", 1);
    return /"input"\s*:/.test(first) && /"output"\s*:/.test(first) && /"score"\s*:/.test(decodeHead(head)) ? 0.85 : 0;
  },
  async read(source) {
    const { steps, problems } = await readRollouts(source);
    const records: LogRecord[] = [...steps].map(([updateIndex, { place, rollouts }]) => ({
      updateIndex,
      ...place,
      values: measureStep(rollouts),
    }));
    return [buildLog({ file: source.path, format: "verl-rollouts" }, records, problems)];
  },
};
