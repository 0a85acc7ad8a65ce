import type { PublishVerdict } from "../../verdict.js";

/** What an old verdict text stands for. */
export interface LegacyVerdict {
  /** One per round: several for a chain such as `FAIL→FAIL→PASS`. */
  readonly verdicts: readonly PublishVerdict[];
  /** The text was changed after the round and nobody looked again. */
  readonly isEdited: boolean;
  /** A chain or an "effective" verdict: words about rounds of which nothing else is known. */
  readonly isClaimOnly: boolean;
}

function readToken(text: string): PublishVerdict | undefined {
  const token = /(?<![A-Za-z])(PASS|WARN|FAIL|DEFERRED|INCOMPLETE|SKIPPED|NOT_RUN)[A-Z_0-9]*/.exec(text);
  if (token === null) {
    const word = /^\s*(pass|warn|fail)(?:ed|ing)?\s*$/i.exec(text)?.[1].toUpperCase();
    return word === "PASS" || word === "WARN" || word === "FAIL" ? word : undefined;
  }
  const [whole, head] = token;
  if (head === "FAIL" || head === "WARN") return head;
  if (head === "PASS") return whole.includes("WARN") ? "WARN" : "PASS";
  return "NOT_RUN";
}

/**
 * Returns what the words of an old verdict mean: the first upper-case verdict in them decides, a FAIL that was "fixed"
 * stays a FAIL after which the text was edited, and words without a verdict mean that no review was run.
 *
 * @example
 * readLegacyVerdict("FAIL → fixed"); // { verdicts: ["FAIL"], isEdited: true, isClaimOnly: false }
 */
export function readLegacyVerdict(text: string): LegacyVerdict {
  const parts = text.split(/\s*(?:→|->|=>|⇒)\s*/);
  const verdicts = parts.map((part) => readToken(part));
  const known = verdicts.filter((verdict) => verdict !== undefined);
  if (known.length > 1 && verdicts[0] !== undefined)
    return { verdicts: known, isEdited: known.includes("FAIL"), isClaimOnly: true };
  const verdict = readToken(text) ?? "NOT_RUN";
  const isEdited =
    verdict === "FAIL" && (parts.length > 1 || /FAIL_|\bfix(?:ed|es)?\b|\bpatched\b|修复|已修/i.test(text));
  return { verdicts: [verdict], isEdited, isClaimOnly: /\beffective(?:ly)?\b/i.test(text) };
}

/** A round as far as deciding its stage goes. */
export interface DecidingRound {
  readonly verdict: PublishVerdict;
  readonly thread_id?: string;
}

/**
 * Returns the verdict of an old stage: that of the last round with a thread id, whatever the label says; `NOT_RUN` when
 * no round has one.
 */
export function decideLegacyStage(rounds: readonly DecidingRound[]): PublishVerdict {
  return rounds.findLast(({ thread_id }) => thread_id !== undefined)?.verdict ?? "NOT_RUN";
}

/** Returns the rounds that an old `run` stands for: `"1-3"` is three. Text without a number is kept as it is. */
export function expandRun(run: unknown): readonly (number | string)[] {
  if (typeof run === "number" && Number.isInteger(run)) return [run];
  const text = typeof run === "string" ? run : JSON.stringify(run ?? "");
  const range = /^\s*(\d{1,3})\s*[-–—~]\s*(\d{1,3})(?!\d)/.exec(text);
  if (range !== null && Number(range[2]) > Number(range[1])) {
    const [from, to] = [Number(range[1]), Number(range[2])];
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  }
  const single = /^\s*(\d+)/.exec(text)?.[1];
  return [single === undefined ? text : Number(single)];
}
