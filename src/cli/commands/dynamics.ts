import { Option, type Command } from "@commander-js/extra-typings";
import { parseCounts } from "../option-parsers.js";
import type { CliSession } from "../session.js";
import { printReport } from "./compare.js";
import { addAnalysisOptions, addImportOptions, readAnalysisFlags, readImportFlags } from "./shared-options.js";

const examples = `
Each checkpoint is a run folder or file on the same tasks, or one policy of a run that holds several. NUMBER=PATH says at
which update it was saved; names such as step-200 are read too. The first one is the standard.

Examples:
  turnwise dynamics 0=runs/base 100=runs/step-100 200=runs/step-200
  turnwise dynamics runs/step-* --budgets 1,2,4,8,16
  turnwise dynamics turnwise-runs/train-NAME/evaluations/* --disclosure hidden`;

/** Adds `turnwise dynamics`. */
export function addDynamics(program: Command, session: CliSession): void {
  const command = program
    .command("dynamics")
    .description(
      "follow the checkpoints of a training run over turn budgets: success, behaviour, health, which to take",
    )
    .argument("<checkpoint...>", "run folders or trajectory files")
    .option("-T, --budgets <list>", "turn budgets T (default: chosen from the runs)", parseCounts(1))
    .addOption(
      new Option("--disclosure <name>", "follow only episodes whose budget was told in this way").choices([
        "hidden",
        "static",
        "countdown",
      ] as const),
    )
    .option("-o, --output <folder>", "folder of the report (default: below turnwise-runs)")
    .option("--title <text>", "title of the report")
    .option("--json", "print one JSON document")
    .addHelpText("after", examples);
  addImportOptions(addAnalysisOptions(command)).action(async (inputs, flags) => {
    const { dynamicsRuns } = await import("../../commands/index.js");
    const written = await dynamicsRuns(inputs, {
      ...readAnalysisFlags(flags),
      ...readImportFlags(flags),
      ...(flags.budgets === undefined ? {} : { budgets: flags.budgets }),
      ...(flags.disclosure === undefined ? {} : { disclosure: flags.disclosure }),
      ...(flags.output === undefined ? {} : { output: flags.output }),
      ...(flags.title === undefined ? {} : { title: flags.title }),
    });
    await printReport(session, written, flags.json === true);
  });
}
