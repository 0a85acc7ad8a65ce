import { afterEach, expect, test } from "vitest";
import type { ChatClientOptions } from "../../src/chat/index.js";
import type { Trajectory } from "../../src/core/index.js";
import { createVaultEnv } from "../../src/envs/index.js";
import { createChatPolicy } from "../../src/policies/index.js";
import { runEpisode } from "../../src/rollout/index.js";
import { createMockKit } from "./kit.js";
import { errorReply, faultReply, textReply, toolReply, type FaultName, type Reply } from "./reply.js";

// Every fault of an endpoint, met in the middle of an episode: from the socket through client, policy and loop.

const { serve, connect, closeAll } = createMockKit();
afterEach(closeAll);

const env = createVaultEnv();
const maxTurns = 3;
/** Reading a plate again: it can be done forever. */
const stay = toolReply([{ name: "read", arguments: { plate: "colour" } }]);
const [task] = env.makeTasks?.({ split: "train", level: 1, taskCount: 1, seed: 1 }) ?? [];

interface Played {
  readonly trajectory: Trajectory;
  readonly callCount: number;
}

async function play(script: (index: number) => Reply, options: Partial<ChatClientOptions> = {}): Promise<Played> {
  const server = await serve(({ index }) => script(index));
  const policy = createChatPolicy({
    id: "chat",
    client: connect([server], { retry: { maxAttempts: 3 }, ...options }).client,
  });
  const trajectory = await runEpisode(env, policy, task, { budget: { maxTurns }, envSeed: 1, samplingSeed: 1 });
  return { trajectory, callCount: server.callCount };
}

const passing: readonly { readonly fault: FaultName; readonly streaming?: boolean; readonly errorClass: string }[] = [
  { fault: "rate_limit", errorClass: "rate_limit" },
  { fault: "rate_limit_retry_after", errorClass: "rate_limit" },
  { fault: "server_error", errorClass: "server_error" },
  { fault: "bad_gateway", errorClass: "server_error" },
  { fault: "error_in_200", errorClass: "server_error" },
  { fault: "error_in_stream", streaming: true, errorClass: "server_error" },
  { fault: "finish_reason_error", errorClass: "bad_response" },
  { fault: "finish_reason_error", streaming: true, errorClass: "bad_response" },
  { fault: "reset", errorClass: "connection" },
  { fault: "reset_in_stream", streaming: true, errorClass: "connection" },
  { fault: "cut_stream", streaming: true, errorClass: "bad_response" },
  { fault: "empty_choices", errorClass: "bad_response" },
  { fault: "broken_json", errorClass: "bad_response" },
  { fault: "html", errorClass: "bad_response" },
  { fault: "hang", errorClass: "timeout" },
  { fault: "blank_forever", errorClass: "timeout" },
  { fault: "comments_forever", streaming: true, errorClass: "timeout" },
  { fault: "endless_answer", errorClass: "bad_response" },
  { fault: "endless_stream", streaming: true, errorClass: "bad_response" },
  { fault: "error_event", streaming: true, errorClass: "server_error" },
  { fault: "null_answer", errorClass: "bad_response" },
  { fault: "role_only_stream", streaming: true, errorClass: "bad_response" },
];

test.each(passing)(
  "a passing $fault costs a request and no turn (streaming: $streaming)",
  async ({ fault, streaming }) => {
    const { trajectory, callCount } = await play((index) => (index === 1 ? faultReply(fault) : stay), {
      streaming,
      timeoutSeconds: 0.3,
    });
    expect(trajectory.stopReason).toEqual({ type: "max_turns" });
    expect(trajectory.turns).toHaveLength(maxTurns);
    expect(trajectory.turns.map(({ usage }) => usage?.requests)).toEqual([1, 2, 1]);
    expect(callCount).toBe(maxTurns + 1);
  },
);

test.each(passing)(
  "a lasting $fault ends the episode as an error of the policy, with the turns so far (streaming: $streaming)",
  async ({ fault, streaming, errorClass }) => {
    const { trajectory, callCount } = await play((index) => (index >= 1 ? faultReply(fault) : stay), {
      streaming,
      timeoutSeconds: errorClass === "timeout" ? 0.3 : undefined,
    });
    expect(trajectory.stopReason).toMatchObject({ type: "error", boundary: "policy", errorClass });
    expect(trajectory.success).toBeUndefined();
    expect(trajectory.turns).toHaveLength(1);
    expect(callCount).toBe(1 + 3);
  },
);

test("a context that overflows in mid-episode ends it as context_overflow, graded, without another try", async () => {
  const { trajectory, callCount } = await play((index) => (index === 2 ? faultReply("context_overflow") : stay));
  expect(trajectory.stopReason).toEqual({ type: "context_overflow" });
  expect(trajectory.turns).toHaveLength(2);
  expect(trajectory.success).toBe(false);
  expect(callCount).toBe(3);
});

test("reasoning without content that is cut at the limit costs a turn and is no error", async () => {
  const { trajectory } = await play((index) => (index === 1 ? faultReply("reasoning_only") : stay));
  expect(trajectory.stopReason).toEqual({ type: "max_turns" });
  expect(trajectory.turns[1].action).toMatchObject({ text: "", reasoning: "First I should consider" });
  expect(trajectory.turns[1].action.invalid).toMatch(/cut at the token limit/);
  expect(trajectory.turns[1].flags?.invalid).toBe(true);
});

test("broken arguments cost a turn, go back word for word, and the next turn is asked normally", async () => {
  const server = await serve(({ index }) => (index === 1 ? faultReply("broken_arguments") : stay));
  const policy = createChatPolicy({ id: "chat", client: connect([server]).client });
  const { turns, stopReason } = await runEpisode(env, policy, task, { budget: { maxTurns } });
  expect(stopReason).toEqual({ type: "max_turns" });
  expect(turns[1].flags?.invalid).toBe(true);
  const { messages } = server.calls[2].body;
  expect(JSON.stringify(messages)).toContain(JSON.stringify({ name: "move", arguments: '{"direction": "le' }));
});

const deep = `${'{"plate":'.repeat(20_000)}1${"}".repeat(20_000)}`;
test.each([
  {
    surface: "tools",
    normal: stay,
    reply: toolReply([{ name: "read", arguments: deep }]),
    toolCalls: [{ name: "read", rawArguments: deep }],
  },
  {
    surface: "text",
    normal: textReply("<action>read colour</action>"),
    reply: textReply(`<action>read ${deep}</action>`),
    toolCalls: undefined,
  },
] as const)(
  "arguments nested 20,000 levels deep cost a turn ($surface)",
  async ({ surface, normal, reply, toolCalls }) => {
    const server = await serve(({ index }) => (index === 1 ? reply : normal));
    const policy = createChatPolicy({ id: "chat", surface, client: connect([server]).client });
    const trajectory = await runEpisode(env, policy, task, { budget: { maxTurns } });
    expect(trajectory.stopReason).toEqual({ type: "max_turns" });
    expect(trajectory.turns.map(({ flags }) => flags?.invalid === true)).toEqual([false, true, false]);
    if (toolCalls !== undefined) expect(trajectory.turns[1].action.toolCalls).toMatchObject(toolCalls);
    expect(JSON.stringify(trajectory)).toContain("plate");
  },
);

test.each([
  { name: "a wrong key", reply: faultReply("unauthorized"), errorClass: "authentication" },
  { name: "a bad request", reply: errorReply(400, "unknown field"), errorClass: "bad_request" },
  { name: "a model that is not there", reply: errorReply(404, "no such model"), errorClass: "not_found" },
  { name: "an HTML page from the start", reply: faultReply("html"), errorClass: "bad_response" },
])("$name ends the episode at once", async ({ reply, errorClass }) => {
  const { trajectory, callCount } = await play(() => reply);
  expect(trajectory.stopReason).toMatchObject({ type: "error", boundary: "policy", errorClass });
  expect(callCount).toBe(1);
});
