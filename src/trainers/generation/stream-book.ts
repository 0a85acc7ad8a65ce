// internal
import type { GenerationRequest, GenerationResult } from "../../core/index.js";
import { drawToken } from "./draw-token.js";
import type { LogitSource, NextTokens } from "./logit-source.js";

/** What is known of a stream beside the network's cache. */
interface StreamState {
  /** Tokens in the cache. */
  cached: number;
  /** Tokens that belong to the stream and are not in the cache yet. */
  pending: number[];
}

/** One request while it is served. */
interface OpenRequest {
  readonly request: GenerationRequest;
  readonly state: StreamState;
  readonly ids: number[];
  readonly logProbs: number[];
  readonly allowed: (readonly number[])[];
  readonly values: number[];
  stopped: GenerationResult["stopped"] | undefined;
  /** What may come next. */
  choices: readonly number[];
}

/** Generates from a network, stream by stream: remembers which tokens each stream has and which are still to be fed. */
export class StreamBook {
  readonly #source: LogitSource;
  readonly #streams = new Map<string, StreamState>();
  readonly #stale = new Set<string>();

  constructor(source: LogitSource) {
    this.#source = source;
  }

  /** Continues streams; see `Trainer.generate`. */
  async generate(requests: readonly GenerationRequest[]): Promise<GenerationResult[]> {
    this.#check(requests);
    const open = requests.map((request) => this.#open(request));
    let active = open.filter(({ stopped }) => stopped === undefined);
    while (active.length > 0) {
      const next = await this.#source.decode(
        active.map(({ request, state }) => ({ stream: request.stream, tokens: state.pending })),
      );
      active.forEach((each, row) => this.#draw(each, next, row));
      active = active.filter(({ stopped }) => stopped === undefined);
    }
    return open.map(({ ids, logProbs, allowed, values, stopped = "limit" }) => {
      const result = { ids, logProbs, allowed, stopped };
      return this.#source.hasValues ? { ...result, values } : result;
    });
  }

  /** Forgets streams. */
  end(streams: readonly string[]): void {
    for (const stream of streams) {
      this.#streams.delete(stream);
      this.#stale.delete(stream);
    }
  }

  /** Forgets every stream since the weights changed; those that were open must be ended before their names are used again. */
  invalidate(): void {
    for (const stream of this.#streams.keys()) this.#stale.add(stream);
    this.#streams.clear();
  }

  #check(requests: readonly GenerationRequest[]): void {
    const names = new Set<string>();
    for (const { stream, append, temperature, topP = 1, maxTokens } of requests) {
      const fail = (reason: string): never => {
        throw new RangeError(`Cannot generate stream "${stream}": ${reason}`);
      };
      if (names.has(stream)) fail("it is asked for twice in one call");
      names.add(stream);
      if (this.#stale.has(stream)) fail("the weights changed since it began; end the stream and begin it anew");
      if (!(temperature >= 0 && Number.isFinite(temperature)))
        fail(`temperature must be 0 or more: it is ${temperature}`);
      if (!(topP > 0 && topP <= 1)) fail(`topP must be in (0, 1]: it is ${topP}`);
      if (!(maxTokens >= 0)) fail(`maxTokens must be 0 or more: it is ${maxTokens}`);
      const foreign = append.find((id) => !(Number.isInteger(id) && id >= 0 && id < this.#source.vocabularySize));
      if (foreign !== undefined) fail(`id ${foreign} is not in the vocabulary of ${this.#source.vocabularySize}`);
      if (append.length === 0 && !this.#streams.has(stream)) fail("it begins without a token to go on from");
    }
  }

  #open(request: GenerationRequest): OpenRequest {
    const state = this.#streams.get(request.stream) ?? { cached: 0, pending: [] };
    const length = state.cached + state.pending.length + request.append.length;
    const open = { request, state, ids: [], logProbs: [], allowed: [], values: [], stopped: undefined, choices: [] };
    if (length >= this.#source.contextLength) return { ...open, stopped: "context" };
    this.#streams.set(request.stream, state);
    state.pending.push(...request.append);
    const opened: OpenRequest = { ...open };
    this.#chooseNext(opened);
    return opened;
  }

  /** Finds what may come next, or why nothing does. */
  #chooseNext(open: OpenRequest): void {
    const { request, state, ids } = open;
    open.choices = request.listAllowed(ids);
    if (open.choices.length === 0) open.stopped = "end_token";
    else if (ids.length >= request.maxTokens) open.stopped = "limit";
    else if (state.cached + state.pending.length >= this.#source.contextLength) open.stopped = "context";
  }

  #draw(open: OpenRequest, next: NextTokens, row: number): void {
    const { request, state, choices } = open;
    state.cached += state.pending.length;
    const drawn = drawToken(next.logits, row, this.#source.vocabularySize, choices, {
      temperature: request.temperature,
      topP: request.topP ?? 1,
      seed: request.seed,
      position: state.cached,
    });
    state.pending = [drawn.id];
    open.ids.push(drawn.id);
    open.logProbs.push(drawn.logProb);
    open.allowed.push(drawn.allowed);
    if (next.values !== undefined) open.values.push(next.values[row]);
    this.#chooseNext(open);
  }
}
