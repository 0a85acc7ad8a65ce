// One contender of the bootstrap benchmark in a process of its own: METHOD VALUES_FILE.
import { readFileSync } from "node:fs";
import { bootstrapMeans, multiplierBand } from "../../src/stats/index.js";
import { cellCount, level, replicates, taskCount } from "./values.js";

const [method = "", file = ""] = process.argv.slice(2);
const bytes = readFileSync(file);
const values = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
const make = method === "multiplier" ? multiplierBand : bootstrapMeans;
const start = performance.now();
const startCpu = process.cpuUsage();
const result = make({ values, taskCount, cellCount }, { seed: 1, replicates, level });
const { user, system } = process.cpuUsage(startCpu);
const outcome = {
  wallSeconds: (performance.now() - start) / 1000,
  cpuSeconds: (user + system) / 1e6,
  peakMegabytes: process.resourceUsage().maxRSS / 1024,
  criticalValue: result.criticalValue,
  standardErrors: [...result.standardError],
};
process.stdout.write(`${JSON.stringify(outcome)}\n`);
