import type { JsonObject } from "./json.js";

/**
 * One token-level training sequence: a whole episode, prompt and observations included. All lists have the length of
 * `ids`; position i speaks of `ids[i]` itself (not of its successor), and only positions with `actionMask` count.
 */
export interface TrainingSequence {
  readonly ids: readonly number[];
  /** True where the policy sampled the token, as recorded by the sampler. */
  readonly actionMask: readonly boolean[];
  /** Ids that were legal when the token was sampled; `undefined` means all. */
  readonly allowed?: readonly (readonly number[] | undefined)[];
  /** Log-probability at sampling, in nats, under the mask and temperature used. 0 where not sampled. */
  readonly sampledLogProbs: readonly number[];
  /** 0-based turn of the token; -1 before the first turn. Turn boundaries are explicit, never guessed from rewards. */
  readonly turnIndex: readonly number[];
  /** Temperature the tokens were drawn at; log-probabilities are those of the logits divided by it. Default 1. */
  readonly temperature?: number;
}

/** What an optimiser step needs beside the sequence; lists have the length of `ids`, 0 where the mask is false. */
export interface TrainingRow extends TrainingSequence {
  readonly advantages: readonly number[];
  /** What each position's loss is multiplied by: the aggregation (token mean, sequence mean, constant) and budget weights. */
  readonly weights: readonly number[];
  /** Log-probabilities under the frozen reference policy, for a KL term. */
  readonly referenceLogProbs?: readonly number[];
  /** Log-probabilities under the proximal policy, for the decoupled loss of stale rollouts. */
  readonly proximalLogProbs?: readonly number[];
  /** Targets of the value head, and its values at sampling. */
  readonly returns?: readonly number[];
  readonly oldValues?: readonly number[];
}

/** Where KL to the reference acts; both at once is refused. */
export type KlPlacement = "none" | "reward" | "loss";

/** The loss of one update, spelled out: nothing in it has a silent default. */
export interface LossSpec {
  readonly kind: "sft" | "ppo_clip" | "gspo" | "cispo" | "decoupled";
  readonly clipLow?: number;
  readonly clipHigh?: number;
  /** Bound on the loss of negative advantages (dual clip), above 1. */
  readonly dualClip?: number;
  readonly klPlacement: KlPlacement;
  readonly klEstimator?: "k1" | "k2" | "k3";
  readonly klWeight?: number;
  readonly entropyWeight?: number;
  readonly valueWeight?: number;
  readonly valueClip?: number;
}

/** What one optimiser step did. */
export interface UpdateMetrics {
  readonly loss: number;
  readonly gradNorm: number;
  readonly learningRate: number;
  /** Mean entropy over trained tokens, nats. */
  readonly entropy: number;
  /** Mean of k3 against the sampling policy, nats. */
  readonly updateKl: number;
  /** Largest |ratio - 1| over trained tokens. */
  readonly maxRatioError: number;
  readonly clippedShare: number;
  /** Trained tokens. */
  readonly tokens: number;
  readonly seconds: number;
  /** Further measures by name. */
  readonly parts?: { readonly [name: string]: number };
}

/** One stream of tokens that is being generated: a KV cache with a name. */
export interface GenerationRequest {
  /** Names the stream; the same name continues it. */
  readonly stream: string;
  /** Ids to append before sampling: observations. What earlier calls appended or sampled is in the stream already. */
  readonly append: readonly number[];
  /** Returns the ids that may come next after those sampled in this call; empty ends the call. */
  readonly listAllowed: (sampled: readonly number[]) => readonly number[];
  readonly maxTokens: number;
  /** Above 0; 0 takes the most likely id. */
  readonly temperature: number;
  /** In (0, 1]. */
  readonly topP?: number;
  /** The draw depends on this seed and the position only, never on the batch. */
  readonly seed: number;
}

/** What one request gave. Lists are as long as `ids`. */
export interface GenerationResult {
  readonly ids: readonly number[];
  /** Log-probability of each id under mask, temperature and top-p, as drawn. */
  readonly logProbs: readonly number[];
  readonly allowed: readonly (readonly number[])[];
  readonly stopped: "end_token" | "limit" | "context";
  /** Value head's estimate at each sampled position, where there is one. */
  readonly values?: readonly number[];
}

/** What computes gradients and samples from the network it trains. */
export interface Trainer {
  /** Name and version of the engine, e.g. `embedded/onnxruntime-node 1.30.0`. */
  readonly id: string;
  readonly parameters: number;
  readonly contextLength: number;
  generate(requests: readonly GenerationRequest[]): Promise<readonly GenerationResult[]>;
  /** Drops streams and their caches. */
  endStreams(streams: readonly string[]): Promise<void>;
  /** Returns log-probabilities (nats, under the stored masks) and values of sequences; 0 where not sampled. */
  score(sequences: readonly TrainingSequence[]): Promise<readonly SequenceScore[]>;
  /** Makes the current weights the frozen reference. */
  freezeReference(): Promise<void>;
  scoreReference(sequences: readonly TrainingSequence[]): Promise<readonly SequenceScore[]>;
  /** One optimiser step on the rows, micro-batched inside. Throws when a loss or gradient is not finite. */
  update(rows: readonly TrainingRow[], loss: LossSpec, learningRate: number): Promise<UpdateMetrics>;
  /** Writes weights and optimiser state atomically; `meta` is kept word for word. */
  save(folder: string, meta: JsonObject): Promise<void>;
  /** Restores what {@linkcode Trainer.save} wrote, and returns its `meta`. */
  load(folder: string): Promise<JsonObject>;
  close(): Promise<void>;
}

/** What the network says of a sequence now; lists are as long as its ids, 0 where nothing was sampled. */
export interface SequenceScore {
  readonly logProbs: readonly number[];
  readonly entropies: readonly number[];
  readonly values?: readonly number[];
}
