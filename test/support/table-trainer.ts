// The smallest trainer there is, for tests of what stands around one: the logits of a token depend on the token before it.
import {
  createRandom,
  type GenerationRequest,
  type GenerationResult,
  type JsonObject,
  type LossSpec,
  type SequenceScore,
  type Trainer,
  type TrainingRow,
  type TrainingSequence,
  type UpdateMetrics,
} from "../../src/core/index.js";
import { computeLoss } from "../../src/train/index.js";

/** One call of a trainer that changes it or sends tokens. */
export interface TableCall {
  readonly name: "generate" | "update" | "save" | "load" | "freeze" | "end";
  readonly detail?: unknown;
}

/** Settings of the table trainer. */
export interface TableTrainerOptions {
  readonly vocabularySize: number;
  readonly contextLength?: number;
  /** Where checkpoints are kept; share one between trainers to go on from another's. */
  readonly shelf?: Map<string, string>;
  /** Called before each update; what it throws is the update's failure. */
  readonly onUpdate?: (rows: readonly TrainingRow[], loss: LossSpec) => void;
}

/** A trainer with a table of logits, [token before][token]. */
export interface TableTrainer extends Trainer {
  /** What was asked of it, in order. */
  readonly calls: TableCall[];
  /** Streams it keeps. */
  readonly streams: ReadonlyMap<string, readonly number[]>;
  readTable(): string;
}

/** Returns the log-probability of each legal id. */
function normalise(logits: readonly number[], legal: readonly number[], temperature: number): Map<number, number> {
  const scaled = legal.map((id) => logits[id] / temperature);
  const top = Math.max(...scaled);
  const total = Math.log(scaled.reduce((sum, value) => sum + Math.exp(value - top), 0)) + top;
  return new Map(legal.map((id, index) => [id, scaled[index] - total]));
}

/** Returns a trainer whose network is a table. It is exact, has no dependency, and takes microseconds. */
export function createTableTrainer(options: TableTrainerOptions): TableTrainer {
  const { vocabularySize, contextLength = 4096, shelf = new Map<string, string>(), onUpdate } = options;
  const all = Array.from({ length: vocabularySize }, (_, id) => id);
  let table: number[][] = all.map(() => all.map(() => 0));
  let reference: number[][] | undefined;
  const calls: TableCall[] = [];
  const streams = new Map<string, readonly number[]>();

  function generateOne(request: GenerationRequest): GenerationResult {
    const before = streams.get(request.stream) ?? [];
    const ids = [...before, ...request.append];
    const none = { ids: [], logProbs: [], allowed: [] };
    if (ids.length >= contextLength) return { ...none, stopped: "context" };
    const drawn: number[] = [];
    const logProbs: number[] = [];
    const allowed: (readonly number[])[] = [];
    let stopped: GenerationResult["stopped"] | undefined;
    while (stopped === undefined) {
      const legal = request.listAllowed(drawn);
      if (legal.length === 0) stopped = "end_token";
      else if (drawn.length >= request.maxTokens) stopped = "limit";
      else if (ids.length >= contextLength) stopped = "context";
      else {
        const chances = normalise(table[ids[ids.length - 1]], legal, request.temperature);
        let rest = createRandom(request.seed, "draw", ids.length).next();
        const id = legal.find((each) => (rest -= Math.exp(chances.get(each) ?? 0)) < 0) ?? legal[legal.length - 1];
        drawn.push(id);
        ids.push(id);
        logProbs.push(chances.get(id) ?? NaN);
        allowed.push(legal);
      }
    }
    streams.set(request.stream, ids);
    return { ids: drawn, logProbs, allowed, stopped };
  }

  function scoreOne(own: readonly (readonly number[])[], sequence: TrainingSequence): SequenceScore {
    const { ids, actionMask, allowed, temperature = 1 } = sequence;
    const logProbs = ids.map((id, i) =>
      actionMask[i] && i > 0 ? (normalise(own[ids[i - 1]], allowed?.[i] ?? all, temperature).get(id) ?? -Infinity) : 0,
    );
    return { logProbs, entropies: ids.map(() => 0), values: ids.map(() => 0) };
  }

  function descend(
    rows: readonly TrainingRow[],
    gradients: readonly (readonly number[])[],
    learningRate: number,
  ): void {
    for (const [r, { ids, actionMask, allowed, temperature = 1 }] of rows.entries()) {
      for (const [i, id] of ids.entries()) {
        const slope = gradients[r][i];
        if (!actionMask[i] || slope === 0) continue;
        const logits = table[ids[i - 1]];
        for (const [other, logProb] of normalise(logits, allowed?.[i] ?? all, temperature)) {
          logits[other] -= (learningRate * slope * ((other === id ? 1 : 0) - Math.exp(logProb))) / temperature;
        }
      }
    }
  }

  return {
    id: "table",
    parameters: vocabularySize ** 2,
    contextLength,
    calls,
    streams,
    readTable: () => JSON.stringify(table),
    async generate(requests) {
      calls.push({ name: "generate", detail: requests.map(({ stream, append }) => ({ stream, append })) });
      return requests.map(generateOne);
    },
    async endStreams(names) {
      calls.push({ name: "end", detail: names });
      for (const name of names) streams.delete(name);
    },
    score: async (sequences) => sequences.map((sequence) => scoreOne(table, sequence)),
    async freezeReference() {
      calls.push({ name: "freeze" });
      reference = table.map((logits) => [...logits]);
    },
    async scoreReference(sequences) {
      if (reference === undefined) throw new RangeError("Cannot score under the reference: none was frozen");
      const own = reference;
      return sequences.map((sequence) => scoreOne(own, sequence));
    },
    async update(rows, loss, learningRate): Promise<UpdateMetrics> {
      onUpdate?.(rows, loss);
      calls.push({ name: "update", detail: { rows, loss, learningRate } });
      streams.clear();
      const found = computeLoss(
        rows,
        rows.map((row) => scoreOne(table, row)),
        loss,
      );
      const gradients = found.gradients.map(({ logProbs }) => logProbs);
      descend(rows, gradients, 100 * learningRate);
      const { tokens, updateKl = 0, maxRatioError = 0, clippedShare } = found.diagnostics;
      const gradNorm = Math.sqrt(gradients.flat().reduce((sum, each) => sum + each ** 2, 0));
      const fixed = { learningRate, entropy: 1, seconds: 0 };
      return { loss: found.loss, gradNorm, updateKl, maxRatioError, clippedShare, tokens, ...fixed };
    },
    async save(folder, meta) {
      calls.push({ name: "save", detail: meta });
      shelf.set(folder, JSON.stringify({ table, reference, meta }));
    },
    async load(folder): Promise<JsonObject> {
      const text = shelf.get(folder);
      if (text === undefined) throw new RangeError(`Cannot load "${folder}": nothing was saved there`);
      const saved = JSON.parse(text) as { table: number[][]; reference?: number[][]; meta: JsonObject }; // from save()
      ({ table, reference } = saved);
      calls.push({ name: "load", detail: folder });
      return saved.meta;
    },
    close: async () => undefined,
  };
}
