import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { armsOf, createArmRecipe, fullSize, reducedSize, type ExperimentEnv } from "../experiments/arms.js";
import { readExplanations, shareNames, summarizeExplanations } from "../experiments/explanations.js";
import { readResults } from "../experiments/results.js";
import {
  answerQuestion,
  describeContrast,
  summarizeEnv,
  type EnvSummary,
  type SeedMean,
} from "../experiments/summarize.js";

const getPath = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));
const envs: readonly ExperimentEnv[] = ["vault", "lookup"];

function summarize(env: ExperimentEnv): EnvSummary {
  return summarizeEnv(env, readResults(getPath(`experiments/results/${env}.json`)));
}

test("sentences name every budget once, by its verdict, and none that was not played", () => {
  const verdicts = ["loss", "gain", "undecided", "gain", "gain", "loss", "loss"] as const;
  const describe = (first: number, last: number): string => {
    const cells = verdicts
      .slice(first, last)
      .map((verdict, index) => ({ maxTurns: index + 1, verdict, mean: verdict === "loss" ? -0.1 : 0.2, seeds: 3 }));
    const contrast = { arm: "rl-large", reference: "base", disclosure: "hidden", k: 1, cells } as const;
    return `${describeContrast(contrast)} ${answerQuestion({ env: "vault", arms: [], contrasts: [contrast] }) ?? "none"}`.replaceAll(
      "\u00a0",
      " ",
    );
  };
  expect(describe(2, 5)).toContain("In vault it gains from T = 2 on; nothing is decided at T = 1.");
  expect(describe(3, 7)).toContain("In vault it loses from T = 3 on; it gains up to T = 2.");
  expect(describe(0, 2)).toBe(
    "rl-large against base, budget not told, one try, 3 training seeds: higher at T=2 (+20.0 pp); lower at T=1 (−10.0 pp). In vault it loses at T = 1; it gains at T = 2.",
  );
  expect(describe(1, 4)).toBe(
    "rl-large against base, budget not told, one try, 3 training seeds: higher at T=1 (+20.0 pp), T=3 (+20.0 pp); undecided at T=2. In vault it gains at T = 1 and 3; nothing is decided at T = 2.",
  );
});

test("the committed summary is what the committed runs give", () => {
  const stored: unknown = JSON.parse(readFileSync(getPath("experiments/results/summary.json"), "utf8"));
  expect(JSON.parse(JSON.stringify(envs.map(summarize)))).toEqual(stored);
});

test.each(envs)("every row of the tables about %s in docs/experiment.md is what the runs give", (env) => {
  const text = readFileSync(getPath("docs/experiment.md"), "utf8");
  const section = text.slice(text.indexOf(`## What was found in ${env}`)).split("\n## ")[0];
  const rows = [...section.matchAll(/^\| ([a-z-]+), (told|not told) \| (.+) \|$/gm)];
  const { arms } = summarize(env);
  expect(rows.length).toBe(5);
  for (const [, name, told, cells] of rows) {
    const arm = arms.find((candidate) => candidate.arm === name);
    const disclosure = told === "told" ? "static" : "hidden";
    const means = (arm?.cells ?? []).filter((cell) => cell.k === 1 && cell.disclosure === disclosure);
    expect(cells.split(" | "), name).toEqual(means.map(({ mean }) => (100 * mean).toFixed(1)));
  }
});

test.each(envs)("the figures of why the policies differ in %s are what the played hybrids and pools give", (env) => {
  const text = readFileSync(getPath("docs/experiment.md"), "utf8");
  const section = text.slice(text.indexOf(`## What was found in ${env}`)).split("\n## ")[0];
  const { seeds, shares, pools } = summarizeExplanations(
    readExplanations(getPath(`experiments/results/explain-${env}.json`)),
  );
  expect(seeds).toBe(10);
  const points = (value: number): string => `${value < 0 ? "−" : ""}${(100 * Math.abs(value)).toFixed(1)}`;
  const show = ({ mean, lower = NaN, upper = NaN }: SeedMean): string =>
    `${mean < 0 ? "" : "+"}${points(mean)} [${points(lower)}, ${points(upper)}]`;
  const rows = [...section.matchAll(/^\| (rl-large|budgetmix) \| (\d+) \| (.+) \|$/gm)];
  expect(rows.length).toBe(4);
  for (const [, arm, maxTurns, cells] of rows) {
    const row = shares.find((each) => each.arm === arm && each.maxTurns === Number(maxTurns));
    expect(cells.split(" | "), `${arm} T=${maxTurns}`).toEqual(
      row === undefined ? [] : shareNames.map((name) => show(row[name])),
    );
  }
  const after = [
    ...section.matchAll(/(rl-large|budgetmix|base) succeeds\s+in ([\d.]+) % after the error and\s+in ([\d.]+) %/g),
  ];
  expect(after.length).toBe(3);
  for (const [, arm, error, clean] of after) {
    const cell = pools.find((pool) => pool.arm === arm)?.recovery.find(({ turnsLeft }) => turnsLeft === 8);
    expect([error, clean], arm).toEqual([cell?.error.mean, cell?.clean.mean].map((rate = NaN) => points(rate)));
  }
});

test.each(envs)(
  "every figure in the sentences about %s in docs/experiment.md is one of a comparison or an arm",
  (env) => {
    const text = readFileSync(getPath("docs/experiment.md"), "utf8");
    const section = text.slice(text.indexOf(`## What was found in ${env}`)).split("\n## ")[0];
    const sentences = section.slice(section.indexOf("\n- ")).split("\nWhy")[0].replace(/T=\d+/g, "");
    const { arms, contrasts } = summarize(env);
    const known = new Set(
      [
        ...contrasts.filter(({ k }) => k === 1).flatMap(({ cells }) => cells),
        ...arms.flatMap(({ cells }) => cells.filter(({ k }) => k === 1)),
      ].flatMap(({ mean, lower = NaN, upper = NaN }) =>
        [mean, lower, upper].map((share) => Math.abs(100 * share).toFixed(1)),
      ),
    );
    const figures = [...sentences.matchAll(/\d+\.\d/g)].map(([figure]) => figure);
    expect(figures.length).toBeGreaterThan(8);
    expect(figures.filter((figure) => !known.has(figure))).toEqual([]);
  },
);

test("in vault, training at twelve turns loses at one and two and wins from three on, clear of zero", () => {
  const contrast = summarize("vault").contrasts.find(
    ({ arm, reference, k }) => arm === "rl-large" && reference === "base" && k === 1,
  );
  expect(contrast?.cells.map(({ verdict }) => verdict)).toEqual([
    "loss",
    "loss",
    "gain",
    "gain",
    "gain",
    "gain",
    "gain",
  ]);
  expect(contrast?.cells[0].seeds).toBe(10);
});

test("in vault, telling a mix of budgets repairs the tight end and costs at the roomy one, clear of zero", () => {
  const contrast = summarize("vault").contrasts.find(
    ({ arm, reference, referenceDisclosure, k }) =>
      arm === "budgetmix" && reference === "rl-large" && referenceDisclosure === "hidden" && k === 1,
  );
  expect(contrast?.cells.map(({ verdict }) => verdict)).toEqual([
    "gain",
    "gain",
    "undecided",
    "loss",
    "loss",
    "loss",
    "loss",
  ]);
});

test("in lookup, training at twelve turns gains from four on, and the mix repairs the tight end at no clear cost", () => {
  const { contrasts } = summarize("lookup");
  const find = (arm: string, reference: string): readonly string[] | undefined =>
    contrasts
      .find(
        (each) =>
          each.arm === arm &&
          each.reference === reference &&
          (each.referenceDisclosure ?? each.disclosure) === "hidden" &&
          each.k === 1,
      )
      ?.cells.map(({ verdict }) => verdict);
  const [open, gain] = ["undecided", "gain"];
  expect(find("rl-large", "base")).toEqual([open, open, open, gain, gain, gain, gain]);
  expect(find("budgetmix", "rl-large")).toEqual([gain, gain, gain, gain, gain, open, open]);
});

test("every arm of the experiment is a recipe that can be trained, and arms that reinforce sample the same tokens", () => {
  for (const size of [fullSize, reducedSize]) {
    for (const env of envs) {
      const recipes = armsOf[env].map((arm) => createArmRecipe(env, arm, { seed: 1, size, base: "base" }));
      const tokens = recipes.flatMap(({ length }) => length?.sampledTokens ?? []);
      expect(new Set(tokens).size).toBe(1);
      expect(new Set(recipes.map(({ name }) => name)).size).toBe(recipes.length);
    }
  }
});
