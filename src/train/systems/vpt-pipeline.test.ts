// VPT's recipe from end to end in a small grid: learn which action lies between two states, label recordings that have
// no actions, clone, then improve by reinforcement with KL to the clone. The policy is a table of logits, and the
// gradients are those of computeLoss.
import { expect, test } from "vitest";
import { createRandom, type LossSpec, type Random, type TrainingRow } from "../../core/index.js";
import { groupAdvantages } from "../advantages/group-advantages.js";
import { weighRows } from "../aggregation/weigh-rows.js";
import { decayPriorWeight } from "../kl/adaptive-kl.js";
import { computeLoss } from "../losses/compute-loss.js";
import { cloneBehaviour, fitInverseDynamics, pseudoLabel, type LabelledStep } from "../supervised/inverse-dynamics.js";

const size = 4;
const maxSteps = 10;
const moves = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] } as const;
const actions = ["up", "down", "left", "right"] as const;
type Move = (typeof actions)[number];
const goal = `${size - 1},${size - 1}`;
const start = "0,0";
const states = Array.from({ length: size * size }, (_, i) => `${i % size},${Math.floor(i / size)}`);

function move(state: string, action: Move): string {
  const [x, y] = state.split(",").map(Number);
  const hold = (value: number) => Math.min(Math.max(value, 0), size - 1);
  return `${hold(x + moves[action][0])},${hold(y + moves[action][1])}`;
}
const describeChange = (before: string, after: string) => {
  const [[x, y], [toX, toY]] = [before, after].map((state) => state.split(",").map(Number));
  return `${toX - x},${toY - y}`;
};

function play(act: (state: string) => Move): LabelledStep[] {
  const steps: LabelledStep[] = [];
  for (let state = start; steps.length < maxSteps && state !== goal;) {
    const action = act(state);
    const after = move(state, action);
    steps.push({ before: state, after, action });
    state = after;
  }
  return steps;
}

function draw(random: Random, probabilities: readonly number[]): Move {
  let left = random.next();
  const index = probabilities.findIndex((p) => (left -= p) < 0);
  return actions[index === -1 ? actions.length - 1 : index];
}

/** Chance of reaching the goal in time, exactly. */
function successOf(policy: (state: string) => readonly number[]): number {
  let value = new Map(states.map((state) => [state, state === goal ? 1 : 0]));
  for (let step = 0; step < maxSteps; step += 1) {
    value = new Map(
      states.map((state) => [
        state,
        state === goal
          ? 1
          : policy(state).reduce((sum, p, i) => sum + p * (value.get(move(state, actions[i])) ?? 0), 0),
      ]),
    );
  }
  return value.get(start) ?? 0;
}

const contractor = (seed: number) => {
  const random = createRandom(seed, "contractor");
  // Bumping into a wall leaves the state as it was, which no model can tell the action of: such steps are left out.
  return Array.from({ length: 40 }, () => play(() => random.pick(actions)))
    .flat()
    .filter(({ before, after }) => before !== after);
};

test("inverse dynamics learnt in a deterministic world are right on every transition held out", () => {
  const model = fitInverseDynamics(contractor(1), describeChange);
  const held = contractor(2);
  expect(held.length).toBeGreaterThan(100);
  for (const { before, after, action } of held) expect(model.findAction(before, after)).toEqual({ action, share: 1 });
  expect(model.findAction("0,0", "3,3")).toBeUndefined();
});

test("pseudoLabel() counts what it cannot tell", () => {
  const model = fitInverseDynamics(contractor(1), describeChange);
  expect(pseudoLabel([["0,0", "1,0", "1,0", "1,1"]], model)).toEqual({
    steps: [
      { before: "0,0", after: "1,0", action: "right" },
      { before: "1,0", after: "1,1", action: "down" },
    ],
    unlabelled: 1,
  });
});

test("cloneBehaviour() is as unsure as its demonstrations", () => {
  const policy = cloneBehaviour(
    [
      { before: "a", after: "b", action: "up" },
      { before: "a", after: "b", action: "up" },
    ],
    actions,
    1,
  );
  expect(policy("a")).toEqual([3 / 6, 1 / 6, 1 / 6, 1 / 6]);
  expect(policy("never seen")).toEqual([0.25, 0.25, 0.25, 0.25]);
});

/** A softmax over logits for each state. */
class TablePolicy {
  readonly logits: Map<string, number[]>;
  constructor(init: (state: string) => readonly number[]) {
    this.logits = new Map(states.map((state) => [state, init(state).map(Math.log)]));
  }
  probabilities(state: string): number[] {
    const parts = (this.logits.get(state) ?? []).map(Math.exp);
    const sum = parts.reduce((total, part) => total + part, 0);
    return parts.map((part) => part / sum);
  }
  logProb(state: string, action: string): number {
    return Math.log(this.probabilities(state)[actions.indexOf(action as Move)]); // steps of this file hold moves only
  }
  /** Follows the gradient of the log-probability of an action. */
  step(state: string, action: string, slope: number, rate: number): void {
    const probabilities = this.probabilities(state);
    const logits = this.logits.get(state) ?? [];
    for (const [i, each] of actions.entries()) {
      logits[i] -= rate * slope * ((each === action ? 1 : 0) - probabilities[i]);
    }
  }
}

/** Mean divergence from the prior over the states of the grid, nats. */
function divergence(policy: TablePolicy, prior: (state: string) => readonly number[]): number {
  return (
    states.reduce((sum, state) => {
      const own = policy.probabilities(state);
      return sum + own.reduce((total, p, i) => total + p * Math.log(p / prior(state)[i]), 0);
    }, 0) / states.length
  );
}

function reinforce(prior: (state: string) => readonly number[], klWeight: number): TablePolicy {
  const policy = new TablePolicy(prior);
  const reference = new TablePolicy(prior);
  const random = createRandom(5, "reinforce");
  for (let iteration = 0; iteration < 100; iteration += 1) {
    const episodes = Array.from({ length: 16 }, () => play((state) => draw(random, policy.probabilities(state))));
    const { advantages } = groupAdvantages(
      episodes.map((steps) => (steps.at(-1)?.after === goal ? 1 : 0)),
      { kind: "rloo" },
    );
    const weights = weighRows(
      episodes.map((steps) => steps.map(() => true)),
      { kind: "token_mean" },
    );
    const rows = episodes.map((steps, i): TrainingRow => {
      const read = (from: TablePolicy) => steps.map(({ before, action }) => from.logProb(before, action));
      return {
        ids: steps.map(({ action }) => actions.indexOf(action as Move)), // steps of this file hold moves only
        actionMask: steps.map(() => true),
        turnIndex: steps.map((_, turn) => turn),
        sampledLogProbs: read(policy),
        referenceLogProbs: read(reference),
        advantages: steps.map(() => advantages[i]),
        weights: weights[i],
      };
    });
    const spec: LossSpec = {
      kind: "ppo_clip",
      clipLow: 0.2,
      clipHigh: 0.2,
      klPlacement: "loss",
      klEstimator: "k2",
      klWeight: decayPriorWeight({ initial: klWeight, decay: 0.9995 }, iteration),
    };
    const { gradients } = computeLoss(
      rows,
      rows.map(({ sampledLogProbs }) => ({ logProbs: sampledLogProbs })),
      spec,
    );
    episodes.forEach((steps, i) =>
      steps.forEach(({ before, action }, t) => policy.step(before, action, gradients[i].logProbs[t], 4)),
    );
  }
  return policy;
}

test("reinforcement with KL to the clone beats the clone and stays near it; a heavier weight stays nearer", () => {
  const random = createRandom(3, "recordings");
  const wanders = (): Move => (random.next() < 0.45 ? random.pick(["right", "down"]) : random.pick(actions));
  const recordings = Array.from({ length: 150 }, () => [start, ...play(wanders).map(({ after }) => after)]);
  const { steps } = pseudoLabel(recordings, fitInverseDynamics(contractor(1), describeChange));
  const clone = cloneBehaviour(steps, actions);
  const cloned = successOf(clone);
  const light = reinforce(clone, 0.2);
  const heavy = reinforce(clone, 2);
  expect(successOf((state) => light.probabilities(state))).toBeGreaterThan(cloned + 0.1);
  expect(successOf((state) => heavy.probabilities(state))).toBeGreaterThan(cloned);
  expect(divergence(light, clone)).toBeLessThan(1);
  expect(divergence(heavy, clone)).toBeLessThan(divergence(light, clone));
});
