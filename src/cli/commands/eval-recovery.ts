import { Option, type Command } from "@commander-js/extra-typings";
import { parseCount, parseCounts, parseWords } from "../option-parsers.js";
import type { CliSession } from "../session.js";
import { printRunResult } from "./eval-budget.js";
import { addPoolPlayOptions, readPoolPlayFlags } from "./pool-options.js";
import { addChatOptions, readChatFlags } from "./shared-options.js";

const examples = `
Examples:
  turnwise eval recovery POOL --policy scripted:base --policy scripted:better-recovery
  turnwise eval recovery POOL --policy base=chat:BASE --policy rl=chat:RL --turns-left 2,4,8
  turnwise eval recovery POOL --policy chat:MODEL --context full,state_only

Every policy is played on from just after the pool's errors, and from the best action in their place: without that control
a better policy would seem to recover better simply because it is better. The same command continues a stopped run.`;

/** Adds `turnwise eval recovery`. */
export function addEvalRecovery(parent: Command, session: CliSession): void {
  const command = parent
    .command("recovery")
    .description("play on from known errors, beside the best action in their place: cost of error, way back")
    .argument("<pool>", "folder that turnwise pool errors wrote")
    .option(
      "-b, --turns-left <list>",
      "turns left after the error (default: from what was left, at most 16)",
      parseCounts(1),
    )
    .option("-n, --samples <n>", "episodes of each prefix and side", parseCount(1), 8)
    .option(
      "--context <list>",
      "what is shown of the turns before: full, summary, state_only",
      parseWords(["full", "summary", "state_only"]),
      ["full" as const],
    )
    .addOption(
      new Option("--disclosure <what>", "what the policy is told of the turns left")
        .choices(["hidden", "static", "countdown"] as const)
        .default("hidden" as const),
    )
    .addOption(
      new Option("--terminal-rule <rule>", "what happens after the last turn")
        .choices(["act", "hard", "answer_only"] as const)
        .default("act" as const),
    )
    .addHelpText("after", examples);
  addChatOptions(addPoolPlayOptions(command)).action(async (pool, flags) => {
    const { evalRecovery } = await import("../../commands/index.js");
    const display = session.createProgress();
    const stop = session.listenForStop(display);
    const result = await evalRecovery(pool, {
      ...readPoolPlayFlags(flags),
      samples: flags.samples,
      contexts: flags.context,
      disclosure: flags.disclosure,
      terminalRule: flags.terminalRule,
      ...(flags.turnsLeft === undefined ? {} : { budgets: flags.turnsLeft }),
      chat: await readChatFlags(flags),
      events: display,
      stop,
    });
    display.finish();
    await printRunResult(session, result, {
      stop,
      isJson: flags.json === true,
      next: `Next     turnwise eval step ${pool} --policy POLICY`,
    });
  });
}
