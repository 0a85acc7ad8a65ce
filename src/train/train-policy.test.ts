import { expect, test } from "vitest";
import { changeSteps } from "../../test/support/tiny-walk.js";
import { createWalkTraining, planWalk, type WalkTraining } from "../../test/support/walk-training.js";
import type { TableTrainer } from "../../test/support/table-trainer.js";
import type { Env, Scorer } from "../core/index.js";
import { createScriptedPreset } from "../policies/index.js";
import { playDemonstrations } from "./demonstrations.js";
import { pickDemonstrations } from "./pick-demonstrations.js";
import { playGroups } from "./play-groups.js";
import { readRecipe, type TrainRecipeInput } from "./recipe/read-recipe.js";
import {
  trainPolicy,
  type TrainingEvent,
  type TrainingHooks,
  type TrainingSetting,
  type TrainingState,
} from "./train-policy.js";

const written: TrainRecipeInput = {
  name: "walk",
  env: "walk",
  warmStart: { episodes: 8, batchSize: 4, updates: 4, learningRate: 0.01 },
  algorithm: { groupSize: 4, groupsPerUpdate: 4, learningRate: 0.01 },
  budgets: { mix: { type: "fixed", budgets: [4, 8] }, disclosure: "static" },
  length: { updates: 5 },
  checkpointEvery: 2,
};

async function demonstrate({ env, tasks, codec }: WalkTraining) {
  const { sequences } = await playDemonstrations({
    env,
    policy: createScriptedPreset("base"),
    tasks,
    codec,
    keep: "all",
    getSetting: (index) => ({ envSeed: 1, samplingSeed: index + 1, maxTurns: 8, disclosure: "static" }),
  });
  return sequences;
}

/** What a run did, apart from how long it took. */
interface Told {
  readonly events: TrainingEvent[];
  readonly saved: TrainingState[];
  readonly evaluated: TrainingState[];
}

interface Run extends Told {
  readonly outcome: Awaited<ReturnType<typeof trainPolicy>>;
  readonly trainer: TableTrainer;
}

/** Trains by the recipe, saving on a shelf; goes on from `from` when it is given. */
async function run(
  input: TrainRecipeInput,
  options: {
    readonly hooks?: TrainingHooks;
    readonly shelf?: Map<string, string>;
    readonly from?: TrainingState;
    readonly setting?: Partial<TrainingSetting>;
    readonly training?: Parameters<typeof createWalkTraining>[0];
    readonly onEvent?: (event: TrainingEvent) => void;
  } = {},
): Promise<Run> {
  const { shelf = new Map<string, string>(), from, hooks = {}, onEvent } = options;
  const training = await createWalkTraining({ ...options.training, shelf });
  const { trainer, env, policy, tasks } = training;
  const recipe = readRecipe(input);
  const told: Told = { events: [], saved: [], evaluated: [] };
  if (from !== undefined) await trainer.load("latest");
  const outcome = await trainPolicy(
    {
      recipe,
      trainer,
      demonstrations: await demonstrate(training),
      env,
      policy,
      tasks,
      ...(recipe.algorithm === undefined ? {} : { plan: planWalk(training) }),
      ...options.setting,
    },
    {
      onUpdate(event) {
        told.events.push(event);
        onEvent?.(event);
      },
      async evaluate(state) {
        told.evaluated.push(state);
      },
      async saveCheckpoint(state) {
        told.saved.push(state);
        await trainer.save("latest", { state: JSON.parse(JSON.stringify(state)) as never }); // plain data
      },
      ...hooks,
    },
    from,
  );
  return { outcome, trainer, ...told };
}

const place = ({ phase, update }: TrainingState): string => `${phase} ${update}`;

test("trainPolicy() learns from demonstrations, then from what it plays, and saves and evaluates on its way", async () => {
  const { outcome, events, saved, evaluated, trainer } = await run(written, { hooks: { evaluateEvery: 3 } });
  expect(outcome).toMatchObject({ end: "finished", state: { phase: "reinforce", update: 5 } });
  expect(events.map((event) => `${event.phase} ${event.update}`)).toEqual([
    ...[0, 1, 2, 3].map((update) => `warm_start ${update}`),
    ...[0, 1, 2, 3, 4].map((update) => `reinforce ${update}`),
  ]);
  expect(saved.map(place)).toEqual([
    "warm_start 2",
    "warm_start 4",
    "reinforce 2",
    "reinforce 3",
    "reinforce 4",
    "reinforce 5",
  ]);
  expect(evaluated.map(place)).toEqual(["warm_start 4", "reinforce 3", "reinforce 5"]);
  const losses = events.flatMap((event) => (event.phase === "warm_start" ? [event.metrics.loss] : []));
  expect(losses[3]).toBeLessThan(losses[0]);
  const steps = events.flatMap((event) => (event.phase === "reinforce" ? event.report.steps : []));
  expect(Math.max(...steps.map(({ maxRatioError }) => maxRatioError))).toBeLessThan(1e-9);
  expect(trainer.calls.filter(({ name }) => name === "freeze")).toHaveLength(1);
});

test("trainPolicy() makes the walker better at what it is rewarded for", async () => {
  const more = {
    ...written,
    algorithm: { groupSize: 4, groupsPerUpdate: 4, learningRate: 0.05 },
    length: { updates: 40 },
  };
  const training = await createWalkTraining();
  const { events } = await run(more, { setting: { plan: planWalk(training, { updates: 40 }) } });
  const rates = events.flatMap((event) =>
    event.phase === "reinforce" ? [event.report.measures.successRate ?? 0] : [],
  );
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  expect(mean(rates.slice(-8))).toBeGreaterThan(mean(rates.slice(0, 8)) + 0.1);
});

/** What an event says, without the time it took. */
function strip(event: TrainingEvent): string {
  return JSON.stringify({ ...event, seconds: undefined });
}

const shaped: TrainRecipeInput = {
  ...written,
  algorithm: {
    groupSize: 4,
    groupsPerUpdate: 4,
    learningRate: 0.01,
    reward: { shaping: { kind: "plain", weight: 0.1 } },
  },
  stop: { patience: 50, klAbove: 100 },
};

test("a run that is stopped after any update and goes on equals one that was never stopped", async () => {
  const whole = await run(shaped);
  const all = whole.events.map(strip);
  for (let count = 1; count < all.length; count += 1) {
    const shelf = new Map<string, string>();
    const drain = new AbortController();
    let seen = 0;
    const first = await run(shaped, {
      shelf,
      hooks: { drain: drain.signal },
      onEvent() {
        seen += 1;
        if (seen === count) drain.abort();
      },
    });
    expect(first.outcome.end).toBe("interrupted");
    const state = JSON.parse(JSON.stringify(first.saved.at(-1))) as TrainingState; // as it is kept in a checkpoint
    const second = await run(shaped, { shelf, from: state });
    expect([...first.events, ...second.events].map(strip)).toEqual(all);
    expect(second.trainer.readTable()).toBe(whole.trainer.readTable());
    expect(second.outcome).toEqual(whole.outcome);
  }
});

test("a run that was killed goes on from its last checkpoint, as if nothing had been", async () => {
  const whole = await run(shaped);
  for (const at of ["warm_start 2", "reinforce 0", "reinforce 3"]) {
    const shelf = new Map<string, string>();
    const saved: TrainingState[] = [];
    await expect(
      run(shaped, {
        shelf,
        onEvent(event) {
          if (`${event.phase} ${event.update}` === at) throw new Error("killed");
        },
        hooks: { evaluate: async (state) => void saved.push(state) },
      }),
    ).rejects.toThrow("killed");
    const kept = JSON.parse(shelf.get("latest") ?? "{}") as { meta: { state: TrainingState } }; // from save()
    const second = await run(shaped, { shelf, from: kept.meta.state });
    expect(second.trainer.readTable()).toBe(whole.trainer.readTable());
    const tail = whole.events.slice(-second.events.length).map(strip);
    expect(second.events.map(strip)).toEqual(tail);
  }
});

test("a run that is stopped before its first update is saved, so that there is something to go on from", async () => {
  const drain = new AbortController();
  drain.abort();
  const { outcome, saved, events } = await run(written, { hooks: { drain: drain.signal } });
  expect(outcome).toMatchObject({ end: "interrupted", state: { phase: "warm_start", update: 0 } });
  expect(saved.map(place)).toEqual(["warm_start 0"]);
  expect(events).toEqual([]);
});

test("episodes that are given up leave the update to be made again", async () => {
  const whole = await run(written);
  const shelf = new Map<string, string>();
  const abort = new AbortController();
  let asked = 0;
  const training = await createWalkTraining();
  const env = changeSteps(training.env, (result) => {
    asked += 1;
    if (asked === 45) abort.abort();
    return result;
  });
  const first = await run(written, { shelf, hooks: { abort: abort.signal }, setting: { env } });
  expect(first.outcome.end).toBe("interrupted");
  expect(first.outcome.state.phase).toBe("reinforce");
  expect(first.outcome.state.update).toBeLessThan(5);
  const second = await run(written, { shelf, from: first.outcome.state });
  expect(second.trainer.readTable()).toBe(whole.trainer.readTable());
});

test("an evaluation that was cut off is asked for again, and one that was not is too, as it keeps what it has", async () => {
  const shelf = new Map<string, string>();
  const drain = new AbortController();
  const first = await run(written, {
    shelf,
    hooks: { drain: drain.signal },
    onEvent: ({ phase, update }) => phase === "warm_start" && update === 3 && drain.abort(),
  });
  expect(first.evaluated).toEqual([]);
  const second = await run(written, { shelf, from: first.saved.at(-1) });
  expect(second.evaluated.map(place)).toEqual(["warm_start 4", "reinforce 5"]);
});

test("a run that begins with given weights is evaluated before it changes them", async () => {
  const { warmStart: _none, ...rest } = written;
  const { evaluated, saved, trainer } = await run({ ...rest, startFrom: "x" }, { hooks: { evaluateEvery: 4 } });
  expect(evaluated.map(place)).toEqual(["reinforce 0", "reinforce 4", "reinforce 5"]);
  expect(saved.map(place)).toContain("reinforce 0");
  expect(trainer.calls.findIndex(({ name }) => name === "freeze")).toBeLessThan(
    trainer.calls.findIndex(({ name }) => name === "update"),
  );
});

test("a run ends when its tokens are spent, and says so again when it is asked to go on", async () => {
  const shelf = new Map<string, string>();
  const limited = { ...written, length: { updates: 5, sampledTokens: 100 } };
  const { outcome, saved, evaluated } = await run(limited, { shelf });
  expect(outcome.end).toBe("token_limit");
  expect(outcome.state.sampledTokens).toBeGreaterThanOrEqual(100);
  expect(saved.at(-1)).toEqual(outcome.state);
  expect(evaluated.at(-1)).toEqual(outcome.state);
  const again = await run(limited, { shelf, from: outcome.state });
  expect(again.outcome).toEqual(outcome);
  expect(again.events).toEqual([]);
});

test("a run that has collapsed stops with the sign, saved and evaluated", async () => {
  const collapsing = { ...written, stop: { patience: 1, entropyBelow: 2 } }; // the table says its entropy is 1
  const { outcome, saved, evaluated } = await run(collapsing);
  expect(outcome).toMatchObject({ end: "collapse", collapse: "entropy", state: { phase: "reinforce" } });
  expect(saved.at(-1)).toEqual(outcome.state);
  expect(evaluated.at(-1)).toEqual(outcome.state);
});

test("shaping logs signal and outcome, and is refused where the env tells nothing to shape by", async () => {
  const { events, outcome } = await run(shaped);
  const logged = events.flatMap((event) => (event.phase === "reinforce" ? [event.signal?.outcome.updateIndex] : []));
  expect(logged).toEqual([0, 1, 2, 3, 4]);
  expect(outcome.state.signals).toHaveLength(5);
  const training = await createWalkTraining();
  const silent = changeSteps(training.env, ({ distanceBefore: _b, distanceAfter: _a, ...result }) => result);
  await expect(run(shaped, { setting: { env: silent } })).rejects.toThrow(
    'Cannot shape rewards by progress in env "tiny-walk": no step of its first episodes told distanceBefore',
  );
});

test("a scorer's judgement takes the place of the env's grade; one that fails everywhere stops the run", async () => {
  const lazy: Scorer = { id: "lazy", version: "1", score: ({ turns }) => ({ success: turns.length === 1 }) };
  const { events } = await run(written, { setting: { scorer: lazy } });
  for (const event of events) {
    if (event.phase === "warm_start") continue;
    const judged = event.groups.flatMap(({ episodes }) => episodes.map(({ trajectory }) => trajectory));
    expect(judged.every(({ success, turns, grader }) => success === (turns.length === 1) && grader === "lazy 1")).toBe(
      true,
    );
  }
  const broken: Scorer = {
    id: "broken",
    version: "1",
    score() {
      throw new Error("no idea");
    },
  };
  await expect(run(written, { setting: { scorer: broken } })).rejects.toThrow(
    "Cannot go on training: all 16 episodes of update 1 ended in an error, the first one of the scorer: exception: no idea",
  );
});

test("a run stops where nothing says how any episode went, and says who should", async () => {
  const silent: Scorer = { id: "silent", version: "1", score: () => ({}) };
  await expect(run(written, { setting: { scorer: silent } })).rejects.toThrow(
    "Cannot go on training: none of the 16 episodes of update 1 has an outcome",
  );
  const reward = { scorer: "./silent.mjs", part: "worth" };
  const byPart = { ...written, algorithm: { groupSize: 4, groupsPerUpdate: 4, reward } };
  await expect(run(byPart, { setting: { scorer: silent } })).rejects.toThrow(
    'none of the 16 episodes of update 1 has a number as part "worth" of its judgement',
  );
});

test("an env in which every episode fails stops the run with its reason", async () => {
  const training = await createWalkTraining();
  const broken: Env = {
    ...training.env,
    start() {
      throw new Error("the server is down");
    },
  };
  await expect(run(written, { setting: { env: broken } })).rejects.toThrow(
    /of the env: exception: the server is down$/,
  );
});

test("an env whose version changes between plan and update, or while it is played, is refused", async () => {
  const training = await createWalkTraining();
  const setting = {
    policy: training.policy,
    tasks: new Map(training.tasks.map((task) => [task.hash, task])),
    plan: planWalk(training),
  };
  const rows = setting.plan.rows.slice(0, 1);
  const newer = { ...training.env, version: "2" };
  await expect(playGroups({ ...setting, env: newer }, rows)).rejects.toThrow(
    'Cannot train in env "tiny-walk" version "2": the plan was made for "tiny-walk" version "1"',
  );
  let version = "1";
  const changing = {
    ...changeSteps(training.env, (result) => {
      version = "2";
      return result;
    }),
  };
  Object.defineProperty(changing, "version", { get: () => version });
  await expect(playGroups({ ...setting, env: changing }, rows)).rejects.toThrow('version "2"');
});

test("playGroups() refuses a row whose task is not given", async () => {
  const training = await createWalkTraining();
  const plan = planWalk(training);
  const setting = { env: training.env, policy: training.policy, tasks: new Map<string, never>(), plan };
  await expect(playGroups(setting, plan.rows.slice(0, 1))).rejects.toThrow("is not among the tasks given");
});

test("pickDemonstrations() goes through all of them in each epoch, in an order of its own", () => {
  const items = Array.from({ length: 12 }, (_, index) => index);
  const pick = (update: number) => pickDemonstrations(items, { batchSize: 4, update, seed: 1 });
  const epochs = [0, 3].map((first) => [pick(first), pick(first + 1), pick(first + 2)].flat());
  for (const epoch of epochs) expect([...epoch].sort((a, b) => a - b)).toEqual(items);
  expect(epochs[0]).not.toEqual(epochs[1]);
  expect(pick(2)).toEqual(pick(2));
  expect(pickDemonstrations([1, 2], { batchSize: 4, update: 5, seed: 1 })).toHaveLength(2);
});
