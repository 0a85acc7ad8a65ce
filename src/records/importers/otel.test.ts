import { expect, test } from "vitest";
import { createSource, importAll } from "../../../test/support/importing.js";
import { otelExport } from "../../../test/support/agent-samples.js";
import type { JsonObject, JsonValue } from "../../core/index.js";
import type { ImportOptions } from "./importer.js";
import { otelImporter } from "./otel.js";

const read = (content: object | string, options: ImportOptions = {}) =>
  importAll(otelImporter, createSource("traces.json", content), options);

/** Builds an export from spans given by id, parent, start and plain attributes. */
function createExport(
  ...spans: readonly (readonly [id: string, parent: string, attributes: Record<string, JsonValue>, more?: JsonObject])[]
): JsonObject {
  const written = spans.map(([spanId, parentSpanId, attributes, more], index): JsonObject => ({
    traceId: "t",
    spanId,
    parentSpanId,
    name: "s",
    startTimeUnixNano: String(index + 1),
    endTimeUnixNano: String(index + 2),
    attributes: Object.entries(attributes).map(([key, value]) => ({
      key,
      value:
        typeof value === "string"
          ? { stringValue: value }
          : typeof value === "number"
            ? { doubleValue: value }
            : { stringValue: JSON.stringify(value) },
    })),
    ...more,
  }));
  return { resourceSpans: [{ resource: {}, scopeSpans: [{ spans: written }] }] };
}

const chat = { "gen_ai.operation.name": "chat", "gen_ai.request.model": "tiny" };
const agent = { "gen_ai.operation.name": "invoke_agent" };

test("reads chat spans below an agent as turns, and shows each part of the history once", async () => {
  const { trajectories } = await read(otelExport);
  expect(trajectories).toHaveLength(1);
  expect(trajectories[0].turns).toMatchObject([
    {
      observation: { text: "Which barn is red?" },
      action: { toolCalls: [{ id: "c1", name: "search", arguments: { query: "barn" } }] },
      usage: { promptTokens: 7, completionTokens: 2 },
      timing: { policySeconds: 1, envSeconds: 1 },
    },
    {
      observation: { text: "", toolResults: [{ callId: "c1", text: "north" }] },
      action: { text: "north", reasoning: "hm" },
    },
  ]);
  expect(trajectories[0]).toMatchObject({
    success: true,
    scores: { exact: 1 },
    policy: { id: "tiny" },
    env: { id: "finder" },
  });
});

test("reads one export a line, also when a trace is spread over several", async () => {
  const [group] = otelExport["resourceSpans"] as JsonObject[]; // the sample has one
  const [scope] = group["scopeSpans"] as JsonObject[]; // and one scope
  const spans = scope["spans"] as JsonObject[]; // of spans
  const lines = spans.map((span) => JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }));
  const { trajectories } = await read(`${lines.join("\n")}\n`);
  expect(trajectories).toHaveLength(1);
  expect(trajectories[0].turns).toHaveLength(2);
});

test("a failed call is no turn, a called agent's calls are not its caller's", async () => {
  const { trajectories } = await read(
    createExport(
      ["a", "", agent],
      ["b", "a", chat, { status: { code: 2 } }],
      ["c", "a", chat],
      ["d", "c", agent],
      ["e", "d", chat],
    ),
  );
  expect(trajectories).toHaveLength(1);
  expect(trajectories[0].turns).toHaveLength(1);
  expect(trajectories[0].provenance?.notes.join(" ")).toMatch(/1 failed model calls .*1 model calls of called agents/);
});

test("without recorded content, tool spans give the calls and each trace is its own task", async () => {
  const tool = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "search",
    "gen_ai.tool.call.arguments": '{"q":1}',
    "gen_ai.tool.call.result": "north",
  };
  const { trajectories } = await read(
    createExport(
      ["a", "", agent],
      ["b", "a", chat],
      ["c", "a", tool, { status: { code: "STATUS_CODE_ERROR" } }],
      ["d", "a", chat],
    ),
  );
  expect(trajectories[0].turns).toMatchObject([
    { action: { toolCalls: [{ name: "search", arguments: { q: 1 } }] }, flags: { toolError: true } },
    { observation: { toolResults: [{ text: "north" }] } },
  ]);
});

test("groups spans without an agent by conversation, else by trace", async () => {
  const { trajectories } = await read(
    createExport(
      ["a", "", { ...chat, "gen_ai.conversation.id": "x" }],
      ["b", "", { ...chat, "gen_ai.conversation.id": "y" }],
      ["c", "", { ...chat, "gen_ai.conversation.id": "x" }],
      ["d", "", chat],
    ),
  );
  expect(trajectories.map(({ turns }) => turns.length)).toEqual([2, 1, 1]);
});

test.each([
  {
    name: "span events",
    attributes: chat,
    more: {
      events: [
        { name: "gen_ai.user.message", attributes: [{ key: "content", value: { stringValue: "Q" } }] },
        { name: "gen_ai.choice", attributes: [{ key: "message", value: { stringValue: '{"content":"A"}' } }] },
      ],
    },
  },
  {
    name: "OpenLLMetry attributes",
    attributes: {
      "llm.request.type": "chat",
      "gen_ai.prompt.0.role": "user",
      "gen_ai.prompt.0.content": "Q",
      "gen_ai.completion.0.content": "A",
    },
  },
  {
    name: "OpenInference attributes",
    attributes: {
      "openinference.span.kind": "LLM",
      "llm.input_messages.0.message.role": "user",
      "llm.input_messages.0.message.content": "Q",
      "llm.output_messages.0.message.content": "A",
    },
  },
  {
    name: "the details event",
    attributes: chat,
    more: {
      events: [
        {
          name: "gen_ai.client.inference.operation.details",
          attributes: [
            { key: "gen_ai.input.messages", value: { stringValue: '[{"role":"user","content":"Q"}]' } },
            { key: "gen_ai.output.messages", value: { stringValue: '[{"role":"assistant","content":"A"}]' } },
          ],
        },
      ],
    },
  },
] as { name: string; attributes: Record<string, JsonValue>; more?: JsonObject }[])(
  "reads messages from $name",
  async ({ attributes, more }) => {
    const { trajectories } = await read(createExport(["a", "", attributes, more]));
    expect(trajectories[0].turns).toMatchObject([{ observation: { text: "Q" }, action: { text: "A" } }]);
  },
);

test.each([
  { name: "label pass", attributes: { "gen_ai.evaluation.score.label": "pass" }, success: true },
  {
    name: "label fail with a score",
    attributes: { "gen_ai.evaluation.score.label": "fail", "gen_ai.evaluation.score.value": 1 },
    success: false,
  },
  { name: "a score below 1", attributes: { "gen_ai.evaluation.score.value": 0.9 }, success: false },
  { name: "no score", attributes: {}, success: undefined },
])("reads an evaluation event: $name", async ({ attributes, success }) => {
  const written = Object.entries(attributes).map(([key, value]: [string, string | number]) => ({
    key,
    value: typeof value === "string" ? { stringValue: value } : { doubleValue: value },
  }));
  const { trajectories } = await read(
    createExport(
      ["a", "", agent, { events: [{ name: "gen_ai.evaluation.result", attributes: written }] }],
      ["b", "a", chat],
    ),
  );
  expect(trajectories[0].success).toBe(success);
});

test("takes task, reward and success from attributes that the user names", async () => {
  const named = { ...agent, "app.task": "barn-1", "app.reward": 0.4, "app.ok": "true" };
  const { trajectories } = await read(createExport(["a", "", named], ["b", "a", chat]), {
    taskField: "app.task",
    rewardField: "app.reward",
    successThreshold: 0.3,
  });
  expect(trajectories[0]).toMatchObject({ task: { id: "barn-1" }, episodeReturn: 0.4, success: true });
});

test("an agent span with an error has no outcome", async () => {
  const { trajectories } = await read(
    createExport(
      ["a", "", { ...agent, "error.type": "Timeout" }, { status: { code: 2, message: "late" } }],
      ["b", "a", chat],
    ),
  );
  expect(trajectories[0].stopReason).toMatchObject({
    type: "error",
    boundary: "env",
    errorClass: "Timeout",
    message: "late",
  });
});

test("spans that are no model calls give a problem, not silence", async () => {
  const { trajectories, problems } = await read(createExport(["a", "", { "http.method": "GET" }]));
  expect(trajectories).toEqual([]);
  expect(problems).toMatchObject([{ problemClass: "no_episodes" }]);
});

test("parents that go in a circle do not hang the import", async () => {
  const { trajectories } = await read(createExport(["a", "b", chat], ["b", "a", chat]));
  expect(trajectories[0].turns).toHaveLength(2);
});
