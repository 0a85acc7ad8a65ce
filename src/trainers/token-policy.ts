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
  type Turn,
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
  /** See {@linkcode Policy.findMismatch}. */
  readonly findMismatch?: Policy["findMismatch"];
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

/** One episode that the policy plays, with what it has seen of it. */
interface OpenEpisode {
  readonly key: string;
  readonly stream: EpisodeStream;
  readonly maxTurns: number | undefined;
  /** The turns that are in the stream. */
  readonly turns: Pick<Turn, "observation" | "notice" | "action">[];
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Whether the request goes on with this episode: what the stream holds is what the request says came before. */
function continues({ turns: known, maxTurns }: OpenEpisode, { turns, disclosed }: PolicyRequest): boolean {
  if (known.length === 0 || known.length > turns.length || maxTurns !== disclosed?.maxTurns) return false;
  return known.every((turn, index) => {
    const shown = turns[index];
    return (
      turn === shown ||
      (turn.notice === shown.notice && isSame(turn.observation, shown.observation) && isSame(turn.action, shown.action))
    );
  });
}

/** Returns a turn's ids where they were sampled after exactly these tokens: ids of another vocabulary mean other words. */
function findOwnIds(stream: EpisodeStream, { tokens }: Turn): readonly number[] | undefined {
  return tokens?.ids !== undefined && isSame(tokens.promptIds, stream.getIds()) ? tokens.ids : undefined;
}

/**
 * Writes the turns that this policy did not sample here into the stream: those of another policy in a mixture, and
 * those of a prefix. Budget texts are written where the turn was shown one. An action that the codec cannot write is
 * left out: the network sees what came of it.
 */
function replayTurns({ stream, turns: known }: OpenEpisode, { turns, disclosed }: PolicyRequest): void {
  for (const [index, turn] of turns.entries()) {
    if (index < known.length) continue;
    const wasTold = disclosed !== undefined && turn.notice !== undefined;
    const turnsLeft = (disclosed?.turnsLeft ?? 0) + turns.length - index;
    stream.appendObservation(
      stream.session.encodeObservation(turn.observation, wasTold ? { ...disclosed, turnsLeft } : undefined),
    );
    stream.appendForeignTurn(findOwnIds(stream, turn) ?? stream.session.encodeAction(turn.action) ?? []);
  }
  known.splice(0, known.length, ...turns);
}

/** Returns an action's values as words: what a closing answer hands in. */
function renderValues({ toolCalls = [] }: Action): string {
  return toolCalls
    .flatMap(({ arguments: values = {} }) => Object.values(values))
    .map((value) => (typeof value === "string" ? value : JSON.stringify(value)))
    .join(" ");
}

class SamplingPolicy implements TokenPolicy {
  readonly id: string;
  readonly checkpoint?: string;
  readonly config: JsonObject;
  readonly findMismatch?: Policy["findMismatch"];
  readonly #options: TokenPolicyOptions;
  /** In the order of last use. */
  readonly #episodes = new Set<OpenEpisode>();
  readonly #byKey = new Map<string, OpenEpisode[]>();
  #count = 0;

  constructor(options: TokenPolicyOptions) {
    const { id, checkpoint, codec, temperature = 1, topP = 1, config = {} } = options;
    this.id = id;
    if (checkpoint !== undefined) this.checkpoint = checkpoint;
    if (options.findMismatch !== undefined) this.findMismatch = options.findMismatch;
    this.config = { type: "tokens", codec: codec.id, codecHash: codec.hash, temperature, topP, ...config };
    this.#options = options;
  }

  async act(request: PolicyRequest): Promise<PolicyResult> {
    const [answer] = await this.actBatch([request]);
    if (answer instanceof PolicyError) throw answer;
    return answer;
  }

  /**
   * Returns the request's episode, brought up to what the request shows. A turn that is asked for again begins another
   * stream, since what was sampled cannot be taken back, and so does an episode that only shares task and seed with one
   * in flight. `taken` holds the episodes of this batch.
   */
  #open(request: PolicyRequest, taken: Set<OpenEpisode>): OpenEpisode {
    const { codec, temperature } = this.#options;
    const { task, samplingSeed, observation, disclosed } = request;
    const key = getKey(task.hash, samplingSeed);
    const known = this.#byKey.get(key) ?? [];
    let episode = known.find((each) => !taken.has(each) && continues(each, request));
    if (episode === undefined) {
      this.#count += 1;
      const stream = new EpisodeStream(`${key}:${this.#count}`, codec.startSession(), temperature);
      episode = { key, stream, maxTurns: disclosed?.maxTurns, turns: [] };
    }
    this.#forget(episode);
    this.#episodes.add(episode);
    this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), episode]);
    taken.add(episode);
    replayTurns(episode, request);
    episode.stream.appendObservation(episode.stream.session.encodeObservation(observation, disclosed));
    return episode;
  }

  #forget(episode: OpenEpisode): void {
    if (!this.#episodes.delete(episode)) return;
    const rest = this.#byKey.get(episode.key)?.filter((each) => each !== episode) ?? [];
    if (rest.length > 0) this.#byKey.set(episode.key, rest);
    else this.#byKey.delete(episode.key);
  }

  async #end(episodes: readonly OpenEpisode[]): Promise<void> {
    for (const episode of episodes) this.#forget(episode);
    if (episodes.length > 0) await this.#options.generator.endStreams(episodes.map(({ stream }) => stream.name));
  }

  async actBatch(requests: readonly PolicyRequest[]): Promise<BatchAnswers> {
    const { generator, codec, temperature = 1, topP = 1, maxStreams = 512 } = this.#options;
    const taken = new Set<OpenEpisode>();
    const episodes = requests.map((request) => this.#open(request, taken));
    let results: readonly GenerationResult[];
    try {
      results = await generator.generate(
        episodes.map(({ stream }, index) => ({
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
      await this.#end(episodes).catch(() => undefined); // the first failure is the one to tell
      throw error;
    }
    const answers = results.map((sampled, index) => this.#answer(requests[index], episodes[index], sampled));
    await this.#end(episodes.filter((_, index) => requests[index].closingPrompt !== undefined));
    await this.#dropOldest(Math.max(maxStreams, requests.length));
    return answers;
  }

  /** Returns what the policy does with what was sampled for it. */
  #answer(request: PolicyRequest, episode: OpenEpisode, sampled: GenerationResult): PolicyResult | PolicyError {
    const { generator, codec } = this.#options;
    const { ids, logProbs, stopped } = sampled;
    if (stopped === "context") {
      const message = `The episode does not fit into the ${generator.contextLength} tokens this network reads`;
      return new PolicyError("context_overflow", message);
    }
    const { stream } = episode;
    const promptIds = stream.getIds();
    const usage = { promptTokens: promptIds.length, completionTokens: ids.length };
    const action: Action =
      stopped === "limit"
        ? { text: "", invalid: `no complete action in ${codec.maxActionTokens} tokens` }
        : stream.session.decodeAction(ids);
    // A network that only writes actions says what it would have handed in.
    if (request.closingPrompt !== undefined) return { action: { text: renderValues(action) }, usage };
    stream.appendSampled(sampled);
    const { observation, notice } = request;
    episode.turns.push({ observation, action, ...(notice === undefined ? {} : { notice }) });
    return { action, tokens: { ids, logProbs, promptIds }, usage };
  }

  /** Drops the episodes that were not used for longest, so that at most `most` keep their caches. */
  #dropOldest(most: number): Promise<void> {
    return this.#end([...this.#episodes].slice(0, Math.max(0, this.#episodes.size - most)));
  }

  getSequence(taskHash: string, samplingSeed: number): RecordedSequence | undefined {
    return this.#byKey.get(getKey(taskHash, samplingSeed))?.at(-1)?.stream.toSequence();
  }

  async endEpisodes(): Promise<void> {
    await this.#end([...this.#episodes]);
  }
}

/**
 * Returns a policy that writes its actions token by token under the codec's grammar. The same seeds give the same
 * actions, whatever else is in the batch.
 */
export function createTokenPolicy(options: TokenPolicyOptions): TokenPolicy {
  return new SamplingPolicy(options);
}
