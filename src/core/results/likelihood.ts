import type { Estimate } from "../result.js";

/** A part of what policies wrote. Parts overlap: a token is in `all`, in one of the first three, and in turns of the others. */
export type LikelihoodSegment =
  | "all"
  /** Reasoning, and visible text before the action. */
  | "thought"
  /** The calls, or the text that is the action. */
  | "action"
  /** Tokens whose place inside the turn is not known, as token texts are missing or do not contain the action. */
  | "unsplit"
  /** The turn of the episode's first error. */
  | "first_error"
  /** The turn that led an episode in error back to its best way. */
  | "recovery"
  /** The turn that ended the episode with an answer. */
  | "final_answer";
/** Every segment, in the order they are shown. Observations are never scored. */
export const likelihoodSegments: readonly LikelihoodSegment[] = [
  "all",
  "thought",
  "action",
  "unsplit",
  "first_error",
  "recovery",
  "final_answer",
];

/** Episodes that belong together: who produced them, and whether they succeeded. */
export interface LikelihoodGroup {
  readonly producer: string;
  readonly success: boolean;
}

/** Negative log-likelihood of one segment of one group under one scorer. */
export interface LikelihoodRow extends LikelihoodGroup {
  readonly scorer: string;
  readonly segment: LikelihoodSegment;
  readonly turns: number;
  readonly tokens: number;
  /** Mean of -log p over tokens, in nats. */
  readonly perToken: Estimate;
  /** Mean over turns of the sum of -log p, in nats. */
  readonly perTurn: Estimate;
}

/** How much likelier one segment is under the last scorer than under the first: log p of the last minus the first. */
export interface LogRatioRow extends LikelihoodGroup {
  readonly from: string;
  readonly to: string;
  readonly segment: LikelihoodSegment;
  readonly turns: number;
  readonly tokens: number;
  readonly perToken: Estimate;
  readonly perTurn: Estimate;
}

/** Why a scorer gave no figure for some turns. */
export interface UnscoredTurns {
  readonly scorer: string;
  readonly reason: string;
  readonly turns: number;
}

/** How one log-ratio a turn relates to success within a task: a hypothesis to test, not a value. */
export interface LogRatioAgreement {
  readonly from: string;
  readonly to: string;
  /** P(mean log-ratio a turn is higher in the episode that succeeds), pairs of one task, ties half. */
  readonly agreement: Estimate;
}

/** Teacher-forced likelihood of recorded episodes under policies. */
export interface LikelihoodResult {
  readonly env: { readonly id: string; readonly version: string };
  readonly scorers: readonly {
    readonly id: string;
    readonly checkpoint?: string;
    readonly turns: number;
    readonly alignment: "ids" | "text" | "ids_and_text" | "none";
  }[];
  readonly episodes: number;
  readonly excludedEpisodes: number;
  readonly turns: number;
  readonly taskCount: number;
  readonly unitCount: number;
  readonly level: number;
  readonly replicates: number;
  readonly seed: number;
  readonly rows: readonly LikelihoodRow[];
  readonly logRatios: readonly LogRatioRow[];
  readonly agreement: readonly LogRatioAgreement[];
  readonly unavailable: readonly UnscoredTurns[];
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}
