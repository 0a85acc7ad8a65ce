// internal
import { inspect } from "node:util";
import {
  errorMessage,
  freezeDeep,
  inputError,
  usageError,
  writeCount,
  type PoolJudge,
  type Trajectory,
  type TurnwiseError,
} from "../core/index.js";
import type { EpisodeMode, LabelledTurn, TurnJudge } from "../diagnose/index.js";
import { isModulePath, loadExport } from "./load-module.js";
import { checkRates } from "./rule-rates.js";

/** A rule of the user's that says of every turn whether the episode is in error after it. */
export interface TurnRule extends PoolJudge {
  /** `true` for in error, `false` for going well, `undefined` where the rule cannot say. May be async. */
  isInError(episode: Trajectory, turnIndex: number): unknown;
}

/** A rule at work: labels are made episode by episode, and read turn by turn. */
export interface TurnLabeller {
  readonly rule: TurnRule;
  /** Returns the label of a turn that {@linkcode TurnLabeller.label} has passed on. */
  readonly judge: TurnJudge;
  /** Passes the episodes on, each with its turns labelled. */
  label(episodes: AsyncIterable<Trajectory>): AsyncGenerator<Trajectory>;
}

/** Returns what a reader must know of labels that a rule made. */
export function describeRule({ id, sensitivity, specificity, checkedCount }: PoolJudge): string {
  const turns = writeCount(checkedCount, "checked turn");
  return `Errors are told by "${id}" (sensitivity ${sensitivity}, specificity ${specificity}, on ${turns})`;
}

function isTurnRule(value: unknown): value is TurnRule {
  if (typeof value !== "object" || value === null) return false;
  const { id, isInError } = value as Partial<TurnRule>; // read as a rule to see whether it is one
  return typeof id === "string" && typeof isInError === "function";
}

/** Asks the rule about one turn; what it throws and what it must not return are faults of its file. */
async function askRule(
  path: string,
  rule: TurnRule,
  episode: Trajectory,
  turnIndex: number,
): Promise<EpisodeMode | undefined> {
  const refuse = (found: string, cause?: unknown): TurnwiseError =>
    inputError(
      `Cannot use the rule "${rule.id}" in "${path}": isInError() ${found}, on turn ${turnIndex + 1} of ${writeCount(episode.turns.length, "turn")} of episode "${episode.episodeId}" of task "${episode.task.id}"`,
      "It must return true when the episode is in error after the turn, false when it goes well, or undefined when it cannot say",
      cause,
    );
  let found: unknown;
  try {
    found = await rule.isInError(episode, turnIndex);
  } catch (error) {
    throw refuse(`threw: ${errorMessage(error)}`, error);
  }
  if (found === undefined) return undefined;
  if (typeof found === "boolean") return found ? "error" : "clean";
  throw refuse(`returned ${inspect(found, { depth: 1, breakLength: Infinity }).slice(0, 80)}`);
}

/**
 * Returns the rule of a module, ready to label episodes. A rule sees the whole episode, also the turns after the one it
 * is asked about, and cannot change it.
 *
 * @throws {TurnwiseError} (usage) for a path that is no module file; (input) for a module without such a rule, and for
 * error rates that are not stated.
 */
export async function loadTurnRule(path: string): Promise<TurnLabeller> {
  if (!isModulePath(path))
    throw usageError(`Cannot load a rule from "${path}": it is no module file`, "Name a file such as ./my-rule.js");
  const rule = await loadExport(path, ["rule", "judge", "default"], "a rule");
  if (!isTurnRule(rule)) {
    throw inputError(
      `Cannot load a rule from "${path}": what it exports has no id and isInError()`,
      "Export { id, sensitivity, specificity, checkedCount, isInError(episode, turnIndex) }; isInError returns whether the episode is in error after that turn, counted from 0",
    );
  }
  checkRates(path, rule);
  // Labels hang on the turns themselves and go with them, so that no more than one episode is held at a time.
  const labels = new WeakMap<LabelledTurn, EpisodeMode>();
  async function* label(episodes: AsyncIterable<Trajectory>): AsyncGenerator<Trajectory> {
    for await (const read of episodes) {
      const episode = freezeDeep(read);
      for (const [turnIndex, turn] of episode.turns.entries()) {
        const mode = await askRule(path, rule as TurnRule, episode, turnIndex); // checked above; closures forget it
        if (mode !== undefined) labels.set(turn, mode);
      }
      yield episode;
    }
  }
  return { rule, label, judge: (turn) => labels.get(turn) };
}
