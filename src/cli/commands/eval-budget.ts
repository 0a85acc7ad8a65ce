import { Option, type Command } from "@commander-js/extra-typings";
import type { EvalBudgetResult } from "../../commands/index.js";
import { writeCount } from "../../core/index.js";
import { collect, parseCount, parseCounts, parseShard, parseWords } from "../option-parsers.js";
import type { CliSession } from "../session.js";
import {
  addAnalysisOptions,
  addChatOptions,
  addLimitOptions,
  readAnalysisFlags,
  readChatFlags,
  readLimitFlags,
} from "./shared-options.js";

const examples = `
Examples:
  turnwise eval budget --env vault --policy scripted:optimal --policy scripted:noisy
  turnwise eval budget --env lookup --policy chat:my-model --base-url http://localhost:8000/v1 --budgets 1,2,4,8
  turnwise eval budget --env ./my-env.js --policy ./my-agent.js --disclosure hidden,countdown

Policies: scripted:NAME · trained:CHECKPOINT · chat:MODEL · ./agent.js (exports policy or createPolicy) · ./policy.json; NAME=... renames one.
The same command continues a run that was stopped.`;

/** Adds `turnwise eval budget`. */
export function addEvalBudget(parent: Command, session: CliSession): void {
  const command = parent
    .command("budget")
    .description("play policies in an env under turn budgets and estimate Pass@(K,T)")
    .requiredOption("-e, --env <env>", "frozen-lake, sokoban, lookup, vault, repair, or a module file")
    .option("-p, --policy <policy>", "policy to play; repeatable, the first one is the reference", collect)
    .option("-T, --budgets <list>", "turn budgets T", parseCounts(0), [1, 2, 4, 8, 16])
    .option("-n, --samples <n>", "episodes of each task and policy", parseCount(1), 16)
    .option(
      "--disclosure <list>",
      "what the policy is told of its budget: hidden, static, countdown",
      parseWords(["hidden", "static", "countdown"]),
      ["hidden" as const],
    )
    .addOption(
      new Option("--terminal-rule <rule>", "what happens after the last turn")
        .choices(["act", "hard", "answer_only"] as const)
        .default("act" as const),
    )
    .option("--tasks <n>", "tasks drawn from the env", parseCount(1), 50)
    .option("--difficulty <level>", "difficulty level of the tasks", parseCount(1), 1)
    .addOption(
      new Option("--split <split>", "which tasks").choices(["train", "eval"] as const).default("eval" as const),
    )
    .option("--tasks-file <file>", "tasks from a JSONL file instead")
    .option("--scorer <file>", "module with a scorer that judges episodes in place of the env")
    .option("--seed <n>", "seed of tasks, envs and sampling", parseCount(0), 1)
    .option("-c, --concurrency <n>", "episodes in flight", parseCount(1), 16)
    .option("--limit <n>", "most episodes to play in this call", parseCount(1))
    .option("--shard <i/n>", "play only part i of n; join the parts with turnwise merge", parseShard)
    .option("-o, --output <folder>", "run folder (default: turnwise-runs/ENV-HASH)")
    .option("--title <text>", "title of the report")
    .option("--json", "print one JSON document")
    .addHelpText("after", examples);
  addChatOptions(addAnalysisOptions(addLimitOptions(command))).action(async (flags) => {
    const { evalBudget } = await import("../../commands/index.js");
    const display = session.createProgress();
    const stop = session.listenForStop(display);
    const result = await evalBudget({
      env: flags.env,
      policies: flags.policy ?? [],
      budgets: flags.budgets,
      samples: flags.samples,
      disclosures: flags.disclosure,
      terminalRule: flags.terminalRule,
      taskCount: flags.tasks,
      difficulty: flags.difficulty,
      split: flags.split,
      seed: flags.seed,
      concurrency: flags.concurrency,
      limits: readLimitFlags(flags),
      taskFile: flags.tasksFile,
      scorer: flags.scorer,
      limit: flags.limit,
      shard: flags.shard,
      output: flags.output,
      title: flags.title,
      ...readAnalysisFlags(flags),
      chat: await readChatFlags(flags),
      events: display,
      stop,
    });
    display.finish();
    const { folder, written } = result;
    const merge = flags.shard === undefined ? undefined : `Next     turnwise merge ${folder} OTHER… -o MERGED`;
    const next = merge ?? (written === undefined ? undefined : `Next     turnwise compare ${folder} OTHER-RUN`);
    await printRunResult(session, result, { stop, isJson: flags.json === true, next });
  });
}

/**
 * Prints what a run did: its report, folder, errors and what is missing; `next` is the last line, unless the next thing to
 * do is to play what is missing.
 */
export async function printRunResult(
  session: CliSession,
  result: EvalBudgetResult,
  {
    stop,
    isJson,
    next,
  }: { readonly stop: ReturnType<CliSession["listenForStop"]>; readonly isJson: boolean; readonly next?: string },
): Promise<void> {
  const { folder, progress, remaining, written } = result;
  if (progress.errored > 0 && progress.played === progress.errored && progress.kept === 0) session.exitCode = 1;
  if (stop.drain.aborted && remaining > 0) session.exitCode = 1; // a script must see that it was not played to its end
  if (isJson) {
    const { report, ...paths } = written ?? { report: undefined };
    session.printJson({ folder, progress, remaining, ...paths, ...(report === undefined ? {} : { report }) });
    return;
  }
  if (written !== undefined) {
    const { renderReportSummary } = await import("../../commands/index.js");
    session.print(await renderReportSummary(written.report, { width: session.width, colour: session.hasColour }));
    session.print("");
  }
  session.print(`Run      ${folder}`);
  if (written !== undefined) session.print(`Report   ${written.pagePath}`);
  if (progress.errored > 0) {
    const classes = Object.entries(progress.errorsByClass)
      .map(([name, count]) => `${name} ${count}`)
      .join(", ");
    session.print(
      `Errors   ${progress.errored} of ${writeCount(progress.played, "episode")} (${classes}); they are not counted as failures`,
    );
  }
  for (const [name, message] of Object.entries(progress.firstErrors))
    session.print(`         ${name}, e.g. ${message}`);
  if (remaining > 0) session.print(`Missing  ${writeCount(remaining, "episode")}; run the same command to continue`);
  else if (next !== undefined) session.print(next);
}
