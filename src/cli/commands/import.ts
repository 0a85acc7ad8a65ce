import type { Command } from "@commander-js/extra-typings";
import { inputError, usageError } from "../../core/index.js";
import type { CliSession } from "../session.js";
import { addImportOptions, readImportFlags } from "./shared-options.js";

const examples = `
Examples:
  turnwise import outputs/evals/my-env--my-model/1a2b3c4d/results.jsonl -o runs/base
  turnwise import logs/*.eval -o runs/inspect
  turnwise import chats.jsonl --reward-field score --task-field question_id -o runs/chats`;

/** Adds `turnwise import`. */
export function addImport(program: Command, session: CliSession): void {
  const command = program
    .command("import")
    .description("read other tools' trajectories into a run folder")
    .argument("[file...]", "files or folders to read")
    .option("-o, --output <folder>", "run folder to write (default: turnwise-runs/NAME)")
    .option("--list", "list the formats")
    .option("--json", "print one JSON document")
    .addHelpText("after", examples);
  addImportOptions(command).action(async (files, flags) => {
    const { importRuns, listFormats } = await import("../../commands/index.js");
    if (flags.list === true) {
      const formats = listFormats();
      if (flags.json === true) session.printJson(formats);
      else
        for (const { format, description, turnNote } of formats)
          session.print(`${format.padEnd(16)} ${description}\n${" ".repeat(17)}turn: ${turnNote}`);
      return;
    }
    if (files.length === 0)
      throw usageError("Cannot import nothing", "Name files or folders: turnwise import FILE… -o RUN");
    const result = await importRuns(files, {
      ...readImportFlags(flags),
      ...(flags.output === undefined ? {} : { output: flags.output }),
    });
    if (flags.json === true) {
      session.printJson(result);
    } else {
      for (const source of result.sources) {
        session.print(`${source.name}: ${source.episodeCount} episodes (${source.format})`);
        session.print(`  turn: ${source.turnNote}`);
      }
      for (const { problemClass, severity, count, examples: found } of result.problems) {
        session.print(
          `${severity === "skipped" ? "Skipped" : "Repaired"} ${count} × ${problemClass.replaceAll("_", " ")}, e.g. ${found[0]}`,
        );
      }
      session.print(`Run      ${result.folder}`);
      session.print(
        `Episodes ${result.episodeCount} of ${result.taskCount} tasks, ${result.solved} solved, ${result.failed} failed, ${result.unknown} of unknown outcome, ${result.errored} errors`,
      );
      if (result.unknown === result.episodeCount && result.episodeCount > 0) {
        session.print(
          "Note     No outcome is known. Say what counts as solved: --success-field, or --reward-field with --success-threshold",
        );
      }
      session.print(`Next     turnwise report ${result.folder}   or   turnwise compare ${result.folder} OTHER-RUN`);
    }
    if (result.episodeCount === 0) throw inputError("Nothing was imported: no file holds an episode");
  });
}
