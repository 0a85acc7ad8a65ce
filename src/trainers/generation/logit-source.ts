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

/** A network that appends tokens to streams and says what may follow. */
export interface LogitSource {
  readonly vocabularySize: number;
  readonly contextLength: number;
  /** Whether it estimates returns. */
  readonly hasValues: boolean;
  /** Appends to each stream, of which none is named twice, and returns what follows. */
  decode(streams: readonly StreamTokens[]): NextTokens | Promise<NextTokens>;
}
