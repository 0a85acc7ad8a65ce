import {
  getSlackStratum,
  hashPoolEntries,
  inputError,
  poolSchema,
  sealPoolCard,
  renderPoolEntries,
  usageError,
  writeCount,
  type Env,
  type ErrorPool,
  type ErrorPrefix,
  type PoolCardContent,
  type PoolProducer,
  type PoolRules,
  type Task,
  type Trajectory,
} from "../../core/index.js";
import type { PoolErrorJudge, PoolSource } from "./pool-source.js";
import { choosePrefixes, chooseVisited } from "./choose-entries.js";
import { scanEpisodes, type ProducerScan, type Scan } from "./scan-episodes.js";

/** How a pool is built. */
export interface BuildPoolOptions {
  /** Most prefixes of one task and producer; default 4. */
  readonly perTask?: number;
  /** Cuts producers to the number of the one with fewest prefixes; default true. */
  readonly isBalanced?: boolean;
  /** Least turns beyond the distance after the error that the producer had left; default 0. */
  readonly minSlack?: number;
  /** Regret above which a choice is an error where the env knows no distance; default .05. */
  readonly regretThreshold?: number;
  /** Visited states drawn for each task and producer; default 2. */
  readonly statesPerTask?: number;
  /** Tells errors in place of the env. */
  readonly judge?: PoolErrorJudge;
  /** For the card, when the sources hold injected errors. */
  readonly injection?: PoolRules["injection"];
  /** Orders candidates; default 1. */
  readonly seed?: number;
  /** For the card. */
  readonly turnwiseVersion?: string;
}

function checkJudge(judge: PoolErrorJudge | undefined): void {
  if (judge === undefined) return;
  for (const name of ["sensitivity", "specificity"] as const) {
    if (judge[name] > 0 && judge[name] <= 1) continue;
    throw usageError(
      `Cannot use judge "${judge.id}": its ${name} must be in (0, 1], found ${String(judge[name])}`,
      "Measure both on turns that people have checked, and state how many: { sensitivity, specificity, checkedCount }",
    );
  }
  if (Number.isInteger(judge.checkedCount) && judge.checkedCount > 0) return;
  throw usageError(
    `Cannot use judge "${judge.id}": checkedCount must be a whole number from 1, found ${String(judge.checkedCount)}`,
  );
}

/** Returns the task of an episode; refuses episodes that this env cannot continue. */
function createTaskFinder(env: Env): (episode: Trajectory, source: PoolSource) => Task {
  return (episode, { name, tasks }) => {
    const { id, version } = episode.env;
    if (id !== env.id || version !== env.version) {
      throw inputError(
        `Cannot pool "${name}": it was played in env "${id}" ${version}, and the env at hand is "${env.id}" ${env.version}`,
        "Prefixes can only be continued in the env that began them: name that one with --env",
      );
    }
    const task = tasks.get(episode.task.hash);
    if (task !== undefined) return task;
    throw inputError(
      `Cannot pool "${name}": the content of task "${episode.task.id}" is not known, and a record holds only its hash`,
      "Name the file with the run's tasks: --tasks-file tasks.jsonl",
    );
  };
}

function refuseNothing(scan: Scan, hasJudge: boolean): void {
  const episodes = scan.sources.reduce((sum, source) => sum + source.episodes, 0);
  if (episodes === 0) throw usageError("Cannot build an error pool: the runs hold no episodes");
  const found = [...scan.producers.values()].some((producer) => producer.episodesWithError > 0);
  if (found) return;
  if (scan.diverged > 0) {
    throw inputError(
      `Cannot build an error pool: none of the episodes could be played again as recorded (${scan.diverged} differ)`,
      "The env answers otherwise than it did then; use the version that played the run",
    );
  }
  if (!hasJudge && scan.unknownTurns > 0) {
    throw inputError(
      `Cannot build an error pool: no error is told in ${writeCount(episodes, "episode")}, and ${writeCount(scan.unknownTurns, "turn carries", "turns carry")} neither "distanceBefore" and "distanceAfter", nor "regret", nor "flags"`,
      "Use an env with an oracle, or name a rule that finds errors: --rule ./my-rule.js",
    );
  }
  throw inputError(
    `Cannot build an error pool: there is no error in ${writeCount(episodes, "episode")}`,
    "Use runs of weaker policies, or inject errors: --inject 0,1,2",
  );
}

function describeProducer(producer: ProducerScan, entries: Pick<ErrorPool, "prefixes" | "visited">): PoolProducer {
  const rates = [...producer.tasks.values()]
    .filter((task) => task.turns > 0)
    .map((task) => task.erroneousTurns / task.turns);
  return {
    id: producer.id,
    episodes: producer.episodes,
    episodesWithError: producer.episodesWithError,
    turns: [...producer.tasks.values()].reduce((sum, task) => sum + task.turns, 0),
    ...(rates.length === 0 ? {} : { errorRate: rates.reduce((sum, rate) => sum + rate, 0) / rates.length }),
    prefixes: entries.prefixes.filter((prefix) => prefix.producer === producer.id).length,
    visited: entries.visited.filter((state) => state.producer === producer.id).length,
  };
}

function countBy(prefixes: readonly ErrorPrefix[], getKey: (prefix: ErrorPrefix) => string): { [key: string]: number } {
  const counts: { [key: string]: number } = {};
  for (const prefix of prefixes) counts[getKey(prefix)] = (counts[getKey(prefix)] ?? 0) + 1;
  return counts;
}

/** Says why a producer has no prefix in the pool. */
function explainNone({ id, episodes, episodesWithError }: PoolProducer, injection: PoolRules["injection"]): string {
  if (episodesWithError > 0) {
    const hold = writeCount(episodesWithError, "episode holds", "episodes hold");
    return `${hold} an error, but none can be played again with enough turns left`;
  }
  return id === "injected" && injection !== undefined
    ? `its ${writeCount(episodes, "episode")} ended before turn ${injection.turns.join(", ")}, at which errors were to be injected`
    : `its ${writeCount(episodes, "episode")} hold no error`;
}

function writeNotes(
  producers: readonly PoolProducer[],
  { judge, injection }: Pick<BuildPoolOptions, "judge" | "injection">,
  scan: Scan,
): string[] {
  const notes: string[] = [];
  if (producers.filter((producer) => producer.prefixes > 0).length < 2) {
    notes.push(
      "All prefixes come from one producer: solvers that resemble it may find them easier or harder than others do",
    );
  }
  for (const producer of producers) {
    if (producer.prefixes === 0)
      notes.push(`Producer "${producer.id}" has no usable prefix: ${explainNone(producer, injection)}`);
  }
  if (judge !== undefined) {
    notes.push(
      `Errors are told by "${judge.id}" (sensitivity ${judge.sensitivity}, specificity ${judge.specificity}, on ${judge.checkedCount} checked turns)`,
    );
  }
  if (scan.judgedQuits > 0) {
    notes.push(
      `In ${writeCount(scan.judgedQuits, "episode")} the rule names giving up as the first error: that is no error but a lack of persistence, so ${scan.judgedQuits === 1 ? "it counts" : "they count"} as without one`,
    );
  }
  if (scan.duplicates > 0) {
    const stand = writeCount(scan.duplicates, "episode stands", "episodes stand");
    notes.push(`${stand} in more than one of the runs and ${scan.duplicates === 1 ? "counts" : "count"} once`);
  }
  if (scan.unknownTurns > 0 && judge === undefined) {
    notes.push(
      `${writeCount(scan.unknownTurns, "turn carries", "turns carry")} nothing that tells an error; errors there go unseen`,
    );
  }
  return notes;
}

/**
 * Builds a frozen pool of error prefixes from all episodes that contain an error, failed or not: the first error of
 * each, checked by playing it again, at most `perTask` for each task and producer, producers balanced, chosen by hash
 * and never by what a solver does with them. Beside them stands a random sample of the states the producers visited.
 * The same episodes and options give the same pool and the same hash, whatever order they are read in.
 *
 * @throws {TurnwiseError} (usage) for a judge without measured error rates, or sources without episodes; (input) when
 * the sources are of another env or version, a task's content is not known, or no usable error is found.
 */
export async function buildErrorPool(
  env: Env,
  sources: readonly PoolSource[],
  options: BuildPoolOptions = {},
): Promise<ErrorPool> {
  const { perTask = 4, isBalanced = true, minSlack = 0, regretThreshold = 0.05, statesPerTask = 2 } = options;
  const { judge, injection, seed = 1, turnwiseVersion = "" } = options;
  checkJudge(judge);
  const rules: PoolRules = {
    perTask,
    isBalanced,
    minSlack,
    regretThreshold,
    statesPerTask,
    ...(injection === undefined ? {} : { injection }),
    seed,
  };
  const scan = await scanEpisodes(
    env,
    sources,
    { ...rules, ...(judge === undefined ? {} : { judge }) },
    createTaskFinder(env),
  );
  refuseNothing(scan, judge !== undefined);
  const { prefixes, excluded } = await choosePrefixes(env, scan, rules);
  if (prefixes.length === 0) {
    throw inputError(
      `Cannot build an error pool: no prefix is usable (${excluded.diverged} cannot be played again, ${excluded.belowSlack} have too few turns left)`,
      "Use the env version that played the run, or lower --min-slack",
    );
  }
  const visited = await chooseVisited(env, scan, rules);
  const entries = { prefixes, visited };
  const producers = [...scan.producers.values()]
    .map((producer) => describeProducer(producer, entries))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const card: PoolCardContent = {
    schema: poolSchema,
    prefixesHash: hashPoolEntries(renderPoolEntries(entries)),
    turnwiseVersion,
    env: { id: env.id, version: env.version },
    restore:
      env.resume !== undefined && prefixes.every((prefix) => prefix.before.snapshot !== undefined) ? "state" : "replay",
    rules,
    ...(judge === undefined
      ? {}
      : {
          judge: {
            id: judge.id,
            sensitivity: judge.sensitivity,
            specificity: judge.specificity,
            checkedCount: judge.checkedCount,
          },
        }),
    sources: scan.sources,
    producers,
    prefixCount: prefixes.length,
    visitedCount: visited.length,
    taskCount: new Set(prefixes.map((prefix) => prefix.task.hash)).size,
    labels: countBy(prefixes, (prefix) => prefix.label),
    endedCount: prefixes.filter((prefix) => prefix.error.ended !== undefined).length,
    controlCount: prefixes.filter((prefix) => prefix.clean !== undefined).length,
    slack: countBy(prefixes, (prefix) => getSlackStratum(prefix.slack)),
    excluded: { ...excluded, diverged: excluded.diverged + scan.diverged },
    notes: writeNotes(producers, { judge, injection }, scan),
  };
  return { card: sealPoolCard(card), ...entries };
}
