import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { createRandom } from "../../../core/index.js";
import { PlainNetwork, type PlainCache } from "../../plain/plain-network.js";
import { createParameterStore, type ParameterStore } from "../network/parameter-store.js";
import { loadRuntime, type LoadedRuntime } from "../runtime.js";
import { Decoder } from "./decoder.js";
import type { Feeds } from "./sequence-feeds.js";
import { SequenceRunner } from "./sequence-runner.js";

const config = { vocabularySize: 7, contextLength: 80, width: 8, layers: 2, heads: 2, valueHead: true };
let runtime: LoadedRuntime;
let weights: ParameterStore;
let feeds: Feeds;
beforeAll(async () => {
  runtime = await loadRuntime("node");
  weights = createParameterStore(config);
  const random = createRandom("weights");
  weights.flat.forEach((_, index) => {
    weights.flat[index] = 0.3 * random.nextNormal();
  });
  feeds = new SequenceRunner(runtime, config).feedParameters(weights);
});

/** A call: tokens for some of six streams, streams that are ended after it. */
const call = fc.record({
  appended: fc.uniqueArray(
    fc.record({
      stream: fc.constantFrom("a", "b", "c", "d", "e", "f"),
      tokens: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 40 }),
    }),
    { selector: ({ stream }) => stream, minLength: 1 },
  ),
  ended: fc.subarray(["a", "b", "c", "d", "e", "f"], { maxLength: 3 }),
});

test("streams that begin, grow and end in any order have the logits of the network without a cache of batches", async () => {
  const network = new PlainNetwork(config, weights, "float64");
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 6 }), async (calls) => {
      const decoder = new Decoder(runtime, config);
      const caches = new Map<string, PlainCache>();
      for (const { appended, ended } of calls) {
        const fitting = appended.filter(
          ({ stream, tokens }) => (caches.get(stream)?.length ?? 0) + tokens.length <= config.contextLength,
        );
        if (fitting.length === 0) continue;
        const { logits, values } = await decoder.decode(feeds, fitting);
        fitting.forEach(({ stream, tokens }, row) => {
          const cache = caches.get(stream) ?? network.createCache();
          caches.set(stream, cache);
          const outputs = tokens.map((token) => network.append(cache, token));
          const last = outputs.at(-1);
          last?.logits.forEach((logit, id) => expect(logits[row * 7 + id]).toBeCloseTo(logit, 4));
          expect(values?.[row]).toBeCloseTo(last?.value ?? NaN, 4);
        });
        decoder.end(ended);
        for (const stream of ended) caches.delete(stream);
      }
      await decoder.release();
    }),
    { numRuns: 25 },
  );
});
