import { expect, test } from "vitest";
import { createTask, type Trajectory } from "../../core/index.js";
import { toBudgetRollout } from "./to-budget-rollout.js";

const task = createTask("demo", { n: 1 });
const trajectory: Trajectory = {
  schema: "turnwise.trajectory/1",
  episodeId: "0123456789abcdef",
  task,
  sampleIndex: 0,
  policy: { id: "p" },
  env: { id: "demo", version: "2" },
  budget: { maxTurns: 2 },
  disclosure: "hidden",
  terminalRule: "hard",
  turns: [],
  stopReason: { type: "max_turns" },
};

test("a record of our own states its env and terminal rule; an importer's names of them are not held against a plan", () => {
  expect(toBudgetRollout(trajectory)).toMatchObject({ env: { id: "demo", version: "2" }, terminalRule: "hard" });
  const imported = toBudgetRollout({
    ...trajectory,
    provenance: { format: "verifiers", source: "x.jsonl", notes: [] },
  });
  expect(imported).not.toHaveProperty("env");
  expect(imported).not.toHaveProperty("terminalRule");
});
