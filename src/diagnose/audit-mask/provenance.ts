// internal
import type { SampledTurn, TokenSample } from "../../core/index.js";
import { isEndToken, isTemplateToken } from "./special-tokens.js";

/** A half-open range of positions. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns the runs of `true`. */
export function listSpans(mask: readonly boolean[]): Span[] {
  const spans: Span[] = [];
  for (let i = 0; i < mask.length; i += 1) {
    if (!mask[i]) continue;
    const start = i;
    while (mask[i + 1]) i += 1;
    spans.push({ start, end: i + 1 });
  }
  return spans;
}

/** Where a turn's sampled ids stand in the training sequence. */
export interface TurnMatch {
  /** Position of the first id of the best match. */
  readonly start: number;
  /** How many ids agree from there; the whole turn when it was found. */
  readonly length: number;
}

/** Returns where `ids` begin to agree longest with the sequence from `from` on; the first place wins a tie. */
function locate(sequence: readonly number[], ids: readonly number[], from: number): TurnMatch {
  let best: TurnMatch = { start: from, length: 0 };
  // A place with fewer ids left than already agree elsewhere cannot be better.
  for (let start = from; start + best.length < sequence.length && best.length < ids.length; start += 1) {
    let length = 0;
    while (length < ids.length && sequence[start + length] === ids[length]) length += 1;
    if (length > best.length) best = { start, length };
  }
  return best;
}

/** Returns where each turn stands in the sequence, each behind the one before. */
export function locateTurns({ ids }: TokenSample, turns: readonly SampledTurn[]): TurnMatch[] {
  let from = 0;
  return turns.map((turn) => {
    const match = locate(ids, turn.ids, from);
    if (match.length > 0) from = match.start + match.length;
    return match;
  });
}

/**
 * Says whether a sample is a row of its own for its last turn: it holds what that turn was shown and drew, and trains
 * nothing of the turns before, which are trained in rows of theirs.
 */
export function isTurnRow({ ids, lossMask, turns = [] }: TokenSample): boolean {
  const last = turns.at(-1);
  if (turns.length < 2 || last?.promptIds === undefined) return false;
  const row = [...last.promptIds, ...last.ids];
  return (
    row.length === ids.length &&
    row.every((id, i) => ids[i] === id) &&
    !lossMask.slice(0, last.promptIds.length).includes(true)
  );
}

/**
 * Returns which tokens the policy sampled: the action mask, or the ids the sampler recorded found again in the
 * sequence. `undefined` when neither is known; a role is no provenance.
 */
export function findSampled(sample: TokenSample): readonly boolean[] | undefined {
  if (sample.actionMask !== undefined) return sample.actionMask;
  if (sample.turns === undefined || sample.turns.length === 0) return undefined;
  const mask = sample.ids.map(() => false);
  for (const { start, length } of locateTurns(sample, sample.turns)) mask.fill(true, start, start + length);
  return mask;
}

/** Returns the sampled tokens, or, with less certainty, those of the assistant's role that no template wrote. */
export function findPresumedSampled(sample: TokenSample): readonly boolean[] | undefined {
  const sampled = findSampled(sample);
  if (sampled !== undefined) return sampled;
  // Padding alone, which an attention mask tells, says nothing about who wrote the other tokens.
  if (sample.roles?.some((role) => role !== undefined && role !== "padding") !== true) return undefined;
  return sample.roles?.map((role, i) => role === "assistant" && !isTemplateToken(sample, i));
}

/** What a trained token is. */
export type TrainedKind =
  | "sampled"
  | "added_end"
  | "template"
  | "padding"
  | "prompt"
  | "observation"
  | "foreign"
  | "unknown";

/** Returns what each token is that the loss is taken over; `undefined` for the others. Shape [token]. */
export function classifyTrained(sample: TokenSample): (TrainedKind | undefined)[] {
  const known = findSampled(sample);
  const presumed = findPresumedSampled(sample);
  const first = presumed?.indexOf(true) ?? -1;
  return sample.ids.map((_, i) => {
    if (!sample.lossMask[i]) return undefined;
    const role = sample.roles?.[i];
    if (role === "padding") return "padding";
    if (known?.[i] === true) return "sampled";
    if (known?.[i - 1] === true && isEndToken(sample, i)) return "added_end";
    if (isTemplateToken(sample, i)) return "template";
    if (role === "assistant") return known === undefined ? "sampled" : "foreign";
    // Without provenance a role is all there is to go by: a token without one may be anyone's.
    if (presumed === undefined || (known === undefined && role === undefined)) return "unknown";
    if (role === "tool") return "observation";
    return first === -1 || i < first ? "prompt" : "observation";
  });
}
