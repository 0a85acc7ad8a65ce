import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEmbeddedTrainer, type EmbeddedTrainer } from "../embedded/embedded-trainer.js";
import { encodeSafetensors } from "../embedded/checkpoint/safetensors.js";
import { testCodec, testRequest, testRow } from "../../../test/support/training.js";
import { createPlainDecoder, type PlainDecoder } from "./plain-decoder.js";
import { exportPolicyFile } from "./policy-file.js";

const vocabularySize = 12;
const codec = testCodec(vocabularySize);
let folder: string;
let trainer: EmbeddedTrainer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "turnwise-plain-"));
  const network = { width: 32, layers: 2, heads: 4, contextLength: 64, valueHead: true };
  trainer = await createEmbeddedTrainer({ codec, network, seed: 3, threads: 2 });
  const rows = Array.from({ length: 12 }, (_, id) => testRow([id, 5, id, 7, (id + 1) % 12, id], 1));
  for (let step = 0; step < 15; step += 1) await trainer.update(rows, { kind: "sft", klPlacement: "none" }, 0.005);
  await trainer.save(join(folder, "checkpoint"), { recipe: "test" });
});
afterAll(async () => {
  await trainer.close();
  rmSync(folder, { recursive: true });
});

/** Three turns of several streams. */
async function play(from: EmbeddedTrainer | PlainDecoder, temperature: number) {
  const names = Array.from({ length: 10 }, (_, index) => `p${index}`);
  const turns = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const requests = names.map((stream, index) =>
      testRequest(
        stream,
        Array.from({ length: 1 + ((turn + index) % 4) }, (_, at) => (index + at) % vocabularySize),
        {
          vocabularySize,
          temperature,
          topP: temperature === 0 ? 1 : 0.95,
          seed: index,
          maxTokens: 6 + (index % 5),
        },
      ),
    );
    turns.push(...(await from.generate(requests)));
  }
  await from.endStreams(names);
  return turns;
}

test.each([0, 1])(
  "tokens, log-probabilities and values equal those of the trainer at temperature %d",
  async (temperature) => {
    const [own, plain] = [
      await play(trainer, temperature),
      await play(createPlainDecoder(join(folder, "checkpoint"), { codec }), temperature),
    ];
    expect(plain.map(({ ids, stopped }) => ({ ids, stopped }))).toEqual(
      own.map(({ ids, stopped }) => ({ ids, stopped })),
    );
    plain.forEach((result, index) => {
      result.logProbs.forEach((logProb, at) => expect(logProb).toBeCloseTo(own[index].logProbs[at], 4));
      result.values?.forEach((value, at) => expect(value).toBeCloseTo(own[index].values?.[at] ?? NaN, 4));
    });
  },
);

test("a policy file in half precision takes half the place and says the same within its rounding", async () => {
  const file = join(folder, "policy.safetensors");
  const written = exportPolicyFile(join(folder, "checkpoint"), file);
  expect(statSync(file).size).toBeLessThan(trainer.parameters * 2 + 6000);
  const decoder = createPlainDecoder(file, { codec });
  expect(decoder.policy).toEqual(written);
  expect(written).toMatchObject({ updates: 15, meta: { recipe: "test" }, codec: { id: codec.id } });
  const [own, half] = [await play(trainer, 0), await play(decoder, 0)];
  const pairs = half.flatMap(({ logProbs }, index) =>
    logProbs.slice(0, 1).map((logProb) => [logProb, own[index].logProbs[0]]),
  );
  for (const [a, b] of pairs) expect(a).toBeCloseTo(b, 1);
});

test("a policy file in full precision equals the checkpoint", async () => {
  const file = join(folder, "full.safetensors");
  exportPolicyFile(join(folder, "checkpoint"), file, { type: "F32", meta: { card: 1 } });
  const decoder = createPlainDecoder(file);
  expect(decoder.policy.meta).toEqual({ card: 1 });
  expect(await play(decoder, 1)).toEqual(await play(createPlainDecoder(join(folder, "checkpoint")), 1));
});

test("policy files that are missing, cut, foreign or of another codec are refused", () => {
  const file = join(folder, "damaged.safetensors");
  expect(() => createPlainDecoder(file)).toThrow("there is no such file or folder");
  exportPolicyFile(join(folder, "checkpoint"), file);
  expect(() => createPlainDecoder(file, { codec: testCodec(11) })).toThrow('trained with the codec "test:12"');
  truncateSync(file, 5000);
  expect(() => createPlainDecoder(file)).toThrow("it is cut short");
  writeFileSync(file, encodeSafetensors([{ name: "a", shape: [1], values: Float32Array.of(1) }]));
  expect(() => createPlainDecoder(file)).toThrow('its header lacks the field "turnwise-policy/1"');
  writeFileSync(file, encodeSafetensors([], { metadata: { "turnwise-policy/1": "{" } }));
  expect(() => createPlainDecoder(file)).toThrow("is no JSON");
});
