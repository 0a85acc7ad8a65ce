// turnwise's side: answers the commands on its input, one JSON line each. Plain JavaScript on what is published, as the
// loader of the sources takes threads and memory of its own. Arguments: file with the job, width, folder for the first weights.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { createEmbeddedTrainer } from "turnwise/trainers";

const [file, width, folder] = process.argv.slice(2);
/** @type {import("./job.js").Job} */
const job = /** @type {never} */ (JSON.parse(readFileSync(file, "utf8")));
const { sizes, codec, rows, loss: lossSpec, optimizer, learningRate } = job;
const { batch, contextLength, layers, heads } = sizes;
const trainer = await createEmbeddedTrainer({
  codec,
  seed: 1,
  network: { width: Number(width), layers, heads, contextLength },
  optimizer,
});
await trainer.save(folder, {});

let round = 0;
async function generate() {
  round += 1;
  const requests = rows.map(({ ids, allowed }, row) => ({
    stream: `${round}/${row}`,
    append: [ids[0]],
    listAllowed: (/** @type {readonly number[]} */ sampled) =>
      allowed?.[Math.min(sampled.length + 1, contextLength - 1)] ?? [],
    maxTokens: contextLength - 1,
    temperature: 1,
    seed: round * batch + row,
  }));
  const results = await trainer.generate(requests);
  await trainer.endStreams(requests.map(({ stream }) => stream));
  return results.reduce((sum, { ids }) => sum + ids.length, 0);
}

/** @param {string} command */
async function answer(command) {
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  const result =
    command === "step"
      ? await trainer.update(rows, lossSpec, learningRate).then(({ loss, gradNorm }) => ({ loss, gradNorm }))
      : { tokens: await generate() };
  const { user, system } = process.cpuUsage(cpu);
  const peakMegabytes = process.resourceUsage().maxRSS / 1024;
  return {
    ...result,
    wallSeconds: (performance.now() - wall) / 1000,
    cpuSeconds: (user + system) / 1e6,
    peakMegabytes,
  };
}

process.stdout.write(`${JSON.stringify({ version: trainer.id, parameters: trainer.parameters })}\n`);
for await (const command of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answer(command))}\n`);
}
await trainer.close();
