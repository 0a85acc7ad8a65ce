// internal
/** Tokens to append to a stream. */
export interface StreamTokens {
  readonly stream: string;
  /** At least one. */
  readonly tokens: readonly number[];
}

/** What follows the last token of each stream, in the order asked for. */
export interface NextTokens {
  /** [stream, vocabulary] */
  readonly logits: Float32Array;
  /** [stream], with a value head. */
  readonly values?: Float32Array;
}

/** Appends to each stream, of which none is named twice, and returns what follows. */
export type Decode = (streams: readonly StreamTokens[]) => NextTokens | Promise<NextTokens>;

/** What generation must know of a network. */
export interface DecodedNetwork {
  readonly vocabularySize: number;
  readonly contextLength: number;
  /** Whether it estimates returns. */
  readonly hasValues: boolean;
}
