// A benchmark's outcome as data, and as a section of docs/benchmarks.md.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";

/** One way of doing the job. */
export interface BenchRow {
  readonly label: string;
  /** Medians by column; a column that does not apply is absent. */
  readonly values: Readonly<Record<string, number>>;
}

/** What a benchmark found. */
export interface BenchReport {
  readonly name: string;
  readonly title: string;
  /** What was done, in a few sentences: the job, how often, what is counted. */
  readonly setup: string;
  /** Columns in order, each with its unit in the name and how many decimals to show. */
  readonly columns: readonly { readonly key: string; readonly title: string; readonly decimals: number }[];
  readonly rows: readonly BenchRow[];
  /** One sentence for each target: what was asked, what came out. */
  readonly verdicts: readonly string[];
}

/** A report with where and when it was made. */
export interface SavedReport extends BenchReport {
  readonly command: string;
  readonly date: string;
  readonly machine: string;
  readonly versions: string;
}

const folder = new URL("../results/", import.meta.url);

/** Returns the middle value; of an even number of values, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2;
}

/** Writes the report beside the others and returns it with machine and date. */
export function saveReport(report: BenchReport): SavedReport {
  const [cpu] = cpus();
  const saved: SavedReport = {
    ...report,
    command: `npm run bench -- ${report.name}`,
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} x ${cpu?.model.trim() ?? "unknown processor"}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}`,
    versions: `Node ${process.versions.node}`,
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(`${report.name}.json`, folder), `${JSON.stringify(saved, undefined, 2)}\n`);
  return saved;
}

/** Returns every saved report, by name. */
export function readReports(): SavedReport[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as SavedReport);
}

/** Returns the rows as a Markdown table, numbers aligned right. */
export function renderTable({ columns, rows }: BenchReport): string {
  const header = `| | ${columns.map(({ title }) => title).join(" | ")} |`;
  const rule = `|---|${columns.map(() => "---:").join("|")}|`;
  const lines = rows.map(({ label, values }) => {
    const cells = columns.map(({ key, decimals }) => renderNumber(values[key], decimals));
    return `| ${label} | ${cells.join(" | ")} |`;
  });
  return [header, rule, ...lines].join("\n");
}

function renderNumber(value: number | undefined, decimals: number): string {
  if (value === undefined) return "";
  return value.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** Returns docs/benchmarks.md. */
export function renderDocs(reports: readonly SavedReport[]): string {
  const sections = reports.map((report) =>
    [
      `## ${report.title}`,
      `${report.setup}`,
      renderTable(report),
      ...(report.verdicts.length === 0 ? [] : [report.verdicts.map((verdict) => `- ${verdict}`).join("\n")]),
      `\`${report.command}\`, ${report.date}, ${report.machine}, ${report.versions}.`,
    ].join("\n\n"),
  );
  const intro = [
    "# Benchmarks",
    "Written by `npm run bench -- --write-docs` from `bench/results/`; do not edit. Every contender does the whole job in the same run on the same machine, and every result is checked before its time counts. Ratios carry over to other machines better than absolute figures.",
  ];
  return `${[...intro, ...sections].join("\n\n")}\n`;
}
