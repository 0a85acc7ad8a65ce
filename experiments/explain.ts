// Says why the trained policies differ: attribution by playing hybrids, and step and recovery evaluation from the states
// of their errors, for each training seed. Needs the runs of `npm run reproduce`; goes on where it was.
// npm run reproduce:explain -- --env vault [--seeds 3]
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { attributeByPlaying, evalRecovery, evalStep, loadTrainedPolicy, poolErrors } from "../src/commands/index.js";
import type { Policy } from "../src/core/index.js";
import { studentTInterval } from "../src/stats/index.js";
import { fullSize, type ArmName, type ExperimentEnv } from "./arms.js";

const flags = process.argv.slice(2);
const getFlag = (name: string): string | undefined => {
  const at = flags.indexOf(name);
  return at === -1 ? undefined : flags[at + 1];
};
const env = (getFlag("--env") ?? "vault") as ExperimentEnv; // a wrong name finds no runs
const seeds = fullSize.seeds.slice(0, Number(getFlag("--seeds") ?? fullSize.seeds.length));
const root = fileURLToPath(new URL(".", import.meta.url));
const runs = getFlag("--runs") ?? join(root, "runs", "full");
const budgets = [2, 3, 4, 8, 12];
const comparedArms: readonly ArmName[] = ["rl-large", "budgetmix"];

/** One share of a gap at one budget. */
interface ShareRow {
  readonly arm: ArmName;
  readonly seed: number;
  readonly maxTurns: number;
  readonly gap: number;
  readonly decision: number;
  readonly recovery: number;
  readonly persistence: number;
}

/** What one seed's policies do in the states around errors. */
interface PoolRow {
  readonly seed: number;
  readonly arm: ArmName;
  /** Mean regret and share of repeats of the known error, one step from before it. */
  readonly regret?: number;
  readonly repeats?: number;
  /** Success after the error and without it, by turns left. */
  readonly recovery: readonly { readonly turnsLeft: number; readonly error?: number; readonly clean?: number }[];
}

function getRun(arm: ArmName, seed: number): string {
  return join(runs, `${env}-${arm}-seed-${seed}`);
}

/** Returns the folder of the last checkpoint or evaluation of a run. */
function getLast(arm: ArmName, seed: number, kind: "checkpoints" | "evaluations"): string {
  const folder = join(getRun(arm, seed), kind);
  const { name } = JSON.parse(readFileSync(join(getRun(arm, seed), "checkpoints", "latest.json"), "utf8")) as {
    readonly name: string;
  };
  if (!readdirSync(folder).includes(name)) throw new Error(`${folder} has no ${name}`);
  return join(folder, name);
}

function load(arm: ArmName, seed: number): Policy {
  return loadTrainedPolicy(getLast(arm, seed, "checkpoints"), arm);
}

async function attribute(arm: ArmName, seed: number): Promise<ShareRow[]> {
  const { written } = await attributeByPlaying({
    env,
    policies: [load("base", seed), load(arm, seed)],
    budgets,
    samples: 4,
    taskCount: 50,
    hasSelfCheck: false,
    replicates: 200,
    output: join(getRun(arm, seed), "attribution"),
  });
  return (written?.report.attribution?.rows ?? []).map((row) => ({
    arm,
    seed,
    maxTurns: row.maxTurns,
    gap: row.gap.estimate.value,
    decision: row.decision.estimate.value,
    recovery: row.recovery.estimate.value,
    persistence: row.persistence.estimate.value,
  }));
}

async function playPool(seed: number): Promise<PoolRow[]> {
  const arms: readonly ArmName[] = ["base", ...comparedArms];
  const folder = join(getRun("base", seed), "pool");
  if (!existsSync(folder)) {
    await poolErrors(
      arms.map((arm) => getLast(arm, seed, "evaluations")),
      { perTask: 1, output: folder },
    );
  }
  const policies = (): Policy[] => arms.map((arm) => load(arm, seed));
  const steps = await evalStep(folder, {
    policies: policies(),
    samples: 4,
    output: join(getRun("base", seed), "steps"),
  });
  const recovery = await evalRecovery(folder, {
    policies: policies(),
    samples: 2,
    budgets: [2, 4, 8],
    output: join(getRun("base", seed), "recovery"),
  });
  return arms.map((arm) => {
    const step = steps.result?.rows.find(({ policy }) => policy === arm);
    const cells = recovery.result?.cells.filter(({ policy }) => policy === arm) ?? [];
    return {
      seed,
      arm,
      ...(step?.regret === undefined ? {} : { regret: step.regret.value }),
      ...(step?.repeat === undefined ? {} : { repeats: step.repeat.value }),
      recovery: cells.map(({ maxTurns, error, clean }) => ({
        turnsLeft: maxTurns,
        ...(error === undefined ? {} : { error: error.value }),
        ...(clean === undefined ? {} : { clean: clean.value }),
      })),
    };
  });
}

/** Mean over seeds with its t interval, in percentage points with one decimal. */
function summarize(values: readonly number[]): string {
  if (values.length < 2) return (100 * (values[0] ?? NaN)).toFixed(1);
  const { mean, interval } = studentTInterval(values);
  return [mean, interval.lower, interval.upper].map((value) => (100 * value).toFixed(1)).join(" / ");
}

const path = join(root, "results", `explain-${env}.json`);
const found = existsSync(path)
  ? (JSON.parse(readFileSync(path, "utf8")) as {
      readonly shares: readonly ShareRow[];
      readonly pools: readonly PoolRow[];
    }) // written below
  : { shares: [], pools: [] };
let { shares, pools } = found;
for (const seed of seeds) {
  for (const arm of comparedArms) {
    if (shares.some((row) => row.seed === seed && row.arm === arm)) continue;
    shares = [...shares, ...(await attribute(arm, seed))];
  }
  if (!pools.some((row) => row.seed === seed)) pools = [...pools, ...(await playPool(seed))];
  const lines = (rows: readonly unknown[]): string => rows.map((row) => JSON.stringify(row)).join(",\n  ");
  writeFileSync(path, `{\n "shares": [\n  ${lines(shares)}\n ],\n "pools": [\n  ${lines(pools)}\n ]\n}\n`);
  process.stderr.write(`${env} seed ${seed} explained\n`);
}
for (const arm of comparedArms) {
  for (const maxTurns of budgets) {
    const own = shares.filter((row) => row.arm === arm && row.maxTurns === maxTurns);
    const parts = (["gap", "decision", "recovery", "persistence"] as const).map(
      (name) => `${name} ${summarize(own.map((row) => row[name]))}`,
    );
    process.stdout.write(`${arm} T=${maxTurns}: ${parts.join("; ")} (pp: mean / lower / upper, ${own.length} seeds)\n`);
  }
}
