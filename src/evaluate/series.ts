import { usageError, type Budget, type Disclosure, type TerminalRule, type Trajectory } from "../core/index.js";
import { OutcomeTally } from "./outcome-tally.js";

/**
 * Episodes that belong on one curve: one policy and checkpoint, one env version, one disclosure and terminal rule, one
 * grader and one set of limits beside turns, and, where smaller budgets are cut, one turn limit.
 */
export interface Series {
  /** What its episodes have in common; see {@linkcode getSeriesKey}. */
  readonly key: string;
  readonly label: string;
  readonly policyId: string;
  readonly checkpoint: string | undefined;
  readonly env: { readonly id: string; readonly version: string };
  readonly disclosure: Disclosure;
  readonly terminalRule: TerminalRule;
  /** Limits beside turns in words; `""` when there are none. */
  readonly limits: string;
  /** What judged success, where it is not the env's own grade. */
  readonly grader: string | undefined;
  /** By turn limit of the episodes, `Infinity` when none is known; a single one where smaller budgets are cut. */
  readonly tallies: ReadonlyMap<number, OutcomeTally>;
  /** Where imported episodes came from, and their translation notes. */
  readonly formats: readonly string[];
  readonly notes: readonly string[];
}

/** Most different translation notes kept of one series; the rest is counted. */
const maxNotes = 12;

interface OpenSeries {
  readonly label: string;
  readonly first: Trajectory;
  readonly tallies: Map<number, OutcomeTally>;
  readonly formats: Set<string>;
  readonly notes: Set<string>;
  moreNotes: number;
}

/**
 * Returns the turn limit that sets a series apart, or `undefined`. Where smaller budgets are cut from the longest runs,
 * runs with another limit are another curve: the first turn of a ten-turn run and a run of one turn need not agree.
 */
function getOwnLimit({ budget, disclosure, terminalRule }: Trajectory): number | undefined {
  return disclosure === "hidden" && terminalRule !== "answer_only" ? budget.maxTurns : undefined;
}

const limitNames = { maxTokens: "tokens", maxToolCalls: "tool calls", maxSeconds: "seconds", maxCost: "cost" } as const;

/** Returns the limits beside turns in words, e.g. `at most 2 tool calls`; `""` when there are none. */
function renderLimits(budget: Budget): string {
  return Object.entries(limitNames)
    .map(([field, name]) => [budget[field as keyof typeof limitNames], name] as const) // the keys of a literal
    .flatMap(([limit, name]) => (limit === undefined ? [] : [`at most ${limit} ${name}`]))
    .join(", ");
}

/** Returns the key of the series that an episode belongs to. */
export function getSeriesKey(trajectory: Trajectory): string {
  const { policy, env, disclosure, terminalRule } = trajectory;
  const turnLimit = getOwnLimit(trajectory) ?? null;
  const setting = [env.id, env.version, disclosure, terminalRule, turnLimit, renderLimits(trajectory.budget)];
  return JSON.stringify([policy.id, policy.checkpoint ?? null, ...setting, trajectory.grader ?? null]);
}

function collectNotes(series: OpenSeries, { provenance }: Trajectory): void {
  if (provenance === undefined) return;
  series.formats.add(provenance.format);
  for (const note of provenance.notes) {
    if (series.notes.has(note)) continue;
    if (series.notes.size < maxNotes) series.notes.add(note);
    else series.moreNotes += 1;
  }
}

/**
 * Reads trajectories once and returns them counted by series, in order of first appearance. `label` names a series
 * where several sources are compared; the policy id is added when a source holds several.
 *
 * @throws {TurnwiseError} (usage) for an episode that began in the middle of another.
 */
export async function collectSeries(
  trajectories: AsyncIterable<Trajectory> | Iterable<Trajectory>,
  label?: string,
): Promise<Series[]> {
  const open = new Map<string, OpenSeries>();
  for await (const trajectory of trajectories) {
    if (trajectory.prefix !== undefined) {
      throw usageError(
        `Cannot put episode "${trajectory.episodeId}" on a curve: it begins in the middle of another, at prefix "${trajectory.prefix.id}"`,
        "Runs from an error pool have a report of their own, which turnwise eval recovery or eval step wrote into the folder",
      );
    }
    const key = getSeriesKey(trajectory);
    let series = open.get(key);
    if (series === undefined) {
      series = { label: "", first: trajectory, tallies: new Map(), formats: new Set(), notes: new Set(), moreNotes: 0 };
      open.set(key, series);
    }
    const limit = trajectory.budget.maxTurns ?? Infinity;
    let tally = series.tallies.get(limit);
    if (tally === undefined) {
      tally = new OutcomeTally();
      series.tallies.set(limit, tally);
    }
    tally.add(trajectory);
    collectNotes(series, trajectory);
  }
  const labels = createLabels(
    [...open.values()].map((series) => series.first),
    label,
  );
  return [...open].map(([key, { first, tallies, formats, notes, moreNotes }], index) => ({
    key,
    label: labels[index],
    policyId: first.policy.id,
    checkpoint: first.policy.checkpoint,
    env: first.env,
    disclosure: first.disclosure,
    terminalRule: first.terminalRule,
    limits: renderLimits(first.budget),
    grader: first.grader,
    tallies,
    formats: [...formats],
    notes: [...notes, ...(moreNotes > 0 ? [`${moreNotes} more translation notes are in the records`] : [])],
  }));
}

/** Returns labels that tell the series apart, as short as that allows. */
function createLabels(firsts: readonly Trajectory[], label: string | undefined): string[] {
  const hasSeveral = (read: (trajectory: Trajectory) => string | undefined): boolean =>
    new Set(firsts.map(read)).size > 1;
  const parts: ((trajectory: Trajectory) => string | undefined)[] = [({ policy }) => policy.id];
  if (hasSeveral(({ policy }) => policy.checkpoint)) parts.push(({ policy }) => policy.checkpoint);
  if (hasSeveral(({ env }) => env.id)) parts.push(({ env }) => env.id);
  if (hasSeveral(({ env }) => env.version)) parts.push(({ env }) => env.version);
  if (hasSeveral(({ disclosure }) => disclosure)) parts.push(({ disclosure }) => disclosure);
  if (hasSeveral(({ terminalRule }) => terminalRule)) parts.push(({ terminalRule }) => terminalRule);
  if (hasSeveral(({ budget }) => renderLimits(budget)))
    parts.push(({ budget }) => renderLimits(budget) || "no other limit");
  if (hasSeveral(({ grader }) => grader)) parts.push(({ grader }) => grader ?? "graded by the env");
  // Series that are told their budget have no limit of their own; that alone needs no word, as they are labelled so.
  const countSettings = (readLimit: (trajectory: Trajectory) => number | undefined): number =>
    new Set(firsts.map((first) => JSON.stringify([first.disclosure, first.terminalRule, readLimit(first)]))).size;
  if (countSettings(getOwnLimit) > countSettings(() => undefined)) {
    parts.push((trajectory) => {
      const limit = getOwnLimit(trajectory);
      return limit === undefined ? undefined : `at most ${limit} ${limit === 1 ? "turn" : "turns"}`;
    });
  }
  if (label !== undefined && !hasSeveral(({ policy }) => policy.id)) parts[0] = () => label;
  else if (label !== undefined) parts.unshift(() => label);
  return firsts.map((first) =>
    parts
      .map((read) => read(first))
      .filter(Boolean)
      .join(" · "),
  );
}
