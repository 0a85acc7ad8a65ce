import type { Budget, Disclosure, StopLabel, TerminalRule } from "../../core/index.js";

/** What episodes of one setting share. */
export interface EpisodeSetting {
  readonly policyId: string;
  readonly checkpoint?: string;
  readonly envId: string;
  readonly envVersion: string;
  readonly budget: Budget;
  readonly disclosure: Disclosure;
  readonly terminalRule: TerminalRule;
}

/** The scalars of one episode and where its record lies. */
export interface EpisodeRow {
  readonly episodeId: string;
  readonly task: { readonly id: string; readonly hash: string; readonly family?: string };
  readonly setting: EpisodeSetting;
  readonly sampleIndex: number;
  readonly stopLabel: StopLabel;
  /** Class of an error, e.g. `policy/rate_limit`. */
  readonly errorClass?: string;
  readonly success?: boolean;
  readonly turnCount: number;
  /** 1-based turn after which the state was first graded as solved. */
  readonly solvedTurn?: number;
  readonly tokens: number;
  readonly toolCalls: number;
  readonly seconds: number;
  readonly cost: number;
  readonly segment: number;
  /** Position of the line in the segment and its length, in bytes, without the line feed. */
  readonly offset: number;
  readonly length: number;
}
