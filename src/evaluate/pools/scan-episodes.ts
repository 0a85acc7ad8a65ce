// internal
import {
  hashJson,
  isQuit,
  type Env,
  type JsonValue,
  type PoolOrigin,
  type Task,
  type Trajectory,
  type Turn,
} from "../../core/index.js";
import { replayTurns, ReplayError } from "../../rollout/index.js";
import type { PoolErrorJudge, PoolSource } from "./pool-source.js";
import { readChances } from "./check-prefix.js";
import { judgeTurn, type FoundError, type TurnJudgement } from "./label-error.js";

/** A turn that may go into the pool. */
export interface Candidate {
  readonly producer: string;
  readonly task: Task;
  readonly origin: PoolOrigin;
  readonly episode: Trajectory;
  readonly turnIndex: number;
  /** Present for the first error of an episode; absent for a visited state. */
  readonly found?: FoundError;
  readonly isError: boolean;
  /** Which of several recordings of this episode it is, from 0: runs of the same settings can differ. */
  readonly copyIndex: number;
  /** Orders candidates at random: the hash of seed and place, so that the order of reading changes nothing. */
  readonly rank: string;
}

/** What a producer did in one task. */
export interface TaskScan {
  readonly errors: Candidate[];
  readonly visited: Candidate[];
  /** Episodes with an error; `errors` keeps only as many as may be needed. */
  errorCount: number;
  turns: number;
  erroneousTurns: number;
}

/** What was found in one producer's episodes. */
export interface ProducerScan {
  readonly id: string;
  episodes: number;
  episodesWithError: number;
  /** By task hash. */
  readonly tasks: Map<string, TaskScan>;
}

/** What a scan of all sources found. */
export interface Scan {
  readonly producers: Map<string, ProducerScan>;
  readonly sources: { readonly run: string; readonly configHash?: string; episodes: number }[];
  erroredEpisodes: number;
  /** Episodes that were read before, from another source; left out. */
  duplicates: number;
  withoutError: number;
  diverged: number;
  /** Episodes whose first error, by the judge's word, is giving up. */
  judgedQuits: number;
  unknownTurns: number;
  knownTurns: number;
}

/** Settings of a scan. */
export interface ScanOptions {
  readonly perTask: number;
  readonly regretThreshold: number;
  readonly statesPerTask: number;
  readonly seed: number;
  readonly judge?: PoolErrorJudge;
}

/** Returns the label of the policy that played an episode. */
function getProducer({ policy }: Trajectory): string {
  return policy.checkpoint === undefined ? policy.id : `${policy.id}@${policy.checkpoint}`;
}

/** Says whether a turn can only be judged by chances, which need the state it was played in. */
function needsChances(env: Env, turn: Turn): boolean {
  if (env.oracle?.getSuccessChance === undefined || isQuit(turn.action)) return false;
  return turn.distanceBefore === undefined || turn.distanceAfter === undefined;
}

/** Returns the state before each turn, by playing the episode again; empty where no turn needs it. */
async function findStates(env: Env, task: Task, episode: Trajectory): Promise<readonly (JsonValue | undefined)[]> {
  const turns = episode.turns.filter(({ action }) => !isQuit(action));
  if (!turns.some((turn) => needsChances(env, turn))) return [];
  const { session, snapshots } = await replayTurns(env, task, episode.envSeed ?? 0, turns, { hasEnded: true });
  await session.close();
  return snapshots;
}

/** Returns what is known of each turn of an episode; `quit` when a judge takes giving up for the first error. */
async function judgeEpisode(
  env: Env,
  task: Task,
  episode: Trajectory,
  options: ScanOptions,
): Promise<TurnJudgement[] | "quit"> {
  const { regretThreshold, judge } = options;
  const { turns, budget } = episode;
  if (judge !== undefined) {
    const first = await judge.findError(episode);
    if (first !== undefined && !(Number.isInteger(first) && first >= 0 && first < turns.length)) {
      throw new RangeError(`Cannot take an error from judge "${judge.id}": it names turn ${first} of ${turns.length}`);
    }
    // Quitting is no error but a question of persistence, and there is no state after it to play on from.
    if (first !== undefined && isQuit(turns[first].action)) return "quit";
    // A judge names the first error alone; what comes after it is not judged.
    return turns.map((_, index) => {
      if (index === first) return { label: "judged", evidence: "judge" };
      return first !== undefined && index > first ? "unknown" : "clean";
    });
  }
  const states = await findStates(env, task, episode);
  return turns.map((turn, index) => {
    const left = budget.maxTurns === undefined ? undefined : budget.maxTurns - index;
    return judgeTurn(turn, {
      regretThreshold,
      getChances: ({ action }) => readChances(env, task, states[index], left, action),
    });
  });
}

function getTaskScan(producer: ProducerScan, taskHash: string): TaskScan {
  const found = producer.tasks.get(taskHash) ?? { errors: [], visited: [], errorCount: 0, turns: 0, erroneousTurns: 0 };
  producer.tasks.set(taskHash, found);
  return found;
}

/** Keeps the candidates with the smallest ranks. */
function keepSmallest(candidates: Candidate[], candidate: Candidate, limit: number): void {
  candidates.push(candidate);
  if (candidates.length < limit * 2 + 8) return;
  candidates.sort(byRank);
  candidates.length = limit;
}

/** Orders candidates by rank. */
export function byRank(a: Candidate, b: Candidate): number {
  return a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0;
}

function addEpisode(
  scan: Scan,
  judged: readonly TurnJudgement[],
  base: Omit<Candidate, "turnIndex" | "isError" | "rank">,
  options: ScanOptions,
): void {
  const { statesPerTask, seed } = options;
  const { episode, origin, copyIndex } = base;
  const producer = scan.producers.get(base.producer) ?? {
    id: base.producer,
    episodes: 0,
    episodesWithError: 0,
    tasks: new Map(),
  };
  scan.producers.set(base.producer, producer);
  producer.episodes += 1;
  const task = getTaskScan(producer, base.task.hash);
  const copy = copyIndex === 0 ? [] : [copyIndex];
  const place = [origin.configHash ?? origin.run, base.producer, origin.episodeId, ...copy];
  const first = judged.findIndex((one) => typeof one === "object");
  if (first < 0) scan.withoutError += 1;
  else {
    const found = judged[first] as FoundError; // found as an object just above
    producer.episodesWithError += 1;
    task.errorCount += 1;
    const rank = hashJson([seed, "error", ...place]);
    keepSmallest(task.errors, { ...base, turnIndex: first, found, isError: true, rank }, options.perTask * 4);
  }
  for (const [turnIndex, one] of judged.entries()) {
    if (isQuit(episode.turns[turnIndex].action)) continue;
    if (one === "unknown") scan.unknownTurns += 1;
    else scan.knownTurns += 1;
    task.turns += 1;
    if (typeof one === "object") task.erroneousTurns += 1;
    if (statesPerTask === 0 || one === "unknown") continue;
    const rank = hashJson([seed, "visited", turnIndex, ...place]);
    keepSmallest(task.visited, { ...base, turnIndex, isError: typeof one === "object", rank }, statesPerTask * 2);
  }
}

/**
 * Returns a function that says which recording of its episode a trajectory is, from 0, or `undefined` when the same
 * recording was read before: a run that is named twice, or a copy of it, must not count twice. Only sources of the same
 * settings can hold the same episode, so only these are compared.
 */
function createCopyFinder(
  sources: readonly PoolSource[],
): (source: PoolSource, episode: Trajectory) => number | undefined {
  const getSetting = ({ name, configHash }: PoolSource): string => configHash ?? name;
  const seen = new Map<string, string[]>();
  return (source, episode) => {
    const setting = getSetting(source);
    if (sources.filter((other) => getSetting(other) === setting).length < 2) return 0;
    const { episodeId, turns, stopReason, success } = episode;
    // Playing again takes another time, which makes it no other episode.
    const recorded = turns.map(({ timing: _seconds, ...turn }) => turn);
    const content = hashJson({ turns: recorded, stopReason, success: success ?? null });
    const key = JSON.stringify([setting, getProducer(episode), episodeId]);
    const copies = seen.get(key) ?? [];
    seen.set(key, copies);
    if (copies.includes(content)) return undefined;
    return copies.push(content) - 1;
  };
}

/**
 * Reads every episode of the sources once and returns the first error of each and a random sample of the states
 * visited.
 *
 * @throws {TurnwiseError} (input) when an episode is of another env or env version, or of a task nobody gave.
 */
export async function scanEpisodes(
  env: Env,
  sources: readonly PoolSource[],
  options: ScanOptions,
  findTask: (episode: Trajectory, source: PoolSource) => Task,
): Promise<Scan> {
  const scan: Scan = {
    producers: new Map(),
    sources: [],
    erroredEpisodes: 0,
    duplicates: 0,
    withoutError: 0,
    diverged: 0,
    judgedQuits: 0,
    unknownTurns: 0,
    knownTurns: 0,
  };
  const findCopy = createCopyFinder(sources);
  for (const source of sources) {
    const { name: run, configHash } = source;
    const part = { run, ...(configHash === undefined ? {} : { configHash }), episodes: 0 };
    scan.sources.push(part);
    for await (const episode of source.read()) {
      const copyIndex = findCopy(source, episode);
      if (copyIndex === undefined) {
        scan.duplicates += 1;
        continue;
      }
      part.episodes += 1;
      const task = findTask(episode, source);
      if (episode.stopReason.type === "error") {
        scan.erroredEpisodes += 1;
        continue;
      }
      const { episodeId, sampleIndex } = episode;
      const origin = { run, ...(configHash === undefined ? {} : { configHash }), episodeId, sampleIndex };
      try {
        const judged = await judgeEpisode(env, task, episode, options);
        if (judged === "quit") scan.judgedQuits += 1;
        const turns = judged === "quit" ? episode.turns.map((): TurnJudgement => "clean") : judged;
        addEpisode(scan, turns, { producer: getProducer(episode), task, origin, episode, copyIndex }, options);
      } catch (error) {
        if (!(error instanceof ReplayError)) throw error;
        scan.diverged += 1;
      }
    }
  }
  return scan;
}
