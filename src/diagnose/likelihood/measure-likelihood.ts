import {
  inputError,
  likelihoodSegments,
  usageError,
  warnFewTasks,
  type Estimate,
  type LikelihoodGroup,
  type LikelihoodResult,
  type LikelihoodRow,
  type LikelihoodSegment,
  type LogRatioAgreement,
  type LogRatioRow,
  type Trajectory,
} from "../../core/index.js";
import { measureDivergence, type SignalReturn } from "../signals/reward-divergence.js";
import { drawUnits, estimateRatio, TaskNumbers, type UnitDraws } from "../signals/task-draws.js";
import { labelTurns, splitTurn } from "./segments.js";
import type { TurnScore, TurnScorer } from "./turn-scorer.js";

/** Settings of {@linkcode measureLikelihood}; every field has a default. */
export interface MeasureLikelihoodOptions {
  /** Default .95. */
  readonly level?: number;
  /** Bootstrap resamples; default 1,000. */
  readonly replicates?: number;
  /** Default 1. */
  readonly seed?: number;
  /** Episodes scored together; default 16. */
  readonly batchSize?: number;
  readonly signal?: AbortSignal;
  /** Told how many episodes are scored. Must not throw. */
  readonly onProgress?: (episodes: number) => void;
}

/** Sums of one (scorers, producer, outcome, segment) by task. */
interface Sums {
  readonly nats: Map<number, number>;
  readonly tokens: Map<number, number>;
  readonly turns: Map<number, number>;
}

type ScoredTurn = TurnScore & { readonly kind: "scored" };

/** What is collected while episodes are scored. */
class Collection {
  readonly tasks = new TaskNumbers();
  readonly sums = new Map<string, Sums>();
  readonly unavailable = new Map<string, number>();
  readonly alignments = new Map<string, Set<ScoredTurn["alignment"]>>();
  readonly scored = new Map<string, number>();
  /** [comparison] mean log-ratio a turn of each episode. */
  readonly returns = new Map<string, SignalReturn[]>();

  add(key: readonly string[], task: number, nats: number, tokens: number): void {
    const name = JSON.stringify(key);
    const sums = this.sums.get(name) ?? {
      nats: new Map<number, number>(),
      tokens: new Map<number, number>(),
      turns: new Map<number, number>(),
    };
    this.sums.set(name, sums);
    sums.nats.set(task, (sums.nats.get(task) ?? 0) + nats);
    sums.tokens.set(task, (sums.tokens.get(task) ?? 0) + tokens);
    sums.turns.set(task, (sums.turns.get(task) ?? 0) + 1);
  }

  /** Notes that a scorer did, or could not, score a turn. */
  note(scorer: string, score: TurnScore): void {
    if (score.kind === "not_available") {
      const key = JSON.stringify([scorer, score.reason]);
      this.unavailable.set(key, (this.unavailable.get(key) ?? 0) + 1);
      return;
    }
    this.scored.set(scorer, (this.scored.get(scorer) ?? 0) + 1);
    const found = this.alignments.get(scorer) ?? new Set();
    this.alignments.set(scorer, found.add(score.alignment));
  }
}

/** Adds the tokens of one turn to its segments; `values` are nats by token. */
function addTurn(
  collection: Collection,
  head: readonly string[],
  place: TurnPlace,
  values: readonly number[],
  texts: readonly string[] | undefined,
): void {
  const { trajectory, turnIndex, task, segments } = place;
  const group = [trajectory.policy.id, String(trajectory.success)];
  const total = values.reduce((sum, value) => sum + value, 0);
  for (const segment of segments) collection.add([...head, ...group, segment], task, total, values.length);
  const parts = splitTurn(trajectory.turns[turnIndex].action, values.length, texts);
  for (const part of ["thought", "action", "unsplit"] as const) {
    const own = values.filter((_value, i) => parts[i] === part);
    if (own.length > 0)
      collection.add(
        [...head, ...group, part],
        task,
        own.reduce((sum, value) => sum + value, 0),
        own.length,
      );
  }
}

interface TurnPlace {
  readonly trajectory: Trajectory;
  readonly turnIndex: number;
  readonly task: number;
  readonly segments: readonly LikelihoodSegment[];
}

/** Says whether two scores are about the same tokens: by ids where both have them, else by the token texts. */
function areAligned(a: ScoredTurn, b: ScoredTurn): boolean {
  if (a.logProbs.length !== b.logProbs.length) return false;
  if (a.alignment === "ids" && b.alignment === "ids") return true;
  return a.texts !== undefined && b.texts !== undefined && a.texts.every((text, i) => text === b.texts?.[i]);
}

function addEpisode(
  collection: Collection,
  trajectory: Trajectory,
  scorers: readonly TurnScorer[],
  scores: readonly (readonly TurnScore[])[],
): void {
  const task = collection.tasks.add(trajectory.task);
  const labels = labelTurns(trajectory);
  const ratioSums = scorers.map(() => ({ sum: 0, turns: 0 }));
  for (const [turnIndex, { tokens }] of trajectory.turns.entries()) {
    const place = { trajectory, turnIndex, task, segments: labels[turnIndex] };
    const ofTurn = scores.map((byTurn) => byTurn[turnIndex]);
    const texts =
      tokens?.texts ??
      ofTurn.map((score) => (score.kind === "scored" ? score.texts : undefined)).find((found) => found !== undefined);
    const [base] = ofTurn;
    ofTurn.forEach((score, i) => {
      collection.note(scorers[i].id, score);
      if (score.kind === "not_available") return;
      addTurn(
        collection,
        ["nll", scorers[i].id],
        place,
        score.logProbs.map((value) => -value),
        texts,
      );
      if (i === 0 || base.kind === "not_available") return;
      if (!areAligned(base, score)) {
        collection.note(scorers[i].id, {
          kind: "not_available",
          reason: `no log-ratio: its tokens are not those of "${scorers[0].id}"`,
        });
        return;
      }
      const ratios = score.logProbs.map((value, token) => value - base.logProbs[token]);
      addTurn(collection, ["ratio", scorers[0].id, scorers[i].id], place, ratios, texts);
      ratioSums[i].sum += ratios.reduce((sum, value) => sum + value, 0);
      ratioSums[i].turns += 1;
    });
  }
  ratioSums.forEach(({ sum, turns }, i) => {
    if (turns === 0) return;
    const key = JSON.stringify([scorers[0].id, scorers[i].id]);
    const list = collection.returns.get(key) ?? [];
    collection.returns.set(key, list);
    list.push({ unit: 0, task, sum: sum / turns, success: trajectory.success === true });
  });
}

function spread(values: ReadonlyMap<number, number>, { unitOfTask, unitCount }: TaskNumbers): Float64Array {
  const byUnit = new Float64Array(unitCount);
  for (const [task, value] of values) byUnit[unitOfTask[task]] += value;
  return byUnit;
}

interface SegmentFigures extends LikelihoodGroup {
  readonly segment: LikelihoodSegment;
  readonly turns: number;
  readonly tokens: number;
  readonly perToken: Estimate;
  readonly perTurn: Estimate;
}

/** Returns the figures of each (producer, outcome, segment) under one head, in a fixed order. */
function readFigures(collection: Collection, head: readonly string[], draws: UnitDraws): SegmentFigures[] {
  const figures: SegmentFigures[] = [];
  for (const [name, sums] of collection.sums) {
    const key = JSON.parse(name) as string[]; // written by Collection.add
    if (key.length !== head.length + 3 || head.some((part, i) => key[i] !== part)) continue;
    const [producer, success, segment] = key.slice(head.length) as [string, string, LikelihoodSegment]; // in this order in addTurn
    const [nats, tokens, turns] = [sums.nats, sums.tokens, sums.turns].map((values) =>
      spread(values, collection.tasks),
    );
    const perToken = estimateRatio(nats, tokens, draws);
    const perTurn = estimateRatio(nats, turns, draws);
    if (perToken === undefined || perTurn === undefined) continue;
    const count = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);
    figures.push({
      producer,
      success: success === "true",
      segment,
      turns: count(turns),
      tokens: count(tokens),
      perToken,
      perTurn,
    });
  }
  const rank = ({ segment }: SegmentFigures): number => likelihoodSegments.indexOf(segment);
  const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return figures.sort(
    (a, b) => byName(a.producer, b.producer) || Number(b.success) - Number(a.success) || rank(a) - rank(b),
  );
}

function readAgreement(collection: Collection, draws: UnitDraws): LogRatioAgreement[] {
  const { unitOfTask, unitCount } = collection.tasks;
  return [...collection.returns].flatMap(([key, returns]) => {
    const [from, to] = JSON.parse(key) as [string, string]; // written by addEpisode
    const placed = returns.map((one) => ({ ...one, unit: unitOfTask[one.task] }));
    const agreement = measureDivergence("log_ratio", placed, { draws, unitCount })?.agreement;
    return agreement === undefined ? [] : [{ from, to, agreement }];
  });
}

function checkScorers(scorers: readonly TurnScorer[]): void {
  if (scorers.length === 0)
    throw usageError(
      "Cannot measure likelihood without a scorer",
      "Name one with --scorer: chat:MODEL, stored, or a module file",
    );
  const ids = scorers.map(({ id }) => id);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined)
    throw usageError(
      `Cannot measure likelihood under two scorers called "${twice}"`,
      "Give one of them another name: --scorer NAME=...",
    );
}

/**
 * Measures how likely recorded turns are under models: teacher-forced negative log-likelihood by segment, producer and
 * outcome, and log-ratios of every further scorer to the first one. Only what policies wrote is scored, never
 * observations. Intervals resample tasks (families). Turns that a scorer cannot score are counted with the reason and are
 * in none of its figures; log-ratios use turns that both scored token by token.
 *
 * @throws {TurnwiseError} (usage) without scorers or with two of one name; (input) without a graded episode with turns, or
 * for two envs. Errors of scorers pass through.
 */
export async function measureLikelihood(
  trajectories: AsyncIterable<Trajectory> | Iterable<Trajectory>,
  scorers: readonly TurnScorer[],
  options: MeasureLikelihoodOptions = {},
): Promise<LikelihoodResult> {
  const { level = 0.95, replicates = 1000, seed = 1 } = options;
  checkScorers(scorers);
  const { collection, env, episodes, excluded, turns } = await collectScores(trajectories, scorers, options);
  const draws = drawUnits(collection.tasks.unitCount, { seed, replicates, level });
  return {
    env,
    scorers: scorers.map(({ id, checkpoint }) => ({
      id,
      ...(checkpoint === undefined ? {} : { checkpoint }),
      turns: collection.scored.get(id) ?? 0,
      alignment: readAlignment(collection.alignments.get(id)),
    })),
    episodes,
    excludedEpisodes: excluded,
    turns,
    taskCount: collection.tasks.taskCount,
    unitCount: collection.tasks.unitCount,
    level,
    replicates,
    seed,
    rows: scorers.flatMap(({ id }) =>
      readFigures(collection, ["nll", id], draws).map((row): LikelihoodRow => ({ scorer: id, ...row })),
    ),
    logRatios: scorers.slice(1).flatMap(({ id }) =>
      readFigures(collection, ["ratio", scorers[0].id, id], draws).map((row): LogRatioRow => ({
        from: scorers[0].id,
        to: id,
        ...row,
      })),
    ),
    agreement: readAgreement(collection, draws),
    unavailable: [...collection.unavailable].map(([key, count]) => {
      const [scorer, reason] = JSON.parse(key) as [string, string]; // written by Collection.note
      return { scorer, reason, turns: count };
    }),
    warnings: collectWarnings(collection, scorers, turns),
    notes: collectNotes(excluded, scorers),
  };
}

/** What scoring every episode gave. */
interface ScoredEpisodes {
  readonly collection: Collection;
  readonly env: Trajectory["env"];
  readonly episodes: number;
  readonly excluded: number;
  readonly turns: number;
}

/** Scores the graded episodes with turns, a batch at a time. */
async function collectScores(
  trajectories: AsyncIterable<Trajectory> | Iterable<Trajectory>,
  scorers: readonly TurnScorer[],
  { batchSize = 16, signal, onProgress }: MeasureLikelihoodOptions,
): Promise<ScoredEpisodes> {
  const collection = new Collection();
  let env: Trajectory["env"] | undefined;
  let [episodes, excluded, turns] = [0, 0, 0];
  let batch: Trajectory[] = [];
  const flush = async (): Promise<void> => {
    const scores = await Promise.all(scorers.map((scorer) => scorer.scoreTurns(batch, { signal })));
    batch.forEach((trajectory, i) =>
      addEpisode(
        collection,
        trajectory,
        scorers,
        scores.map((ofScorer) => ofScorer[i]),
      ),
    );
    episodes += batch.length;
    batch = [];
    onProgress?.(episodes);
  };
  for await (const trajectory of trajectories) {
    env ??= trajectory.env;
    if (env.id !== trajectory.env.id || env.version !== trajectory.env.version) {
      throw inputError(
        `Cannot measure likelihood over two envs at once: "${env.id}" ${env.version} and "${trajectory.env.id}" ${trajectory.env.version}`,
      );
    }
    if (trajectory.stopReason.type === "error" || trajectory.success === undefined || trajectory.turns.length === 0) {
      excluded += 1;
      continue;
    }
    turns += trajectory.turns.length;
    batch.push(trajectory);
    if (batch.length >= batchSize) await flush();
  }
  if (batch.length > 0) await flush();
  if (env === undefined || episodes === 0) {
    throw inputError(
      `Cannot measure likelihood as no episode can be used${excluded > 0 ? `: ${excluded} ended in an error, are not graded or have no turns` : ": none was given"}`,
    );
  }
  return { collection, env, episodes, excluded, turns };
}

function readAlignment(
  found: ReadonlySet<ScoredTurn["alignment"]> | undefined,
): LikelihoodResult["scorers"][number]["alignment"] {
  if (found?.has("ids") === true) return found.has("text") ? "ids_and_text" : "ids";
  return found?.has("text") === true ? "text" : "none";
}

function collectWarnings(collection: Collection, scorers: readonly TurnScorer[], turns: number): string[] {
  const warnings: string[] = [];
  for (const { id } of scorers) {
    const scored = collection.scored.get(id) ?? 0;
    if (scored === 0) warnings.push(`Not available under "${id}": no turn could be scored`);
    else if (scored < turns)
      warnings.push(`"${id}" scored ${scored} of ${turns} turns; the others are in none of its figures`);
  }
  warnings.push(...warnFewTasks(collection.tasks.unitCount, "intervals"));
  return warnings;
}

function collectNotes(excluded: number, scorers: readonly TurnScorer[]): string[] {
  const notes = [
    "Only what policies wrote is scored; observations never are",
    "A log-ratio says where training moved probability, not whether that helped",
  ];
  if (excluded > 0)
    notes.push(`${excluded} episodes ended in an error, are not graded or have no turns, and are left out`);
  if (scorers.some(({ id }) => id === "stored"))
    notes.push("Stored log-probs are the sampling server's own: after temperature and top-p where it reports them so");
  return notes;
}
