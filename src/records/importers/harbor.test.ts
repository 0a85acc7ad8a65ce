import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createSource, importAll, type FileContent } from "../../../test/support/importing.js";
import { atifTrajectory, harborResult } from "../../../test/support/agent-samples.js";
import type { JsonObject } from "../../core/index.js";
import { harborImporter } from "./harbor.js";
import { listImportFiles } from "./import-run.js";

const trial = "job/make-file__1";
const tree: Record<string, FileContent> = {
  [`${trial}/result.json`]: harborResult,
  [`${trial}/agent/trajectory.json`]: atifTrajectory,
};

const read = (path: string, content: FileContent, files = tree) =>
  importAll(harborImporter, createSource(path, content, files));

test("reads agent steps as turns; copied steps and steps without a model call are not", async () => {
  const { trajectories } = await read("trajectory.json", atifTrajectory, {});
  const [trajectory] = trajectories;
  expect(trajectory.turns.map(({ action }) => action.text)).toEqual(["I look.", "Done."]);
  expect(trajectory.turns[0]).toMatchObject({
    observation: { text: "Make the file\n\nEarlier words" },
    action: { reasoning: "hm", toolCalls: [{ id: "c1", name: "bash", arguments: { command: "ls" } }] },
    flags: { toolError: true },
    usage: { promptTokens: 10, completionTokens: 3, cachedTokens: 4, cost: 0.01 },
    tokens: { ids: [1, 2], logProbs: [-0.1, -0.2] },
  });
  expect(trajectory.turns[1].observation).toMatchObject({ text: "A hook ran", toolResults: [{ callId: "c1" }] });
  expect(trajectory.finalObservation?.text).toBe("screen");
  expect(trajectory.success).toBeUndefined();
  expect(trajectory.policy.id).toBe("tiny with terminus-2");
});

test.each(["1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7"])("reads ATIF v%s", async (version) => {
  const { trajectories } = await read("trajectory.json", { ...atifTrajectory, schema_version: `ATIF-v${version}` }, {});
  expect(trajectories[0].turns).toHaveLength(2);
});

test("a trajectory takes its grade from the trial one folder up, and a trial its turns from the agent's folder", async () => {
  const [fromTrajectory] = (await read(`${trial}/agent/trajectory.json`, atifTrajectory)).trajectories;
  const [fromResult] = (await read(`${trial}/result.json`, harborResult)).trajectories;
  for (const trajectory of [fromTrajectory, fromResult]) {
    expect(trajectory).toMatchObject({
      success: true,
      task: { id: "make-file" },
      env: { id: "terminal-bench", version: "abc" },
      scores: { reward: 1 },
    });
    expect(trajectory.turns).toHaveLength(2);
  }
  expect(fromTrajectory.task.hash).toBe(fromResult.task.hash);
});

test.each([
  {
    name: "a time limit with a full reward",
    exception: "AgentTimeoutError",
    reward: 1,
    stop: { type: "max_seconds" },
    success: true,
  },
  {
    name: "a time limit without one",
    exception: "AgentTimeoutError",
    reward: 0,
    stop: { type: "max_seconds" },
    success: false,
  },
  {
    name: "a failed verifier",
    exception: "VerifierTimeoutError",
    reward: undefined,
    stop: { type: "error", boundary: "scorer" },
    success: undefined,
  },
  {
    name: "a failed environment",
    exception: "EnvironmentStartTimeoutError",
    reward: undefined,
    stop: { type: "error", boundary: "env" },
    success: undefined,
  },
  {
    name: "no exception",
    exception: undefined,
    reward: 0,
    stop: { type: "env_end", kind: "wrong_final" },
    success: false,
  },
  {
    name: "neither reward nor exception",
    exception: undefined,
    reward: undefined,
    stop: { type: "unknown" },
    success: undefined,
  },
])("a trial with $name", async ({ exception, reward, stop, success }) => {
  const result: JsonObject = {
    ...harborResult,
    verifier_result: reward === undefined ? null : { rewards: { reward } },
    exception_info: exception === undefined ? null : { exception_type: exception, exception_message: "late" },
  };
  const { trajectories } = await read(`${trial}/result.json`, result);
  expect(trajectories[0].stopReason).toMatchObject(stop);
  expect(trajectories[0].success).toBe(success);
});

test.each([
  { name: "reward.txt", file: "reward.txt", content: "1\n", success: true },
  { name: "reward.json", file: "reward.json", content: { reward: 0 }, success: false },
  { name: "reward.json with one other name", file: "reward.json", content: { accuracy: 1 }, success: true },
  { name: "reward.json with several names", file: "reward.json", content: { a: 1, b: 1 }, success: undefined },
] as { name: string; file: string; content: FileContent; success: boolean | undefined }[])(
  "reads the verifier's own file: $name",
  async ({ file, content, success }) => {
    const files = { ...tree, [`${trial}/verifier/${file}`]: content };
    const { trajectories } = await read(`${trial}/result.json`, { ...harborResult, verifier_result: null }, files);
    expect(trajectories[0].success).toBe(success);
  },
);

test("reads a job by the trials its statistics name, each once, and names one whose result is missing", async () => {
  const job = {
    id: "j",
    n_total_trials: 2,
    stats: {
      evals: {
        x: {
          reward_stats: { reward: { "1.0": ["make-file__1"] } },
          exception_stats: { AgentTimeoutError: ["make-file__1", "gone__1"] },
        },
      },
    },
  };
  const { trajectories, problems } = await read("job/result.json", job);
  expect(trajectories).toHaveLength(1);
  expect(problems).toMatchObject([{ severity: "skipped", problemClass: "missing_file" }]);
  expect(problems[0].message).toContain("gone__1");
});

test("a trial without a trajectory is kept with its grade", async () => {
  const { trajectories, problems } = await read(`${trial}/result.json`, harborResult, {});
  expect(trajectories[0]).toMatchObject({ success: true, turns: [] });
  expect(problems).toMatchObject([{ severity: "repaired", problemClass: "no_turns" }]);
});

test("joins the files that continue a trajectory, and ends where they point at each other", async () => {
  const first = { ...atifTrajectory, continued_trajectory_ref: "trajectory.cont-1.json" };
  const second = {
    ...atifTrajectory,
    steps: [{ step_id: 1, source: "agent", message: "More." }],
    continued_trajectory_ref: "trajectory.json",
  };
  const files = { "trajectory.json": first, "trajectory.cont-1.json": second };
  const { trajectories } = await read("trajectory.json", first, files);
  expect(trajectories[0].turns.map(({ action }) => action.text)).toEqual(["I look.", "Done.", "More."]);
});

test("importing a job's folder reads each trial once, by the outermost file that covers it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "harbor-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (path: string, content: object): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(content));
  };
  for (const [path, content] of Object.entries(tree)) write(path, content as object); // the tree holds objects
  expect(await listImportFiles(folder)).toEqual([join(folder, trial, "result.json")]);
  write("job/result.json", { n_total_trials: 1, trial_results: [harborResult] });
  expect(await listImportFiles(folder)).toEqual([join(folder, "job/result.json")]);
});
