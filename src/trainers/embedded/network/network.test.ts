import { beforeAll, expect, test } from "vitest";
import { createRandom, type LossSpec, type TrainingRow } from "../../../core/index.js";
import { computeLoss, type RowOutputs } from "../../../train/index.js";
import { PlainNetwork } from "../../plain/plain-network.js";
import { planMicroBatches } from "../engine/micro-batches.js";
import { packSequence } from "../engine/pack-sequence.js";
import { SequenceRunner } from "../engine/sequence-runner.js";
import { loadRuntime, type LoadedRuntime } from "../runtime.js";
import { listLossColumns, getLossForm } from "./loss-graph.js";
import { createParameterStore, type ParameterStore } from "./parameter-store.js";
import type { NetworkConfig } from "./network-config.js";

const config: NetworkConfig = { vocabularySize: 7, contextLength: 12, width: 8, layers: 2, heads: 2, valueHead: true };
let runtime: LoadedRuntime;
let weights: ParameterStore;
beforeAll(async () => {
  runtime = await loadRuntime("node");
  weights = createParameterStore(config);
  const random = createRandom("weights");
  // Larger than at the start of training, so that every part of the network matters.
  weights.flat.forEach((_, index) => {
    weights.flat[index] = 0.3 * random.nextNormal();
  });
});

/** Rows of different lengths and temperatures with everything that any loss reads. */
function makeRows(): TrainingRow[] {
  const random = createRandom("rows");
  return [9, 12, 5, 2].map((length, row) => {
    const positions = Array.from({ length }, (_, position) => position);
    const actionMask = positions.map((position) => position > 0 && random.next() < 0.7);
    const ids = positions.map(() => random.nextInt(config.vocabularySize));
    const allowed = ids.map((id, position) =>
      actionMask[position] && position % 3 !== 0 ? [...new Set([id, 1, 4, 6])].sort((a, b) => a - b) : undefined,
    );
    const normals = (scale: number, mean = 0): number[] => positions.map(() => mean + scale * random.nextNormal());
    return {
      ids,
      actionMask,
      allowed,
      temperature: [1, 0.7, 1.5, 1][row],
      turnIndex: positions,
      sampledLogProbs: normals(0.3, -1.5),
      advantages: normals(1),
      weights: actionMask.map((isSampled, position) => (isSampled && position !== 4 ? 0.05 + 0.02 * row : 0)),
      referenceLogProbs: normals(0.3, -1.5),
      proximalLogProbs: normals(0.3, -1.5),
      returns: normals(1),
      oldValues: normals(1),
    };
  });
}

/** What the network says of a row, in float64. */
function runPlain(network: PlainNetwork, row: TrainingRow): Required<RowOutputs> {
  const cache = network.createCache();
  const outputs = { logProbs: [0], entropies: [0], values: [0] };
  for (let at = 1; at < row.ids.length; at += 1) {
    const output = network.append(cache, row.ids[at - 1]);
    if (output === undefined) throw new Error("the head was run");
    const legal = row.allowed?.[at] ?? Array.from({ length: config.vocabularySize }, (_, id) => id);
    const sharp = legal.map((id) => output.logits[id] / (row.temperature ?? 1));
    const top = Math.max(...sharp);
    const total = Math.log(sharp.reduce((sum, logit) => sum + Math.exp(logit - top), 0)) + top;
    const isSampled = row.actionMask[at];
    outputs.logProbs.push(isSampled ? sharp[legal.indexOf(row.ids[at])] - total : 0);
    outputs.entropies.push(isSampled ? -sharp.reduce((sum, z) => sum + Math.exp(z - total) * (z - total), 0) : 0);
    outputs.values.push(isSampled ? (output.value ?? NaN) : 0);
  }
  return outputs;
}

test("scores equal those of the network in float64", async () => {
  const rows = makeRows();
  const runner = new SequenceRunner(runtime, config);
  const packed = rows.map((row) => packSequence(row));
  const scores = await runner.score(weights, packed, planMicroBatches(packed, config.contextLength, 16));
  const network = new PlainNetwork(config, weights, "float64");
  rows.forEach((row, index) => {
    const expected = runPlain(network, row);
    for (const name of ["logProbs", "entropies", "values"] as const) {
      scores[index][name]?.forEach((value, at) => expect(value).toBeCloseTo(expected[name][at], 5));
    }
  });
  await runner.release();
});

const extras = { klPlacement: "loss", klWeight: 0.3, entropyWeight: 0.05, valueWeight: 0.5, valueClip: 0.4 } as const;
const specs: readonly LossSpec[] = [
  { kind: "sft", klPlacement: "none" },
  { kind: "ppo_clip", clipLow: 0.2, clipHigh: 0.28, dualClip: 3, klEstimator: "k3", ...extras },
  { kind: "gspo", clipLow: 0.2, clipHigh: 0.2, klEstimator: "k2", ...extras },
  { kind: "cispo", clipHigh: 0.3, klEstimator: "k1", ...extras },
  { kind: "decoupled", clipLow: 0.2, clipHigh: 0.2, klEstimator: "k3", ...extras },
];

test.each(specs)("the gradient of the whole network under $kind equals finite differences in float64", async (spec) => {
  const rows = makeRows();
  const runner = new SequenceRunner(runtime, config);
  const columns = listLossColumns(getLossForm(spec));
  const packed = rows.map((row) => packSequence(row, columns));
  const gradient = createParameterStore(config);
  const batches = planMicroBatches(packed, config.contextLength, 16);
  expect(batches.length).toBeGreaterThan(1);
  const sums = await runner.addGradient(weights, gradient, packed, batches, spec);
  const network = new PlainNetwork(config, weights, "float64");
  const base = rows.map((row) => runPlain(network, row));
  const { loss, gradients } = computeLoss(rows, base, spec);
  const { policy, kl, entropy, value } = sums.parts;
  expect(policy + kl + entropy + value).toBeCloseTo(loss, 5);
  // The clipped ratio of cispo is a constant: its loss is differentiated with the slopes of computeLoss() held fixed.
  const measure = (): number =>
    rows.reduce((sum, row, index) => {
      const now = runPlain(network, row);
      const along = (name: "logProbs" | "entropies" | "values"): number =>
        (gradients[index][name] ?? []).reduce((total, slope, at) => total + slope * now[name][at], 0);
      return sum + along("logProbs") + along("entropies") + along("values");
    }, 0);
  const random = createRandom("entries");
  const norm = Math.hypot(...gradient.flat);
  for (const { name, values } of gradient.arrays) {
    const list = network.get(name);
    const entries = new Set(Array.from({ length: 5 }, () => random.nextInt(values.length)));
    for (const entry of entries) {
      const kept = list[entry];
      const [above, below] = [1e-5, -1e-5].map((step) => {
        list[entry] = kept + step;
        return measure();
      });
      list[entry] = kept;
      const slope = (above - below) / 2e-5;
      expect(Math.abs(values[entry] - slope), `${name}[${entry}]`).toBeLessThan(2e-5 * (norm + Math.abs(slope)));
    }
  }
  await runner.release();
});

test("replacing anything at tokens that were not sampled changes no bit of the gradient", async () => {
  const spec = specs[1];
  const columns = listLossColumns(getLossForm(spec));
  const runner = new SequenceRunner(runtime, config);
  const run = async (rows: readonly TrainingRow[]): Promise<Float32Array> => {
    const packed = rows.map((row) => packSequence(row, columns));
    const gradient = createParameterStore(config);
    await runner.addGradient(weights, gradient, packed, planMicroBatches(packed, config.contextLength, 64), spec);
    return gradient.flat;
  };
  const rows = makeRows();
  const clean = await run(rows);
  for (const foreign of [NaN, Infinity, -Infinity, 800, -800]) {
    const put = (row: TrainingRow, list: readonly number[] | undefined): number[] =>
      (list ?? []).map((value, at) => (row.actionMask[at] ? value : foreign));
    const changed = rows.map((row) => ({
      ...row,
      sampledLogProbs: put(row, row.sampledLogProbs),
      advantages: put(row, row.advantages),
      weights: put(row, row.weights),
      referenceLogProbs: put(row, row.referenceLogProbs),
      proximalLogProbs: put(row, row.proximalLogProbs),
      returns: put(row, row.returns),
      oldValues: put(row, row.oldValues),
    }));
    expect(await run(changed)).toEqual(clean);
  }
  await runner.release();
});
