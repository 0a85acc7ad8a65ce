// internal
import { dynamicsMeasures, type DynamicsMeasure, type DynamicsValue } from "../../core/index.js";
import { estimateByUnits, estimateRatio, type UnitDraws } from "../signals/task-draws.js";
import { chainEvent, type CheckpointEpisode } from "./checkpoint-episodes.js";

/** What a measure is the ratio of, for one task: episodes of a task share a weight of 1. */
type TaskPart = readonly [above: number, below: number];

function mean(episodes: readonly CheckpointEpisode[], read: (episode: CheckpointEpisode) => number): number {
  return episodes.reduce((sum, episode) => sum + read(episode), 0) / episodes.length;
}

function share(end: CheckpointEpisode["end"]): (episodes: readonly CheckpointEpisode[]) => TaskPart {
  return (episodes) => [mean(episodes, (episode) => (episode.end === end ? 1 : 0)), 1];
}

function ratio(
  above: (episode: CheckpointEpisode) => number,
  below: (episode: CheckpointEpisode) => number,
): (episodes: readonly CheckpointEpisode[]) => TaskPart {
  return (episodes) => [mean(episodes, above), mean(episodes, below)];
}

const { clean, error } = chainEvent;
const sumOf =
  (positions: readonly number[]) =>
  ({ sums }: CheckpointEpisode): number =>
    positions.reduce((sum, position) => sum + sums.events[position], 0);
const actedClean = [clean("solved"), clean("clean"), clean("error"), clean("wrong")];
const actedError = [error("solved"), error("clean"), error("error"), error("wrong")];

function deviation(episodes: readonly CheckpointEpisode[]): TaskPart {
  if (episodes.length < 2) return [0, 0];
  const centre = mean(episodes, (episode) => episode.return);
  return [
    Math.sqrt(episodes.reduce((sum, episode) => sum + (episode.return - centre) ** 2, 0) / (episodes.length - 1)),
    1,
  ];
}

function uniform(episodes: readonly CheckpointEpisode[]): TaskPart {
  if (episodes.length < 2) return [0, 0];
  return [episodes.every((episode) => episode.return === episodes[0].return) ? 1 : 0, 1];
}

const parts: { readonly [measure in DynamicsMeasure]: (episodes: readonly CheckpointEpisode[]) => TaskPart } = {
  meanTurns: (episodes) => [mean(episodes, ({ sums }) => sums.turns), 1],
  quitShare: share("quit"),
  wrongShare: share("wrong"),
  truncationShare: share("truncated"),
  invalidShare: ratio(
    ({ sums }) => sums.invalidTurns,
    ({ sums }) => sums.turns,
  ),
  toolErrorShare: ratio(
    ({ sums }) => sums.toolErrorTurns,
    ({ sums }) => sums.turns,
  ),
  quitClean: ratio(sumOf([clean("quit")]), sumOf([clean("quit"), ...actedClean])),
  quitError: ratio(sumOf([error("quit")]), sumOf([error("quit"), ...actedError])),
  errorRate: ratio(sumOf([clean("error")]), sumOf(actedClean)),
  recoveryRate: ratio(sumOf([error("solved"), error("clean")]), sumOf(actedError)),
  wrongRate: ratio(sumOf([clean("wrong"), error("wrong")]), sumOf([...actedClean, ...actedError])),
  rewardDeviation: deviation,
  uniformGroupShare: uniform,
  entropy: ratio(
    ({ sums }) => sums.negativeLogProb,
    ({ sums }) => sums.tokens,
  ),
  distinctActionRate: ratio(
    ({ sums }) => sums.distinctActions,
    ({ sums }) => sums.turns,
  ),
  distinctSequenceRate: (episodes) =>
    episodes.length < 2 ? [0, 0] : [new Set(episodes.map(({ sequence }) => sequence)).size / episodes.length, 1],
};

/** Sums of one measure by resampling unit. */
export interface MeasureSums {
  readonly above: Float64Array;
  readonly below: Float64Array;
}

/** Returns the sums of every measure by unit over the tasks given: [task] episodes and the unit of the task. */
export function sumMeasures(
  tasks: readonly { readonly unit: number; readonly episodes: readonly CheckpointEpisode[] }[],
  unitCount: number,
): { readonly [measure in DynamicsMeasure]: MeasureSums } {
  const sums = Object.fromEntries(
    dynamicsMeasures.map((measure) => [
      measure,
      { above: new Float64Array(unitCount), below: new Float64Array(unitCount) },
    ]),
  ) as Record<DynamicsMeasure, { above: Float64Array; below: Float64Array }>; // one entry for each measure, made above
  for (const { unit, episodes } of tasks) {
    for (const measure of dynamicsMeasures) {
      const [above, below] = parts[measure](episodes);
      sums[measure].above[unit] += above;
      sums[measure].below[unit] += below;
    }
  }
  return sums;
}

function computeRatio({ above, below }: MeasureSums, weights: Float64Array): number | undefined {
  let top = 0;
  let bottom = 0;
  for (let unit = 0; unit < weights.length; unit += 1) {
    top += weights[unit] * above[unit];
    bottom += weights[unit] * below[unit];
  }
  return bottom > 0 ? top / bottom : undefined;
}

/** Returns a measure with its change to the first checkpoint, or `undefined` where the data do not hold it. */
export function estimateMeasure(
  own: MeasureSums,
  first: MeasureSums | undefined,
  draws: UnitDraws,
): DynamicsValue | undefined {
  const estimate = estimateRatio(own.above, own.below, draws);
  if (estimate === undefined) return undefined;
  const change =
    first === undefined
      ? undefined
      : estimateByUnits(
          own.above.length,
          draws,
          (weights) => {
            const now = computeRatio(own, weights);
            const then = computeRatio(first, weights);
            return now === undefined || then === undefined ? undefined : now - then;
          },
          estimate.taskCount,
        );
  return { estimate, ...(change === undefined ? {} : { change }) };
}
