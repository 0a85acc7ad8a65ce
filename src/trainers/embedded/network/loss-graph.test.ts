import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { LossSpec } from "../../../core/index.js";
import { computeLoss } from "../../../train/index.js";
import { fullSpecs, randomBatch } from "../../../../test/support/random-losses.js";
import { Tape, type GraphValue } from "../graph/tape.js";
import { loadRuntime, type LoadedRuntime } from "../runtime.js";
import {
  emitLoss,
  getLossForm,
  getLossScalar,
  listLossColumns,
  listLossScalars,
  type LossColumn,
} from "./loss-graph.js";

let runtime: LoadedRuntime;
beforeAll(async () => {
  runtime = await loadRuntime("node");
});

/** What one run is fed: columns of rows x time entries. */
interface Feeds {
  readonly rows: number;
  readonly time: number;
  readonly sampled: boolean[];
  readonly trained: boolean[];
  readonly logProbs: number[];
  readonly entropies: number[];
  readonly values: number[];
  readonly columns: { readonly [name in LossColumn]: number[] };
}
type Outputs = { readonly [name: string]: Float32Array };

function getNamed(inputs: ReadonlyMap<string, GraphValue>, name: string): GraphValue {
  const input = inputs.get(name);
  if (input === undefined) throw new Error(`The loss reads "${name}", which is no input`);
  return input;
}

/** Returns a function that runs the loss alone, with what the network says as an input. */
async function compileLoss(spec: LossSpec): Promise<(feeds: Feeds) => Promise<Outputs>> {
  const form = getLossForm(spec);
  const tape = new Tape();
  const column = (name: string) => tape.input(name, ["entries", 1]);
  const names = listLossColumns(form);
  const columns = new Map(names.map((name) => [name, column(name)]));
  const scalars = new Map(listLossScalars(form).map((name) => [name, tape.input(name, [])]));
  const loss = emitLoss(tape, form, {
    tokens: tape.input("tokens", ["rows", "time"], "int32"),
    trained: tape.input("trained", ["entries", 1], "bool"),
    sampled: tape.input("sampled", ["entries", 1], "bool"),
    logProbs: column("logProbs"),
    entropies: column("entropies"),
    ...(form.hasValue ? { values: column("values") } : {}),
    column: (name) => getNamed(columns, name),
    scalar: (name) => getNamed(scalars, name),
  });
  for (const [name, value] of Object.entries<GraphValue | undefined>({ ...loss })) {
    if (value !== undefined) tape.output(`${name}Result`, value);
  }
  const session = await runtime.createSession(tape.toBytes());
  const { Tensor } = runtime.onnx;
  return async ({ rows, time, sampled, trained, ...feeds }) => {
    const floats = (list: readonly number[]) => new Tensor("float32", Float32Array.from(list), [rows * time, 1]);
    const bools = (list: readonly boolean[]) => new Tensor("bool", Uint8Array.from(list, Number), [rows * time, 1]);
    const all = {
      tokens: new Tensor("int32", new Int32Array(rows * time), [rows, time]),
      sampled: bools(sampled),
      trained: bools(trained),
      logProbs: floats(feeds.logProbs),
      entropies: floats(feeds.entropies),
      values: floats(feeds.values),
      ...Object.fromEntries(names.map((name) => [name, floats(feeds.columns[name])])),
      ...Object.fromEntries(
        [...scalars.keys()].map((name) => [
          name,
          new Tensor("float32", Float32Array.of(getLossScalar(spec, name)), []),
        ]),
      ),
    };
    const used = Object.entries(all).filter(([name]) => session.inputNames.includes(name));
    const results = await session.run(Object.fromEntries(used) as Parameters<typeof session.run>[0]);
    return Object.fromEntries(
      Object.entries(results).map(([name, { data }]) => [name.replace("Result", ""), (data as Float32Array).slice()]),
    );
  };
}

type Batch = typeof randomBatch extends fc.Arbitrary<infer Value> ? Value : never;
const columnNames = [
  "weights",
  "advantages",
  "sampledLogProbs",
  "proximalLogProbs",
  "referenceLogProbs",
  "returns",
  "oldValues",
] as const;

/** Pads the rows of a batch; padding and what was not sampled hold `foreign`. */
function padBatch({ rows, outputs }: Batch, foreign: number): Feeds {
  const time = Math.max(...rows.map(({ ids }) => ids.length));
  const at = <Value>(list: (row: number, position: number) => Value): Value[] =>
    rows.flatMap((_, row) => Array.from({ length: time }, (_unused, position) => list(row, position)));
  const sampled = at((row, position) => rows[row].actionMask[position] ?? false);
  const or = (value: number | undefined, isSampled: boolean): number => (isSampled ? (value ?? 0) : foreign);
  const pad = (list: (row: number) => readonly number[] | undefined): number[] =>
    at((row, position) => or(list(row)?.[position], rows[row].actionMask[position] ?? false));
  return {
    rows: rows.length,
    time,
    sampled,
    trained: at((row, position) => rows[row].actionMask[position] && rows[row].weights[position] !== 0),
    logProbs: pad((row) => outputs[row].logProbs),
    entropies: pad((row) => outputs[row].entropies),
    values: pad((row) => outputs[row].values),
    columns: Object.fromEntries(columnNames.map((name) => [name, pad((row) => rows[row][name])])) as Feeds["columns"],
  };
}

test.each(fullSpecs.map((spec) => ({ spec, name: spec.kind })))(
  "loss and gradients of $name in the graph equal computeLoss() on random batches",
  async ({ spec }) => {
    const run = await compileLoss(spec);
    await fc.assert(
      fc.asyncProperty(randomBatch, async (batch) => {
        const feeds = padBatch(batch, 0);
        const own = await run(feeds);
        const expected = computeLoss(batch.rows, batch.outputs, spec);
        const sum = (list?: Float32Array): number => Array.from(list ?? []).reduce((total, value) => total + value, 0);
        const { policy, kl, entropy, value } = expected.diagnostics.parts;
        const scale = 1 + Math.abs(policy) + Math.abs(kl) + Math.abs(entropy) + Math.abs(value);
        expect(Math.abs(sum(own["policy"]) - policy)).toBeLessThan(1e-5 * scale);
        expect(Math.abs(sum(own["kl"]) - kl)).toBeLessThan(1e-5 * scale);
        expect(Math.abs(sum(own["entropy"]) - entropy)).toBeLessThan(1e-5 * scale);
        expect(Math.abs(sum(own["value"]) - value)).toBeLessThan(1e-5 * scale);
        const slopes = [
          ["logProbSlope", "logProbs"],
          ["entropySlope", "entropies"],
          ["valueSlope", "values"],
        ] as const;
        for (const [name, list] of slopes) {
          expected.gradients.forEach((gradients, row) => {
            gradients[list]?.forEach((slope, position) => {
              const found = own[name]?.[row * feeds.time + position] ?? 0;
              expect(Math.abs(found - slope)).toBeLessThan(1e-5 * (1 + Math.abs(slope)));
            });
          });
        }
      }),
      { numRuns: 60 },
    );
  },
);

test.each(
  fullSpecs.flatMap((spec) => [800, NaN, Infinity, -Infinity].map((foreign) => ({ spec, name: spec.kind, foreign }))),
)(
  "$name: what is not sampled may hold $foreign and changes no bit of loss and gradients",
  async ({ spec, foreign }) => {
    const run = await compileLoss(spec);
    for (const batch of fc.sample(randomBatch, { numRuns: 5, seed: 7 })) {
      const [clean, other] = [await run(padBatch(batch, 0)), await run(padBatch(batch, foreign))];
      expect(other).toEqual(clean);
    }
  },
);

test("a ratio beyond float32 costs nothing where the advantage is 0, and is seen where it is not", async () => {
  const spec: LossSpec = { kind: "ppo_clip", clipLow: 0.2, clipHigh: 0.2, klPlacement: "none", entropyWeight: 0 };
  const run = await compileLoss(spec);
  const feeds = (advantage: number): Feeds => ({
    rows: 1,
    time: 1,
    sampled: [true],
    trained: [true],
    logProbs: [-1],
    entropies: [1],
    values: [0],
    columns: {
      weights: [1],
      advantages: [advantage],
      sampledLogProbs: [-801],
      proximalLogProbs: [0],
      referenceLogProbs: [0],
      returns: [0],
      oldValues: [0],
    },
  });
  const zero = await run(feeds(0));
  expect([zero["policy"][0], zero["logProbSlope"][0]]).toEqual([0, 0]);
  expect((await run(feeds(1)))["policy"][0]).toBeCloseTo(-1.2, 6);
  expect((await run(feeds(-1)))["policy"][0]).toBe(Infinity);
});
