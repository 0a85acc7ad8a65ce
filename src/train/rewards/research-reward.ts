import { countOccurrences, countShared } from "./count-shared.js";

/** What ReSearch's reward says about an answer. */
export interface ResearchReward {
  /** 0, .1 or the F1 of the answer's words. */
  readonly reward: number;
  /** Why it is 0 without looking at the answer. */
  readonly fault?: string;
}

/** Returns what is wrong with the tags, or `undefined`. */
function findFormatFault(text: string): string | undefined {
  const thinks = countOccurrences(text, "<think>");
  if (thinks === 0 || thinks !== countOccurrences(text, "</think>")) return "think is missing or not closed";
  if (countOccurrences(text, "<answer>") !== 1 || countOccurrences(text, "</answer>") !== 1)
    return "there is not exactly one answer";
  let from = 0;
  for (;;) {
    const search = text.indexOf("<search>", from);
    if (search === -1) break;
    const searchEnd = text.indexOf("</search>", search);
    const result = text.indexOf("<result>", search);
    const resultEnd = text.indexOf("</result>", Math.max(result, 0));
    if (searchEnd === -1 || result === -1 || resultEnd === -1) return "a search has no result";
    if (!(searchEnd < result && result < resultEnd)) return "search and result are out of order";
    from = resultEnd;
  }
  const start = text.indexOf("<answer>");
  return start < text.indexOf("</answer>") ? undefined : "the answer is closed before it begins";
}

/** Returns what stands in the last box of a text, braces inside it included; `undefined` without a closed box. */
export function findBoxed(text: string): string | undefined {
  const start = text.lastIndexOf("\\boxed{");
  if (start === -1) return undefined;
  const from = start + "\\boxed{".length;
  let depth = 1;
  for (let i = from; i < text.length; i += 1) {
    if (text[i] === "{") depth += 1;
    if (text[i] === "}") depth -= 1;
    if (depth === 0) return text.slice(from, i);
  }
  return undefined;
}

/** Lower case, without punctuation and articles. */
function normalise(text: string): string {
  return text
    .toLowerCase()
    .replace(/[!-/:-@[-`{-~]/g, "")
    .replace(/\b(a|an|the)\b/g, " ")
    .split(/\s+/)
    .filter((word) => word !== "")
    .join(" ");
}

/**
 * Returns the F1 of two answers' words, counted, after lower-casing and removal of punctuation and articles. Yes, no and
 * "noanswer" agree with themselves only: they share no words with anything else.
 *
 * @example
 * answerF1("Eiffel Tower", "The Eiffel Tower, Paris"); // 0.8
 */
export function answerF1(prediction: string, gold: string): number {
  const first = normalise(prediction);
  const second = normalise(gold);
  if (["yes", "no", "noanswer"].some((word) => word === first || word === second) && first !== second) return 0;
  const words = (text: string): string[] => text.split(" ").filter((word) => word !== "");
  const predicted = words(first);
  const golden = words(second);
  const shared = countShared(predicted, golden);
  return shared === 0 ? 0 : (2 * shared) / (predicted.length + golden.length);
}

/**
 * Returns ReSearch's reward of an episode's text (arXiv 2503.19470, section 2.3): 0 when its tags are broken, the answer
 * has no box, or the end token was not reached; else the best F1 of the boxed answer with a gold answer, and .1 where
 * that is 0, since the format was right.
 */
export function researchReward(
  text: string,
  golds: readonly string[],
  { isEnded }: { readonly isEnded: boolean },
): ResearchReward {
  const fault = findFormatFault(text);
  if (fault !== undefined) return { reward: 0, fault };
  if (!isEnded) return { reward: 0, fault: "the end token was not reached" };
  const boxed = findBoxed(text.slice(text.indexOf("<answer>"), text.indexOf("</answer>")));
  if (boxed === undefined) return { reward: 0, fault: "the answer has no box" };
  const f1 = golds.reduce((best, gold) => Math.max(best, answerF1(boxed, gold)), 0);
  return { reward: f1 === 0 ? 0.1 : f1 };
}
