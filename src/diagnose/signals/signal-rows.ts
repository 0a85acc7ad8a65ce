// internal
import {
  errorMessage,
  freezeDeep,
  inputError,
  isFlaggedError,
  isQuit,
  TurnwiseError,
  untagNumber,
  type SignalTarget,
  type Trajectory,
} from "../../core/index.js";
import { advanceMode, firstModeState, getLabelSource, type TurnJudge } from "../attribution/mode-labels.js";
import type { ProcessSignal } from "./process-signals.js";
import { TaskNumbers } from "./task-draws.js";

/** One episode in numbers. */
export interface SignalEpisode {
  readonly task: number;
  readonly turnCount: number;
  readonly maxTurns: number | undefined;
  readonly success: boolean;
  /** 1-based turn from which the episode stays solved; Infinity when never, NaN when grades of turns are not known. */
  readonly solvedTurn: number;
  /** The turn limit ended it, so that more turns might have changed its outcome. */
  readonly isCut: boolean;
  /** [turn] the episode is in error after the turn; giving up is no error. */
  readonly inError: readonly boolean[];
  /** [turn] success is no longer possible after the turn: never asked about recovery. */
  readonly isTrapped: readonly boolean[];
  /** [signal][turn], NaN where there is no value. */
  readonly values: readonly Float64Array[];
  /** [signal][turn + 1] potentials of states, where the signal has one. */
  readonly potentials: readonly (readonly (number | undefined)[] | undefined)[];
  /** Task and what was shown first: episodes with the same one know the same when they begin. */
  readonly start: string;
}

/** Every counted episode, with its tasks numbered. */
export interface SignalEpisodes {
  readonly tasks: TaskNumbers;
  readonly episodes: readonly SignalEpisode[];
  readonly excluded: number;
  /** Some turn is labelled an error by its flags, as it has no distance. */
  readonly hasFlagLabels: boolean;
  readonly env: { readonly id: string; readonly version: string };
}

function findSolvedTurn({ turns, success, terminalRule, stopReason }: Trajectory): number {
  if (turns.some((turn) => turn.solvedAfter === undefined) || terminalRule !== "act") {
    // Only the end is graded: a success that ended the episode is known to fall in its last turn.
    if (success !== true) return Infinity;
    return stopReason.type === "env_end" ? turns.length : Number.NaN;
  }
  if (success !== true) return Infinity;
  let first = turns.length;
  while (first > 1 && turns[first - 2].solvedAfter === true) first -= 1;
  return first;
}

function nameSignal({ id, source }: ProcessSignal): string {
  return source === undefined ? `signal "${id}"` : `signal "${id}" of "${source}"`;
}

/** Runs a signal's own code; what a file of the user's throws is unusable input, with the place. */
async function callSignal<Value>(
  signal: ProcessSignal,
  trajectory: Trajectory,
  call: (trajectory: Trajectory) => Value | Promise<Value>,
): Promise<Value> {
  const { episodeId } = trajectory;
  try {
    // What one signal does to the record must not change what the others, and the labels, are read from.
    return await call(signal.source === undefined ? trajectory : freezeDeep(trajectory));
  } catch (error) {
    if (signal.source === undefined || error instanceof TurnwiseError) throw error;
    throw inputError(
      `Cannot use ${nameSignal(signal)}: it failed on episode "${episodeId}": ${errorMessage(error)}`,
      "Return a number for each turn, or undefined where the signal has no value",
      error,
    );
  }
}

/** Refuses what is no list of `count` numbers, with the place of the first that is none. */
function checkNumbers(
  signal: ProcessSignal,
  trajectory: Trajectory,
  values: unknown,
  what: string,
  count: number,
): void {
  const { episodeId, turns } = trajectory;
  const remedy = "Return a number for each turn, or undefined where the signal has no value";
  const attempt = `Cannot use ${nameSignal(signal)}`;
  if (!Array.isArray(values))
    throw inputError(`${attempt}: its ${what} of episode "${episodeId}" are no list but ${describe(values)}`, remedy);
  if (values.length !== count) {
    throw inputError(
      `${attempt}: it gave ${values.length} ${what} for the ${turns.length} turns of episode "${episodeId}"`,
      remedy,
    );
  }
  const odd = values.findIndex(
    (value: unknown) => value !== undefined && (typeof value !== "number" || Number.isNaN(value)),
  );
  if (odd === -1) return;
  throw inputError(
    `${attempt}: ${what} must be numbers or undefined, and turn ${Math.min(odd + 1, turns.length)} of ${turns.length} in episode "${episodeId}" gave ${describe(values[odd])}`,
    remedy,
  );
}

function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 40));
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  return typeof value === "function" ? "a function" : String(value);
}

async function readValues(signal: ProcessSignal, trajectory: Trajectory): Promise<Float64Array> {
  const values = await callSignal(signal, trajectory, (episode) => signal.read(episode));
  checkNumbers(signal, trajectory, values, "values", trajectory.turns.length);
  return Float64Array.from(values, (value) => value ?? Number.NaN);
}

async function readPotentials(
  signal: ProcessSignal,
  trajectory: Trajectory,
): Promise<readonly (number | undefined)[] | undefined> {
  const potentials = await callSignal(signal, trajectory, (episode) => signal.potential?.(episode));
  if (potentials !== undefined) checkNumbers(signal, trajectory, potentials, "potentials", trajectory.turns.length + 1);
  return potentials;
}

/** Reads episodes once into numbers. Those without turns, with an error or an unknown outcome are left out and counted. A `judge` overrides the env's labels of errors. */
export async function collectSignalEpisodes(
  trajectories: AsyncIterable<Trajectory> | Iterable<Trajectory>,
  signals: readonly ProcessSignal[],
  judge?: TurnJudge,
): Promise<SignalEpisodes> {
  const tasks = new TaskNumbers();
  const episodes: SignalEpisode[] = [];
  let excluded = 0;
  let hasFlagLabels = false;
  let env: SignalEpisodes["env"] | undefined;
  for await (const trajectory of trajectories) {
    env ??= trajectory.env;
    if (trajectory.env.id !== env.id || trajectory.env.version !== env.version) {
      throw inputError(
        `Cannot measure signals over two envs at once: "${env.id}" ${env.version} and "${trajectory.env.id}" ${trajectory.env.version}`,
        "Measure each run on its own",
      );
    }
    const { turns, success, stopReason, prefix } = trajectory;
    if (stopReason.type === "error" || success === undefined || turns.length === 0 || prefix !== undefined) {
      excluded += 1;
      continue;
    }
    const values: Float64Array[] = [];
    const potentials: SignalEpisode["potentials"][number][] = [];
    for (const signal of signals) {
      values.push(await readValues(signal, trajectory));
      potentials.push(await readPotentials(signal, trajectory));
    }
    let state = firstModeState;
    const inError = turns.map((turn) => {
      state = advanceMode(state, turn, judge);
      hasFlagLabels ||= isFlaggedError(turn.flags) && getLabelSource(turn, judge) === "signals";
      return state.mode === "error" && !isQuit(turn.action);
    });
    episodes.push({
      task: tasks.add(trajectory.task),
      turnCount: turns.length,
      maxTurns: trajectory.budget.maxTurns,
      success,
      solvedTurn: findSolvedTurn(trajectory),
      isCut: stopReason.type === "max_turns",
      inError,
      isTrapped: turns.map((turn) => untagNumber(turn.distanceAfter) === Infinity),
      values,
      potentials,
      start: `${trajectory.task.hash} ${turns[0].observation.text}`,
    });
  }
  if (env === undefined) throw inputError("Cannot measure signals without episodes: none was given");
  if (episodes.length === 0) {
    throw inputError(
      `Cannot measure signals as no episode can be counted: ${excluded} ended in an error, are not graded or have no turns`,
      "Import episodes with the field that states success (turnwise import --map), and play those that ended in an error again: the same command continues a run",
    );
  }
  return { tasks, episodes, excluded, hasFlagLabels, env };
}

/** The rows of one target, column by column. */
export interface TargetRows {
  readonly target: SignalTarget;
  readonly count: number;
  /** [row] */
  readonly task: Int32Array;
  readonly episode: Int32Array;
  /** 1-based. */
  readonly turn: Int32Array;
  /** Turns left after this one; Infinity without a turn limit. */
  readonly budgetLeft: Float64Array;
  readonly label: Uint8Array;
  /** [row] number of its (turn, budget left). */
  readonly stratum: Int32Array;
}

/** Says whether the outcome is still open after turn `turn` (1-based). */
function isOpen(episode: SignalEpisode, turn: number): boolean {
  return turn < episode.turnCount && !(episode.solvedTurn <= turn);
}

/** Returns the label of a turn (1-based) for a target, or `undefined` where the turn is no row of it. */
function labelTurn(
  target: SignalTarget,
  episode: SignalEpisode,
  turn: number,
  recoveryTurns: number,
): boolean | undefined {
  const { inError, isTrapped, success, solvedTurn, turnCount, maxTurns = Infinity } = episode;
  switch (target) {
    case "success":
      return isOpen(episode, turn) ? success : undefined;
    case "first_error": {
      const first = inError.indexOf(true);
      return first < 0 || turn - 1 > first ? undefined : turn - 1 === first;
    }
    case "recovery": {
      // Asked only where m turns were left, or else episodes near their end would look hopeless.
      if (!inError[turn - 1] || isTrapped[turn - 1] || !isOpen(episode, turn) || maxTurns - turn < recoveryTurns)
        return undefined;
      const end = Math.min(turnCount, turn + recoveryTurns);
      for (let later = turn + 1; later <= end; later += 1) {
        const isSolved = solvedTurn <= later || (later === turnCount && success);
        // A turn that ends the episode unsolved has not recovered, whatever its distance.
        if (isSolved || (!inError[later - 1] && later < turnCount)) return true;
      }
      return false;
    }
    default:
      return target satisfies never;
  }
}

/** Returns the rows of a target over all episodes. */
export function collectTargetRows(
  { episodes }: SignalEpisodes,
  target: SignalTarget,
  recoveryTurns: number,
): TargetRows {
  const rows: { task: number; episode: number; turn: number; left: number; label: number }[] = [];
  for (const [index, episode] of episodes.entries()) {
    for (let turn = 1; turn <= episode.turnCount; turn += 1) {
      const label = labelTurn(target, episode, turn, recoveryTurns);
      if (label === undefined) continue;
      const left = (episode.maxTurns ?? Infinity) - turn;
      rows.push({ task: episode.task, episode: index, turn, left, label: label ? 1 : 0 });
    }
  }
  const strata = new Map<string, number>();
  return {
    target,
    count: rows.length,
    task: Int32Array.from(rows, (row) => row.task),
    episode: Int32Array.from(rows, (row) => row.episode),
    turn: Int32Array.from(rows, (row) => row.turn),
    budgetLeft: Float64Array.from(rows, (row) => row.left),
    label: Uint8Array.from(rows, (row) => row.label),
    stratum: Int32Array.from(rows, ({ turn, left }) => {
      const key = `${turn} ${left}`;
      const known = strata.get(key) ?? strata.size;
      strata.set(key, known);
      return known;
    }),
  };
}

/** Returns [row] the values of a signal, NaN where there is none. */
export function readColumn({ episodes }: SignalEpisodes, rows: TargetRows, signal: number): Float64Array {
  return Float64Array.from(
    { length: rows.count },
    (_unused, row) => episodes[rows.episode[row]].values[signal][rows.turn[row] - 1],
  );
}
