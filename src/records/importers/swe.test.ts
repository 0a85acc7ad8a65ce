import { expect, test } from "vitest";
import { createSource, hasRealData, importAll, importReal, type FileContent } from "../../../test/support/importing.js";
import { miniSweAgentFile, sweAgentFile } from "../../../test/support/agent-samples.js";
import type { JsonObject, JsonValue } from "../../core/index.js";
import { miniSweAgentImporter } from "./mini-swe-agent.js";
import { sweAgentImporter } from "./swe-agent.js";

async function readSwe(changes: JsonObject, files: Record<string, FileContent> = {}) {
  const { trajectories, problems } = await importAll(
    sweAgentImporter,
    createSource("run/org__repo-1/org__repo-1.traj", { ...sweAgentFile, ...changes }, files),
  );
  return { trajectory: trajectories[0], problems };
}

async function readMini(value: JsonValue, files: Record<string, FileContent> = {}) {
  const { trajectories } = await importAll(
    miniSweAgentImporter,
    createSource("run/org__repo-1.traj.json", value as object, files),
  ); // samples are objects or lists
  return trajectories[0];
}

test("swe-agent: steps are turns, demonstrations are not, calls come from the history", async () => {
  const { trajectory } = await readSwe({});
  expect(trajectory.turns).toHaveLength(2);
  expect(trajectory.turns[0]).toMatchObject({
    observation: { text: "S\n\nFix the bug" },
    action: { text: "I look.", toolCalls: [{ id: "c1", name: "bash", arguments: { command: "ls" } }] },
    extra: { step: { execution_time: 0.2 } },
  });
  expect(trajectory.turns[1].action.toolCalls).toEqual([{ name: "submit", rawArguments: "submit" }]);
  expect(trajectory).toMatchObject({
    task: { id: "org__repo-1" },
    policy: { id: "tiny" },
    env: { version: "1.1.0" },
    budget: { maxCost: 3 },
    stopReason: { type: "unknown" },
  });
  expect(trajectory.success).toBeUndefined();
});

test.each([
  { name: "resolved_ids", report: { resolved_ids: ["org__repo-1"] }, success: true, stop: "env_end" },
  {
    name: "unresolved_ids",
    report: { resolved_ids: [], unresolved_ids: ["org__repo-1"] },
    success: false,
    stop: "env_end",
  },
  { name: "the older list", report: { resolved: ["org__repo-1"] }, success: true, stop: "env_end" },
  { name: "one object an instance", report: { "org__repo-1": { resolved: false } }, success: false, stop: "env_end" },
  { name: "another instance alone", report: { resolved_ids: ["other"] }, success: undefined, stop: "unknown" },
])("swe-agent: success comes from a report beside it: $name", async ({ report, success, stop }) => {
  const { trajectory } = await readSwe({}, { "run/results.json": report });
  expect(trajectory.success).toBe(success);
  expect(trajectory.stopReason.type).toBe(stop);
});

test("swe-agent: a report that cannot be read is named and does no harm", async () => {
  const { trajectory, problems } = await readSwe({}, { "run/results.json": "{" });
  expect(trajectory.success).toBeUndefined();
  expect(problems).toMatchObject([{ problemClass: "sibling_unreadable" }]);
});

test.each([
  { status: "submitted (exit_cost)", stop: "max_cost" },
  { status: "exit_cost", stop: "max_cost" },
  { status: "submitted (exit_context)", stop: "context_overflow" },
  { status: "exit_total_execution_time", stop: "max_seconds" },
  { status: "exit_forfeit", stop: "quit" },
  { status: "exit_format", stop: "env_end" },
  { status: "exit_api", stop: "error" },
  { status: "exit_environment_error", stop: "error" },
  { status: "something new", stop: "unknown" },
  { status: null, stop: "unknown" },
])("swe-agent: exit status $status", async ({ status, stop }) => {
  expect((await readSwe({ info: { exit_status: status } })).trajectory.stopReason.type).toBe(stop);
});

test("swe-agent: steps count where the history does not match them", async () => {
  const { trajectory } = await readSwe({ history: [{ role: "user", content: "Fix the bug" }] });
  expect(trajectory.turns.map(({ observation, action }) => [observation.text, action.text])).toEqual([
    ["Fix the bug", "I look."],
    ["main.py\n", "Done."],
  ]);
  expect(trajectory.turns[0].action.toolCalls).toEqual([{ name: "ls", rawArguments: "ls" }]);
});

test("swe-agent: a step without a command is an invalid turn", async () => {
  const { trajectory } = await readSwe({
    trajectory: [{ action: "", observation: "format error", response: "Hm" }],
    history: [],
  });
  expect(trajectory.turns[0]).toMatchObject({
    action: { invalid: "no command in the response" },
    flags: { invalid: true },
  });
});

test("swe-agent: settings written as a JSON text are read", async () => {
  const config = JSON.stringify(sweAgentFile["replay_config"]);
  expect((await readSwe({ replay_config: config })).trajectory.policy.id).toBe("tiny");
  expect((await readSwe({ replay_config: "{" })).trajectory.policy.id).toBe("unknown");
});

test.skipIf(!hasRealData).each([
  {
    file: "demonstrations__function_calling_simple.traj.gz",
    turns: 5,
    calls: ["find_file", "open", "edit", "bash", "submit"],
  },
  {
    file: "gpt4__swe-bench-dev-easy_first_only__default__t-0.00__p-0.95__c-3.00__install-1__pydicom__pydicom-1458.traj.gz",
    turns: 12,
  },
  {
    file: "human_thought__swe-bench-HumanEvalFix-python__lcb__t-0.00__p-0.95__c-4.00__install-0__humanevalfix-python-0.traj.gz",
    turns: 5,
    calls: ["ls", "open", "edit", "python", "submit"],
  },
  { file: "misc__networking_1.traj.gz", turns: 4, calls: ["tshark", "tshark", "tshark", "submit"] },
  {
    file: "replay__marshmallow-code__marshmallow-1867__function_calling__install-1__marshmallow-code__marshmallow-1867.traj.gz",
    turns: 11,
  },
])("swe-agent: reads the public file $file", async ({ file, turns, calls }) => {
  const { trajectories } = await importReal(sweAgentImporter, `swe-agent-traj/${file}`);
  expect(trajectories[0].turns).toHaveLength(turns);
  if (calls !== undefined) expect(trajectories[0].turns.map(({ action }) => action.toolCalls?.[0].name)).toEqual(calls);
});

test("mini-swe-agent: version 2 with usage, limits and return codes", async () => {
  const trajectory = await readMini(miniSweAgentFile);
  expect(trajectory.turns).toHaveLength(2);
  expect(trajectory.turns[0]).toMatchObject({
    flags: { toolError: true },
    usage: { promptTokens: 20, completionTokens: 4, cachedTokens: 10, cost: 0.05 },
  });
  expect(trajectory).toMatchObject({
    task: { id: "org__repo-1" },
    policy: { id: "tiny" },
    env: { version: "2.2.7" },
    budget: { maxTurns: 2, maxCost: 3 },
  });
});

test("mini-swe-agent and swe-agent know an instance as the same task", async () => {
  expect((await readMini(miniSweAgentFile)).task.hash).toBe((await readSwe({})).trajectory.task.hash);
});

test.each([
  { status: "Submitted", success: undefined, stop: { type: "unknown" } },
  { status: "LimitsExceeded", success: undefined, stop: { type: "max_turns" } },
  { status: "TimeExceeded", success: undefined, stop: { type: "max_seconds" } },
  { status: "RepeatedFormatError", success: undefined, stop: { type: "env_end", kind: "env_fail" } },
  { status: "ContextWindowExceededError", success: undefined, stop: { type: "context_overflow" } },
  { status: "APIError", success: undefined, stop: { type: "error", boundary: "policy", errorClass: "APIError" } },
])("mini-swe-agent: exit status $status", async ({ status, stop }) => {
  const info = { ...(miniSweAgentFile["info"] as JsonObject), exit_status: status }; // an object in the sample
  expect((await readMini({ ...miniSweAgentFile, info })).stopReason).toMatchObject(stop);
});

test("mini-swe-agent: limits with turns left are the cost limit", async () => {
  const info = { config: { agent: { step_limit: 250, cost_limit: 1 } }, exit_status: "LimitsExceeded" };
  expect((await readMini({ ...miniSweAgentFile, info })).stopReason).toEqual({ type: "max_cost" });
});

test("mini-swe-agent: a file that is still being written has no status and no end", async () => {
  const messages = (miniSweAgentFile["messages"] as JsonObject[]).slice(0, 4); // a list in the sample
  const trajectory = await readMini({ ...miniSweAgentFile, info: { exit_status: "" }, messages });
  expect(trajectory.stopReason).toEqual({ type: "unknown" });
});

test.each([
  {
    name: "one command",
    text: "Go\n```bash\nls\n```",
    calls: [{ name: "bash", arguments: { command: "ls" } }],
    isInvalid: false,
  },
  { name: "no command", text: "Hm", calls: undefined, isInvalid: true },
  { name: "two commands", text: "```bash\nls\n```\n```bash\npwd\n```", calls: undefined, isInvalid: true },
])("mini-swe-agent: version 1 reads fences: $name", async ({ text, calls, isInvalid }) => {
  const messages = [
    { role: "system", content: "S" },
    { role: "user", content: "Fix" },
    { role: "assistant", content: text },
    { role: "user", content: "<returncode>1</returncode>" },
  ];
  const trajectory = await readMini({ trajectory_format: "mini-swe-agent-1", info: {}, messages });
  expect(trajectory.turns[0].action.toolCalls).toEqual(calls);
  expect(trajectory.turns[0].flags?.invalid === true).toBe(isInvalid);
  expect(trajectory.turns[0].flags?.toolError).toBe(true);
});

test.skipIf(!hasRealData).each([
  { file: "local.traj.json", turns: 2, errors: 0 },
  { file: "github_issue.traj.json", turns: 10, errors: 2 },
])("mini-swe-agent: reads the public list of messages $file", async ({ file, turns, errors }) => {
  const { trajectories } = await importReal(miniSweAgentImporter, `mini-swe-agent-traj/${file}`);
  expect(trajectories[0].turns).toHaveLength(turns);
  expect(trajectories[0].turns.every(({ action }) => action.toolCalls?.length === 1)).toBe(true);
  expect(trajectories[0].turns.filter(({ flags }) => flags?.toolError === true)).toHaveLength(errors);
});

test("swe-agent: a document with a history that is no conversation is not taken for a trajectory", () => {
  const review = { verdict: "PASS", history: [{ run: 1, verdict: "FAIL", issue: "a table was cut", fix: "escaped" }] };
  expect(sweAgentImporter.detect(createSource("a.review.json", review))).toBe(0);
  expect(sweAgentImporter.detect(createSource("a.json", { trajectory: [] }))).toBe(0);
  expect(sweAgentImporter.detect(createSource("a.json", sweAgentFile))).toBe(0.5);
  const demonstration = { history: [{ content: "Fix the bug", role: "user", agent: "primary" }] };
  expect(sweAgentImporter.detect(createSource("a.json", demonstration))).toBe(0.5);
  expect(sweAgentImporter.detect(createSource("a.traj", sweAgentFile))).toBe(0.95);
});
