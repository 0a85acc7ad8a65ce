import fc from "fast-check";
import { expect, test } from "vitest";
import {
  createCounterEnv,
  createCounterTasks,
  createFunctionPolicy,
  createListPolicy,
  toAction,
} from "../../test/support/tiny.js";
import { contextModes, type Disclosure, type Env, type PolicyRequest, type Trajectory } from "../core/index.js";
import { summarizeTurns, type EpisodePrefix } from "./prefix.js";
import { replayTurns } from "./replay.js";
import { runEpisode } from "./run-episode.js";

const [task] = createCounterTasks(1);
const env = createCounterEnv({ goal: 4 });
/** The same env, without snapshots: it can only be played again from the seed. */
function hideState(inner: Env): Env {
  const { resume: _resume, ...rest } = inner;
  return {
    ...rest,
    async start(one, seed) {
      const { snapshot: _snapshot, ...session } = await inner.start(one, seed);
      return session;
    },
  };
}

async function cutEpisode(source: Env, episode: Trajectory, turnCount: number): Promise<EpisodePrefix> {
  const turns = episode.turns.slice(0, turnCount);
  const observation = episode.turns[turnCount]?.observation ?? episode.finalObservation ?? { text: "" };
  const { session, snapshots } = await replayTurns(source, task, 0, turns, { last: observation });
  await session.close();
  const snapshot = snapshots[turnCount];
  return { id: "p", turns, observation, ...(snapshot === undefined ? {} : { snapshot }) };
}

test.each([
  { name: "from its state", source: env },
  { name: "by playing its turns again", source: hideState(env) },
])("runEpisode() goes on from a prefix $name as if it had not been interrupted", async ({ source }) => {
  const word = fc.constantFrom("up", "down", "what");
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 6, maxLength: 10 }), fc.nat({ max: 3 }), async (texts, cut) => {
      const policy = createListPolicy(texts);
      const whole = await runEpisode(source, policy, task, { budget: { maxTurns: 8 } });
      if (cut >= whole.turns.length) return;
      const prefix = await cutEpisode(source, whole, cut);
      const rest = await runEpisode(source, policy, task, { budget: { maxTurns: 8 - cut }, prefix });
      expect(rest.turns).toEqual(whole.turns.slice(cut));
      expect([rest.stopReason, rest.success, rest.finalObservation]).toEqual([
        whole.stopReason,
        whole.success,
        whole.finalObservation,
      ]);
      expect(rest.prefix).toEqual({ id: "p", turnCount: cut, context: "full" });
    }),
    { numRuns: 60 },
  );
});

test.each<{ disclosure: Disclosure; notices: (string | undefined)[] }>([
  { disclosure: "countdown", notices: ["Turns left, this one included: 2.", "Turns left, this one included: 1."] },
  { disclosure: "static", notices: ["You have 2 turns in all.", undefined] },
  { disclosure: "hidden", notices: [undefined, undefined] },
])("runEpisode() counts and tells the budget from the prefix on ($disclosure)", async ({ disclosure, notices }) => {
  const whole = await runEpisode(env, createListPolicy(["down"]), task, {
    budget: { maxTurns: 3 },
    disclosure: "countdown",
  });
  const seen: PolicyRequest[] = [];
  const policy = createFunctionPolicy((request) => {
    seen.push(request);
    return "up";
  });
  const prefix = await cutEpisode(env, whole, 3);
  const rest = await runEpisode(env, policy, task, { budget: { maxTurns: 2 }, disclosure, prefix });
  expect(rest.turns.map((turn) => turn.notice)).toEqual(notices);
  expect([rest.stopReason.type, rest.budget]).toEqual(["max_turns", { maxTurns: 2 }]);
  expect(seen.map((request) => request.disclosed?.turnsLeft)).toEqual(
    disclosure === "hidden" ? [undefined, undefined] : [2, 1],
  );
  expect(seen[0].turns.map((turn) => turn.notice)).toEqual([undefined, undefined, undefined]);
});

test.each(contextModes)("runEpisode() shows the turns before as context mode %s says", async (context) => {
  const whole = await runEpisode(env, createListPolicy(["up", "what"]), task, { budget: { maxTurns: 2 } });
  const prefix = { ...(await cutEpisode(env, whole, 2)), context };
  const seen: PolicyRequest[] = [];
  const policy = createFunctionPolicy((request) => {
    seen.push({ ...request, turns: [...request.turns] });
    return "up";
  });
  const { turns } = await runEpisode(env, policy, task, { budget: { maxTurns: 9 }, prefix });
  expect(seen.map((request) => request.turns.length)).toEqual(context === "full" ? [2, 3, 4] : [0, 1, 2]);
  expect(seen.map((request) => request.turnIndex)).toEqual(context === "full" ? [2, 3, 4] : [0, 1, 2]);
  const { text } = seen[0].observation;
  if (context === "full") expect(text).toBe("1");
  if (context === "summary") expect(text).toBe("0\n\nSo far in this episode:\n1. up -> 1\n2. what -> 1\n\nNow:\n1");
  if (context === "state_only") expect(text).toBe("0"); // what the counter env shows when it is taken up
  expect(turns).toHaveLength(3);
});

test("runEpisode() records an env that answers a prefix otherwise as an error of the env", async () => {
  const whole = await runEpisode(env, createListPolicy(["up"]), task, { budget: { maxTurns: 2 } });
  const { snapshot: _state, ...prefix } = await cutEpisode(env, whole, 2);
  const other = hideState(createCounterEnv({ goal: 1 }));
  const { stopReason, success } = await runEpisode(other, createListPolicy(["up"]), task, { prefix });
  expect(stopReason).toMatchObject({ type: "error", boundary: "env", errorClass: "replay_diverged" });
  expect(success).toBeUndefined();
});

test("replayTurns() keeps a call of a tool that does not exist as a step without effect, also where the env throws", async () => {
  const strict = hideState(
    createCounterEnv({
      goal: 4,
      onStep: (text) => {
        if (text === "fly") throw new Error("No such tool");
      },
    }),
  );
  const turn = (text: string, shown: string) => ({ observation: { text: shown }, action: toAction(text) });
  const turns = [turn("up", "0"), { ...turn("fly", "1"), flags: { unknownTool: true as const } }, turn("up", "1")];
  const { session, steps } = await replayTurns(strict, task, 0, turns, { last: { text: "2" } });
  await session.close();
  expect(steps.map((step) => step?.observation.text)).toEqual(["1", undefined, "2"]);
  const unflagged = turns.map(({ observation, action }) => ({ observation, action }));
  await expect(replayTurns(strict, task, 0, unflagged)).rejects.toThrow(
    "Cannot play recorded turn 2 again: No such tool",
  );
});

test("replayTurns() refuses another last observation and an action that ends the episode early", async () => {
  const turns = ["0", "1"].map((text) => ({ observation: { text }, action: toAction("up") }));
  await expect(replayTurns(env, task, 0, turns, { last: { text: "7" } })).rejects.toThrow("before turn 3 differs");
  const short = createCounterEnv({ goal: 1 });
  await expect(replayTurns(short, task, 0, turns)).rejects.toThrow("turn 1 ended the episode (solved)");
});

test("summarizeTurns() writes calls with their arguments and cuts long answers", () => {
  const call = { text: "", toolCalls: [{ name: "move", arguments: { direction: "up" } }] };
  const lines = summarizeTurns(
    [
      { observation: { text: "" }, action: call },
      { observation: { text: "x".repeat(999) }, action: { text: "", invalid: "none" } },
    ],
    { text: "end", toolResults: [{ text: "moved" }] },
  ).split("\n");
  expect(lines[0]).toMatch(/^1\. move\(\{"direction":"up"\}\) -> x{239}…$/);
  expect(lines[1]).toBe("2. (no action could be read) -> end moved");
});
