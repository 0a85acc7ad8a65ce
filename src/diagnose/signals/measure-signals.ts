import {
  createRandom,
  signalTargets,
  warnFewVerdictTasks,
  type SignalDivergence,
  type SignalsResult,
  type ShapingCheck,
  type Trajectory,
} from "../../core/index.js";
import { measureAlarm } from "./alarms.js";
import { assessTarget, type AssessContext } from "./assess-target.js";
import type { ProcessSignal } from "./process-signals.js";
import { measureDivergence, type SignalReturn } from "./reward-divergence.js";
import { checkShaping } from "./shaping.js";
import type { TurnJudge } from "../attribution/mode-labels.js";
import { collectSignalEpisodes, collectTargetRows, type SignalEpisodes } from "./signal-rows.js";
import { drawUnits, type TaskNumbers } from "./task-draws.js";
import { measureTimedAuroc } from "./timed-auroc.js";

/** Settings of a measurement of signals; every field has a default. */
export interface MeasureSignalsOptions {
  /** Names the episodes' policy in the result; default its id. */
  readonly label?: string;
  /** m of "recovers within m turns"; default 3. */
  readonly recoveryTurns?: number;
  /** Share of tasks that models and alarms are fitted on; default one half. */
  readonly fitShare?: number;
  /** Share of succeeding episodes that an alarm may ring in, on the fit tasks; default .1. */
  readonly falseAlarmRate?: number;
  /** Discount of the shaping check; default 1. */
  readonly gamma?: number;
  /** Says after which turns an episode is in error, where the env's distances and flags do not. */
  readonly judge?: TurnJudge;
  /** Default .95. */
  readonly level?: number;
  /** Bootstrap resamples; default 500. */
  readonly replicates?: number;
  /** Seed of the split and of resampling; default 1. */
  readonly seed?: number;
}

/** Splits units (tasks or families) at random, so that no family is on both sides. Both sides get one where there are two. */
function splitTasks({ unitCount, unitOfTask }: TaskNumbers, fitShare: number, seed: number): boolean[] {
  const order = createRandom(seed, "signal split").shuffle(Array.from({ length: unitCount }, (_unused, unit) => unit));
  const count = Math.min(Math.max(1, Math.round(fitShare * unitCount)), Math.max(1, unitCount - 1));
  const fitUnits = new Set(order.slice(0, count));
  return unitOfTask.map((unit) => fitUnits.has(unit));
}

/** Measures a signal as a reward in the direction that the fit tasks suggest, on the other tasks. */
function measureSignedDivergence(
  signal: string,
  returns: readonly SignalReturn[],
  { data, draws, isFitTask }: AssessContext,
): SignalDivergence | undefined {
  const { unitCount } = data.tasks;
  const none = { counts: [], level: draws.level };
  const hint = measureDivergence(
    signal,
    returns.filter(({ task }) => isFitTask[task]),
    { draws: none, unitCount },
  )?.agreement;
  const sign = hint !== undefined && hint.value < 0.5 ? -1 : 1;
  const kept = returns.filter(({ task }) => !isFitTask[task]).map((one) => ({ ...one, sum: sign * one.sum }));
  return measureDivergence(signal, kept, { draws, unitCount, sign });
}

function measureRewards(
  data: SignalEpisodes,
  signals: readonly ProcessSignal[],
  context: AssessContext,
  gamma: number,
): { readonly divergence: SignalDivergence[]; readonly shaping: ShapingCheck[] } {
  const { episodes, tasks } = data;
  const divergence: SignalDivergence[] = [];
  const shaping: ShapingCheck[] = [];
  for (const [index, signal] of signals.entries()) {
    const known = episodes.filter(({ values }) => values[index].every((value) => !Number.isNaN(value)));
    const returns = known.map(({ values, task, success }) => ({
      unit: tasks.unitOfTask[task],
      task,
      success,
      sum: values[index].reduce((sum, value) => sum + value, 0),
    }));
    const found = measureSignedDivergence(signal.id, returns, context);
    if (found !== undefined) divergence.push(found);
    shaping.push(
      checkShaping(
        signal.id,
        known.map(({ start, values, potentials }) => ({
          start,
          rewards: [...values[index]],
          ...(potentials[index] === undefined ? {} : { potentials: potentials[index] }),
        })),
        { gamma },
      ),
    );
  }
  return { divergence, shaping };
}

/** Says whether success within fewer turns than were left can be read off: hidden budgets, every turn graded. */
function readsCuts(trajectory: Trajectory): boolean {
  return trajectory.disclosure === "hidden" && trajectory.terminalRule === "act";
}

/**
 * Measures which per-turn signals can be trusted: how well each foretells, from a turn's state with the budget that is
 * left, eventual success, which turn is the first error, and recovery within m turns. AUROCs are shown over all pairs
 * and within (turn, budget left), since the clock alone foretells much; models are fitted on some tasks and evaluated on
 * others; intervals resample tasks (families). Episodes must be of one env version; errors and ungraded ones are left
 * out and counted.
 *
 * @throws {TurnwiseError} (input) without a countable episode, for two envs at once, or for a signal whose values do not
 * fit the turns. @throws {RangeError} for options out of range.
 */
export async function measureSignals(
  trajectories: AsyncIterable<Trajectory> | Iterable<Trajectory>,
  signals: readonly ProcessSignal[],
  options: MeasureSignalsOptions = {},
): Promise<SignalsResult> {
  const {
    recoveryTurns = 3,
    fitShare = 0.5,
    falseAlarmRate = 0.1,
    gamma = 1,
    level = 0.95,
    replicates = 500,
    seed = 1,
  } = options;
  checkOptions(fitShare, recoveryTurns);
  let canCut = true;
  let label = options.label;
  async function* watch(): AsyncGenerator<Trajectory> {
    for await (const trajectory of trajectories) {
      label ??= trajectory.policy.id;
      canCut &&= readsCuts(trajectory);
      yield trajectory;
    }
  }
  const data = await collectSignalEpisodes(watch(), signals, options.judge);
  const { tasks } = data;
  const counts = signals.map((_signal, index) =>
    data.episodes.reduce((sum, { values }) => sum + values[index].filter((value) => !Number.isNaN(value)).length, 0),
  );
  const present = signals.map((_signal, index) => index).filter((index) => counts[index] > 0);
  const used = keepSignals(data, present);
  const shown = present.map((index) => signals[index]);
  const isFitTask = splitTasks(tasks, fitShare, seed);
  const context: AssessContext = {
    data: used,
    signals: shown,
    draws: drawUnits(tasks.unitCount, { seed, replicates, level }),
    isFitTask,
  };
  const rowsByTarget = signalTargets.map((target) => collectTargetRows(used, target, recoveryTurns));
  const assessed = rowsByTarget.map((rows) => assessTarget(context, rows));
  return {
    label: label ?? "",
    env: data.env,
    episodes: data.episodes.length,
    excludedEpisodes: data.excluded,
    taskCount: tasks.taskCount,
    unitCount: tasks.unitCount,
    fitTasks: isFitTask.filter(Boolean).length,
    evaluationTasks: isFitTask.filter((isFit) => !isFit).length,
    recoveryTurns,
    level,
    replicates,
    seed,
    signals: present.map((index) => ({
      id: signals[index].id,
      description: signals[index].description,
      turns: counts[index],
    })),
    unavailable: signals
      .filter((_signal, index) => counts[index] === 0)
      .map(({ id, needs }) => ({ id, reason: `no turn has ${needs}` })),
    assessments: assessed.flatMap(({ assessments }) => assessments),
    timed: measureTimedAuroc(context, canCut),
    alarms: assessed[0].models.flatMap((model) => measureAlarm(context, rowsByTarget[0], model, falseAlarmRate) ?? []),
    ...measureRewards(used, shown, context, gamma),
    warnings: collectWarnings(used, data.excluded, assessed[0].models.length > 0),
    notes: collectNotes(recoveryTurns, canCut),
  };
}

function checkOptions(fitShare: number, recoveryTurns: number): void {
  if (!(fitShare > 0 && fitShare < 1)) {
    throw new RangeError(
      `Cannot split tasks as the share to fit on must be between 0 and 1: current share is ${fitShare}`,
    );
  }
  if (!Number.isInteger(recoveryTurns) || recoveryTurns < 1) {
    throw new RangeError(`Cannot measure recovery within ${recoveryTurns} turns: it must be a whole number from 1`);
  }
}

/** Returns the episodes with the values of these signals only. */
function keepSignals(data: SignalEpisodes, present: readonly number[]): SignalEpisodes {
  return {
    ...data,
    episodes: data.episodes.map((episode) => ({
      ...episode,
      values: present.map((i) => episode.values[i]),
      potentials: present.map((i) => episode.potentials[i]),
    })),
  };
}

function collectWarnings({ episodes, tasks }: SignalEpisodes, excluded: number, isFitted: boolean): string[] {
  const warnings: string[] = [];
  if (excluded > 0)
    warnings.push(
      `${excluded} episodes are left out: they ended in an error, are not graded, have no turns, or began in the middle`,
    );
  warnings.push(...warnFewVerdictTasks(tasks.unitCount, "intervals"));
  if (!isFitted)
    warnings.push(
      "No model was fitted: fit and evaluation tasks need at least 10 open turns of episodes that succeed and of ones that fail, each",
    );
  const errors = episodes.filter(({ inError }) => inError.includes(true)).length;
  if (errors === 0)
    warnings.push(
      'No episode has an error that could be labelled: no turn has "distanceBefore" and "distanceAfter", "regret" or a flag that tells of one, so first errors and recovery are not assessed; a rule of your own can tell errors (--rule FILE)',
    );
  return warnings;
}

function collectNotes(recoveryTurns: number, canCut: boolean): string[] {
  return [
    "A signal is read after its turn; only turns after which the outcome is still open are asked about success",
    `Recovery is asked where ${recoveryTurns} turns were left, and not after a trap`,
    canCut
      ? "Success within fewer turns is read from the grades of turns, as a cut at that budget would"
      : "Success within fewer turns than were left is not read off: the budget was told, or turns are not graded by themselves",
    "Intervals hold for new tasks with the fitted models as they are; they do not include fitting anew",
  ];
}
