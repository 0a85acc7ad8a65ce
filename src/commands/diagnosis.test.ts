import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonValue } from "../core/index.js";
import { renderReportText } from "../report/index.js";
import { recomputeClaim } from "../../test/report/recompute-claim.js";
import { createPlayer } from "../../test/mock-server/player.js";
import { startMockServer, type MockServer } from "../../test/mock-server/server.js";
import { evalBudget } from "./eval-budget.js";
import { dynamicsRuns, findUpdateIndex } from "./measure-dynamics.js";
import { likelihoodRuns } from "./measure-likelihood.js";
import { loadSignals, signalRuns } from "./measure-signals.js";
import type { WrittenReport } from "./write-report.js";

const folder = mkdtempSync(join(tmpdir(), "turnwise-diagnosis-"));
const at = (name: string): string => join(folder, name);
let server: MockServer;

beforeAll(async () => {
  server = await startMockServer({ script: createPlayer("random"), recording: false });
  const shared = { env: "vault", budgets: [1, 2, 4, 8], taskCount: 40, samples: 8, difficulty: 2 };
  await evalBudget({
    ...shared,
    policies: ["scripted:base", "scripted:better-recovery", "scripted:better-persistence"],
    output: at("scripted"),
  });
  await evalBudget({
    ...shared,
    taskCount: 12,
    samples: 3,
    policies: ["chat:my-model"],
    output: at("recorded"),
    chat: { baseUrl: server.url, logProbs: true, tokenIds: true },
    environment: {},
  });
}, 60_000);
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Every figure is a claim that report.json bears out, the page is whole, and the terminal text fits. */
function checkReport({ report, jsonPath, pagePath }: WrittenReport, section: string): void {
  const document = JSON.parse(readFileSync(jsonPath, "utf8")) as JsonValue; // what JSON.parse returns
  for (const claim of report.claims) {
    expect({ id: claim.id, value: recomputeClaim(claim, document) }).toEqual({ id: claim.id, value: claim.value });
  }
  const ids = report.claims.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[\w.]+$/.test(id))).toEqual([]);
  const page = readFileSync(pagePath, "utf8");
  expect(page).toContain(`<section id="${section}"`);
  expect(page).not.toContain("undefined");
  for (const width of [40, 80]) {
    for (const line of renderReportText(report, { width }).split("\n")) expect(line.length).toBeLessThanOrEqual(width);
  }
}

test("signalRuns() measures the signals of each policy and writes them as claims", async () => {
  writeFileSync(
    at("own.mjs"),
    "export const signals = { half: (turn, { turnIndex }) => (turnIndex % 2 === 0 ? 1 : undefined) };",
  );
  const written = await signalRuns([`${at("scripted")}#base`], {
    signalFiles: [at("own.mjs")],
    replicates: 100,
    output: at("signals"),
  });
  checkReport(written, "signals");
  const [result] = written.report.signals ?? [];
  expect(result.label).toBe("base");
  expect(result.unavailable.map(({ id }) => id)).toEqual(["entropy", "self_report"]);
  expect(renderReportText(written.report, { width: 200 })).toContain(
    "Not available for base: entropy, as no turn has log-probs",
  );
  const find = (signal: string) => result.assessments.find((one) => one.signal === signal && one.target === "success");
  expect(find("oracle_progress")?.word).toBe("higher_means_yes");
  expect(find("oracle_distance")?.word).toBe("higher_means_no");
  expect(find("half")?.coverage).toBeLessThan(1);
  expect(result.shaping.find(({ signal }) => signal === "oracle_progress")).toMatchObject({
    broken: 0,
    verdict: "not_potential_based",
  });
});

test("signalRuns() labels errors by a rule of the user's in place of the env's distances", async () => {
  const rates = "sensitivity: 1, specificity: 0.9, checkedCount: 20";
  const measure = async (name: string, read: string) => {
    writeFileSync(at(`${name}.mjs`), `export const rule = { id: "${name}", ${rates}, isInError: ${read} };`);
    const output = at(`signals-${name}`);
    const { report } = await signalRuns([`${at("scripted")}#base`], {
      rule: at(`${name}.mjs`),
      replicates: 100,
      output,
    });
    const [result] = report.signals ?? [];
    return result;
  };
  const never = await measure("never", "() => false");
  expect(never.warnings.join()).toContain("No episode has an error that could be labelled");
  expect(never.notes).toContain('Errors are told by "never" (sensitivity 1, specificity 0.9, on 20 checked turns)');
  const second = await measure("second", "async (_episode, turnIndex) => turnIndex === 1");
  expect(second.warnings.join()).not.toContain("could be labelled");
  const [first] = second.assessments.filter(({ target }) => target === "first_error");
  expect(first.positives).toBeGreaterThan(0);
  expect(first.positives).toBeLessThanOrEqual(second.episodes);
});

test("signalRuns() takes the log-ratio of two models as a signal", async () => {
  const written = await signalRuns([at("recorded")], {
    logRatio: ["chat:my-base", "chat:my-rl"],
    replicates: 100,
    output: at("ratio"),
    chat: { baseUrl: server.url },
    environment: {},
  });
  checkReport(written, "signals");
  const [result] = written.report.signals ?? [];
  expect(result.signals.map(({ id }) => id)).toContain("log_ratio");
  expect(result.signals.map(({ id }) => id)).toContain("entropy");
});

test("dynamicsRuns() finds what scripted policies differ in, and nothing else", async () => {
  const written = await dynamicsRuns([at("scripted")], { replicates: 400, output: at("dynamics") });
  checkReport(written, "dynamics");
  const [, recovery, persistence] = written.report.dynamics?.checkpoints ?? [];
  expect(recovery.measures.recoveryRate?.change?.interval?.lower).toBeGreaterThan(0.1);
  expect(recovery.measures.errorRate?.change?.interval?.lower).toBeLessThan(0);
  expect(recovery.measures.errorRate?.change?.interval?.upper).toBeGreaterThan(0);
  expect(persistence.measures.quitError?.change?.interval?.upper).toBeLessThan(0);
  expect(persistence.measures.recoveryRate?.change?.interval?.lower).toBeLessThan(0.05);
  expect(written.report.dynamics?.notes.join()).toContain("order given");
  const chosen = written.report.dynamics?.selection?.rows.at(-1);
  const isOverstated = (chosen?.optimism ?? 0) >= 0.0005;
  expect(renderReportText(written.report, { width: 400 })).toContain(
    isOverstated ? "would have overstated success by" : "would not have overstated success: the mean difference is",
  );
});

test("dynamicsRuns() puts named updates in order and refuses fewer than two checkpoints", async () => {
  const written = await dynamicsRuns([`200=${at("scripted")}#better-recovery`, `0=${at("scripted")}#base`], {
    replicates: 100,
    output: at("ordered"),
  });
  expect(written.report.dynamics?.checkpoints.map(({ label, updateIndex }) => [label, updateIndex])).toEqual([
    ["0", 0],
    ["200", 200],
  ]);
  await expect(dynamicsRuns([`${at("scripted")}#base`])).rejects.toThrow("with 1 checkpoint: at least 2");
  await expect(dynamicsRuns([])).rejects.toThrow("of nothing");
});

test("dynamicsRuns() shows checkpoints in the order of training in every table, however a shell lists them", async () => {
  const { report } = await dynamicsRuns(
    [
      `update-0=${at("scripted")}#base`,
      `update-100=${at("scripted")}#better-recovery`,
      `update-50=${at("scripted")}#better-persistence`,
    ],
    { replicates: 100, output: at("globbed") },
  );
  const inOrder = ["update-0", "update-50", "update-100"];
  expect(report.dynamics?.checkpoints.map(({ label }) => label)).toEqual(inOrder);
  expect(report.surfaces.map(({ label }) => label)).toEqual(inOrder);
  expect(report.comparisons.map(({ b }) => b)).toEqual(inOrder.slice(1));
});

test("labels of any letters and with spaces name their runs in a report", async () => {
  const written = await dynamicsRuns(
    [`vor dem Üben=${at("scripted")}#base`, `训练后=${at("scripted")}#better-recovery`],
    { replicates: 100, output: at("labels") },
  );
  expect(written.report.dynamics?.checkpoints.map(({ label }) => label)).toEqual(["vor dem Üben", "训练后"]);
  checkReport(written, "dynamics");
});

test("dynamicsRuns() refuses one update twice, and the same episodes under two names or paths", async () => {
  await expect(
    dynamicsRuns([`step-5=${at("scripted")}#better-recovery`, `u5=${at("scripted")}#base`], { output: at("twice") }),
  ).rejects.toThrow("are both of update 5");
  cpSync(at("scripted"), at("copied"), { recursive: true });
  await expect(
    dynamicsRuns([`1=${at("scripted")}#base`, `2=${at("copied")}#base`], { output: at("same") }),
  ).rejects.toThrow('"1" and "2" are the same episodes');
});

test("likelihoodRuns() scores recorded ids under models, with stored log-probs beside", async () => {
  const written = await likelihoodRuns([at("recorded")], {
    scorers: ["stored", "base=chat:my-base", "chat:my-rl"],
    replicates: 100,
    output: at("likelihood"),
    chat: { baseUrl: server.url },
    environment: {},
  });
  checkReport(written, "likelihood");
  const { scorers, unavailable, turns } = written.report.likelihood ?? {};
  expect(scorers).toEqual([
    { id: "stored", turns, alignment: "ids" },
    { id: "base", turns, alignment: "ids" },
    { id: "my-rl", turns, alignment: "ids" },
  ]);
  expect(unavailable).toEqual([]);
});

test("likelihoodRuns() says not available for runs without token ids", async () => {
  const written = await likelihoodRuns([`${at("scripted")}#base`], {
    scorers: ["chat:m"],
    replicates: 100,
    output: at("none"),
    chat: { baseUrl: server.url },
    environment: {},
  });
  checkReport(written, "likelihood");
  expect(written.report.likelihood?.rows).toEqual([]);
  expect(written.report.likelihood?.unavailable[0].reason).toContain("no token ids");
  expect(renderReportText(written.report)).toContain("Likelihood is not available");
});

test("likelihoodRuns() scores text that a module renders, under a scorer of the user's", async () => {
  writeFileSync(
    at("rendering.mjs"),
    "export const rendering = { render: (trajectory, turn) => ({ prompt: `turn ${turn}:`, continuation: ' go' }) };",
  );
  writeFileSync(
    at("scorer.mjs"),
    "export const scorer = { id: 'own', config: null, score: async (requests) => requests.map(({ prompt }) => ({ kind: 'scored', logProbs: [-prompt.text.length], texts: [' go'] })) };",
  );
  const written = await likelihoodRuns([`${at("scripted")}#base`], {
    scorers: [at("scorer.mjs")],
    rendering: at("rendering.mjs"),
    replicates: 100,
    output: at("rendered"),
  });
  const row = written.report.likelihood?.rows.find(({ segment }) => segment === "all");
  expect(row?.perToken.value).toBe(7);
  expect(written.report.likelihood?.scorers[0].alignment).toBe("text");
});

test.each([
  { scorer: "magic", says: "stored, chat:MODEL, or a module file" },
  { scorer: "chat:m", says: "no server is named" },
  { scorer: "./none.mjs", says: "no such file" },
])("likelihoodRuns() refuses scorer $scorer", async ({ scorer, says }) => {
  const error = await likelihoodRuns([at("scripted")], { scorers: [scorer], environment: {} }).catch(
    (caught: unknown) => caught,
  );
  expect(error).toMatchObject({ name: "TurnwiseError" });
  const { message, remedy = "" } = error as { message: string; remedy?: string }; // checked to be a TurnwiseError
  expect(`${message} ${remedy}`).toContain(says);
});

test.each([
  { text: "export const signals = {};", says: "must be an object of functions" },
  { text: "export const signals = { a: 1 };", says: "must be an object of functions" },
  { text: "export const other = 1;", says: 'none of "signals"' },
])("loadSignals() refuses a module with $text", async ({ text, says }) => {
  const path = at(`bad-${says.length}-${text.length}.mjs`);
  writeFileSync(path, text);
  await expect(loadSignals(path)).rejects.toThrow(says);
});

test("signalRuns() refuses a pattern that is none, and a signal under a name that is taken", async () => {
  await expect(signalRuns([at("scripted")], { selfReport: "(" })).rejects.toThrow("no regular expression");
  writeFileSync(at("taken.mjs"), "export const signals = { invalid: () => 1 };");
  await expect(signalRuns([at("scripted")], { signalFiles: [at("taken.mjs")] })).rejects.toThrow(
    'two signals called "invalid"',
  );
  await expect(signalRuns([])).rejects.toThrow("of nothing");
});

test.each([
  { name: "100", update: 100 },
  { name: "step-200", update: 200 },
  { name: "global_step_50", update: 50 },
  { name: "my-model checkpoint 7", update: 7 },
  { name: "qwen3-4b-instruct-2507", update: undefined },
  { name: "base", update: undefined },
])("findUpdateIndex() of $name is $update", ({ name, update }) => {
  expect(findUpdateIndex(name)).toBe(update);
});
