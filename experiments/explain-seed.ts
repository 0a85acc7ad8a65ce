// Says why the trained policies of one seed differ, and prints it as JSON: attribution by playing hybrids, and step and
// recovery evaluation from the states of their errors. Needs the seed's runs. Arguments: env, seed, folder of the runs.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { attributeByPlaying, evalRecovery, evalStep, loadTrainedPolicy, poolErrors } from "../src/commands/index.js";
import type { Policy } from "../src/core/index.js";
import { explainedArms, explainedBudgets, type ArmName, type ExperimentEnv } from "./arms.js";
import type { Explanation, PoolRow, ShareRow } from "./explanations.js";

const env = process.argv[2] as ExperimentEnv; // a wrong name finds no runs
const seed = Number(process.argv[3]);
const runs = process.argv[4];

function getRun(arm: ArmName): string {
  return join(runs, `${env}-${arm}-seed-${seed}`);
}

/** Returns the folder of the last checkpoint or evaluation of a run. */
function getLast(arm: ArmName, kind: "checkpoints" | "evaluations"): string {
  const folder = join(getRun(arm), kind);
  const { name } = JSON.parse(readFileSync(join(getRun(arm), "checkpoints", "latest.json"), "utf8")) as {
    readonly name: string;
  };
  if (!readdirSync(folder).includes(name)) throw new Error(`${folder} has no ${name}`);
  return join(folder, name);
}

function load(arm: ArmName): Policy {
  return loadTrainedPolicy(getLast(arm, "checkpoints"), arm);
}

async function attribute(arm: ArmName): Promise<ShareRow[]> {
  const { written } = await attributeByPlaying({
    env,
    policies: [load("base"), load(arm)],
    budgets: [...explainedBudgets],
    samples: 4,
    taskCount: 50,
    hasSelfCheck: false,
    replicates: 200,
    output: join(getRun(arm), "attribution"),
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

async function playPool(): Promise<PoolRow[]> {
  const arms: readonly ArmName[] = ["base", ...explainedArms];
  const folder = join(getRun("base"), "pool");
  if (!existsSync(folder)) {
    await poolErrors(
      arms.map((arm) => getLast(arm, "evaluations")),
      { perTask: 1, output: folder },
    );
  }
  const policies = (): Policy[] => arms.map((arm) => load(arm));
  const steps = await evalStep(folder, {
    policies: policies(),
    samples: 4,
    output: join(getRun("base"), "steps"),
  });
  const recovery = await evalRecovery(folder, {
    policies: policies(),
    samples: 2,
    budgets: [2, 4, 8],
    output: join(getRun("base"), "recovery"),
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

const shares: ShareRow[] = [];
for (const arm of explainedArms) shares.push(...(await attribute(arm)));
process.stdout.write(`${JSON.stringify({ shares, pools: await playPool() } satisfies Explanation)}\n`);
