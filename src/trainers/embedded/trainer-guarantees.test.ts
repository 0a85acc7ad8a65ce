import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LossSpec, TrainingRow } from "../../core/index.js";
import { createEmbeddedTrainer, TrainingDivergedError, type EmbeddedTrainer } from "./embedded-trainer.js";
import { testCodec, testNetwork, testRequest, testRow, toSequence } from "../../../test/support/training.js";

const vocabularySize = 12;
const codec = testCodec(vocabularySize);
const network = { ...testNetwork, valueHead: true };
const grpo: LossSpec = { kind: "ppo_clip", clipLow: 0.2, clipHigh: 0.2, klPlacement: "none", entropyWeight: 0.01 };
const sft: LossSpec = { kind: "sft", klPlacement: "none" };
let folder: string;
let trainer: EmbeddedTrainer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "turnwise-trainer-"));
  trainer = await createEmbeddedTrainer({ codec, network, seed: 1, threads: 2 });
});
afterAll(async () => {
  await trainer.close();
  rmSync(folder, { recursive: true });
});

/** Generates a batch and makes rows of it, with advantages that reward the ids below 6. */
async function makeRows(from: EmbeddedTrainer, round: number, count = 10): Promise<TrainingRow[]> {
  const requests = Array.from({ length: count }, (_, index) =>
    testRequest(`${round}/${index}`, [index % vocabularySize], {
      vocabularySize,
      seed: 100 * round + index,
      maxTokens: 3 + index,
    }),
  );
  const results = await from.generate(requests);
  await from.endStreams(requests.map(({ stream }) => stream));
  return results.map((result, index) => {
    const sequence = toSequence([{ append: requests[index].append, ...result }]);
    const advantages = sequence.ids.map((id) => (id < 6 ? 1 : -1));
    return { ...sequence, advantages, weights: sequence.actionMask.map((isSampled) => (isSampled ? 0.02 : 0)) };
  });
}

/** Rounds of generation and update; returns everything that was sampled and measured. */
async function train(from: EmbeddedTrainer, first: number, last: number): Promise<unknown[]> {
  const record: unknown[] = [];
  for (let round = first; round < last; round += 1) {
    const rows = await makeRows(from, round);
    const { seconds: _seconds, ...metrics } = await from.update(rows, grpo, 0.01);
    record.push({ rows, metrics });
  }
  return record;
}

async function readWeights(from: EmbeddedTrainer, name: string): Promise<Buffer> {
  await from.save(join(folder, name), {});
  return readFileSync(join(folder, name, "model.safetensors"));
}

test("the same seed gives the same bytes, in one thread, two or three", async () => {
  const records = await Promise.all(
    [1, 2, 2, 3].map(async (threads, index) => {
      const own = await createEmbeddedTrainer({ codec, network, seed: 5, threads });
      const record = await train(own, 0, 4);
      const weights = await readWeights(own, `same-${index}`);
      await own.close();
      return { record, weights };
    }),
  );
  for (const record of records) expect(record).toEqual(records[0]);
  const other = await createEmbeddedTrainer({ codec, network, seed: 6, threads: 1 });
  expect(await readWeights(other, "other")).not.toEqual(records[0].weights);
  await other.close();
});

test("resuming from a checkpoint equals an uninterrupted run bit for bit", async () => {
  const [whole, first, second] = await Promise.all(
    [5, 5, 77].map((seed) => createEmbeddedTrainer({ codec, network, seed, threads: 2 })),
  );
  const expected = await train(whole, 0, 6);
  await train(first, 0, 3);
  await first.freezeReference();
  await first.save(join(folder, "half"), { round: 3, text: "kept" });
  expect(await second.load(join(folder, "half"))).toEqual({ round: 3, text: "kept" });
  expect(await train(second, 3, 6)).toEqual(expected.slice(3));
  expect(await readWeights(second, "resumed")).toEqual(await readWeights(whole, "whole"));
  const rows = await makeRows(first, 9);
  expect(await second.scoreReference(rows)).toEqual(await first.scoreReference(rows));
  await Promise.all([whole, first, second].map((each) => each.close()));
});

test("the reference is the policy as it was when it was frozen, whatever is learnt since", async () => {
  const own = await createEmbeddedTrainer({ codec, network, seed: 4, threads: 2 });
  await train(own, 0, 2);
  const rows = await makeRows(own, 9);
  const frozen = await own.score(rows);
  await own.freezeReference();
  expect(await own.scoreReference(rows)).toEqual(frozen);
  await train(own, 2, 4);
  expect(await own.scoreReference(rows)).toEqual(frozen);
  expect(await own.score(rows)).not.toEqual(frozen);
  await own.close();
});

test("on the first pass over what was sampled the ratio is 1 and the update moves by nothing it should not", async () => {
  const own = await createEmbeddedTrainer({ codec, network, seed: 2, threads: 2 });
  const rows = await makeRows(own, 1);
  const metrics = await own.update(rows, grpo, 0);
  expect(metrics.maxRatioError).toBeLessThan(1e-5);
  expect(metrics.updateKl).toBeLessThan(1e-9);
  expect(metrics.clippedShare).toBe(0);
  expect(metrics.tokens).toBe(rows.flatMap(({ actionMask }) => actionMask).filter(Boolean).length);
  await own.close();
});

test("a draw depends on its seed and position, not on the batch or the order of streams", async () => {
  const make = (index: number) =>
    testRequest(`s${index}`, [index % vocabularySize, 3], { vocabularySize, seed: index, maxTokens: 5 + (index % 3) });
  const requests = Array.from({ length: 9 }, (_, index) => make(index));
  const run = async (some: typeof requests) => {
    const results = await trainer.generate(some);
    await trainer.endStreams(some.map(({ stream }) => stream));
    return new Map(some.map(({ stream }, index) => [stream, results[index].ids]));
  };
  const together = await run(requests);
  const reversed = await run([...requests].reverse());
  for (const request of requests) {
    const alone = await run([request]);
    expect(alone.get(request.stream)).toEqual(together.get(request.stream));
    expect(reversed.get(request.stream)).toEqual(together.get(request.stream));
  }
});

test("generate() stops at the end of an action, at the limit and at the end of the context", async () => {
  const { contextLength } = trainer;
  const all = Array.from({ length: vocabularySize }, (_, id) => id);
  const [action, limit, context, full, ended] = await trainer.generate([
    testRequest("action", [1], { vocabularySize, listAllowed: (sampled) => (sampled.length < 2 ? all : []) }),
    testRequest("limit", [1], { vocabularySize, maxTokens: 4 }),
    testRequest(
      "context",
      Array.from({ length: contextLength - 2 }, () => 1),
      { vocabularySize },
    ),
    testRequest(
      "full",
      Array.from({ length: contextLength }, () => 1),
      { vocabularySize },
    ),
    testRequest("ended", [1], { vocabularySize, listAllowed: () => [] }),
  ]);
  expect([action.stopped, action.ids.length]).toEqual(["end_token", 2]);
  expect([limit.stopped, limit.ids.length]).toEqual(["limit", 4]);
  expect([context.stopped, context.ids.length]).toEqual(["context", 2]);
  expect([full.stopped, full.ids.length]).toEqual(["context", 0]);
  expect([ended.stopped, ended.ids.length]).toEqual(["end_token", 0]);
  expect(limit.values).toHaveLength(4);
  await trainer.endStreams(["action", "limit", "context", "full", "ended"]);
});

test("loss that is no number throws with the batch attached and leaves the weights as they were", async () => {
  const before = await readWeights(trainer, "before");
  const rows = [testRow([1, 2, 3], 1, { advantages: [0, 1, NaN] })];
  const failure: unknown = await trainer.update(rows, grpo, 0.01).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(TrainingDivergedError);
  expect(failure).toMatchObject({ rows, loss: grpo, lossValue: NaN });
  expect(await readWeights(trainer, "after")).toEqual(before);
  await trainer.update([testRow([1, 2, 3], 1)], sft, 0.001);
});

test("a gradient beyond single precision throws too, though its loss is a number", async () => {
  const before = await readWeights(trainer, "before-steep");
  const [{ logProbs }] = await trainer.score([testRow([1, 2], 1)]);
  const rows = [testRow([1, 2], 1, { sampledLogProbs: logProbs, advantages: [0, 3e38], weights: [0, 1] })];
  const failure: unknown = await trainer.update(rows, grpo, 0.01).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(TrainingDivergedError);
  expect(failure).toMatchObject({ rows, gradNorm: Infinity });
  expect((failure as TrainingDivergedError).lossValue).toSatisfy(Number.isFinite); // it is one, as was seen above
  expect(await readWeights(trainer, "after-steep")).toEqual(before);
});

test("a stream that began before the weights changed is refused until it is ended", async () => {
  const request = testRequest("old", [1], { vocabularySize, maxTokens: 1 });
  await trainer.generate([request]);
  await trainer.update([testRow([1, 2, 3], 1)], sft, 0.001);
  await expect(trainer.generate([request])).rejects.toThrow("the weights changed since it began");
  await trainer.endStreams(["old"]);
  expect(await trainer.generate([request])).toHaveLength(1);
  await trainer.endStreams(["old"]);
});

test.each([
  {
    name: "an id beyond the vocabulary",
    row: testRow([1, 12], 1),
    message: "id 12 at position 1 is not in the vocabulary of 12",
  },
  { name: "a sampled first token", row: testRow([1, 2], 0), message: "its first token counts as sampled" },
  {
    name: "lists of other lengths",
    row: testRow([1, 2], 1, { advantages: [0] }),
    message: '"advantages" has 1 entries beside 2 ids',
  },
  {
    name: "a token outside its mask",
    row: testRow([1, 2], 1, { allowed: [undefined, [3, 4]] }),
    message: "token 2 at position 1 is not among the ids that were legal",
  },
  {
    name: "more tokens than the context",
    row: testRow(
      Array.from({ length: 33 }, () => 1),
      1,
    ),
    message: "it has 33 tokens, and the network's context holds 32",
  },
])("update() refuses a row with $name", async ({ row, message }) => {
  await expect(trainer.update([row], grpo, 0.01)).rejects.toThrow(message);
});

test("update() refuses a loss without its bounds, a row without what the loss reads and a rate below 0", async () => {
  const row = testRow([1, 2], 1);
  await expect(trainer.update([row], { kind: "ppo_clip", klPlacement: "none" }, 0.01)).rejects.toThrow("needs clipLow");
  await expect(trainer.update([row], { ...grpo, kind: "decoupled" }, 0.01)).rejects.toThrow(
    'the loss needs "proximalLogProbs"',
  );
  await expect(trainer.update([row], sft, -1)).rejects.toThrow("learning rate of -1");
});

test("weights of another codec are refused on load", async () => {
  await trainer.save(join(folder, "own"), {});
  const other = await createEmbeddedTrainer({ codec: testCodec(13), network, threads: 1 });
  await expect(other.load(join(folder, "own"))).rejects.toThrow('they were trained with the codec "test:12"');
  await expect(other.scoreReference([])).resolves.toEqual([]);
  await expect(other.scoreReference([testRow([1, 2], 1)])).rejects.toThrow("freezeReference() was not called");
  await other.close();
});

test("a network that cannot be built and a number of threads that is not allowed are refused", async () => {
  await expect(createEmbeddedTrainer({ codec, network: { width: 30, heads: 4 } })).rejects.toThrow(
    "width 30 is not divisible by 4 heads",
  );
  await expect(createEmbeddedTrainer({ codec, threads: 9 })).rejects.toThrow(
    "Cannot train in 9 threads: allowed are 1 to 4",
  );
});

test("the event loop goes on while the trainer computes", async () => {
  const rows = Array.from({ length: 64 }, (_, row) =>
    testRow(
      Array.from({ length: 32 }, (_unused, at) => (row + at) % vocabularySize),
      1,
    ),
  );
  let ticks = 0;
  let isDone = false;
  const tick = (): void => {
    ticks += 1;
    if (!isDone) setImmediate(tick);
  };
  tick();
  await trainer.update(rows, sft, 0);
  isDone = true;
  expect(ticks).toBeGreaterThan(10);
});

test("calls after close() are refused", async () => {
  const own = await createEmbeddedTrainer({ codec, network, threads: 1 });
  await own.close();
  await own.close();
  await expect(own.freezeReference()).rejects.toThrow("the trainer is closed");
});
