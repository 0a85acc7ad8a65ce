import fc from "fast-check";
import { expect, test } from "vitest";
import { tinyWalk, walk } from "../../test/support/tiny-walk.js";
import { createWalkTraining } from "../../test/support/walk-training.js";
import type { CodecSession, GenerationResult, Policy } from "../core/index.js";
import { encodeDemonstration, playDemonstrations } from "./demonstrations.js";
import { EpisodeStream, getTurnSeed } from "./episode-stream.js";
import { runEpisode } from "../rollout/index.js";

/** A session of nothing: ids are their own meaning, any of 1, 2 and 3 is legal. */
const session: CodecSession = {
  encodeObservation: () => [],
  listAllowed: () => [1, 2, 3],
  decodeAction: () => ({ text: "" }),
  encodeAction: () => undefined,
};

function sample(ids: readonly number[], values?: readonly number[]): GenerationResult {
  const logProbs = ids.map((id) => -id);
  return {
    ids,
    logProbs,
    allowed: ids.map(() => [1, 2, 3]),
    stopped: "end_token",
    ...(values === undefined ? {} : { values }),
  };
}

test("a stream holds observations with mask 0 and actions with mask 1, and says whose turn each token is", () => {
  const stream = new EpisodeStream("e", session);
  stream.appendObservation([7, 8]);
  stream.appendSampled(sample([1, 2], [0.5, 0.25]));
  stream.appendObservation([9]);
  stream.appendForeignTurn([3]);
  stream.appendObservation([9, 9]);
  stream.appendSampled(sample([3]));
  stream.appendObservation([7]);
  expect(stream.toSequence()).toEqual({
    ids: [7, 8, 1, 2, 9, 3, 9, 9, 3],
    actionMask: [false, false, true, true, false, false, false, false, true],
    allowed: [undefined, undefined, [1, 2, 3], [1, 2, 3], undefined, undefined, undefined, undefined, [1, 2, 3]],
    sampledLogProbs: [0, 0, -1, -2, 0, 0, 0, 0, -3],
    turnIndex: [-1, -1, 0, 0, 0, 1, 1, 1, 2],
    sampledValues: [0, 0, 0.5, 0.25, 0, 0, 0, 0, 0],
  });
  expect(stream.turnCount).toBe(3);
  expect(stream.length).toBe(10);
  expect(new EpisodeStream("x", session).toSequence().ids).toEqual([]);
});

test("takeUnsent() gives every token once that the generator did not sample itself", () => {
  const part = fc.record({
    kind: fc.constantFrom("observation", "foreign", "sampled"),
    ids: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
  });
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const stream = new EpisodeStream("e", session);
      const sent: number[] = [];
      for (const { kind, ids } of parts) {
        if (kind === "observation") stream.appendObservation(ids);
        else if (kind === "foreign") stream.appendForeignTurn(ids);
        else {
          sent.push(...stream.takeUnsent());
          stream.appendSampled(sample(ids));
          sent.push(...ids);
        }
      }
      sent.push(...stream.takeUnsent());
      expect(sent).toEqual(parts.flatMap(({ ids }) => ids));
      expect(stream.getIds()).toEqual(sent);
      expect(stream.takeUnsent()).toEqual([]);
    }),
  );
});

test("a stream states the temperature it was sampled at unless that is 1", () => {
  expect(new EpisodeStream("e", session, 0.5).toSequence().temperature).toBe(0.5);
  expect(new EpisodeStream("e", session, 1).toSequence()).not.toHaveProperty("temperature");
});

test("getTurnSeed() gives each turn of each episode a seed of its own", () => {
  const seeds = [1, 2, 3].flatMap((seed) => [0, 1, 2].map((turn) => getTurnSeed(seed, turn)));
  expect(new Set(seeds).size).toBe(9);
  expect(getTurnSeed(1, 0)).toBe(seeds[0]);
  expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31)).toBe(true);
});

const { codec, tasks } = await createWalkTraining();
const right: Policy = { id: "right", config: null, act: () => ({ action: walk("right") }) };
const setting = { envSeed: 1, samplingSeed: 1, maxTurns: 3, disclosure: "countdown" as const };

test("a demonstration trains on every action, with what would have been legal, and on no observation", async () => {
  const played = await runEpisode(tinyWalk, right, tasks[0], { ...setting, budget: { maxTurns: 3 } });
  const sequence = encodeDemonstration(played, codec);
  const action = codec.startSession().encodeAction(walk("right")) ?? [];
  expect(sequence?.ids.filter((_, i) => sequence.actionMask[i])).toEqual(played.turns.flatMap(() => action));
  sequence?.ids.forEach((id, i) => {
    if (sequence.actionMask[i]) expect(sequence.allowed?.[i]).toContain(id);
    else expect(sequence.allowed?.[i]).toBeUndefined();
  });
  const budgets = sequence?.ids.filter((id) => codec.vocabulary[id] === "<left>").length;
  expect(budgets).toBe(played.turns.length);
});

test("playDemonstrations() counts what it leaves out, and why", async () => {
  let turn = 0;
  const play = (policy: Policy, keep: "all" | "solved" = "all", env = tinyWalk) =>
    playDemonstrations({ env, policy, tasks: tasks.slice(0, 4), codec, keep, getSetting: () => setting });
  const all = await play(right);
  const solved = await play(right, "solved");
  expect(all).toMatchObject({ played: 4, filtered: 0, unwritable: 0, failed: 0 });
  expect(all.sequences).toHaveLength(4);
  expect(all.solved).toBeGreaterThan(0);
  expect(all.solved).toBeLessThan(4);
  expect(solved.sequences).toHaveLength(all.solved);
  expect(solved.filtered).toBe(4 - all.solved);
  const words: Policy = { id: "words", config: null, act: () => ({ action: { text: "go right" } }) };
  expect(await play(words)).toMatchObject({ unwritable: 4, sequences: [] });
  const broken: Policy = {
    id: "broken",
    config: null,
    act() {
      turn += 1;
      if (turn === 1) throw new Error("out of ideas");
      return { action: walk("right") };
    },
  };
  expect(await play(broken)).toMatchObject({ played: 4, failed: 1, firstFailure: "policy: out of ideas" });
});
