import {
  inputError,
  warnFewVerdictTasks,
  writeCount,
  type ContextMode,
  type Disclosure,
  type ErrorPool,
  type RecoveryBehaviour,
  type RecoveryCell,
  type RecoveryDifference,
  type RecoveryResult,
  type TerminalRule,
  type Trajectory,
} from "../../core/index.js";
import { canCut } from "../../rollout/index.js";
import { measureContexts, measureDebt, measureMatrix, measureStrata } from "./recovery-breakdown.js";
import { describeJudge } from "./pool-notes.js";
import {
  countUnits,
  estimateCells,
  estimateMean,
  estimateRatios,
  judgeDifference,
  meanOf,
  widenByArms,
  type TaskCells,
} from "./estimate-cells.js";
import { averageByTask, readArm, subtract, type RecoveryContext } from "./recovery-context.js";
import { choosePlayed, groupByTask, readPlayedPool, type PlayedEpisode, type RecoveryArm } from "./recovery-data.js";

/** How recovery figures are estimated. */
export interface MeasureRecoveryOptions {
  /** Policies in the order they are shown; the first one is the reference. */
  readonly policies: readonly string[];
  readonly contexts: readonly ContextMode[];
  /** Turns left: the grid of b. */
  readonly budgets: readonly number[];
  readonly disclosure: Disclosure;
  readonly terminalRule: TerminalRule;
  /** Episodes asked for of each prefix and arm. */
  readonly samples: number;
  /** Coverage of intervals and bands; default .95. */
  readonly level?: number;
  /** Bootstrap resamples of tasks; default 2,000. */
  readonly replicates?: number;
  /** Seed of the resampling; default 1. */
  readonly seed?: number;
  /** Half-width of the region called equivalent; default .03. */
  readonly margin?: number;
}

function measureReturned(context: RecoveryContext, policy: string, mode: ContextMode): TaskCells[] | undefined {
  const { chosen, played, reading } = context;
  if (!chosen.prefixes.every((prefix) => prefix.bestDistance !== undefined)) return undefined;
  return averageByTask(context, (prefix, b) => {
    const list = played.list(policy, mode, "error", reading.isCut ? reading.largest : b, prefix.id);
    return meanOf(list.map(({ returnTurn = Infinity }) => (returnTurn <= b ? 1 : 0))) ?? 0;
  });
}

function measureCells(context: RecoveryContext, policy: string, mode: ContextMode): RecoveryCell[] {
  const { budgets, figures, chosen } = context;
  const error = averageByTask(context, readArm(context, policy, mode, "error"));
  const clean = averageByTask(context, readArm(context, policy, mode, "clean"));
  const share = [0, 1] as const;
  const errors = estimateCells(error, share, figures);
  const cleans = estimateCells(clean, share, figures);
  const costs = estimateCells(subtract(clean, error), [-1, 1], figures);
  const ratios = estimateRatios(
    error.map(({ task, values }, index) => ({ task, numerators: values, denominators: clean[index].values })),
    [0, Infinity],
    figures,
  );
  const returned = measureReturned(context, policy, mode);
  const returns = returned === undefined ? [] : estimateCells(returned, share, figures);
  return budgets.map((maxTurns, index) => ({
    policy,
    context: mode,
    maxTurns,
    error: errors[index],
    ...(chosen.hasControl ? { clean: cleans[index], cost: costs[index] } : {}),
    ...(chosen.hasControl && ratios[index] !== undefined ? { ratio: ratios[index] } : {}),
    ...(returns[index] === undefined ? {} : { returned: returns[index] }),
  }));
}

function comparePair(context: RecoveryContext, a: string, b: string): RecoveryDifference[] {
  const { budgets, figures, chosen, contexts } = context;
  const [mode] = contexts;
  const read = (policy: string, arm: RecoveryArm) => averageByTask(context, readArm(context, policy, mode, arm));
  const error = subtract(read(b, "error"), read(a, "error"));
  const clean = subtract(read(b, "clean"), read(a, "clean"));
  const errors = estimateCells(error, [-1, 1], figures);
  const cleans = estimateCells(clean, [-1, 1], figures);
  const beyond = estimateCells(subtract(error, clean), [-2, 2], figures);
  const [returnedA, returnedB] = [measureReturned(context, a, mode), measureReturned(context, b, mode)];
  const hasReturns = returnedA !== undefined && returnedB !== undefined;
  const returns = hasReturns ? estimateCells(subtract(returnedB, returnedA), [-1, 1], figures) : [];
  const judging = { margin: figures.margin, unitCount: countUnits(error) };
  return budgets.map((maxTurns, index) => {
    const means = (rows: readonly TaskCells[] = []): number => meanOf(rows.map(({ values }) => values[index])) ?? 0;
    const returned = hasReturns
      ? widenByArms(returns[index], [means(returnedA), means(returnedB)], figures.level)
      : undefined;
    return {
      a,
      b,
      maxTurns,
      error: errors[index],
      ...(chosen.hasControl
        ? {
            clean: cleans[index],
            beyondControl: beyond[index],
            verdict: judgeDifference(beyond[index], judging),
          }
        : {}),
      ...(returned === undefined ? {} : { returned, returnedVerdict: judgeDifference(returned, judging) }),
    };
  });
}

function listEpisodes(
  { played, reading, chosen }: RecoveryContext,
  policy: string,
  mode: ContextMode,
  arm: RecoveryArm,
) {
  return groupByTask(chosen.prefixes).map(({ task, prefixes }) => ({
    task,
    episodes: prefixes.flatMap((prefix) => played.list(policy, mode, arm, reading.largest, prefix.id)),
  }));
}

function measureBehaviour(context: RecoveryContext, policy: string, mode: ContextMode): RecoveryBehaviour {
  const { figures, reading, played, chosen } = context;
  const error = listEpisodes(context, policy, mode, "error");
  const ratio = (
    arm: typeof error,
    top: (e: PlayedEpisode) => number,
    bottom: (e: PlayedEpisode) => number,
    most: number,
  ) => {
    const sum = (episodes: readonly PlayedEpisode[], read: (e: PlayedEpisode) => number): number =>
      meanOf(episodes.map(read)) ?? 0;
    const rows = arm.map(({ task, episodes }) => ({
      task,
      numerators: [sum(episodes, top)],
      denominators: [sum(episodes, bottom)],
    }));
    return estimateRatios(rows, [0, most], figures)[0];
  };
  const knowsReturn = error.every(({ episodes }) => episodes.every(({ returnTurn }) => returnTurn !== undefined));
  const turns = error.map(({ task, episodes }) => ({
    task,
    values: [meanOf(episodes.map(({ returnTurn = Infinity }) => Math.min(returnTurn, reading.largest))) ?? 0],
  }));
  const turnsToReturn = knowsReturn ? estimateMean(turns, [0, reading.largest], figures) : undefined;
  const relapse = ratio(
    error,
    ({ hasRelapsed }) => (hasRelapsed === true ? 1 : 0),
    ({ hasRelapsed }) => (hasRelapsed === undefined ? 0 : 1),
    1,
  );
  const quits = (arm: typeof error) =>
    ratio(
      arm,
      ({ hasQuit }) => (hasQuit ? 1 : 0),
      ({ atRisk }) => atRisk,
      1,
    );
  const quitHazard = quits(error);
  const cleanQuitHazard = chosen.hasControl ? quits(listEpisodes(context, policy, mode, "clean")) : undefined;
  return {
    policy,
    context: mode,
    episodes: played.countPlayed(policy, mode),
    errored: played.countErrored(policy, mode),
    ...(turnsToReturn === undefined ? {} : { turnsToReturn }),
    ...(knowsReturn && relapse !== undefined ? { relapse } : {}),
    ...(quitHazard === undefined ? {} : { quitHazard }),
    ...(cleanQuitHazard === undefined ? {} : { cleanQuitHazard }),
  };
}

function writeNotes({ pool, chosen, reading, contexts }: RecoveryContext): string[] {
  const notes: string[] = [];
  if (!chosen.hasControl) {
    notes.push(
      "No prefix has a control, as the env has no oracle: a better policy succeeds more often after an error simply because it is better, so nothing here is called recovery",
    );
  }
  if (chosen.withoutControl > 0)
    notes.push(`${writeCount(chosen.withoutControl, "prefix has", "prefixes have")} no control: left out`);
  if (chosen.unplayedCount > 0)
    notes.push(
      `${writeCount(chosen.unplayedCount, "prefix lacks", "prefixes lack")} a counted episode of some policy: left out for all`,
    );
  if (chosen.trapCount > 0)
    notes.push(
      `${writeCount(chosen.trapCount, "trap is", "traps are")} in the pool: nobody can recover there, so none is in a figure here`,
    );
  if (chosen.endedCount > 0)
    notes.push(`${writeCount(chosen.endedCount, "error")} ended the episode: in no figure here`);
  if (!reading.isCut) notes.push("Every b was run on its own, as the policies were told it");
  if (contexts.includes("state_only"))
    notes.push(
      "With context state_only a policy is shown what the env shows in that state; facts it had read before may be missing from that",
    );
  if (pool.card.restore === "replay")
    notes.push("States are reached by playing the recorded actions again; a difference ends the episode as an error");
  notes.push(...describeJudge(pool));
  return notes;
}

/**
 * Returns what policies make of the same errors with b turns left, beside the control in which the best action stands in
 * place of the error: cost of error, recovery ratio, return to the best distance, differences beyond the control,
 * producer x solver matrix, error debt, context effects. All figures are over the prefixes that every policy played,
 * each task weighing the same. `episodes` are those of `planPool` with arms `error` and `clean`.
 *
 * @throws {TurnwiseError} (input) when no prefix was played by all policies.
 */
export async function measureRecovery(
  pool: ErrorPool,
  episodes: AsyncIterable<Trajectory> | Iterable<Trajectory>,
  options: MeasureRecoveryOptions,
): Promise<RecoveryResult> {
  const {
    policies,
    contexts,
    disclosure,
    terminalRule,
    samples,
    level = 0.95,
    replicates = 2000,
    seed = 1,
    margin = 0.03,
  } = options;
  const budgets = [...new Set(options.budgets)].sort((a, b) => a - b);
  const reading = { isCut: canCut(disclosure, terminalRule), largest: budgets[budgets.length - 1] };
  const played = await readPlayedPool(pool, episodes, reading.largest);
  const chosen = choosePlayed(pool, played, { policies, contexts, budgets }, reading);
  const figures = { level, replicates, seed, margin };
  const context: RecoveryContext = { pool, played, chosen, policies, contexts, budgets, reading, figures };
  if (chosen.prefixes.length === 0) {
    throw inputError(
      `Cannot measure recovery: none of ${writeCount(pool.prefixes.length, "prefix", "prefixes")} can be recovered from and was played by every policy (${writeCount(chosen.trapCount, "trap")}, ${chosen.endedCount} ended the episode, ${chosen.unplayedCount} not played)`,
      "Build the pool from runs with errors that leave the task solvable, or look at the errors of the run",
    );
  }
  const modes = policies.flatMap((policy) => contexts.map((mode) => ({ policy, mode })));
  const matrix = measureMatrix(context);
  return {
    poolHash: pool.card.poolHash,
    env: pool.card.env,
    policies,
    contexts,
    budgets,
    disclosure,
    terminalRule,
    mark: reading.isCut ? "cut" : "run",
    samples,
    taskCount: groupByTask(chosen.prefixes).length,
    prefixCount: chosen.prefixes.length,
    trapCount: chosen.trapCount,
    endedCount: chosen.endedCount,
    unplayedCount: chosen.unplayedCount,
    withoutControl: chosen.withoutControl,
    hasControl: chosen.hasControl,
    ...figures,
    cells: modes.flatMap(({ policy, mode }) => measureCells(context, policy, mode)),
    differences: policies.slice(1).flatMap((policy) => comparePair(context, policies[0], policy)),
    behaviour: modes.map(({ policy, mode }) => measureBehaviour(context, policy, mode)),
    ...(matrix === undefined ? {} : { matrix }),
    debt: chosen.hasControl ? policies.flatMap((policy) => measureDebt(context, policy)) : [],
    contextEffects: measureContexts(context),
    strata: policies.flatMap((policy) => measureStrata(context, policy)),
    warnings: warnFewVerdictTasks(countUnits(chosen.prefixes)),
    notes: writeNotes(context),
  };
}
