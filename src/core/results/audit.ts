import type { Finding, Severity } from "../finding.js";

/** What was looked at. */
export interface AuditedFile {
  readonly file: string;
  readonly format: string;
  /** The run inside the file, where there are several. */
  readonly run?: string;
  /** Rows of a log, or samples of a mask file. */
  readonly rowCount: number;
  /** Records of a mask file that could not be read; they are in no other count. */
  readonly unreadCount?: number;
  /** Samples that a rule about masks could judge, not only rules about the record's form. */
  readonly judgedCount?: number;
  /** Facts about what was read, for readers: first and last update, counts of tokens. */
  readonly facts: { readonly [name: string]: number | string };
  /** The column that was taken for each common metric. */
  readonly metrics?: { readonly [metric: string]: string };
  /** What was repaired or lost while reading. */
  readonly problems: readonly string[];
}

/** A file that could not be audited, or about which an audit says nothing. */
export interface RefusedFile {
  readonly file: string;
  readonly reason: string;
  /** What to do. */
  readonly remedy?: string;
}

/** What became of one rule. */
export interface AuditedRule {
  readonly ruleId: string;
  readonly severity: Severity;
  readonly description: string;
  /** Thresholds it used. */
  readonly thresholds: { readonly [name: string]: number };
  /** Subjects (runs of a log, samples) it judged, and in how many it found something. */
  readonly judgedCount: number;
  readonly affectedCount: number;
  /** Why subjects could not be judged, with how many. A rule that judged nothing did not pass. */
  readonly gaps: readonly { readonly reason: string; readonly count: number }[];
}

/** What an audit of training logs or training samples found. */
export interface AuditResult {
  readonly kind: "log" | "mask";
  readonly files: readonly AuditedFile[];
  readonly rules: readonly AuditedRule[];
  /** The first findings of every rule; {@linkcode AuditedRule.affectedCount} counts them all. */
  readonly findings: readonly Finding[];
  /** All findings by severity, those beyond the listed ones included. */
  readonly counts: { readonly [severity in Severity]: number };
  /** Files that were named and could not be audited. The result says nothing of them. */
  readonly refused?: readonly RefusedFile[];
  /** Files of named folders that were passed over, with the reason. */
  readonly skipped?: readonly RefusedFile[];
}

/** One token of an excerpt. */
export interface ExcerptToken {
  readonly id: number;
  readonly text?: string;
  readonly trained: boolean;
  /** Whether the policy sampled it; absent when that is not known. */
  readonly sampled?: boolean;
}

/** The tokens around the place of a finding about masks; stands as `excerpt` in the finding's evidence. */
export interface TokenExcerpt {
  /** Position of the first token in the sample. */
  readonly start: number;
  readonly tokens: readonly ExcerptToken[];
  /** Positions in the sample that the finding is about, those inside the excerpt. */
  readonly marked: readonly number[];
}
