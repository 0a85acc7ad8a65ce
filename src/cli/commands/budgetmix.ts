import { Option, type Command } from "@commander-js/extra-typings";
import { usageError } from "../../core/index.js";
import { collect, parseCount, parseWords } from "../option-parsers.js";
import type { CliSession } from "../session.js";

const planExamples = `
A mix is fixed:2,4,8 · weights:2=1,8=3 · log-uniform:1-16 · curriculum:5,8,10@100 · published:webarena (searchqa,
babyai, sciworld, textcraft) · or JSON, also for mixtures of mixes. One row of the plan is one group: one task, one
budget, one env seed.

Examples:
  turnwise budgetmix plan -e lookup --mix fixed:2,4,8,16 --updates 100
  turnwise budgetmix plan -e vault --mix log-uniform:1-16 --batch 128 --group 8 --export verl,verl-parquet
  turnwise budgetmix plan -e ./my-env.js --tasks-file train.jsonl --mix curriculum:5,8,10@100 --export trl`;

const auditExamples = `
ROLLOUTS are run folders of turnwise, rollout dumps of verl (<step>.jsonl), completion logs of TRL (JSONL, parquet), or
folders of them. Checks: A1 plan conformity, A2 one budget per group, A3 told = enforced, A4 turns within budget, A5 token
share, A6 flat groups, A7 task and budget independent, A8 seeds, A9 reward of truncated episodes, A10 no evaluation task,
A11 response to the budget. Exit code 1 when one fails; a check that cannot judge says what is missing.

Examples:
  turnwise budgetmix audit turnwise-runs/budgetmix-vault-1a2b3c4d turnwise-runs/train
  turnwise budgetmix audit plan.json rollouts/ --aggregation token_mean --evaluation turnwise-runs/eval`;

function addPlan(parent: Command, session: CliSession): void {
  parent
    .command("plan")
    .description("plan which task is played with which turn budget in which update")
    .requiredOption("-e, --env <env>", "frozen-lake, sokoban, lookup, vault, repair, or a module file")
    .requiredOption("--mix <mix>", "which budgets, how often; see below")
    .option("--updates <n>", "updates to plan", parseCount(1), 100)
    .option("--batch <n>", "episodes of an update", parseCount(1), 64)
    .option("--group <n>", "episodes of a group", parseCount(1), 8)
    .addOption(
      new Option("--disclosure <what>", "what policies are told of their budget")
        .choices(["hidden", "static", "countdown"] as const)
        .default("countdown" as const),
    )
    .addOption(
      new Option("--terminal-rule <rule>", "what happens after the last turn")
        .choices(["act", "hard", "answer_only"] as const)
        .default("act" as const),
    )
    .option(
      "--cap <n>",
      "most turns the env gives (default: what it declares); a larger budget is refused",
      parseCount(1),
    )
    .option("--tasks <n>", "tasks drawn from the env's train split", parseCount(1), 50)
    .option("--difficulty <level>", "difficulty level of the tasks", parseCount(1), 1)
    .option("--tasks-file <file>", "tasks from a JSONL file instead")
    .option("--seed <n>", "seed of tasks, envs and sampling", parseCount(0), 1)
    .option(
      "--export <list>",
      "also write rows for trainers: verl, verl-parquet, trl, jsonl",
      parseWords(["verl", "verl-parquet", "trl", "jsonl"] as const),
    )
    .option("--agent-name <name>", "agent loop named in verl's rows")
    .option("-o, --output <folder>", "folder (default: turnwise-runs/budgetmix-ENV-HASH)")
    .option("--json", "print one JSON document")
    .addHelpText("after", planExamples)
    .action(async (flags) => {
      const { budgetmixPlan, renderBudgetPlanText } = await import("../../commands/index.js");
      const { updates, batch, group, tasks, difficulty, export: exports, ...rest } = flags;
      const { env, mix, disclosure, terminalRule, cap, tasksFile, seed, agentName, output } = rest;
      const result = await budgetmixPlan({
        env,
        mix,
        updates,
        batchSize: batch,
        groupSize: group,
        disclosure,
        terminalRule,
        taskCount: tasks,
        level: difficulty,
        seed,
        ...(cap === undefined ? {} : { cap }),
        ...(tasksFile === undefined ? {} : { taskFile: tasksFile }),
        ...(exports === undefined ? {} : { exports }),
        ...(agentName === undefined ? {} : { agentName }),
        ...(output === undefined ? {} : { output }),
      });
      if (flags.json === true) {
        const { folder, files, plan, summary, heldOut } = result;
        session.printJson({ folder, files, hash: plan.hash, summary, heldOut });
      } else session.print(renderBudgetPlanText(result));
    });
}

/** Returns `rule.name=number` texts as a record. */
function readThresholds(texts: readonly string[]): { readonly [name: string]: number } {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf("=");
      const value = text.slice(at + 1).trim();
      if (at < 1 || value === "" || !Number.isFinite(Number(value))) {
        throw usageError(`Cannot read "${text}": write rule.name=number, e.g. token-share.maxShift=0.2`);
      }
      return [text.slice(0, at).trim(), Number(value)];
    }),
  );
}

function parseReward(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value))
    throw usageError(`Cannot read the reward "${text}": write a number`);
  return value;
}

async function printChecks(session: CliSession, isJson: boolean): Promise<void> {
  const { listBudgetChecks } = await import("../../commands/index.js");
  const checks = listBudgetChecks();
  if (isJson) {
    session.printJson({ checks });
    return;
  }
  for (const { number, id, description, thresholds } of checks) {
    session.print(`${number.padEnd(4)}${id}: ${description}`);
    for (const { name, default: value, description: what } of thresholds)
      session.print(`      ${id}.${name} = ${value}: ${what}`);
  }
}

function addAudit(parent: Command, session: CliSession): void {
  parent
    .command("audit")
    .description("check rollouts against the plan they were made by")
    .argument("[plan]", "plan.json, or the folder it is in")
    .argument("[rollouts...]", "run folders, dumps, or folders of dumps")
    .addOption(
      new Option("--format <name>", "how rollouts are read")
        .choices(["auto", "turnwise", "verl", "trl"] as const)
        .default("auto" as const),
    )
    .option(
      "--evaluation <run>",
      "run of the evaluation, whose tasks and seeds training must not use; repeatable",
      collect,
    )
    .addOption(
      new Option("--aggregation <how>", "how the trainer averages losses of tokens").choices([
        "token_mean",
        "sequence_mean",
        "sequence_sum_mean",
        "constant",
      ] as const),
    )
    .option("--truncated-reward <x>", "documented reward of an episode that its budget ended unsolved", parseReward, 0)
    .option("--threshold <rule.name=value>", "change a threshold; repeatable (--list shows all)", collect)
    .option("--max-findings <n>", "findings shown of each check", parseCount(1), 5)
    .option("--seed <n>", "seed of permutations", parseCount(0), 1)
    .option("--list", "list the checks with their thresholds")
    .option("--json", "print one JSON document")
    .addHelpText("after", auditExamples)
    .action(async (plan, rollouts, flags) => {
      const isJson = flags.json === true;
      if (flags.list === true) return printChecks(session, isJson);
      if (plan === undefined)
        throw usageError("Cannot audit without a plan", "Write: turnwise budgetmix audit PLAN ROLLOUTS…");
      const { budgetmixAudit, renderBudgetAuditText } = await import("../../commands/index.js");
      const { format, evaluation, aggregation, truncatedReward, threshold, maxFindings, seed } = flags;
      const result = await budgetmixAudit(plan, rollouts, {
        format,
        truncatedReward,
        maxFindings,
        seed,
        ...(evaluation === undefined ? {} : { evaluation }),
        ...(aggregation === undefined ? {} : { aggregation }),
        ...(threshold === undefined ? {} : { thresholds: readThresholds(threshold) }),
      });
      if (isJson) session.printJson(result);
      else session.print(renderBudgetAuditText(result));
      if (result.hasFailed) session.exitCode = 1;
    });
}

/** Adds `turnwise budgetmix plan` and `turnwise budgetmix audit`. */
export function addBudgetmix(program: Command, session: CliSession): void {
  const budgetmix = program.command("budgetmix").description("plan training over a mix of turn budgets, and audit it");
  addPlan(budgetmix, session);
  addAudit(budgetmix, session);
}
