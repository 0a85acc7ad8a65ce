import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Verdict } from "../core/index.js";
import { answerAttribution } from "../report/attribution-answer.js";
import { parseReport, renderReportPage, renderReportText } from "../report/index.js";
import { attributeByPlaying } from "./attribute-by-playing.js";
import { attributeRuns } from "./attribute.js";
import { evalBudget } from "./eval-budget.js";

const folder = mkdtempSync(join(tmpdir(), "turnwise-attribute-"));
afterAll(() => rmSync(folder, { recursive: true }));

const game = { env: "frozen-lake", taskCount: 30, samples: 6, budgets: [2, 4, 8] };
const policies = ["scripted:base", "scripted:better-persistence"];
const fast = { replicates: 100, simulations: 9 };
const run = join(folder, "run");
beforeAll(async () => {
  await evalBudget({ ...game, policies, output: run, replicates: 100 });
  await evalBudget({
    env: "vault",
    taskCount: 4,
    samples: 2,
    budgets: [4],
    policies: ["scripted:base"],
    output: join(folder, "vault"),
    replicates: 100,
  });
  await evalBudget({
    ...game,
    taskCount: 2,
    samples: 1,
    policies: ["scripted:better-persistence", "scripted:base", "scripted:better-recovery"],
    output: join(folder, "three"),
    replicates: 100,
  });
  await evalBudget({
    ...game,
    disclosures: ["hidden", "countdown"],
    taskCount: 4,
    policies,
    output: join(folder, "told"),
    replicates: 100,
  });
}, 60_000);

describe("attributeRuns()", () => {
  test("says once what is wrong with a run that holds both sides", async () => {
    const torn = join(folder, "torn");
    cpSync(join(folder, "three"), torn, { recursive: true });
    appendFileSync(join(torn, "segments", readdirSync(join(torn, "segments"))[0]), '{"schema":');
    const sides = [`${torn}#base`, `${torn}#better-recovery`];
    const { report } = await attributeRuns(sides, { ...fast, simulations: 0, output: join(folder, "torn-why") });
    expect(JSON.stringify(report.warnings).split("of an unfinished record").length).toBe(2);
  });

  test("has as its ends the rates that the comparison beside it shows, and writes them into the report", async () => {
    const { report, jsonPath, pagePath } = await attributeRuns([run], {
      ...fast,
      budgets: [2, 4, 8],
      output: join(folder, "why"),
    });
    const { attribution } = report;
    expect(attribution?.rows.map(({ maxTurns }) => maxTurns)).toEqual([2, 4, 8]);
    for (const row of attribution?.rows ?? []) {
      const shown = report.surfaces.map(
        ({ cells }) => cells.find(({ k, maxTurns }) => k === 1 && maxTurns === row.maxTurns)?.estimate.value,
      );
      expect(row.valueA).toBeCloseTo(shown[0] ?? NaN, 12);
      expect(row.valueB).toBeCloseTo(shown[1] ?? NaN, 12);
      const compared = report.comparisons[0].cells.find(({ k, maxTurns }) => k === 1 && maxTurns === row.maxTurns);
      expect(row.gap).toEqual({ estimate: compared?.estimate, verdict: compared?.verdict });
    }
    expect(parseReport(readFileSync(jsonPath, "utf8"), jsonPath).attribution).toEqual(attribution);
    const page = readFileSync(pagePath, "utf8");
    expect(page).toContain('<section id="why"');
    expect(page).not.toMatch(/undefined|NaN/);
    for (const line of renderReportText(report, { width: 60 }).split("\n")) expect(line.length).toBeLessThanOrEqual(60);
  });

  test("shows no share where none is identified", async () => {
    const { report } = await attributeRuns([run], { ...fast, budgets: [8], output: join(folder, "thin") });
    const [row] = report.attribution?.rows ?? [];
    const thin = {
      ...report,
      attribution: report.attribution && { ...report.attribution, rows: [{ ...row, isIdentified: false }] },
    };
    const section = /<section id="why"[\s\S]*?<\/section>/.exec(renderReportPage(thin))?.[0] ?? "";
    expect(section).toContain("not identified");
    expect(section).not.toContain('href="#c.why.t8.persistence"');
    expect(section).toContain('href="#c.why.t8.gap"');
    for (const name of ["cell.AAB", "cell.BBA", "interaction", "pooled.decision", "wrongAsQuit.recovery"])
      expect(section).not.toContain(`#c.why.t8.${name}`);
    for (const name of ["cell.AAA", "cell.BBB"]) expect(section).toContain(`href="#c.why.t8.${name}"`);
    expect(renderReportText(thin)).toMatch(/\d ×( +×){5}|×( +×){5} +\d/);
  });

  test("shows a share in doubt as a lead, and calls it no gain or loss", async () => {
    const { report } = await attributeRuns([run], { ...fast, budgets: [8], output: join(folder, "doubt") });
    const [row] = report.attribution?.rows ?? [];
    const { estimate } = row.persistence;
    const share = (lead: Verdict) => ({ estimate, verdict: "undecided" as const, lead });
    const doubted = {
      ...row,
      isIdentified: true,
      isDoubted: true,
      decision: share("loss"),
      recovery: share("equivalent"),
      persistence: share("gain"),
    };
    const shown = { ...report, attribution: report.attribution && { ...report.attribution, rows: [doubted] } };
    const section = /<section id="why"[\s\S]*?<\/section>/.exec(renderReportPage(shown))?.[0] ?? "";
    const table = /<caption>Shares of[\s\S]*?<\/table>/.exec(section)?.[0] ?? "";
    for (const words of ["lead: upward", "lead: downward", "lead: near zero"]) expect(table).toContain(words);
    expect(table.match(/verdict (gain|loss|equivalent)/g) ?? []).toHaveLength(row.gap.verdict === "undecided" ? 0 : 1);
    expect(renderReportText(shown)).toMatch(/△[\s\S]*|▽/);
  });

  test("words a decided share of an undecided difference as a part that others may offset", async () => {
    const { report } = await attributeRuns([run], { ...fast, budgets: [8], output: join(folder, "open") });
    const { attribution } = report;
    if (attribution === undefined) throw new TypeError("attributeRuns() gives an attribution");
    const [row] = attribution.rows;
    const decision = { estimate: row.decision.estimate, verdict: "gain" as const };
    const gap = { ...row.gap, verdict: "undecided" as const };
    const open = { ...attribution, rows: [{ ...row, isIdentified: true, isDoubted: false, gap, decision }] };
    const text = answerAttribution(open, () => true)
      .flat()
      .map((part) => (typeof part === "string" ? part : part.claim))
      .join("");
    expect(text).toContain("is itself undecided; of it, decisions add");
    expect(text).toContain("other shares may offset that");
    const shown = renderReportText({ ...report, attribution: open });
    expect(shown).toMatch(/At T = 8 the difference itself is\s+undecided/);
    expect(
      renderReportText({ ...report, attribution: { ...open, rows: [{ ...open.rows[0], gap: decision }] } }),
    ).not.toMatch(/the difference itself is\s+undecided/);
  });

  test.each([
    { name: "three inputs", inputs: () => [run, run, run], says: "a gap is between two policies" },
    { name: "one policy alone", inputs: () => [`${run}#base`], says: 'holds 1 policy, "base"' },
    {
      name: "three policies of one run, with the sides to name",
      inputs: () => [join(folder, "three")],
      says: `turnwise attribute ${join(folder, "three")}#better-persistence ${join(folder, "three")}#base`,
    },
    { name: "a policy it does not hold", inputs: () => [`${run}#nobody`], says: 'no episodes of policy "nobody"' },
    { name: "two envs", inputs: () => [`${run}#base`, join(folder, "vault")], says: "different envs" },
    { name: "several disclosures", inputs: () => [join(folder, "told")], says: "--disclosure" },
    { name: "a missing run", inputs: () => [join(folder, "nothing"), run], says: "no such file or folder" },
  ])("refuses $name", async ({ inputs, says }) => {
    const failure = await attributeRuns(inputs(), fast).catch((error: unknown) => error);
    expect(`${String(failure)} ${(failure as { remedy?: string }).remedy ?? ""}`).toContain(says); // a TurnwiseError
  });

  test("reads one disclosure of a run that holds two, every told budget from its own episodes", async () => {
    const { report } = await attributeRuns([join(folder, "told")], {
      ...fast,
      disclosure: "countdown",
      output: join(folder, "told-why"),
    });
    expect(report.attribution).toMatchObject({ disclosure: "countdown", mark: "run" });
    expect(report.attribution?.budgetResponse).toHaveLength(2);
  });

  test("takes the policies of one run in the order they were played, not by name", async () => {
    const reversed = join(folder, "reversed");
    await evalBudget({ ...game, taskCount: 4, policies: [...policies].reverse(), output: reversed, replicates: 100 });
    const { report } = await attributeRuns([reversed], { ...fast, budgets: [8], output: join(folder, "order") });
    expect([report.attribution?.a, report.attribution?.b]).toEqual(["better-persistence", "base"]);
    expect(report.comparisons[0]).toMatchObject({ a: "better-persistence", b: "base" });
  });

  test("refuses a label field that no turn has, with the fields there are", async () => {
    await expect(attributeRuns([run], { ...fast, labelField: "foo", output: join(folder, "foo") })).rejects.toThrow(
      'Cannot read labels from field "foo" of "base": no turn has it; turns hold no extra fields at all',
    );
  });

  test("refuses error rates of a judge whose labels are not named", async () => {
    const judgeErrors = { sensitivity: [0.8, 0.9], specificity: [0.9, 1] } as const;
    await expect(attributeRuns([run], { ...fast, judgeErrors })).rejects.toThrow("without its labels");
  });
});

describe("attributeRuns() with a rule of the user's", () => {
  const byDistance = `isInError({ turns }, index) {
    const read = (distance) => (typeof distance === "number" ? distance : Infinity);
    const best = Math.min(...turns.slice(0, index + 1).flatMap((turn) => [read(turn.distanceBefore), read(turn.distanceAfter)]));
    const { distanceBefore, distanceAfter } = turns[index];
    return !(read(distanceAfter) < read(distanceBefore) && read(distanceAfter) === best);
  }`;
  const write = (name: string, rates: string, body: string): string => {
    const path = join(folder, `${name}.mjs`);
    writeFileSync(path, `export const rule = { id: "${name}", ${rates}, checkedCount: 40, ${body} };`);
    return path;
  };
  const settings = { ...fast, budgets: [4, 8] };

  test("gives the same shares as the distances that the rule reads, and says whose labels they are", async () => {
    const rule = write("by-distance", "sensitivity: 1, specificity: 1", byDistance);
    const plain = await attributeRuns([run], { ...settings, output: join(folder, "plain") });
    const { report } = await attributeRuns([run], { ...settings, rule, output: join(folder, "ruled") });
    expect(report.attribution?.rows).toEqual(plain.report.attribution?.rows);
    expect(report.attribution?.labelSources).toMatchObject({ distance: 0, signals: 0 });
    expect(report.attribution?.notes).toContain(
      'Errors are told by "by-distance" (sensitivity 1, specificity 1, on 40 checked turns)',
    );
    expect(renderReportPage(report)).toContain("by-distance");
  });

  test("gives the range over the error rates that the rule states, or over those that are passed", async () => {
    const rule = write("doubtful", "sensitivity: 0.8, specificity: 0.95", byDistance);
    const { report } = await attributeRuns([run], { ...settings, rule, output: join(folder, "doubtful") });
    const [stated] = report.attribution?.rows.map((row) => row.judgeRange) ?? [];
    expect(stated?.least).toEqual(stated?.most);
    const judgeErrors = { sensitivity: [0.7, 0.9], specificity: [0.9, 1] } as const;
    const wide = await attributeRuns([run], { ...settings, rule, judgeErrors, output: join(folder, "wide") });
    const range = wide.report.attribution?.rows[1].judgeRange;
    expect(range?.least.decision).toBeLessThan(range?.most.decision ?? Number.NaN);
  });

  test("refuses a rule that labels no turn, and labels from two places", async () => {
    const rule = write("silent", "sensitivity: 1, specificity: 1", "isInError() {}");
    await expect(attributeRuns([run], { ...settings, rule })).rejects.toThrow(
      'Cannot take labels from the rule "silent": isInError() returned undefined for every turn of "base"',
    );
    await expect(attributeRuns([run], { ...settings, rule, labelField: "bad" })).rejects.toThrow("both from field");
  });
});

describe("attributeByPlaying()", () => {
  const hybrids = { ...game, ...fast, taskCount: 8, policies, output: join(folder, "hybrids"), hasForcedArms: true };

  test("continues a run that was stopped, and says the same as one that was not", async () => {
    const first = await attributeByPlaying({ ...hybrids, limit: 100 });
    expect(first.written).toBeUndefined();
    expect(first.remaining).toBe(8 * 6 * 14 - 100);
    const second = await attributeByPlaying(hybrids);
    expect(second).toMatchObject({ remaining: 0, progress: { kept: 100 } });
    const whole = await attributeByPlaying({ ...hybrids, output: join(folder, "whole") });
    expect(second.written?.report.attribution).toEqual(whole.written?.report.attribution);
    const attribution = second.written?.report.attribution;
    expect(attribution?.selfChecks?.map(({ passes }) => passes)).toEqual([true, true]);
    expect(attribution?.forcedArms).toHaveLength(6);
    expect(attribution?.hybridCosts?.find(({ cell }) => cell === "AAA")?.extraCalls).toBe(0);
    expect(attribution?.hybridCosts?.find(({ cell }) => cell === "AAB")?.extraCalls).toBeGreaterThan(0);
    expect(second.written?.report.surfaces.map(({ policyId }) => policyId)).toEqual(["base", "better-persistence"]);
  });

  test("refuses a policy that calls tools the env does not have", async () => {
    const file = join(folder, "weird.mjs");
    writeFileSync(
      file,
      'export const policy = { id: "weird", config: {}, act: async () => ({ action: { text: "", toolCalls: [{ name: "does_not_exist", arguments: {} }] } }) };\n',
    );
    await expect(
      attributeByPlaying({ ...hybrids, policies: ["scripted:base", file], output: join(folder, "weird"), samples: 1 }),
    ).rejects.toThrow(/of "weird" could not be carried out, as it calls "does_not_exist"/);
  });

  test("refuses anything but two policies", async () => {
    await expect(
      attributeByPlaying({ ...hybrids, policies: ["scripted:base"], output: join(folder, "one") }),
    ).rejects.toThrow("a gap is between two");
  });
});
