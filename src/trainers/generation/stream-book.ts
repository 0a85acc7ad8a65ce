// internal
import type { GenerationRequest, GenerationResult } from "../../core/index.js";
import { createCounterRandom, drawToken } from "./draw-token.js";
import type { Decode, DecodedNetwork, NextTokens } from "./logit-source.js";

/** What is known of a stream beside the network's cache. */
interface StreamState {
  /** Which decoder holds its cache. */
  readonly lane: number;
  /** Tokens in the cache. */
  cached: number;
  /** Tokens that belong to the stream and are not in the cache yet. */
  pending: number[];
}

/** One request while it is served. */
interface OpenRequest {
  readonly request: GenerationRequest;
  readonly state: StreamState;
  readonly chanceAt: (position: number) => number;
  readonly ids: number[];
  readonly logProbs: number[];
  readonly allowed: (readonly number[])[];
  readonly values: number[];
  stopped: GenerationResult["stopped"] | undefined;
  /** What may come next. */
  choices: readonly number[];
}

/** Generates stream by stream: remembers which tokens each has, which are still to be fed, and which decoder has it. */
export class StreamBook {
  readonly #network: DecodedNetwork;
  readonly #lanes: readonly Decode[];
  readonly #streams = new Map<string, StreamState>();
  readonly #stale = new Set<string>();
  /** Streams of each lane. */
  readonly #loads: number[];

  /** `lanes` are decoders of equal networks that work at the same time. */
  constructor(network: DecodedNetwork, lanes: readonly Decode[]) {
    this.#network = network;
    this.#lanes = lanes;
    this.#loads = lanes.map(() => 0);
  }

  /** Continues streams; see `Trainer.generate`. */
  async generate(requests: readonly GenerationRequest[]): Promise<GenerationResult[]> {
    this.#check(requests);
    const open = requests.map((request) => this.#open(request));
    const runs = this.#lanes.map((decode, lane) =>
      this.#run(
        decode,
        open.filter(({ state, stopped }) => state.lane === lane && stopped === undefined),
      ),
    );
    await Promise.all(runs);
    return open.map(({ ids, logProbs, allowed, values, stopped = "limit" }) => {
      const result = { ids, logProbs, allowed, stopped };
      return this.#network.hasValues ? { ...result, values } : result;
    });
  }

  /** Forgets streams. */
  end(streams: readonly string[]): void {
    for (const stream of streams) {
      this.#stale.delete(stream);
      const state = this.#streams.get(stream);
      if (state === undefined) continue;
      this.#loads[state.lane] -= 1;
      this.#streams.delete(stream);
    }
  }

  /** Forgets every stream, since the weights changed; their names can be used again once they are ended. */
  invalidate(): void {
    for (const stream of this.#streams.keys()) this.#stale.add(stream);
    this.#streams.clear();
    this.#loads.fill(0);
  }

  #check(requests: readonly GenerationRequest[]): void {
    const names = new Set<string>();
    const { vocabularySize } = this.#network;
    for (const { stream, append, temperature, topP = 1, maxTokens } of requests) {
      const fail = (reason: string): never => {
        throw new RangeError(`Cannot generate stream "${stream}": ${reason}`);
      };
      if (names.has(stream)) fail("it is asked for twice in one call");
      names.add(stream);
      if (this.#stale.has(stream)) fail("the weights changed since it began; end the stream and begin it anew");
      if (!(temperature >= 0 && Number.isFinite(temperature))) {
        fail(`temperature must be 0 or more: it is ${temperature}`);
      }
      if (!(topP > 0 && topP <= 1)) fail(`topP must be in (0, 1]: it is ${topP}`);
      if (!(maxTokens >= 0)) fail(`maxTokens must be 0 or more: it is ${maxTokens}`);
      const foreign = append.find((id) => !(Number.isInteger(id) && id >= 0 && id < vocabularySize));
      if (foreign !== undefined) fail(`id ${foreign} is not in the vocabulary of ${vocabularySize}`);
      if (append.length === 0 && !this.#streams.has(stream)) fail("it begins without a token to go on from");
    }
  }

  #open(request: GenerationRequest): OpenRequest {
    const known = this.#streams.get(request.stream);
    const state = known ?? { lane: this.#loads.indexOf(Math.min(...this.#loads)), cached: 0, pending: [] };
    const open: OpenRequest = {
      request,
      state,
      chanceAt: createCounterRandom(request.seed),
      ids: [],
      logProbs: [],
      allowed: [],
      values: [],
      stopped: undefined,
      choices: [],
    };
    const length = state.cached + state.pending.length + request.append.length;
    // What does not fit is not appended: the stream stays as it was.
    if (length >= this.#network.contextLength) return { ...open, stopped: "context" };
    if (known === undefined) {
      this.#streams.set(request.stream, state);
      this.#loads[state.lane] += 1;
    }
    state.pending = [...state.pending, ...request.append];
    this.#chooseNext(open);
    return open;
  }

  async #run(decode: Decode, requests: readonly OpenRequest[]): Promise<void> {
    const { vocabularySize } = this.#network;
    let active = requests;
    while (active.length > 0) {
      const streams = active.map(({ request, state }) => ({ stream: request.stream, tokens: state.pending }));
      const next = await decode(streams);
      active.forEach((each, row) => {
        const logits = next.logits.subarray(row * vocabularySize, (row + 1) * vocabularySize);
        this.#draw(each, logits, next, row);
      });
      active = active.filter(({ stopped }) => stopped === undefined);
    }
  }

  /** Finds what may come next, or why nothing does. */
  #chooseNext(open: OpenRequest): void {
    const { request, state, ids } = open;
    open.choices = request.listAllowed(ids);
    if (open.choices.length === 0) open.stopped = "end_token";
    else if (ids.length >= request.maxTokens) open.stopped = "limit";
    else if (state.cached + state.pending.length >= this.#network.contextLength) open.stopped = "context";
  }

  #draw(open: OpenRequest, logits: Float32Array, { values }: NextTokens, row: number): void {
    const { request, state, choices } = open;
    const { temperature, topP = 1 } = request;
    state.cached += state.pending.length;
    const drawn = drawToken(logits, choices, { temperature, topP }, open.chanceAt(state.cached));
    state.pending = [drawn.id];
    open.ids.push(drawn.id);
    open.logProbs.push(drawn.logProb);
    open.allowed.push(drawn.allowed);
    if (values !== undefined) open.values.push(values[row]);
    this.#chooseNext(open);
  }
}
