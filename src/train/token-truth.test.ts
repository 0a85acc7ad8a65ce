import fc from "fast-check";
import { expect, test } from "vitest";
import { createRandom, type GenerationResult, type Observation, type Trajectory, type Turn } from "../core/index.js";
import { auditMasks } from "../diagnose/index.js";
import { createVaultEnv } from "../envs/index.js";
import { createTokenPolicy, type TokenGenerator } from "../trainers/index.js";
import { weighRows } from "./aggregation/weigh-rows.js";
import { gatherCodecEpisodes } from "./codec/gather-episodes.js";
import { createWordCodec } from "./codec/word-codec.js";
import { playGroups } from "./play-groups.js";
import { findTokenFault, joinTurnTokens, toTokenSample } from "./token-truth.js";

const observation: Observation = { text: "" };
/** An episode of turns that were shown and drew these ids. */
const record = (turns: readonly { readonly shown: readonly number[]; readonly drawn: readonly number[] }[]) => {
  let before: readonly number[] = [];
  const list = turns.map(({ shown, drawn }): Turn => {
    const promptIds = [...before, ...shown];
    before = [...promptIds, ...drawn];
    const tokens = { ids: drawn, promptIds, logProbs: drawn.map((id) => -id / 1000) };
    return { observation, action: { text: "" }, tokens };
  });
  return { turns: list, budget: {}, disclosure: "hidden" } as const;
};
const ids = (most: number) => fc.array(fc.nat(9), { maxLength: most });
const episodes = fc.array(fc.record({ shown: ids(5), drawn: ids(4) }), { maxLength: 5 }).map(record);

test("the sampled ids of all turns are a subsequence of the training ids, at exactly the loss positions", () => {
  fc.assert(
    fc.property(episodes, (episode) => {
      const truth = joinTurnTokens(episode);
      if (truth.type !== "tokens") throw new Error(truth.reason);
      const { sequence } = truth;
      const { lossMask } = toTokenSample(sequence, { id: "e" });
      const sampled = episode.turns.flatMap(({ tokens }) => tokens?.ids ?? []);
      expect(sequence.ids.filter((_, i) => lossMask[i])).toEqual(sampled);
      expect(sequence.sampledLogProbs.filter((_, i) => lossMask[i])).toEqual(sampled.map((id) => -id / 1000));
      expect(findTokenFault(sequence, episode.turns)).toBeUndefined();
      const last = episode.turns.at(-1)?.tokens;
      expect(sequence.ids).toEqual([...(last?.promptIds ?? []), ...(last?.ids ?? [])]);
    }),
  );
});

test("any id that is changed, dropped or added after sampling is noticed", () => {
  fc.assert(
    fc.property(episodes, fc.nat(), fc.constantFrom("change", "drop", "add"), (episode, pick, how) => {
      const all = episode.turns.flatMap(({ tokens }, turn) => (tokens?.ids ?? []).map((_, i) => [turn, i] as const));
      fc.pre(all.length > 0);
      const [turn, place] = all[pick % all.length];
      const turns = episode.turns.map((each, index): Turn => {
        if (index !== turn) return each;
        const drawn = [...(each.tokens?.ids ?? [])];
        if (how === "change") drawn[place] += 100;
        else if (how === "drop") drawn.splice(place, 1);
        else drawn.splice(place, 0, 77);
        return { ...each, tokens: { ...each.tokens, ids: drawn, logProbs: drawn.map(() => -1) } };
      });
      const truth = joinTurnTokens(episode);
      if (truth.type !== "tokens") throw new Error(truth.reason);
      expect(findTokenFault(truth.sequence, turns)).toBeDefined();
      // With a later turn, the record contradicts itself; a dropped id may pass for part of the next observation there.
      if (turn < episode.turns.length - 1 && how !== "drop")
        expect(joinTurnTokens({ ...episode, turns }).type).toBe("broken");
    }),
  );
});

const good = record([
  { shown: [1, 2], drawn: [3] },
  { shown: [4], drawn: [5] },
]);
const withTokens = (change: (tokens: NonNullable<Turn["tokens"]>) => Turn["tokens"]) => ({
  ...good,
  turns: good.turns.map((turn, i) => (i === 1 ? { ...turn, tokens: change(turn.tokens ?? {}) } : turn)),
});
test.each([
  { name: "without ids", change: () => undefined, reason: "no sampled ids were recorded" },
  {
    name: "without a prompt",
    change: (tokens: object) => ({ ...tokens, promptIds: undefined }),
    reason: "the ids the policy was shown were not recorded",
  },
  {
    name: "with too few log-probabilities",
    change: (tokens: object) => ({ ...tokens, logProbs: [] }),
    reason: "0 log-probabilities were recorded for 1 ids",
  },
  {
    name: "with an unknown log-probability",
    change: (tokens: object) => ({ ...tokens, logProbs: [{ $number: "unknown" as const }] }),
    reason: "a log-probability is unknown",
  },
  {
    name: "whose prompt dropped a token",
    change: (tokens: object) => ({ ...tokens, promptIds: [1, 2, 4] }),
    reason: "token 2 was 3 and is 4",
  },
])("joinTurnTokens() refuses a turn $name", ({ change, reason }) => {
  const truth = joinTurnTokens(withTokens(change));
  expect(truth).toMatchObject({ type: "broken", turnIndex: 1 });
  if (truth.type === "broken") expect(truth.reason).toContain(reason);
});

/** Draws evenly from what is legal, as an untrained network nearly does. */
const evenGenerator: TokenGenerator = {
  id: "even",
  contextLength: 4096,
  generate: async (requests) =>
    requests.map(({ listAllowed, maxTokens, seed }): GenerationResult => {
      const drawn: number[] = [];
      const logProbs: number[] = [];
      const allowed: (readonly number[])[] = [];
      for (let legal = listAllowed([]); legal.length > 0 && drawn.length < maxTokens; legal = listAllowed(drawn)) {
        drawn.push(createRandom(seed, drawn.length).pick(legal));
        logProbs.push(-Math.log(legal.length));
        allowed.push(legal);
      }
      return { ids: drawn, logProbs, allowed, stopped: listAllowed(drawn).length === 0 ? "end_token" : "limit" };
    }),
  endStreams: async () => undefined,
};

async function playVault() {
  const env = createVaultEnv();
  const tasks = env.makeTasks?.({ split: "train", level: 1, taskCount: 6, seed: 3 }) ?? [];
  const codec = createWordCodec({ env, episodes: await gatherCodecEpisodes(env, tasks, { seed: 1 }) });
  const groups = await playGroups(
    {
      env,
      policy: createTokenPolicy({ id: "even", generator: evenGenerator, codec }),
      tasks: new Map(tasks.map((task) => [task.hash, task])),
      plan: { env: { id: env.id, version: env.version }, disclosure: "countdown", terminalRule: "act" },
    },
    tasks.slice(0, 3).map((task, row) => ({
      update: 0,
      group: `g${row}`,
      taskId: task.id,
      taskHash: task.hash,
      maxTurns: 2 + row * 3,
      envSeed: row,
      samplingSeeds: [10 * row + 1, 10 * row + 2],
    })),
  );
  return { codec, episodes: groups.flatMap((group) => group.episodes) };
}

test("episodes as played and the sequences kept while sampling are the same tokens, and audit mask finds them clean", async () => {
  const { codec, episodes: played } = await playVault();
  const truths = played.map(({ trajectory }) => joinTurnTokens(trajectory, codec));
  const weights = weighRows(
    played.map(({ sequence }) => sequence?.actionMask ?? []),
    { kind: "token_mean" },
  );
  const samples = played.map(({ trajectory, sequence }, i) => {
    const truth = truths[i];
    if (truth.type !== "tokens" || sequence === undefined) throw new Error(`episode ${i} has no tokens`);
    const { sampledValues: _values, ...kept } = sequence;
    expect(truth.sequence).toEqual(kept);
    expect(findTokenFault(kept, trajectory.turns)).toBeUndefined();
    return toTokenSample(
      { ...kept, weights: weights[i] },
      { id: trajectory.episodeId, codec, turns: trajectory.turns },
    );
  });
  const { findings, rules } = await auditMasks([{ file: "batch", format: "own", samples }]);
  expect(findings.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  expect(rules.filter(({ judgedCount }) => judgedCount > 0).length).toBeGreaterThan(10);
});

test("joinTurnTokens() notices a codec that writes an observation otherwise than it was shown", async () => {
  const { codec, episodes: played } = await playVault();
  const { trajectory } = played[0];
  const changed: Pick<Trajectory, "turns" | "budget" | "disclosure"> = {
    ...trajectory,
    turns: trajectory.turns.map((turn) => ({ ...turn, observation: { ...turn.observation, text: "something else" } })),
  };
  expect(joinTurnTokens(changed, codec)).toMatchObject({ type: "broken", turnIndex: 0 });
  expect(joinTurnTokens(changed)).toMatchObject({ type: "tokens" });
});
