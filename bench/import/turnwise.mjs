// Imports one file into a run folder by the built package and prints what it took. Run by bench/import.ts.
import { importRun } from "turnwise/records";

const [path, folder] = process.argv.slice(2);
const start = performance.now();
const { importedCount } = await importRun([path], folder, { now: new Date(0), turnwiseVersion: "bench" });
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
process.stdout.write(
  JSON.stringify({
    episodeCount: importedCount,
    wallSeconds: (performance.now() - start) / 1000,
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    peakMegabytes: maxRSS / 1024,
  }),
);
