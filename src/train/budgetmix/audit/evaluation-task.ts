import type { RuleFinding } from "../../../core/index.js";
import type { BudgetSubject } from "./budget-subject.js";
import { budgetRule, countOf, examplePlan, exampleSubject } from "./rule-kit.js";

const plan = examplePlan([
  ["a", 2],
  ["b", 8],
]);

function isHeldOut(
  { evaluationTasks, isEvaluationTask }: BudgetSubject["settings"],
  task: { readonly taskId?: string; readonly taskHash?: string },
): boolean {
  const { taskId, taskHash } = task;
  const names = [taskHash, taskId].filter((name) => name !== undefined);
  if (names.some((name) => evaluationTasks?.has(name) === true)) return true;
  return taskHash !== undefined && isEvaluationTask?.(taskHash) === true;
}

/** A10: no task of the evaluation is trained on. */
export const evaluationTaskRule = budgetRule({
  number: "A10",
  id: "evaluation-task",
  severity: "error",
  description: "Finds tasks of the evaluation among those that the plan or the rollouts train on.",
  rationale:
    "A figure on a task that was trained on says nothing about tasks that were not. Tasks are compared by content, so that another name hides nothing.",
  remedy: "Plan with tasks of the train split, and evaluate on others",
  thresholds: {},
  examples: [
    {
      name: "other tasks are evaluated",
      subject: exampleSubject(plan, undefined, { evaluationTasks: new Set(["z"]) }),
      messages: [],
    },
    {
      name: "a planned task is evaluated",
      subject: exampleSubject(plan, undefined, { evaluationTasks: new Set(["b"]) }),
      messages: ["task b of the plan (1 group) belongs to the evaluation"],
    },
    {
      name: "a rollout plays a task of the eval split that the plan does not hold",
      subject: exampleSubject(
        plan,
        ({ group }, member) => (group === "g0" && member === 0 ? { taskId: "e", taskHash: "e" } : {}),
        {
          isEvaluationTask: (hash) => hash === "e",
        },
      ),
      messages: ["task e of the rollouts (1 episode) belongs to the evaluation"],
    },
  ],
  findGap: ({ settings }) =>
    settings.evaluationTasks === undefined && settings.isEvaluationTask === undefined
      ? "no evaluation is known: name its runs with --evaluation"
      : undefined,
  check({ plan: { rows }, rollouts, settings }) {
    const planned = new Map<string, number>();
    for (const row of rows) if (isHeldOut(settings, row)) planned.set(row.taskId, (planned.get(row.taskId) ?? 0) + 1);
    const played = new Map<string, { count: number; readonly place: RuleFinding["place"] }>();
    for (const rollout of rollouts) {
      const name = rollout.taskId ?? rollout.taskHash;
      if (name === undefined || planned.has(name) || !isHeldOut(settings, rollout)) continue;
      const found = played.get(name);
      if (found === undefined) played.set(name, { count: 1, place: rollout.place });
      else found.count += 1;
    }
    return [
      ...[...planned].map(([task, count]) => ({
        message: `task ${task} of the plan (${countOf(count, "group")}) belongs to the evaluation`,
        evidence: { task, groups: count },
      })),
      ...[...played].map(([task, { count, place }]) => ({
        message: `task ${task} of the rollouts (${countOf(count, "episode")}) belongs to the evaluation`,
        place,
        evidence: { task, episodes: count },
      })),
    ];
  },
  summarize({ plan: { rows }, settings }) {
    const tasks = new Set(rows.map(({ taskHash }) => taskHash)).size;
    const known =
      settings.evaluationTasks === undefined
        ? "the eval split"
        : `${countOf(settings.evaluationTasks.size, "task name")} of evaluation`;
    return { text: `${countOf(tasks, "task")} of the plan against ${known}`, values: { tasks } };
  },
});
