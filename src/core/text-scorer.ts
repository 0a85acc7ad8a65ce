import type { JsonValue } from "./json.js";

/** Text as the model saw it: token ids, or characters where no ids are known. Never one made from the other. */
export type ScoredText =
  | { readonly kind: "ids"; readonly ids: readonly number[] }
  | { readonly kind: "text"; readonly text: string };

/** A continuation to be scored after its prompt. Both are of one kind. */
export interface TextScoreRequest {
  readonly prompt: ScoredText;
  readonly continuation: ScoredText;
}

/** What a model thinks of a given continuation, token by token. */
export type TextScore =
  | {
      readonly kind: "scored";
      /** Natural logarithms of the probabilities, one for each token of the continuation, each given all before it. */
      readonly logProbs: readonly number[];
      /** Token text pieces, one for each token, where the scorer knows them. */
      readonly texts?: readonly string[];
      /** Tokens that reach over the border between prompt and continuation (text only); they are in neither. */
      readonly straddlingTokens?: number;
    }
  /** The scorer gives no log-probabilities of given text, or none that can be aligned. */
  | { readonly kind: "not_available"; readonly reason: string };

/** What scores given text under a model: teacher forcing, nothing is sampled. */
export interface TextScorer {
  /** Short name, unique in a measurement. */
  readonly id: string;
  readonly checkpoint?: string;
  /** What defines its scores, without secrets. */
  readonly config: JsonValue;
  /**
   * Returns one score for each request, in order. What the model cannot score is `not_available` with a reason; a
   * server that fails is thrown as a {@linkcode PolicyError}.
   */
  score(
    requests: readonly TextScoreRequest[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly TextScore[]>;
  /** Releases connections. */
  close?(): void | Promise<void>;
}
