import type { BudgetPlan, BudgetPlanRow, BudgetRollout, RuleFinding } from "../../../core/index.js";
import type { BudgetSubject } from "./budget-subject.js";
import { budgetRule, countOf, examplePlan, exampleSubject, groupBy, nameRollout } from "./rule-kit.js";

function nameEnv(env: BudgetRollout["env"]): string {
  return `env "${env?.id}" version "${env?.version}"`;
}

/** Returns what of a rollout is not as its row and plan have it, in words. */
function listDepartures(plan: BudgetPlan, row: BudgetPlanRow, rollout: BudgetRollout): string[] {
  const { env, terminalRule, taskHash, taskId, maxTurns, envSeed, samplingSeed, update } = rollout;
  const differs = (found: unknown, planned: unknown): boolean => found !== undefined && found !== planned;
  const departures: string[] = [];
  if (differs(env?.id, plan.env.id) || differs(env?.version, plan.env.version))
    departures.push(`was played in ${nameEnv(env)}, planned is ${nameEnv(plan.env)}`);
  if (differs(terminalRule, plan.terminalRule))
    departures.push(`was played with terminal rule "${terminalRule}", planned is "${plan.terminalRule}"`);
  if (differs(taskHash, row.taskHash) || (taskHash === undefined && differs(taskId, row.taskId)))
    departures.push(`played task ${taskId ?? taskHash}, planned is ${row.taskId}`);
  if (differs(maxTurns, row.maxTurns)) departures.push(`was played with T=${maxTurns}, planned is T=${row.maxTurns}`);
  if (differs(envSeed, row.envSeed)) departures.push(`has env seed ${envSeed}, planned is ${row.envSeed}`);
  if (differs(update, row.update)) departures.push(`was consumed in update ${update}, planned is ${row.update}`);
  if (samplingSeed !== undefined && !row.samplingSeeds.includes(samplingSeed))
    departures.push(`has sampling seed ${samplingSeed}, which is none of the planned ones`);
  return departures;
}

/** Returns the rows that were played, with their rollouts. */
function countByRow({ rows }: BudgetSubject): Map<BudgetPlanRow, number> {
  const counts = new Map<BudgetPlanRow, number>();
  for (const row of rows) if (row !== undefined) counts.set(row, (counts.get(row) ?? 0) + 1);
  return counts;
}

/**
 * Returns a warning for each update that is missing between others: it was lost, never trained on, or not logged. Dumps
 * may begin late and end early, as while a run goes on.
 */
function findGaps({ plan, rows }: BudgetSubject): RuleFinding[] {
  const begun = new Set(rows.flatMap((row) => (row === undefined ? [] : [row.update])));
  const least = [...begun].reduce((a, b) => Math.min(a, b), Infinity);
  const most = [...begun].reduce((a, b) => Math.max(a, b), -1);
  return [...groupBy(plan.rows, ({ update }) => update)].flatMap(([update, planned]): RuleFinding[] => {
    if (begun.has(update) || update < least || update > most) return [];
    const message = `none of the ${countOf(planned.length, "group")} of update ${update} was played, and updates ${least} to ${most} around it were`;
    const place = { detail: `update ${update} of the plan` };
    return [{ severity: "warning", message, place, evidence: { update, groups: planned.length } }];
  });
}

/** Returns findings about rows with too few or too many episodes, in updates that were begun. */
function findUneven(subject: BudgetSubject): RuleFinding[] {
  const counts = countByRow(subject);
  const begun = new Set([...counts.keys()].map(({ update }) => update));
  const last = [...begun].reduce((a, b) => Math.max(a, b), -1);
  return subject.plan.rows.flatMap((row): RuleFinding[] => {
    const played = counts.get(row) ?? 0;
    const planned = row.samplingSeeds.length;
    if (!begun.has(row.update) || played === planned) return [];
    const message =
      played === 0
        ? `group "${row.group}" of update ${row.update} was not played`
        : `group "${row.group}" of update ${row.update} has ${countOf(played, "episode")}, planned are ${planned}`;
    // The last update may still be running.
    const severity = played < planned && row.update === last && begun.size > 1 ? "warning" : "error";
    return [{ severity, message, place: { detail: `row "${row.group}" of the plan` }, evidence: { played, planned } }];
  });
}

const plan = examplePlan([
  ["a", 2],
  ["b", 8],
]);

const threeUpdates = examplePlan(
  [
    ["a", 2],
    ["b", 8],
    ["a", 8],
    ["b", 2],
    ["c", 2],
    ["c", 8],
  ],
  { perUpdate: 2 },
);

/** A1: what was played is what was planned. */
export const planConformityRule = budgetRule({
  number: "A1",
  id: "plan-conformity",
  severity: "error",
  description: "Finds rollouts that no row of the plan asked for, or that differ from their row, and rows not played.",
  rationale:
    "Everything the plan promises (balanced cells, one budget a group, seeds that never repeat) holds only for what it planned. Rollouts without group, task and budget cannot be matched.",
  remedy: "Give the trainer the rows as they are, in their order, and do not shuffle, drop or resample them",
  thresholds: {},
  examples: [
    { name: "a plan played to the letter", subject: exampleSubject(plan), messages: [] },
    {
      name: "one rollout with another budget and seed",
      subject: exampleSubject(plan, ({ group }, member) =>
        group === "g1" && member === 0 ? { maxTurns: 4, samplingSeed: 77 } : {},
      ),
      messages: [
        'a rollout of group "g1" was played with T=4, planned is T=8',
        'a rollout of group "g1" has sampling seed 77, which is none of the planned ones',
      ],
    },
    {
      name: "a group the plan does not have, and one episode missing",
      subject: exampleSubject(plan, ({ group }, member) =>
        group === "g0" && member === 1 ? { group: "x9", taskHash: "c", taskId: "c" } : {},
      ),
      messages: [
        'a rollout of group "x9" belongs to no row of the plan',
        'group "g0" of update 0 has 1 episode, planned are 2',
      ],
    },
    {
      name: "an update that is missing between two others",
      subject: exampleSubject(threeUpdates, ({ update }) => (update === 1 ? undefined : {})),
      messages: ["none of the 2 groups of update 1 was played, and updates 0 to 2 around it were"],
    },
    {
      name: "another version of the env, and another rule for the end",
      subject: exampleSubject(plan, ({ group }, member) =>
        group === "g0" && member === 0 ? { env: { id: "demo", version: "2" }, terminalRule: "hard" } : {},
      ),
      messages: [
        `a rollout of group "g0" was played in env "demo" version "2", planned is env "${plan.env.id}" version "${plan.env.version}"`,
        'a rollout of group "g0" was played with terminal rule "hard", planned is "act"',
      ],
    },
  ],
  findGap: ({ rollouts, rows }) => {
    if (rollouts.length === 0) return "there are no rollouts";
    const canMatch = rollouts.some(
      ({ group, taskHash, taskId, maxTurns }, position) =>
        rows[position] !== undefined ||
        (maxTurns !== undefined && (taskHash ?? taskId) !== undefined) ||
        (group !== undefined && (taskHash ?? taskId) !== undefined),
    );
    return canMatch ? undefined : "the rollouts state neither a group of the plan, nor task and budget";
  },
  check(subject) {
    const { plan, rollouts, rows } = subject;
    const departing = rollouts.flatMap((rollout, position): RuleFinding[] => {
      const row = rows[position];
      const { place } = rollout;
      if (row === undefined) return [{ message: `${nameRollout(rollout)} belongs to no row of the plan`, place }];
      return listDepartures(plan, row, rollout).map((departure) => ({
        message: `${nameRollout(rollout)} ${departure}`,
        place,
        evidence: { group: row.group, planned: { maxTurns: row.maxTurns, taskId: row.taskId, envSeed: row.envSeed } },
      }));
    });
    return [...departing, ...findGaps(subject), ...findUneven(subject)];
  },
  summarize(subject) {
    const counts = countByRow(subject);
    const matched = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return {
      text: `${matched} of ${countOf(subject.rollouts.length, "rollout")} belong to ${counts.size} of ${countOf(subject.plan.rows.length, "planned group")}`,
      values: {
        matched,
        rollouts: subject.rollouts.length,
        groups: counts.size,
        plannedGroups: subject.plan.rows.length,
      },
    };
  },
});
