import {
  disclosures,
  usageError,
  type AdaptationEffect,
  type ComparisonResult,
  type Disclosure,
  type PolicySurface,
  type Trajectory,
} from "../core/index.js";
import {
  collectSeries,
  compareSeries,
  measureAdaptation,
  measureSurface,
  type AllowedDifference,
  type CompareOptions,
  type Series,
} from "../evaluate/index.js";

/** Episodes to analyse, readable more than once. */
export interface EpisodeSource {
  /** Names the source's series where several sources are compared. */
  readonly label?: string;
  /** Only episodes of this policy. */
  readonly policyId?: string;
  /** Only episodes whose budget was told in this way. */
  readonly disclosure?: Disclosure;
  /** The policies in the order they were asked for; the first one is the reference. Default: as they appear. */
  readonly policyOrder?: readonly string[];
  /** Path or file name, for the report. */
  readonly path: string;
  /** Returns how many episodes the run asked for of one policy under this disclosure, when known. */
  readonly countPlanned?: (disclosure: Disclosure) => number | undefined;
  readonly configHash?: string;
  /** Where imported outcomes come from, in words. */
  readonly origin?: string;
  /** Lines for the report's warnings: problems of an import, a torn tail. */
  readonly warnings?: readonly string[];
  /** Yields every episode; may be called again. */
  read(): AsyncIterable<Trajectory> | Iterable<Trajectory>;
}

/** How to analyse; every field has a default. */
export interface AnalysisOptions {
  /** Turn budgets T of the grid. */
  readonly budgets?: readonly number[];
  /** Sampling widths K. */
  readonly sampleCounts?: readonly number[];
  /** Coverage of intervals and bands; default .95. */
  readonly level?: number;
  /** Bootstrap resamples; default 2,000. */
  readonly replicates?: number;
  /** Seed of the resampling; default 1. */
  readonly bootstrapSeed?: number;
  /** How intervals are made; default `percentile`. */
  readonly intervals?: "percentile" | "bca" | "multiplier";
  /** Half-width of the region called equivalent; default .03. */
  readonly margin?: number;
  /** What two sides may differ in beyond the policy. */
  readonly allow?: readonly AllowedDifference[];
  /** Whether every further source must be compared with another one; else what cannot be compared stands alone. */
  readonly mustCompare?: boolean;
}

/** What an analysis found. */
export interface Analysis {
  readonly surfaces: readonly PolicySurface[];
  readonly comparisons: readonly ComparisonResult[];
  readonly adaptation: readonly AdaptationEffect[];
  /** [source] the labels of the series it holds, by series key. */
  readonly labels: readonly ReadonlyMap<string, string>[];
}

/** Returns the source's episodes, restricted to its policy and disclosure if it names them. */
export async function* readSource({ policyId, disclosure, ...source }: EpisodeSource): AsyncGenerator<Trajectory> {
  for await (const trajectory of source.read()) {
    if (policyId !== undefined && trajectory.policy.id !== policyId) continue;
    if (disclosure === undefined || trajectory.disclosure === disclosure) yield trajectory;
  }
}

/** Returns the series in the order of policies asked for, hidden budgets before disclosed ones. */
function sortSeries(series: readonly Series[], policyOrder: readonly string[]): Series[] {
  const getRank = ({ policyId }: Series): number => policyOrder.indexOf(policyId) >>> 0; // unlisted ones come last
  const getStep = ({ disclosure }: Series): number => disclosures.indexOf(disclosure);
  return [...series].sort((a, b) => getRank(a) - getRank(b) || getStep(a) - getStep(b));
}

/** Returns labels that are unique over all sources: a number is added to what stands twice. */
function makeUnique(found: readonly (readonly Series[])[]): Series[][] {
  const seen = new Map<string, number>();
  return found.map((series) =>
    series.map((one) => {
      const count = (seen.get(one.label) ?? 0) + 1;
      seen.set(one.label, count);
      return count === 1 ? one : { ...one, label: `${one.label} (${count})` };
    }),
  );
}

/** Returns which series are compared: the first one with each other one that was played the same way. */
function choosePairs(series: readonly Series[], allow: readonly AllowedDifference[]): [Series, Series][] {
  const pairs: [Series, Series][] = [];
  const references = new Map<string, Series>();
  for (const one of series) {
    const setting = JSON.stringify([
      one.env.id,
      allow.includes("env_version") ? "" : one.env.version,
      allow.includes("disclosure") ? "" : one.disclosure,
      allow.includes("terminal_rule") ? "" : one.terminalRule,
      allow.includes("grader") ? "" : (one.grader ?? ""),
      allow.includes("limits") ? "" : one.limits,
    ]);
    const reference = references.get(setting);
    if (reference === undefined) references.set(setting, one);
    else pairs.push([reference, one]);
  }
  return pairs;
}

/** Refuses sources that no pair connects with another source, with the reason of the first series of each. */
function checkAllCompared(
  bySource: readonly (readonly Series[])[],
  pairs: readonly [Series, Series][],
  options: CompareOptions,
): void {
  for (const [index, series] of bySource.entries()) {
    if (bySource.length < 2) return;
    const isConnected = pairs.some(([a, b]) => series.includes(a) !== series.includes(b));
    if (isConnected) continue;
    const other = bySource[index === 0 ? 1 : 0];
    compareSeries(other[0], series[0], options); // says why not
    throw usageError(`Cannot compare "${series[0].label}" with "${other[0].label}": they were not played the same way`);
  }
}

/** Returns the adaptation effects of each policy that was played both with a hidden and with a disclosed budget. */
function measureAdaptations(series: readonly Series[], options: AnalysisOptions): AdaptationEffect[] {
  const { level, replicates, bootstrapSeed: seed } = options;
  return series.flatMap((disclosed) => {
    if (disclosed.disclosure === "hidden") return [];
    const hidden = series.find(
      (other) =>
        other.disclosure === "hidden" &&
        other.terminalRule === disclosed.terminalRule &&
        other.policyId === disclosed.policyId &&
        other.checkpoint === disclosed.checkpoint &&
        other.env.id === disclosed.env.id &&
        other.env.version === disclosed.env.version,
    );
    return hidden === undefined || hidden.terminalRule === "answer_only"
      ? []
      : measureAdaptation(hidden, disclosed, { level, replicates, seed });
  });
}

/**
 * Reads every source once and returns the surfaces of its series, the comparisons of the first series with each other
 * one played the same way, and the adaptation effects.
 *
 * @throws {TurnwiseError} (usage) when a source has no episodes, or for grids that the episodes do not cover.
 */
export async function analyze(sources: readonly EpisodeSource[], options: AnalysisOptions = {}): Promise<Analysis> {
  const { budgets, sampleCounts, level, replicates, margin, allow = [], bootstrapSeed: seed, intervals } = options;
  const found: Series[][] = [];
  for (const source of sources) {
    const series = await collectSeries(readSource(source), source.label);
    if (series.length === 0) {
      const which = source.policyId === undefined ? "" : ` of policy "${source.policyId}"`;
      throw usageError(`Cannot analyse "${source.path}": it holds no episodes${which}`);
    }
    found.push(sortSeries(series, source.policyOrder ?? []));
  }
  const bySource = makeUnique(found);
  const all = bySource.flat();
  const shared = { budgets, sampleCounts, level, replicates, seed, intervals };
  const pairs = choosePairs(all, allow);
  if (options.mustCompare === true) checkAllCompared(bySource, pairs, { ...shared, margin, allow });
  const comparisons = pairs.map(([a, b]) => compareSeries(a, b, { ...shared, margin, allow }));
  const surfaces = bySource.flatMap((series, index) =>
    series.map((one) => {
      const grid = { ...chooseGrid(one, comparisons), ...shareTasks(one, pairs) };
      const planned = sources[index].countPlanned?.(one.disclosure);
      return measureSurface(one, {
        ...shared,
        ...grid,
        ...(planned === undefined ? {} : { plannedEpisodes: planned }),
      });
    }),
  );
  return {
    surfaces,
    comparisons,
    adaptation: measureAdaptations(all, options),
    labels: bySource.map((series) => new Map(series.map((one) => [one.key, one.label]))),
  };
}

/**
 * Returns the tasks that a series shares with every one it is compared with, so that its rates and the differences are of
 * the same tasks; nothing where it holds no others.
 */
function shareTasks(
  series: Series,
  pairs: readonly (readonly [Series, Series])[],
): { onlyTasks?: ReadonlySet<string> } {
  const partners = pairs
    .filter((pair) => pair.includes(series))
    .flat()
    .filter((other) => other !== series);
  const hashesOf = (one: Series): Set<string> =>
    new Set([...one.tallies.values()].flatMap((tally) => [...tally.tasks.keys()]));
  const others = partners.map(hashesOf);
  const own = hashesOf(series);
  const shared = new Set([...own].filter((hash) => others.every((hashes) => hashes.has(hash))));
  return shared.size === own.size || shared.size === 0 ? {} : { onlyTasks: shared };
}

/** Returns the grid of the comparison a series is in, so that its surface and the comparison show the same cells. */
function chooseGrid(
  series: Series,
  comparisons: readonly ComparisonResult[],
): { budgets?: number[]; sampleCounts?: number[] } {
  const comparison = comparisons.find(({ a, b }) => a === series.label || b === series.label);
  if (comparison === undefined) return {};
  return {
    budgets: [...new Set(comparison.cells.map((cell) => cell.maxTurns))],
    sampleCounts: [...new Set(comparison.cells.map((cell) => cell.k))],
  };
}
