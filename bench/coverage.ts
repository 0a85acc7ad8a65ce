// Coverage study of the attribution estimators on a process whose truth is known. Restartable: what is done is kept in
// coverage/done.json, and only missing replications are run (TURNWISE_COVERAGE_REPLICATIONS, default 1,000, some 15
// minutes of one processor from nothing). Writes docs/attribution-coverage.md.
import { getLeast, summarize } from "./coverage/render.js";
import { designs, readDone, writeCoverageDocs, writeDone } from "./coverage/saved.js";
import { addReplication, draws, emptySums } from "./coverage/study.js";
import type { BenchReport } from "./lib/report.js";

const chunk = 25;

/** Runs what is missing, in chunks over all designs in turn so that a stopped study has all of them. */
export async function runBench(): Promise<BenchReport> {
  const wanted = Number(process.env["TURNWISE_COVERAGE_REPLICATIONS"] ?? 1000);
  const done = readDone();
  for (let target = chunk; target < wanted + chunk; target += chunk) {
    for (const design of designs) {
      const sums = (done[design.name] ??= { pooled: emptySums(), latent: emptySums(), interventional: emptySums() });
      const before = sums.pooled.replications;
      for (let r = before; r < Math.min(target, wanted); r += 1) addReplication(design, r, sums);
      if (sums.pooled.replications > before) {
        writeDone(done);
        process.stderr.write(`${design.name}: ${sums.pooled.replications} of ${wanted}\n`);
      }
    }
  }
  const rows = designs.flatMap((design) => summarize(design, done[design.name]));
  writeCoverageDocs();
  return {
    name: "coverage",
    title: "Coverage of the attribution estimators",
    setup: `Replications of a process whose truth is known, ${draws} bootstrap draws each; see docs/attribution-coverage.md. Coverage of 95 % intervals at T = 8, the lowest of the three shares.`,
    columns: [
      { key: "replications", title: "replications", decimals: 0 },
      { key: "largestBias", title: "largest bias, points", decimals: 2 },
      { key: "leastCoverage", title: "least coverage", decimals: 3 },
      { key: "leastBand", title: "joint band coverage", decimals: 3 },
    ],
    rows: rows.map(({ label, values }) => ({ label, values })),
    verdicts: rows
      .filter(({ estimator }) => estimator === "latent")
      .map(
        ({ design, values }) =>
          `Target of .93 to .97 for what is printed from logs, ${design}: ${getLeast(values) >= 0.93 && values.mostCoverage <= 0.97 ? "met" : "not met"} (intervals ${values.leastCoverage.toFixed(3)} to ${values.mostCoverage.toFixed(3)}, bands of all shares together ${values.leastBand.toFixed(3)}).`,
      ),
  };
}
