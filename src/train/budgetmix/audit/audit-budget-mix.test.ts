import { expect, test } from "vitest";
import { createTask } from "../../../core/index.js";
import { groupAdvantages } from "../../advantages/group-advantages.js";
import { planBudgetMix } from "../plan-budget-mix.js";
import { auditBudgetMix } from "./audit-budget-mix.js";
import { budgetRules } from "./budget-rules.js";
import { createBudgetSubject } from "./budget-subject.js";
import { expectedFlatShare } from "./flat-groups.js";
import { examplePlan, playExample } from "./rule-kit.js";

const cases = budgetRules.flatMap((rule) =>
  rule.examples.map((example) => ({ id: rule.id, name: example.name, rule, example })),
);

test.each(cases)("$id: $name", ({ rule, example }) => {
  const { plan, rollouts, settings } = example.subject;
  const check = auditBudgetMix(plan, rollouts, { ...settings, maxFindings: 99 }).checks.find(
    ({ ruleId }) => ruleId === rule.id,
  );
  expect(check?.gap).toBeUndefined();
  expect(check?.findings.map(({ message }) => message)).toEqual(example.messages);
  expect(check?.evidence?.text).toBeTruthy();
});

test.each(budgetRules)("$number $id has a sound example and one with a finding", ({ examples }) => {
  expect(examples.some(({ messages }) => messages.length === 0)).toBe(true);
  expect(examples.some(({ messages }) => messages.length > 0)).toBe(true);
});

test("the checks are A1 to A11, in order", () => {
  expect(budgetRules.map(({ number }) => number)).toEqual(Array.from({ length: 11 }, (_, index) => `A${index + 1}`));
});

test.each(budgetRules)("$number neither throws nor passes on rollouts that state nothing", (rule) => {
  const plan = examplePlan([
    ["a", 2],
    ["b", 4],
  ]);
  const { checks } = auditBudgetMix(plan, [{ place: {} }, { place: {} }]);
  const check = checks.find(({ number }) => number === rule.number);
  // The plan's own seeds can always be judged.
  expect(check?.verdict).toBe(rule.number === "A8" ? "pass" : "not_judged");
});

test.each([
  { name: "one of 32,000 and 10,000 is chance", shared: 1, verdict: "pass" },
  { name: "three are not", shared: 3, verdict: "fail" },
])("A8 of seeds that evaluation uses too: $name", ({ shared, verdict }) => {
  const plan = examplePlan(
    Array.from({ length: 4000 }, (_, group) => [`t${group}`, 2]),
    { groupSize: 8 },
  );
  const evaluationSeeds = new Set(Array.from({ length: 10_000 }, (_, index) => 32_000 - shared + index));
  const { checks } = auditBudgetMix(plan, [], { evaluationSeeds });
  expect(checks.find(({ number }) => number === "A8")?.verdict).toBe(verdict);
});

test("no rollout at all is nothing that passes", () => {
  const { checks, budgets } = auditBudgetMix(examplePlan([["a", 2]]), []);
  expect(checks.filter(({ verdict }) => verdict === "pass").map(({ number }) => number)).toEqual(["A8"]);
  expect(budgets).toEqual([{ maxTurns: 2, rollouts: 0, plannedShare: 1, sequenceShare: 0 }]);
});

test("advantages inside a budget say who did well; pooled over budgets they are ±0.935 and say which budget was drawn", () => {
  const [tight, loose] = [
    [0, 0, 0, 1],
    [1, 1, 1, 0],
  ];
  const grpo = { kind: "grpo", ddof: 1, epsilon: 0 } as const;
  expect(groupAdvantages(tight, grpo).advantages).toEqual([-0.5, -0.5, -0.5, 1.5]);
  expect(groupAdvantages(loose, grpo).advantages).toEqual([0.5, 0.5, 0.5, -1.5]);
  const pooled = groupAdvantages([...tight, ...loose], grpo).advantages.map((value) => Number(value.toFixed(3)));
  expect(pooled).toEqual([-0.935, -0.935, -0.935, 0.935, 0.935, 0.935, 0.935, -0.935]);
});

/** Chance that policy B of the attribution example is still playing at turn t, by its mode chain. */
function aliveAt(turns: number): number[] {
  const [decide, recover, quit] = [
    { clean: 0.45, error: 0.42 },
    { clean: 0.4, error: 0.55 },
    { clean: 0.01, error: 0.05 },
  ];
  let [clean, error] = [1, 0];
  return Array.from({ length: turns }, () => {
    const alive = clean + error;
    [clean, error] = [
      clean * (1 - quit.clean) * decide.clean + error * (1 - quit.error) * recover.clean,
      clean * (1 - quit.clean) * decide.error + error * (1 - quit.error) * recover.error,
    ];
    return alive;
  });
}

test("A5: equal weights on T = 2, 4, 8, 16 become token shares .105, .186, .299, .409 under a mean over tokens", () => {
  const budgets = [2, 4, 8, 16];
  const plan = examplePlan(budgets.map((maxTurns) => ["a", maxTurns] as const));
  const rollouts = playExample(plan, ({ maxTurns }) => ({
    tokens: aliveAt(maxTurns).reduce((sum, alive) => sum + alive, 0),
  }));
  const { checks, budgets: found } = auditBudgetMix(plan, rollouts, { aggregation: "token_mean" });
  expect(found.map(({ tokenShare }) => Number(tokenShare?.toFixed(3)))).toEqual([0.105, 0.186, 0.299, 0.409]);
  expect(found.map(({ sequenceShare }) => sequenceShare)).toEqual([0.25, 0.25, 0.25, 0.25]);
  expect(checks[4]).toMatchObject({ number: "A5", verdict: "fail" });
  const bySequence = auditBudgetMix(plan, rollouts, { aggregation: "sequence_mean" }).checks[4];
  expect(bySequence.verdict).toBe("pass");
});

test("A6: groups of 8 without a signal to expect at the example's success rates", () => {
  const rates = [0.205786, 0.327936, 0.497137, 0.662893];
  expect(rates.map((rate) => Number(expectedFlatShare(rate, 8).toFixed(4)))).toEqual([0.1583, 0.0418, 0.0078, 0.0375]);
});

test("the pull of a budget counts what its groups teach: flat groups pull nothing", () => {
  const plan = examplePlan([
    ["a", 2],
    ["a", 8],
  ]);
  const rollouts = playExample(plan, ({ maxTurns }, member) => ({
    tokens: 10 * maxTurns,
    reward: maxTurns === 2 ? 1 : member,
  }));
  const [tight, loose] = auditBudgetMix(plan, rollouts).budgets;
  expect(tight).toMatchObject({
    tokenShare: 0.2,
    sequenceShare: 0.5,
    pull: { tokenMean: 0, sequenceMean: 0 },
    meanReward: 1,
  });
  expect(loose).toMatchObject({
    tokenShare: 0.8,
    pull: { tokenMean: 1, sequenceMean: 1 },
    meanReward: 0.5,
    meanTokens: 80,
  });
});

test("a group that mixes budgets pulls as it was trained on, and hides the pull of no other", () => {
  const plan = examplePlan([
    ["a", 2],
    ["a", 8],
  ]);
  const rollouts = playExample(plan, ({ group }, member) => ({
    tokens: 10,
    reward: member,
    ...(group === "g0" && member === 1 ? { maxTurns: 8 } : {}),
  }));
  const { budgets, checks } = auditBudgetMix(plan, rollouts);
  expect(checks[1]).toMatchObject({ number: "A2", verdict: "fail" });
  expect(budgets.map(({ pull }) => pull?.sequenceMean)).toEqual([0.25, 0.75]);
});

test("an episode that ended in an error has no pull, and hides that of no other", () => {
  const plan = examplePlan(
    [
      ["a", 2],
      ["a", 8],
    ],
    { groupSize: 3 },
  );
  const broken = { end: "error", reward: undefined } as const;
  const pullsWhen = (broke: (group: string, member: number) => boolean) =>
    auditBudgetMix(
      plan,
      playExample(plan, ({ group }, member) => ({
        tokens: 10,
        ...(broke(group, member) ? broken : { reward: member % 2 }),
      })),
    ).budgets.map(({ pull }) => pull?.sequenceMean);
  const [one, other] = pullsWhen((group, member) => group === "g1" && member === 2);
  expect((one ?? NaN) + (other ?? NaN)).toBeCloseTo(1, 12);
  expect(other).toBeGreaterThan(0);
  expect(pullsWhen((group, member) => group === "g1" && member > 0)).toEqual([1, 0]);
});

test("a plan of planBudgetMix() played to the letter passes every check that can judge it", () => {
  const tasks = Array.from({ length: 6 }, (_, number) => createTask("demo", { number }, { split: "train" }));
  const mix = { type: "fixed", budgets: [1, 4] } as const;
  const plan = planBudgetMix({
    env: { id: "demo", version: "1" },
    tasks,
    mix,
    updates: 20,
    batchSize: 24,
    groupSize: 4,
    seed: 3,
  });
  const rollouts = playExample(plan, ({ maxTurns }, member) => ({
    tokens: 12,
    reward: member % 2,
    success: member % 2 === 1,
    end: member % 2 === 1 ? "ended" : "max_turns",
    firstAction: maxTurns === 1 ? "answer" : "search",
  }));
  const { checks } = auditBudgetMix(plan, rollouts, {
    evaluationTasks: new Set(["other"]),
    evaluationSeeds: new Set([-1]),
  });
  expect(checks.map(({ number, verdict, findingCount }) => `${number} ${verdict} ${findingCount}`)).toEqual(
    Array.from({ length: 11 }, (_, index) => `A${index + 1} pass 0`),
  );
});

test("a rollout without the plan's group is matched by task, budget and update where only one row fits", () => {
  const plan = examplePlan(
    [
      ["a", 2],
      ["a", 8],
      ["a", 2],
    ],
    { perUpdate: 2 },
  );
  const find = (rollout: object) => createBudgetSubject(plan, [{ place: {}, ...rollout }]).rows[0]?.group;
  expect(find({ taskId: "a", maxTurns: 8, group: "uuid" })).toBe("g1");
  expect(find({ taskId: "a", maxTurns: 2 })).toBeUndefined();
  expect(find({ taskId: "a", maxTurns: 2, update: 1 })).toBe("g2");
  expect(find({ taskId: "a" })).toBeUndefined();
});

test("an update that is still running is a warning, an earlier one that is not complete an error", () => {
  const plan = examplePlan(
    [
      ["a", 2],
      ["b", 4],
      ["a", 4],
      ["b", 2],
    ],
    { perUpdate: 2 },
  );
  const audit = (without: string) =>
    auditBudgetMix(
      plan,
      playExample(plan, ({ group }, member) => (group === without && member === 1 ? undefined : {})),
    ).checks[0];
  expect(audit("g3")).toMatchObject({ verdict: "pass", findings: [{ severity: "warning" }] });
  expect(audit("g1")).toMatchObject({ verdict: "fail", findings: [{ severity: "error" }] });
});

test("auditBudgetMix() uses the thresholds it is given, keeps some findings, counts all, and refuses unknown thresholds", () => {
  const plan = examplePlan([
    ["a", 2],
    ["b", 16],
  ]);
  const rollouts = playExample(plan, ({ maxTurns }) => ({ tokens: 10 * maxTurns, turns: 99 }));
  const aggregation = "token_mean";
  expect(
    auditBudgetMix(plan, rollouts, { aggregation, thresholds: { "token-share.maxShift": 0.5 } }).checks[4].verdict,
  ).toBe("pass");
  expect(auditBudgetMix(plan, rollouts, { maxFindings: 1 }).checks[3]).toMatchObject({
    findingCount: 4,
    findings: [{ ruleId: "turns-within-budget" }],
  });
  expect(() => auditBudgetMix(plan, rollouts, { thresholds: { "token-share.most": 1 } })).toThrow(
    'Cannot set the threshold "token-share.most"',
  );
  expect(() => auditBudgetMix(plan, rollouts, { thresholds: { "token-share.maxShift": -1 } })).toThrow(
    "it must be a number from 0",
  );
});
