import {
  checkActionSpaces,
  createActionTally,
  hashJson,
  inputError,
  tallyActions,
  usageError,
  writeCount,
  type ActionTally,
  type Disclosure,
  type TerminalRule,
  type Trajectory,
  type TurnwiseError,
} from "../../core/index.js";
import type { ChainTask } from "./chain-data.js";
import { readChainEpisode, tellsMode, type TurnJudge } from "./mode-labels.js";
import { forcedTurnReason } from "./resample-policy.js";

/** One task's episodes under one turn limit. Lists are by episode. */
export interface SideTask {
  readonly taskId: string;
  readonly family: string | undefined;
  readonly episodes: Uint8Array[];
  /** What the first turn of each episode did, as a short text; equal actions have equal texts. */
  readonly firstActions: string[];
  /** Turns of each episode. */
  readonly lengths: number[];
}

/** The episodes of one policy under one setting, read as chains. */
export interface ChainSide {
  readonly label: string;
  readonly env: { readonly id: string; readonly version: string };
  readonly disclosure: Disclosure;
  readonly rule: TerminalRule;
  /** By turn limit of the episodes (`Infinity` when none is known), by task hash. */
  readonly byLimit: ReadonlyMap<number, ReadonlyMap<string, SideTask>>;
  readonly episodeCount: number;
  /** Episodes left out: they ended in an error, or their outcome is not known. */
  readonly excludedCount: number;
  readonly truncatedCount: number;
  readonly lostCount: number;
  readonly longest: number;
  /** All turns; answers asked for and not used in them; turns in which nothing was done for lack of an action. */
  readonly turnCount: number;
  readonly discardedCalls: number;
  readonly discardedTokens: number;
  readonly forcedTurns: number;
  /** Some turn tells of errors: without one, going well and being in error cannot be told apart. */
  readonly knowsModes: boolean;
  readonly labelSources: { readonly judge: number; readonly distance: number; readonly signals: number };
  /** What was called, and how much of it the env rejected. */
  readonly actions: ActionTally;
}

/** Options of {@linkcode collectChainSide}. */
export interface ChainSideOptions {
  readonly label: string;
  /** The rule the figures mean; the first episode's own by default. `hard` where grades of cut states are not known. */
  readonly rule?: TerminalRule;
  readonly judge?: TurnJudge;
}

/**
 * Reads the episodes of one policy, env version, disclosure and terminal rule as chains. Episodes that ended in an
 * error or whose outcome is not known are counted and left out.
 *
 * @throws {TurnwiseError} (input) when there is no usable episode, or none has turns; (usage) for episodes of several
 * policies or settings.
 */
export async function collectChainSide(
  trajectories: AsyncIterable<Trajectory> | Iterable<Trajectory>,
  { label, rule, judge }: ChainSideOptions,
): Promise<ChainSide> {
  const byLimit = new Map<number, Map<string, SideTask>>();
  const labelSources = { judge: 0, distance: 0, signals: 0 };
  const actions = createActionTally();
  const counts = {
    episodeCount: 0,
    excludedCount: 0,
    truncatedCount: 0,
    lostCount: 0,
    longest: 0,
    turnCount: 0,
    discardedCalls: 0,
    discardedTokens: 0,
    forcedTurns: 0,
  };
  let first: Trajectory | undefined;
  let knowsModes = false;
  for await (const trajectory of trajectories) {
    first ??= trajectory;
    checkSame(label, first, trajectory);
    tallyActions(actions, trajectory);
    if (trajectory.prefix !== undefined) {
      throw usageError(
        `Cannot attribute with "${label}": its episodes are continuations of prefixes, not whole ones`,
        "Name runs that begin at the beginning",
      );
    }
    const episode = readChainEpisode(trajectory, rule ?? trajectory.terminalRule, judge);
    if (episode === undefined) {
      counts.excludedCount += 1;
      continue;
    }
    counts.episodeCount += 1;
    if (episode.isTruncated) counts.truncatedCount += 1;
    if (episode.hasLostSuccess) counts.lostCount += 1;
    knowsModes ||= trajectory.turns.some((turn) => tellsMode(turn, judge));
    counts.longest = Math.max(counts.longest, trajectory.turns.length);
    for (const source of ["judge", "distance", "signals"] as const) labelSources[source] += episode.sources[source];
    for (const { usage, action } of trajectory.turns) {
      counts.turnCount += 1;
      counts.discardedCalls += usage?.discarded?.calls ?? 0;
      counts.discardedTokens += usage?.discarded?.tokens ?? 0;
      if (action.invalid === forcedTurnReason) counts.forcedTurns += 1;
    }
    const limit = trajectory.budget.maxTurns ?? Infinity;
    const tasks = byLimit.get(limit) ?? new Map<string, SideTask>();
    byLimit.set(limit, tasks);
    const { id, hash, family } = trajectory.task;
    const task = tasks.get(hash) ?? { taskId: id, family, episodes: [], firstActions: [], lengths: [] };
    tasks.set(hash, task);
    task.episodes.push(episode.events);
    task.firstActions.push(describeFirstAction(trajectory));
    task.lengths.push(trajectory.turns.length);
  }
  if (first === undefined) throw refuseEmpty(label, 0);
  if (counts.episodeCount === 0) throw refuseEmpty(label, counts.excludedCount);
  if (counts.longest === 0) {
    throw inputError(
      `Cannot attribute with "${label}": its episodes have no turns, only outcomes`,
      "Attribution needs what happened in each turn: import trajectories, or play both policies with --estimator interventional",
    );
  }
  const { env, disclosure, terminalRule } = first;
  return { label, env, disclosure, rule: rule ?? terminalRule, byLimit, ...counts, knowsModes, labelSources, actions };
}

function refuseEmpty(label: string, excludedCount: number): TurnwiseError {
  return inputError(
    `Cannot attribute with "${label}": it holds no episode with a known outcome (${excludedCount} ended in an error or have none)`,
  );
}

/** Returns what the first turn did: its calls, or its text where it has none. */
function describeFirstAction({ turns }: Trajectory): string {
  if (turns.length === 0) return "";
  const { text, toolCalls = [], quit } = turns[0].action;
  if (quit === true) return "quit";
  const calls = toolCalls.map((call) => [call.name, call.arguments ?? call.rawArguments ?? null]);
  return hashJson(calls.length > 0 ? calls : text.trim()).slice(0, 12);
}

function checkSame(label: string, first: Trajectory, other: Trajectory): void {
  const identify = ({ policy, env, disclosure, terminalRule }: Trajectory): readonly string[] => [
    `policy "${policy.id}"${policy.checkpoint === undefined ? "" : ` at checkpoint "${policy.checkpoint}"`}`,
    `env "${env.id}" ${env.version}`,
    `disclosure "${disclosure}"`,
    `terminal rule "${terminalRule}"`,
  ];
  const other_ = identify(other);
  const index = identify(first).findIndex((part, i) => part !== other_[i]);
  if (index < 0) return;
  throw usageError(
    `Cannot attribute with "${label}": it holds episodes of more than one setting, ${identify(first)[index]} and ${other_[index]}`,
    "Name one policy of a run with PATH#POLICY, and one disclosure with --disclosure",
  );
}

/** Two sides restricted to the tasks they share, at one fit. */
export interface ChainDesign {
  /** The largest T that is read from this design. */
  readonly maxTurns: number;
  /** The budgets read from it. */
  readonly budgets: readonly number[];
  readonly tasks: readonly ChainTask[];
}

/** Returns the tasks both maps hold, ordered by hash. */
function shareTasks(a: ReadonlyMap<string, SideTask>, b: ReadonlyMap<string, SideTask>): ChainTask[] {
  return [...a.keys()]
    .filter((hash) => b.has(hash))
    .sort()
    .flatMap((taskHash) => {
      const [left, right] = [a.get(taskHash), b.get(taskHash)];
      if (left === undefined || right === undefined) return [];
      const family = left.family ?? right.family;
      return [
        {
          taskId: left.taskId,
          taskHash,
          ...(family === undefined ? {} : { family }),
          a: left.episodes,
          b: right.episodes,
        },
      ];
    });
}

/** Says whether smaller budgets may be read from longer episodes. */
function isCuttable({ disclosure, rule }: ChainSide): boolean {
  return disclosure === "hidden" && rule !== "answer_only";
}

/**
 * Returns what is fitted: with a hidden budget one design from the longest episodes, read at every budget; otherwise
 * one design for each budget that both sides were run at. Tasks are those shared in every design.
 *
 * @throws {TurnwiseError} (usage) for sides of different envs, settings or action spaces, or budgets that were not run; (input) when no
 * task is shared.
 */
export function designChains(a: ChainSide, b: ChainSide, budgets?: readonly number[]): ChainDesign[] {
  checkSides(a, b);
  const requested =
    budgets === undefined ? undefined : [...new Set(budgets)].filter((T) => T > 0).sort((x, y) => x - y);
  const designs = isCuttable(a) ? [designCut(a, b, requested)] : designRuns(a, b, requested);
  const shared = designs.map(({ tasks }) => new Set(tasks.map((task) => task.taskHash)));
  const kept = designs.map((design) => ({
    ...design,
    tasks: design.tasks.filter(({ taskHash }) => shared.every((hashes) => hashes.has(taskHash))),
  }));
  if (kept.every(({ tasks }) => tasks.length > 0)) return kept;
  throw inputError(
    `Cannot attribute the gap between "${a.label}" and "${b.label}": they share no task (tasks are matched by their content)`,
    "Run or import both on the same tasks",
  );
}

function checkSides(a: ChainSide, b: ChainSide): void {
  const pairs = [
    ["env", a.env.id, b.env.id],
    ["env version", a.env.version, b.env.version],
    ["disclosure", a.disclosure, b.disclosure],
    ["terminal rule", a.rule, b.rule],
  ] as const;
  for (const [words, left, right] of pairs) {
    if (left === right) continue;
    throw usageError(
      `Cannot attribute the gap between "${a.label}" and "${b.label}": their ${words} differs, "${left}" and "${right}"`,
      "Both must act in the same env under the same rules; otherwise the gap is not due to the policy alone",
    );
  }
  checkActionSpaces(`attribute the gap between "${a.label}" and "${b.label}"`, [a, b]);
}

function designCut(a: ChainSide, b: ChainSide, requested: readonly number[] | undefined): ChainDesign {
  const [limitA, limitB] = [a, b].map(({ byLimit }) => Math.max(...byLimit.keys()));
  const limit = Math.min(limitA, limitB);
  const longest = Number.isFinite(limit) ? limit : Math.max(1, Math.min(limit, Math.max(a.longest, b.longest)));
  const chosen = requested ?? doubling(longest);
  const tooLarge = chosen.filter((budget) => budget > limit);
  if (tooLarge.length > 0 || chosen.length === 0) {
    throw usageError(
      `Cannot attribute at T=${tooLarge.join(", ")}: the episodes were run with at most ${writeCount(limit, "turn")}`,
      `Ask for budgets from 1 to ${limit}`,
    );
  }
  const tasks = shareTasks(a.byLimit.get(limitA) ?? new Map(), b.byLimit.get(limitB) ?? new Map());
  return { maxTurns: chosen[chosen.length - 1], budgets: chosen, tasks };
}

function designRuns(a: ChainSide, b: ChainSide, requested: readonly number[] | undefined): ChainDesign[] {
  const available = [...a.byLimit.keys()].filter((limit) => limit > 0 && b.byLimit.has(limit)).sort((x, y) => x - y);
  const chosen = requested ?? available;
  const missing = chosen.filter((limit) => !available.includes(limit));
  if (missing.length > 0 || chosen.length === 0) {
    throw usageError(
      `Cannot attribute at T=${missing.join(", ")}: with a told budget every T is run on its own, and both were run at T=${available.join(", ") || "none"}`,
      "Ask only for budgets that both were run at",
    );
  }
  return chosen.map((limit) => ({
    maxTurns: limit,
    budgets: [limit],
    tasks: shareTasks(a.byLimit.get(limit) ?? new Map(), b.byLimit.get(limit) ?? new Map()),
  }));
}

function doubling(last: number): number[] {
  const grid: number[] = [];
  for (let value = 1; value < last; value *= 2) grid.push(value);
  return [...grid, last];
}
