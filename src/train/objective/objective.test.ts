import { expect, test } from "vitest";
import { assertObjective, checkObjective } from "./check-objective.js";
import { describeLoss, type Objective } from "./objective-spec.js";

const grpo: Objective = {
  loss: { kind: "ppo_clip", clipLow: 0.2, clipHigh: 0.28, klPlacement: "none" },
  advantage: { kind: "grpo", ddof: 1, epsilon: 1e-6, groupSize: 8, flatGroups: "keep" },
  aggregation: { kind: "token_mean" },
};
const ppo: Objective = {
  loss: {
    kind: "ppo_clip",
    clipLow: 0.2,
    clipHigh: 0.2,
    klPlacement: "reward",
    klEstimator: "k1",
    klWeight: 0.01,
    valueWeight: 0.5,
  },
  advantage: { kind: "gae", level: "token", gamma: 1, lambda: 0.95, whitening: { ddof: 1, epsilon: 1e-8 } },
  aggregation: { kind: "sequence_mean" },
};

test("describeLoss() names ddof, epsilon, aggregation and KL placement", () => {
  expect(describeLoss(grpo)).toEqual({
    loss: "ppo_clip",
    clip: { low: 0.2, high: 0.28, dual: "none" },
    advantage: {
      kind: "grpo",
      groupSize: 8,
      ddof: 1,
      epsilon: 1e-6,
      varianceFloor: 0,
      flatGroups: "keep",
      singletons: "refuse",
      mixBudgets: false,
    },
    aggregation: { kind: "token_mean" },
    kl: { placement: "none" },
    entropyWeight: 0,
    value: "none",
  });
  expect(describeLoss(ppo)).toMatchObject({
    advantage: {
      kind: "gae",
      level: "token",
      skipsObservations: true,
      whitening: { ddof: 1, epsilon: 1e-8, keepMean: false },
    },
    kl: {
      placement: "reward",
      reward: { estimator: "k1", weight: 0.01, gradient: "gradient of KL(policy || reference)" },
    },
    value: { weight: 0.5, clip: "none" },
  });
});

test("describeLoss() says that k3 in the loss pulls on the forward divergence", () => {
  const loss = { ...grpo.loss, klPlacement: "loss", klEstimator: "k3", klWeight: 0.001 } as const;
  expect(describeLoss({ ...grpo, loss })).toMatchObject({
    kl: { placement: "loss", loss: { gradient: "gradient of KL(reference || policy)" } },
  });
});

test.each<{ name: string; objective: Objective; reason: string | undefined }>([
  { name: "accepts GRPO", objective: grpo, reason: undefined },
  { name: "accepts PPO", objective: ppo, reason: undefined },
  {
    name: "refuses KL in reward and loss at once",
    objective: {
      ...grpo,
      loss: { ...grpo.loss, klPlacement: "loss", klEstimator: "k3", klWeight: 0.1 },
      rewardKl: { estimator: "k1", weight: 0.1 },
    },
    reason: "KL stands in the reward and in the loss",
  },
  {
    name: "accepts KL in reward and loss when asked",
    objective: {
      ...grpo,
      loss: { ...grpo.loss, klPlacement: "loss", klEstimator: "k3", klWeight: 0.1 },
      rewardKl: { estimator: "k1", weight: 0.1 },
      allowDoubleKl: true,
    },
    reason: undefined,
  },
  {
    name: "refuses KL in the reward stated twice",
    objective: { ...ppo, rewardKl: { estimator: "k1", weight: 1 } },
    reason: "stated twice",
  },
  {
    name: "refuses a group of one",
    objective: { ...grpo, advantage: { kind: "rloo", groupSize: 1, flatGroups: "drop" } },
    reason: "groupSize is 1",
  },
  {
    name: "refuses PPO without a value head",
    objective: { ...ppo, loss: grpo.loss },
    reason: "give the loss a valueWeight",
  },
  {
    name: "refuses a value loss that no advantage uses",
    objective: { ...grpo, loss: { ...grpo.loss, valueWeight: 1 } },
    reason: "uses no value head",
  },
  {
    name: "refuses reinforcement without advantages",
    objective: { ...grpo, advantage: undefined },
    reason: "needs advantages",
  },
  {
    name: "refuses an epsilon below 0",
    objective: { ...grpo, advantage: { kind: "grpo", ddof: 1, epsilon: -1, groupSize: 8, flatGroups: "keep" } },
    reason: "epsilon must not be below 0: it is -1",
  },
  {
    name: "refuses a discount above 1",
    objective: { ...ppo, advantage: { kind: "gae", level: "token", gamma: 1.5, lambda: 1 } },
    reason: "gamma and lambda must be in [0, 1]: they are 1.5 and 1",
  },
  {
    name: "refuses bi-level advantages without a discount between turns",
    objective: { ...ppo, advantage: { kind: "gae", level: "bilevel", gamma: 1, lambda: 1 } },
    reason: "need turnGamma",
  },
  {
    name: "refuses a constant of 0",
    objective: { ...grpo, aggregation: { kind: "constant", length: 0, over: "batch" } },
    reason: "must be above 0: it is 0",
  },
  {
    name: "refuses missing bounds",
    objective: { ...grpo, loss: { kind: "ppo_clip", klPlacement: "none" } },
    reason: "needs clipLow",
  },
])("checkObjective() $name", ({ objective, reason }) => {
  const reasons = checkObjective(objective).join("; ");
  if (reason === undefined) expect(reasons).toBe("");
  else {
    expect(reasons).toContain(reason);
    expect(() => assertObjective(objective)).toThrow(reason);
  }
});
