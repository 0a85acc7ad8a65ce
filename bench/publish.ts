// What a page costs: a tutorial of 1,500 lines from Markdown to one self-contained file, beside the libraries as they come.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median, type BenchReport } from "./lib/report.js";

const repeats = 5;
const path = (name: string): string => fileURLToPath(new URL(`publish/${name}`, import.meta.url));

/** What a process prints. */
interface Outcome {
  readonly firstMilliseconds: number;
  readonly firstProcessor: number;
  readonly milliseconds: number;
  readonly kilobytes: number;
  readonly formulas: number;
  readonly peakMegabytes: number;
}

const contenders = [
  { key: "turnwise", label: "turnwise: `parseDocument` and `renderDocumentPage`", args: [path("turnwise.ts")] },
  { key: "bare", label: "remark and rehype, no formulas, no colours, no page", args: [path("stock.ts"), "bare"] },
  { key: "full", label: "the same with remark-math, KaTeX and Shiki, no page", args: [path("stock.ts"), "full"] },
] as const;

/** Runs every contender in processes of their own, in turn so that a busy moment hits all alike. */
export async function runBench(): Promise<BenchReport> {
  const outcomes = new Map<string, Outcome[]>(contenders.map(({ key }) => [key, []]));
  for (let round = 0; round < repeats; round += 1) {
    for (const { key, args } of contenders) {
      const output = execFileSync(process.execPath, ["--import", "tsx", ...args], { encoding: "utf8" });
      const outcome = JSON.parse(output) as Outcome; // printed by the programs beside this file
      process.stderr.write(`${key}: ${outcome.milliseconds.toFixed(0)} ms\n`);
      outcomes.get(key)?.push(outcome);
    }
  }
  const middle = (key: string, field: keyof Outcome): number =>
    median((outcomes.get(key) ?? []).map((outcome) => outcome[field]));
  const first = middle("turnwise", "firstMilliseconds");
  // Pairs of one round met the same machine.
  const ratio = (key: string): number =>
    median(
      (outcomes.get("turnwise") ?? []).map(
        (outcome, round) => outcome.milliseconds / (outcomes.get(key)?.[round].milliseconds ?? NaN),
      ),
    );
  return {
    name: "publish",
    title: "From Markdown to a page",
    setup: `A tutorial of 1,500 lines with ${middle("turnwise", "formulas")} formulas, tables, coloured code, callouts and folded answers. turnwise makes blocks with their lines, an inventory and one self-contained page with its fonts; the others make a fragment of HTML, and read one-line displays, pipes in formulas and Markdown below a summary as something else. Medians of ${repeats} processes: the first page of a process, highlighter included, and the middle of the 7 after it; starting Node and loading modules is not counted.`,
    columns: [
      { key: "firstMilliseconds", title: "first page, ms", decimals: 0 },
      { key: "firstProcessor", title: "its processor time, ms", decimals: 0 },
      { key: "milliseconds", title: "later pages, ms", decimals: 0 },
      { key: "kilobytes", title: "page, KiB", decimals: 0 },
      { key: "peakMegabytes", title: "peak memory, MB", decimals: 0 },
    ],
    rows: contenders.map(({ key, label }) => ({
      label,
      values: {
        firstMilliseconds: middle(key, "firstMilliseconds"),
        firstProcessor: middle(key, "firstProcessor"),
        milliseconds: middle(key, "milliseconds"),
        kilobytes: middle(key, "kilobytes"),
        peakMegabytes: middle(key, "peakMegabytes"),
      },
    })),
    verdicts: [
      `Target of 1 s for 1,500 lines: ${first < 1000 ? "met" : "not met"} (${first.toFixed(0)} ms for the first page, of which the processor worked ${middle("turnwise", "firstProcessor").toFixed(0)} ms).`,
      `Against the same libraries with formulas and colours: ${ratio("full").toFixed(2)} of their time; without both: ${ratio("bare").toFixed(1)} times theirs.`,
    ],
  };
}
