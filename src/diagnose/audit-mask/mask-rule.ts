// internal
import {
  createTokenSample,
  type Rule,
  type RuleFinding,
  type RuleThresholds,
  type TokenRole,
  type TokenSample,
} from "../../core/index.js";
import { findLengthFaults } from "./length-faults.js";
import { tokenFinding, showToken } from "./mask-finding.js";
import { classifyTrained, findPresumedSampled, findSampled, type TrainedKind } from "./provenance.js";

/** Returns why no rule about masks can judge a sample at all; the rules about its form say what is wrong with it. */
function findFormGap(sample: TokenSample): string | undefined {
  if (findLengthFaults(sample).length > 0) return "lists of the sample differ in length";
  const odd = sample.unusable?.find(({ isEssential }) => isEssential === true);
  if (odd !== undefined) return `"${odd.name}" of the sample cannot be used`;
  return sample.ids.length === 0 ? "the sample holds no token" : undefined;
}

/** Returns the rule as it is; samples that cannot be read as a whole are a gap for every rule but those about their form. */
export function maskRule<Thresholds extends RuleThresholds>(rule: Rule<TokenSample, Thresholds>): Rule<TokenSample> {
  return {
    ...rule,
    findGap(sample, thresholds) {
      return (
        findFormGap(sample) ?? rule.findGap?.(sample, thresholds as { readonly [Name in keyof Thresholds]: number }) // the rule's own thresholds
      ); // the engine hands in what the rule lists
    },
  };
}

/** Why provenance cannot be judged: what is missing, and what would do. */
export const noProvenance =
  "the sample does not say which tokens were sampled: give an action mask, the sampler's turns, or roles";

/** Returns the gap of rules that take roles where provenance is missing. */
export function findRoleGap(sample: TokenSample): string | undefined {
  if (findSampled(sample) !== undefined) return undefined;
  return findUnknownRoleGap(sample) ?? (findPresumedSampled(sample) === undefined ? noProvenance : undefined);
}

/** Returns the gap of rules that tell tokens apart by role, where a role is a word nobody knows: it could be anyone's. */
export function findUnknownRoleGap({ unknownRoles = [] }: TokenSample): string | undefined {
  if (unknownRoles.length === 0) return undefined;
  const names = unknownRoles.map((name) => JSON.stringify(name)).join(", ");
  return `${unknownRoles.length === 1 ? "the role" : "the roles"} ${names} ${unknownRoles.length === 1 ? "is" : "are"} not known: write system, user, assistant, tool, template or padding`;
}

/** Returns the gap of rules that need provenance itself. */
export function findSampledGap(sample: TokenSample): string | undefined {
  return findSampled(sample) === undefined
    ? "the sample does not say which tokens were sampled: give an action mask or the sampler's turns"
    : undefined;
}

/** Returns one finding for the trained tokens of a kind. */
export function checkTrainedKind(sample: TokenSample, kind: TrainedKind, words: string): RuleFinding[] {
  const kinds = classifyTrained(sample);
  const positions = kinds.flatMap((found, i) => (found === kind ? [i] : []));
  if (positions.length === 0) return [];
  const trainedCount = kinds.filter((found) => found !== undefined).length;
  const message = `${positions.length} of ${trainedCount} trained tokens are ${words}, the first is token ${positions[0]} (${showToken(sample, positions[0])})`;
  return [tokenFinding(sample, positions, message, { trainedCount })];
}

/** Role letters of examples: system, user, assistant, tool, template, padding. */
const letters: { readonly [letter: string]: TokenRole } = {
  s: "system",
  u: "user",
  a: "assistant",
  o: "tool",
  t: "template",
  p: "padding",
};

/**
 * Returns a sample for examples, a letter or digit for each token: `texts` are words, `roles` letters (s u a o t p),
 * `loss` and `sampled` digits.
 */
export function exampleSample(
  words: string,
  columns: { readonly roles?: string; readonly loss: string; readonly sampled?: string },
  rest: Partial<TokenSample> = {},
): TokenSample {
  const texts = words.split(" ").map((word) => (word === "NL" ? "\n" : word));
  const toMask = (digits: string): boolean[] => Array.from(digits, (digit) => digit === "1");
  return createTokenSample(texts, {
    lossMask: toMask(columns.loss),
    ...(columns.sampled === undefined ? {} : { actionMask: toMask(columns.sampled) }),
    ...(columns.roles === undefined ? {} : { roles: Array.from(columns.roles, (letter) => letters[letter]) }),
    ...rest,
  });
}
