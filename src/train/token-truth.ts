import {
  untagNumber,
  type CodecSession,
  type SampledTurn,
  type TokenCodec,
  type TokenSample,
  type TrainingRow,
  type TrainingSequence,
  type Trajectory,
  type Turn,
} from "../core/index.js";

/** An episode's tokens, or the first turn whose record does not say them. */
export type TokenTruth =
  | { readonly type: "tokens"; readonly sequence: TrainingSequence }
  | { readonly type: "broken"; readonly turnIndex: number; readonly reason: string };

interface Columns {
  readonly ids: number[];
  readonly actionMask: boolean[];
  readonly sampledLogProbs: number[];
  readonly turnIndex: number[];
  readonly allowed: (readonly number[] | undefined)[];
}

/** Returns why a turn's tokens cannot follow `ids`, or `undefined`. */
function findTurnFault(ids: readonly number[], { tokens }: Turn): string | undefined {
  if (tokens?.ids === undefined) return "no sampled ids were recorded";
  if (tokens.promptIds === undefined) return "the ids the policy was shown were not recorded";
  if (tokens.logProbs?.length !== tokens.ids.length)
    return `${tokens.logProbs?.length ?? 0} log-probabilities were recorded for ${tokens.ids.length} ids`;
  if (tokens.logProbs.some((logProb) => untagNumber(logProb) === undefined)) return "a log-probability is unknown";
  const { promptIds } = tokens;
  const place = ids.findIndex((id, i) => promptIds[i] !== id);
  return place === -1
    ? undefined
    : `what the policy was shown does not begin with the tokens before it: token ${place} was ${ids[place]} and is ${promptIds[place] ?? "missing"}`;
}

function appendTurn(columns: Columns, { tokens }: Turn, turn: number, session?: CodecSession): void {
  const { ids = [], promptIds = [], logProbs = [] } = tokens ?? {};
  for (const id of promptIds.slice(columns.ids.length)) {
    columns.ids.push(id);
    columns.actionMask.push(false);
    columns.sampledLogProbs.push(0);
    columns.turnIndex.push(turn - 1);
    columns.allowed.push(undefined);
  }
  ids.forEach((id, i) => {
    columns.ids.push(id);
    columns.actionMask.push(true);
    columns.sampledLogProbs.push(untagNumber(logProbs[i]) ?? NaN);
    columns.turnIndex.push(turn);
    columns.allowed.push(session?.listAllowed(ids.slice(0, i)));
  });
}

/** Returns where encoding the observation again gives other ids than were shown, or `undefined`. */
function findDrift(again: readonly number[], shown: readonly number[]): string | undefined {
  const place = again.findIndex((id, i) => shown[i] !== id);
  if (place === -1 && again.length === shown.length) return undefined;
  const at = place === -1 ? again.length : place;
  return `the codec writes the observation otherwise than it was shown: token ${at} of it was ${shown[at] ?? "missing"} and is ${again[at] ?? "missing"}`;
}

/**
 * Returns an episode's training sequence from its record: what was shown with action mask false, what was sampled with
 * action mask true and its log-probabilities, id for id. Nothing is encoded; text is never looked at. A turn whose
 * prompt does not begin with all tokens before it (a template that drops reasoning, an action that was edited, cut or
 * encoded again) has no truthful sequence, and the result says which one.
 *
 * With a codec, every observation is also encoded again and must give the ids that were shown, and the ids that were
 * legal at each sampled token are filled in. Without one `allowed` is left out, which means all.
 */
export function joinTurnTokens(
  trajectory: Pick<Trajectory, "turns" | "budget" | "disclosure">,
  codec?: TokenCodec,
): TokenTruth {
  const columns: Columns = { ids: [], actionMask: [], sampledLogProbs: [], turnIndex: [], allowed: [] };
  const session = codec?.startSession();
  const { maxTurns } = trajectory.budget;
  for (const [turnIndex, turn] of trajectory.turns.entries()) {
    const shownFrom = columns.ids.length;
    const fault = findTurnFault(columns.ids, turn);
    if (fault !== undefined) return { type: "broken", turnIndex, reason: fault };
    if (session !== undefined) {
      const isTold = turn.notice !== undefined && maxTurns !== undefined;
      const budget = isTold
        ? { disclosure: trajectory.disclosure, maxTurns, turnsLeft: maxTurns - turnIndex }
        : undefined;
      const again = session.encodeObservation(turn.observation, budget);
      const drift = findDrift(again, turn.tokens?.promptIds?.slice(shownFrom) ?? []);
      if (drift !== undefined) return { type: "broken", turnIndex, reason: drift };
    }
    appendTurn(columns, turn, turnIndex, session);
  }
  const { allowed, ...lists } = columns;
  return { type: "tokens", sequence: { ...lists, ...(session === undefined ? {} : { allowed }) } };
}

/**
 * Returns what is wrong with a training sequence when held against the record of its episode, or `undefined`: the ids at
 * the positions of its action mask must be the sampled ids of all turns, one behind the other, and nothing else.
 */
export function findTokenFault(
  sequence: Pick<TrainingSequence, "ids" | "actionMask">,
  turns: readonly Turn[],
): string | undefined {
  const trained = sequence.ids.filter((_, i) => sequence.actionMask[i]);
  const sampled = turns.flatMap(({ tokens }) => tokens?.ids ?? []);
  if (trained.length !== sampled.length)
    return `${trained.length} tokens carry the action mask, but ${sampled.length} were sampled`;
  const place = sampled.findIndex((id, i) => trained[i] !== id);
  return place === -1
    ? undefined
    : `the action mask's token ${place} has id ${trained[place]}, but id ${sampled[place]} was sampled`;
}

/** What a sample for auditing is called and what is known beside its sequence. */
export interface TokenSampleSource {
  readonly id: string;
  /** Gives texts and the end token. */
  readonly codec?: Pick<TokenCodec, "vocabulary" | "endId" | "padId">;
  /** The record of the episode: what the sampler drew and was shown. */
  readonly turns?: readonly Turn[];
  /** The actions were demonstrated: no log-probabilities exist. Default false. */
  readonly isDemonstration?: boolean;
}

function toSampledTurns(turns: readonly Turn[], endId: number | undefined): SampledTurn[] {
  return turns.flatMap(({ tokens }): SampledTurn[] => {
    if (tokens?.ids === undefined) return [];
    const { ids, promptIds, logProbs } = tokens;
    const stopped = endId === undefined ? undefined : ids.at(-1) === endId ? "end_token" : "limit";
    return [
      {
        ids,
        ...(promptIds === undefined ? {} : { promptIds }),
        ...(logProbs === undefined ? {} : { logProbs }),
        ...(stopped === undefined ? {} : { stopped }),
      },
    ];
  });
}

/**
 * Returns a sequence, or a row with its weights, in the form that `audit mask` judges. The loss mask is where the loss
 * is taken: sampled, with a weight other than 0.
 */
export function toTokenSample(
  sequence: TrainingSequence & Partial<Pick<TrainingRow, "weights">>,
  { id, codec, turns, isDemonstration = false }: TokenSampleSource,
): TokenSample {
  const { ids, actionMask, weights, sampledLogProbs, turnIndex } = sequence;
  return {
    id,
    ids,
    actionMask,
    lossMask: actionMask.map((isSampled, i) => isSampled && weights?.[i] !== 0),
    ...(isDemonstration ? {} : { logProbs: sampledLogProbs.map((value, i) => (actionMask[i] ? value : undefined)) }),
    roles: ids.map((token, i) =>
      token === codec?.padId ? "padding" : actionMask[i] ? "assistant" : turnIndex[i] < 0 ? "user" : "tool",
    ),
    ...(codec === undefined ? {} : { texts: ids.map((token) => codec.vocabulary[token] ?? ""), endIds: [codec.endId] }),
    ...(turns === undefined ? {} : { turns: toSampledTurns(turns, codec?.endId) }),
  };
}
