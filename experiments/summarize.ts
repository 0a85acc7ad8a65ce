import { holmAdjust, studentTCdf, studentTInterval } from "../src/stats/index.js";
import { armsOf, evaluatedBudgets, type ArmName, type ExperimentEnv } from "./arms.js";
import type { RunResult } from "./results.js";

/** Mean over training seeds with its t interval; with one seed the mean alone. */
export interface SeedMean {
  readonly mean: number;
  readonly lower?: number;
  readonly upper?: number;
  readonly seeds: number;
}

/** A cell of an arm's grid. */
export interface ArmCell extends SeedMean {
  readonly disclosure: "hidden" | "static";
  readonly maxTurns: number;
  readonly k: number;
}

/** One arm under all budgets. */
export interface ArmSummary {
  readonly arm: ArmName;
  readonly seeds: number;
  readonly updates: SeedMean;
  readonly sampledTokens: SeedMean;
  readonly cells: readonly ArmCell[];
  /** Mean reward over seeds by tokens sampled, for the learning curve. */
  readonly curve: readonly { readonly sampledTokens: number; readonly reward: number }[];
}

/** What a comparison says at one budget: Holm's correction runs over the budgets of its contrast. */
export type SeedVerdict = "gain" | "loss" | "undecided";

/** Arm less reference, paired by training seed. */
export interface ContrastCell extends SeedMean {
  readonly maxTurns: number;
  /** Two-sided, t with seeds - 1 degrees of freedom, adjusted by Holm; absent with one seed. */
  readonly p?: number;
  readonly verdict: SeedVerdict;
}

/** One comparison that the experiment was made for. */
export interface Contrast {
  readonly arm: ArmName;
  readonly reference: ArmName;
  readonly disclosure: "hidden" | "static";
  /** What the reference is told, where that differs: each as it was trained. */
  readonly referenceDisclosure?: "hidden" | "static";
  readonly k: number;
  readonly cells: readonly ContrastCell[];
}

/** What was found in one env. */
export interface EnvSummary {
  readonly env: ExperimentEnv;
  readonly arms: readonly ArmSummary[];
  readonly contrasts: readonly Contrast[];
}

/** A level of .05 for each contrast over its budgets. */
const alpha = 0.05;

/** Returns the mean of values of training seeds with its t interval. */
export function summarizeSeeds(values: readonly number[]): SeedMean {
  if (values.length < 2) return { mean: values[0] ?? NaN, seeds: values.length };
  const { mean, interval } = studentTInterval(values);
  return { mean, lower: interval.lower, upper: interval.upper, seeds: values.length };
}

function findRate(run: RunResult, disclosure: string, maxTurns: number, k: number): number | undefined {
  return run.rates.find((point) => point.disclosure === disclosure && point.maxTurns === maxTurns && point.k === k)
    ?.rate;
}

/** Mean reward over the seeds whose run had come so far, by tokens sampled in steps of a twentieth. */
function summarizeCurve(runs: readonly RunResult[]): ArmSummary["curve"] {
  const most = Math.max(0, ...runs.map(({ sampledTokens }) => sampledTokens));
  if (most === 0) return [];
  return Array.from({ length: 20 }, (_, step) => {
    const sampledTokens = Math.round(((step + 1) * most) / 20);
    const rewards = runs.flatMap(({ curve }) => {
      const window = curve.filter((point) => {
        const distance = sampledTokens - point.sampledTokens;
        return distance >= 0 && distance < most / 20;
      });
      return window.map(({ reward }) => reward);
    });
    return { sampledTokens, reward: rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length };
  }).filter(({ reward }) => Number.isFinite(reward));
}

function summarizeArm(arm: ArmName, runs: readonly RunResult[]): ArmSummary {
  const widths = [...new Set(runs.flatMap(({ rates }) => rates.map(({ k }) => k)))].sort((a, b) => a - b);
  const cells = (["hidden", "static"] as const).flatMap((disclosure) =>
    widths.flatMap((k) =>
      evaluatedBudgets.map((maxTurns): ArmCell => {
        const values = runs.flatMap((run) => findRate(run, disclosure, maxTurns, k) ?? []);
        return { disclosure, maxTurns, k, ...summarizeSeeds(values) };
      }),
    ),
  );
  return {
    arm,
    seeds: runs.length,
    updates: summarizeSeeds(runs.map(({ updates }) => updates)),
    sampledTokens: summarizeSeeds(runs.map(({ sampledTokens }) => sampledTokens)),
    cells,
    curve: summarizeCurve(runs),
  };
}

/** Two-sided p value of a mean difference of 0; 0 or 1 when all differences are equal. */
function getPValue(differences: readonly number[]): number {
  const { mean, standardError, degrees } = studentTInterval(differences);
  if (standardError === 0) return mean === 0 ? 1 : 0;
  return 2 * (1 - studentTCdf(Math.abs(mean) / standardError, degrees));
}

function contrast(
  runs: readonly RunResult[],
  [arm, reference, disclosure, referenceDisclosure = disclosure]: Question,
  k: number,
): Contrast | undefined {
  const seeds = [...new Set(runs.map(({ seed }) => seed))].sort((a, b) => a - b);
  const pairs = seeds.flatMap((seed) => {
    const own = runs.find((run) => run.arm === arm && run.seed === seed);
    const other = runs.find((run) => run.arm === reference && run.seed === seed);
    return own === undefined || other === undefined ? [] : [{ own, other }];
  });
  if (pairs.length === 0) return undefined;
  const differences = evaluatedBudgets.map((maxTurns) =>
    pairs.flatMap(({ own, other }) => {
      const [a, b] = [findRate(own, disclosure, maxTurns, k), findRate(other, referenceDisclosure, maxTurns, k)];
      return a === undefined || b === undefined ? [] : [a - b];
    }),
  );
  const adjusted = pairs.length < 2 ? undefined : holmAdjust(differences.map(getPValue));
  const cells = differences.map((values, index): ContrastCell => {
    const summary = summarizeSeeds(values);
    const p = adjusted?.[index];
    const isClear = p !== undefined && p < alpha;
    const verdict = isClear ? (summary.mean > 0 ? "gain" : "loss") : "undecided";
    return { maxTurns: evaluatedBudgets[index], ...summary, ...(p === undefined ? {} : { p }), verdict };
  });
  const isMixed = referenceDisclosure !== disclosure;
  return { arm, reference, disclosure, ...(isMixed ? { referenceDisclosure } : {}), k, cells };
}

/** Arm, reference, what the arm is told, and what the reference is told where that differs. */
type Question = readonly [ArmName, ArmName, "hidden" | "static", ("hidden" | "static")?];

/** The comparisons the experiment was made for, by what they ask. */
const questions: readonly Question[] = [
  ["rl-large", "base", "hidden"],
  ["rl-tight", "base", "hidden"],
  ["curriculum", "rl-large", "hidden"],
  ["budgetmix", "base", "static"],
  ["budgetmix", "rl-large", "static"],
  // Each as it was trained: the mix is told its budget, the others are not.
  ["budgetmix", "rl-large", "static", "hidden"],
  ["budgetmix", "rl-tight", "static", "hidden"],
  ["budgetmix", "curriculum", "static", "hidden"],
  ["budgetmix", "rl-tight", "static"],
  ["budgetmix", "curriculum", "static"],
  ["budgetmix", "budgetmix-hidden", "static"],
  ["budgetmix-hidden", "rl-large", "hidden"],
  ["ppo-large", "rl-large", "hidden"],
  ["more-sft", "base", "hidden"],
];

/** Returns what an env's results say. Arms without a run are left out. */
export function summarizeEnv(env: ExperimentEnv, results: readonly RunResult[]): EnvSummary {
  const arms = armsOf[env].flatMap((arm) => {
    const runs = results.filter((run) => run.arm === arm);
    return runs.length === 0 ? [] : [summarizeArm(arm, runs)];
  });
  const widest = Math.max(1, ...results.flatMap(({ rates }) => rates.map(({ k }) => k)));
  const contrasts = questions.flatMap((question) =>
    [...new Set([1, widest])].flatMap((k) => contrast(results, question, k) ?? []),
  );
  return { env, arms, contrasts };
}

/** Returns where a verdict holds, e.g. `at T = 2 and 6`, `up to T = 3` or `from T = 4 on`; empty where it does nowhere. */
function nameBudgets(cells: readonly ContrastCell[], verdict: SeedVerdict): string {
  const found = cells.filter((cell) => cell.verdict === verdict).map(({ maxTurns }) => maxTurns);
  const last = found[found.length - 1];
  if (found.length > 1 && cells[found.length - 1].maxTurns === last) return `up to T\u00a0=\u00a0${last}`;
  if (found.length > 1 && cells[cells.length - found.length].maxTurns === found[0])
    return `from T\u00a0=\u00a0${found[0]} on`;
  if (found.length === 0) return "";
  const list = found.length === 1 ? String(last) : `${found.slice(0, -1).join(", ")} and ${last}`;
  return `at T\u00a0=\u00a0${list}`;
}

/**
 * Returns the answer to the experiment's question in one env, by the verdicts on `rl-large` against its base with the budget
 * not told; `undefined` when that was not measured.
 */
export function answerQuestion({ env, contrasts }: EnvSummary): string | undefined {
  const found = contrasts.find(
    ({ arm, reference, disclosure, k }) =>
      arm === "rl-large" && reference === "base" && disclosure === "hidden" && k === 1,
  );
  if (found === undefined) return undefined;
  const says = [
    ["it loses", nameBudgets(found.cells, "loss")],
    ["it gains", nameBudgets(found.cells, "gain")],
    ["nothing is decided", nameBudgets(found.cells, "undecided")],
  ];
  return `In ${env} ${says.flatMap(([what, where]) => (where === "" ? [] : `${what} ${where}`)).join("; ")}.`;
}

/** Returns what a contrast comes to as one sentence, never saying more than its verdicts. */
export function describeContrast({ arm, reference, disclosure, referenceDisclosure, k, cells }: Contrast): string {
  const name = (verdict: SeedVerdict): string =>
    cells
      .filter((cell) => cell.verdict === verdict)
      .map(({ maxTurns, mean }) => `T=${maxTurns} (${mean >= 0 ? "+" : "−"}${(100 * Math.abs(mean)).toFixed(1)} pp)`)
      .join(", ");
  const [gains, losses] = [name("gain"), name("loss")];
  const told = disclosure === "static" ? "told" : "not told";
  const setting =
    referenceDisclosure === undefined
      ? `budget ${told}`
      : `each as it was trained: budget ${told} to the first and ${referenceDisclosure === "static" ? "told" : "not told"} to the second`;
  const tries = k === 1 ? "one try" : `${k} tries`;
  const seeds = cells[0]?.seeds ?? 0;
  const head = `${arm} against ${reference}, ${setting}, ${tries}, ${seeds} training ${seeds === 1 ? "seed" : "seeds"}`;
  if (gains === "" && losses === "") return `${head}: no difference is clear of zero at any T.`;
  const parts = [...(gains === "" ? [] : [`higher at ${gains}`]), ...(losses === "" ? [] : [`lower at ${losses}`])];
  const undecided = cells.filter(({ verdict }) => verdict === "undecided").map(({ maxTurns }) => `T=${maxTurns}`);
  const rest = undecided.length === 0 ? "" : `; undecided at ${undecided.join(", ")}`;
  return `${head}: ${parts.join("; ")}${rest}.`;
}
