import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { tinyRecipe } from "../../test/support/tiny-recipe.js";
import { createVaultEnv } from "../envs/index.js";
import { readRecipe } from "../train/index.js";
import { describeTraining, planTraining, resolveTraining } from "./train-setting.js";

const folder = mkdtempSync(join(tmpdir(), "turnwise-setting-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
/** Writes a module of the user's and returns its path. */
function write(source: string): string {
  count += 1; // an imported module is kept by its path
  const path = join(folder, `module-${count}.mjs`);
  writeFileSync(path, source);
  return path;
}

const core = JSON.stringify(resolve("src/core/index.ts"));
/** A module with an env: count up to 2, by one tool. */
function envModule(body = "", head = ""): string {
  return write(`import { createTask } from ${core};
${head}
export const env = {
  id: "counter", version: "1", instructions: "Count to 2.", isSuccessAbsorbing: true, isDeterministic: true,
  tools: [{ name: "add", description: "Add.", parameters: { type: "object", properties: { by: { type: "string", enum: ["one", "two"] } }, required: ["by"] } }],
  makeTasks: ({ taskCount, split }) => Array.from({ length: taskCount }, (_, n) => createTask("counter", { n, split }, { split })),
  start() {
    let value = 0;
    return {
      observation: { text: "The value is 0" },
      step(action) {
        value += action.toolCalls?.[0]?.arguments?.by === "one" ? 1 : 2;
        return { observation: { text: "The value became " + value }, solvedAfter: value === 2, ...(value >= 2 ? { ended: value === 2 ? "solved" : "wrong_final" } : {}) };
      },
      close() {},
    };
  },
  ${body}
};`);
}

const expert = write(
  `export const policy = { id: "expert", config: null, act: () => ({ action: { text: "", toolCalls: [{ name: "add", arguments: { by: "one" } }] } }) };`,
);

function recipeOf(changes: object) {
  return readRecipe({ ...tinyRecipe, ...changes });
}
const warmStart = tinyRecipe.warmStart;
const own = (env: string, changes: object = {}) =>
  recipeOf({ env: { id: env, trainTasks: 20 }, warmStart: { ...warmStart, policy: expert }, ...changes });

test("an env of the user's without an oracle is learnt from by a policy of the user's, words of later turns included", async () => {
  const { codec, demonstrations, plan } = await resolveTraining(own(envModule()));
  expect(demonstrations).toMatchObject({ played: 48, solved: 48, unwritable: 0, failed: 0 });
  expect(codec.vocabulary.some((word) => word.includes("became"))).toBe(true);
  expect(plan?.rows).toHaveLength(16);
});

test("what a module demonstrates is part of what a run is: another one is another run", async () => {
  const env = envModule();
  const recipe = own(env);
  const resolved = await resolveTraining(recipe);
  const description = describeTraining(recipe, resolved);
  expect(description["demonstrationsHash"]).toMatch(/^[0-9a-f]{64}$/);
  const { demonstrations } = resolved;
  const fewer =
    demonstrations === undefined ? undefined : { ...demonstrations, sequences: demonstrations.sequences.slice(1) };
  expect(describeTraining(recipe, { ...resolved, demonstrations: fewer })["demonstrationsHash"]).not.toBe(
    description["demonstrationsHash"],
  );
  const scripted = readRecipe(tinyRecipe);
  expect(describeTraining(scripted, await resolveTraining(scripted))).not.toHaveProperty("demonstrationsHash");
});

test("a scorer of the user's is named in the description", async () => {
  const scorer = write(`export const scorer = { id: "strict", version: "3", score: () => ({ success: false }) };`);
  const recipe = own(envModule(), { algorithm: { ...tinyRecipe.algorithm, reward: { scorer } } });
  const resolved = await resolveTraining(recipe);
  expect(describeTraining(recipe, resolved)["scorer"]).toEqual({ id: "strict", version: "3" });
});

const algorithmWith = (reward: object) => ({ algorithm: { ...tinyRecipe.algorithm, reward } });

test.each<{ name: string; recipe: () => ReturnType<typeof recipeOf>; message: string | RegExp }>([
  { name: "an env nobody knows", recipe: () => recipeOf({ env: "valt" }), message: 'Cannot find env "valt"' },
  {
    name: "a module that is not there",
    recipe: () => recipeOf({ env: "./none.mjs" }),
    message: "there is no such file",
  },
  {
    name: "an env with an oracle that cannot begin",
    recipe: () =>
      own(
        envModule(
          "oracle: { bestActions: () => [], allowedActions: () => [] }, start() { throw new Error('no server'); },",
        ),
      ),
    message: 'Cannot train in env "counter": playing it to learn its words failed: no server',
  },
  {
    name: "an env that cannot begin",
    recipe: () => own(envModule("start() { throw new Error('no server'); },")),
    message: /48 failed\)?.*; the first failure: env: no server/s,
  },
  {
    name: "an env without tasks",
    recipe: () => own(envModule("makeTasks: () => [],")),
    message: "made no training tasks",
  },
  {
    name: "an env that makes none",
    recipe: () => own(envModule("makeTasks: undefined,")),
    message: 'Cannot train in env "counter": it makes no tasks',
  },
  {
    name: "a scripted policy without an oracle",
    recipe: () => own(envModule(), { warmStart }),
    message: "scripted policies need an oracle, and the env has none",
  },
  {
    name: "a demonstrator nobody knows",
    recipe: () => recipeOf({ warmStart: { ...warmStart, policy: "bes" } }),
    message: 'Cannot demonstrate with policy "bes"',
  },
  {
    name: "a demonstrator whose weights know another env",
    recipe: () => recipeOf({ env: { id: "lookup" }, warmStart: { ...warmStart, policy: "trained:vault/rl" } }),
    message: 'Cannot demonstrate in env "lookup": its weights were trained in env "vault", and this is "lookup"',
  },
  {
    name: "a scripted policy out of range",
    recipe: () => recipeOf({ warmStart: { ...warmStart, policy: { errorRate: 3 } } }),
    message: "Cannot demonstrate with the settings of warmStart.policy",
  },
  {
    name: "a module without a policy",
    recipe: () => recipeOf({ warmStart: { ...warmStart, policy: write("export const policy = 3;") } }),
    message: "has no id and act()",
  },
  {
    name: "a scorer that is none",
    recipe: () => recipeOf(algorithmWith({ scorer: write("export const scorer = { id: 'x' };") })),
    message: "has no id, version and score()",
  },
  {
    name: "a context too short for any demonstration",
    recipe: () => recipeOf({ network: { ...tinyRecipe.network, contextLength: 16 } }),
    message: /of 48 demonstrations 0 can be learnt from, .* 48 are longer than the context of 16 tokens/,
  },
  {
    name: "a mix that is none",
    recipe: () => recipeOf({ budgets: { mix: { type: "fixed" } } }),
    message: "budgets",
  },
  {
    name: "a training budget above the env's cap",
    recipe: () => own(envModule("maxTurns: 4,"), { budgets: { mix: { type: "fixed", budgets: [2, 6] } } }),
    message: 'Cannot play T=6 in env "counter": it ends every episode after 4 turns',
  },
  {
    name: "an evaluated budget above the env's cap",
    recipe: () => own(envModule("maxTurns: 4,"), { evaluation: { turnBudgets: [4, 5] } }),
    message: 'Cannot play T=5 of evaluation.turnBudgets in env "counter"',
  },
  {
    name: "a demonstrated budget above the env's cap",
    recipe: () => own(envModule("maxTurns: 3,")),
    message: 'Cannot play T=4 of warmStart.turnBudgets in env "counter"',
  },
])("resolveTraining() refuses $name", async ({ recipe, message }) => {
  await expect(resolveTraining(recipe())).rejects.toMatchObject({ name: "TurnwiseError" });
  await expect(resolveTraining(recipe())).rejects.toThrow(message);
});

const silent = write(`export const policy = { id: "silent", config: null, act: () => ({ action: { text: "hm" } }) };`);
const failing = envModule("start() { throw new Error('no server'); },");

test.each([
  { what: "failed", recipe: () => own(failing), hint: `turnwise doctor --env ${failing} --policy ${expert}` },
  {
    what: "hold no action of a tool",
    recipe: () => own(envModule(), { warmStart: { ...warmStart, policy: silent } }),
    hint: "Let the demonstrator call the env's tools",
  },
  {
    what: "are too long",
    recipe: () => recipeOf({ network: { ...tinyRecipe.network, contextLength: 16 } }),
    hint: "Lengthen network.contextLength",
  },
])("what to do about demonstrations that $what is told", async ({ recipe, hint }) => {
  await expect(resolveTraining(recipe())).rejects.toMatchObject({ remedy: expect.stringContaining(hint) as unknown });
});

test("demonstrations that are left out are told with the reason", async () => {
  const messages: string[] = [];
  const lengths = (await resolveTraining(recipeOf({}))).demonstrations?.sequences.map(({ ids }) => ids.length) ?? [];
  const contextLength = Math.max(...lengths) - 1;
  const short = recipeOf({ network: { ...tinyRecipe.network, contextLength } });
  const { demonstrations } = await resolveTraining(short, (text) => messages.push(text));
  expect(demonstrations?.sequences.length).toBeLessThan(demonstrations?.played ?? 0);
  expect(messages.join("\n")).toMatch(/can be learnt from; left out are .*\d+ longer than network\.contextLength/);
});

test("planTraining() plans groups of one where a value head is the baseline, and only there", () => {
  const env = createVaultEnv();
  const tasks = env.makeTasks?.({ split: "train", level: 1, taskCount: 40, seed: 1 }) ?? [];
  const ppo = recipeOf({ algorithm: { preset: "ppo", groupSize: 1, groupsPerUpdate: 8 } });
  expect(planTraining(ppo, env, tasks)?.rows).toHaveLength(32);
  expect(
    planTraining(
      readRecipe({ ...tinyRecipe, algorithm: undefined, budgets: undefined, length: undefined }),
      env,
      tasks,
    ),
  ).toBeUndefined();
});
