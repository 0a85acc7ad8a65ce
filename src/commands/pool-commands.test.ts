import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseHTML } from "linkedom";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recomputeClaim } from "../../test/report/recompute-claim.js";
import type { JsonValue } from "../core/index.js";
import { renderReportText } from "../report/index.js";
import { attributeByPlaying } from "./attribute-by-playing.js";
import { evalBudget } from "./eval-budget.js";
import { evalRecovery } from "./eval-recovery.js";
import { evalStep } from "./eval-step.js";
import { poolErrors } from "./pool-errors.js";

const folder = mkdtempSync(join(tmpdir(), "turnwise-pool-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (...parts: string[]): string => join(folder, ...parts);
const policies = ["scripted:base", "scripted:better-recovery"];
const quick = { policies, replicates: 200 };

beforeAll(async () => {
  await evalBudget({
    env: "sokoban",
    policies,
    taskCount: 8,
    samples: 3,
    budgets: [24],
    output: at("run"),
    replicates: 100,
  });
  await poolErrors([at("run")], { output: at("pool"), perTask: 2 });
});

test("poolErrors() writes a card that says where every prefix came from, and the same pool again for the same runs", async () => {
  const first = await poolErrors([at("run")], { output: at("pool"), perTask: 2 });
  const other = await poolErrors([at("run")], { output: at("pool-again"), perTask: 2 });
  expect(other.card).toEqual(first.card);
  expect(readFileSync(at("pool-again", "prefixes.jsonl"), "utf8")).toBe(
    readFileSync(at("pool", "prefixes.jsonl"), "utf8"),
  );
  expect(first.card.sources).toMatchObject([{ run: "run", episodes: 48 }]);
  expect(first.card.producers.map((producer) => producer.id)).toEqual(["base", "better-recovery"]);
  await expect(poolErrors([at("run")], { output: at("pool"), perTask: 1 })).rejects.toThrow("it holds another one");
});

test("evalRecovery() plays, continues without playing again, and every figure of its report is a claim that holds", async () => {
  const options = {
    ...quick,
    budgets: [2, 8],
    samples: 2,
    contexts: ["full", "state_only"] as const,
    output: at("recovery"),
  };
  const part = await evalRecovery(at("pool"), { ...options, limit: 20 });
  expect([part.written, part.progress.played]).toEqual([undefined, 20]);
  const whole = await evalRecovery(at("pool"), options);
  expect([whole.progress.kept, whole.remaining]).toEqual([20, 0]);
  const again = await evalRecovery(at("pool"), options);
  expect(again.progress.played).toBe(0);
  expect(again.result).toEqual(whole.result);
  const { report, jsonPath, pagePath } = whole.written ?? { report: undefined, jsonPath: "", pagePath: "" };
  if (report === undefined) throw new TypeError("A finished run has a report");
  const document = JSON.parse(readFileSync(jsonPath, "utf8")) as JsonValue; // what JSON.parse returns
  for (const claim of report.claims)
    expect({ id: claim.id, value: recomputeClaim(claim, document) }).toEqual({ id: claim.id, value: claim.value });
  const page = parseHTML(readFileSync(pagePath, "utf8")).document;
  expect(page.querySelector("#recovery h2")?.textContent).toBe("Recovery from errors");
  for (const link of page.querySelectorAll("#recovery a.n"))
    expect(page.getElementById(link.getAttribute("href")?.slice(1) ?? "")).not.toBeNull();
  const text = renderReportText(report, { width: 80, hasColour: false });
  expect(text).toContain("RECOVERY FROM ERRORS");
  expect(JSON.stringify(report.warnings)).toContain("Only 8 tasks or families stand behind the bands");
  // The rule of every comparison: under ten tasks there is no verdict, in the same words.
  expect(JSON.stringify(report.warnings)).toContain("Fewer than 10 tasks or families stand behind the figures");
  for (const { verdict, returnedVerdict } of whole.result?.differences ?? [])
    expect([verdict, returnedVerdict]).toEqual(["undecided", "undecided"]);
  expect(text).not.toContain("undefined");
});

test("evalStep() scores next actions and writes a report whose claims hold", async () => {
  const { written, result } = await evalStep(at("pool"), { ...quick, samples: 4, output: at("steps") });
  expect(result?.rows.map((row) => row.policy)).toEqual(["base", "better-recovery"]);
  expect(result?.splits).toHaveLength(1);
  expect(JSON.stringify(written?.report.warnings)).toContain("Only 8 tasks or families stand behind the bands");
  expect(JSON.stringify(written?.report.warnings)).toContain(
    "Fewer than 10 tasks or families stand behind the figures",
  );
  expect(new Set(result?.differences.map(({ verdict }) => verdict))).toEqual(new Set(["undecided"]));
  const document = JSON.parse(readFileSync(written?.jsonPath ?? "", "utf8")) as JsonValue; // what JSON.parse returns
  for (const claim of written?.report.claims ?? []) expect(recomputeClaim(claim, document)).toEqual(claim.value);
  expect(written?.report.claims.some((claim) => claim.id === "step.split.0.policyPart")).toBe(true);
});

test("evalRecovery() refuses other settings in the same folder, and a pool whose files were changed", async () => {
  await evalRecovery(at("pool"), { ...quick, budgets: [2], samples: 1, output: at("fixed") });
  await expect(evalRecovery(at("pool"), { ...quick, budgets: [4], samples: 1, output: at("fixed") })).rejects.toThrow(
    "configuration differs",
  );
  await poolErrors([at("run")], { output: at("broken"), perTask: 2 });
  writeFileSync(
    at("broken", "prefixes.jsonl"),
    readFileSync(at("broken", "prefixes.jsonl"), "utf8").replace('"base"', '"best"'),
  );
  await expect(evalRecovery(at("broken"), quick)).rejects.toThrow("was changed after the pool was frozen");
  await expect(evalRecovery(at("pool"), { ...quick, env: "vault" })).rejects.toThrow('it was made in env "sokoban" 1');
  await expect(evalRecovery(at("pool"), { ...quick, budgets: [0] })).rejects.toThrow("a whole number from 1");
  await expect(evalRecovery(at("nowhere"), quick)).rejects.toThrow("pool.json");
  await expect(poolErrors([folder])).rejects.toThrow('there is no "run.json" in it');
});

/** An env without snapshots and oracle, and policies for it: what an imported black box looks like. */
const stairs = `
export const env = {
  id: "stairs", version: "1", instructions: "Say up.", tools: [], isSuccessAbsorbing: true, isDeterministic: true,
  start() {
    let height = 0;
    return {
      observation: { text: "0" },
      step({ text }) {
        if (text === "up") height += 1;
        const solvedAfter = height >= 3;
        const flags = text === "up" ? {} : { flags: { toolError: true } };
        return { observation: { text: String(height) }, solvedAfter, ...flags, ...(solvedAfter ? { ended: "solved" } : {}) };
      },
      close() {},
    };
  },
  makeTasks: ({ taskCount }) => Array.from({ length: taskCount }, (_, index) => ({ id: "t" + index, hash: "hash" + index, envId: "stairs", data: { index } })),
};`;
const climber = (id: string, chance: number): string =>
  `export const policy = { id: "${id}", config: {}, act: ({ random }) => ({ action: { text: random.next() < ${chance} ? "up" : "down" } }) };`;

test("pools of an env without snapshots and oracle are played again from the seed, and nothing is called recovery", async () => {
  writeFileSync(at("stairs.mjs"), stairs);
  writeFileSync(at("low.mjs"), climber("low", 0.5));
  writeFileSync(at("high.mjs"), climber("high", 0.9));
  const own = { env: at("stairs.mjs"), policies: [at("low.mjs"), at("high.mjs")], replicates: 100 };
  await evalBudget({ ...own, taskCount: 6, samples: 3, budgets: [10], output: at("stairs-run") });
  await expect(poolErrors([at("stairs-run")])).rejects.toThrow('Cannot find env "stairs" of the run');
  const { card } = await poolErrors([at("stairs-run")], { env: own.env, output: at("stairs-pool") });
  expect(card).toMatchObject({ restore: "replay", controlCount: 0, labels: { tool_error: card.prefixCount } });
  const { result, written } = await evalRecovery(at("stairs-pool"), {
    ...own,
    budgets: [3, 6],
    samples: 4,
    output: at("stairs-recovery"),
  });
  expect(result?.hasControl).toBe(false);
  expect(result?.differences[0].verdict).toBeUndefined();
  expect(result?.debt).toEqual([]);
  expect(JSON.stringify(written?.report.answer)).toContain("without a control this cannot be told from being better");
  const steps = await evalStep(at("stairs-pool"), { ...own, samples: 4, output: at("stairs-steps") });
  expect(steps.result?.rows[1].repeat?.value).toBeLessThan(steps.result?.rows[0].repeat?.value ?? 0);
});

test("poolErrors() takes a rule with measured error rates, and no other", async () => {
  const rule = (rates: string): string =>
    `export const rule = { id: "second", ${rates} findError: ({ turns }) => (turns.length > 1 ? 1 : undefined) };`;
  writeFileSync(at("rule.mjs"), rule("sensitivity: 0.7, specificity: 0.9, checkedCount: 50,"));
  writeFileSync(at("bare.mjs"), rule(""));
  writeFileSync(at("none.mjs"), "export const rule = { id: 'x' };");
  const { card } = await poolErrors([at("run")], { rule: at("rule.mjs"), output: at("judged") });
  expect(card.judge).toEqual({ id: "second", sensitivity: 0.7, specificity: 0.9, checkedCount: 50 });
  expect(card.notes.join()).toContain("sensitivity 0.7");
  const judged = { ...quick, samples: 1, output: at("judged-recovery") };
  const { written, result } = await evalRecovery(at("judged"), { ...judged, budgets: [4] });
  expect(result?.notes.join()).toContain('"second", which finds 70 % of errors and leaves 90 % of clean turns alone');
  if (written === undefined) throw new TypeError("A finished run has a report");
  expect(renderReportText(written.report, { width: 200 })).toContain("leaves 90 % of clean turns alone");
  await expect(poolErrors([at("run")], { rule: at("bare.mjs"), output: at("x") })).rejects.toThrow(
    "sensitivity must be a share in (0, 1]",
  );
  await expect(poolErrors([at("run")], { rule: at("none.mjs"), output: at("x") })).rejects.toThrow(
    "no id and findError()",
  );
});

test("poolErrors() injects errors at given turns", async () => {
  const { card } = await poolErrors([at("run")], { injectionTurns: [0, 2], isBalanced: false, output: at("injected") });
  expect(card.producers.map((producer) => producer.id)).toContain("injected");
  expect(card.rules.injection).toEqual({ turns: [0, 2], maxTurns: 32 });
});

test("poolErrors() counts a run that is named twice once, and keeps pools and runs in folders of their own", async () => {
  const once = await poolErrors([at("run")], { output: at("once"), perTask: 2 });
  const twice = await poolErrors([at("run"), at("run")], { output: at("twice"), perTask: 2 });
  expect(twice.card.poolHash).toBe(once.card.poolHash);
  expect(twice.card.notes.join()).toContain("48 episodes stand in more than one of the runs and count once");
  await expect(poolErrors([at("run")], { output: at("run") })).rejects.toThrow("it holds a run");
  await expect(
    evalBudget({ env: "sokoban", policies, taskCount: 1, samples: 1, budgets: [2], output: at("once") }),
  ).rejects.toThrow("it holds an error pool");
});

test.each([
  { name: "throws", body: "throw new Error('boom')", says: "threw: boom" },
  { name: "rejects", body: "return Promise.reject(new Error('late'))", says: "threw: late" },
  { name: "returns null", body: "return null", says: "returned null" },
  { name: "names a turn that is not there", body: "return 999", says: "returned 999" },
  { name: "returns an object", body: "return { turn: 1 }", says: "returned { turn: 1 }" },
])("poolErrors() names the rule's file and the episode when the rule $name", async ({ body, says }) => {
  const path = at(`rule-${says.replace(/\W+/g, "-")}.mjs`);
  writeFileSync(
    path,
    `export const rule = { id: "mine", sensitivity: 0.9, specificity: 0.9, checkedCount: 50, findError() { ${body} } };`,
  );
  const failure: unknown = await poolErrors([at("run")], { rule: path, output: at("ruled") }).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ name: "TurnwiseError", kind: "input" });
  expect(String(failure)).toContain(`Cannot use the rule "mine" in "${path}": findError() ${says}, on episode "`);
});

const boom = (): string => {
  const path = at("boom.mjs");
  writeFileSync(path, 'export const policy = { id: "boom", config: {}, act() { throw new Error("no server"); } };');
  return path;
};
test.each([
  {
    name: "evalStep()",
    play: () =>
      evalStep(at("pool"), { ...quick, policies: ["scripted:base", boom()], samples: 1, output: at("boom-1") }),
  },
  {
    name: "evalRecovery()",
    play: () =>
      evalRecovery(at("pool"), {
        ...quick,
        policies: ["scripted:base", boom()],
        samples: 1,
        budgets: [2],
        output: at("boom-2"),
      }),
  },
  {
    name: "evalBudget()",
    play: () =>
      evalBudget({
        env: "sokoban",
        policies: ["scripted:base", boom()],
        taskCount: 2,
        samples: 1,
        budgets: [2],
        output: at("boom-3"),
      }),
  },
  {
    name: "attributeByPlaying()",
    play: () =>
      attributeByPlaying({
        env: "sokoban",
        policies: ["scripted:base", boom()],
        taskCount: 2,
        samples: 1,
        budgets: [2],
        output: at("boom-4"),
      }),
  },
])("$name names a policy that always fails, its first error, and what to do", async ({ play }) => {
  const failure: unknown = await play().catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: "TurnwiseError", kind: "input" });
  expect(String(failure)).toMatch(
    /policy "boom": each of its \d+ episodes ended in an error \(policy\/exception\), e.g. no server/,
  );
  expect((failure as { remedy?: string }).remedy).toContain("Mend the policy or its server"); // a TurnwiseError
});

test("evalStep() says that a policy only quits, with the interval behind the verdict", async () => {
  const path = at("quitter.mjs");
  writeFileSync(
    path,
    'export const policy = { id: "quitter", config: {}, act: () => ({ action: { text: "", quit: true } }) };',
  );
  const stay = at("stayer.mjs");
  writeFileSync(stay, 'export const policy = { id: "stayer", config: {}, act: () => ({ action: { text: "up" } }) };');
  const { written, result } = await evalStep(at("pool"), {
    ...quick,
    policies: [stay, path],
    samples: 1,
    output: at("quitter"),
  });
  const [quits] = result?.differences.filter(({ measure }) => measure === "quit") ?? [];
  expect(quits.estimate).toMatchObject({ value: 1, standardError: 0, interval: { upper: 1 } });
  expect(quits.estimate.interval?.lower).toBeLessThan(1);
  const text = written === undefined ? "" : renderReportText(written.report, { width: 200, hasColour: false });
  expect(text).toContain("quitter never acts: it quits in 100.0%");
  expect(text).toContain('"quitter" quits in every draw');
  expect(text).not.toContain("use an env with an oracle");
});

test("poolErrors() refuses an injection that no episode reaches, and says why an injected producer has no prefix", async () => {
  await expect(poolErrors([at("run")], { injectionTurns: [99], output: at("late") })).rejects.toThrow(
    "Cannot inject an error at turn 99: injected episodes have 32 turns, counted from 0",
  );
  const { card } = await poolErrors([at("run")], {
    injectionTurns: [99],
    injectionBudget: 200,
    output: at("late"),
  });
  expect(card.notes.join()).toMatch(
    /Producer "injected" has no usable prefix: its 8 episodes ended before turn 99, at which errors were to be injected/,
  );
});
