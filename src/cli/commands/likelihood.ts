import type { Command } from "@commander-js/extra-typings";
import { collect, parseCounts } from "../option-parsers.js";
import type { CliSession } from "../session.js";
import { printReport } from "./compare.js";
import {
  addAnalysisOptions,
  addChatOptions,
  addImportOptions,
  readAnalysisFlags,
  readChatFlags,
  readImportFlags,
} from "./shared-options.js";

const examples = `
Scorers: chat:MODEL (a completions endpoint that gives log-probs of given text: vLLM, SGLang, llama-cpp-python), stored
(the log-probs recorded when the turns were sampled), or a module that exports a scorer. Log-ratios are to the first one.
Turns are scored by their recorded token ids; record them with: turnwise eval budget --token-ids --log-probs

Examples:
  turnwise likelihood turnwise-runs/mine --scorer stored --scorer chat:MY-RL --base-url http://localhost:8000/v1
  turnwise likelihood run#base run#rl --scorer base=chat:BASE --scorer rl=chat:RL`;

/** Adds `turnwise likelihood`. */
export function addLikelihood(program: Command, session: CliSession): void {
  const command = program
    .command("likelihood")
    .description("score recorded turns under models: likelihood by segment, log-ratio between checkpoints")
    .argument("<run...>", "run folders or trajectory files")
    .option(
      "-s, --scorer <scorer>",
      "chat:MODEL, stored, or a module file; NAME= before it names it (repeatable)",
      collect,
    )
    .option("--rendering <file>", "module that renders turns without token ids exactly as their model saw them")
    .option("-T, --budgets <list>", "turn budgets T of the success curves", parseCounts(1))
    .option("-o, --output <folder>", "folder of the report (default: below turnwise-runs)")
    .option("--title <text>", "title of the report")
    .option("--json", "print one JSON document")
    .addHelpText("after", examples);
  addChatOptions(addImportOptions(addAnalysisOptions(command))).action(async (inputs, flags) => {
    const { likelihoodRuns } = await import("../../commands/index.js");
    const display = session.createProgress();
    const written = await likelihoodRuns(inputs, {
      ...readAnalysisFlags(flags),
      ...readImportFlags(flags),
      scorers: flags.scorer ?? [],
      chat: await readChatFlags(flags),
      events: display,
      stop: session.listenForStop(display),
      ...(flags.rendering === undefined ? {} : { rendering: flags.rendering }),
      ...(flags.budgets === undefined ? {} : { budgets: flags.budgets }),
      ...(flags.output === undefined ? {} : { output: flags.output }),
      ...(flags.title === undefined ? {} : { title: flags.title }),
    });
    display.finish();
    await printReport(session, written, flags.json === true);
  });
}
