// internal
import {
  stopLabels,
  type AdaptationEffect,
  type AttributionResult,
  type Claim,
  type ClaimDisplay,
  type ComparisonResult,
  type DynamicsResult,
  type LikelihoodResult,
  type PolicySurface,
  type RecoveryResult,
  type SignalsResult,
  type StepEvaluation,
} from "../core/index.js";
import { addAttributionClaims } from "./attribution-claims.js";
import { addDynamicsClaims, addLikelihoodClaims, addSignalClaims } from "./diagnosis-claims.js";
import { createClaimBook, type ClaimBook, type ClaimSource } from "./claim-book.js";
import { addRecoveryClaims, addStepClaims } from "./recovery-claims.js";
import type { ReportRun, TaskListing } from "./report.js";

const share: ClaimDisplay = { decimals: 1, percent: true };
const wholeShare: ClaimDisplay = { decimals: 0, percent: true };
const signedShare: ClaimDisplay = { decimals: 1, percent: true, signed: true };
const count: ClaimDisplay = { decimals: 0 };
const decimal: ClaimDisplay = { decimals: 1 };
const slopeDisplay: ClaimDisplay = { decimals: 2 };
const pValue: ClaimDisplay = { decimals: 4 };

/** The incidence fields that are shares. */
export const incidenceFields = ["success", "quit", "fail", "successHazard", "quitHazard", "failHazard"] as const;
/** The discordance fields that are counts of tasks. */
export const discordanceFields = ["onlyA", "onlyB", "both", "neither"] as const;

/** Writes the id that a claim has for cell (k, T). */
export function cellId(prefix: string, k: number, maxTurns: number): string {
  return `${prefix}.k${k}.t${maxTurns}`;
}

/** Counts of one T by the name their claims have. */
const budgetCounts = [
  ["recorded", "recordedEpisodes"],
  ["counted", "countedEpisodes"],
  ["errored", "erroredEpisodes"],
  ["unknown", "unknownEpisodes"],
] as const;

function addDenominator(book: ClaimBook, surface: PolicySurface, index: number): void {
  const { denominator } = surface;
  const root = `/surfaces/${index}/denominator`;
  const counts = {
    planned: ["plannedEpisodes", denominator.plannedEpisodes],
    recorded: ["recordedEpisodes", denominator.recordedEpisodes],
    counted: ["countedEpisodes", denominator.countedEpisodes],
    errored: ["erroredEpisodes", denominator.erroredEpisodes],
    unknown: ["unknownEpisodes", denominator.unknownEpisodes],
    minSamples: ["minSamplesPerTask", denominator.minSamplesPerTask],
    maxSamples: ["maxSamplesPerTask", denominator.maxSamplesPerTask],
  } as const;
  for (const [name, [key, value]] of Object.entries(counts)) {
    book.addValue({ id: `count.${index}.${name}`, kind: "count", select: `${root}/${key}`, display: count }, value);
  }
  book.addDifference(
    { id: `count.${index}.excluded`, kind: "count", display: count },
    `${root}/countedEpisodes`,
    `${root}/recordedEpisodes`,
    denominator.countedEpisodes,
    denominator.recordedEpisodes,
  );
  const n = denominator.countedEpisodes;
  const rates = {
    rateWithoutErrors: denominator.rateWithoutErrors,
    rateWithErrorsAsFailures: denominator.rateWithErrorsAsFailures,
  };
  for (const [key, value] of Object.entries(rates)) {
    book.addValue({ id: `count.${index}.${key}`, kind: "value", select: `${root}/${key}`, display: share, n }, value);
  }
  for (const [i, row] of (denominator.byBudget ?? []).entries()) {
    const select = `${root}/byBudget/${i}`;
    const id = `count.${index}.t${row.maxTurns}`;
    for (const [name, key] of budgetCounts)
      book.addValue({ id: `${id}.${name}`, kind: "count", select: `${select}/${key}`, display: count }, row[key]);
    for (const key of ["rateWithoutErrors", "rateWithErrorsAsFailures"] as const) {
      const rate = { id: `${id}.${key}`, kind: "value", select: `${select}/${key}`, display: share } as const;
      book.addValue({ ...rate, n: row.countedEpisodes }, row[key]);
    }
  }
  for (const [i, [name, value]] of Object.entries(denominator.errorsByClass).entries()) {
    const pointer = name.replaceAll("~", "~0").replaceAll("/", "~1"); // RFC 6901
    const select = `${root}/errorsByClass/${pointer}`;
    book.addValue({ id: `count.${index}.error.${i}`, kind: "count", select, display: count }, value);
  }
}

function addContours(book: ClaimBook, { contours = [] }: PolicySurface, index: number): void {
  for (const [i, { level, points, slopes, slope }] of contours.entries()) {
    const select = `/surfaces/${index}/contours/${i}`;
    const id = `iso.${index}.${i}`;
    book.addValue({ id: `${id}.level`, kind: "value", select: `${select}/level`, display: wholeShare }, level);
    book.addValue({ id: `${id}.slope`, kind: "value", select: `${select}/slope`, display: slopeDisplay }, slope);
    for (const [j, { tries, interval }] of points.entries()) {
      const point = {
        id: `${id}.p${j}`,
        kind: "value",
        select: `${select}/points/${j}/tries`,
        display: decimal,
      } as const;
      book.addValue(point, tries);
      book.addInterval({ ...point, id: `${id}.p${j}.band`, select: `${select}/points/${j}/interval` }, interval);
      book.addValue(
        { id: `${id}.s${j}`, kind: "value", select: `${select}/slopes/${j}`, display: slopeDisplay },
        slopes[j],
      );
    }
  }
}

function addSurface(book: ClaimBook, surface: PolicySurface, index: number): void {
  const root = `/surfaces/${index}`;
  for (const [i, cell] of surface.cells.entries()) {
    const select = `${root}/cells/${i}/estimate`;
    book.addEstimate(
      { id: cellId(`pass.${index}`, cell.k, cell.maxTurns), kind: "value", select, display: share },
      cell.estimate,
    );
  }
  addContours(book, surface, index);
  for (const [i, { k, estimate }] of surface.passHat.entries()) {
    const select = `${root}/passHat/${i}/estimate`;
    book.addEstimate({ id: `passhat.${index}.k${k}`, kind: "value", select, display: share }, estimate);
  }
  const [first] = surface.cells;
  const tasks = {
    id: `tasks.${index}`,
    kind: "count",
    select: `${root}/cells/0/estimate/taskCount`,
    display: count,
  } as const;
  book.addValue(tasks, first?.estimate.taskCount);
  const levelSelect = `${root}/cells/0/estimate/interval/level`;
  const level: ClaimSource = { id: `passlevel.${index}`, kind: "value", select: levelSelect, display: wholeShare };
  book.addValue(level, first?.estimate.interval?.level);
  book.addValue(
    { id: `turns.${index}`, kind: "value", select: `${root}/meanTurns`, display: decimal },
    surface.meanTurns,
  );
  book.addValue(
    { id: `tokens.${index}`, kind: "value", select: `${root}/meanTokens`, display: count },
    surface.meanTokens,
  );
  book.addValue(
    { id: `cost.${index}`, kind: "value", select: `${root}/meanCost`, display: { decimals: 4 } },
    surface.meanCost,
  );
  addDenominator(book, surface, index);
  for (const [i, { maxTurns, shares }] of surface.stopShares.entries()) {
    for (const label of stopLabels) {
      const select = `${root}/stopShares/${i}/shares/${label}`;
      book.addValue(
        { id: `stop.${index}.t${maxTurns}.${label}`, kind: "value", select, display: share },
        shares[label],
      );
    }
  }
  for (const [i, row] of surface.incidence.entries()) {
    const id = `incidence.${index}.t${row.turn}`;
    const select = `${root}/incidence/${i}`;
    book.addValue({ id: `${id}.atRisk`, kind: "count", select: `${select}/atRisk`, display: count }, row.atRisk);
    for (const field of incidenceFields) {
      book.addValue({ id: `${id}.${field}`, kind: "value", select: `${select}/${field}`, display: share }, row[field]);
    }
  }
}

function addTasks(book: ClaimBook, comparison: ComparisonResult, index: number, listing: TaskListing): void {
  const listed = {
    id: `discordant.${index}`,
    kind: "count",
    select: `/taskListings/${index}/discordantCount`,
    display: count,
  } as const;
  book.addValue(listed, listing.discordantCount);
  const omitted = {
    id: `omitted.${index}`,
    kind: "count",
    select: `/taskListings/${index}/omittedCount`,
    display: count,
  } as const;
  book.addValue(omitted, listing.omittedCount);
  for (const row of listing.rows) {
    const task = comparison.taskDifferences[row];
    if (task === undefined) continue;
    const id = `task.${index}.${row}`;
    const select = `/comparisons/${index}/taskDifferences/${row}`;
    book.addValue({ id: `${id}.a`, kind: "value", select: `${select}/a`, display: share, n: task.samplesA }, task.a);
    book.addValue({ id: `${id}.b`, kind: "value", select: `${select}/b`, display: share, n: task.samplesB }, task.b);
    book.addDifference({ id, kind: "delta", display: signedShare }, `${select}/a`, `${select}/b`, task.a, task.b);
  }
}

function addComparison(book: ClaimBook, comparison: ComparisonResult, index: number): void {
  const root = `/comparisons/${index}`;
  for (const [i, cell] of comparison.cells.entries()) {
    const select = `${root}/cells/${i}/estimate`;
    const id = cellId(`diff.${index}`, cell.k, cell.maxTurns);
    book.addEstimate({ id, kind: "delta", select, display: signedShare }, cell.estimate);
  }
  const n = comparison.sharedTasks;
  book.addValue({ id: `shared.${index}`, kind: "count", select: `${root}/sharedTasks`, display: count }, n);
  for (const [key, tasks] of [
    ["onlyInA", comparison.onlyInA],
    ["onlyInB", comparison.onlyInB],
  ] as const) {
    book.addCount(`${key}.${index}`, `${root}/${key}`, tasks.length);
  }
  book.addValue({ id: `margin.${index}`, kind: "delta", select: `${root}/margin`, display: share }, comparison.margin);
  book.addValue(
    { id: `level.${index}`, kind: "value", select: `${root}/level`, display: wholeShare },
    comparison.level,
  );
  book.addValue(
    { id: `replicates.${index}`, kind: "count", select: `${root}/replicates`, display: count },
    comparison.replicates,
  );
  book.addValue(
    { id: `onset.${index}`, kind: "value", select: `${root}/onsetTurns`, display: count, n },
    comparison.onsetTurns,
  );
  for (const [i, turns] of comparison.reversalTurns.entries()) {
    const select = `${root}/reversalTurns/${i}`;
    book.addValue({ id: `reversal.${index}.${i}`, kind: "value", select, display: count, n }, turns);
  }
  book.addEstimate(
    { id: `area.${index}`, kind: "delta", select: `${root}/areaBetween`, display: signedShare },
    comparison.areaBetween,
  );
  const minimum = comparison.minimumDetectableDifference;
  if (minimum !== undefined) {
    book.addValue(
      { id: `mdd.${index}`, kind: "delta", select: `${root}/minimumDetectableDifference`, display: share, n },
      minimum,
    );
  }
  book.addValue(
    { id: `flip.${index}`, kind: "test", select: `${root}/signFlipP`, display: pValue, n },
    comparison.signFlipP,
  );
  for (const [i, row] of comparison.discordance.entries()) {
    const id = `mcnemar.${index}.t${row.maxTurns}`;
    const select = `${root}/discordance/${i}`;
    for (const field of discordanceFields) {
      book.addValue({ id: `${id}.${field}`, kind: "count", select: `${select}/${field}`, display: count }, row[field]);
    }
    book.addValue({ id: `${id}.pExact`, kind: "test", select: `${select}/pExact`, display: pValue, n }, row.pExact);
    book.addValue({ id: `${id}.pMid`, kind: "test", select: `${select}/pMid`, display: pValue, n }, row.pMid);
  }
  for (const key of ["extraTurns", "extraSamples", "extraTokens"] as const) {
    for (const [i, row] of (comparison[key] ?? []).entries()) {
      const source = {
        id: `${key}.${index}.t${row.maxTurns}`,
        kind: "value",
        select: `${root}/${key}/${i}`,
        display: key === "extraTokens" ? count : decimal,
        n,
      } as const;
      book.addValue({ ...source, select: `${source.select}/value` }, row.value);
      book.addInterval({ ...source, id: `${source.id}.interval`, select: `${source.select}/interval` }, row.interval);
    }
  }
}

/** What the claims of a report are made from. */
export interface ClaimedParts {
  readonly runs: readonly ReportRun[];
  readonly surfaces: readonly PolicySurface[];
  readonly comparisons: readonly ComparisonResult[];
  readonly taskListings: readonly TaskListing[];
  readonly adaptation: readonly AdaptationEffect[];
  readonly attribution?: AttributionResult;
  readonly recovery?: RecoveryResult;
  readonly steps?: StepEvaluation;
  readonly signals?: readonly SignalsResult[];
  readonly likelihood?: LikelihoodResult;
  readonly dynamics?: DynamicsResult;
  readonly availableEpisodes: number;
  readonly shownEpisodes: number;
}

/** Returns a claim for every figure a page or a terminal summary shows. Each selects its value in report.json. */
export function listClaims(parts: ClaimedParts): readonly Claim[] {
  const book = createClaimBook();
  for (const [i, run] of parts.runs.entries()) {
    book.addValue(
      { id: `run.${i}.tasks`, kind: "count", select: `/runs/${i}/taskCount`, display: count },
      run.taskCount,
    );
    book.addValue(
      { id: `run.${i}.episodes`, kind: "count", select: `/runs/${i}/episodeCount`, display: count },
      run.episodeCount,
    );
  }
  for (const [i, surface] of parts.surfaces.entries()) addSurface(book, surface, i);
  for (const [i, comparison] of parts.comparisons.entries()) {
    addComparison(book, comparison, i);
    const listing = parts.taskListings[i];
    if (listing !== undefined) addTasks(book, comparison, i, listing);
  }
  for (const [i, effect] of parts.adaptation.entries()) {
    const source = {
      id: `adaptation.${i}`,
      kind: "delta",
      select: `/adaptation/${i}/estimate`,
      display: signedShare,
    } as const;
    book.addEstimate(source, effect.estimate);
  }
  if (parts.attribution !== undefined) addAttributionClaims(book, parts.attribution);
  if (parts.recovery !== undefined) addRecoveryClaims(book, parts.recovery);
  if (parts.steps !== undefined) addStepClaims(book, parts.steps);
  if (parts.signals !== undefined) addSignalClaims(book, parts.signals);
  if (parts.likelihood !== undefined) addLikelihoodClaims(book, parts.likelihood);
  if (parts.dynamics !== undefined) addDynamicsClaims(book, parts.dynamics);
  const available = {
    id: "episodes.available",
    kind: "count",
    select: "/episodes/availableCount",
    display: count,
  } as const;
  book.addValue(available, parts.availableEpisodes);
  book.addCount("episodes.shown", "/episodes/episodes", parts.shownEpisodes);
  return book.claims;
}
