// One replication of the coverage study: data drawn, three estimates, what each covers.
import { createRandom } from "../../src/core/index.js";
import {
  attributionCells,
  attributionParts,
  countChainData,
  estimateHybridCells,
  estimatePlugIn,
  makeAttributionRows,
  type ChainTask,
} from "../../src/diagnose/index.js";
import { computeTruth, getChances, maxTurns, playCell, type Process } from "./process.js";

/** Bootstrap draws of each estimate. */
export const draws = 200;

/** One cell of the study's design. */
export interface Design extends Process {
  readonly name: string;
  readonly taskCount: number;
  readonly samples: number;
}

export const estimatorNames = ["pooled", "latent", "interventional"] as const;

/** What is summed over replications for one estimator; lists are by part. */
export interface Sums {
  estimates: number[];
  squares: number[];
  /** Intervals at T = 8 that hold the truth. */
  covered: number[];
  /** Bands that hold the truth of this share at all T. */
  bandCovered: number[];
  /** Replications in which the bands of all three shares hold the truth at all T: what the bands promise. */
  jointCovered: number;
  /** Half-width of the interval at T = 8. */
  halfWidths: number[];
  /** Replications whose shares at T = 8 are identified, and intervals that hold the truth among them. */
  identified: number;
  identifiedCovered: number[];
  classes: number[];
  replications: number;
}

export function emptySums(): Sums {
  const zeros = (): number[] => [0, 0, 0];
  return {
    estimates: zeros(),
    squares: zeros(),
    covered: zeros(),
    bandCovered: zeros(),
    jointCovered: 0,
    halfWidths: zeros(),
    identified: 0,
    identifiedCovered: zeros(),
    classes: [],
    replications: 0,
  };
}

const truths = new Map<string, ReturnType<typeof computeTruth>>();

export function getTruth(design: Design): ReturnType<typeof computeTruth> {
  const key = JSON.stringify([design.spread, design.memory]);
  const known = truths.get(key) ?? computeTruth(design);
  truths.set(key, known);
  return known;
}

const budgets = Array.from({ length: maxTurns }, (_unused, t) => t + 1);

/** Runs one replication and adds it to the sums of the three estimators. */
export function addReplication(
  design: Design,
  replication: number,
  all: Record<(typeof estimatorNames)[number], Sums>,
): void {
  const { taskCount, samples, spread } = design;
  const random = createRandom("coverage", design.name, replication);
  const tasks: ChainTask[] = [];
  const played = new Float64Array(taskCount * 8 * maxTurns);
  for (let task = 0; task < taskCount; task += 1) {
    const chances = getChances(design, spread * random.nextNormal());
    const episodes = [...attributionCells.keys()].map((cell) =>
      Array.from({ length: samples }, () => playCell(chances, cell, random)),
    );
    tasks.push({ taskId: `${task}`, taskHash: `${task}`, a: episodes[0], b: episodes[7] });
    for (const [cell, list] of episodes.entries()) {
      for (const events of list) {
        if (events[events.length - 1] % 5 !== 1) continue;
        for (let t = events.length - 1; t < maxTurns; t += 1) played[(task * 8 + cell) * maxTurns + t] += 1 / samples;
      }
    }
  }
  const data = countChainData(tasks, maxTurns);
  for (const name of ["pooled", "latent"] as const) {
    const estimate = estimatePlugIn(data, {
      seed: replication,
      replicates: draws,
      maxClasses: name === "pooled" ? 1 : 8,
    });
    const pick = (cells: Float64Array, t: number): number[] =>
      Array.from({ length: 8 }, (_unused, cell) => cells[cell * maxTurns + t]);
    const cells = budgets.map((T) => ({
      maxTurns: T,
      values: pick(estimate.values, T - 1),
      replicates: estimate.replicates.map((one) => pick(one, T - 1)),
      thinShare: estimate.thinShares[T - 1],
    }));
    addRows(design, all[name], cells, estimate.fit.classCount);
  }
  const hybrid = estimateHybridCells(
    { taskCount, budgetCount: maxTurns, values: played, familyOf: data.familyOf, familyCount: data.familyCount },
    { seed: replication, replicates: draws },
  );
  addRows(
    design,
    all.interventional,
    budgets.map((T, t) => ({ maxTurns: T, values: hybrid.values[t], replicates: hybrid.replicates[t], thinShare: 0 })),
    0,
  );
}

type Cells = Parameters<typeof makeAttributionRows>[0];

function addRows(design: Design, sums: Sums, cells: Cells, classCount: number): void {
  const truth = getTruth(design);
  const rows = makeAttributionRows(cells, { level: 0.95, margin: 0.03, unitCount: design.taskCount });
  const last = rows[rows.length - 1];
  sums.replications += 1;
  sums.classes[classCount] = (sums.classes[classCount] ?? 0) + 1;
  if (last.isIdentified) sums.identified += 1;
  let holdsAll = true;
  for (const [index, part] of attributionParts.entries()) {
    const { value, interval } = last[part].estimate;
    const target = truth[truth.length - 1][part];
    const covers = interval !== undefined && interval.lower <= target && target <= interval.upper;
    sums.estimates[index] += value;
    sums.squares[index] += value ** 2;
    if (covers) sums.covered[index] += 1;
    if (covers && last.isIdentified) sums.identifiedCovered[index] += 1;
    if (interval !== undefined) sums.halfWidths[index] += (interval.upper - interval.lower) / 2;
    const holds = rows.every((row, t) => {
      const { band, value: estimate } = row[part].estimate;
      const exact = truth[t][part];
      return band === undefined ? Math.abs(estimate - exact) < 1e-9 : band.lower <= exact && exact <= band.upper;
    });
    if (holds) sums.bandCovered[index] += 1;
    else holdsAll = false;
  }
  if (holdsAll) sums.jointCovered += 1;
}
