import { isFlaggedInvalid, type Trajectory } from "../../core/index.js";
import type { RecordedSequence } from "../episode-stream.js";
import type { PlayedGroup } from "../play-groups.js";

/**
 * What the episodes of an update were like; shares are in [0, 1], means over judged episodes. What cannot be said, as no
 * episode was judged, is absent.
 */
export interface GroupMeasures {
  readonly episodes: number;
  readonly successRate?: number;
  /** Success rate of each turn budget with a judged episode, by T. */
  readonly successByBudget: readonly { readonly maxTurns: number; readonly episodes: number; readonly rate: number }[];
  readonly meanTurns?: number;
  /** Sampled tokens of an episode. */
  readonly meanTokens: number;
  /** Turns that could not be carried out, of all turns. */
  readonly invalidShare?: number;
  /** Episodes that the policy gave up, and that ran out of turns. */
  readonly quitShare?: number;
  readonly cutShare?: number;
  /** Episodes that ended in an error or have no outcome. */
  readonly unjudged: number;
  /** Episodes whose tokens equal another's of their group more often than their probability explains. */
  readonly duplicateShare: number;
  readonly sampledTokens: number;
}

function isJudged({ success, stopReason }: Trajectory): boolean {
  return success !== undefined && stopReason.type !== "error";
}

/** Returns a share by its name, and nothing where there is no whole. */
function share<Name extends string>(name: Name, part: number, whole: number): { readonly [name in Name]?: number } {
  return whole === 0 ? {} : ({ [name]: part / whole } as { readonly [name in Name]?: number }); // its one key
}

/** Copies that chance makes of an episode less often than this are no chance. */
const expectedCopies = 0.05;

/** Returns the probability that an episode of the same state is sampled as this one was. */
function getChance({ actionMask, sampledLogProbs }: RecordedSequence): number {
  return Math.exp(sampledLogProbs.reduce((sum, logProb, i) => sum + (actionMask[i] ? logProb : 0), 0));
}

/**
 * Returns how many episodes of the group consist of the same tokens as another one, though their probability makes that
 * unlikely. A policy that is sure of a short way takes it every time; long ways that repeat are drawn from one seed.
 */
function countDuplicates({ episodes }: PlayedGroup): number {
  const seen = new Map<string, { count: number; readonly chance: number }>();
  for (const { sequence } of episodes) {
    if (sequence === undefined) continue;
    const key = sequence.ids.join(" ");
    const known = seen.get(key);
    if (known === undefined) seen.set(key, { count: 1, chance: getChance(sequence) });
    else known.count += 1;
  }
  const odd = [...seen.values()].filter(
    ({ count, chance }) => count > 1 && (episodes.length - 1) * chance < expectedCopies,
  );
  return odd.reduce((sum, { count }) => sum + count, 0);
}

/** Returns measures of the groups of one update. */
export function measureGroups(groups: readonly PlayedGroup[]): GroupMeasures {
  const all = groups.flatMap(({ episodes }) => episodes);
  const judged = all.filter(({ trajectory }) => isJudged(trajectory));
  const solved = judged.filter(({ trajectory }) => trajectory.success === true).length;
  const turns = judged.flatMap(({ trajectory }) => trajectory.turns);
  const countStops = (type: string): number =>
    judged.filter(({ trajectory }) => trajectory.stopReason.type === type).length;
  const sampledTokens = all.reduce((sum, { sequence }) => sum + (sequence?.actionMask.filter(Boolean).length ?? 0), 0);
  const budgets = [...new Set(groups.map(({ row }) => row.maxTurns))].sort((a, b) => a - b);
  return {
    episodes: all.length,
    ...share("successRate", solved, judged.length),
    successByBudget: budgets.flatMap((maxTurns) => {
      const own = judged.filter(({ trajectory }) => trajectory.budget.maxTurns === maxTurns);
      const won = own.filter(({ trajectory }) => trajectory.success === true);
      return own.length === 0 ? [] : [{ maxTurns, episodes: own.length, rate: won.length / own.length }];
    }),
    ...share("meanTurns", turns.length, judged.length),
    meanTokens: all.length === 0 ? 0 : sampledTokens / all.length,
    ...share("invalidShare", turns.filter(({ flags }) => isFlaggedInvalid(flags)).length, turns.length),
    ...share("quitShare", countStops("quit"), judged.length),
    ...share("cutShare", countStops("max_turns"), judged.length),
    unjudged: all.length - judged.length,
    duplicateShare: all.length === 0 ? 0 : groups.reduce((sum, group) => sum + countDuplicates(group), 0) / all.length,
    sampledTokens,
  };
}
