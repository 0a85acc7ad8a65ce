// internal
import type { Action } from "../action.js";
import type { Oracle } from "../env.js";
import type { JsonValue } from "../json.js";
import { createRandom } from "../random.js";
import type { Task } from "../task.js";
import type { ContractCheck } from "./contract.js";
import {
  expectThat,
  nameTask,
  play,
  readDistance,
  stepOnce,
  throughJson,
  toText,
  type CheckContext,
  type PlayedStep,
} from "./contract-kit.js";

/** Turns a distance-following play may take at most: a suite's tasks are meant to be solved in fewer. */
const maxDistance = 200;
/** Allowed actions of one state that are tried one by one. */
const maxTried = 12;

type StateVisitor = (
  oracle: Oracle,
  task: Task,
  step: PlayedStep & { readonly before: JsonValue },
  place: string,
) => void | Promise<void>;

function forEachState(context: CheckContext, oracle: Oracle, visit: StateVisitor): () => Promise<void> {
  return async () => {
    for (const task of context.tasks) {
      for (const stream of ["first", "second"]) {
        for (const [i, step] of (await play(context, task, { stream })).entries()) {
          const { before } = step;
          if (before !== undefined) await visit(oracle, task, { ...step, before }, `${nameTask(task)}, state ${i}`);
        }
      }
    }
  };
}

function forEachBestPlay(
  context: CheckContext,
  oracle: Oracle,
  visit: (steps: readonly PlayedStep[], place: string) => void,
  choices: readonly ("first" | "last")[] = ["first", "last"],
): () => Promise<void> {
  return async () => {
    for (const task of context.tasks) {
      for (const which of choices) {
        const steps = await play({ ...context, maxTurns: maxDistance }, task, {
          choose(session, made) {
            if (made.length >= context.maxTurns && readDistance(made[0]?.result.distanceBefore) === undefined)
              return undefined;
            const best = oracle.bestActions(task, session.snapshot?.() ?? null);
            return which === "first" ? best[0] : best.at(-1);
          },
        });
        visit(steps, `${nameTask(task)}, following the ${which} best action`);
      }
    }
  };
}

function getTurnsToSolve(steps: readonly PlayedStep[]): number {
  const index = steps.findIndex(({ result }) => result.solvedAfter === true);
  return index < 0 ? Infinity : index + 1;
}

/** Returns the checks of the oracle: what it calls best and allowed, and the distances steps report. */
export function oracleChecks(context: CheckContext): ContractCheck[] {
  const { env } = context;
  const { oracle } = env;
  if (oracle === undefined) return [];
  return [
    ...choiceChecks(context, oracle),
    {
      name: "a known finite distance is kept: best actions solve within it and lower it every turn",
      run: forEachBestPlay(context, oracle, (steps, place) => {
        const distance = readDistance(steps[0]?.result.distanceBefore);
        if (distance === undefined || distance === Infinity) return;
        const turns = getTurnsToSolve(steps);
        expectThat(turns <= distance, `${place}: solved after ${turns} turns, the distance was ${distance}`);
        for (const [i, { result }] of steps.entries()) {
          const [before, after] = [readDistance(result.distanceBefore), readDistance(result.distanceAfter)];
          const isLower = before !== undefined && after !== undefined && after <= Math.max(0, before - 1);
          expectThat(isLower, `${place}: turn ${i} led from distance ${before} to ${after}`);
        }
      }),
    },
    {
      name: "best actions for exactly the turns that the distance says still solve",
      async run() {
        for (const task of context.tasks) {
          let distance: number | undefined;
          const steps = await play({ ...context, maxTurns: maxDistance }, task, {
            choose(session, made) {
              distance = readDistance(made[0]?.result.distanceBefore) ?? distance;
              if (made.length > 0 && (distance === undefined || distance === Infinity)) return undefined;
              const turnsLeft = distance === undefined ? undefined : Math.max(1, distance - made.length);
              return oracle.bestActions(task, session.snapshot?.() ?? null, turnsLeft)[0];
            },
          });
          if (distance === undefined || distance === Infinity) continue;
          const turns = getTurnsToSolve(steps);
          expectThat(
            turns <= distance,
            `${nameTask(task)}: solved after ${turns} turns, told that ${distance} were left`,
          );
        }
      },
    },
    {
      name: "distances of neighbouring turns agree, and a hopeless state stays hopeless",
      async run() {
        for (const task of context.tasks) {
          for (const stream of ["first", "second", "third"]) {
            expectAgreement(await play(context, task, { stream }), `${nameTask(task)}, play "${stream}"`);
          }
        }
      },
    },
    {
      name: "best actions have no regret",
      run: forEachBestPlay(context, oracle, (steps, place) => {
        for (const [i, { result }] of steps.entries()) {
          expectThat((result.regret ?? 0) < 1e-9, `${place}: turn ${i} has a regret of ${result.regret}`);
        }
      }),
    },
    ...chanceChecks(context, oracle),
  ];
}

function choiceChecks(context: CheckContext, oracle: Oracle): ContractCheck[] {
  const { env, seed } = context;
  return [
    {
      name: "best actions are never missing before the end and are among the allowed ones",
      run: forEachState(context, oracle, (_, task, { before }, place) => {
        const allowed = new Set(oracle.allowedActions(task, before).map(toText));
        expectThat(allowed.size > 0, `${place}: no action is allowed`);
        for (const turnsLeft of [undefined, 1, 3]) {
          const best = oracle.bestActions(task, before, turnsLeft);
          expectThat(best.length > 0, `${place}: no action is best with ${turnsLeft ?? "unlimited"} turns left`);
          const stray = best.find((action) => !allowed.has(toText(action)));
          expectThat(stray === undefined, `${place}: ${toText(stray)} is best but not allowed`);
          expectThat(new Set(best.map(toText)).size === best.length, `${place}: a best action is listed twice`);
        }
      }),
    },
    {
      name: "the oracle answers the same for the same state, and reads it from JSON",
      run: forEachState(context, oracle, (_, task, { before }, place) => {
        const ask = (snapshot: JsonValue): string =>
          toText([
            oracle.bestActions(task, snapshot),
            oracle.bestActions(task, snapshot, 2),
            oracle.allowedActions(task, snapshot),
          ]);
        expectThat(ask(before) === ask(throughJson(before)), `${place}: the oracle gave two answers`);
      }),
    },
    {
      name: "every allowed action can be carried out",
      run: forEachState(context, oracle, async (_, task, { before }, place) => {
        if (env.resume === undefined) return;
        const actions = createRandom(seed, task.hash, "allowed").shuffle(oracle.allowedActions(task, before));
        for (const action of actions.slice(0, maxTried)) {
          const session = await env.resume(task, seed, before);
          const { flags = {} } = await stepOnce(session, action);
          expectThat(flags.invalid === undefined, `${place}: ${toText(action)} is allowed but answered as invalid`);
        }
      }),
    },
  ];
}

function expectAgreement(steps: readonly PlayedStep[], place: string): void {
  let isHopeless = false;
  for (const [i, { result }] of steps.entries()) {
    const { distanceBefore, distanceAfter, ended, solvedAfter } = result;
    const [before, after] = [readDistance(distanceBefore), readDistance(distanceAfter)];
    const previous = steps[i - 1]?.result.distanceAfter;
    expectThat(
      i === 0 || toText(previous) === toText(distanceBefore),
      `${place}: distance ${toText(previous)} after turn ${i - 1}, ${toText(distanceBefore)} before turn ${i}`,
    );
    expectThat((before === undefined) === (after === undefined), `${place}: turn ${i} knows only one of its distances`);
    expectThat(
      !isHopeless || (after === Infinity && solvedAfter !== true),
      `${place}: hopeless before turn ${i}, not after it`,
    );
    isHopeless = after === Infinity;
    const isLost = ended !== undefined && ended !== "solved" && after !== undefined;
    expectThat(!isLost || after === Infinity, `${place}: it ended "${ended}" with distance ${after}, not infinite`);
  }
}

function chanceChecks(context: CheckContext, oracle: Oracle): ContractCheck[] {
  if (oracle.getSuccessChance === undefined) return [];
  const getChance = oracle.getSuccessChance.bind(oracle);
  function expectChances(
    task: Task,
    before: JsonValue,
    best: readonly Action[],
    turnsLeft: number | undefined,
    place: string,
  ): number {
    const chance = getChance(task, before, turnsLeft);
    expectThat(chance >= 0 && chance <= 1 + 1e-9, `${place}: the chance of success is ${chance}`);
    for (const action of oracle.allowedActions(task, before)) {
      const own = getChance(task, before, turnsLeft, action);
      expectThat(
        own <= chance + 1e-9,
        `${place}: ${toText(action)} has chance ${own}, the best is said to be ${chance}`,
      );
      const isBest = best.some((other) => toText(other) === toText(action));
      expectThat(
        !isBest || own > chance - 1e-9,
        `${place}: ${toText(action)} is called best with chance ${own} of ${chance}`,
      );
    }
    return chance;
  }
  return [
    {
      name: "success chances are in range, grow with the turns left, and the best actions have the best",
      run: forEachState(context, oracle, (_, task, { before }, place) => {
        let smaller = 0;
        for (const turnsLeft of [1, 2, 5, 10, undefined]) {
          const best = oracle.bestActions(task, before, turnsLeft);
          const chance = expectChances(
            task,
            before,
            best,
            turnsLeft,
            `${place}, ${turnsLeft ?? "unlimited"} turns left`,
          );
          expectThat(
            chance >= smaller - 1e-9,
            `${place}: the chance falls from ${smaller} to ${chance} with ${turnsLeft} turns left`,
          );
          smaller = chance;
        }
      }),
    },
  ];
}
