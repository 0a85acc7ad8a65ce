import { expect, test } from "vitest";
import { createSource, hasRealData, importAll, importReal } from "../../../test/support/importing.js";
import { tau2Results, tauBenchEpisode } from "../../../test/support/import-samples.js";
import type { JsonObject, JsonValue } from "../../core/index.js";
import { tau2Importer } from "./tau2.js";
import { tauBenchImporter } from "./tau-bench.js";

const readTauBench = (...episodes: readonly JsonValue[]) =>
  importAll(tauBenchImporter, createSource("gpt-4o-airline.json", episodes));

test("tau-bench: assistant messages are turns, errors are told by their text", async () => {
  const { trajectories } = await readTauBench(tauBenchEpisode);
  expect(trajectories[0]).toMatchObject({
    policy: { id: "gpt-4o" },
    env: { id: "tau-bench/airline" },
    task: { id: "4" },
    stopReason: { type: "env_end", kind: "solved" },
    turns: [{ flags: { toolError: true } }, { action: { text: "Booked." } }],
    finalObservation: { text: "Thanks ###STOP###" },
  });
});

test.each([
  { name: "within the tolerance", reward: 1 - 1e-7, success: true },
  { name: "just outside it", reward: 1 - 1e-5, success: false },
  { name: "above it", reward: 1.1, success: false },
  { name: "null", reward: null, success: undefined },
])("tau-bench: success is a reward of 1: $name", async ({ reward, success }) => {
  expect((await readTauBench({ ...tauBenchEpisode, reward })).trajectories[0].success).toBe(success);
});

test("tau-bench: a crash is an error without an outcome, not a reward of 0", async () => {
  const { trajectories } = await readTauBench({
    task_id: 1,
    reward: 0,
    trial: 2,
    info: { error: "boom", traceback: "at x" },
    traj: [],
  });
  expect(trajectories[0]).toMatchObject({
    stopReason: { type: "error", boundary: "env", message: "boom" },
    sampleIndex: 2,
    turns: [],
  });
  expect(trajectories[0].success).toBeUndefined();
  expect(trajectories[0].episodeReturn).toBeUndefined();
});

test("tau-bench: a repeated trial gets an index of its own, a copied row is dropped, both are named", async () => {
  const { trajectories, problems } = await readTauBench(
    tauBenchEpisode,
    { ...tauBenchEpisode, reward: 0 },
    tauBenchEpisode,
    { ...tauBenchEpisode, trial: 1, reward: 0 },
  );
  expect(trajectories.map(({ sampleIndex }) => sampleIndex)).toEqual([0, 1, 2]);
  expect(problems.map(({ severity, position }) => [severity, position])).toEqual([
    ["repaired", 1],
    ["skipped", 2],
    ["repaired", 3],
  ]);
});

test("tau-bench: the same number in other domains is another task", async () => {
  const airline = await readTauBench(tauBenchEpisode);
  const retail = await importAll(tauBenchImporter, createSource("gpt-4o-retail.json", [tauBenchEpisode]));
  expect(retail.trajectories[0].task.hash).not.toBe(airline.trajectories[0].task.hash);
});

test("tau-bench: an element that is no episode is reported, the rest is read", async () => {
  const { trajectories, problems } = await readTauBench(tauBenchEpisode, null, { task_id: 3 }, "text");
  expect(trajectories).toHaveLength(1);
  expect(problems.map(({ position }) => position)).toEqual([1, 2, 3]);
});

test("tau-bench: a list that ends early gives its whole elements", async () => {
  const text = JSON.stringify([tauBenchEpisode, tauBenchEpisode]).slice(0, -30);
  const { trajectories, problems } = await importAll(tauBenchImporter, createSource("x-airline.json", text));
  expect(trajectories).toHaveLength(1);
  expect(problems).toMatchObject([{ problemClass: "torn_tail" }]);
});

const [simulation] = tau2Results["simulations"] as JsonObject[]; // the sample has one
const readTau2 = (...simulations: readonly JsonValue[]) =>
  importAll(tau2Importer, createSource("results.json", { ...tau2Results, simulations }));

test("tau2: the greeting and the simulated user's calls are no turns of the agent", async () => {
  const { trajectories } = await readTau2(simulation);
  const [trajectory] = trajectories;
  expect(trajectory.turns).toHaveLength(2);
  expect(trajectory.turns[0]).toMatchObject({
    observation: { text: "Hi! How can I help you today?\n\nMy phone is slow." },
    action: { toolCalls: [{ id: "c1", name: "look_up", arguments: { phone: "1" } }] },
    flags: { toolError: true },
    usage: { promptTokens: 9, completionTokens: 2, cost: 0.01 },
  });
  expect(trajectory.turns[1].observation.toolResults).toEqual([{ callId: "c1", text: "not found", isError: true }]);
  expect(trajectory.finalObservation?.text).toContain("275 Mbps");
  expect(trajectory).toMatchObject({
    budget: {},
    samplingSeed: 5,
    scores: { DB: 1, COMMUNICATE: 1 },
    env: { id: "tau2/telecom", version: "abc" },
  });
});

test("tau2: a first message that the model made is a turn", async () => {
  const messages = (simulation["messages"] as JsonObject[]).map((message, index) =>
    index === 0 ? { ...message, usage: { prompt_tokens: 1 } } : message,
  ); // the sample's are objects
  expect((await readTau2({ ...simulation, messages })).trajectories[0].turns).toHaveLength(3);
});

test.each([
  { reason: "user_stop", reward: 1, stop: { type: "env_end", kind: "solved" }, success: true },
  { reason: "agent_stop", reward: 0, stop: { type: "env_end", kind: "wrong_final" }, success: false },
  { reason: "max_steps", reward: 0, stop: { type: "max_turns" }, success: false },
  { reason: "timeout", reward: 0, stop: { type: "max_seconds" }, success: false },
  { reason: "too_many_errors", reward: 0, stop: { type: "env_end", kind: "env_fail" }, success: false },
  { reason: "agent_error", reward: 0, stop: { type: "env_end", kind: "env_fail" }, success: false },
  { reason: "user_error", reward: 0, stop: { type: "env_end", kind: "env_fail" }, success: false },
  { reason: "context_window_exceeded", reward: 0, stop: { type: "context_overflow" }, success: false },
  { reason: "infrastructure_error", reward: 0, stop: { type: "error", boundary: "env" }, success: undefined },
  { reason: "unexpected_error", reward: 0, stop: { type: "error", boundary: "env" }, success: undefined },
  { reason: "something new", reward: 0, stop: { type: "unknown" }, success: false },
])("tau2: $reason", async ({ reason, reward, stop, success }) => {
  const { trajectories } = await readTau2({ ...simulation, termination_reason: reason, reward_info: { reward } });
  expect(trajectories[0].stopReason).toMatchObject(stop);
  expect(trajectories[0].success).toBe(success);
});

test("tau2: a simulation without a reward has no known outcome, and one without messages no turns", async () => {
  const { trajectories, problems } = await readTau2({ ...simulation, reward_info: null, messages: null });
  expect(trajectories[0].success).toBeUndefined();
  expect(trajectories[0].turns).toEqual([]);
  expect(problems).toMatchObject([{ severity: "repaired", problemClass: "no_turns" }]);
});

test("tau2: reads the folder form, and names a simulation whose file is missing", async () => {
  const { simulations: _, ...head } = tau2Results;
  const files = { "run/simulations/s1.json": simulation };
  const root = { ...head, simulation_index: [{ id: "s1" }, { id: "s2" }] };
  const { trajectories, problems } = await importAll(tau2Importer, createSource("run/results.json", root, files));
  expect(trajectories).toHaveLength(1);
  expect(problems).toMatchObject([{ severity: "skipped", problemClass: "missing_file" }]);
  expect(problems[0].message).toContain("s2");
});

test("tau2: one simulation's file takes its settings from the results one folder up", async () => {
  const { trajectories } = await importAll(
    tau2Importer,
    createSource("run/simulations/s1.json", simulation, { "run/results.json": tau2Results }),
  );
  expect(trajectories[0]).toMatchObject({ policy: { id: "tiny" }, env: { id: "tau2/telecom" } });
});

test.skipIf(!hasRealData)("tau2: turns of the raw telecom file leave out greetings and user calls", async () => {
  const { trajectories } = await importReal(
    tau2Importer,
    "tau2-base-vs-sft/gpt-4.1_telecom_default_gpt-4.1_1trials.json.gz",
  );
  const turnCount = trajectories.reduce((sum, { turns }) => sum + turns.length, 0);
  const callCount = trajectories.reduce(
    (sum, { turns }) => sum + turns.reduce((calls, { action }) => calls + (action.toolCalls?.length ?? 0), 0),
    0,
  );
  // 660 assistant messages, 40 of them greetings; 207 calls of the agent beside 482 of the simulated user.
  expect([turnCount, callCount]).toEqual([620, 207]);
});

test("tau2: the folder form's head without a list of simulations says where they are", async () => {
  const { simulations: _, ...head } = tau2Results;
  const { trajectories, problems } = await importAll(tau2Importer, createSource("run/results.json", head));
  expect(trajectories).toEqual([]);
  expect(problems[0].message).toContain("simulations/");
});

test("tau2 lists the files of simulations that it covers", async () => {
  const root = { ...tau2Results, simulation_index: ["s1", { id: "s2", path: "simulations/two.json" }] };
  expect(await tau2Importer.listParts?.(createSource("run/results.json", root))).toEqual([
    "simulations/s1.json",
    "simulations/two.json",
  ]);
  expect(await tau2Importer.listParts?.(createSource("run/results.json", "{"))).toEqual([]);
});
