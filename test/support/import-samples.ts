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

/** A SWE-agent file of the newest generation. */
export const sweAgentFile: JsonObject = {
  environment: "main",
  trajectory: [
    {
      action: "ls",
      observation: "main.py\n",
      response: "I look.",
      thought: "I look.",
      state: { open_file: "n/a" },
      execution_time: 0.2,
      query: [{ role: "system", content: "S" }],
    },
    { action: "submit", observation: "diff", response: "Done.", thought: "Done.", state: {}, execution_time: 0.1 },
  ],
  history: [
    { role: "system", content: "S", agent: "main", message_type: "system_prompt" },
    { role: "user", content: "A demonstration", agent: "main", is_demo: true },
    { role: "user", content: "Fix the bug", agent: "main", message_type: "observation" },
    {
      role: "assistant",
      content: "I look.",
      thought: "I look.",
      action: "ls",
      agent: "main",
      message_type: "action",
      tool_calls: [call("c1", "bash", '{"command": "ls"}')],
    },
    { role: "tool", content: "main.py\n", agent: "main", message_type: "observation", tool_call_ids: ["c1"] },
    { role: "assistant", content: "Done.", thought: "Done.", action: "submit", agent: "main", message_type: "action" },
    { role: "user", content: "diff", agent: "main", message_type: "observation" },
  ],
  info: {
    exit_status: "submitted",
    submission: "diff",
    model_stats: { instance_cost: 0.1, api_calls: 2 },
    swe_agent_version: "1.1.0",
  },
  replay_config: {
    agent: { model: { name: "tiny", per_instance_cost_limit: 3, per_instance_call_limit: 0 } },
    problem_statement: { id: "org__repo-1" },
  },
};

/** A mini-swe-agent file of version 2. */
export const miniSweAgentFile: JsonObject = {
  trajectory_format: "mini-swe-agent-1.1",
  instance_id: "org__repo-1",
  info: {
    model_stats: { instance_cost: 0.1, api_calls: 2 },
    config: { agent: { step_limit: 2, cost_limit: 3 }, model: { model_name: "tiny" } },
    mini_version: "2.2.7",
    exit_status: "Submitted",
    submission: "diff",
  },
  messages: [
    { role: "system", content: "S" },
    { role: "user", content: "Fix the bug" },
    {
      role: "assistant",
      content: "I look.",
      tool_calls: [call("c1", "bash", '{"command": "ls"}')],
      extra: {
        actions: [{ command: "ls", tool_call_id: "c1" }],
        cost: 0.05,
        response: { usage: { prompt_tokens: 20, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 10 } } },
      },
    },
    {
      role: "tool",
      tool_call_id: "c1",
      content: "<returncode>2</returncode>",
      extra: { returncode: 2, raw_output: "" },
    },
    {
      role: "assistant",
      content: "Done.",
      tool_calls: [call("c2", "bash", '{"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"}')],
      extra: { cost: 0.05 },
    },
    { role: "exit", content: "diff", extra: { exit_status: "Submitted", submission: "diff" } },
  ],
};

/** An ATIF trajectory with a step that called no model and one copied from elsewhere. */
export const atifTrajectory: JsonObject = {
  schema_version: "ATIF-v1.7",
  session_id: "session-1",
  agent: { name: "terminus-2", version: "2", model_name: "tiny" },
  steps: [
    { step_id: 1, source: "user", message: "Make the file" },
    { step_id: 2, source: "agent", message: "Earlier words", is_copied_context: true },
    {
      step_id: 3,
      source: "agent",
      message: "I look.",
      reasoning_content: "hm",
      tool_calls: [{ tool_call_id: "c1", function_name: "bash", arguments: { command: "ls" } }],
      observation: { results: [{ source_call_id: "c1", content: "Error: no such folder" }] },
      metrics: {
        prompt_tokens: 10,
        completion_tokens: 3,
        cached_tokens: 4,
        cost_usd: 0.01,
        completion_token_ids: [1, 2],
        logprobs: [-0.1, -0.2],
      },
    },
    { step_id: 4, source: "agent", message: "A hook ran", llm_call_count: 0 },
    { step_id: 5, source: "agent", message: "Done.", observation: { results: [{ content: "screen" }] } },
  ],
  final_metrics: { total_steps: 5 },
};

/** The result of a Harbor trial. */
export const harborResult: JsonObject = {
  id: "x",
  task_name: "make-file",
  trial_name: "make-file__1",
  task_checksum: "abc",
  source: "terminal-bench",
  agent_info: { name: "terminus-2", version: "2", model_info: { name: "tiny", provider: "p" } },
  verifier_result: { rewards: { reward: 1 } },
  exception_info: null,
};

const attribute = (key: string, value: JsonValue): JsonObject => ({
  key,
  value:
    typeof value === "number"
      ? { intValue: String(value) }
      : { stringValue: typeof value === "string" ? value : JSON.stringify(value) },
});
const span = (
  spanId: string,
  parentSpanId: string,
  start: number,
  attributes: readonly JsonObject[],
  more: JsonObject = {},
): JsonObject => ({
  traceId: "t1",
  spanId,
  parentSpanId,
  name: "span",
  startTimeUnixNano: `${start}000000000`,
  endTimeUnixNano: `${start + 1}000000000`,
  attributes,
  ...more,
});
const asked = { role: "user", parts: [{ type: "text", content: "Which barn is red?" }] };
const searched = {
  role: "assistant",
  parts: [{ type: "tool_call", id: "c1", name: "search", arguments: { query: "barn" } }],
};
const found = { role: "tool", parts: [{ type: "tool_call_response", id: "c1", response: "north" }] };

/** An OTLP export of one agent with two model calls, a tool, and an evaluation. */
export const otelExport: JsonObject = {
  resourceSpans: [
    {
      resource: { attributes: [attribute("service.name", "barns")] },
      scopeSpans: [
        {
          spans: [
            span(
              "a",
              "",
              1,
              [attribute("gen_ai.operation.name", "invoke_agent"), attribute("gen_ai.agent.name", "finder")],
              {
                events: [
                  {
                    name: "gen_ai.evaluation.result",
                    attributes: [
                      attribute("gen_ai.evaluation.name", "exact"),
                      { key: "gen_ai.evaluation.score.value", value: { doubleValue: 1 } },
                    ],
                  },
                ],
              },
            ),
            span("b", "a", 2, [
              attribute("gen_ai.operation.name", "chat"),
              attribute("gen_ai.request.model", "tiny"),
              attribute("gen_ai.usage.input_tokens", 7),
              attribute("gen_ai.usage.output_tokens", 2),
              attribute("gen_ai.input.messages", [asked]),
              attribute("gen_ai.output.messages", [{ ...searched, finish_reason: "tool_call" }]),
            ]),
            span("c", "a", 4, [
              attribute("gen_ai.operation.name", "execute_tool"),
              attribute("gen_ai.tool.name", "search"),
              attribute("gen_ai.tool.call.id", "c1"),
            ]),
            span("d", "a", 6, [
              attribute("gen_ai.operation.name", "chat"),
              attribute("gen_ai.request.model", "tiny"),
              attribute("gen_ai.input.messages", [asked, searched, found]),
              attribute("gen_ai.output.messages", [
                {
                  role: "assistant",
                  parts: [
                    { type: "reasoning", content: "hm" },
                    { type: "text", content: "north" },
                  ],
                },
              ]),
            ]),
          ],
        },
      ],
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
