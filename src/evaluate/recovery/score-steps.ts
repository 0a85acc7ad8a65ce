// internal
import {
  canonicalJson,
  checkActionSpaces,
  createActionTally,
  isFlaggedInvalid,
  isQuit,
  tallyActions,
  type Action,
  type ActionTally,
  type Env,
  type ErrorPool,
  type ErrorPrefix,
  type Trajectory,
  type VisitedState,
} from "../../core/index.js";
import { judgeTurn } from "../pools/label-error.js";
import { readChances } from "../pools/check-prefix.js";

/** What one policy's draws in one state were; sums over draws that act, but for `draws` and `quits`. */
export interface StateScore {
  draws: number;
  quits: number;
  acts: number;
  invalid: number;
  repeats: number;
  /** Actions whose value the env tells, and the errors among them. */
  judged: number;
  errors: number;
  /** Actions with a known regret, and its sum. */
  withRegret: number;
  regret: number;
}

/** The draws of every policy in every state: by policy, then by entry id. */
export interface StepScores {
  readonly byPolicy: ReadonlyMap<string, ReadonlyMap<string, StateScore>>;
  readonly errored: ReadonlyMap<string, number>;
}

type Entry = ErrorPrefix | VisitedState;

function getActionKey({ text, toolCalls = [], invalid }: Action): string {
  if (invalid !== undefined) return "invalid";
  return canonicalJson(
    toolCalls.length === 0
      ? text.trim()
      : toolCalls.map(({ name, arguments: values, rawArguments }) => [name, values ?? rawArguments ?? null]),
  );
}

/** Returns the turns the producer had from the state on; unknown without a turn limit. */
function getTurnsLeft({ remainingTurns }: Entry): number | undefined {
  return remainingTurns === undefined ? undefined : remainingTurns + 1;
}

function addDraw(score: StateScore, env: Env, entry: Entry, episode: Trajectory, regretThreshold: number): void {
  const turn = episode.turns[0];
  score.draws += 1;
  if (isQuit(turn.action)) {
    score.quits += 1;
    return;
  }
  score.acts += 1;
  if (isFlaggedInvalid(turn.flags)) score.invalid += 1;
  if (entry.kind === "error" && getActionKey(turn.action) === getActionKey(entry.error.turn.action)) score.repeats += 1;
  const getChances = () => readChances(env, entry.task, entry.before.snapshot, getTurnsLeft(entry), turn.action);
  const judged = judgeTurn(turn, { regretThreshold, getChances });
  if (judged !== "unknown") {
    score.judged += 1;
    if (judged !== "clean") score.errors += 1;
  }
  const chances = getChances();
  const regret = chances === undefined ? turn.regret : Math.max(0, chances.best - chances.taken);
  if (regret !== undefined) {
    score.withRegret += 1;
    score.regret += regret;
  }
}

/** Returns the scores of the draws played from a pool's states (arms `before` and `visited`); others are passed over. Refuses policies of another action space. */
export async function scoreSteps(
  env: Env,
  pool: ErrorPool,
  episodes: AsyncIterable<Trajectory> | Iterable<Trajectory>,
): Promise<StepScores> {
  const entries = new Map<string, Entry>([...pool.prefixes, ...pool.visited].map((entry) => [entry.id, entry]));
  const byPolicy = new Map<string, Map<string, StateScore>>();
  const errored = new Map<string, number>();
  const actions = new Map<string, ActionTally>();
  for await (const episode of episodes) {
    const { prefix, policy, stopReason, turns } = episode;
    const entry = entries.get(prefix?.id ?? "");
    if (entry === undefined || (prefix?.arm !== "before" && prefix?.arm !== "visited")) continue;
    if (stopReason.type === "error" || turns.length === 0) {
      errored.set(policy.id, (errored.get(policy.id) ?? 0) + 1);
      continue;
    }
    const tally = actions.get(policy.id) ?? createActionTally();
    actions.set(policy.id, tally);
    tallyActions(tally, episode);
    const states = byPolicy.get(policy.id) ?? new Map<string, StateScore>();
    byPolicy.set(policy.id, states);
    const score = states.get(entry.id) ?? {
      draws: 0,
      quits: 0,
      acts: 0,
      invalid: 0,
      repeats: 0,
      judged: 0,
      errors: 0,
      withRegret: 0,
      regret: 0,
    };
    states.set(entry.id, score);
    addDraw(score, env, entry, episode, pool.card.rules.regretThreshold);
  }
  checkActionSpaces(
    "evaluate steps",
    [...actions].map(([label, tally]) => ({ label, actions: tally })),
  );
  return { byPolicy, errored };
}

/** Returns the share of errors among a state's judged actions; `undefined` when there is none. */
export function getErrorShare(score: StateScore | undefined): number | undefined {
  return score === undefined || score.judged === 0 ? undefined : score.errors / score.judged;
}
