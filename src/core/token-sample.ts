import type { RecordedNumber } from "./json.js";

/** Where a token of a training sample comes from. */
export type TokenRole = "system" | "user" | "assistant" | "tool" | "template" | "padding";

/** What the sampler recorded of one turn: the ids it was shown and the ids it drew. */
export interface SampledTurn {
  readonly ids: readonly number[];
  /** Everything the policy was shown before it drew `ids`. */
  readonly promptIds?: readonly number[];
  readonly logProbs?: readonly RecordedNumber[];
  /** Why sampling stopped: an end token was drawn, or a limit was reached. */
  readonly stopped?: "end_token" | "limit";
}

/** A field of a sample's record that is there and cannot be used. */
export interface UnusableField {
  /** Its name in the file. */
  readonly name: string;
  /** What was found where, and what is allowed. */
  readonly reason: string;
  /** Nothing can be said of the sample without it. */
  readonly isEssential?: true;
}

/** One sequence as it goes into a training step. All lists are beside `ids`, shape [token]; a list that is not is a fault some rule reports. */
export interface TokenSample {
  /** Name of the sample: its id in the file, or its position. */
  readonly id: string;
  readonly file?: string;
  /** 1-based line or record. */
  readonly line?: number;
  readonly ids: readonly number[];
  /** Text of each token. */
  readonly texts?: readonly string[];
  /** True for tokens this policy sampled in this episode, by provenance. Absent: not recorded. */
  readonly actionMask?: readonly boolean[];
  /** True for tokens the loss is taken over; position i is about predicting `ids[i]`. */
  readonly lossMask: readonly boolean[];
  /** Log-probability of each token when it was sampled; absent entries for tokens that were not. */
  readonly logProbs?: readonly (RecordedNumber | undefined)[];
  readonly roles?: readonly (TokenRole | undefined)[];
  /** What the sampler recorded, in the order of the turns. */
  readonly turns?: readonly SampledTurn[];
  /** Ids that end a message or a sequence. */
  readonly endIds?: readonly number[];
  /** Ids that only a chat template writes: role markers. */
  readonly templateIds?: readonly number[];
  /** What the loss of this sample is divided by, when the trainer states it for the sample. */
  readonly denominator?: number;
  /** The episode was cut at a limit. */
  readonly isTruncated?: boolean;
  /** Targets the trainer was given, when they are stored apart: position i is what stands for `ids[i]`. */
  readonly targetIds?: readonly number[];
  /** Lists that do not fit `ids`, by the name they have in the file. */
  readonly lengths?: { readonly [name: string]: number };
  /** Fields of the record that could not be used and are left out here. */
  readonly unusable?: readonly UnusableField[];
  /** Words the record uses for roles and that stand for no {@linkcode TokenRole}; such tokens have no role here. */
  readonly unknownRoles?: readonly string[];
}

/**
 * Returns a sample of these token texts, for examples and tests: equal texts get equal ids, numbered from 100 in the
 * order they first occur, unless `fields` gives ids.
 */
export function createTokenSample(
  texts: readonly string[],
  fields: Partial<TokenSample> & Pick<TokenSample, "lossMask">,
): TokenSample {
  const known = [...new Set(texts)];
  return { id: "sample", ids: texts.map((text) => 100 + known.indexOf(text)), texts, ...fields };
}
