import { expect, test } from "vitest";
import { sketchTrajectory } from "../../../test/support/trajectories.js";
import type { Trajectory } from "../../core/index.js";
import { toBudgetRollout } from "./to-budget-rollout.js";

const trajectory = sketchTrajectory({
  task: "n",
  grades: [],
  changes: { env: { id: "demo", version: "2" }, budget: { maxTurns: 2 }, terminalRule: "hard" },
});

test("a record of our own states its env and terminal rule; an importer's names of them are not held against a plan", () => {
  expect(toBudgetRollout(trajectory)).toMatchObject({ env: { id: "demo", version: "2" }, terminalRule: "hard" });
  const imported = toBudgetRollout({
    ...trajectory,
    provenance: { format: "verifiers", source: "x.jsonl", notes: [] },
  });
  expect(imported).not.toHaveProperty("env");
  expect(imported).not.toHaveProperty("terminalRule");
});

const act = (reward?: number, quit = false) => ({
  observation: { text: "" },
  action: { text: "", ...(quit ? { quit } : {}) },
  ...(reward === undefined ? {} : { reward }),
});
const provenance = { format: "verifiers", source: "x.jsonl", notes: [] };

test.each<{ name: string; change: Partial<Trajectory>; reward: number | undefined }>([
  { name: "the sum of its turns", change: { turns: [act(0.25), act(0.5)] }, reward: 0.75 },
  { name: "the total that was stated, before its turns", change: { turns: [act(-0.1)], episodeReturn: 0 }, reward: 0 },
  {
    name: "nothing for the turn that gave up",
    change: { turns: [act(0), act(undefined, true)], stopReason: { type: "quit" } },
    reward: 0,
  },
  { name: "unknown where a turn's reward is", change: { turns: [act(1), act()] }, reward: undefined },
  {
    name: "unknown where another tool wrote no reward of giving up",
    change: { turns: [act(undefined, true)], stopReason: { type: "quit" }, provenance },
    reward: undefined,
  },
  {
    name: "unknown after an error, which is no failure",
    change: {
      turns: [act(0)],
      stopReason: { type: "error", boundary: "env", errorClass: "Error", message: "gone" },
    },
    reward: undefined,
  },
])("the reward of an episode is $name", ({ change, reward }) => {
  expect(toBudgetRollout({ ...trajectory, ...change }).reward).toBe(reward);
});
