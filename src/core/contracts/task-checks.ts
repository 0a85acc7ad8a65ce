// internal
import { hashJson } from "../sha256.js";
import { getSplit, type SuiteRequest, type Task } from "../task.js";
import type { ContractCheck } from "./contract.js";
import { expectThat, nameTask, splits, toText, type CheckContext } from "./contract-kit.js";

type MakeTasks = (request: SuiteRequest) => readonly Task[];

function makeAll(context: CheckContext, makeTasks: MakeTasks, seed: number) {
  const { levels, taskCount } = context;
  return levels.flatMap((level) =>
    splits.map((split) => {
      const request = { split, level, taskCount, seed };
      return { request, tasks: makeTasks(request) };
    }),
  );
}

/** Returns the checks of `makeTasks`; none where tasks come from elsewhere. */
export function taskSuiteChecks(context: CheckContext): ContractCheck[] {
  const { env, seed } = context;
  if (env.makeTasks === undefined) return [];
  const makeTasks: MakeTasks = (request) => env.makeTasks?.(request) ?? [];
  return [
    {
      name: "makeTasks() returns the same tasks for the same request",
      async run() {
        const [first, second] = [makeAll(context, makeTasks, seed), makeAll(context, makeTasks, seed)];
        expectThat(toText(first) === toText(second), "Two equal requests gave different tasks");
      },
    },
    {
      name: "makeTasks() returns as many tasks as asked for, each once",
      async run() {
        for (const { request, tasks } of makeAll(context, makeTasks, seed)) {
          expectThat(tasks.length === request.taskCount, `${toText(request)} gave ${tasks.length} tasks`);
          expectThat(
            new Set(tasks.map((task) => task.hash)).size === tasks.length,
            `${toText(request)} gave a task twice`,
          );
          expectThat(
            new Set(tasks.map((task) => task.id)).size === tasks.length,
            `${toText(request)} gave an id twice`,
          );
        }
      },
    },
    {
      name: "makeTasks() gives each task the split and the level that were asked for",
      async run() {
        for (const { request, tasks } of makeAll(context, makeTasks, seed)) {
          for (const task of tasks) {
            expectThat(
              task.split === request.split,
              `${nameTask(task)} says split "${task.split}", asked for "${request.split}"`,
            );
            expectThat(
              task.level === request.level,
              `${nameTask(task)} says level ${task.level}, asked for ${request.level}`,
            );
            const own = getSplit(task.hash);
            expectThat(
              own === request.split,
              `${nameTask(task)} belongs to "${own}" by its hash, given as "${request.split}"`,
            );
          }
        }
      },
    },
    {
      name: "train and eval tasks never overlap, whatever the seeds",
      async run() {
        const all = [seed, seed + 1, seed + 2].flatMap((each) => makeAll(context, makeTasks, each));
        const train = all.filter(({ request }) => request.split === "train").flatMap(({ tasks }) => tasks);
        const trained = new Set(train.map((task) => toText(task.data)));
        for (const { request, tasks } of all) {
          if (request.split === "train") continue;
          const shared = tasks.find((task) => trained.has(toText(task.data)));
          expectThat(shared === undefined, `A task is in train and in eval: "${shared?.id}"`);
        }
      },
    },
  ];
}

/** Returns the check of the tasks themselves, wherever they come from. */
export function taskIdentityCheck({ env, tasks }: CheckContext): ContractCheck {
  return {
    name: "each task's hash is the hash of its env and data",
    async run() {
      for (const task of tasks) {
        expectThat(task.envId === env.id, `${nameTask(task)} belongs to env "${task.envId}", not "${env.id}"`);
        expectThat(task.id !== "", `A task has an empty id: ${task.hash}`);
        const hash = hashJson({ envId: task.envId, data: task.data });
        expectThat(task.hash === hash, `${nameTask(task)} has hash ${task.hash}, its content has ${hash}`);
      }
    },
  };
}
