import { expect, test } from "vitest";
import { tinyWalk, walk } from "../../../test/support/tiny-walk.js";
import type { JsonValue } from "../json.js";
import type { Policy, PolicyRequest, PolicyResult } from "../policy.js";
import type { Turn } from "../trajectory.js";
import { policyContractChecks } from "./policy-contract.js";

/** A correct policy: walks at random, from the request's own stream, and says so when it must close. */
function act({ random, closingPrompt, turnIndex }: PolicyRequest): PolicyResult {
  if (closingPrompt !== undefined) return { action: { text: "no answer" } };
  const action = { ...walk(random.nextInt(4) === 0 ? "left" : "right"), text: `turn ${turnIndex}` };
  return { action, usage: { completionTokens: 3 } };
}
const correct: Policy = { id: "walker", config: { left: 0.25 }, act, actBatch: (requests) => requests.map(act) };
/** Another correct one, led by the oracle. */
const led: Policy = {
  id: "led",
  config: {},
  needsOracle: true,
  act: ({ oracle, closingPrompt }) => ({
    action: closingPrompt === undefined ? (oracle?.best()[0] ?? { text: "", quit: true }) : { text: "" },
  }),
};

test.each([...policyContractChecks(correct, tinyWalk), ...policyContractChecks(led, tinyWalk)])(
  "policyContractChecks() accepts a correct policy: $name",
  async (check) => {
    await expect(check.run()).resolves.toBeUndefined();
  },
);

const change = (changed: (request: PolicyRequest) => PolicyResult): Policy => ({ ...correct, act: changed });
function createMoody(): Policy {
  let count = 0;
  return change((request) => {
    count += 1;
    return request.closingPrompt === undefined ? { action: walk(count % 2 === 0 ? "left" : "right") } : act(request);
  });
}
function createBrittle(): Policy {
  let isClosed = false;
  return {
    ...correct,
    close() {
      if (isClosed) throw new Error("closed already");
      isClosed = true;
    },
  };
}
const wrongQuit = JSON.parse('{"text": "", "quit": false}') as PolicyResult["action"]; // broken on purpose
const { config: _, ...rest } = correct;
const bare = rest as Policy; // broken on purpose: no config
const dated = { at: new Date(0) } as unknown as JsonValue; // broken on purpose: not JSON

const broken: readonly { readonly check: string; readonly how: string; readonly policy: Policy }[] = [
  { check: "id and config are well formed: the config is JSON", how: "no id", policy: { ...correct, id: " " } },
  { check: "id and config are well formed: the config is JSON", how: "a date", policy: { ...correct, config: dated } },
  { check: "id and config are well formed: the config is JSON", how: "no config", policy: bare },
  {
    check: "every answer is a well-formed action, whatever is disclosed",
    how: "quit is false",
    policy: change(() => ({ action: wrongQuit })),
  },
  {
    check: "every answer is a well-formed action, whatever is disclosed",
    how: "a call without arguments",
    policy: change(() => ({ action: { text: "", toolCalls: [{ name: "walk" }] } })),
  },
  {
    check: "every answer is a well-formed action, whatever is disclosed",
    how: "fewer than no tokens",
    policy: change((request) => ({ ...act(request), usage: { promptTokens: -1 } })),
  },
  {
    check: "every answer is a well-formed action, whatever is disclosed",
    how: "failing when the budget is hidden",
    policy: change((request) => {
      if (request.disclosed === undefined) throw new Error("How many turns?");
      return act(request);
    }),
  },
  {
    check: "the closing call is answered without tools",
    how: "calling all the same",
    policy: change(() => ({ action: walk("left") })),
  },
  {
    check: "acting leaves the request as it was",
    how: "adding a turn",
    policy: change((request) => {
      const turns = request.turns as Turn[]; // broken on purpose
      turns.push({ observation: request.observation, action: walk("left") });
      return act(request);
    }),
  },
  {
    check: "the task's data, which hold the solution, are not read",
    how: "reading the goal",
    policy: change((request) => (request.task.data === null ? { action: { text: "", quit: true } } : act(request))),
  },
  {
    check: "the same request and seed give the same action, whatever was asked in between",
    how: "a counter over all episodes",
    policy: createMoody(),
  },
  {
    check: "actBatch() answers every request in order, as act() does",
    how: "the order reversed",
    policy: { ...correct, actBatch: (requests) => requests.map(act).reverse() },
  },
  {
    check: "actBatch() answers every request in order, as act() does",
    how: "one answer missing",
    policy: { ...correct, actBatch: (requests) => requests.slice(1).map(act) },
  },
  { check: "closing the policy twice does no harm", how: "throwing the second time", policy: createBrittle() },
];
test.each(broken)("policyContractChecks() finds a broken policy: $check: $how", async ({ check, policy }) => {
  const found = policyContractChecks(policy, tinyWalk).find(({ name }) => name === check);
  await expect(found?.run()).rejects.toThrow(/./);
});
test("policyContractChecks() has a broken policy for each of its checks", () => {
  const names = policyContractChecks(correct, tinyWalk).map(({ name }) => name);
  expect(new Set(broken.map(({ check }) => check))).toEqual(new Set(names));
});
test("policyContractChecks() lets a policy that is not repeatable be so", async () => {
  for (const check of policyContractChecks(createMoody(), tinyWalk, { isRepeatable: false })) await check.run();
  expect(() => policyContractChecks(correct, { ...tinyWalk, makeTasks: undefined })).toThrow(/no task to play/);
});
