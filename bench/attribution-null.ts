// Identical policies, few tasks: how often an attribution names a cause. Some two minutes of one processor. Writes its
// part of docs/attribution-coverage.md.
import { leastVerdictUnits } from "../src/core/index.js";
import { runNullDesign, type NullDesign } from "./coverage/null-study.js";
import { writeCoverageDocs, writeNullRows } from "./coverage/saved.js";
import type { BenchReport } from "./lib/report.js";

/** Draws as the command takes them by default. */
const draws = 1000;

const designs: readonly NullDesign[] = [
  ...[6, 8, 10, 12, 24, 48].map((taskCount) => ({
    estimator: "interventional" as const,
    taskCount,
    samples: 16,
    dataSets: 600,
    draws,
  })),
  ...[10, 24].map((taskCount) => ({
    estimator: "interventional" as const,
    taskCount,
    samples: 4,
    dataSets: 600,
    draws,
  })),
  ...[10, 24, 48].map((taskCount) => ({
    estimator: "latent" as const,
    taskCount,
    samples: 16,
    dataSets: 200,
    draws: 200,
  })),
];

/** Runs every design. */
export async function runBench(): Promise<BenchReport> {
  const rows = designs.map((design) => {
    const row = runNullDesign(design);
    process.stderr.write(`${row.estimator} ${row.taskCount}x${row.samples}: ${row.apart} apart, ${row.named} named\n`);
    return row;
  });
  writeNullRows(rows);
  writeCoverageDocs();
  const worst = Math.max(...rows.map(({ named, dataSets }) => named / dataSets));
  return {
    name: "attribution-null",
    title: "Attribution between identical policies",
    setup:
      "Both policies are the same, so every cause that is named is false; any share at any T counts. See docs/attribution-coverage.md.",
    columns: [
      { key: "dataSets", title: "data sets", decimals: 0 },
      { key: "apart", title: "a band leaves 0 out", decimals: 3 },
      { key: "named", title: "a cause is named", decimals: 3 },
    ],
    rows: rows.map(({ estimator, taskCount, samples, dataSets, apart, named }) => ({
      label: `${estimator === "latent" ? "from logs" : "played hybrids"}, ${taskCount} tasks x ${samples}`,
      values: { dataSets, apart: apart / dataSets, named: named / dataSets },
    })),
    verdicts: [
      `Target of a false cause in at most 5 % of comparisons (and two standard errors of this study): ${worst <= 0.07 ? "met" : "not met"} (at most ${worst.toFixed(3)}; none below ${leastVerdictUnits} tasks by rule).`,
    ],
  };
}
