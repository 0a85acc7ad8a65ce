import type { Command } from "@commander-js/extra-typings";
import type { WrittenReport } from "../../commands/index.js";
import { parseCounts } from "../option-parsers.js";
import type { CliSession } from "../session.js";
import { addAnalysisOptions, addImportOptions, readAnalysisFlags, readImportFlags } from "./shared-options.js";

const sides = `
Each side is a run folder or another tool's file; NAME=PATH sets its name, PATH#POLICY takes one policy of it.`;

const compareExamples = `${sides} Tasks
are matched by their content. Differences are the later side minus the first.

Examples:
  turnwise compare turnwise-runs/base turnwise-runs/rl
  turnwise compare base=before/results.jsonl rl=after/results.jsonl --budgets 2,3,4,5,6,8,10
  turnwise compare run#optimal run#noisy`;

const reportExamples = `${sides}

Examples:
  turnwise report turnwise-runs/mine
  turnwise report logs/2026-01-01_my-task.eval --budgets 1,2,4,8`;

/** Adds `turnwise compare`. */
export function addCompare(program: Command, session: CliSession): void {
  const command = program
    .command("compare")
    .description("compare agents paired by task: Pass@(K,T), verdicts, exchange rates, a report")
    .argument("<side...>", "run folders or trajectory files; the first is the reference")
    .addHelpText("after", compareExamples);
  addReportOptions(command, session, "compareRuns");
}

/** Adds `turnwise report`. */
export function addReport(program: Command, session: CliSession): void {
  const command = program
    .command("report")
    .description("write the report of runs or trajectory files as they are, a single policy included")
    .argument("<side...>", "run folders or trajectory files")
    .addHelpText("after", reportExamples);
  addReportOptions(command, session, "reportRuns");
}

function addReportOptions(parent: Command<[string[]]>, session: CliSession, name: "compareRuns" | "reportRuns"): void {
  const command = parent
    .option("-T, --budgets <list>", "turn budgets T (default: chosen from the runs)", parseCounts(0))
    .option("-o, --output <folder>", "folder of the report (default: below turnwise-runs)")
    .option("--title <text>", "title of the report")
    .option("--json", "print one JSON document");
  addImportOptions(addAnalysisOptions(command)).action(async (inputs, flags) => {
    const commands = await import("../../commands/index.js");
    const written = await commands[name](inputs, {
      ...readAnalysisFlags(flags),
      ...readImportFlags(flags),
      ...(flags.budgets === undefined ? {} : { budgets: flags.budgets }),
      ...(flags.output === undefined ? {} : { output: flags.output }),
      ...(flags.title === undefined ? {} : { title: flags.title }),
    });
    await printReport(session, written, flags.json === true);
  });
}

/** Prints a written report: its summary and where it is, or one JSON document. */
export async function printReport(session: CliSession, written: WrittenReport, isJson: boolean): Promise<void> {
  const { jsonPath, pagePath, report } = written;
  if (isJson) {
    session.printJson({ jsonPath, pagePath, report });
    return;
  }
  const { renderReportSummary } = await import("../../commands/index.js");
  session.print(await renderReportSummary(report, { width: session.width, colour: session.hasColour }));
  session.print("");
  session.print(`Report   ${pagePath}`);
  session.print(`Data     ${jsonPath}`);
}
