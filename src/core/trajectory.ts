import type { Action, Observation } from "./action.js";
import type { Budget, Disclosure, TerminalRule, Usage } from "./budget.js";
import type { JsonObject, RecordedNumber } from "./json.js";
import { hashJson } from "./sha256.js";
import type { StopReason } from "./stop-reason.js";

/** The version that every record of this shape carries. */
export const trajectorySchema = "turnwise.trajectory/1";

/** What one turn used. Absent is not known, never zero. */
export interface TurnUsage {
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly reasoningTokens?: number;
  readonly cachedTokens?: number;
  readonly toolCalls?: number;
  readonly envSteps?: number;
  readonly cost?: number;
  /** HTTP requests made, failed ones included. Retries are not turns. */
  readonly requests?: number;
  /** Answers that were asked for and not used, billed apart: they count against no budget. */
  readonly discarded?: { readonly calls: number; readonly tokens?: number; readonly cost?: number };
}

/** How long one turn took, in seconds. */
export interface TurnTiming {
  readonly policySeconds: number;
  readonly envSeconds: number;
}

/** The tokens the policy sampled in one turn, as the server gave them; never re-tokenised. */
export interface TurnTokens {
  /** Token ids; absent when the server gives only text. */
  readonly ids?: readonly number[];
  /** Natural logarithms of the sampling probabilities, one for each token. */
  readonly logProbs?: readonly RecordedNumber[];
  /** Token text pieces, one for each token. */
  readonly texts?: readonly string[];
  readonly promptIds?: readonly number[];
}

/** What the env or an importer noticed about a turn. */
export interface TurnFlags {
  /** The action could not be carried out: unparsable, or not allowed here. */
  readonly invalid?: true;
  /** A tool answered with an error. */
  readonly toolError?: true;
  /** A called tool does not exist. */
  readonly unknownTool?: true;
}

/** Says whether the flags tell of an action that could not be carried out, a call of a tool that does not exist included. */
export function isFlaggedInvalid({ invalid, unknownTool }: TurnFlags = {}): boolean {
  return invalid === true || unknownTool === true;
}

/** Says whether the flags tell of any error: an action that could not be carried out, or a tool that answered with one. */
export function isFlaggedError(flags: TurnFlags = {}): boolean {
  return isFlaggedInvalid(flags) || flags.toolError === true;
}

/** One policy call and the env's answer to it. */
export interface Turn {
  /** What the policy was shown before it acted. */
  readonly observation: Observation;
  /** The budget text the policy was shown with it, word for word. */
  readonly notice?: string;
  readonly action: Action;
  readonly reward?: RecordedNumber;
  readonly flags?: TurnFlags;
  /** Fewest turns an optimal agent with this episode's information still needs; infinite when hopeless. */
  readonly distanceBefore?: RecordedNumber;
  readonly distanceAfter?: RecordedNumber;
  /** Loss of the optimal success probability caused by this choice, in random envs. */
  readonly regret?: number;
  /** Grade of the state after this turn; absent is unknown. */
  readonly solvedAfter?: boolean;
  readonly usage?: TurnUsage;
  readonly timing?: TurnTiming;
  readonly tokens?: TurnTokens;
  /** Unknown fields of an imported record, kept. */
  readonly extra?: JsonObject;
}

/** The closing call of the `answer_only` rule; counted apart from turns. */
export interface ClosingAnswer {
  readonly prompt: string;
  readonly action: Action;
  readonly usage?: TurnUsage;
}

/** Where an imported record came from and what was translated. */
export interface Provenance {
  /** Importer name, e.g. `verifiers`. */
  readonly format: string;
  /** File name without folders, and the position of the record in it. */
  readonly source: string;
  /** 1-based line or 0-based element, as the format has it. */
  readonly position?: number;
  /** What one turn means in the source, and every other translation made. */
  readonly notes: readonly string[];
}

/**
 * What a policy is shown of turns it did not play in this episode: all of them, a summary in the first observation, or
 * only the state they led to.
 */
export type ContextMode = "full" | "summary" | "state_only";
/** Every context mode, in the order they are listed. */
export const contextModes: readonly ContextMode[] = ["full", "summary", "state_only"];

/** Where an episode that began in the middle was taken up. */
export interface PrefixStart {
  /** Id of the prefix in its pool. */
  readonly id: string;
  /** Which continuation of the prefix this is, e.g. after the error or after the best action instead. */
  readonly arm?: string;
  /** Turns before this episode's own; its budget counts from here. */
  readonly turnCount: number;
  readonly context: ContextMode;
}

/** The immutable record of one episode. */
export interface Trajectory {
  readonly schema: typeof trajectorySchema;
  /** Hash of the {@linkcode EpisodeKey} fields. */
  readonly episodeId: string;
  readonly task: { readonly id: string; readonly hash: string; readonly family?: string };
  /** 0-based position among the attempts at this task under this setting. */
  readonly sampleIndex: number;
  readonly groupId?: string;
  readonly policy: { readonly id: string; readonly checkpoint?: string };
  readonly env: { readonly id: string; readonly version: string };
  readonly envSeed?: number;
  readonly samplingSeed?: number;
  readonly budget: Budget;
  readonly disclosure: Disclosure;
  readonly terminalRule: TerminalRule;
  readonly turns: readonly Turn[];
  /** Present when the episode began in the middle: `turns` and `budget` hold only what followed. */
  readonly prefix?: PrefixStart;
  /** What the env answered to the last action. */
  readonly finalObservation?: Observation;
  readonly closing?: ClosingAnswer;
  readonly stopReason: StopReason;
  /** Absent is unknown, which is not a failure. */
  readonly success?: boolean;
  /** What judged success where it is not the env's own grade: a scorer with its version, a field of the source. */
  readonly grader?: string;
  /** Named parts of the judgement; a part that was not computed is absent. */
  readonly scores?: { readonly [name: string]: RecordedNumber | boolean | string };
  /** A total of its own: the source's, when rewards of single turns are not known, or the one that training learnt from. */
  readonly episodeReturn?: RecordedNumber;
  /** Depends on an earlier attempt at the same task (a retry that saw it), so it is no independent sample. */
  readonly dependsOn?: string;
  readonly provenance?: Provenance;
  readonly extra?: JsonObject;
}

/** What makes an episode the same episode when a run is continued. */
export interface EpisodeKey {
  readonly policyId: string;
  readonly taskHash: string;
  readonly sampleIndex: number;
  readonly budget: Budget;
  readonly disclosure: Disclosure;
  readonly terminalRule: TerminalRule;
}

/** Returns the key of a trajectory. */
export function getEpisodeKey(trajectory: Trajectory): EpisodeKey {
  return {
    policyId: trajectory.policy.id,
    taskHash: trajectory.task.hash,
    sampleIndex: trajectory.sampleIndex,
    budget: trajectory.budget,
    disclosure: trajectory.disclosure,
    terminalRule: trajectory.terminalRule,
  };
}

/** Returns the id of the episode with this key: the first 16 hex digits of the key's hash. */
export function getEpisodeId(key: EpisodeKey): string {
  const { policyId, taskHash, sampleIndex, budget, disclosure, terminalRule } = key;
  return hashJson({ policyId, taskHash, sampleIndex, budget, disclosure, terminalRule }).slice(0, 16);
}

/** Returns what the given turns used, summed. A part that a turn does not know adds nothing. */
export function sumUsage(turns: readonly Turn[]): Usage {
  let tokens = 0;
  let toolCalls = 0;
  let seconds = 0;
  let cost = 0;
  for (const { usage, timing, action } of turns) {
    tokens += (usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0);
    toolCalls += usage?.toolCalls ?? action.toolCalls?.length ?? 0;
    seconds += (timing?.policySeconds ?? 0) + (timing?.envSeconds ?? 0);
    cost += usage?.cost ?? 0;
  }
  return { turns: turns.length, tokens, toolCalls, seconds, cost };
}
