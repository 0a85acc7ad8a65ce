import type {
  AdaptationEffect,
  AttributionResult,
  Budget,
  Claim,
  ComparisonResult,
  Disclosure,
  DynamicsResult,
  LikelihoodResult,
  PolicySurface,
  RecordedNumber,
  SignalsResult,
  RecoveryResult,
  StepEvaluation,
  StopLabel,
  TerminalRule,
} from "../core/index.js";

/** The version that every report of this shape carries. */
export const reportSchema = "turnwise.report/1";

/** A piece of a sentence: words, or the id of the claim whose number stands there. */
export type SentencePart = string | { readonly claim: string };
/** A sentence whose numbers are claims. */
export type Sentence = readonly SentencePart[];

/** One run folder or imported file behind a report. */
export interface ReportRun {
  /** Path relative to the report's folder, or the run's name. */
  readonly path: string;
  /** Labels of the surfaces it feeds. */
  readonly labels: readonly string[];
  /** SHA-256 of its resolved config; absent for files that have none. */
  readonly configHash?: string;
  readonly env: { readonly id: string; readonly version: string };
  readonly taskCount: number;
  readonly episodeCount: number;
  /** Where imported or shipped outcomes come from, in words. */
  readonly source?: string;
}

/** Text cut to a limit, with what was left out. */
export interface BoundedText {
  readonly text: string;
  /** UTF-16 code units left out at the end. */
  readonly omittedCharacters?: number;
}

/** What a transcript's colours mean: solved after this turn, a mistake in this turn, neither. */
export type TurnState = "clean" | "error" | "solved";

/** One tool call in a transcript. */
export interface ReportToolCall {
  readonly name: string;
  readonly arguments: BoundedText;
}

/** One answer of the env in a transcript. */
export interface ReportAnswer {
  readonly text: BoundedText;
  readonly toolResults: readonly { readonly name?: string; readonly text: BoundedText; readonly isError?: true }[];
}

/** One turn in a transcript. */
export interface ReportTurn {
  /** 1-based. */
  readonly turn: number;
  readonly state: TurnState;
  /** Turns left before this one, this one included; absent without a turn limit. */
  readonly turnsLeft?: number;
  /** The budget text the policy was shown, word for word. */
  readonly notice?: string;
  readonly text: BoundedText;
  readonly reasoning?: BoundedText;
  readonly toolCalls: readonly ReportToolCall[];
  /** What the env answered to this turn; absent when the record does not say. */
  readonly answer?: ReportAnswer;
  readonly reward?: RecordedNumber;
  /** Words such as `invalid`, `tool_error`, `unknown_tool`, `quit`. */
  readonly flags: readonly string[];
  /** Why no action could be read. */
  readonly invalidReason?: string;
  readonly solvedAfter?: boolean;
  readonly distanceBefore?: RecordedNumber;
  readonly distanceAfter?: RecordedNumber;
}

/** Why a transcript is in the report. */
export type SelectionReason = "discordant_task" | "stop_reason";

/** The transcript of one episode, cut to limits. */
export interface ReportEpisode {
  readonly episodeId: string;
  readonly label: string;
  readonly taskId: string;
  readonly sampleIndex: number;
  readonly budget: Budget;
  readonly disclosure: Disclosure;
  readonly terminalRule: TerminalRule;
  /** Absent is unknown. */
  readonly success?: boolean;
  readonly stop: StopLabel;
  /** Boundary, class and message of an error. */
  readonly stopDetail?: string;
  readonly reason: SelectionReason;
  readonly turnCount: number;
  /** What the policy was shown first; absent without turns. */
  readonly opening?: ReportAnswer;
  /** The first turns and the last ones; turns in the middle may be left out. */
  readonly turns: readonly ReportTurn[];
  readonly omittedTurns?: number;
  /** The closing answer of the `answer_only` rule. */
  readonly closing?: { readonly prompt: BoundedText; readonly text: BoundedText };
}

/** Transcripts chosen by a stated rule. */
export interface EpisodeSelection {
  /** Episodes the rule chose from. */
  readonly availableCount: number;
  /** The rule in words. */
  readonly rule: string;
  readonly episodes: readonly ReportEpisode[];
}

/** Which rows of a comparison's task differences are listed by name. */
export interface TaskListing {
  /** Positions in `taskDifferences`, largest difference first, then by task id. */
  readonly rows: readonly number[];
  /** Tasks on which the two differ at the largest T. */
  readonly discordantCount: number;
  /** Discordant tasks left out of `rows` to bound the page. */
  readonly omittedCount: number;
  /** Differences of all shared tasks, sorted ascending: the profile chart. */
  readonly profile: readonly number[];
}

/** A report as data. Rendering adds nothing to it. */
export interface Report {
  readonly schema: typeof reportSchema;
  readonly title: string;
  readonly generator: { readonly name: "turnwise"; readonly version: string };
  readonly question: string;
  /** Paragraphs, the headline first. Made by rule from verdict words; never says more than the intervals. */
  readonly answer: readonly Sentence[];
  readonly runs: readonly ReportRun[];
  readonly surfaces: readonly PolicySurface[];
  readonly comparisons: readonly ComparisonResult[];
  /** One for each comparison. */
  readonly taskListings: readonly TaskListing[];
  readonly adaptation: readonly AdaptationEffect[];
  /** Why one policy succeeds more often than another, where that was asked. */
  readonly attribution?: AttributionResult;
  /** What policies make of the same errors. */
  readonly recovery?: RecoveryResult;
  /** What policies do in the states just before known errors. */
  readonly steps?: StepEvaluation;
  /** Which signals of a turn can be trusted, a result for each policy. */
  readonly signals?: readonly SignalsResult[];
  /** How likely what was written is under models. */
  readonly likelihood?: LikelihoodResult;
  /** How success and behaviour changed over training. */
  readonly dynamics?: DynamicsResult;
  readonly episodes: EpisodeSelection;
  /** What a reader must know before believing the figures. */
  readonly warnings: readonly Sentence[];
  readonly notes: readonly Sentence[];
  /** Every figure shown. Ids are unique. */
  readonly claims: readonly Claim[];
}

/** What a report is built from. */
export interface ReportInput {
  readonly title: string;
  /** Version of turnwise. */
  readonly version: string;
  /** The question in plain words; by default made from what is compared. */
  readonly question?: string;
  readonly runs: readonly ReportRun[];
  /** At least one, unless the report is on recovery or steps alone; labels are unique. */
  readonly surfaces: readonly PolicySurface[];
  /** Comparisons between labels of `surfaces`. */
  readonly comparisons?: readonly ComparisonResult[];
  readonly adaptation?: readonly AdaptationEffect[];
  readonly attribution?: AttributionResult;
  readonly recovery?: RecoveryResult;
  readonly steps?: StepEvaluation;
  readonly signals?: readonly SignalsResult[];
  readonly likelihood?: LikelihoodResult;
  readonly dynamics?: DynamicsResult;
  /** From an episode picker; absent when there are no transcripts. */
  readonly episodes?: EpisodeSelection;
  readonly warnings?: readonly string[];
  readonly notes?: readonly string[];
  /** Tasks listed by name for each comparison. Default 200. */
  readonly maxTaskRows?: number;
}
