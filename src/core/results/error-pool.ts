import type { Observation } from "../action.js";
import { canonicalJson, type JsonValue, type RecordedNumber } from "../json.js";
import { hashJson, sha256 } from "../sha256.js";
import type { EnvEndKind } from "../stop-reason.js";
import type { Task } from "../task.js";
import type { Turn } from "../trajectory.js";

/** The version that every pool card of this shape carries. */
export const poolSchema = "turnwise.pool/1";

/**
 * What kind of error an action was: it brought the goal no nearer (`wasteful`), moved it away (`setback`), made success
 * impossible (`trap`), could not be carried out (`invalid`), met a tool's error (`tool_error`), or a judge called it one.
 */
export type ErrorLabel = "wasteful" | "setback" | "trap" | "invalid" | "tool_error" | "judged";
/** Every error label, in the order tables show them. */
export const errorLabels: readonly ErrorLabel[] = ["wasteful", "setback", "invalid", "tool_error", "judged", "trap"];

/** What an error was told from. */
export type ErrorEvidence = "distance" | "regret" | "flags" | "judge";

/** The state before an action. */
export interface PoolState {
  readonly turns: readonly Turn[];
  readonly observation: Observation;
  /** Present where the env can be taken up here. */
  readonly snapshot?: JsonValue;
}

/** One action from a pool state, and the state after it. */
export interface PoolContinuation {
  readonly turn: Turn;
  readonly observation: Observation;
  readonly snapshot?: JsonValue;
  /** Present when the action ended the episode, so that nothing can follow. */
  readonly ended?: EnvEndKind;
}

/** The episode that a pool entry was cut from. */
export interface PoolOrigin {
  /** The run's name, or the file's. */
  readonly run: string;
  readonly configHash?: string;
  readonly episodeId: string;
  readonly sampleIndex: number;
}

/** What both kinds of pool entries have. */
export interface PoolEntryBase {
  /** Hash of where the entry came from, 16 hex digits. */
  readonly id: string;
  /** Label of the policy that played the turns. */
  readonly producer: string;
  readonly origin: PoolOrigin;
  readonly task: Task;
  readonly envSeed: number;
  /** 0-based turn of the action that follows the state. */
  readonly turnIndex: number;
  /** Turns the producer had left after that action; absent without a turn limit. */
  readonly remainingTurns?: number;
  readonly before: PoolState;
}

/** The beginning of an episode up to and including its first error. */
export interface ErrorPrefix extends PoolEntryBase {
  readonly kind: "error";
  readonly label: ErrorLabel;
  readonly evidence: ErrorEvidence;
  readonly error: PoolContinuation;
  /** The best action in place of the error; absent where the env has no oracle. */
  readonly clean?: PoolContinuation;
  /** Smallest distance reached before the error; absent where the env knows none. */
  readonly bestDistance?: number;
  readonly distanceAfter?: RecordedNumber;
  /** Chance of success within the turns left that the action gave away, where the error was told from it. */
  readonly regret?: number;
  /** `remainingTurns` minus the distance after the error. */
  readonly slack?: number;
}

/** A state drawn at random from all turns of a producer: what its error rate per turn is an average over. */
export interface VisitedState extends PoolEntryBase {
  readonly kind: "visited";
  /** Whether the producer's own action here was an error. */
  readonly isError: boolean;
}

/** How the prefixes of a pool were chosen; part of its hash. */
export interface PoolRules {
  /** Most prefixes of one task and producer. */
  readonly perTask: number;
  /** Whether producers with more prefixes were cut to the number of the one with fewest. */
  readonly isBalanced: boolean;
  /** Least turns beyond the distance after the error that the producer had left. */
  readonly minSlack: number;
  /** Regret above which a choice is an error, where the env knows no distance. */
  readonly regretThreshold: number;
  /** Visited states drawn for each task and producer. */
  readonly statesPerTask: number;
  /** Turns (0-based) at which an error was injected into best play, and the turn limit of that play. */
  readonly injection?: { readonly turns: readonly number[]; readonly maxTurns: number };
  readonly seed: number;
}

/** A rule or judge that told errors, with how well it does that. */
export interface PoolJudge {
  readonly id: string;
  /** Share of errors it finds, and of clean turns it leaves alone, measured on `checkedCount` turns checked by people. */
  readonly sensitivity: number;
  readonly specificity: number;
  readonly checkedCount: number;
}

/** One producer of a pool. */
export interface PoolProducer {
  readonly id: string;
  readonly episodes: number;
  readonly episodesWithError: number;
  readonly turns: number;
  /** Share of turns that are errors, quits left out: the mean over tasks. Absent without turns. */
  readonly errorRate?: number;
  readonly prefixes: number;
  readonly visited: number;
}

/** What was left out of a pool, and why. */
export interface PoolExclusions {
  /** Episodes that ended in an error of policy, env or scorer. */
  readonly erroredEpisodes: number;
  /** Episodes that stand in more than one of the runs: they count once. */
  readonly duplicates: number;
  readonly withoutError: number;
  /** Prefixes that could not be played again as recorded. */
  readonly diverged: number;
  /** Prefixes with less slack than the rules ask for. */
  readonly belowSlack: number;
  /** Prefixes beyond `perTask`, and beyond the smallest producer's number. */
  readonly overCap: number;
  readonly overBalance: number;
}

/** What a pool is and where it came from: `pool.json`. */
export interface PoolCard {
  readonly schema: typeof poolSchema;
  /** Hash of what decides the prefixes: env, rules, judge and the prefixes themselves. */
  readonly poolHash: string;
  /** Hash of all the rest of this card, so that no part of it can be changed unnoticed. */
  readonly cardHash: string;
  /** SHA-256 of `prefixes.jsonl`. */
  readonly prefixesHash: string;
  readonly turnwiseVersion: string;
  readonly env: { readonly id: string; readonly version: string };
  /** Whether every state can be taken up as saved, or turns are played again from the seed. */
  readonly restore: "state" | "replay";
  readonly rules: PoolRules;
  readonly judge?: PoolJudge;
  readonly sources: readonly { readonly run: string; readonly configHash?: string; readonly episodes: number }[];
  readonly producers: readonly PoolProducer[];
  readonly prefixCount: number;
  readonly visitedCount: number;
  readonly taskCount: number;
  /** Prefixes by label. Traps and errors that ended the episode are counted here, but nobody can recover from them. */
  readonly labels: { readonly [label in ErrorLabel]?: number };
  readonly endedCount: number;
  /** Prefixes that have the control: the best action in place of the error. */
  readonly controlCount: number;
  /** Prefixes by slack, e.g. `0`, `1-2`, `3-5`, `6+`, `unknown`. */
  readonly slack: { readonly [stratum: string]: number };
  readonly excluded: PoolExclusions;
  readonly notes: readonly string[];
}

/** A frozen set of error prefixes and visited states. */
export interface ErrorPool {
  readonly card: PoolCard;
  readonly prefixes: readonly ErrorPrefix[];
  readonly visited: readonly VisitedState[];
}

/** Returns the entries of a pool as the text of `prefixes.jsonl`: canonical JSON, one a line, prefixes first. */
export function renderPoolEntries({ prefixes, visited }: Pick<ErrorPool, "prefixes" | "visited">): string {
  return [...prefixes, ...visited].map((entry) => `${canonicalJson(entry)}\n`).join("");
}

/** Returns the hash of `prefixes.jsonl`. */
export function hashPoolEntries(text: string): string {
  return sha256(text);
}

/** What a card says before its hashes are made. */
export type PoolCardContent = Omit<PoolCard, "poolHash" | "cardHash">;

/**
 * Returns the hash that names a pool: of its env, rules, judge and the hash of its entries. Where these are the same the
 * pool is, whatever the runs were called and whichever version wrote it.
 */
export function hashPool({ schema, env, rules, judge, prefixesHash }: PoolCardContent): string {
  return hashJson({ schema, env, rules, judge, prefixesHash });
}

/** Returns the hash of everything a card says but this hash itself. */
export function hashPoolCard({
  cardHash: _itself,
  ...content
}: Omit<PoolCard, "cardHash"> & Partial<PoolCard>): string {
  return hashJson(content);
}

/** Returns the card with both hashes. */
export function sealPoolCard(content: PoolCardContent): PoolCard {
  const named = { ...content, poolHash: hashPool(content) };
  return { ...named, cardHash: hashPoolCard(named) };
}

/** Returns the stratum that a slack is counted under; negative slack means too few turns were left. */
export function getSlackStratum(slack: number | undefined): string {
  if (slack === undefined) return "unknown";
  if (slack < 0) return "<0";
  if (slack === 0) return "0";
  if (slack <= 2) return "1-2";
  return slack <= 5 ? "3-5" : "6+";
}
/** Every slack stratum, in the order tables show them. */
export const slackStrata: readonly string[] = ["<0", "0", "1-2", "3-5", "6+", "unknown"];
