// internal
import type { StepResult } from "../env.js";
import { createRandom } from "../random.js";
import type { Task } from "../task.js";
import type { ContractCheck } from "./contract.js";
import {
  chooseAction,
  expectSameAnswers,
  expectThat,
  nameTask,
  play,
  readDistance,
  replay,
  throughJson,
  toText,
  type CheckContext,
} from "./contract-kit.js";

/** Ways of playing that every check goes through: enough to reach ends and detours. */
const streams = ["first", "second", "third"];

function forEachTask(context: CheckContext, run: (task: Task) => Promise<void>): () => Promise<void> {
  return async () => {
    for (const task of context.tasks) await run(task);
  };
}

function expectResult(result: StepResult, place: string): void {
  const { reward, ended, solvedAfter, regret, toolCalls, envSteps } = result;
  expectThat(typeof result.observation.text === "string", `${place}: the observation has no text`);
  if (reward !== undefined) expectThat(Number.isFinite(reward), `${place}: the reward is ${reward}`);
  if (ended === "solved")
    expectThat(solvedAfter === true, `${place}: it ended "solved" but solvedAfter is ${solvedAfter}`);
  else if (ended !== undefined)
    expectThat(solvedAfter !== true, `${place}: it ended "${ended}" but solvedAfter is true`);
  for (const [name, count] of Object.entries({ toolCalls, envSteps })) {
    if (count !== undefined) expectThat(Number.isInteger(count) && count >= 0, `${place}: ${name} is ${count}`);
  }
  if (regret !== undefined)
    expectThat(regret >= -1e-9 && regret <= 1 + 1e-9, `${place}: the regret ${regret} is not in 0..1`);
  for (const [name, value] of Object.entries({ before: result.distanceBefore, after: result.distanceAfter })) {
    const distance = readDistance(value);
    if (distance !== undefined) expectThat(distance >= 0, `${place}: the distance ${name} is ${distance}`);
  }
  if (solvedAfter === true && result.distanceAfter !== undefined) {
    expectThat(
      readDistance(result.distanceAfter) === 0,
      `${place}: solved, but the distance after is ${toText(result.distanceAfter)}`,
    );
  }
}

/** Returns the checks of sessions: repeatable, independent, honest, closed cleanly. */
export function sessionChecks(context: CheckContext): ContractCheck[] {
  const { env, seed } = context;
  const checks: ContractCheck[] = [
    {
      name: "rewards are finite, grades agree with the end, distances and regrets are in range",
      run: forEachTask(context, async (task) => {
        for (const stream of streams) {
          const steps = await play(context, task, { stream });
          for (const [i, { result }] of steps.entries()) expectResult(result, `${nameTask(task)}, step ${i}`);
        }
      }),
    },
    {
      name: "two sessions of one task do not touch each other",
      run: forEachTask(context, async (task) => {
        const [first, second] = [
          await play(context, task, { stream: "first" }),
          await play(context, task, { stream: "second" }),
        ];
        const [one, other] = [await env.start(task, seed), await env.start(task, seed)];
        for (let i = 0; i < Math.max(first.length, second.length); i += 1) {
          for (const [session, steps] of [[one, first] as const, [other, second] as const]) {
            if (steps[i] === undefined) continue;
            const found = toText(await session.step(steps[i].action));
            expectThat(
              found === toText(steps[i].result),
              `${nameTask(task)}, step ${i}, beside another session: ${found} instead of ${toText(steps[i].result)}`,
            );
          }
        }
        await one.close();
        await other.close();
      }),
    },
    {
      name: "a step after the end is refused with an error",
      run: forEachTask(context, async (task) => {
        for (const stream of streams) {
          const steps = await play(context, task, { stream });
          if (steps.at(-1)?.result.ended === undefined) continue;
          const session = await env.start(task, seed);
          for (const { action } of steps) await session.step(action);
          let refusal: unknown;
          try {
            await session.step(steps[0].action);
          } catch (error) {
            refusal = error;
          }
          await session.close();
          const isClear = refusal instanceof Error && refusal.message !== "";
          expectThat(isClear, `${nameTask(task)} ended "${steps.at(-1)?.result.ended}" and still answered a step`);
        }
      }),
    },
    {
      name: "closing a session twice does no harm",
      run: forEachTask(context, async (task) => {
        const session = await env.start(task, seed);
        await session.close();
        await session.close();
      }),
    },
  ];
  if (env.isDeterministic) checks.push(...repeatChecks(context));
  if (env.isSuccessAbsorbing) checks.push(absorbingCheck(context));
  return checks;
}

function repeatChecks(context: CheckContext): ContractCheck[] {
  const { env, seed } = context;
  return [
    {
      name: "the same seed and actions give the same episode",
      run: forEachTask(context, async (task) => {
        const [one, other] = [await env.start(task, seed), await env.start(task, seed)];
        expectThat(toText(one.observation) === toText(other.observation), `${nameTask(task)} began in two ways`);
        await one.close();
        await other.close();
        const steps = await play(context, task);
        expectSameAnswers(steps, await play(context, task, { choose: replay(steps) }), nameTask(task));
      }),
    },
    {
      name: "tasks said not to depend on the seed give the same episode with another seed",
      run: forEachTask(context, async (task) => {
        if (!context.isSeedIndependent(task)) return;
        const steps = await play(context, task);
        const session = await env.start(task, seed + 1);
        expectSameAnswers(steps, await play(context, task, { session, choose: replay(steps) }), nameTask(task));
      }),
    },
  ];
}

function absorbingCheck(context: CheckContext): ContractCheck {
  const { env } = context;
  return {
    name: "a solved state stays solved",
    run: forEachTask(context, async (task) => {
      for (const stream of ["best", ...streams]) {
        const random = createRandom(context.seed, task.hash, stream);
        const steps = await play(context, task, {
          choose(session, made) {
            const isSearching = stream === "best" && made.every(({ result }) => result.solvedAfter !== true);
            const snapshot = isSearching ? session.snapshot?.() : undefined;
            if (snapshot === undefined) return chooseAction(context, task, session, random);
            return env.oracle?.bestActions(task, snapshot)[0] ?? chooseAction(context, task, session, random);
          },
        });
        let isSolved = false;
        for (const [i, { result }] of steps.entries()) {
          expectThat(
            !isSolved || result.solvedAfter !== false,
            `${nameTask(task)} was solved and is not after step ${i}`,
          );
          isSolved ||= result.solvedAfter === true;
        }
      }
    }),
  };
}

/** Returns the checks of `snapshot` and `resume`; none for an env without them. */
export function snapshotChecks(context: CheckContext): ContractCheck[] {
  const { env, seed } = context;
  if (env.resume === undefined) return [];
  return [
    {
      name: "a snapshot is plain JSON and later steps leave it alone",
      run: forEachTask(context, async (task) => {
        const texts: string[] = [];
        const steps = await play(context, task, {
          choose(session, { length: stepIndex }) {
            const snapshot = session.snapshot?.();
            expectThat(
              snapshot !== undefined,
              `${nameTask(task)} can be resumed but has no snapshot at step ${stepIndex}`,
            );
            texts.push(toText(snapshot));
            expectThat(
              toText(throughJson(snapshot)) === texts[stepIndex],
              `${nameTask(task)}, step ${stepIndex}: JSON text loses part of the snapshot`,
            );
            return chooseAction(context, task, session, createRandom(seed, task.hash, "snapshot", stepIndex));
          },
        });
        for (const [i, { before }] of steps.entries()) {
          expectThat(
            toText(before) === texts[i],
            `${nameTask(task)}: the snapshot before step ${i} was changed by a later step`,
          );
        }
      }),
    },
    {
      name: "a resumed episode goes on exactly like an uninterrupted one",
      run: forEachTask(context, async (task) => {
        const steps = await play(context, task);
        for (const [i, { before }] of steps.entries()) {
          if (before === undefined) continue;
          const session = await env.resume?.(task, seed, throughJson(before));
          expectThat(session !== undefined, `${nameTask(task)} cannot be resumed at step ${i}`);
          expectThat(
            toText(session.snapshot?.()) === toText(before),
            `${nameTask(task)} resumed at step ${i} has another state`,
          );
          const rest = await play(context, task, { session, choose: replay(steps, i) });
          expectSameAnswers(steps.slice(i), rest, `${nameTask(task)} resumed at step ${i}`);
        }
      }),
    },
    {
      name: "every state can be rendered for people",
      run: forEachTask(context, async (task) => {
        if (env.render === undefined) return;
        for (const { before } of await play(context, task)) {
          if (before !== undefined)
            expectThat(env.render(task, before).trim() !== "", `${nameTask(task)} renders as nothing`);
        }
      }),
    },
  ];
}
