// Locks published figures: change one only with a decision in docs/decisions/.
import { expect, test } from "vitest";
import { hasRealData, importAll, importReal } from "../../../test/support/importing.js";
import type { Trajectory } from "../../core/index.js";
import { mcnemarTest, passAtK, passHatK } from "../../stats/index.js";
import { openImportSource } from "../reading/source.js";
import { intercodeImporter } from "./intercode.js";
import { outcomesImporter } from "./outcomes.js";
import { tau2Importer } from "./tau2.js";
import { tauBenchImporter } from "./tau-bench.js";
import { verifiersImporter } from "./verifiers.js";

/** Reads what a figure is about, from the raw files or from the committed table. */
type Read = (name: keyof typeof sources) => Promise<readonly Trajectory[]>;

const wiki = "verifiers-evals/wiki_search";
const tau2 = "tau2-base-vs-sft";
const tuned = "ft_gpt-4.1-2025-04-14_sierra_tau2-full-sft_BzrYdMNm";
const bash = (model: string): string[] =>
  [1, 2, 3, 4].map((part) => `intercode/bash/${model}/ic_bash_multiturn_${model}_10_turns_fs_${part}.json.gz`);

const sources = {
  base: {
    importer: verifiersImporter,
    paths: [`${wiki}/wiki-search--qwen--qwen3-4b-instruct-2507/e762fd98/results.jsonl.gz`],
    table: "verifiers-wiki-search",
    policy: 0,
  },
  trained: {
    importer: verifiersImporter,
    paths: [`${wiki}/wiki-search--willcb--qwen3-4b-wiki-search/094df25d/results.jsonl.gz`],
    table: "verifiers-wiki-search",
    policy: 1,
  },
  tauBench: {
    importer: tauBenchImporter,
    paths: ["tau-bench-airline-gpt4o/gpt-4o-airline.json.gz"],
    table: "tau-bench-airline",
    policy: 0,
  },
  airline: {
    importer: tau2Importer,
    paths: [`${tau2}/gpt-4.1_airline_default_gpt-4.1_1trials.json.gz`],
    table: "tau2-airline",
    policy: 0,
  },
  airlineTuned: {
    importer: tau2Importer,
    paths: [`${tau2}/${tuned}_airline_default_gpt-4.1_1trials.json.gz`],
    table: "tau2-airline",
    policy: 1,
  },
  telecom: {
    importer: tau2Importer,
    paths: [`${tau2}/gpt-4.1_telecom_default_gpt-4.1_1trials.json.gz`],
    table: "tau2-telecom",
    policy: 0,
  },
  telecomTuned: {
    importer: tau2Importer,
    paths: [`${tau2}/${tuned}_telecom_default_gpt-4.1_1trials.json.gz`],
    table: "tau2-telecom",
    policy: 1,
  },
  bashGpt4: { importer: intercodeImporter, paths: bash("gpt-4"), table: "intercode-bash", policy: 0 },
  bashVicuna: { importer: intercodeImporter, paths: bash("vicuna"), table: "intercode-bash", policy: 1 },
  sqlGpt4: {
    importer: intercodeImporter,
    paths: ["intercode/sql/gpt-4/ic_sql_multiturn_gpt-4_10_turns.json.gz"],
    table: "intercode-sql",
    policy: 0,
  },
  sqlGpt4OneTurn: {
    importer: intercodeImporter,
    paths: ["intercode/sql/gpt-4/ic_sql_multiturn_gpt-4_1_turns.json.gz"],
    table: "intercode-sql",
    policy: 1,
  },
  sqlVicuna: {
    importer: intercodeImporter,
    paths: ["intercode/sql/vicuna/ic_sql_multiturn_vicuna_10_turns.json.gz"],
    table: "intercode-sql",
    policy: 2,
  },
} as const;

const readRaw: Read = async (name) => {
  const { trajectories, problems } = await importReal(sources[name].importer, ...sources[name].paths);
  expect(problems).toEqual([]);
  return trajectories;
};

const readTable: Read = async (name) => {
  const { table, policy } = sources[name];
  const path = `data/outcomes/${table}.json`;
  const { trajectories, problems } = await importAll(outcomesImporter, await openImportSource(path));
  expect(problems).toEqual([]);
  // Episodes come policy after policy; labels keep runs of one policy apart.
  const labels = [...new Set(trajectories.map((trajectory) => trajectory.extra?.["label"]))];
  return trajectories.filter((trajectory) => trajectory.extra?.["label"] === labels[policy]);
};

/** Returns `read` such that each name is read once. */
function readOnce(read: Read): Read {
  const done = new Map<string, ReturnType<Read>>();
  return (name) => {
    const reading = done.get(name) ?? read(name);
    done.set(name, reading);
    return reading;
  };
}

const raw = readOnce(readRaw);
const committed = readOnce(readTable);
const readers = [
  { from: "raw files", read: raw, isThere: hasRealData },
  { from: "committed tables", read: committed, isThere: true },
];

/** Solved within T, as the `hard` rule has it: an unfinished episode is a failure. */
function isSolvedWithin(trajectory: Trajectory, maxTurns: number): boolean {
  return trajectory.success === true && trajectory.turns.length <= maxTurns;
}

function countSolved(trajectories: readonly Trajectory[], maxTurns = Infinity): number {
  return trajectories.filter((trajectory) => isSolvedWithin(trajectory, maxTurns)).length;
}

/** Share solved within T in percent, with one decimal. */
function percentSolved(trajectories: readonly Trajectory[], maxTurns = Infinity): number {
  return Math.round((1000 * countSolved(trajectories, maxTurns)) / trajectories.length) / 10;
}

function meanByTask(trajectories: readonly Trajectory[], estimate: (n: number, c: number) => number): number {
  const hashes = [...new Set(trajectories.map(({ task }) => task.hash))];
  const values = hashes.map((hash) => {
    const group = trajectories.filter(({ task }) => task.hash === hash);
    return estimate(group.length, countSolved(group));
  });
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

for (const { from, read, isThere } of readers) {
  test.skipIf(!isThere)(`verifiers wiki-search: base and trained checkpoint within T, from ${from}`, async () => {
    const base = await read("base");
    const trained = await read("trained");
    const budgets = [2, 3, 4, 5, 6, 8, 10];
    expect(budgets.map((maxTurns) => countSolved(base, maxTurns))).toEqual([3, 4, 53, 54, 55, 55, 55]);
    expect(budgets.map((maxTurns) => countSolved(trained, maxTurns))).toEqual([0, 0, 57, 74, 79, 87, 89]);
    const byTask = new Map(base.map((trajectory) => [trajectory.task.hash, trajectory]));
    const pairs = trained.flatMap((b) => {
      const a = byTask.get(b.task.hash);
      return a === undefined ? [] : [{ a, b }];
    });
    expect(pairs).toHaveLength(100);
    const count = (maxTurns: number, isOnly: "a" | "b"): number =>
      pairs.filter(
        ({ a, b }) =>
          isSolvedWithin(isOnly === "a" ? a : b, maxTurns) && !isSolvedWithin(isOnly === "a" ? b : a, maxTurns),
      ).length;
    expect([count(5, "b"), count(5, "a")]).toEqual([27, 7]);
    expect(mcnemarTest(7, 27).pExact).toBeLessThan(0.001);
    expect([count(3, "b"), count(3, "a")]).toEqual([0, 4]);
    expect(mcnemarTest(4, 0).pExact).toBe(0.125);
    expect(new Set([...base, ...trained].map((trajectory) => trajectory.terminalRule))).toEqual(new Set(["hard"]));
  });

  test.skipIf(!isThere)(`tau-bench airline: pass^k, pass@k and within T, from ${from}`, async () => {
    const episodes = await read("tauBench");
    const ks = [1, 2, 3, 4];
    const round = (value: number): string => value.toFixed(3);
    expect(ks.map((k) => round(meanByTask(episodes, (n, c) => passHatK(n, c, k))))).toEqual([
      "0.420",
      "0.273",
      "0.220",
      "0.200",
    ]);
    expect(ks.map((k) => round(meanByTask(episodes, (n, c) => passAtK(n, c, k))))).toEqual([
      "0.420",
      "0.567",
      "0.660",
      "0.720",
    ]);
    expect([5, 10, 15, 20, 30].map((maxTurns) => percentSolved(episodes, maxTurns))).toEqual([9, 25.5, 34.5, 41.5, 42]);
    expect(new Set(episodes.map(({ task, sampleIndex }) => `${task.hash} ${sampleIndex}`)).size).toBe(200);
  });

  test.skipIf(!isThere)(`tau2: before and after fine-tuning, from ${from}`, async () => {
    const names = ["airline", "airlineTuned", "telecom", "telecomTuned"] as const;
    const percents: number[] = [];
    for (const name of names) percents.push(percentSolved(await read(name)));
    expect(percents).toEqual([50, 65, 45, 75]);
  });

  test.skipIf(!isThere)(`InterCode Bash: first turn and within ten, from ${from}`, async () => {
    const gpt4 = await read("bashGpt4");
    const vicuna = await read("bashVicuna");
    expect([gpt4.length, vicuna.length]).toEqual([200, 200]);
    expect([1, 10].map((maxTurns) => percentSolved(gpt4, maxTurns))).toEqual([34, 48.5]);
    expect([1, 10].map((maxTurns) => percentSolved(vicuna, maxTurns))).toEqual([16, 24.5]);
  });

  test.skipIf(!isThere)(
    `InterCode SQL: within T, and the one-turn run apart from the first turn, from ${from}`,
    async () => {
      const gpt4 = await read("sqlGpt4");
      const oneTurn = await read("sqlGpt4OneTurn");
      const vicuna = await read("sqlVicuna");
      expect([gpt4.length, oneTurn.length, vicuna.length]).toEqual([1034, 1034, 1033]);
      expect([1, 2, 3, 5, 10].map((maxTurns) => percentSolved(gpt4, maxTurns))).toEqual([7.1, 10.1, 34.2, 59.3, 73.7]);
      expect(percentSolved(oneTurn)).toBe(9.1);
      expect([gpt4[0].budget.maxTurns, oneTurn[0].budget.maxTurns]).toEqual([10, 1]);
      expect(percentSolved(vicuna, 10)).toBe(6.3);
    },
  );
}

test.skipIf(!hasRealData)("InterCode grades every turn, so that a cut at T has its own grade", async () => {
  const gpt4 = await raw("sqlGpt4");
  const solvedAfter = (turnIndex: number): number =>
    gpt4.filter(({ turns }) => turns[Math.min(turnIndex, turns.length - 1)].solvedAfter === true).length;
  expect(Math.round((1000 * solvedAfter(2)) / gpt4.length) / 10).toBe(34.2);
  expect(gpt4[0].terminalRule).toBe("act");
});

test.skipIf(!hasRealData)("the committed tables are what the raw files give", async () => {
  for (const name of Object.keys(sources) as (keyof typeof sources)[]) {
    const facts = (trajectories: readonly Trajectory[]): string[] =>
      trajectories.map(
        ({ task, sampleIndex, turns, success }) => `${task.id} ${sampleIndex} ${turns.length} ${String(success)}`,
      );
    expect(facts(await committed(name)), name).toEqual(facts(await raw(name)));
  }
});
