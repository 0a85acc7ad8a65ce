import type { Command } from "@commander-js/extra-typings";
import { parseCount } from "../option-parsers.js";
import type { CliSession } from "../session.js";
import { printRunResult } from "./eval-budget.js";
import { addPoolPlayOptions, readPoolPlayFlags } from "./pool-options.js";
import { addChatOptions, readChatFlags } from "./shared-options.js";

const examples = `
Examples:
  turnwise eval step POOL --policy scripted:base --policy scripted:better-decision
  turnwise eval step POOL --policy base=chat:BASE --policy rl=chat:RL --samples 8

Next actions are drawn in the states just before known errors and scored by the env's oracle; nothing is played on. Where
the policies played the pool's runs themselves, their error rates per turn are split into choices and states visited.`;

/** Adds `turnwise eval step`. */
export function addEvalStep(parent: Command, session: CliSession): void {
  const command = parent
    .command("step")
    .description("draw next actions in the states just before known errors: progress, regret, validity")
    .argument("<pool>", "folder that turnwise pool errors wrote")
    .option("-n, --samples <n>", "actions drawn in each state", parseCount(1), 16)
    .addHelpText("after", examples);
  addChatOptions(addPoolPlayOptions(command)).action(async (pool, flags) => {
    const { evalStep } = await import("../../commands/index.js");
    const display = session.createProgress();
    const stop = session.listenForStop(display);
    const result = await evalStep(pool, {
      ...readPoolPlayFlags(flags),
      samples: flags.samples,
      chat: await readChatFlags(flags),
      events: display,
      stop,
    });
    display.finish();
    await printRunResult(session, result, {
      stop,
      isJson: flags.json === true,
      next: `Next     turnwise eval recovery ${pool} --policy POLICY`,
    });
  });
}
