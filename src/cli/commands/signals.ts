import type { Command } from "@commander-js/extra-typings";
import { usageError } from "../../core/index.js";
import { collect, parseCount, parseCounts, parseWithin } from "../option-parsers.js";
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
A signal is a number that each turn gives. Built in: invalid, tool_error, repeated_action, oracle_progress,
oracle_distance, regret, entropy (needs log-probs), self_report (a stated confidence).

Examples:
  turnwise signals turnwise-runs/mine
  turnwise signals turnwise-runs/mine --signal ./my-signals.js
  turnwise signals turnwise-runs/mine --log-ratio chat:BASE,chat:RL --base-url http://localhost:8000/v1

./my-signals.js:  export const signals = { length: (turn) => turn.action.text.length };`;

function parsePair(text: string): readonly [string, string] {
  const parts = text.split(",").map((part) => part.trim());
  if (parts.length === 2 && parts[0] !== "" && parts[1] !== "") return [parts[0], parts[1]];
  throw usageError(
    `Cannot use "${text}" as a log-ratio: it needs two scorers`,
    "Write BASE,TRAINED, for example --log-ratio chat:base,chat:rl",
  );
}

/** Adds `turnwise signals`. */
export function addSignals(program: Command, session: CliSession): void {
  const command = program
    .command("signals")
    .description(
      "find out which per-turn signals foretell success, errors and recovery, and which must not be a reward",
    )
    .argument("<run...>", "run folders or trajectory files")
    .option("--signal <file>", "module with signals of your own (repeatable)", collect)
    .option("--log-ratio <from,to>", "log-ratio between two scorers as a signal (see turnwise likelihood)")
    .option("--self-report <pattern>", "regular expression that finds the agent's stated chances")
    .option("--rule <file>", "module with a rule that says whether an episode is in error after a turn, and its rates")
    .option("--recovery-turns <m>", "recovery means within m turns", parseCount(1), 3)
    .option("--gamma <g>", "discount of the shaping check", parseWithin(0, 1), 1)
    .option("-T, --budgets <list>", "turn budgets T of the success curves", parseCounts(1))
    .option("-o, --output <folder>", "folder of the report (default: below turnwise-runs)")
    .option("--title <text>", "title of the report")
    .option("--json", "print one JSON document")
    .addHelpText("after", examples);
  addChatOptions(addImportOptions(addAnalysisOptions(command))).action(async (inputs, flags) => {
    const { signalRuns } = await import("../../commands/index.js");
    const written = await signalRuns(inputs, {
      ...readAnalysisFlags(flags),
      ...readImportFlags(flags),
      recoveryTurns: flags.recoveryTurns,
      gamma: flags.gamma,
      chat: await readChatFlags(flags),
      ...(flags.signal === undefined ? {} : { signalFiles: flags.signal }),
      ...(flags.logRatio === undefined ? {} : { logRatio: parsePair(flags.logRatio) }),
      ...(flags.selfReport === undefined ? {} : { selfReport: flags.selfReport }),
      ...(flags.rule === undefined ? {} : { rule: flags.rule }),
      ...(flags.budgets === undefined ? {} : { budgets: flags.budgets }),
      ...(flags.output === undefined ? {} : { output: flags.output }),
      ...(flags.title === undefined ? {} : { title: flags.title }),
    });
    await printReport(session, written, flags.json === true);
  });
}
