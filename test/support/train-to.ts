// A training process that can be killed: continues from the checkpoint in FOLDER, if there is one, to update UNTIL, saves
// after each update and prints its number; at the end prints the hash of the weights.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/index.js";
import { createEmbeddedTrainer } from "../../src/trainers/index.js";
import { testCodec, testNetwork, testRequest, toSequence } from "./training.js";

const [folder = "", until = "0"] = process.argv.slice(2);
const vocabularySize = 12;
const trainer = await createEmbeddedTrainer({
  codec: testCodec(vocabularySize),
  network: testNetwork,
  seed: 4,
  threads: 2,
});
let update = existsSync(folder) || existsSync(`${folder}.former`) ? Number((await trainer.load(folder))["update"]) : 0;
for (; update < Number(until); update += 1) {
  const requests = Array.from({ length: 8 }, (_, index) =>
    testRequest(`${update}/${index}`, [index], { vocabularySize, seed: 8 * update + index, maxTokens: 6 }),
  );
  const results = await trainer.generate(requests);
  await trainer.endStreams(requests.map(({ stream }) => stream));
  const rows = results.map((result, index) => {
    const sequence = toSequence([{ append: requests[index].append, ...result }]);
    const advantages = sequence.ids.map((id) => (id % 2 === 0 ? 1 : -1));
    return { ...sequence, advantages, weights: sequence.actionMask.map((isSampled) => (isSampled ? 0.02 : 0)) };
  });
  await trainer.update(rows, { kind: "ppo_clip", clipLow: 0.2, clipHigh: 0.2, klPlacement: "none" }, 0.01);
  await trainer.save(folder, { update: update + 1 });
  process.stdout.write(`saved ${update + 1}\n`);
}
const hashes = ["model", "optimizer-mean", "optimizer-square"].map((name) =>
  sha256(readFileSync(join(folder, `${name}.safetensors`))),
);
process.stdout.write(`weights ${hashes.join()}\n`);
await trainer.close();
