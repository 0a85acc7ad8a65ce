// internal
import {
  hashJson,
  untagNumber,
  type Env,
  type ErrorPrefix,
  type PoolEntryBase,
  type PoolExclusions,
  type PoolRules,
  type VisitedState,
} from "../../core/index.js";
import { ReplayError } from "../../rollout/index.js";
import { checkCut, playBest, type CheckedCut } from "./check-prefix.js";
import { byRank, type Candidate, type ProducerScan, type Scan } from "./scan-episodes.js";

/** Returns the tasks of a producer in an order that does not depend on what was read first. */
function sortTasks(producer: ProducerScan) {
  return [...producer.tasks].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, task]) => task);
}

/** Returns the producers in an order that does not depend on what was read first. */
function sortProducers(scan: Scan): ProducerScan[] {
  return [...scan.producers.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function createBase(kind: "error" | "visited", candidate: Candidate, cut: CheckedCut): PoolEntryBase {
  const { producer, origin, task, episode, turnIndex, copyIndex } = candidate;
  const copy = copyIndex === 0 ? [] : [copyIndex];
  const place = [kind, producer, origin.configHash ?? origin.run, origin.episodeId, turnIndex, ...copy];
  const id = hashJson(place).slice(0, 16);
  const remainingTurns = getRemaining(candidate);
  const left = remainingTurns === undefined ? {} : { remainingTurns };
  return { id, producer, origin, task, envSeed: episode.envSeed ?? 0, turnIndex, ...left, before: cut.before };
}

/** Returns the smallest distance that was reached before the action of turn `turnIndex`. */
function findBestDistance({ episode, turnIndex }: Candidate): number | undefined {
  const turns = episode.turns.slice(0, turnIndex + 1);
  const reached = turns.flatMap((turn, index) => [
    untagNumber(turn.distanceBefore),
    index < turnIndex ? untagNumber(turn.distanceAfter) : undefined,
  ]);
  const known = reached.filter((distance) => distance !== undefined && Number.isFinite(distance));
  return known.length === 0 ? undefined : Math.min(...known.map(Number));
}

function getRemaining({ episode, turnIndex }: Candidate): number | undefined {
  return episode.budget.maxTurns === undefined ? undefined : episode.budget.maxTurns - turnIndex - 1;
}

/** Returns the turns left beyond the distance after the error; unknown without a turn limit or a finite distance. */
function getSlack(candidate: Candidate): number | undefined {
  const distance = untagNumber(candidate.episode.turns[candidate.turnIndex].distanceAfter);
  const remaining = getRemaining(candidate);
  return remaining === undefined || distance === undefined || !Number.isFinite(distance)
    ? undefined
    : remaining - distance;
}

async function createPrefix(env: Env, candidate: Candidate): Promise<ErrorPrefix> {
  const { task, episode, turnIndex, found } = candidate;
  if (found === undefined) throw new TypeError("Cannot make a prefix of a turn that is no error");
  const cut = await checkCut(env, task, episode, turnIndex);
  const clean = await playBest(env, task, episode.envSeed ?? 0, cut.before);
  const { distanceAfter } = cut.after.turn;
  const [bestDistance, slack] = [findBestDistance(candidate), getSlack(candidate)];
  return {
    kind: "error",
    ...createBase("error", candidate, cut),
    label: found.label,
    evidence: found.evidence,
    error: cut.after,
    ...(clean === undefined ? {} : { clean }),
    ...(bestDistance === undefined ? {} : { bestDistance }),
    ...(distanceAfter === undefined ? {} : { distanceAfter }),
    ...(found.regret === undefined ? {} : { regret: found.regret }),
    ...(slack === undefined ? {} : { slack }),
  };
}

/** Counts what is left out of a pool. */
type Tally = { -readonly [name in keyof PoolExclusions]: PoolExclusions[name] };

/** Returns the entry, or `undefined` when it cannot be played again as recorded. */
async function tryEntry<Entry>(create: () => Promise<Entry>): Promise<Entry | undefined> {
  try {
    return await create();
  } catch (error) {
    if (error instanceof ReplayError) return undefined;
    throw error;
  }
}

/** Returns the usable prefixes of a producer as [round][task]: the first of each task, then the second, and so on. */
async function choosePerTask(env: Env, producer: ProducerScan, rules: PoolRules, tally: Tally): Promise<ErrorPrefix[]> {
  const rounds: ErrorPrefix[][] = [];
  for (const task of sortTasks(producer)) {
    let count = 0;
    let seen = 0;
    for (const candidate of task.errors.sort(byRank)) {
      if (count === rules.perTask) break;
      seen += 1;
      const slack = getSlack(candidate);
      if (slack !== undefined && slack < rules.minSlack) {
        tally.belowSlack += 1;
        continue;
      }
      const prefix = await tryEntry(() => createPrefix(env, candidate));
      if (prefix === undefined) {
        tally.diverged += 1;
        continue;
      }
      (rounds[count] ??= []).push(prefix);
      count += 1;
    }
    tally.overCap += task.errorCount - seen;
  }
  return rounds.flat();
}

/**
 * Returns the prefixes of a pool, and how many were left out and why. Producers with more than the one with fewest keep
 * prefixes of as many tasks as possible.
 */
export async function choosePrefixes(
  env: Env,
  scan: Scan,
  rules: PoolRules,
): Promise<{ readonly prefixes: ErrorPrefix[]; readonly excluded: PoolExclusions }> {
  const { erroredEpisodes, duplicates, withoutError } = scan;
  const tally: Tally = {
    erroredEpisodes,
    duplicates,
    withoutError,
    diverged: 0,
    belowSlack: 0,
    overCap: 0,
    overBalance: 0,
  };
  const chosen: ErrorPrefix[][] = [];
  for (const producer of sortProducers(scan)) chosen.push(await choosePerTask(env, producer, rules, tally));
  const sizes = chosen.map((list) => list.length).filter((size) => size > 0);
  const most = rules.isBalanced ? Math.min(...sizes) : Infinity;
  const prefixes = chosen.flatMap((list) => {
    tally.overBalance += Math.max(0, list.length - most);
    return list.slice(0, most);
  });
  return { prefixes, excluded: tally };
}

/** Returns up to `statesPerTask` visited states for each producer and task; those that cannot be played again are left out. */
export async function chooseVisited(env: Env, scan: Scan, rules: PoolRules): Promise<VisitedState[]> {
  const states: VisitedState[] = [];
  for (const producer of sortProducers(scan)) {
    for (const task of sortTasks(producer)) {
      let count = 0;
      for (const candidate of task.visited.sort(byRank)) {
        if (count === rules.statesPerTask) break;
        const cut = await tryEntry(() => checkCut(env, candidate.task, candidate.episode, candidate.turnIndex));
        if (cut === undefined) continue;
        states.push({ kind: "visited", ...createBase("visited", candidate, cut), isError: candidate.isError });
        count += 1;
      }
    }
  }
  return states;
}
