// One test for each row of the table of common bugs in reinforcement learning for agents; names begin with the bug.
// Each builds the bug beside what the library does and shows that they differ. These are the bugs of tokens, advantages
// and losses; those of whole runs are in common-bugs-of-runs.test.ts.
import { expect, test } from "vitest";
import type { LossSpec, TokenSample, TrainingRow } from "../core/index.js";
import { auditMasks } from "../diagnose/index.js";
import { batchAdvantages, budgetGroupKey } from "./advantages/batch-advantages.js";
import { groupAdvantages } from "./advantages/group-advantages.js";
import { measureBudgetShares, weighSequence } from "./aggregation/budget-shares.js";
import { weighRows, type Aggregation } from "./aggregation/weigh-rows.js";
import { estimateKl, type KlEstimator } from "./kl/kl-estimators.js";
import { clipSurrogate } from "./losses/clipped-surrogate.js";
import { computeLoss } from "./losses/compute-loss.js";
import { decoupledLoss, filterStaleTokens } from "./losses/decoupled-loss.js";
import { findStaleLogProbs } from "./losses/stale-log-probs.js";
import { testRow } from "./losses/testing.js";
import { checkObjective } from "./objective/check-objective.js";
import { describeLoss, type Objective } from "./objective/objective-spec.js";
import { bilevelGae, estimateAdvantages, tokenGae } from "./returns/gae.js";
import { findMisplacedRewards, placeRewards } from "./returns/token-rewards.js";
import { readLogProbs, toPredictorMask } from "./supervised/loss-mask.js";
import { findTokenFault, joinTurnTokens, toTokenSample } from "./token-truth.js";

const round = (list: readonly number[], digits = 6) => list.map((value) => Number(value.toFixed(digits)) + 0);
const ppo: LossSpec = { kind: "ppo_clip", clipLow: 0.2, clipHigh: 0.2, klPlacement: "none" };
const audit = async (sample: TokenSample) =>
  (await auditMasks([{ file: "x", format: "test", samples: [sample] }])).findings.map(({ ruleId }) => ruleId);

/** A two-turn chat in a toy vocabulary with an id for each role, as a chat template writes it. */
const [start, end, newline, assistant, user] = [1, 3, 10, 2, 4];
const chat = {
  ids: [
    start,
    user,
    newline,
    100,
    end,
    newline,
    start,
    assistant,
    newline,
    200,
    201,
    end,
    newline,
    start,
    user,
    newline,
    101,
    end,
    newline,
    start,
    assistant,
    newline,
    202,
    end,
    newline,
  ],
  // What the sampler drew: 200, 201, end and 202, end.
  actionMask: Array.from("0000000001110000000000110", (digit) => digit === "1"),
};
const chatSequence = {
  ...chat,
  sampledLogProbs: chat.ids.map((_, i) => (chat.actionMask[i] ? -1 : 0)),
  turnIndex: chat.ids.map((_, i) => (i < 9 ? -1 : i < 22 ? 0 : 1)),
};

test("mask off by one, template tokens in the loss: loss positions are the sampled ones and no others", async () => {
  // RAGEN's way: a flag for every token after an assistant's marker, and position j's flag used for target j + 1.
  let isAssistant = false;
  const flags = chat.ids.map((id, i) => {
    if (id === start) isAssistant = chat.ids[i + 1] === assistant;
    return isAssistant;
  });
  const byMarkers = chat.ids.map((_, i) => (i > 0 && flags[i - 1]) || false);
  expect(byMarkers.filter(Boolean)).toHaveLength(12);
  expect(byMarkers.filter((isTrained, i) => isTrained && !chat.actionMask[i])).toHaveLength(7);

  const sample = toTokenSample(chatSequence, { id: "chat" });
  expect(sample.lossMask).toEqual(chat.actionMask);
  expect(await audit({ ...sample, templateIds: [start, assistant, newline], endIds: [end] })).toEqual([]);
  expect(
    await audit({ ...sample, lossMask: byMarkers, templateIds: [start, assistant, newline], endIds: [end] }),
  ).toContain("template-trained");
});

test("observation tokens in the loss: changing an observation changes nothing, bit for bit", () => {
  const row = testRow("1011", { advantages: [1, 5, -1, 1], weights: [0.25, 0.25, 0.25, 0.25] });
  const clean = computeLoss([row], [{ logProbs: [0.1, 0, 0.2, -0.1] }], ppo);
  const dirty = { ...row, advantages: [1, NaN, -1, 1], sampledLogProbs: [0, -800, 0, 0] };
  expect(computeLoss([dirty], [{ logProbs: [0.1, Infinity, 0.2, -0.1] }], ppo)).toEqual(clean);
});

const turn = (promptIds: readonly number[], ids: readonly number[]) => ({
  observation: { text: "" },
  action: { text: "" },
  tokens: { promptIds, ids, logProbs: ids.map(() => -1) },
});
const hidden = { budget: {}, disclosure: "hidden" } as const;

test("retokenisation drift: ids that merged on the way are refused, whatever the text says", () => {
  // The sampler drew "a" (5) and "b" (6); encoding the text "ab" again gives one token (7).
  const merged = { ...hidden, turns: [turn([1], [5, 6]), turn([1, 7, 9], [5])] };
  expect(joinTurnTokens(merged)).toMatchObject({ type: "broken", turnIndex: 1 });
  const kept = { ...hidden, turns: [turn([1], [5, 6]), turn([1, 5, 6, 9], [5])] };
  expect(joinTurnTokens(kept)).toMatchObject({ type: "tokens", sequence: { ids: [1, 5, 6, 9, 5] } });
});

test("unsampled truncation: an action that was cut after sampling is not what was sampled", () => {
  const turns = [turn([1], [5, 6, 7])];
  const cut = { ids: [1, 5, 6], actionMask: [false, true, true] };
  expect(findTokenFault(cut, turns)).toBe("2 tokens carry the action mask, but 3 were sampled");
  expect(joinTurnTokens({ ...hidden, turns: [...turns, turn([1, 5, 6, 9], [5])] })).toMatchObject({ type: "broken" });
});

test("shift between logits and labels: log p of a token is read one position before it", () => {
  // Uniform over four ids, but behind position 1 id 3 is e^2 times as likely as each other one.
  const logits = [
    [0, 0, 0, 0],
    [0, 0, 0, 2],
    [0, 0, 0, 0],
  ];
  const logProbs = readLogProbs(logits, [0, 1, 3]);
  expect(logProbs[1]).toBeCloseTo(-Math.log(4), 12);
  expect(logProbs[2]).toBeCloseTo(2 - Math.log(3 + Math.E ** 2), 12);
  expect(toPredictorMask([false, false, true])).toEqual([false, true, false]);
});

const returns = [1, 0, 0, 0];
test("ddof and epsilon mismatch: each pair has its own numbers, and records name both", () => {
  const grpo = (ddof: 0 | 1, epsilon: number) =>
    groupAdvantages(returns, { kind: "grpo", ddof, epsilon }).advantages.slice(0, 2);
  expect(round(grpo(1, 1e-6))).toEqual([1.499997, -0.499999]);
  expect(round(grpo(1, 1e-4), 4)).toEqual([1.4997, -0.4999]);
  expect(round(grpo(0, 0))).toEqual([1.732051, -0.57735]);
  expect(describeLoss(grpoObjective)).toMatchObject({ advantage: { ddof: 1, epsilon: 1e-6 } });
});

test("variance floor: a tiny spread is blown up or held, as the setting says, alone and in a batch", () => {
  const tiny = [0.5, 0.5001];
  const free = { kind: "grpo", ddof: 1, epsilon: 1e-6 } as const;
  const floored = { ...free, varianceFloor: 1e-6 };
  expect(round(groupAdvantages(tiny, free).advantages, 3)).toEqual([-0.697, 0.697]);
  expect(round(groupAdvantages(tiny, floored).advantages, 3)).toEqual([-0.05, 0.05]);
  for (const how of [free, floored]) {
    const batch = batchAdvantages(
      [...tiny, 1, 0].map((episodeReturn, i) => ({ group: i < 2 ? "a" : "b", episodeReturn })),
      how,
    );
    expect(batch.advantages.slice(0, 2)).toEqual(groupAdvantages(tiny, how).advantages);
  }
});

test("zero-variance groups: exactly 0, counted, and what becomes of KL is in the record", () => {
  const equal = [0.1, 0.1, 0.1].map((episodeReturn) => ({ group: "g", episodeReturn }));
  expect(batchAdvantages(equal, { kind: "grpo", ddof: 1, epsilon: 0 })).toMatchObject({
    advantages: [0, 0, 0],
    flatCount: 1,
  });
  expect(describeLoss(grpoObjective)).toMatchObject({ advantage: { flatGroups: "keep" } });
});

test("singleton groups: never the raw reward", () => {
  const alone = [{ group: "g", episodeReturn: 1 }];
  expect(() => batchAdvantages(alone, { kind: "rloo" })).toThrow("holds one episode");
  expect(batchAdvantages(alone, { kind: "rloo" }, { singletons: "zero" })).toMatchObject({
    advantages: [0],
    singletonCount: 1,
  });
});

const pair = [testRow("11", { advantages: [1, 1] }), testRow("111111", { advantages: [-1, -1, -1, -1, -1, -1] })];
const lossUnder = (aggregation: Aggregation) => {
  const weights = weighRows(
    pair.map(({ actionMask }) => actionMask),
    aggregation,
  );
  const rows = pair.map((row, i) => ({ ...row, weights: weights[i] }));
  return computeLoss(
    rows,
    rows.map(({ sampledLogProbs }) => ({ logProbs: sampledLogProbs })),
    ppo,
  );
};

test("token mean against sequence mean: four ways of averaging, four losses", () => {
  const losses = [
    lossUnder({ kind: "token_mean" }),
    lossUnder({ kind: "sequence_mean" }),
    lossUnder({ kind: "sequence_sum_mean" }),
    lossUnder({ kind: "constant", length: 6, over: "batch" }),
    lossUnder({ kind: "constant", length: 6, over: "sequence" }),
  ].map(({ loss }) => loss);
  expect(round(losses, 3)).toEqual([0.5, 0, 2, 0.667, 0.333]);
});

test("length bias: dividing by the own length makes each token of a long failure cheap", () => {
  const size = (aggregation: Aggregation) =>
    lossUnder(aggregation).gradients.map(({ logProbs }) => Math.abs(logProbs[0]));
  const [short, long] = size({ kind: "sequence_mean" });
  expect(short / long).toBeCloseTo(3, 12);
  for (const kind of ["token_mean", "sequence_sum_mean"] as const) {
    const [one, other] = size({ kind });
    expect(one).toBe(other);
  }
});

test("advantages normalised across budgets: they would only say which budget was drawn", () => {
  const played = [0, 0, 0, 1, 1, 1, 1, 0].map((episodeReturn, i) => ({ maxTurns: i < 4 ? 2 : 8, episodeReturn }));
  const how = { kind: "grpo", ddof: 1, epsilon: 0 } as const;
  const own = batchAdvantages(
    played.map((each) => ({ ...each, group: budgetGroupKey("task", each.maxTurns) })),
    how,
  );
  expect(own.advantages).toEqual([-0.5, -0.5, -0.5, 1.5, 0.5, 0.5, 0.5, -1.5]);
  const mixed = played.map((each) => ({ ...each, group: "task" }));
  expect(() => batchAdvantages(mixed, how)).toThrow("budgets of 2 and 8 turns");
  const pooled = batchAdvantages(mixed, how, { mixBudgets: true });
  expect(round(pooled.advantages.map(Math.abs), 3)).toEqual(Array.from({ length: 8 }, () => 0.935));
});

/** Mean turns under each budget of a policy that progresses, errs and quits with these chances. */
function countTurns(budget: number): number {
  const [quit, quitLost] = [0.01, 0.05];
  let [clean, lost, turns] = [1, 0, 0];
  for (let t = 0; t < budget; t += 1) {
    const [playing, recovering] = [clean * (1 - quit), lost * (1 - quitLost)];
    turns += playing + recovering;
    [clean, lost] = [playing * 0.45 + recovering * 0.4, playing * 0.42 + recovering * 0.55];
  }
  return turns;
}

test("budget-weight drift: a mean over tokens gives long budgets more than the plan does", () => {
  const budgets = [2, 4, 8, 16];
  const sequences = budgets.map((maxTurns) =>
    Array.from({ length: Math.round(countTurns(maxTurns) * 1000) }, () => true),
  );
  const shares = (aggregation: Aggregation) => {
    const weights = weighRows(sequences, aggregation);
    return measureBudgetShares(
      budgets.map((maxTurns, i) =>
        weighSequence(maxTurns, { actionMask: sequences[i], weights: weights[i], advantages: weights[i] }),
      ),
    );
  };
  const drifted = shares({ kind: "token_mean" });
  expect(
    round(
      drifted.map(({ tokenShare }) => tokenShare),
      3,
    ),
  ).toEqual([0.106, 0.187, 0.299, 0.408]);
  expect(
    round(
      drifted.map(({ weightShare }) => weightShare),
      3,
    ),
  ).toEqual([0.106, 0.187, 0.299, 0.408]);
  const planned = shares({ kind: "sequence_mean" }).map(({ weightShare }) => weightShare);
  expect(round(planned, 3)).toEqual([0.25, 0.25, 0.25, 0.25]);
});

test("GAE through observations: the estimate is that of the sequence without them", () => {
  const mask = [true, true, false, false, true, true];
  const [rewards, values] = [
    [0, 0, 0, 0, 0, 1],
    [0.2, 0.3, 0.9, 0.9, 0.5, 0.6],
  ];
  const settings = { gamma: 0.9, lambda: 0.95 };
  const { advantages } = tokenGae(mask, rewards, values, settings);
  expect(round(advantages)).toEqual([0.477502, 0.47661, 0, 0, 0.382, 0.4]);
  const compressed = estimateAdvantages([0, 0, 0, 1], [0.2, 0.3, 0.5, 0.6], settings);
  expect(advantages.filter((_, i) => mask[i])).toEqual(compressed);
  expect(round(estimateAdvantages(rewards, values, settings).slice(0, 2))).toEqual([0.363136, 0.342849]);
});

test("turn boundary by a reward that is not 0: a turn without reward stays a turn of its own", () => {
  const values = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
  const settings = { gamma: 1, lambda: 1, turnGamma: 0.95 };
  const actionMask = values.map(() => true);
  const explicit = { actionMask, turnIndex: [0, 0, 0, 0, 0, 1, 1, 1, 1, 1] };
  // Found by rewards, the turn that ended without one melts into the next.
  const guessed = { actionMask, turnIndex: values.map(() => 0) };
  expect(round(bilevelGae(guessed, [1], values, settings).returns)).toEqual(values.map(() => 1));
  expect(round(bilevelGae(explicit, [0, 1], values, settings).returns)).toEqual([
    0.95, 0.95, 0.95, 0.95, 0.95, 1, 1, 1, 1, 1,
  ]);
});

test("KL estimator and placement: what each one in the loss really pulls on", () => {
  const [policy, reference] = [
    [0.5, 0.3, 0.2],
    [0.4, 0.4, 0.2],
  ];
  const inLoss = (estimator: KlEstimator) =>
    policy.map((_, j) =>
      policy.reduce((sum, p, i) => {
        const { slope } = estimateKl(estimator, Math.log(p), Math.log(reference[i]));
        return sum + p * slope * ((i === j ? 1 : 0) - policy[j]);
      }, 0),
    );
  expect(round(inLoss("k1"))).toEqual([0, 0, 0]);
  expect(round(inLoss("k2"), 5)).toEqual([0.09894, -0.09388, -0.00505]);
  expect(round(inLoss("k3"))).toEqual([0.1, -0.1, 0]);
});

const grpoObjective: Objective = {
  loss: ppo,
  advantage: { kind: "grpo", ddof: 1, epsilon: 1e-6, groupSize: 8, flatGroups: "keep" },
  aggregation: { kind: "token_mean" },
};

test("KL in reward and loss: refused unless it is asked for", () => {
  const both: Objective = {
    ...grpoObjective,
    loss: { ...ppo, klPlacement: "loss", klEstimator: "k3", klWeight: 0.01 },
    rewardKl: { estimator: "k1", weight: 0.01 },
  };
  expect(checkObjective(both).join()).toContain("restrains twice");
  expect(checkObjective({ ...both, allowDoubleKl: true })).toEqual([]);
});

test("mask by multiplication: a masked ratio that overflows is no NaN", () => {
  const multiplied = [Math.exp(800), 1].map((ratio, i) => ratio * (i === 0 ? 0 : 1));
  expect(multiplied[0]).toBeNaN();
  const row = testRow("10", { advantages: [1, 1], weights: [1, 1], referenceLogProbs: [0, -800] });
  const spec: LossSpec = { ...ppo, klPlacement: "loss", klEstimator: "k3", klWeight: 1 };
  const { loss, gradients } = computeLoss([row], [{ logProbs: [0, 800] }], spec);
  expect(loss).toBe(-1);
  expect(gradients[0].logProbs).toEqual([-1, 0]);
});

test.each([
  { ratio: 1.5, advantage: 1, dualClip: undefined, loss: -1.2, slope: 0 },
  { ratio: 0.5, advantage: 1, dualClip: undefined, loss: -0.5, slope: -0.5 },
  { ratio: 1.5, advantage: -1, dualClip: undefined, loss: 1.5, slope: 1.5 },
  { ratio: 0.5, advantage: -1, dualClip: undefined, loss: 0.8, slope: 0 },
  { ratio: 7, advantage: -1, dualClip: 3, loss: 3, slope: 0 },
  { ratio: 7, advantage: 1, dualClip: 3, loss: -1.2, slope: 0 },
])(
  "clip on the wrong side: ratio $ratio, advantage $advantage, dual clip $dualClip",
  ({ ratio, advantage, dualClip, loss, slope }) => {
    const found = clipSurrogate(Math.log(ratio), advantage, { clipLow: 0.2, clipHigh: 0.2, dualClip });
    expect(found.loss).toBeCloseTo(loss, 12);
    expect(found.slope).toBeCloseTo(slope, 12);
  },
);

test("stale log-probs: on the first minibatch of fresh rollouts every ratio is 1", () => {
  const row = testRow("011", { sampledLogProbs: [0, -1, -2] });
  expect(findStaleLogProbs([row], [[9, -1, -2 + 1e-6]], 1e-4)).toEqual([]);
  // Recorded at temperature 1, scored at another one.
  expect(findStaleLogProbs([row], [[9, -0.8, NaN]], 1e-4).map(({ position }) => position)).toEqual([2, 1]);
});

test("denominators after filtering: dropping tokens does not make the others count for more", () => {
  const row: TrainingRow = testRow("1111", {
    weights: [0.25, 0.25, 0.25, 0.25],
    advantages: [1, 1, 1, 1],
    sampledLogProbs: [-1, -9, -9, -1],
    proximalLogProbs: [-1, -1, -1, -1],
  });
  const { row: filtered, filteredCount } = filterStaleTokens(row, { maxFactor: 5, mode: "mask" });
  const { gradient } = decoupledLoss(filtered, [-1, -1, -1, -1], { clipLow: 0.2, clipHigh: 0.2 });
  expect(filteredCount).toBe(2);
  expect(gradient).toEqual([-0.25, 0, 0, -0.25]);
});

test("reward attached to the wrong token: what sampled tokens get is the episode's return", () => {
  const tokens = { actionMask: [false, true, true, false, false], turnIndex: [-1, 0, 0, 0, 0] };
  const rewards = placeRewards(tokens, [1]);
  expect(rewards).toEqual([0, 0, 1, 0, 0]);
  const onPadding = [0, 0, 0, 0, 1];
  expect(findMisplacedRewards(tokens.actionMask, onPadding)).toEqual([4]);
  expect(() => tokenGae(tokens.actionMask, onPadding, onPadding, { gamma: 1, lambda: 1 })).toThrow(
    "a reward stands on token 4",
  );
});
