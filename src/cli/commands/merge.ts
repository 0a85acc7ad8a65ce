import type { Command } from "@commander-js/extra-typings";
import type { CliSession } from "../session.js";

/** Adds `turnwise merge`. */
export function addMerge(program: Command, session: CliSession): void {
  program
    .command("merge")
    .description("join the shards of a run into one run folder and write its report")
    .argument("<run...>", "run folders with the same settings")
    .requiredOption("-o, --output <folder>", "run folder to write")
    .option("--json", "print one JSON document")
    .action(async (runs, flags) => {
      const { mergeShards, renderReportSummary } = await import("../../commands/index.js");
      const result = await mergeShards(runs, flags.output);
      if (flags.json === true) {
        session.printJson(result);
        return;
      }
      if (result.written !== undefined) {
        session.print(
          await renderReportSummary(result.written.report, { width: session.width, colour: session.hasColour }),
        );
        session.print("");
      }
      session.print(`Run      ${flags.output} (${result.episodeCount} episodes of ${runs.length} runs)`);
      if (result.written !== undefined) session.print(`Report   ${result.written.pagePath}`);
    });
}
