import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import {
  createRandom,
  createTask,
  envContractChecks,
  untagNumber,
  type Action,
  type StepResult,
  type Task,
} from "../../core/index.js";
import { createSandbox } from "../../sandbox/index.js";
import { createCallAction } from "../commands.js";
import { applyLineEdit, findLineEdit } from "./line-edit.js";
import { passesAll, runCalls } from "./program-tests.js";
import type { RepairData } from "./repair-data.js";
import { createRepairEnv } from "./repair.js";

const sandbox = createSandbox({ maxThreads: 2 });
afterAll(() => sandbox.close());
const env = createRepairEnv({ sandbox });
for (const check of envContractChecks(env, { levels: [1, 2, 3, 4], isSeedIndependent: () => true })) {
  test(`createRepairEnv(): ${check.name}`, async () => {
    await expect(check.run()).resolves.toBeUndefined();
  });
}

const task = createTask("repair", {
  rules: "tests",
  faultCount: 1,
  files: [
    {
      name: "fee.js",
      template: "fee",
      source: "// Returns the fee.\nfunction fee(amount) {\n  if (amount > 40) return 0;\n  return 6;\n}",
      fixed: "// Returns the fee.\nfunction fee(amount) {\n  if (amount >= 40) return 0;\n  return 6;\n}",
      variants: ["> 40", ">= 40", "> 50"].map(
        (rule) => `// Returns the fee.\nfunction fee(amount) {\n  if (amount ${rule}) return 0;\n  return 6;\n}`,
      ),
      visible: ["fee(39)", "fee(40)", "fee(45)"],
      hidden: ["fee(39)", "fee(40)", "fee(45)", "fee(1)", "fee(99)"],
    },
  ],
} satisfies RepairData);
const call = createCallAction;
const edit = (text: string, line = 3) => call("edit", { file: "fee.js", first: line, last: line, text });

async function play(actions: readonly Action[], on: Task = task): Promise<StepResult[]> {
  const session = await env.start(on, 0);
  const steps: StepResult[] = [];
  for (const action of actions) steps.push(await session.step(action));
  return steps;
}

test("createRepairEnv() plays one small task like this, word for word", async () => {
  const session = await env.start(task, 0);
  expect(session.observation.text).toBe(
    "File: fee.js. It is faulty. What exactly each function must do is shown only by the tests.",
  );
  const steps = await play([
    call("read", { file: "fee.js" }),
    call("test"),
    edit("  if (amount >= 40 return 0;"),
    call("test"),
    call("undo"),
    edit("  if (amount >= 40) return 0;"),
    call("submit"),
  ]);
  expect(
    steps.map(({ observation, distanceBefore, distanceAfter, ended }) => [
      observation.text,
      distanceBefore,
      distanceAfter,
      ended,
    ]),
  ).toEqual([
    [
      "fee.js\n1 | // Returns the fee.\n2 | function fee(amount) {\n3 |   if (amount > 40) return 0;\n4 |   return 6;\n5 | }",
      4,
      3,
      undefined,
    ],
    ["ok    fee(39) -> 6\nFAIL  fee(40) -> 6, expected 0\nok    fee(45) -> 0\n2 of 3 tests pass.", 3, 2, undefined],
    [
      "fee.js\n1 | // Returns the fee.\n2 | function fee(amount) {\n3 |   if (amount >= 40 return 0;\n4 |   return 6;\n5 | }",
      2,
      2,
      undefined,
    ],
    [
      ["39", "40", "45"]
        .map((n) => `FAIL  fee(${n}) -> throws SyntaxError: expecting ')' (line 3), expected ${n === "39" ? 6 : 0}`)
        .join("\n") + "\n0 of 3 tests pass.",
      2,
      2,
      undefined,
    ],
    [
      "fee.js\n1 | // Returns the fee.\n2 | function fee(amount) {\n3 |   if (amount > 40) return 0;\n4 |   return 6;\n5 | }",
      2,
      2,
      undefined,
    ],
    [
      "fee.js\n1 | // Returns the fee.\n2 | function fee(amount) {\n3 |   if (amount >= 40) return 0;\n4 |   return 6;\n5 | }",
      2,
      1,
      undefined,
    ],
    ["All hidden tests pass.", 1, 0, "solved"],
  ]);
});

test.each([
  { name: "an unread file", actions: [edit("x")], text: "Read fee.js before editing it" },
  {
    name: "lines that do not exist",
    actions: [call("read", { file: "fee.js" }), edit("x", 9)],
    text: "fee.js has lines 1..5: there are no lines 9..9",
  },
  {
    name: "an unknown file",
    actions: [call("read", { file: "tax.js" })],
    text: 'There is no file "tax.js": the files are fee.js',
  },
  { name: "undo without an edit", actions: [call("undo")], text: "There is no edit to undo" },
  {
    name: "a huge text",
    actions: [call("read", { file: "fee.js" }), edit("x".repeat(5000))],
    text: /may have 4000 characters/,
  },
])("createRepairEnv() answers $name as a tool error that changes nothing", async ({ actions, text }) => {
  const step = (await play(actions)).at(-1);
  expect(step).toMatchObject({ flags: { toolError: true } });
  expect(step?.observation.text).toMatch(text);
  expect(step?.distanceAfter).toEqual(step?.distanceBefore);
});

test.each([
  { name: "never ends", line: "  for (;;);", shown: "does not end" },
  {
    name: "takes all memory",
    line: "  const all = []; for (;;) all.push(new Array(1000).fill(1));",
    shown: "runs out of memory",
  },
  {
    name: "replaces what the tests compare with",
    line: "  JSON.stringify = () => '0'; Array.prototype.map = () => []; return 7;",
    shown: "7",
  },
  { name: "recurses without end", line: "  return fee(amount);", shown: /throws InternalError: stack overflow/ },
])("createRepairEnv() survives an edit that $name", async ({ line, shown }) => {
  const steps = await play([call("read", { file: "fee.js" }), edit(line), call("test"), call("submit")]);
  expect(
    steps[2]?.observation.text.split("\n")[0]?.replace("FAIL  fee(39) -> ", "").replace(", expected 6", ""),
  ).toMatch(shown);
  expect(steps[3]).toMatchObject({ ended: "wrong_final", distanceAfter: { $number: "Infinity" } });
});

test("createRepairEnv() accepts any program that passes the hidden tests, not only the expected text", async () => {
  const whole = call("edit", { file: "fee.js", first: 1, last: 5, text: "const fee = (x) => (x < 40 ? 6 : 0);" });
  const steps = await play([call("read", { file: "fee.js" }), call("test"), whole, call("submit")]);
  expect(steps.map((step) => step.distanceAfter)).toEqual([3, 2, 1, 0]);
});

test("bestActions() gambles on a plausible rule exactly when one turn is missing", async () => {
  const session = await env.start(task, 0);
  const best = (turns?: number) => env.oracle?.bestActions(task, session.snapshot?.() ?? null, turns);
  expect(best()).toEqual([call("test"), call("read", { file: "fee.js" })]);
  expect(best(3)).toEqual([call("read", { file: "fee.js" })]);
  await session.step(call("read", { file: "fee.js" }));
  expect(best(2)).toEqual([edit("  if (amount >= 40) return 0;"), edit("  if (amount > 50) return 0;")]);
  await session.step(edit("  if (amount > 50) return 0;"));
  expect(best(1)).toEqual([call("submit")]);
});

test.each([2, 3, 4])("gambles of level %i succeed as often as there are programs to choose from", async (level) => {
  const tasks = env.makeTasks?.({ split: "train", level, taskCount: 60, seed: 3 }) ?? [];
  let expected = 0;
  let solved = 0;
  for (const each of tasks) {
    const { files, faultCount } = each.data as RepairData; // made by the env
    const counts = files.map((file) => file.variants.length - 1);
    const ways =
      faultCount === 1
        ? counts.reduce((sum, count) => sum + count, 0)
        : (counts.reduce((sum, count) => sum + count, 0) ** 2 - counts.reduce((sum, count) => sum + count ** 2, 0)) / 2;
    expected += 1 / ways / tasks.length;
    const session = await env.start(each, 0);
    const random = createRandom("gamble", each.hash);
    for (let left = 2 * faultCount + 1; left > 0; left -= 1) {
      const best = env.oracle?.bestActions(each, session.snapshot?.() ?? null, left) ?? [];
      if ((await session.step(random.pick(best))).ended === "solved") solved += 1;
    }
  }
  expect(Math.abs(solved / tasks.length - expected)).toBeLessThanOrEqual(
    4 * Math.sqrt((expected * (1 - expected)) / tasks.length),
  );
});

const anyEdit = fc.record({
  file: fc.constantFrom("fee.js", "none.js"),
  first: fc.integer({ min: 0, max: 7 }),
  last: fc.integer({ min: 0, max: 7 }),
  text: fc.oneof(
    fc.string(),
    fc.constantFrom(
      "",
      "  return 6;",
      "  if (amount >= 40) return 0;",
      "}\nfunction fee(x) { return x < 40 ? 6 : 0; }\nif (true) {",
    ),
  ),
});
const anyAction = fc.oneof(
  anyEdit.map((values) => call("edit", values)),
  fc.constantFrom(
    call("read", { file: "fee.js" }),
    call("test"),
    call("undo"),
    { text: "hm" },
    call("edit"),
    call("none"),
  ),
);
test("createRepairEnv() never throws, never gains more than a turn by one, and can always be solved from where it is", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAction, { maxLength: 8 }), async (actions) => {
      const session = await env.start(task, 0);
      let distance = 4;
      for (const action of [call("read", { file: "fee.js" }), ...actions]) {
        const step = await session.step(action);
        expect(step.distanceBefore).toBe(distance);
        distance = untagNumber(step.distanceAfter) ?? NaN;
        expect(distance).toBeGreaterThanOrEqual(Number(step.distanceBefore) - 1);
      }
      for (; distance > 0; distance -= 1) {
        const best = env.oracle?.bestActions(task, session.snapshot?.() ?? null, distance) ?? [];
        expect(untagNumber((await session.step(best[0] ?? { text: "" })).distanceAfter)).toBe(distance - 1);
      }
    }),
    { numRuns: 40 },
  );
});

test("makeTasks() makes programs whose source is broken exactly where it differs from the fixed one", async () => {
  for (const level of [1, 2, 3, 4]) {
    for (const each of env.makeTasks?.({ split: "eval", level, taskCount: 8, seed: 9 }) ?? []) {
      const { files, faultCount } = each.data as RepairData; // made by the env
      expect(files.filter(({ source, fixed }) => source !== fixed)).toHaveLength(faultCount);
      expect(each.family).toBe(files.find(({ source, fixed }) => source !== fixed)?.template);
      for (const { name, source, fixed, visible, hidden } of files) {
        const expected = await runCalls(sandbox, { name, text: fixed }, hidden);
        expect(await passesAll(sandbox, { name, text: source }, hidden, expected)).toBe(source === fixed);
        expect(hidden.length).toBeGreaterThan(visible.length);
      }
    }
  }
});

test.each([
  { from: "a\nb\nc", to: "a\nB\nc", edit: { first: 2, last: 2, text: "B" } },
  { from: "a\nc", to: "a\nb\nc", edit: { first: 2, last: 2, text: "b\nc" } },
  { from: "a\nb\nc", to: "a\nc", edit: { first: 2, last: 3, text: "c" } },
  { from: "a", to: "b\nc", edit: { first: 1, last: 1, text: "b\nc" } },
])("findLineEdit() makes $to of $from", ({ from, to, edit: expected }) => {
  expect(findLineEdit(from, to)).toEqual(expected);
});
test("findLineEdit() and applyLineEdit() make any text of any other", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "", "c"), { minLength: 1, maxLength: 6 })
    .map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(text, text, (from, to) => {
      expect(applyLineEdit(from, findLineEdit(from, to))).toBe(to);
    }),
  );
});
