import type { JsonObject, JsonValue } from "../../src/core/index.js";

const call = (id: string, name: string, values: string): JsonObject => ({
  id,
  type: "function",
  function: { name, arguments: values },
});

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
