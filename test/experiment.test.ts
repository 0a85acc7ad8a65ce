import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { armsOf, createArmRecipe, fullSize, reducedSize, type ExperimentEnv } from "../experiments/arms.js";
import { readResults } from "../experiments/results.js";
import { summarizeEnv, type EnvSummary } from "../experiments/summarize.js";

const getPath = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));
const envs: readonly ExperimentEnv[] = ["vault", "lookup"];

function summarize(env: ExperimentEnv): EnvSummary {
  return summarizeEnv(env, readResults(getPath(`experiments/results/${env}.json`)));
}

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
