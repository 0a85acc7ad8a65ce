import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli } from "../cli/run-cli.js";
import { evalBudget } from "./eval-budget.js";

const folder = mkdtempSync(join(tmpdir(), "turnwise-modules-"));
const at = (name: string): string => join(folder, name);
const rendering = "({ render: () => ({ prompt: 'a', continuation: 'b' }) })";

beforeAll(async () => {
  await evalBudget({
    env: "vault",
    budgets: [1, 2],
    taskCount: 12,
    samples: 2,
    policies: ["scripted:base"],
    output: at("run"),
  });
  await evalBudget({
    env: "vault",
    budgets: [1, 2],
    taskCount: 12,
    samples: 2,
    policies: ["scripted:trained"],
    output: at("other"),
  });
  writeFileSync(at("rendering.mjs"), `export const rendering = ${rendering};`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(...args: readonly string[]) {
  const text = { out: "", error: "" };
  const code = await runCli(args, {
    stdout: { write: (part: string) => (text.out += part) },
    stderr: { write: (part: string) => (text.error += part) },
  });
  return { code, ...text };
}

let moduleCount = 0;
/** Writes the module and runs the command with its path in place of MODULE. */
async function runWith(source: string, args: readonly string[]) {
  moduleCount += 1; // an imported module is kept by its path
  const path = at(`module-${moduleCount}.mjs`);
  writeFileSync(path, source);
  return {
    path,
    ...(await run(...args.map((arg) => arg.replace("MODULE", path).replace("RUN", at("run"))), "-o", at("out"))),
  };
}

const signals = (read: string): string => `export const signals = { own: ${read} };`;
const signalList = (body: string): string => `export const signals = [{ id: "own", ${body} }];`;
const signalArgs = ["signals", "RUN", "--signal", "MODULE"];
const scorer = (score: string): string => `export const scorer = { id: "own", config: null, score: ${score} };`;
const scorerArgs = ["likelihood", "RUN", "--scorer", "MODULE", "--rendering", at("rendering.mjs")];
const render = (body: string): string => `export const rendering = { render: ${body} };`;
const renderArgs = ["likelihood", "RUN", "--scorer", at("good-scorer.mjs"), "--rendering", "MODULE"];
const turnRule = (read: string): string =>
  `export const rule = { id: "own", sensitivity: 1, specificity: 1, checkedCount: 4, isInError: ${read} };`;
const attributeArgs = [
  "attribute",
  "RUN",
  at("other"),
  "--rule",
  "MODULE",
  "--replicates",
  "100",
  "--simulations",
  "0",
];
const env = (body: string): string =>
  `export const env = { id: "own", version: "1", instructions: "", tools: [], start() {}, ${body} };`;
const envArgs = ["eval", "budget", "--env", "MODULE", "--policy", at("policy.mjs")];

beforeAll(() => {
  writeFileSync(at("policy.mjs"), 'export const policy = { id: "own", config: null, act() {} };');
  writeFileSync(at("good-scorer.mjs"), scorer("(all) => all.map(() => ({ kind: 'scored', logProbs: [-1] }))"));
});

test.each([
  {
    name: "a signal that throws",
    source: signals("() => { throw new Error('boom'); }"),
    args: signalArgs,
    says: ["in turn 1 of ", "boom", "episode"],
  },
  {
    name: "a signal that rejects",
    source: signals("async () => { throw new Error('boom'); }"),
    args: signalArgs,
    says: ["in turn 1 of ", "boom", "episode"],
  },
  {
    name: "a signal that changes the record",
    source: signals("(turn, { trajectory }) => { trajectory.turns.length = 0; return 1; }"),
    args: signalArgs,
    says: ["in turn 1 of ", "read only"],
  },
  {
    name: "a rule without measured error rates",
    source: "export const rule = { id: 'own', specificity: '0.9', checkedCount: 4, findError() {} };",
    args: ["pool", "errors", "RUN", "--rule", "MODULE"],
    says: ["its sensitivity must be a share in (0, 1], found undefined", "checked"],
  },
  {
    name: "a rule of turns that throws",
    source: turnRule("() => { throw new Error('boom'); }"),
    args: attributeArgs,
    says: ["isInError() threw: boom", "on turn 1 of ", "true when the episode is in error"],
  },
  {
    name: "a rule of turns that returns words",
    source: turnRule("async () => 'error'"),
    args: attributeArgs,
    says: ["isInError() returned 'error'", "on turn 1 of "],
  },
  {
    name: "a rule of turns that changes the record",
    source: turnRule("({ turns }) => { turns.length = 0; return false; }"),
    args: attributeArgs,
    says: ["isInError() threw", "read only"],
  },
  {
    name: "a rule that finds first errors where one of turns is needed",
    source: "export const rule = { id: 'own', sensitivity: 1, specificity: 1, checkedCount: 4, findError() {} };",
    args: attributeArgs,
    says: ["no id and isInError()", "isInError(episode, turnIndex)"],
  },
  {
    name: "a rule of turns without measured error rates",
    source: "export const rule = { id: 'own', isInError: () => false };",
    args: attributeArgs,
    says: ["its sensitivity must be a share in (0, 1], found undefined"],
  },
  {
    name: "a rule that changes the record",
    source:
      "export const rule = { id: 'own', sensitivity: 1, specificity: 1, checkedCount: 4, findError(episode) { episode.turns[0].flags = {}; return 0; } };",
    args: ["pool", "errors", "RUN", "--rule", "MODULE"],
    says: ["findError() threw", "Cannot"],
  },
  {
    name: "a signal that gives text",
    source: signals("() => 'high'"),
    args: signalArgs,
    says: ["turn 1 of ", 'gave "high"'],
  },
  {
    name: "a signal that gives null",
    source: signals("() => null"),
    args: signalArgs,
    says: ["turn 1 of ", "gave null"],
  },
  { name: "a signal that gives NaN", source: signals("() => NaN"), args: signalArgs, says: ["gave NaN"] },
  {
    name: "a listed signal that gives no list",
    source: signalList("read: () => 3"),
    args: signalArgs,
    says: ["values of episode", "are no list but 3"],
  },
  {
    name: "a listed signal that gives nothing",
    source: signalList("read() {}"),
    args: signalArgs,
    says: ["no list but undefined"],
  },
  {
    name: "a listed signal that throws a text",
    source: signalList("read() { throw 'boom'; }"),
    args: signalArgs,
    says: ["it failed on episode", "boom"],
  },
  {
    name: "a potential that throws",
    source: signalList("read: ({ turns }) => turns.map(() => 1), potential() { throw new Error('boom'); }"),
    args: signalArgs,
    says: ["it failed on episode", "boom"],
  },
  {
    name: "too few potentials",
    source: signalList("read: ({ turns }) => turns.map(() => 1), potential: () => []"),
    args: signalArgs,
    says: ["it gave 0 potentials for the"],
  },
  {
    name: "a scorer that throws",
    source: scorer("() => { throw new Error('boom'); }"),
    args: scorerArgs,
    says: ["it failed on turns of 16 episodes", "boom"],
  },
  {
    name: "a scorer that rejects",
    source: scorer("async () => { throw new Error('boom'); }"),
    args: scorerArgs,
    says: ["it failed on turns of", "boom"],
  },
  {
    name: "a scorer that gives nothing",
    source: scorer("() => undefined"),
    args: scorerArgs,
    says: ["it gave no list of scores"],
  },
  { name: "a scorer that gives too few", source: scorer("() => []"), args: scorerArgs, says: ["it gave 0 scores for"] },
  {
    name: "a scorer that gives numbers",
    source: scorer("(all) => all.map(() => -1)"),
    args: scorerArgs,
    says: ["for turn 1 of ", "its score is -1, not an object"],
  },
  {
    name: "a scorer without log-probs",
    source: scorer("(all) => all.map(() => ({ kind: 'scored' }))"),
    args: scorerArgs,
    says: ["for turn 1 of ", "no list of numbers"],
  },
  {
    name: "a scorer of another kind",
    source: scorer("(all) => all.map(() => ({ kind: 'ok' }))"),
    args: scorerArgs,
    says: ['the kind of its score is "ok"'],
  },
  {
    name: "a rendering that throws",
    source: render("() => { throw new Error('boom'); }"),
    args: renderArgs,
    says: ["for turn 1 of ", "it failed: boom"],
  },
  {
    name: "a rendering that rejects",
    source: render("async () => { throw new Error('boom'); }"),
    args: renderArgs,
    says: ["for turn 1 of ", "it failed: boom"],
  },
  {
    name: "a rendering that gives text",
    source: render("() => 'a'"),
    args: renderArgs,
    says: ["it gave no prompt and continuation"],
  },
  {
    name: "an env whose tasks throw",
    source: env("makeTasks() { throw new Error('boom'); }"),
    args: envArgs,
    says: ["its makeTasks() failed: boom"],
  },
  {
    name: "an env that makes no list",
    source: env("makeTasks: () => 3"),
    args: envArgs,
    says: ["what its makeTasks() gave is no list"],
  },
  {
    name: "an env that makes no tasks",
    source: env("makeTasks: () => [{ id: 1 }]"),
    args: envArgs,
    says: ["entry 0 of what its makeTasks() gave is no task"],
  },
])("$name ends with 3 and names the file and the place", async ({ source, args, says }) => {
  const { code, error, path } = await runWith(source, args);
  expect(error).not.toContain("internal error");
  expect(code).toBe(3);
  if (args !== envArgs || says[0].includes("failed")) expect(error).toContain(path);
  for (const part of says) expect(error).toContain(part);
});

test("an asynchronous signal, an asynchronous rendering and a scorer whose close() throws are fine", async () => {
  const own = await runWith(signals("async (turn, { turnIndex }) => turnIndex"), signalArgs);
  expect(own).toMatchObject({ code: 0 });
  const late = await runWith(`export const rendering = { render: async () => (${rendering}).render() };`, renderArgs);
  expect(late).toMatchObject({ code: 0 });
  const closing = `export const scorer = { id: "own", config: null, score: (all) => all.map(() => ({ kind: "scored", logProbs: [-1] })), close() { throw new Error("late"); } };`;
  const closed = await runWith(closing, scorerArgs);
  expect(closed.code).toBe(0);
  expect(closed.error).toContain('Closing scorer "own" failed: late');
});

test("likelihood under a server that is not there ends with 3 and says what to do", async () => {
  // A port that was free a moment ago: nothing listens there.
  const port = await new Promise<number>((resolve, reject) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address !== null ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
  const url = `http://127.0.0.1:${port}/v1`;
  const { code, error } = await run(
    "likelihood",
    at("run"),
    "--scorer",
    "chat:m",
    "--base-url",
    url,
    "--rendering",
    at("rendering.mjs"),
    "--max-attempts",
    "1",
    "-o",
    at("dead"),
  );
  expect(error).toContain('Cannot score turns under "m": the server failed');
  expect(error).toContain(`turnwise doctor --base-url ${url}`);
  expect(code).toBe(3);
});
