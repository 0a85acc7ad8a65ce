import { tagNumber, type RecordedNumber } from "./json.js";

/** The quantities that rules know, whatever a training tool calls them. Shares are in [0, 1]. */
export type CommonMetric =
  /** Mean reward of the episodes of an update. */
  | "reward"
  /** Standard deviation of rewards; over a batch or averaged over groups, the tool does not say which. */
  | "reward_std"
  /** Mean over groups of the standard deviation inside a group. */
  | "group_reward_std"
  /** Share of groups whose rewards are all equal. */
  | "flat_group_share"
  /** Share of groups in which every episode failed, or every one succeeded. */
  | "failed_group_share"
  | "solved_group_share"
  /** Episodes in the smallest and the largest group. */
  | "smallest_group"
  | "largest_group"
  /** Share of training episodes that succeeded, and of evaluation episodes. */
  | "success"
  | "eval_success"
  /** Policy loss, or the total where only that is logged. */
  | "loss"
  | "grad_norm"
  | "learning_rate"
  /** Divergence from the reference policy, nats. */
  | "kl"
  /** Divergence of an update from the policy that sampled, nats. */
  | "update_kl"
  /** Policy entropy, nats. */
  | "entropy"
  /** Mean response length, tokens. */
  | "response_length"
  /** Share of responses that were cut at the length limit. */
  | "clipped_share"
  /** Mean turns or env steps of an episode. */
  | "episode_turns"
  /** Share of responses that repeat themselves. */
  | "loop_share"
  /** Share of responses that are equal to another one of their group. */
  | "duplicate_share";

/** One column of a log. */
export interface MetricColumn {
  /** The name as the tool wrote it. */
  readonly name: string;
  /** The common quantity it states, if it is one. */
  readonly metric?: CommonMetric;
}

/** What a log states about one update. */
export interface MetricRow {
  /** The optimiser step the tool states, or the row's position where it states none. */
  readonly updateIndex: number;
  /** Seconds, on a clock of the tool's choice. */
  readonly timeSeconds?: number;
  /** 1-based line, in a file of lines. */
  readonly line?: number;
  /** 1-based record, in a file without lines: a JSON document, TensorBoard events. */
  readonly record?: number;
  /** Beside the columns of the log; absent where the row does not state the metric. Shape [column]. */
  readonly values: readonly (RecordedNumber | undefined)[];
}

/** Something about a file that was repaired or lost while its log was read. */
export interface MetricLogProblem {
  /** Short class, e.g. `torn_tail`, `repeated_header`, `damaged_record`. */
  readonly problemClass: string;
  readonly message: string;
  readonly line?: number;
}

/** The metrics of one training run over its updates, in the order they were written. */
export interface MetricLog {
  readonly file: string;
  /** Name of the reader, e.g. `verl-file`. */
  readonly format: string;
  /** Name of the run where the file holds several. */
  readonly run?: string;
  /** The column that rows are ordered by; absent when the file states none and positions stand in. */
  readonly indexName?: string;
  readonly columns: readonly MetricColumn[];
  readonly rows: readonly MetricRow[];
  /** Updates the run was planned to make, when the file says so. */
  readonly plannedUpdates?: number;
  readonly problems: readonly MetricLogProblem[];
}

/** The names of {@linkcode CommonMetric} with what they stand for: what help and documentation list. */
export const commonMetrics: { readonly [metric in CommonMetric]: string } = {
  reward: "mean reward",
  reward_std: "standard deviation of rewards",
  group_reward_std: "mean standard deviation of rewards inside a group",
  flat_group_share: "share of groups with equal rewards",
  failed_group_share: "share of groups without a success",
  solved_group_share: "share of groups without a failure",
  smallest_group: "episodes in the smallest group",
  largest_group: "episodes in the largest group",
  success: "success rate in training",
  eval_success: "success rate in evaluation",
  loss: "policy loss",
  grad_norm: "gradient norm",
  learning_rate: "learning rate",
  kl: "divergence from the reference policy",
  update_kl: "divergence of one update",
  entropy: "policy entropy",
  response_length: "mean response length in tokens",
  clipped_share: "share of responses cut at the length limit",
  episode_turns: "mean turns of an episode",
  loop_share: "share of responses that repeat themselves",
  duplicate_share: "share of responses equal to another of their group",
};

/**
 * Returns a log with these columns, one row for each position: for examples, tests and own loggers. A column named
 * like a common metric states it. Rows are numbered from 1 unless `updateIndices` says otherwise; `undefined` in a
 * column is a row that does not state it.
 *
 * @throws {RangeError} when the columns differ in length.
 * @example
 * createMetricLog({ loss: [0.5, NaN] }).rows[1]; // { updateIndex: 2, line: 2, values: [{ $number: "NaN" }] }
 */
export function createMetricLog(
  columns: { readonly [name: string]: readonly (number | undefined)[] },
  options: Partial<Omit<MetricLog, "columns" | "rows">> & { readonly updateIndices?: readonly number[] } = {},
): MetricLog {
  const { updateIndices, ...fields } = options;
  const names = Object.keys(columns);
  const length = updateIndices?.length ?? columns[names[0]]?.length ?? 0;
  const odd = names.find((name) => columns[name].length !== length);
  if (odd !== undefined) {
    throw new RangeError(
      `Cannot create a log as its columns differ in length: "${odd}" has ${columns[odd].length} values, not ${length}`,
    );
  }
  const rows = Array.from({ length }, (_, i) => ({
    updateIndex: updateIndices?.[i] ?? i + 1,
    line: i + 1,
    values: names.map((name) => (columns[name][i] === undefined ? undefined : tagNumber(columns[name][i]))),
  }));
  const toColumn = (name: string): MetricColumn =>
    Object.hasOwn(commonMetrics, name) ? { name, metric: name as CommonMetric } : { name }; // just looked up
  return { file: "log", format: "columns", problems: [], ...fields, columns: names.map(toColumn), rows };
}
