import type { Command } from "@commander-js/extra-typings";
import type { CliSession } from "../session.js";

/** Adds `turnwise export`. */
export function addExport(program: Command, session: CliSession): void {
  program
    .command("export")
    .description("write a run's episodes as OpenAI messages, one JSON object a line")
    .argument("<run>", "run folder; RUN#POLICY takes one policy of it")
    .requiredOption("-o, --output <file>", "file to write; - is standard output")
    .option("--json", "print one JSON document about what was written")
    .action(async (run, flags) => {
      const { exportRun } = await import("../../commands/index.js");
      const result = await exportRun(run, flags.output);
      if (flags.output === "-") return;
      if (flags.json === true) session.printJson(result);
      else session.print(`Wrote ${result.episodeCount} episodes to ${flags.output}`);
    });
}
