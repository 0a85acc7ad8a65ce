import {
  PolicyError,
  type Action,
  type BatchAnswers,
  type GenerationResult,
  type JsonObject,
  type Policy,
  type PolicyRequest,
  type PolicyResult,
  type TokenCodec,
  type Trainer,
} from "../core/index.js";
import { EpisodeStream, getTurnSeed, type RecordedSequence } from "../train/index.js";

/** What samples tokens: an engine that trains, or one that only decodes. */
export type TokenGenerator = Pick<Trainer, "id" | "contextLength" | "generate" | "endStreams">;

/** Settings of a token policy. */
export interface TokenPolicyOptions {
  readonly id: string;
  readonly generator: TokenGenerator;
  readonly codec: TokenCodec;
  readonly checkpoint?: string;
  /** Default 1; 0 is greedy. */
  readonly temperature?: number;
  /** In (0, 1]; default 1. */
  readonly topP?: number;
  /** What tells one set of weights from another in records. */
  readonly config?: JsonObject;
  /** Episodes whose caches are kept at once; default 512. A dropped one is read again when it goes on. */
  readonly maxStreams?: number;
}

/** A policy whose actions are sampled token by token, and that keeps what it sampled for training. */
export interface TokenPolicy extends Policy {
  actBatch(requests: readonly PolicyRequest[]): Promise<BatchAnswers>;
  /**
   * Returns the tokens of the episode with this sampling seed on this task, or `undefined` when it sampled none or was
   * dropped. Task and seed together must tell the episodes in flight apart.
   */
  getSequence(taskHash: string, samplingSeed: number): RecordedSequence | undefined;
  /** Forgets all episodes, and with them the generator's caches: needed whenever the weights change. */
  endEpisodes(): Promise<void>;
}

function getKey(taskHash: string, samplingSeed: number): string {
  return `${taskHash}:${samplingSeed}`;
}

/**
 * Writes the turns that this policy did not sample here into the stream: those of another policy in a mixture, and
 * those of a prefix. Budget texts are written where the turn was shown one.
 */
function replayTurns(stream: EpisodeStream, { turns, disclosed }: PolicyRequest): void {
  for (const [index, turn] of turns.entries()) {
    if (index < stream.turnCount) continue;
    const wasTold = disclosed !== undefined && turn.notice !== undefined;
    const turnsLeft = (disclosed?.turnsLeft ?? 0) + turns.length - index;
    stream.appendObservation(
      stream.session.encodeObservation(turn.observation, wasTold ? { ...disclosed, turnsLeft } : undefined),
    );
    stream.appendForeignTurn(turn.tokens?.ids ?? stream.session.encodeAction(turn.action) ?? []);
  }
}

/** Returns what the policy does with what was sampled for it. */
function toResult(stream: EpisodeStream, sampled: GenerationResult, maxTokens: number): PolicyResult {
  const promptIds = stream.getIds();
  stream.appendSampled(sampled);
  const { ids, logProbs, stopped } = sampled;
  const action: Action =
    stopped === "limit"
      ? { text: "", invalid: `no complete action in ${maxTokens} tokens` }
      : stream.session.decodeAction(ids);
  const usage = { promptTokens: promptIds.length, completionTokens: ids.length };
  return { action, tokens: { ids, logProbs, promptIds }, usage };
}

class SamplingPolicy implements TokenPolicy {
  readonly id: string;
  readonly checkpoint?: string;
  readonly config: JsonObject;
  readonly #options: TokenPolicyOptions;
  /** By episode, in the order of last use. */
  readonly #streams = new Map<string, EpisodeStream>();
  #count = 0;

  constructor(options: TokenPolicyOptions) {
    const { id, checkpoint, codec, temperature = 1, topP = 1, config = {} } = options;
    this.id = id;
    if (checkpoint !== undefined) this.checkpoint = checkpoint;
    this.config = { type: "tokens", codec: codec.id, codecHash: codec.hash, temperature, topP, ...config };
    this.#options = options;
  }

  async act(request: PolicyRequest): Promise<PolicyResult> {
    const [answer] = await this.actBatch([request]);
    if (answer instanceof PolicyError) throw answer;
    return answer;
  }

  /**
   * Returns the stream of the request's episode, brought up to what the request shows. A turn that is asked for again
   * begins another stream, since what was sampled cannot be taken back; `taken` holds the streams of this batch.
   */
  #openStream(request: PolicyRequest, taken: Set<EpisodeStream>): EpisodeStream {
    const { task, samplingSeed, turns, observation, disclosed } = request;
    const key = getKey(task.hash, samplingSeed);
    let stream = this.#streams.get(key);
    if (stream === undefined || stream.turnCount > turns.length || turns.length === 0 || taken.has(stream)) {
      this.#count += 1;
      stream = new EpisodeStream(`${key}:${this.#count}`, this.#options.codec.startSession());
    }
    taken.add(stream);
    this.#streams.delete(key);
    this.#streams.set(key, stream);
    replayTurns(stream, request);
    stream.appendObservation(stream.session.encodeObservation(observation, disclosed));
    return stream;
  }

  async actBatch(requests: readonly PolicyRequest[]): Promise<BatchAnswers> {
    const { generator, codec, temperature = 1, topP = 1, maxStreams = 512 } = this.#options;
    const taken = new Set<EpisodeStream>();
    const streams = requests.map((request) => this.#openStream(request, taken));
    let results: readonly GenerationResult[];
    try {
      results = await generator.generate(
        streams.map((stream, index) => ({
          stream: stream.name,
          append: stream.takeUnsent(),
          listAllowed: (sampled) => stream.session.listAllowed(sampled),
          maxTokens: codec.maxActionTokens,
          temperature,
          ...(topP < 1 ? { topP } : {}),
          seed: getTurnSeed(requests[index].samplingSeed, requests[index].turnIndex),
        })),
      );
    } catch (error) {
      // What a failed call has read is unknown, so that these episodes are read again if they go on.
      for (const { task, samplingSeed } of requests) this.#streams.delete(getKey(task.hash, samplingSeed));
      throw error;
    }
    const answers = results.map((sampled, index) =>
      sampled.stopped === "context"
        ? new PolicyError(
            "context_overflow",
            `The episode does not fit into the ${generator.contextLength} tokens this network reads`,
          )
        : toResult(streams[index], sampled, codec.maxActionTokens),
    );
    await this.#dropOldest(Math.max(maxStreams, requests.length));
    return answers;
  }

  /** Drops the episodes that were not used for longest, so that at most `most` keep their caches. */
  async #dropOldest(most: number): Promise<void> {
    const dropped = [...this.#streams].slice(0, Math.max(0, this.#streams.size - most));
    for (const [key] of dropped) this.#streams.delete(key);
    if (dropped.length > 0) await this.#options.generator.endStreams(dropped.map(([, { name }]) => name));
  }

  getSequence(taskHash: string, samplingSeed: number): RecordedSequence | undefined {
    return this.#streams.get(getKey(taskHash, samplingSeed))?.toSequence();
  }

  async endEpisodes(): Promise<void> {
    const names = [...this.#streams.values()].map(({ name }) => name);
    this.#streams.clear();
    if (names.length > 0) await this.#options.generator.endStreams(names);
  }
}

/**
 * Returns a policy that writes its actions token by token under the codec's grammar. The same seeds give the same
 * actions, whatever else is in the batch.
 */
export function createTokenPolicy(options: TokenPolicyOptions): TokenPolicy {
  return new SamplingPolicy(options);
}
