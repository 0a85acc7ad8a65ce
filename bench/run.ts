// Runs benchmarks: `npm run bench` all of them, `npm run bench -- runner startup` some. Each is a file of this folder
// that exports `runBench`; its outcome is printed and kept in results/. `--write-docs` writes docs/benchmarks.md from
// what is kept, and alone runs nothing.
import { execFileSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readReports, renderDocs, renderTable, saveReport, type BenchReport } from "./lib/report.js";

/** What a file of this folder exports. */
interface BenchModule {
  runBench(): Promise<BenchReport>;
}

const root = fileURLToPath(new URL("..", import.meta.url));
const all = readdirSync(new URL(".", import.meta.url))
  .filter((name) => name.endsWith(".ts") && name !== "run.ts")
  .map((name) => name.replace(/\.ts$/, ""));

const names = process.argv.slice(2).filter((argument) => argument !== "--write-docs");
const unknown = names.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  process.stderr.write(
    `Unknown benchmark: ${unknown.map((name) => `"${name}"`).join(", ")}. There are: ${all.join(", ")}\n`,
  );
  process.exit(2);
}
const isWriting = process.argv.includes("--write-docs");
const chosen = names.length > 0 ? names : isWriting ? [] : all;

if (chosen.length > 0) execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: root, stdio: "inherit" });
for (const name of chosen) {
  const module = (await import(new URL(`${name}.ts`, import.meta.url).href)) as BenchModule; // by the rule above
  const report = saveReport(await module.runBench());
  process.stdout.write(`\n${report.title}\n${renderTable(report)}\n${report.verdicts.join("\n")}\n`);
}
if (isWriting) writeFileSync(new URL("../docs/benchmarks.md", import.meta.url), renderDocs(readReports()));
