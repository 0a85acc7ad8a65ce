import type { Command } from "@commander-js/extra-typings";
import { parseCounts } from "../option-parsers.js";
import type { CliSession } from "../session.js";
import { addAnalysisOptions, addImportOptions, readAnalysisFlags, readImportFlags } from "./shared-options.js";

const examples = `
Examples:
  turnwise compare turnwise-runs/base turnwise-runs/rl
  turnwise compare base=before/results.jsonl rl=after/results.jsonl --budgets 2,3,4,5,6,8,10
  turnwise compare run#optimal run#noisy

Each side is a run folder or another tool's file; NAME=PATH sets its name, PATH#POLICY takes one policy of it. Tasks are
matched by their content. Differences are the later side minus the first.`;

/** Adds `turnwise compare`. */
export function addCompare(program: Command, session: CliSession): void {
  const command = program
    .command("compare")
    .description("compare agents paired by task: Pass@(K,T), verdicts, exchange rates, a report")
    .argument("<side...>", "run folders or trajectory files; the first is the reference")
    .option("-T, --budgets <list>", "turn budgets T (default: chosen from the runs)", parseCounts(0))
    .option("-o, --output <folder>", "folder of the report (default: turnwise-runs/compare-A-B)")
    .option("--title <text>", "title of the report")
    .option("--json", "print one JSON document")
    .addHelpText("after", examples);
  addImportOptions(addAnalysisOptions(command)).action(async (sides, flags) => {
    const { compareRuns, renderReportSummary } = await import("../../commands/index.js");
    const written = await compareRuns(sides, {
      ...readAnalysisFlags(flags),
      ...readImportFlags(flags),
      ...(flags.budgets === undefined ? {} : { budgets: flags.budgets }),
      ...(flags.output === undefined ? {} : { output: flags.output }),
      ...(flags.title === undefined ? {} : { title: flags.title }),
    });
    if (flags.json === true) {
      session.printJson({ jsonPath: written.jsonPath, pagePath: written.pagePath, report: written.report });
      return;
    }
    session.print(await renderReportSummary(written.report, { width: session.width, colour: session.hasColour }));
    session.print("");
    session.print(`Report   ${written.pagePath}`);
    session.print(`Data     ${written.jsonPath}`);
  });
}
