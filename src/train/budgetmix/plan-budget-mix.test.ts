import fc from "fast-check";
import { expect, test } from "vitest";
import { createTask, type JsonObject } from "../../core/index.js";
import { getBudgetShares, listMixBudgets, publishedCurricula, type BudgetMix } from "./budget-mix.js";
import { planBudgetMix, type BudgetPlanOptions } from "./plan-budget-mix.js";
import { readBudgetMix } from "./read-budget-mix.js";
import { readBudgetPlan } from "./read-budget-plan.js";
import { summarizeBudgetPlan } from "./summarize-plan.js";

const env = { id: "demo", version: "1" };
function makeTasks(count: number) {
  return Array.from({ length: count }, (_, number) => createTask("demo", { number }, { split: "train" }));
}
function plan(options: Partial<BudgetPlanOptions> = {}) {
  const mix: BudgetMix = { type: "fixed", budgets: [2, 4, 8] };
  return planBudgetMix({ env, tasks: makeTasks(7), mix, updates: 6, batchSize: 40, groupSize: 4, seed: 1, ...options });
}

test("an update's counts are the largest remainders, and what rounding took is carried on", () => {
  expect(summarizeBudgetPlan(plan()).groupsByUpdate).toEqual([
    [4, 3, 3],
    [3, 4, 3],
    [3, 3, 4],
    [4, 3, 3],
    [3, 4, 3],
    [3, 3, 4],
  ]);
  const mix: BudgetMix = {
    type: "weights",
    weights: [
      { maxTurns: 2, weight: 0.35 },
      { maxTurns: 9, weight: 0.65 },
    ],
  };
  const { groupsByUpdate, budgets } = summarizeBudgetPlan(plan({ mix, batchSize: 8, updates: 10 }));
  expect(groupsByUpdate[0]).toEqual([1, 1]);
  expect(budgets.map(({ groups }) => groups)).toEqual([7, 13]);
});

const anyMix = fc.oneof(
  fc
    .uniqueArray(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 6 })
    .map((budgets): BudgetMix => ({ type: "fixed", budgets })),
  fc.integer({ min: 1, max: 4 }).map((min): BudgetMix => ({ type: "log_uniform", min, max: min + 9 })),
  fc.constant<BudgetMix>({ type: "curriculum", caps: [2, 5], every: 3 }),
);

test("every budget plays each task equally often, give or take one, in every prefix of the plan", () => {
  fc.assert(
    fc.property(anyMix, fc.integer({ min: 2, max: 12 }), fc.integer({ min: 1, max: 8 }), (mix, taskCount, groups) => {
      const made = plan({ mix, tasks: makeTasks(taskCount), batchSize: 2 * groups, groupSize: 2, updates: 8 });
      for (let updates = 1; updates <= 8; updates += 1) {
        const rows = made.rows.filter(({ update }) => update < updates);
        for (const budget of listMixBudgets(mix)) {
          const counts = made.rows.map(
            ({ taskHash }) => rows.filter((row) => row.taskHash === taskHash && row.maxTurns === budget).length,
          );
          const played = rows.filter((row) => row.maxTurns === budget).length;
          const least = new Set(rows.map(({ taskHash }) => taskHash)).size < taskCount ? 0 : Math.min(...counts);
          expect(Math.max(...counts) - least).toBeLessThanOrEqual(1);
          expect(Math.max(...counts)).toBe(Math.ceil(played / taskCount));
        }
        expect(rows).toHaveLength(updates * groups);
      }
    }),
    { numRuns: 30 },
  );
});

test("the groups of an update play different tasks where there are enough, and all tasks are played alike", () => {
  for (const seed of [1, 2, 3]) {
    const { rows } = plan({ tasks: makeTasks(12), batchSize: 48, updates: 4, seed });
    for (let update = 0; update < 4; update += 1) {
      const own = rows.filter((row) => row.update === update).map(({ taskHash }) => taskHash);
      expect(own).toHaveLength(12);
      // A budget near the end of its round has no choice left; at first every one has.
      if (update === 0) expect(new Set(own).size).toBe(12);
    }
    const counts = makeTasks(12).map(({ hash }) => rows.filter(({ taskHash }) => taskHash === hash).length);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2);
  }
});

test("with equal weights no two cells of task and budget are more than one group apart", () => {
  const { budgets } = summarizeBudgetPlan(plan({ updates: 23 }));
  const counts = budgets.flatMap(({ groupsPerTask }) => [groupsPerTask.least, groupsPerTask.most]);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
});

test("a group has one task, budget and env seed, and no sampling seed stands twice in a plan", () => {
  const { rows, groupSize } = plan({ updates: 40 });
  expect(new Set(rows.map(({ group }) => group)).size).toBe(rows.length);
  expect(rows.every(({ samplingSeeds }) => samplingSeeds.length === groupSize)).toBe(true);
  const seeds = rows.flatMap(({ samplingSeeds }) => samplingSeeds);
  expect(new Set(seeds).size).toBe(seeds.length);
});

test("a plan with more updates begins with the shorter plan, so that a run can be made longer", () => {
  const [short, long] = [plan({ updates: 5 }), plan({ updates: 12 })];
  expect(long.rows.slice(0, short.rows.length)).toEqual(short.rows);
  expect(plan({ updates: 5 }).hash).toBe(short.hash);
  expect(plan({ updates: 5, seed: 2 }).hash).not.toBe(short.hash);
});

test("a curriculum steps by the update alone: resumed at any update it goes on as one that was never stopped", () => {
  const mix: BudgetMix = { type: "curriculum", caps: [5, 8, 10], every: 100 };
  const caps = Array.from({ length: 400 }, (_, update) => getBudgetShares(mix, update)[0].maxTurns);
  expect([0, 99, 100, 199, 200, 399].map((update) => caps[update])).toEqual([5, 5, 8, 8, 10, 10]);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 399 }), (stop) => {
      const resumed = Array.from(
        { length: 400 - stop },
        (_, offset) => getBudgetShares(mix, stop + offset)[0].maxTurns,
      );
      expect([...caps.slice(0, stop), ...resumed]).toEqual(caps);
    }),
  );
  expect(listMixBudgets(publishedCurricula.webarena)).toEqual([8, 12, 15]);
});

test.each([
  {
    mix: { type: "fixed", budgets: [4, 2] },
    shares: [
      [2, 0.5],
      [4, 0.5],
    ],
  },
  {
    mix: {
      type: "weights",
      weights: [
        { maxTurns: 3, weight: 3 },
        { maxTurns: 1, weight: 1 },
        { maxTurns: 9, weight: 0 },
      ],
    },
    shares: [
      [1, 0.25],
      [3, 0.75],
    ],
  },
  {
    mix: { type: "log_uniform", min: 1, max: 2 },
    shares: [
      [1, Math.log(3) / Math.log(5)],
      [2, Math.log(5 / 3) / Math.log(5)],
    ],
  },
  {
    mix: {
      type: "mixture",
      parts: [
        { weight: 1, mix: { type: "fixed", budgets: [2, 8] } },
        { weight: 3, mix: { type: "curriculum", caps: [8], every: 9 } },
      ],
    },
    shares: [
      [2, 0.125],
      [8, 0.875],
    ],
  },
] as const)("the shares of a mix of type $mix.type", ({ mix, shares }) => {
  const found = getBudgetShares(readBudgetMix(mix), 0);
  expect(found.map(({ maxTurns }) => maxTurns)).toEqual(shares.map(([maxTurns]) => maxTurns));
  found.forEach(({ weight }, index) => expect(weight).toBeCloseTo(shares[index][1], 12));
});

test("log-uniform plays 1 to 3, 4 to 7 and 8 to 15 about equally often", () => {
  const shares = getBudgetShares({ type: "log_uniform", min: 1, max: 15 }, 0);
  const sum = (from: number, to: number) =>
    shares
      .filter(({ maxTurns }) => maxTurns >= from && maxTurns <= to)
      .reduce((total, { weight }) => total + weight, 0);
  expect(sum(4, 7) / sum(8, 15)).toBeCloseTo(1, 1);
});

test.each([
  { name: "a type it does not know", mix: { type: "uniform" }, message: 'its type is "uniform"' },
  { name: "no object", mix: 3, message: "it must be an object, found 3" },
  {
    name: "a budget of 0",
    mix: { type: "fixed", budgets: [0] },
    message: "must be a whole number of turns from 1 to 100000, found 0",
  },
  { name: "no budget", mix: { type: "fixed", budgets: [] }, message: "budgets must be a list with at least one entry" },
  { name: "a budget twice", mix: { type: "fixed", budgets: [2, 2] }, message: "budgets name T=2 twice" },
  {
    name: "a negative weight",
    mix: { type: "weights", weights: [{ maxTurns: 2, weight: -1 }] },
    message: "the weight of T=2 must be a number from 0 to 1e12, found -1",
  },
  {
    name: "weights that are all 0",
    mix: { type: "weights", weights: [{ maxTurns: 2, weight: 0 }] },
    message: "all weights are 0",
  },
  {
    name: "a range that ends before it begins",
    mix: { type: "log_uniform", min: 4, max: 2 },
    message: "max 2 is below min 4",
  },
  {
    name: "a step of 0 updates",
    mix: { type: "curriculum", caps: [2], every: 0 },
    message: "every, the updates between steps, must be",
  },
  {
    name: "more turns than any agent plays, before they are listed",
    mix: { type: "log_uniform", min: 1, max: 1e9 },
    message: "max must be a whole number of turns from 1 to 100000, found 1000000000",
  },
  {
    name: "weights whose sum overflows",
    mix: { type: "mixture", parts: [{ weight: 1e308, mix: { type: "fixed", budgets: [1] } }] },
    message: "the weight of part 1 of the mixture must be a number from 0 to 1e12",
  },
  {
    name: "keys that would do nothing",
    mix: { type: "fixed", budgets: [2, 8], weights: [1, 3] },
    message: 'a mix of type "fixed" has no "weights", only type, budgets',
  },
  {
    name: "an entry with a key too many",
    mix: { type: "weights", weights: [{ maxTurns: 2, weight: 1, share: 2 }] },
    message: 'an entry of weights has no "share"',
  },
  {
    name: "a mixture of nothing",
    mix: { type: "mixture", parts: [{ weight: 0, mix: { type: "fixed", budgets: [1] } }] },
    message: "all parts of the mixture have weight 0",
  },
])("readBudgetMix() refuses $name", ({ mix, message }) => {
  expect(() => readBudgetMix(mix)).toThrow(message);
});

test.each([
  {
    name: "a budget above the env's cap",
    options: { cap: 6 },
    message: 'Cannot play T=8 in env "demo": it ends every episode after 6 turns',
  },
  { name: "a group of one", options: { groupSize: 1 }, message: "Cannot plan with group size 1" },
  {
    name: "a batch that groups do not divide",
    options: { batchSize: 42 },
    message: "Cannot cut a batch of 42 episodes into groups of 4: 2 would be left over",
  },
  { name: "a batch below one group", options: { batchSize: 2 }, message: "Cannot plan with batch size 2" },
  {
    name: "more episodes than a plan can hold",
    options: { updates: 1e12 },
    message: "Cannot plan 1000000000000 updates of 40 episodes: a plan holds at most 4194304 episodes",
  },
  { name: "no update", options: { updates: 0 }, message: "Cannot plan with updates 0" },
  { name: "no task", options: { tasks: [] }, message: "Cannot plan without tasks" },
  {
    name: "a task of the eval split",
    options: { tasks: [createTask("demo", 1, { split: "eval", id: "secret" })] },
    message: 'Cannot train on task "secret": it belongs to the eval split',
  },
  {
    name: "a task of another env",
    options: { tasks: [createTask("other", 1, { id: "one" })] },
    message: 'it is a task of env "other"',
  },
  {
    name: "a task twice",
    options: { tasks: [...makeTasks(1), ...makeTasks(1)] },
    message: "tasks must be all different",
  },
])("planBudgetMix() refuses $name", ({ options, message }) => {
  expect(() => plan(options)).toThrow(message);
});

test("the notice of a row is the text the policy reads, and absent when the budget is hidden", () => {
  const [told] = plan({ disclosure: "static", mix: { type: "fixed", budgets: [3] } }).rows;
  expect(told.notice).toBe("You have 3 turns in all.");
  expect(plan({ disclosure: "hidden" }).rows.some((row) => row.notice !== undefined)).toBe(false);
});

const written = JSON.parse(JSON.stringify(plan())) as JsonObject;

test("readBudgetPlan() gives a plan back from JSON", () => {
  expect(readBudgetPlan(written)).toEqual(plan());
});

test.each([
  { name: "no plan", json: [], message: "it is no JSON object" },
  { name: "another schema", json: { schema: "x" }, message: 'its schema is "x"' },
  { name: "a changed seed", json: { ...written, seed: 7 }, message: "it was changed after it was made" },
  { name: "no rows", json: { ...written, rows: [] }, message: "it has no rows" },
  {
    name: "a row without a budget",
    json: { ...written, rows: [{ group: "a", taskId: "a", taskHash: "a", update: 0 }] },
    message: 'row 1 has no whole number from 1 as "maxTurns"',
  },
  {
    name: "a row with a seed too few",
    json: { ...written, rows: [{ ...plan().rows[0], samplingSeeds: [1] }] },
    message: "row 1 has 1 sampling seeds, and groups have 4 episodes",
  },
])("readBudgetPlan() refuses $name", ({ json, message }) => {
  expect(() => readBudgetPlan(JSON.parse(JSON.stringify(json)) as JsonObject, '"plan.json"')).toThrow(message);
});
