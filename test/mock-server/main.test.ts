import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { afterEach, expect, test } from "vitest";
import { createFrozenLakeEnv, createLookupEnv, createVaultEnv } from "../../src/envs/index.js";
import { createChatPolicy } from "../../src/policies/index.js";
import { runEpisode } from "../../src/rollout/index.js";
import { createMockKit, hello } from "./kit.js";

const { connect, closeAll } = createMockKit();
const children: ChildProcess[] = [];
afterEach(async () => {
  await closeAll();
  for (const child of children.splice(0)) child.kill();
});

/** Starts the mock as a process and returns its URL, the first line it prints. */
async function start(...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ["--import", "tsx", "test/mock-server/main.ts", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error("The mock server ended without printing its URL");
}

test("the mock runs as a process and plays the envs over both surfaces, the same way each time", async () => {
  const url = await start("--behaviour", "random", "--seed", "4");
  for (const env of [createFrozenLakeEnv(), createVaultEnv(), createLookupEnv()]) {
    const [task] = env.makeTasks?.({ split: "eval", level: 1, taskCount: 1, seed: 1 }) ?? [];
    for (const surface of ["tools", "text"] as const) {
      const { client } = connect([], { endpoints: [{ baseUrl: url, model: "mock" }] });
      const policy = createChatPolicy({ id: "chat", client, surface });
      const options = { budget: { maxTurns: 6 }, samplingSeed: 2, envSeed: 2 };
      const played = await runEpisode(env, policy, task, options);
      expect(played.stopReason.type).not.toBe("error");
      expect(played.turns.some(({ action }) => (action.toolCalls ?? []).length > 0)).toBe(true);
      expect(await runEpisode(env, policy, task, options)).toEqual(played);
    }
  }
});

test("the mock process can answer instantly and mix faults in", async () => {
  const [instant, faulty] = await Promise.all([
    start("--behaviour", "instant", "--tool", "move", "--arguments", '{"direction":"up"}'),
    start("--behaviour", "text", "--text", "fine", "--fault", "server_error", "--fault-every", "2"),
  ]);
  const fast = connect([], { endpoints: [{ baseUrl: instant, model: "mock" }] }).client;
  expect((await fast.complete(hello)).message.toolCalls[0]).toMatchObject({
    name: "move",
    arguments: { direction: "up" },
  });
  const { client } = connect([], { endpoints: [{ baseUrl: faulty, model: "mock" }] });
  expect((await client.complete(hello)).requestCount).toBe(1);
  expect(await client.complete(hello)).toMatchObject({ requestCount: 2, message: { content: "fine" } });
});
