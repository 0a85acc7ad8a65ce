// Coverage study of the attribution estimators on a process whose truth is known. Restartable: what is done is kept in
// coverage/done.json, and only missing replications are run (TURNWISE_COVERAGE_REPLICATIONS, default 1,000, some 15
// minutes of one processor from nothing). Writes docs/attribution-coverage.md.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { getLeast, renderCoverageDocs, summarize } from "./coverage/render.js";
import { addReplication, draws, emptySums, type estimatorNames, type Design, type Sums } from "./coverage/study.js";
import type { BenchReport } from "./lib/report.js";

/** Changes whenever an estimator or the process could give other figures; what was done before is then not used. */
const studyVersion = 1;
const chunk = 25;

const designs: readonly Design[] = [
  { name: "heterogeneous 100x8", taskCount: 100, samples: 8, spread: 1, memory: 1 },
  { name: "heterogeneous 300x16", taskCount: 300, samples: 16, spread: 1, memory: 1 },
  { name: "non-Markov 100x8", taskCount: 100, samples: 8, spread: 1, memory: 0.7 },
  { name: "non-Markov 300x16", taskCount: 300, samples: 16, spread: 1, memory: 0.7 },
  { name: "homogeneous 100x8", taskCount: 100, samples: 8, spread: 0, memory: 1 },
];

type Done = Record<string, Record<(typeof estimatorNames)[number], Sums>>;

const donePath = fileURLToPath(new URL("coverage/done.json", import.meta.url));
const docsPath = fileURLToPath(new URL("../docs/attribution-coverage.md", import.meta.url));

function readDone(): Done {
  const saved: unknown = existsSync(donePath) ? JSON.parse(readFileSync(donePath, "utf8")) : undefined;
  const { version, done } = (saved ?? {}) as { version?: number; done?: Done }; // written below
  return version === studyVersion && done !== undefined ? done : {};
}

function writeDone(done: Done): void {
  writeFileSync(`${donePath}.part`, `${JSON.stringify({ version: studyVersion, done }, undefined, 1)}\n`);
  renameSync(`${donePath}.part`, donePath);
}

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
  writeFileSync(docsPath, renderCoverageDocs(designs, done, rows, draws));
  return {
    name: "coverage",
    title: "Coverage of the attribution estimators",
    setup: `Replications of a process whose truth is known, ${draws} bootstrap draws each; see docs/attribution-coverage.md. Coverage of 95 % intervals at T = 8, the lowest of the three shares.`,
    columns: [
      { key: "replications", title: "replications", decimals: 0 },
      { key: "largestBias", title: "largest bias, points", decimals: 2 },
      { key: "leastCoverage", title: "least coverage", decimals: 3 },
      { key: "leastBand", title: "least band coverage", decimals: 3 },
    ],
    rows: rows.map(({ label, values }) => ({ label, values })),
    verdicts: rows
      .filter(({ estimator }) => estimator === "latent")
      .map(
        ({ design, values }) =>
          `Target of .93 to .97 for what is printed from logs, ${design}: ${getLeast(values) >= 0.93 && values.mostCoverage <= 0.97 ? "met" : "not met"} (intervals ${values.leastCoverage.toFixed(3)} to ${values.mostCoverage.toFixed(3)}, least band ${values.leastBand.toFixed(3)}).`,
      ),
  };
}
