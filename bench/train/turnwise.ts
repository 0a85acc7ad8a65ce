// turnwise's side: answers the commands on its input, one JSON line each. Arguments: width, folder for the first weights.
import { createInterface } from "node:readline";
import type * as trainers from "../../src/trainers/index.js";
import { codec, learningRate, listLegal, lossSpec, makeRows, optimizer, sizes } from "./job.js";

// What is published, and not the sources, whose loader takes threads and memory of its own.
const built = new URL("../../dist/trainers/index.js", import.meta.url).href;
const { createEmbeddedTrainer } = (await import(built)) as typeof trainers;
const [width, folder] = [Number(process.argv[2]), process.argv[3]];
const { batch, contextLength, layers, heads } = sizes;
const rows = makeRows();
const trainer = await createEmbeddedTrainer({
  codec,
  seed: 1,
  network: { width, layers, heads, contextLength },
  optimizer,
});
if (folder !== undefined) await trainer.save(folder, {});
const legal = rows.map((_, row) =>
  Array.from({ length: contextLength }, (_unused, position) => listLegal(row, position)),
);

let round = 0;
async function generate(): Promise<number> {
  round += 1;
  const requests = rows.map(({ ids }, row) => ({
    stream: `${round}/${row}`,
    append: [ids[0]],
    listAllowed: (sampled: readonly number[]) => legal[row][Math.min(sampled.length + 1, contextLength - 1)],
    maxTokens: contextLength - 1,
    temperature: 1,
    seed: round * batch + row,
  }));
  const results = await trainer.generate(requests);
  await trainer.endStreams(requests.map(({ stream }) => stream));
  return results.reduce((sum, { ids }) => sum + ids.length, 0);
}

async function answer(command: string): Promise<object> {
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
