import type { RuleFinding } from "../../../core/index.js";
import type { BudgetSubject } from "./budget-subject.js";
import { budgetRule, countOf, examplePlan, exampleSubject, nameRollout } from "./rule-kit.js";

const plan = examplePlan([
  ["a", 2],
  ["b", 8],
]);

/** Returns findings about seeds that the plan itself has twice. */
function findPlannedTwice({ plan: { rows } }: BudgetSubject): RuleFinding[] {
  const owner = new Map<number, string>();
  const findings: RuleFinding[] = [];
  for (const { group, samplingSeeds } of rows) {
    for (const seed of samplingSeeds) {
      const first = owner.get(seed);
      if (first === undefined) owner.set(seed, group);
      else
        findings.push({
          message: `the plan has sampling seed ${seed} twice: in groups "${first}" and "${group}"`,
          evidence: { seed },
        });
    }
  }
  return findings;
}

/** Returns findings about seeds that two episodes were sampled with, or that evaluation uses too. */
function findPlayedTwice({ rollouts, settings }: BudgetSubject, isChance: boolean): RuleFinding[] {
  const owner = new Map<number, string>();
  return rollouts.flatMap((rollout): RuleFinding[] => {
    const { samplingSeed: seed, group = "", place } = rollout;
    if (seed === undefined) return [];
    const first = owner.get(seed);
    if (first !== undefined) {
      const where = first === group ? `twice in group "${group}"` : `in groups "${first}" and "${group}"`;
      return [{ message: `sampling seed ${seed} was used ${where}`, place, evidence: { seed } }];
    }
    owner.set(seed, group);
    if (isChance || settings.evaluationSeeds?.has(seed) !== true) return [];
    return [
      {
        message: `${nameRollout(rollout)} was sampled with seed ${seed}, which evaluation uses too`,
        place,
        evidence: { seed },
      },
    ];
  });
}

/** Seeds of the plan that evaluation uses, beside those that a rollout states and is told by. */
function findPlannedEvaluation({
  plan: { rows },
  rollouts,
  settings: { evaluationSeeds },
}: BudgetSubject): RuleFinding[] {
  if (evaluationSeeds === undefined) return [];
  const stated = new Set(rollouts.map(({ samplingSeed }) => samplingSeed));
  return rows.flatMap(({ group, samplingSeeds }) =>
    samplingSeeds
      .filter((seed) => evaluationSeeds.has(seed) && !stated.has(seed))
      .map((seed): RuleFinding => ({
        message: `group "${group}" of the plan has sampling seed ${seed}, which evaluation uses too`,
        evidence: { seed },
      })),
  );
}

/** Sampling seeds are drawn from this many. */
const seedSpace = 2 ** 31;
/** A number of shared seeds that unrelated streams reach with at least this probability is chance. */
const chance = 0.01;

/**
 * Says whether two unrelated streams of seeds share as many as these do: 30,000 seeds of training and 10,000 of evaluation
 * share one with probability .13. Poisson with mean |training| x |evaluation| / 2^31.
 */
function isSharedByChance({ plan: { rows }, rollouts, settings: { evaluationSeeds } }: BudgetSubject): boolean {
  if (evaluationSeeds === undefined) return false;
  const training = new Set([
    ...rows.flatMap(({ samplingSeeds }) => samplingSeeds),
    ...rollouts.flatMap(({ samplingSeed }) => samplingSeed ?? []),
  ]);
  const shared = [...training].filter((seed) => evaluationSeeds.has(seed)).length;
  const mean = (training.size * evaluationSeeds.size) / seedSpace;
  let term = Math.exp(-mean);
  let below = 0;
  for (let count = 0; count < shared; count += 1) {
    below += term;
    term *= mean / (count + 1);
  }
  return 1 - below >= chance;
}

/** A8: no sampling seed is used twice, and none by training and evaluation beyond chance. */
export const seedReuseRule = budgetRule({
  number: "A8",
  id: "seed-reuse",
  severity: "error",
  description: "Finds sampling seeds used by two episodes, or by training and evaluation alike.",
  rationale:
    "Members of a group that share a seed are the same episode: no spread, no advantage. Shared with evaluation, training has seen the very draws it is judged by.",
  remedy: "Sample every episode with the seed of its row, and draw evaluation seeds from another stream",
  thresholds: {},
  examples: [
    { name: "all different", subject: exampleSubject(plan), messages: [] },
    {
      name: "members of a group that share a seed",
      subject: exampleSubject(plan, ({ group }) => (group === "g1" ? { samplingSeed: 2 } : {})),
      messages: ['sampling seed 2 was used twice in group "g1"'],
    },
    {
      name: "a seed that evaluation uses too",
      subject: exampleSubject(plan, undefined, { evaluationSeeds: new Set([3]) }),
      messages: ['a rollout of group "g1" was sampled with seed 3, which evaluation uses too'],
    },
    {
      name: "a seed of the plan that evaluation uses too, where rollouts do not state theirs",
      subject: exampleSubject(plan, () => ({ samplingSeed: undefined }), { evaluationSeeds: new Set([3]) }),
      messages: ['group "g1" of the plan has sampling seed 3, which evaluation uses too'],
    },
  ],
  check(subject) {
    const isChance = isSharedByChance(subject);
    return [
      ...findPlannedTwice(subject),
      ...findPlayedTwice(subject, isChance),
      ...(isChance ? [] : findPlannedEvaluation(subject)),
    ];
  },
  summarize({ plan: { rows }, rollouts, settings }) {
    const planned = rows.reduce((sum, { samplingSeeds }) => sum + samplingSeeds.length, 0);
    const stated = rollouts.filter(({ samplingSeed }) => samplingSeed !== undefined).length;
    const evaluation =
      settings.evaluationSeeds === undefined
        ? "no evaluation was named"
        : `${countOf(settings.evaluationSeeds.size, "seed")} of evaluation`;
    return {
      text: `${countOf(planned, "seed")} in the plan, ${stated} of ${countOf(rollouts.length, "rollout")} state theirs; ${evaluation}`,
      values: { planned, stated },
    };
  },
});
