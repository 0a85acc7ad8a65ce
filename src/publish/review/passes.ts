import { sha256 } from "../../core/index.js";

/** What a reviewer is asked to look at; each pass has its own fresh session. */
export type ReviewPass = "math" | "code" | "qa" | "citation" | "claim" | "consistency" | "coverage";

/** All passes, in the order they are run and shown. */
export const reviewPasses: readonly ReviewPass[] = [
  "math",
  "code",
  "qa",
  "citation",
  "claim",
  "consistency",
  "coverage",
];

/** The fixed text of a pass. A change of the text is a new version, so that rounds can be compared. */
export interface PassTask {
  readonly pass: ReviewPass;
  readonly version: number;
  readonly text: string;
  /** SHA-256 of the text, `sha256:<hex>`. */
  readonly sha256: string;
}

const commonText = `You review one document. Judge only the text in this packet. Nobody will tell you what to find.
Answer with one JSON object that fits response_schema, and with nothing else: no prose, no code fence.
Give one coverage entry for every item listed in the packet. Use status "checked" only for what you examined by the
method you name. Use "skipped" or "cannot" otherwise, and say why in limits.
Report a finding only for a defect. Quote the exact words of the document with some words before and after them, name
the block, and give evidence that another person can repeat: a derivation, an execution, a citation, an artefact of
the packet, or two places of the document that disagree. A finding without evidence carries no weight.
Severity: blocker, the statement is false and readers would act on it; major, it is false or unsupported; minor, it is
imprecise or incomplete; nit, a matter of form.
List every other place of the document that repeats the defect in other_occurrences, quoted.`;

const passTexts: Readonly<Record<ReviewPass, string>> = {
  math: `Pass: mathematics. Re-derive every listed equation and identity from what the text states, or test it
numerically at points you choose inside its domain, and say which. Check signs, factors, indices and their ranges,
what is summed or averaged over what, dimensions, limits of validity, and that each symbol keeps its meaning.`,
  code: `Pass: code. For every listed block, decide whether it runs as shown with the blocks it continues, whether it
computes what the text around it says, and whether shapes, axes, defaults, units and edge cases agree with the formulas.`,
  qa: `Pass: questions and answers. For every listed question, answer it yourself before reading the answer given. Check
that the answer given is right, complete at its level, and that no comparison, direction or cause is reversed.`,
  citation: `Pass: citations. For every listed reference, check that the work exists, that authors, title, year and venue
are those of the work, and that the work supports the sentence that uses it. Say what you looked up. Use status
"cannot" for what you could not look up.`,
  claim: `Pass: claims. For every listed block, find its numeric, comparative and scope statements. Check each against the
evidence files of the packet or the source it names, and check that the wording says no more than that evidence does.`,
  consistency: `Pass: consistency. Read the whole set of documents. Check that sections do not contradict each other, that a
fact stated in several places is stated alike everywhere, tables, captions and answers included, and that translations
say the same.`,
  coverage: `Pass: coverage. Compare the listed topics with the document. Report what is promised, in the topics or in the
document itself, and missing or only named.`,
};

/** Returns the fixed task of a pass. */
export function getPassTask(pass: ReviewPass): PassTask {
  const text = `${commonText}\n\n${passTexts[pass]}`;
  return { pass, version: 1, text, sha256: `sha256:${sha256(text)}` };
}

/** Returns `text` as a pass, or `undefined` when there is none of that name. */
export function findReviewPass(text: string): ReviewPass | undefined {
  return reviewPasses.find((pass) => pass === text);
}
