import type { JsonObject, JsonValue } from "../../src/core/index.js";
import type { Importer } from "../../src/records/index.js";
import {
  harborImporter,
  inspectImporter,
  intercodeImporter,
  miniSweAgentImporter,
  otelImporter,
  outcomesImporter,
  sweAgentImporter,
  tau2Importer,
  tauBenchImporter,
  verifiersImporter,
} from "../../src/records/index.js";
import { atifTrajectory, harborResult, miniSweAgentFile, otelExport, sweAgentFile } from "./agent-samples.js";

/** A small made-up file of one tool, with every kind of field the tool writes. */
export interface ImportSample {
  readonly importer: Importer;
  readonly name: string;
  readonly value: JsonValue;
  /** The value is a list of records, one a line. */
  readonly isLines?: boolean;
}

const call = (id: string, name: string, values: string): JsonObject => ({
  id,
  type: "function",
  function: { name, arguments: values },
});

/** A verifiers line: two turns, a tool call between them. */
export const verifiersLine: JsonObject = {
  example_id: 3,
  prompt: [
    { role: "system", content: "Use the tools." },
    { role: "user", content: "Which barn is red?" },
  ],
  completion: [
    { role: "assistant", content: "", tool_calls: [call("c1", "search", '{"query": "red barn"}')] },
    { role: "tool", tool_call_id: "c1", content: "Error: no such page" },
    { role: "assistant", content: "The north barn." },
  ],
  answer: "north",
  reward: 1,
  metrics: { judge: 1, calls: 1 },
  info: { oai_tools: [{ type: "function", function: { name: "search", parameters: {} } }] },
  is_truncated: false,
  stop_condition: "agent_completed",
  trajectory: [
    { tokens: { prompt_ids: [1, 2], completion_ids: [3, 4], completion_logprobs: [-0.1, -0.2] } },
    { tokens: { prompt_ids: [1, 2, 3, 4, 5], completion_ids: [6], completion_logprobs: [-0.5] } },
  ],
};

/** A verifiers v1 episode with one trace. */
export const traceLine: JsonObject = {
  id: "e1",
  env: { id: "barns", name: "Barns" },
  task: { type: "qa", data: { question: "Which barn is red?" }, key: "barn-1", hash: "abc" },
  ok: true,
  errors: [],
  traces: [
    {
      version: 1,
      verifiers: { version: "1.0.0" },
      agent: { name: "solver", config: { max_turns: 4 } },
      nodes: [
        { parent: null, sampled: false, message: { role: "user", content: "Which barn is red?" } },
        {
          parent: 0,
          sampled: true,
          message: { role: "assistant", content: "", tool_calls: [{ id: "c1", name: "search", arguments: "{}" }] },
          token_ids: [7, 8, 9],
          mask: [false, true, true],
          logprobs: [0, -0.1, -0.2],
        },
        { parent: 1, sampled: false, message: { role: "tool", tool_call_id: "c1", content: "north" } },
        { parent: 2, sampled: true, message: { role: "assistant", content: "north" } },
      ],
      calls: [{ node: 1, model: "tiny", usage: { prompt_tokens: 5, cached_input_tokens: 2, completion_tokens: 3 } }],
      rewards: { exact: { score: 1, weight: 1 }, style: { score: 0.5, weight: 0 } },
      metrics: { turns: 2 },
      stop_condition: "agent_completed",
    },
  ],
};

/** A tau-bench episode that ends with the user's stop word. */
export const tauBenchEpisode: JsonObject = {
  task_id: 4,
  reward: 1,
  trial: 0,
  info: { task: { user_id: "u", instruction: "Book a flight", actions: [] }, source: "user", user_cost: 0.1 },
  traj: [
    { role: "system", content: "Policy" },
    { role: "user", content: "I want a flight." },
    { role: "assistant", content: null, tool_calls: [call("c1", "book", "{}")] },
    { role: "tool", tool_call_id: "c1", name: "book", content: "Error: no seats" },
    { role: "assistant", content: "Booked." },
    { role: "user", content: "Thanks ###STOP###" },
  ],
};

/** A tau2 file whose simulated user calls a tool of its own. */
export const tau2Results: JsonObject = {
  timestamp: "2026-01-01",
  info: {
    git_commit: "abc",
    max_steps: 200,
    user_info: { llm: "user-model" },
    agent_info: { implementation: "llm_agent", llm: "tiny" },
    environment_info: { domain_name: "telecom", policy: "P" },
    seed: 3,
  },
  tasks: [{ id: "t1" }],
  simulations: [
    {
      id: "s1",
      task_id: "t1",
      trial: 0,
      seed: 5,
      termination_reason: "user_stop",
      reward_info: { reward: 1, reward_breakdown: { DB: 1, COMMUNICATE: 1 } },
      messages: [
        { role: "assistant", content: "Hi! How can I help you today?", tool_calls: null, usage: null, cost: 0 },
        { role: "user", content: "My phone is slow.", tool_calls: null },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c1", name: "look_up", arguments: { phone: "1" }, requestor: "assistant" }],
          usage: { prompt_tokens: 9, completion_tokens: 2 },
          cost: 0.01,
        },
        { role: "tool", id: "c1", content: "not found", requestor: "assistant", error: true },
        {
          role: "assistant",
          content: "Run a speed test.",
          tool_calls: null,
          usage: { prompt_tokens: 12, completion_tokens: 4 },
        },
        {
          role: "user",
          content: null,
          tool_calls: [{ id: "u1", name: "run_speed_test", arguments: {}, requestor: "user" }],
        },
        { role: "tool", id: "u1", content: "275 Mbps", requestor: "user", error: false },
        { role: "user", content: "It works. ###STOP###", tool_calls: null },
      ],
    },
  ],
};

/** An InterCode record solved in its second turn. */
export const intercodeRecord: JsonObject = {
  environment: "ic_bash",
  dataset: "./data/nl2bash/nl2bash_fs_1.json",
  task_id: 0,
  query: "Count the files",
  turn_history: {
    actions: ["ls", "ls | wc -l"],
    observations: ["a b", "2"],
    rewards: [0.99, 1],
    valid_action: [true, true],
  },
  summary: { max_reward: 1, max_reward_idx: 1, turns_taken: 2, turns_max: 10 },
  hardness: "easy",
};

/** An Inspect log of one sample, with the events of its two model calls. */
export const inspectLog: JsonObject = {
  version: 2,
  status: "success",
  eval: {
    task: "barns",
    task_id: "x",
    run_id: "r",
    task_version: 0,
    model: "tiny",
    config: { epochs: 1, turn_limit: 5, message_limit: 40 },
    dataset: { samples: 1, sample_ids: ["b1"] },
    scorers: [{ name: "match" }],
  },
  results: { total_samples: 1, completed_samples: 1 },
  samples: [
    {
      id: "b1",
      epoch: 1,
      input: "attachment://q",
      target: "north",
      messages: [
        { id: "m0", role: "user", content: "attachment://q", source: "input" },
        {
          id: "m1",
          role: "assistant",
          source: "generate",
          content: [
            { type: "reasoning", reasoning: "Look." },
            { type: "text", text: "I search." },
          ],
          tool_calls: [{ id: "c1", function: "search", arguments: { query: "barn" }, type: "function" }],
        },
        {
          id: "m2",
          role: "tool",
          tool_call_id: "c1",
          function: "search",
          content: "",
          error: { type: "timeout", message: "too slow" },
        },
        { id: "m3", role: "assistant", source: "generate", content: "north" },
      ],
      output: {
        model: "tiny",
        choices: [{ message: { id: "m3", role: "assistant", content: "north" }, stop_reason: "stop" }],
      },
      scores: { match: { value: "C", answer: "north" }, style: { value: { tone: 1, length: 2 } } },
      events: [
        { event: "span_begin", id: "s1", type: "solver", name: "solve" },
        {
          event: "model",
          span_id: "s1",
          output: {
            choices: [
              {
                message: { id: "m1", role: "assistant", content: "I search." },
                logprobs: { content: [{ token: "I", logprob: -0.1 }] },
              },
            ],
            usage: { input_tokens: 4, input_tokens_cache_read: 3, output_tokens: 2 },
            time: 0.5,
          },
        },
        { event: "tool", span_id: "s1", id: "c1", working_time: 0.25 },
        {
          event: "model",
          span_id: "s1",
          output: {
            choices: [{ message: { id: "m3", role: "assistant", content: "north" } }],
            usage: { input_tokens: 9, output_tokens: 1 },
            time: 0.5,
          },
        },
      ],
      attachments: { q: "Which barn is red?" },
      metadata: {},
      total_time: 2,
    },
  ],
};

/** An outcome table of two policies. */
export const outcomeTable: JsonObject = {
  schema: "turnwise.outcomes/1",
  title: "Barns",
  source: { repository: "https://example.org/barns", commit: "abc", licence: "MIT", turn: "one call" },
  envId: "barns",
  terminalRule: "hard",
  maxTurns: 3,
  policies: [
    {
      id: "base",
      label: "base",
      episodes: [
        [0, 0, 3, 0],
        [1, 0, 2, 1],
        [1, 1, 1, 0, "wrong_final"],
      ],
    },
    {
      id: "rl",
      label: "RL",
      maxTurns: 1,
      episodes: [
        [0, 0, 1, null, "error"],
        [1, 0, 1, 1],
      ],
    },
  ],
  tasks: ["b1", "b2"],
};

/** One made-up file for each importer, two where a tool has two forms. */
export const samples: readonly ImportSample[] = [
  {
    importer: verifiersImporter,
    name: "results.jsonl",
    value: [verifiersLine, { ...verifiersLine, reward: 0 }],
    isLines: true,
  },
  { importer: verifiersImporter, name: "traces.jsonl", value: [traceLine], isLines: true },
  {
    importer: tauBenchImporter,
    name: "tiny-airline.json",
    value: [tauBenchEpisode, { task_id: 5, reward: 0, trial: 0, info: { error: "boom", traceback: "..." }, traj: [] }],
  },
  { importer: tau2Importer, name: "results.json", value: tau2Results },
  { importer: intercodeImporter, name: "ic_bash_multiturn_tiny_10_turns_fs_1.json", value: { "0": intercodeRecord } },
  { importer: inspectImporter, name: "log.json", value: inspectLog },
  { importer: sweAgentImporter, name: "org__repo-1.traj", value: sweAgentFile },
  { importer: miniSweAgentImporter, name: "org__repo-1.traj.json", value: miniSweAgentFile },
  { importer: harborImporter, name: "trajectory.json", value: atifTrajectory },
  { importer: harborImporter, name: "result.json", value: harborResult },
  { importer: otelImporter, name: "traces.json", value: otelExport },
  { importer: outcomesImporter, name: "barns.json", value: outcomeTable },
];
