// Types, not interfaces: only those can be JSON values.

/** A paragraph of the knowledge base. */
export type LookupParagraph = {
  /** Unique within the task. */
  readonly title: string;
  readonly text: string;
};

/** What a comparison question compares. */
export type LookupComparison = {
  /** The names one of which is the answer; `values[i]` belongs to `candidates[i]`, at the end of `chains[i]`. */
  readonly candidates: readonly string[];
  readonly values: readonly number[];
  /** Which value is asked for. */
  readonly wanted: "least" | "greatest";
  /** Lowest and highest value an agent has to expect; all between are equally likely, and no two are the same. */
  readonly range: readonly [number, number];
};

/** A question with its knowledge base: what a task of the lookup env holds. */
export type LookupData = {
  readonly kind: "comparison" | "bridge";
  readonly question: string;
  readonly paragraphs: readonly LookupParagraph[];
  /**
   * Positions of the paragraphs that must be read: one chain for a bridge question, one for each candidate of a
   * comparison. Each paragraph of a chain names the next one; the question names the first.
   */
  readonly chains: readonly (readonly number[])[];
  /** Accepted answers, the proper one first. */
  readonly answers: readonly string[];
  readonly comparison?: LookupComparison;
};

/** The state of an episode: what has been shown so far, as positions of paragraphs. */
export type LookupState = {
  /** Paragraphs shown in full, in order. */
  readonly shown: readonly number[];
  /** Paragraphs of which only the title was shown. */
  readonly listed: readonly number[];
  /** The answer handed in. */
  readonly answer?: string;
};

/**
 * Returns an answer in the form that is compared: lower case, without accents, punctuation, the articles a, an, the,
 * and doubled spaces.
 *
 * @example
 * normalizeAnswer("The  River Tané."); // "river tane"
 */
export function normalizeAnswer(text: string): string {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .replace(/\b(a|an|the)\b/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
