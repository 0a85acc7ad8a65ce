import { createRandom, type CodecSession, type GenerationResult, type TrainingSequence } from "../core/index.js";

/**
 * One episode as the growing list of tokens it is for the network: observations appended, actions sampled. It is the
 * only record training reads, so that what is trained on is what was sampled, id for id.
 */
export class EpisodeStream {
  /** Names the stream towards the generator. */
  readonly name: string;
  readonly session: CodecSession;
  readonly #ids: number[] = [];
  readonly #actionMask: boolean[] = [];
  readonly #sampledLogProbs: number[] = [];
  readonly #turnIndex: number[] = [];
  readonly #allowed: (readonly number[] | undefined)[] = [];
  readonly #values: number[] = [];
  readonly #temperature: number;
  #turns = 0;
  #sent = 0;

  /** `temperature` is what its actions are sampled at: their log-probabilities are those of the logits divided by it. */
  constructor(name: string, session: CodecSession, temperature = 1) {
    this.name = name;
    this.session = session;
    this.#temperature = temperature;
  }

  /** Turns that were sampled or replayed so far. */
  get turnCount(): number {
    return this.#turns;
  }

  get length(): number {
    return this.#ids.length;
  }

  /** Returns the ids the generator has not been sent yet, and marks them as sent. */
  takeUnsent(): readonly number[] {
    const unsent = this.#ids.slice(this.#sent);
    this.#sent = this.#ids.length;
    return unsent;
  }

  #push(id: number, turn: number, logProb: number | undefined, allowed?: readonly number[], value?: number): void {
    this.#ids.push(id);
    this.#actionMask.push(logProb !== undefined);
    this.#sampledLogProbs.push(logProb ?? 0);
    this.#turnIndex.push(turn);
    this.#allowed.push(allowed);
    this.#values.push(value ?? 0);
  }

  /** Appends what the policy is shown before its next turn; carries action mask 0. */
  appendObservation(ids: readonly number[]): void {
    for (const id of ids) this.#push(id, this.#turns - 1, undefined);
  }

  /** Appends a turn the policy did not sample here: an action of another policy, or of an earlier run. */
  appendForeignTurn(ids: readonly number[]): void {
    for (const id of ids) this.#push(id, this.#turns, undefined);
    this.#turns += 1;
  }

  /** Appends a demonstrated action: trained on, with the ids that would have been legal. Log-probabilities are unknown and 0. */
  appendDemonstration(ids: readonly number[]): void {
    ids.forEach((id, index) => {
      this.#push(id, this.#turns, 0, this.session.listAllowed(ids.slice(0, index)));
    });
    this.#turns += 1;
  }

  /** Appends a sampled action as the generator returned it. */
  appendSampled({ ids, logProbs, allowed, values }: GenerationResult): void {
    ids.forEach((id, index) => {
      this.#push(id, this.#turns, logProbs[index], allowed[index], values?.[index]);
    });
    this.#turns += 1;
    this.#sent = this.#ids.length; // the generator keeps what it sampled
  }

  /** Returns everything read so far: what a turn's action is sampled after. */
  getIds(): readonly number[] {
    return [...this.#ids];
  }

  /**
   * Returns the episode for training, up to its last action: what comes after it has no part in any loss, and an
   * observation that overflowed the context would not fit. The value head's estimates are 0 where there are none.
   */
  toSequence(): RecordedSequence {
    const length = this.#actionMask.lastIndexOf(true) + 1;
    return {
      ids: this.#ids.slice(0, length),
      actionMask: this.#actionMask.slice(0, length),
      allowed: this.#allowed.slice(0, length),
      sampledLogProbs: this.#sampledLogProbs.slice(0, length),
      turnIndex: this.#turnIndex.slice(0, length),
      sampledValues: this.#values.slice(0, length),
      ...(this.#temperature === 1 ? {} : { temperature: this.#temperature }),
    };
  }
}

/** A training sequence with what the value head said when it was sampled; length of `ids`. */
export interface RecordedSequence extends TrainingSequence {
  readonly sampledValues: readonly number[];
}

/** Returns the seed of one turn's draws: the same episode and turn give the same tokens, whatever else is in the batch. */
export function getTurnSeed(samplingSeed: number, turnIndex: number): number {
  return createRandom(samplingSeed, "tokens", turnIndex).nextUint32() >>> 1;
}
