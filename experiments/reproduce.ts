// Trains every arm with every seed, two at a time, says why they differ, and writes results and report. Run again, it goes
// on where it was.
// npm run reproduce                    the whole experiment: 10 seeds, vault and lookup; hours
// npm run reproduce -- --reduced       one env, 2 seeds, nothing explained, under five minutes
// npm run reproduce -- --env vault     one env of the whole experiment
// npm run reproduce -- --report        only the report, from the results that are there
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { armsOf, fullSize, reducedSize, type ExperimentEnv } from "./arms.js";
import { readExplanations, summarizeExplanations, writeExplanations, type Explanation } from "./explanations.js";
import { readResults, writeResults, type RunResult } from "./results.js";
import { writeExperimentReport } from "./write-report.js";

const flags = process.argv.slice(2);
const isReduced = flags.includes("--reduced");
const at = flags.indexOf("--env");
const wanted = at === -1 ? undefined : flags[at + 1];
if (wanted !== undefined && wanted !== "vault" && wanted !== "lookup") {
  process.stderr.write(`Cannot reproduce in env "${wanted}": choose vault or lookup\n`);
  process.exit(2);
}
const size = isReduced ? reducedSize : fullSize;
const envs: readonly ExperimentEnv[] = wanted === undefined ? (isReduced ? ["vault"] : ["vault", "lookup"]) : [wanted];
const root = fileURLToPath(new URL(".", import.meta.url));
const runs = `${root}runs/${isReduced ? "reduced" : "full"}`;
const getResultsPath = (env: ExperimentEnv): string =>
  isReduced ? `${root}runs/reduced-${env}.json` : `${root}results/${env}.json`;
const getExplanationsPath = (env: ExperimentEnv): string =>
  isReduced ? `${root}runs/reduced-explain-${env}.json` : `${root}results/explain-${env}.json`;

/** Runs a script in a process of its own and returns what it prints; its messages go to standard error. */
function runScript(script: string, args: readonly string[]): Promise<unknown> {
  const child = spawn(process.execPath, ["--import", "tsx", `${root}${script}`, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(JSON.parse(output));
      else reject(new Error(`${script} ${args.join(" ")} ended with code ${code}`));
    });
  });
}

async function explainSeed(env: ExperimentEnv, seed: number): Promise<void> {
  const path = getExplanationsPath(env);
  if (readExplanations(path).pools.some((row) => row.seed === seed)) return;
  const seconds = performance.now() / 1000;
  const { shares, pools } = (await runScript("explain-seed.ts", [env, String(seed), runs])) as Explanation; // printed by it
  const before = readExplanations(path);
  writeExplanations(path, { shares: [...before.shares, ...shares], pools: [...before.pools, ...pools] });
  process.stderr.write(`${env} seed ${seed} explained: ${Math.round(performance.now() / 1000 - seconds)} s\n`);
}

async function runSeed(env: ExperimentEnv, seed: number): Promise<void> {
  for (const arm of armsOf[env]) {
    const path = getResultsPath(env);
    if (readResults(path).some((result) => result.arm === arm && result.seed === seed)) continue;
    const args = [env, arm, String(seed), isReduced ? "reduced" : "full", runs];
    const result = (await runScript("run-arm.ts", args)) as RunResult; // printed by it
    writeResults(path, [...readResults(path), result]);
    const last = result.rates.filter(({ k, disclosure }) => k === 1 && disclosure === "static");
    const curve = last.map(({ maxTurns, rate }) => `T${maxTurns} ${rate.toFixed(2)}`).join("  ");
    process.stderr.write(
      `${env} seed ${seed} ${arm}: ${result.seconds} s, ${result.updates} updates; told T: ${curve}\n`,
    );
  }
  if (!isReduced) await explainSeed(env, seed);
}

mkdirSync(runs, { recursive: true });
if (!flags.includes("--report")) {
  const jobs = envs.flatMap((env) => size.seeds.map((seed) => ({ env, seed })));
  await Promise.all(
    Array.from({ length: Math.min(2, availableParallelism()) }, async () => {
      for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await runSeed(job.env, job.seed);
    }),
  );
}
const written = await writeExperimentReport(
  envs.map((env) => ({
    env,
    results: readResults(getResultsPath(env)),
    explanation: summarizeExplanations(readExplanations(getExplanationsPath(env))),
  })),
  isReduced ? `${root}runs/reduced-report` : `${root}results`,
);
process.stdout.write(`${written.join("\n")}\n`);
