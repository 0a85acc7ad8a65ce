// Identical policies: how often an attribution names a cause where there is none.
import { createRandom, leastVerdictUnits } from "../../src/core/index.js";
import {
  attributionParts,
  countChainData,
  estimateHybridCells,
  estimatePlugIn,
  makeAttributionRows,
  type ChainTask,
} from "../../src/diagnose/index.js";
import { getChances, maxTurns, playCell } from "./process.js";

/** Tasks and episodes of one design; both policies are A, and tasks differ in difficulty with standard deviation 1. */
export interface NullDesign {
  readonly estimator: "interventional" | "latent";
  readonly taskCount: number;
  readonly samples: number;
  readonly dataSets: number;
  /** Bootstrap draws. */
  readonly draws: number;
}

/** What a design gave. */
export interface NullRow extends NullDesign {
  /** Data sets in which a band of some share at some T leaves 0 out. */
  readonly apart: number;
  /** Data sets in which turnwise words some share as a gain or a loss. */
  readonly named: number;
}

const budgets = [1, 2, 4, 8];

/** Returns the episodes [cell] of one task: all of policy A, since the policies are identical. */
function playTask(samples: number, random: ReturnType<typeof createRandom>): Uint8Array[][] {
  const chances = getChances({ spread: 1, memory: 1 }, random.nextNormal());
  return Array.from({ length: 8 }, () => Array.from({ length: samples }, () => playCell(chances, 0, random)));
}

type Cells = Parameters<typeof makeAttributionRows>[0];

/** Returns the cells as played hybrids give them. */
function estimatePlayed(tasks: readonly Uint8Array[][][], seed: number, replicates: number): Cells {
  const taskCount = tasks.length;
  const values = Float64Array.from(
    tasks.flatMap((cells) =>
      cells.flatMap((episodes) =>
        budgets.map((budget) => {
          const solved = episodes.filter((events) => events.length <= budget && events[events.length - 1] % 5 === 1);
          return solved.length / episodes.length;
        }),
      ),
    ),
  );
  const familyOf = Int32Array.from(tasks.keys());
  const estimate = estimateHybridCells(
    { taskCount, budgetCount: budgets.length, values, familyOf, familyCount: taskCount },
    { seed, replicates },
  );
  return budgets.map((T, t) => ({
    maxTurns: T,
    values: estimate.values[t],
    replicates: estimate.replicates[t],
    thinShare: 0,
  }));
}

/** Returns the cells as logs of A and B give them. */
function estimateFromLogs(tasks: readonly Uint8Array[][][], seed: number, replicates: number): Cells {
  const chains = tasks.map(
    (cells, task): ChainTask => ({ taskId: `${task}`, taskHash: `${task}`, a: cells[0], b: cells[7] }),
  );
  const estimate = estimatePlugIn(countChainData(chains, maxTurns), { seed, replicates, maxClasses: 8 });
  const pick = (cells: Float64Array, T: number): number[] =>
    Array.from({ length: 8 }, (_unused, cell) => cells[cell * maxTurns + T - 1]);
  return budgets.map((T) => ({
    maxTurns: T,
    values: pick(estimate.values, T),
    replicates: estimate.replicates.map((one) => pick(one, T)),
    thinShare: estimate.thinShares[T - 1],
  }));
}

/** Runs one design. */
export function runNullDesign(design: NullDesign): NullRow {
  const { estimator, taskCount, samples, dataSets, draws } = design;
  let apart = 0;
  let named = 0;
  for (let dataSet = 0; dataSet < dataSets; dataSet += 1) {
    const random = createRandom("null", taskCount, samples, dataSet);
    const tasks = Array.from({ length: taskCount }, () => playTask(samples, random));
    const cells = (estimator === "latent" ? estimateFromLogs : estimatePlayed)(tasks, dataSet, draws);
    const options = { level: 0.95, margin: 0.03, unitCount: taskCount };
    const shares = makeAttributionRows(cells, options)
      .filter((row) => row.isIdentified)
      .flatMap((row) => attributionParts.map((part) => row[part]));
    if (shares.some(({ verdict }) => verdict === "gain" || verdict === "loss")) named += 1;
    const isApart = shares.some(({ estimate: { band } }) => band !== undefined && (band.lower > 0 || band.upper < 0));
    if (isApart) apart += 1;
  }
  return { ...design, apart, named };
}

const titles = { interventional: "played hybrids", latent: "from logs" } as const;

function writeShare(count: number, n: number): string {
  const p = count / n;
  return `${p.toFixed(3)} ± ${Math.sqrt((p * (1 - p)) / n).toFixed(3)}`;
}

/** Returns the section of the document about identical policies; nothing before the study was run. */
export function renderNullStudy(rows: readonly NullRow[]): string[] {
  if (rows.length === 0) return [];
  const body = rows.map(
    ({ estimator, taskCount, samples, dataSets, draws, apart, named }) =>
      `| ${titles[estimator]} | ${taskCount} | ${samples} | ${dataSets.toLocaleString("en-US")} x ${draws.toLocaleString("en-US")} | ${writeShare(apart, dataSets)} | ${writeShare(named, dataSets)} |`,
  );
  return [
    "## Identical policies",
    `Written by \`npm run bench -- attribution-null\`. Both policies are A, so that every share is 0 and every cause that is named is named falsely. The same process, difficulty with standard deviation 1, T = 1, 2, 4, 8; counted are data sets in which *any* of the three shares at *any* T stands out. The bands hold for all twelve together and are widened for few tasks (Student's t on tasks - 1 degrees of freedom, standard errors times sqrt(tasks / (tasks - 1))), since a bootstrap over few tasks knows too little about their spread. On fewer than ${leastVerdictUnits} tasks no share is worded as a finding at all.`,
    [
      "| estimator | tasks | episodes a cell | data sets x draws | a band leaves 0 out | a cause is named |",
      "|---|---:|---:|---:|---:|---:|",
      ...body,
    ].join("\n"),
  ];
}
