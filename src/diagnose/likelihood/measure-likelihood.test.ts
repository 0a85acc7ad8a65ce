import { expect, test } from "vitest";
import {
  createRandom,
  type Action,
  type LikelihoodSegment,
  type TextScorer,
  type Trajectory,
  type Turn,
} from "../../core/index.js";
import { sketchTrajectory } from "../../../test/support/trajectories.js";
import { measureLikelihood } from "./measure-likelihood.js";
import { labelTurns, splitTurn } from "./segments.js";
import { createLogRatioSignal, createStoredScorer, createTurnScorer } from "./turn-scorer.js";

/** A model in which token 0 has chance `p` and token 1 the rest, whatever came before. */
function coin(id: string, p: number): TextScorer {
  return {
    id,
    config: null,
    score: (requests) =>
      Promise.resolve(
        requests.map(({ continuation }) => ({
          kind: "scored" as const,
          logProbs:
            continuation.kind === "ids" ? continuation.ids.map((token) => Math.log(token === 0 ? p : 1 - p)) : [],
        })),
      ),
  };
}

const thought = ["<think>", "so", "</think>"];
const call: Action = { text: "", reasoning: "so", toolCalls: [{ name: "go", arguments: {} }] };

/** Episodes of two turns sampled from `coin(p)`: three thought tokens, then two of the call. */
function sample(p: number, count: number, producer = "rl"): Trajectory[] {
  const random = createRandom(4, "likelihood test", producer);
  return Array.from({ length: count }, (_unused, i) => {
    const turns = [0, 1].map((): Turn => {
      const ids = Array.from({ length: 5 }, () => (random.next() < p ? 0 : 1));
      return {
        observation: { text: "" },
        action: call,
        tokens: {
          ids,
          promptIds: [9],
          texts: [...thought, '{"name": ', '"go"}'],
          logProbs: ids.map((token) => Math.log(token === 0 ? p : 1 - p)),
        },
      };
    });
    return sketchTrajectory({
      policy: producer,
      task: `t${i % 50}`,
      sample: Math.floor(i / 50),
      grades: [],
      success: i % 3 > 0,
      changes: { turns },
    });
  });
}

test.each([
  { fields: ["ids", "texts"], alignment: "ids" },
  { fields: ["texts"], alignment: "text" },
  { fields: [], alignment: "none" },
] as const)("createStoredScorer() aligns turns with $fields by $alignment", async ({ fields, alignment }) => {
  const episodes = sample(0.7, 4).map((episode) => ({
    ...episode,
    turns: episode.turns.map((turn) => ({
      ...turn,
      tokens: {
        logProbs: turn.tokens?.logProbs,
        ...Object.fromEntries(fields.map((field) => [field, turn.tokens?.[field]])),
      },
    })),
  }));
  expect((await createStoredScorer().scoreTurns(episodes))[0][0]).toMatchObject({ kind: "scored", alignment });
  const { scorers } = await measureLikelihood(episodes, [createStoredScorer()], { replicates: 200 });
  expect(scorers[0].alignment).toBe(alignment);
});

test("measureLikelihood() finds the cross-entropy of a model, and the divergence as its log-ratio", async () => {
  const result = await measureLikelihood(
    sample(0.7, 400),
    [createTurnScorer(coin("base", 0.4)), createTurnScorer(coin("rl", 0.7)), createStoredScorer()],
    { replicates: 200 },
  );
  const truth = (p: number, q: number): number => -(p * Math.log(q) + (1 - p) * Math.log(1 - q));
  for (const [scorer, q] of [
    ["base", 0.4],
    ["rl", 0.7],
    ["stored", 0.7],
  ] as const) {
    const row = result.rows.find((one) => one.scorer === scorer && one.segment === "all" && one.success);
    expect(Math.abs((row?.perToken.value ?? 0) - truth(0.7, q))).toBeLessThan(3 * (row?.perToken.standardError ?? 0));
    expect(row?.perTurn.value).toBeCloseTo(5 * (row?.perToken.value ?? 0), 10);
  }
  const ratio = result.logRatios.find((one) => one.to === "rl" && one.segment === "all" && !one.success);
  const divergence = truth(0.7, 0.4) - truth(0.7, 0.7);
  expect(Math.abs((ratio?.perToken.value ?? 0) - divergence)).toBeLessThan(3 * (ratio?.perToken.standardError ?? 0));
  const segments = result.rows
    .filter((one) => one.scorer === "rl" && one.success)
    .map(({ segment, tokens, turns }) => [segment, tokens / turns]);
  expect(segments).toEqual([
    ["all", 5],
    ["thought", 3],
    ["action", 2],
    ["final_answer", 5],
  ]);
  // Outcomes have nothing to do with tokens here.
  const { interval } = result.agreement[0].agreement;
  expect(interval?.lower).toBeLessThan(0.5);
  expect(interval?.upper).toBeGreaterThan(0.5);
  expect(result.unavailable).toEqual([]);
});

test("measureLikelihood() says not available, never a proxy", async () => {
  const bare = sample(0.5, 6).map((episode) => ({
    ...episode,
    turns: episode.turns.map(({ tokens: _tokens, ...turn }) => turn),
  }));
  const silent: TextScorer = {
    id: "silent",
    config: null,
    score: (requests) =>
      Promise.resolve(requests.map(() => ({ kind: "not_available" as const, reason: "no log-probs" }))),
  };
  const without = await measureLikelihood(bare, [createTurnScorer(coin("m", 0.5)), createStoredScorer()], {
    replicates: 100,
  });
  expect(without.rows).toEqual([]);
  expect(without.unavailable.map(({ scorer, turns }) => [scorer, turns])).toEqual([
    ["m", 12],
    ["stored", 12],
  ]);
  expect(without.unavailable[0].reason).toContain("--token-ids");
  expect(without.warnings[0]).toBe('Not available under "m": no turn could be scored');
  const silenced = await measureLikelihood(
    sample(0.5, 6),
    [createTurnScorer(coin("m", 0.5)), createTurnScorer(silent)],
    { replicates: 100 },
  );
  expect(silenced.rows.every(({ scorer }) => scorer === "m")).toBe(true);
  expect(silenced.logRatios).toEqual([]);
  expect(silenced.scorers.map(({ alignment }) => alignment)).toEqual(["ids", "none"]);
});

test("createTurnScorer() scores as text only what is rendered exactly, and refuses what is not aligned", async () => {
  const [episode] = sample(0.5, 1);
  const bare = { ...episode, turns: episode.turns.map(({ tokens: _tokens, ...turn }) => turn) };
  const asText: TextScorer = {
    id: "t",
    config: null,
    score: (requests) =>
      Promise.resolve(
        requests.map(({ prompt, continuation }) => ({
          kind: "scored" as const,
          logProbs: [-1],
          texts: [JSON.stringify([prompt, continuation])],
        })),
      ),
  };
  const [[first, second]] = await createTurnScorer(asText, {
    render: (_trajectory, turn) => (turn === 0 ? { prompt: "p", continuation: "c" } : undefined),
  }).scoreTurns([bare]);
  expect(first).toMatchObject({
    kind: "scored",
    alignment: "text",
    texts: ['[{"kind":"text","text":"p"},{"kind":"text","text":"c"}]'],
  });
  expect(second.kind).toBe("not_available");
  const [[short]] = await createTurnScorer(asText).scoreTurns([episode]);
  expect(short.kind === "not_available" && short.reason).toContain("1 log-probs for 5 tokens");
  const wild: TextScorer = {
    id: "w",
    config: null,
    score: (requests) =>
      Promise.resolve(requests.map(() => ({ kind: "scored" as const, logProbs: [0, 0, 0.5, 0, 0] }))),
  };
  const [[above]] = await createTurnScorer(wild).scoreTurns([episode]);
  expect(above.kind === "not_available" && above.reason).toContain("above 0");
});

test("createLogRatioSignal() gives log p of the turn under one model minus the other", async () => {
  const [episode] = sample(0.5, 1);
  const values = await createLogRatioSignal(createTurnScorer(coin("a", 0.5)), createTurnScorer(coin("b", 0.8))).read(
    episode,
  );
  const zeros = (episode.turns[0].tokens?.ids ?? []).filter((id) => id === 0).length;
  expect(values[0]).toBeCloseTo(zeros * Math.log(0.8 / 0.5) + (5 - zeros) * Math.log(0.2 / 0.5), 10);
});

test.each([
  {
    name: "reasoning before a call",
    action: call,
    texts: [...thought, "<tool_call>", '{"name":"go"}'],
    parts: "ttt aa",
  },
  {
    name: "reasoning whose opening tag stood in the prompt",
    action: call,
    texts: ["so", "</think>", '{"name": "go"}'],
    parts: "tt a",
  },
  {
    name: "words before a tagged action",
    action: { text: "I look.", toolCalls: [{ name: "look" }] },
    texts: ["I ", "look. ", "<action>", "look", "</action>"],
    parts: "tt aaa",
  },
  {
    name: "plain text after reasoning",
    action: { text: "north", reasoning: "hm" },
    texts: ["hm", "</think>", "north"],
    parts: "tt a",
  },
  { name: "plain text alone", action: { text: "north" }, texts: ["no", "rth"], parts: "aa" },
  { name: "a token over the border", action: call, texts: ["x {", '"name":"go"}'], parts: "aa" },
  { name: "an action that is not in the text", action: call, texts: ["something", " else"], parts: "uu" },
  { name: "no texts", action: call, texts: undefined, parts: "uuu" },
])("splitTurn() splits $name", ({ action, texts, parts }) => {
  const letters = parts.replaceAll(" ", "");
  const found = splitTurn(action, texts?.length ?? 3, texts);
  expect(found.map((part) => part[0]).join("")).toBe(letters);
});

test("labelTurns() finds the first error, the recovery and the final answer", () => {
  const distances = [3, 2, 3, 2, 1, 0];
  const turns = distances.slice(1).map((after, i): Turn => ({
    observation: { text: "" },
    action: { text: "" },
    distanceBefore: distances[i],
    distanceAfter: after,
  }));
  const end = { type: "env_end", kind: "solved" } as const;
  const labels = labelTurns(sketchTrajectory({ task: "x", grades: [], success: true, stop: end, changes: { turns } }));
  expect(labels.map((segments) => segments.slice(1))).toEqual([
    [],
    ["first_error"],
    ["recovery"],
    [],
    ["final_answer"],
  ] satisfies LikelihoodSegment[][]);
});

test("measureLikelihood() refuses no scorer, two of one name, nothing and two envs", async () => {
  const [episode] = sample(0.5, 1);
  const scorer = createTurnScorer(coin("m", 0.5));
  await expect(measureLikelihood([episode], [])).rejects.toThrow("without a scorer");
  await expect(measureLikelihood([episode], [scorer, scorer])).rejects.toThrow('two scorers called "m"');
  await expect(measureLikelihood([], [scorer])).rejects.toThrow("none was given");
  await expect(
    measureLikelihood([episode, { ...episode, env: { id: "counter", version: "9" } }], [scorer]),
  ).rejects.toThrow("two envs");
  const wrong: TextScorer = { id: "x", config: null, score: () => Promise.resolve([]) };
  await expect(measureLikelihood([episode], [createTurnScorer(wrong)])).rejects.toThrow("0 scores for 2 turns");
});
