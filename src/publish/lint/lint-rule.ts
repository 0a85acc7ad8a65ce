import type { Rule, RuleFinding, RuleThresholds } from "../../core/index.js";
import type { Assurance, DocumentKind, PublishDocument } from "../document.js";
import type { BanList } from "./text/ban-list.js";
import type { CodeRun } from "./code/run-code.js";
import type { PythonParser } from "./code/python-parser.js";

/** What the rules judge: a document among the others of its set, with what they need to know of the world. */
export interface LintSubject {
  readonly document: PublishDocument;
  /** Every document linted together, this one included. */
  readonly set: readonly PublishDocument[];
  /** At `release` open markers and placeholders fail. */
  readonly level: Assurance;
  /** The document that this one translates, where it is known. */
  readonly original?: PublishDocument;
  /** ISO date against which dates of an undated document are judged. */
  readonly today?: string;
  readonly python: PythonParser;
  /** What running the document's code gave, where it was run. */
  readonly codeRuns?: readonly CodeRun[];
  /** Terms that must not be published. */
  readonly banList?: BanList;
  /** Names of users of this machine. */
  readonly userNames: readonly string[];
  /** Returns whether a file exists; the path is relative to the document. Absent: links to files are not judged. */
  hasFile?(path: string): boolean;
}

/** One documented case of a lint rule: Markdown in, messages out; its test. */
export interface LintExample {
  readonly name: string;
  readonly markdown: string;
  /** Whether the file is written in Latin-1 instead of UTF-8. */
  readonly isLatin1?: true;
  /** Messages in order; empty for a sound document. */
  readonly messages: readonly string[];
  /** Lines of the findings, where they are worth stating. */
  readonly lines?: readonly number[];
  /** Further documents of the set by file. */
  readonly others?: { readonly [file: string]: string };
  /** The text this one translates. */
  readonly original?: string;
  /** Files that exist beside the document. */
  readonly files?: readonly string[];
  readonly kind?: DocumentKind;
  readonly level?: Assurance;
  readonly today?: string;
  /** Text of a ban list. */
  readonly banList?: string;
  readonly userNames?: readonly string[];
  /** Whether the code blocks are run first. */
  readonly isRun?: true;
}

/** One check of a document. Its examples are its tests and its documentation. */
export interface LintRule extends Omit<Rule<LintSubject>, "examples" | "id"> {
  /** Group and name, e.g. `table.cell-count`. */
  readonly id: string;
  readonly examples: readonly LintExample[];
}

type RuleParts<Thresholds extends RuleThresholds> = Omit<
  Rule<LintSubject, Thresholds>,
  "examples" | "thresholds" | "findGap"
> & {
  readonly thresholds?: Thresholds;
  readonly examples: readonly LintExample[];
  findGap?(subject: LintSubject): string | undefined;
};

/** Returns the rule as it is; lets its functions know the names of its thresholds. */
export function lintRule<Thresholds extends RuleThresholds = Record<never, never>>(
  rule: RuleParts<Thresholds>,
): LintRule {
  return { thresholds: {}, ...rule };
}

/** Returns a finding at a line of the document; the engine adds the file. */
export function lintFinding(line: number, message: string, more: Partial<RuleFinding> = {}): RuleFinding {
  return { message, place: { line }, ...more };
}
