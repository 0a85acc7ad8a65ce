import { afterAll, beforeAll, expect, test } from "vitest";
import { createEmbeddedTrainer, type EmbeddedTrainer } from "./embedded-trainer.js";
import { testCodec, testNetwork, testRequest, testRow, toSequence } from "../../../test/support/training.js";

const vocabularySize = 12;
let trainer: EmbeddedTrainer;
beforeAll(async () => {
  trainer = await createEmbeddedTrainer({ codec: testCodec(vocabularySize), network: testNetwork, seed: 3 });
});
afterAll(() => trainer.close());

test("score() reproduces the log-probabilities recorded over several turns, masks and temperatures", async () => {
  for (const temperature of [1, 0.5, 1.7]) {
    const names = ["a", "b", "c"];
    const parts: Parameters<typeof toSequence>[0][number][][] = [[], [], []];
    for (let turn = 0; turn < 3; turn += 1) {
      const requests = names.map((stream, index) =>
        testRequest(
          stream,
          Array.from({ length: 1 + index * turn }, (_, at) => (index + at) % vocabularySize),
          {
            vocabularySize,
            temperature,
            topP: 0.9,
            maxTokens: 2 + index,
            seed: index,
            listAllowed: (sampled) => [0, 2, 5, 7, 8, 11].filter((id) => id !== sampled.at(-1)),
          },
        ),
      );
      const results = await trainer.generate(requests);
      results.forEach((result, index) => parts[index].push({ append: requests[index].append, ...result }));
    }
    await trainer.endStreams(names);
    const sequences = parts.map((each) => toSequence(each, temperature));
    const scores = await trainer.score(sequences);
    scores.forEach(({ logProbs }, row) => {
      expect(logProbs).toHaveLength(sequences[row].ids.length);
      logProbs.forEach((logProb, at) => expect(logProb).toBeCloseTo(sequences[row].sampledLogProbs[at], 5));
    });
  }
});

test("update() learns to repeat the first token", async () => {
  const own = await createEmbeddedTrainer({ codec: testCodec(vocabularySize), network: testNetwork, seed: 3 });
  const rows = Array.from({ length: 12 }, (_, id) => testRow([id, id, id, id, id], 1)).map((row) => ({
    ...row,
    weights: row.weights.map((weight) => weight / 12),
  }));
  let metrics = await own.update(rows, { kind: "sft", klPlacement: "none" }, 0.01);
  expect(metrics.loss).toBeCloseTo(Math.log(vocabularySize), 1);
  for (let step = 0; step < 60; step += 1) metrics = await own.update(rows, { kind: "sft", klPlacement: "none" }, 0.01);
  expect(metrics.loss).toBeLessThan(0.05);
  const [{ ids }] = await own.generate([testRequest("x", [7], { vocabularySize, temperature: 0, maxTokens: 4 })]);
  expect(ids).toEqual([7, 7, 7, 7]);
  await own.close();
});

test("the WebAssembly backend agrees with the compiled one", async () => {
  const options = { codec: testCodec(vocabularySize), network: testNetwork, seed: 3, threads: 1 };
  const own = await createEmbeddedTrainer({ ...options, backend: "web" });
  expect(own.id).toMatch(/^embedded\/onnxruntime-web \d/);
  const compiled = await createEmbeddedTrainer(options);
  const rows = [testRow([1, 2, 3, 4], 1), testRow([5, 6], 1)];
  const [ours, theirs] = [
    await own.update(rows, { kind: "sft", klPlacement: "none" }, 0.01),
    await compiled.update(rows, { kind: "sft", klPlacement: "none" }, 0.01),
  ];
  expect(ours.loss).toBeCloseTo(theirs.loss, 5);
  expect(ours.gradNorm).toBeCloseTo(theirs.gradNorm, 4);
  const requests = [testRequest("x", [7, 1], { vocabularySize, temperature: 0, maxTokens: 6 })];
  expect((await own.generate(requests))[0].ids).toEqual((await compiled.generate(requests))[0].ids);
  await Promise.all([own.close(), compiled.close()]);
});
