import { expect, test } from "vitest";
import { createTask, type Policy } from "../core/index.js";
import type { PlanConfig } from "../rollout/index.js";
import { announceRun } from "./announce-run.js";

const policy = (id: string, needsOracle?: true): Policy => ({
  id,
  config: null,
  act: () => ({ action: { text: "" } }),
  ...(needsOracle === undefined ? {} : { needsOracle }),
});
const plan: PlanConfig = {
  policyIds: ["paid", "scripted"],
  tasks: Array.from({ length: 50 }, (_unused, i) => createTask("env", i)),
  sampleCount: 16,
  turnBudgets: [1, 2, 4, 8, 16],
  disclosure: "hidden",
  terminalRule: "act",
  seed: 1,
};

test("announceRun() counts the calls of policies that are not scripted", () => {
  expect(announceRun([policy("scripted", true)], [plan])).toBeUndefined();
  expect(announceRun([policy("paid"), policy("scripted", true)], [plan])).toContain(
    "Up to 12,800 calls: 50 tasks x 16 samples x 1 policy = 800 episodes of at most 16 turns (--tasks",
  );
});

test("announceRun() counts every budget that is told, and the part that is played in this call", () => {
  const told: PlanConfig = { ...plan, disclosure: "countdown" };
  expect(announceRun([policy("paid")], [plan, told])).toContain(
    "Up to 37,600 calls: 50 tasks x 16 samples x 1 policy x 6 budget settings = 4,800 episodes",
  );
  expect(announceRun([policy("paid")], [plan], { limit: 80 })).toContain("80 episodes of them in this call");
  expect(announceRun([policy("paid")], [plan], { shardCount: 4 })).toContain("Up to 3,200 calls");
});
