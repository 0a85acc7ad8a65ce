import { getStopLabel, type ComparisonResult, type Trajectory } from "../core/index.js";
import type { EpisodeSelection, ReportEpisode } from "./report.js";
import { makeTranscript } from "./transcript.js";

/** Options of {@linkcode createEpisodePicker}. */
export interface EpisodePickerOptions {
  /** Comparisons whose discordant tasks come first. Default none. */
  readonly comparisons?: readonly ComparisonResult[];
  /** Bytes of all transcripts together, as JSON in UTF-8. Default 350,000. */
  readonly maxBytes?: number;
  /** UTF-16 code units kept of one text. Default 4,000. */
  readonly maxTextLength?: number;
  /** Turns kept of one episode. Default 60. */
  readonly maxTurns?: number;
}

/** Chooses transcripts while episodes stream by; memory is bounded by what can be chosen. */
export interface EpisodePicker {
  /** Offers an episode of the surface with this label. The order of offers does not matter. */
  add(label: string, trajectory: Trajectory): void;
  /** Returns the selection. */
  finish(): EpisodeSelection;
}

/** Tasks of one comparison of which episodes are kept. */
const maxDiscordantTasks = 40;
/** Episodes kept for each policy, stop reason and outcome. */
const maxBucketSize = 12;
/** The part of the bytes that discordant tasks may use, so that every stop reason is seen too. */
const discordantShare = 0.6;

interface DiscordantTask {
  readonly taskId: string;
  readonly better: string;
  readonly worse: string;
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

type Position = Pick<ReportEpisode, "taskId" | "sampleIndex" | "episodeId">;

function comparePositions(left: Position, right: Position): number {
  return (
    compareText(left.taskId, right.taskId) ||
    left.sampleIndex - right.sampleIndex ||
    compareText(left.episodeId, right.episodeId)
  );
}

function listDiscordantTasks(comparison: ComparisonResult): DiscordantTask[] {
  return comparison.taskDifferences
    .filter((task) => Math.abs(task.b - task.a) > 0)
    .sort(
      (left, right) =>
        Math.abs(right.b - right.a) - Math.abs(left.b - left.a) || compareText(left.taskId, right.taskId),
    )
    .slice(0, maxDiscordantTasks)
    .map(({ taskId, a, b }) => {
      const [better, worse] = b > a ? [comparison.b, comparison.a] : [comparison.a, comparison.b];
      return { taskId, better, worse };
    });
}

/** Says whether there is anything to read: imported outcomes have turns without words. Errors are told in any case. */
function hasTranscript({ turns, stopReason, closing }: Trajectory): boolean {
  if (stopReason.type === "error" || closing !== undefined) return true;
  return turns.some(({ action, observation }) => {
    const hasCalls = (action.toolCalls?.length ?? 0) + (observation.toolResults?.length ?? 0) > 0;
    return action.text !== "" || observation.text !== "" || hasCalls;
  });
}

/** Keeps the first episodes of each bucket by task and sample, whatever the order they come in. */
function createBuckets(maxSize: number) {
  const buckets = new Map<string, ReportEpisode[]>();
  function add(key: string, position: Position, make: () => ReportEpisode): void {
    const bucket = buckets.get(key) ?? [];
    buckets.set(key, bucket);
    const index = bucket.findIndex((kept) => comparePositions(position, kept) < 0);
    if (index < 0 && bucket.length >= maxSize) return;
    bucket.splice(index < 0 ? bucket.length : index, 0, make());
    bucket.length = Math.min(bucket.length, maxSize);
  }
  return { buckets, add };
}

function bucketKey(label: string, ...rest: readonly (string | boolean | undefined)[]): string {
  return JSON.stringify([label, ...rest.map(String)]);
}

/** Says the rule in words; shown beside the list. */
function writeRule(maxBytes: number, hasDiscordant: boolean): string {
  const first =
    "First the tasks on which the compared policies differ most: a success of the better one and a failure of the " +
    "other. Then one";
  return (
    `${hasDiscordant ? first : "One"} episode after another of each policy, stop reason and outcome, in order of task ` +
    `and sample. At most ${Math.round(maxBytes / 1000)} kB in all.`
  );
}

/**
 * Returns a picker of transcripts. Discordant tasks come first (a success of the better policy, a failure of the
 * other, at most 60 % of the bytes), then one episode of each policy, stop reason and outcome in turn, until the
 * bytes are used. Deterministic and independent of the order of offers.
 */
export function createEpisodePicker(options: EpisodePickerOptions = {}): EpisodePicker {
  const { comparisons = [], maxBytes = 350_000, maxTextLength = 4000, maxTurns = 60 } = options;
  const limits = { maxTextLength, maxTurns };
  const discordant = comparisons.flatMap(listDiscordantTasks);
  const wantedTasks = new Set(discordant.map((task) => task.taskId));
  const pairs = createBuckets(1);
  const variety = createBuckets(maxBucketSize);
  let availableCount = 0;

  function add(label: string, trajectory: Trajectory): void {
    availableCount += 1;
    if (!hasTranscript(trajectory)) return;
    const { task, success } = trajectory;
    const position = { taskId: task.id, sampleIndex: trajectory.sampleIndex, episodeId: trajectory.episodeId };
    if (wantedTasks.has(task.id)) {
      pairs.add(bucketKey(label, task.id, success), position, () =>
        makeTranscript(label, trajectory, "discordant_task", limits),
      );
    }
    const key = bucketKey(label, getStopLabel(trajectory.stopReason), success);
    variety.add(key, position, () => makeTranscript(label, trajectory, "stop_reason", limits));
  }

  function finish(): EpisodeSelection {
    const chosen = createChosen();
    for (const { taskId, better, worse } of discordant) {
      const win = pairs.buckets.get(bucketKey(better, taskId, true))?.[0];
      const failure = pairs.buckets.get(bucketKey(worse, taskId, false))?.[0];
      chosen.take([win, failure], maxBytes * discordantShare);
    }
    const keys = [...variety.buckets.keys()].sort(compareText);
    for (let i = 0; i < maxBucketSize; i += 1) {
      for (const key of keys) chosen.take([variety.buckets.get(key)?.[i]], maxBytes);
    }
    return { availableCount, rule: writeRule(maxBytes, discordant.length > 0), episodes: chosen.episodes };
  }
  return { add, finish };
}

/** Collects episodes once each, as long as their bytes fit. */
function createChosen() {
  const episodes: ReportEpisode[] = [];
  const ids = new Set<string>();
  let usedBytes = 0;
  function take(candidates: readonly (ReportEpisode | undefined)[], maxBytes: number): void {
    for (const episode of candidates) {
      if (episode === undefined) continue;
      const id = bucketKey(episode.label, episode.episodeId);
      const size = new TextEncoder().encode(JSON.stringify(episode)).length;
      if (ids.has(id) || usedBytes + size > maxBytes) continue;
      ids.add(id);
      usedBytes += size;
      episodes.push(episode);
    }
  }
  return { episodes, take };
}
