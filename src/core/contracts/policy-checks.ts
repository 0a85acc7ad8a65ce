// internal
import { renderDisclosure, type Disclosure } from "../budget.js";
import type { Env } from "../env.js";
import type { JsonValue } from "../json.js";
import { PolicyError, type Policy, type PolicyRequest, type PolicyResult } from "../policy.js";
import { createRandom } from "../random.js";
import type { Task } from "../task.js";
import type { Turn } from "../trajectory.js";
import type { ContractCheck } from "./contract.js";
import { expectThat, throughJson, toText } from "./contract-kit.js";

/** What every check of a policy's contract needs. */
export interface PolicyContext {
  readonly policy: Policy;
  readonly env: Env;
  readonly tasks: readonly Task[];
  readonly maxTurns: number;
  readonly seed: number;
}

/** Where a session is: what a policy is shown, and the state the oracle answers for. */
type SeenState = Pick<PolicyRequest, "observation"> & { readonly snapshot?: JsonValue };

interface RequestOptions {
  readonly disclosure?: Disclosure;
  readonly turns?: readonly Turn[];
  readonly closingPrompt?: string;
}

/** Returns a request at a state, as the loop would make it. Each has a random stream of its own. */
function createRequest(
  context: PolicyContext,
  task: Task,
  seen: SeenState,
  options: RequestOptions = {},
): PolicyRequest {
  const { policy, env, maxTurns, seed } = context;
  const { disclosure = "hidden", turns = [], closingPrompt } = options;
  const { id, instructions, tools, text, oracle } = env;
  const turnIndex = turns.length;
  const snapshot = policy.needsOracle === true ? seen.snapshot : undefined;
  const notice = closingPrompt === undefined ? renderDisclosure(disclosure, { maxTurns }, turnIndex) : undefined;
  return {
    task,
    env: { id, instructions, tools, ...(text === undefined ? {} : { text }) },
    turns,
    observation: seen.observation,
    turnIndex,
    ...(notice === undefined ? {} : { notice }),
    ...(disclosure === "hidden" ? {} : { disclosed: { disclosure, maxTurns, turnsLeft: maxTurns - turnIndex } }),
    ...(closingPrompt === undefined ? {} : { closingPrompt }),
    ...(snapshot === undefined || oracle === undefined
      ? {}
      : {
          oracle: {
            best: (turnsLeft) => oracle.bestActions(task, snapshot, turnsLeft),
            allowed: () => oracle.allowedActions(task, snapshot),
          },
        }),
    samplingSeed: seed,
    random: createRandom(seed, "turn", turnIndex),
  };
}

type AskedVisitor = (request: () => PolicyRequest, result: PolicyResult, place: string) => void | Promise<void>;

/** Plays the policy on each task and shows every request (as a maker of equal requests) with its answer. */
async function playPolicy(context: PolicyContext, disclosure: Disclosure, visit: AskedVisitor): Promise<void> {
  const { policy, env, maxTurns, seed } = context;
  for (const task of context.tasks) {
    const session = await env.start(task, seed);
    let { observation } = session;
    const turns: Turn[] = [];
    try {
      while (turns.length < maxTurns) {
        const seen = { observation, snapshot: session.snapshot?.() };
        const turnsBefore = [...turns];
        const make = () => createRequest(context, task, seen, { disclosure, turns: [...turnsBefore] });
        const result = await policy.act(make());
        await visit(make, result, `task "${task.id}", turn ${turns.length}`);
        if (result.action.quit === true) break;
        const step = await session.step(result.action);
        turns.push({ ...step, observation, action: result.action });
        observation = step.observation;
        if (step.ended !== undefined) break;
      }
    } finally {
      await session.close();
    }
  }
}

function expectResult({ action, usage = {} }: PolicyResult, place: string): void {
  expectThat(typeof action.text === "string", `${place}: the action has no text`);
  expectThat(
    action.quit === undefined || action.quit === true,
    `${place}: quit is ${toText(action.quit)}, which must be true or absent`,
  );
  for (const call of action.toolCalls ?? []) {
    expectThat(typeof call.name === "string", `${place}: a call has no name: ${toText(call)}`);
    expectThat(
      call.arguments !== undefined || call.rawArguments !== undefined,
      `${place}: a call has no arguments, parsed or raw: ${toText(call)}`,
    );
  }
  for (const [name, value] of Object.entries(usage)) {
    expectThat(
      typeof value === "number" && Number.isFinite(value) && value >= 0,
      `${place}: usage "${name}" is ${String(value)}`,
    );
  }
}

/** Returns the checks of what a policy is and what its answers look like. */
export function identityChecks(context: PolicyContext): ContractCheck[] {
  const { policy } = context;
  return [
    {
      name: "id and config are well formed: the config is JSON",
      async run() {
        expectThat(policy.id.trim() !== "", "The policy's id is empty");
        const config: JsonValue | undefined = policy.config; // a module of plain JavaScript may lack it
        expectThat(
          config !== undefined,
          "The policy has no config: give it what its answers depend on, {} where that is nothing",
        );
        expectThat(
          toText(policy.config) === toText(throughJson(policy.config)),
          "JSON text loses part of the policy's config",
        );
      },
    },
    {
      name: "every answer is a well-formed action, whatever is disclosed",
      async run() {
        for (const disclosure of ["hidden", "static", "countdown"] as const) {
          await playPolicy(context, disclosure, (_, result, place) =>
            expectResult(result, `${place}, ${disclosure} budget`),
          );
        }
      },
    },
    {
      name: "the closing call is answered without tools",
      async run() {
        for (const task of context.tasks) {
          const session = await context.env.start(task, context.seed);
          const seen = { observation: session.observation, snapshot: session.snapshot?.() };
          const request = createRequest(context, task, seen, { closingPrompt: "Give your answer now." });
          await session.close();
          const result = await policy.act(request);
          expectResult(result, "closing call");
          expectThat(
            (result.action.toolCalls ?? []).length === 0,
            `The closing call was answered with calls: ${toText(result.action)}`,
          );
        }
      },
    },
  ];
}

/** Returns the request with a task whose data cannot be read unnoticed. */
function guardData(request: PolicyRequest, onRead: () => void): PolicyRequest {
  const { data, ...identity } = request.task;
  const task: Task = {
    ...identity,
    get data() {
      onRead();
      return data;
    },
  };
  return { ...request, task };
}

/** Returns the checks that acting only reads, and reads only what it may. */
export function honestyChecks(context: PolicyContext): ContractCheck[] {
  const { policy } = context;
  return [
    {
      name: "acting leaves the request as it was",
      run: () =>
        playPolicy(context, "countdown", async (make, _, place) => {
          const request = make();
          const before = toText([request.turns, request.observation, request.task]);
          await policy.act(request);
          expectThat(
            toText([request.turns, request.observation, request.task]) === before,
            `${place}: acting changed the request`,
          );
        }),
    },
    {
      name: "the task's data, which hold the solution, are not read",
      run: () =>
        playPolicy(context, "hidden", async (make, _, place) => {
          let readCount = 0;
          await policy.act(guardData(make(), () => (readCount += 1)));
          expectThat(readCount === 0, `${place}: the policy read the task's data ${readCount} times`);
        }),
    },
  ];
}

/** Returns the check that choices come from the request alone. */
export function repeatChecks(context: PolicyContext): ContractCheck[] {
  const { policy } = context;
  return [
    {
      name: "the same request and seed give the same action, whatever was asked in between",
      run: () =>
        playPolicy(context, "hidden", async (make, result, place) => {
          await policy.act({
            ...make(),
            samplingSeed: context.seed + 1,
            random: createRandom(context.seed + 1, "other"),
          });
          for (const again of [await policy.act(make()), await policy.act(make())]) {
            const [one, other] = [toText(result.action), toText(again.action)];
            expectThat(one === other, `${place}: ${other} instead of ${one}`);
          }
        }),
    },
  ];
}

/** Returns the check of a policy that answers many requests at once. */
export function batchCheck(context: PolicyContext, isRepeatable: boolean): ContractCheck {
  const { policy } = context;
  return {
    name: "actBatch() answers every request in order, as act() does",
    async run() {
      const makers: (() => PolicyRequest)[] = [];
      const answers: PolicyResult[] = [];
      await playPolicy(context, "hidden", (make, result) => {
        makers.push(make);
        answers.push(result);
      });
      const asked = makers.map((make) => make());
      const results = (await policy.actBatch?.(asked)) ?? [];
      expectThat(results.length === asked.length, `${asked.length} requests got ${results.length} answers`);
      expectThat(((await policy.actBatch?.([])) ?? []).length === 0, "An empty batch got answers");
      for (const [i, result] of results.entries()) {
        if (result instanceof PolicyError) throw new Error(`Request ${i} of a batch got no answer: ${result.message}`);
        expectResult(result, `request ${i} of a batch`);
        const isSame = !isRepeatable || toText(result.action) === toText(answers[i].action);
        expectThat(isSame, `Request ${i}: ${toText(result.action)} in a batch, ${toText(answers[i].action)} alone`);
      }
    },
  };
}

/** Returns the check that ends a suite: it closes the policy. */
export function closeCheck({ policy }: PolicyContext): ContractCheck {
  return {
    name: "closing the policy twice does no harm",
    async run() {
      await policy.close?.();
      await policy.close?.();
    },
  };
}
