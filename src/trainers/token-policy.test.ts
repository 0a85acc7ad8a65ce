import { expect, test } from "vitest";
import { createTableTrainer } from "../../test/support/table-trainer.js";
import { tinyWalk, walk } from "../../test/support/tiny-walk.js";
import { createWalkTraining } from "../../test/support/walk-training.js";
import {
  policyContractChecks,
  PolicyError,
  type Action,
  type Policy,
  type PolicyRequest,
  type PolicyResult,
  type Trajectory,
} from "../core/index.js";
import { createVaultEnv } from "../envs/index.js";
import { runEpisode, runLockstep, type LockstepEntry } from "../rollout/index.js";
import { createWordCodec, gatherCodecEpisodes } from "../train/index.js";
import { createTokenPolicy } from "./token-policy.js";

const ofWalk = await createWalkTraining();
const vault = createVaultEnv();
const vaultTasks = vault.makeTasks?.({ split: "train", level: 1, taskCount: 12, seed: 1 }) ?? [];
const vaultCodec = createWordCodec({ env: vault, episodes: await gatherCodecEpisodes(vault, vaultTasks, { seed: 1 }) });
const ofVault = createTokenPolicy({
  id: "vault",
  generator: createTableTrainer({ vocabularySize: vaultCodec.vocabulary.length }),
  codec: vaultCodec,
});

test.each([
  ...policyContractChecks(ofWalk.policy, ofWalk.env),
  ...policyContractChecks(ofVault, vault, { maxTurns: 4 }),
])("a token policy keeps the contract of policies: $name", async (check) => {
  await expect(check.run()).resolves.toBeUndefined();
});

const [task] = ofWalk.tasks;
/** A seed of an untrained walker that wanders before it quits. */
const play = { budget: { maxTurns: 6 }, samplingSeed: 41 };

/** Returns the policy with every request it is asked noted. */
function watch(policy: Policy): { readonly policy: Policy; readonly requests: PolicyRequest[] } {
  const requests: PolicyRequest[] = [];
  const act = (request: PolicyRequest): PolicyResult | Promise<PolicyResult> => {
    requests.push({ ...request, turns: [...request.turns] });
    return policy.act(request);
  };
  return { policy: { id: policy.id, config: policy.config, act }, requests };
}

test("an episode played alone, in a batch and asked for again has the same tokens", async () => {
  const { policy, env, tasks } = await createWalkTraining();
  const alone = await runEpisode(env, policy, task, play);
  const entries = tasks.map((each, index): LockstepEntry => ({
    env,
    task: each,
    options: { ...play, samplingSeed: index + 3 },
  }));
  const [together] = await runLockstep(policy, [{ env, task, options: play }, ...entries]);
  expect(together.turns).toEqual(alone.turns);
  expect((await runEpisode(env, policy, task, play)).turns).toEqual(alone.turns);
  expect(alone.turns.length).toBeGreaterThan(2);
});

test("a stream only grows: each call sends what is new, and the prompt of a turn begins with all tokens before it", async () => {
  const { policy, env, trainer } = await createWalkTraining();
  const { turns } = await runEpisode(env, policy, task, play);
  for (const [index, { tokens }] of turns.entries()) {
    const before =
      index === 0 ? [] : [...(turns[index - 1].tokens?.promptIds ?? []), ...(turns[index - 1].tokens?.ids ?? [])];
    expect(tokens?.promptIds?.slice(0, before.length)).toEqual(before);
  }
  const sent = trainer.calls
    .filter(({ name }) => name === "generate")
    .flatMap(({ detail }) => detail as { append: number[] }[]); // what generate() notes
  const sampled = turns.flatMap(({ tokens }) => tokens?.ids ?? []);
  expect(sent.flatMap(({ append }) => append).length + sampled.length).toBe([...trainer.streams.values()][0].length);
});

test("getSequence() gives the ids that were sampled, masked, with the temperature they were drawn at", async () => {
  const { policy, env } = await createWalkTraining({ temperature: 0.5 });
  const { turns } = await runEpisode(env, policy, task, play);
  const sequence = policy.getSequence(task.hash, play.samplingSeed);
  expect(sequence?.ids.filter((_, i) => sequence.actionMask[i])).toEqual(
    turns.flatMap(({ tokens }) => tokens?.ids ?? []),
  );
  expect(sequence?.temperature).toBe(0.5);
  expect(sequence?.actionMask.at(-1)).toBe(true);
  expect(policy.getSequence(task.hash, 8)).toBeUndefined();
  await policy.endEpisodes();
  expect(policy.getSequence(task.hash, play.samplingSeed)).toBeUndefined();
});

test("episodes that share task and seed but not their budget or their beginning are not taken for one another", async () => {
  const { policy, env } = await createWalkTraining();
  const first = await env.start(task, 0);
  const told = (maxTurns: number) => ({ budget: { maxTurns }, disclosure: "static" as const, samplingSeed: 41 });
  const alone = [await runEpisode(env, policy, task, told(4)), await runEpisode(env, policy, task, told(8))];
  await policy.endEpisodes();
  const together = await runLockstep(
    policy,
    [4, 8].map((maxTurns) => ({ env, task, options: told(maxTurns) })),
  );
  expect(together.map(({ turns }) => turns)).toEqual(alone.map(({ turns }) => turns));
  await policy.endEpisodes();
  const prefixed = ["left", "right"].map((direction) => ({
    ...play,
    prefix: {
      id: direction,
      turns: [{ observation: first.observation, action: walk(direction) }],
      observation: { text: `You are at ${direction === "left" ? -1 : 1}.` },
    },
  }));
  const apart: Trajectory[] = [];
  for (const options of prefixed) {
    apart.push(await runEpisode(env, policy, task, options));
    await policy.endEpisodes();
  }
  const mixed = await runLockstep(
    policy,
    prefixed.map((options) => ({ env, task, options })),
  );
  expect(mixed.map(({ turns }) => turns)).toEqual(apart.map(({ turns }) => turns));
  expect(apart.every(({ turns }) => turns.length > 0)).toBe(true);
});

test("a turn of another policy is read, not trained on", async () => {
  const { policy, env, codec } = await createWalkTraining();
  let turn = 0;
  const mixed: Policy = {
    id: "mixed",
    config: null,
    act: (request) => ((turn += 1) % 2 === 0 ? { action: walk("left") } : policy.act(request)),
  };
  const { turns } = await runEpisode(env, mixed, task, { ...play, budget: { maxTurns: 5 } });
  const own = turns.filter(({ tokens }) => tokens !== undefined);
  expect(turns.length).toBeGreaterThan(own.length);
  const sequence = policy.getSequence(task.hash, play.samplingSeed);
  expect(sequence?.ids.filter((_, i) => sequence.actionMask[i])).toEqual(
    own.flatMap(({ tokens }) => tokens?.ids ?? []),
  );
  const left = codec.startSession().encodeAction(walk("left")) ?? [];
  expect(` ${sequence?.ids.join(" ")} `).toContain(` ${left.join(" ")} `);
});

test("ids that another policy recorded in its own vocabulary are not read as ours", async () => {
  const { policy, env } = await createWalkTraining();
  const foreign: PolicyResult = { action: walk("right"), tokens: { ids: [99_999], promptIds: [88_888] } };
  let turn = 0;
  const mixed: Policy = {
    id: "mixed",
    config: null,
    act: (request) => ((turn += 1) === 1 ? foreign : policy.act(request)),
  };
  const { stopReason } = await runEpisode(env, mixed, task, play);
  expect(stopReason.type).not.toBe("error");
  expect(policy.getSequence(task.hash, play.samplingSeed)?.ids.every((id) => id < 1000)).toBe(true);
});

test("a failed call ends its batch, and the policy can be asked again", async () => {
  const { env, trainer, codec } = await createWalkTraining();
  let fails = true;
  const policy = createTokenPolicy({
    id: "walker",
    codec,
    generator: {
      ...trainer,
      generate: (requests) => (fails ? Promise.reject(new Error("the engine is gone")) : trainer.generate(requests)),
    },
  });
  const failed = await runEpisode(env, policy, task, play);
  expect(failed.stopReason).toMatchObject({ type: "error", boundary: "policy", message: "the engine is gone" });
  expect(trainer.calls.at(-1)?.name).toBe("end");
  fails = false;
  expect((await runEpisode(env, policy, task, play)).turns.length).toBeGreaterThan(0);
});

test("an episode that overflows the context ends by itself; the others of its batch go on", async () => {
  const whole = await createWalkTraining();
  const { turns } = await runEpisode(whole.env, whole.policy, task, play);
  const second = turns[1].tokens?.promptIds?.length ?? 0;
  const { policy, env, tasks } = await createWalkTraining({ contextLength: second });
  const short = { ...play, budget: { maxTurns: 1 } };
  const [long, other] = await runLockstep(policy, [
    { env, task, options: play },
    { env, task: tasks[1], options: short },
  ]);
  expect(long.stopReason).toEqual({ type: "context_overflow" });
  expect(long.turns).toHaveLength(1);
  expect(other.stopReason.type).not.toBe("error");
  expect(policy.getSequence(task.hash, play.samplingSeed)?.ids.length).toBeLessThanOrEqual(second);
});

test("an action that is not complete when its tokens are used up costs its turn", async () => {
  const { env, trainer, codec } = await createWalkTraining();
  const policy = createTokenPolicy({ id: "walker", generator: trainer, codec: { ...codec, maxActionTokens: 1 } });
  const { turns } = await runEpisode(env, policy, task, { ...play, budget: { maxTurns: 2 } });
  expect(turns.map(({ action }): Action => action)).toEqual([
    { text: "", invalid: "no complete action in 1 tokens" },
    { text: "", invalid: "no complete action in 1 tokens" },
  ]);
  expect(turns[0].flags?.invalid).toBe(true);
});

test("episodes beyond maxStreams are dropped from the engine and read again when they go on", async () => {
  const { env, trainer, codec } = await createWalkTraining();
  const policy = createTokenPolicy({ id: "walker", generator: trainer, codec, maxStreams: 1 });
  const one = watch(policy);
  const { turns } = await runEpisode(env, one.policy, task, play);
  await policy.endEpisodes();
  const answers: PolicyResult[] = [];
  for (const [index, request] of one.requests.entries()) {
    answers.push(await policy.act(request));
    await policy.act({ ...request, samplingSeed: 100 + index }); // pushes the episode out
    expect(trainer.streams.size).toBe(1);
  }
  expect(answers.map(({ tokens }) => tokens)).toEqual(turns.map(({ tokens }) => tokens));
});

test("a closing call hands in the values of an action as words", async () => {
  const { policy, env } = await createWalkTraining();
  const closed = await runEpisode(env, policy, task, { ...play, budget: { maxTurns: 1 }, terminalRule: "answer_only" });
  expect(closed.closing?.action.text).toMatch(/^(left|right|)$/);
  expect(closed.stopReason.type).not.toBe("error");
  expect(tinyWalk.closing?.prompt).toBe(closed.closing?.prompt);
});

test("act() throws what actBatch() gives in place of an answer", async () => {
  const { policy, env } = await createWalkTraining({ contextLength: 3 });
  const { stopReason } = await runEpisode(env, policy, task, play);
  expect(stopReason).toEqual({ type: "context_overflow" });
  const noted = watch(policy);
  await runEpisode(env, noted.policy, task, play);
  await expect(policy.act(noted.requests[0])).rejects.toBeInstanceOf(PolicyError);
  await expect(policy.act(noted.requests[0])).rejects.toThrow("does not fit into the 3 tokens this network reads");
});
