import { Option, type Command } from "@commander-js/extra-typings";
import type { AttributeByPlayingOptions, AttributeRunsOptions } from "../../commands/index.js";
import { usageError } from "../../core/index.js";
import { collect, parseCount, parseCounts, parseInterval, parsePositive } from "../option-parsers.js";
import type { CliSession } from "../session.js";
import { printRunResult } from "./eval-budget.js";
import {
  addAnalysisOptions,
  addChatOptions,
  addImportOptions,
  readAnalysisFlags,
  readChatFlags,
  readImportFlags,
  type AnalysisFlags,
} from "./shared-options.js";

const examples = `
Examples:
  turnwise attribute turnwise-runs/base turnwise-runs/rl
  turnwise attribute run#base run#trained --budgets 1,2,4,8,16
  turnwise attribute base=before.jsonl rl=after.jsonl --rule ./my-rule.js
  turnwise attribute --estimator interventional --env vault --policy scripted:base --policy scripted:trained
  turnwise attribute --estimator interventional --env lookup --policy base=chat:BASE --policy rl=chat:RL --forced-arms

logs: splits the gap of two runs (the first is A) from their turns, by a model of how episodes go in and out of error.
interventional: plays hybrids of both policies in an env and assumes no model; the same command continues a run that was
stopped. It takes five times the episodes of a comparison, and reports the calls beyond one a turn. It has no --shard: one
machine plays all cells, as shares need every cell of a task; --concurrency says how many episodes at once.`;

/** Adds `turnwise attribute`. */
export function addAttribute(program: Command, session: CliSession): void {
  const command = program
    .command("attribute")
    .description("split a success gap into decisions, recovery and persistence, by turn budget")
    .argument("[side...]", "run folders or trajectory files of A and B (logs)")
    .addOption(
      new Option("--estimator <how>", "from logs, or by playing hybrids")
        .choices(["logs", "interventional"] as const)
        .default("logs" as const),
    )
    .option(
      "-T, --budgets <list>",
      "turn budgets T (default: chosen from the runs; 1,2,4,8,16 when playing)",
      parseCounts(1),
    )
    .addOption(
      new Option(
        "--disclosure <what>",
        "what the policies are told of their budget (default when playing: hidden)",
      ).choices(["hidden", "static", "countdown"] as const),
    )
    .option("--max-classes <n>", "most classes of tasks tried", parseCount(1), 8)
    .option("--simulations <n>", "data sets simulated to check the model; 0 leaves the check out", parseCount(0), 99)
    .option("-o, --output <folder>", "folder of the report, or of the run when playing")
    .option("--title <text>", "title of the report")
    .option("--json", "print one JSON document")
    .optionsGroup("Labels of errors (logs):")
    .option("--label-field <name>", "field of each turn's extra that says whether the episode is in error after it")
    .option("--rule <file>", "module with a rule that says whether an episode is in error after a turn, and its rates")
    .option("--sensitivity <a,b>", "least and largest share of errors that the labels find", parseInterval)
    .option("--specificity <a,b>", "least and largest share of sound turns that the labels pass", parseInterval)
    .optionsGroup("Playing (interventional):")
    .option("-e, --env <env>", "frozen-lake, sokoban, lookup, vault, repair, or a module file")
    .option("-p, --policy <policy>", "policy to play; give two, A first", collect)
    .option("-n, --samples <n>", "episodes of each task and cell", parseCount(1), 16)
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
    .option("--seed <n>", "seed of tasks, envs and sampling", parseCount(0), 1)
    .option("--second-limit <n>", "most seconds of an episode", parsePositive)
    .option("-c, --concurrency <n>", "episodes in flight", parseCount(1), 16)
    .option("--limit <n>", "most episodes to play in this call", parseCount(1))
    .option("--max-tries <n>", "most times a policy is asked for an action that is no quit", parseCount(1), 8)
    .option("--forced-arms", "also play both with quitting disabled and with quits at random")
    .option("--no-self-check", "do not play the copies that check the hybrids")
    .addHelpText("after", examples);
  addChatOptions(addImportOptions(addAnalysisOptions(command))).action(async (sides, flags) => {
    const shared = readSharedFlags(flags);
    const isJson = flags.json === true;
    if (flags.estimator === "logs") {
      refusePlaying(flags);
      const options = { ...shared, ...readImportFlags(flags), ...readLabelFlags(flags) };
      return attributeFromLogs(session, sides, options, isJson);
    }
    refuseLabels(flags);
    const play = readPlayFlags(sides, flags);
    return attributeByPlaying(session, isJson, { ...shared, ...play, chat: await readChatFlags(flags) });
  });
}

/** The parsed options of both estimators. */
interface SharedFlags extends AnalysisFlags {
  readonly maxClasses: number;
  readonly simulations: number;
  readonly budgets?: readonly number[];
  readonly disclosure?: "hidden" | "static" | "countdown";
  readonly output?: string;
  readonly title?: string;
}

function readSharedFlags(flags: SharedFlags) {
  const { maxClasses, simulations, budgets, disclosure, output, title } = flags;
  return {
    ...readAnalysisFlags(flags),
    maxClasses,
    simulations,
    ...(budgets === undefined ? {} : { budgets }),
    ...(disclosure === undefined ? {} : { disclosure }),
    ...(output === undefined ? {} : { output }),
    ...(title === undefined ? {} : { title }),
  };
}

/** The parsed options of playing. */
interface PlayFlags {
  readonly env?: string;
  readonly policy?: readonly string[];
  readonly samples: number;
  readonly terminalRule: "act" | "hard" | "answer_only";
  readonly tasks: number;
  readonly difficulty: number;
  readonly split: "train" | "eval";
  readonly tasksFile?: string;
  readonly seed: number;
  readonly secondLimit?: number;
  readonly concurrency: number;
  readonly limit?: number;
  readonly maxTries: number;
  readonly forcedArms?: true;
  readonly selfCheck: boolean;
}

/** Returns what is played, refusing files and a missing env. */
function readPlayFlags(sides: readonly string[], flags: PlayFlags): AttributeByPlayingOptions {
  if (sides.length > 0) {
    throw usageError(
      `Cannot play hybrids of files: found "${sides[0]}"`,
      "Name what plays: --env ENV --policy A --policy B, or leave out --estimator interventional",
    );
  }
  if (flags.env === undefined)
    throw usageError("Cannot play hybrids without an env", "Name one with --env, and two policies with --policy");
  const {
    env,
    policy = [],
    tasks,
    selfCheck,
    forcedArms,
    secondLimit,
    tasksFile,
    limit,
    samples,
    terminalRule,
    difficulty,
    split,
    seed,
    concurrency,
    maxTries,
  } = flags;
  return {
    env,
    samples,
    terminalRule,
    difficulty,
    split,
    seed,
    concurrency,
    maxTries,
    policies: policy,
    taskCount: tasks,
    hasSelfCheck: selfCheck,
    hasForcedArms: forcedArms === true,
    ...(secondLimit === undefined ? {} : { limits: { maxSeconds: secondLimit } }),
    ...(tasksFile === undefined ? {} : { taskFile: tasksFile }),
    ...(limit === undefined ? {} : { limit }),
  };
}

function refusePlaying({
  env,
  policy,
  forcedArms,
}: {
  readonly env?: string;
  readonly policy?: readonly string[];
  readonly forcedArms?: true;
}): void {
  if (env === undefined && policy === undefined && forcedArms !== true) return;
  throw usageError(
    'Cannot play with the estimator "logs": it reads runs that were played',
    "Pass --estimator interventional to play hybrids",
  );
}

/** The parsed options of labels. */
interface LabelFlags {
  readonly labelField?: string;
  readonly rule?: string;
  readonly sensitivity?: readonly [number, number];
  readonly specificity?: readonly [number, number];
}

function refuseLabels({ labelField, rule, sensitivity, specificity }: LabelFlags): void {
  if ([labelField, rule, sensitivity, specificity].every((flag) => flag === undefined)) return;
  throw usageError(
    "Cannot use labels of errors while playing: hybrids change policies by what the env tells of errors",
    "Leave out --label-field, --rule, --sensitivity and --specificity, or --estimator interventional",
  );
}

function readLabelFlags(flags: LabelFlags): Pick<AttributeRunsOptions, "labelField" | "rule" | "judgeErrors"> {
  const { labelField, rule, sensitivity, specificity } = flags;
  if ((sensitivity === undefined) !== (specificity === undefined)) {
    throw usageError(
      "Cannot use only one of --sensitivity and --specificity",
      "Give both, e.g. --sensitivity .8,.9 --specificity .9,.95",
    );
  }
  return {
    ...(labelField === undefined ? {} : { labelField }),
    ...(rule === undefined ? {} : { rule }),
    ...(sensitivity === undefined || specificity === undefined ? {} : { judgeErrors: { sensitivity, specificity } }),
  };
}

async function attributeFromLogs(
  session: CliSession,
  sides: readonly string[],
  options: AttributeRunsOptions,
  isJson: boolean,
): Promise<void> {
  const { attributeRuns, renderReportSummary } = await import("../../commands/index.js");
  const { jsonPath, pagePath, report } = await attributeRuns(sides, options);
  if (isJson) return session.printJson({ jsonPath, pagePath, report });
  session.print(await renderReportSummary(report, { width: session.width, colour: session.hasColour }));
  session.print("");
  session.print(`Report   ${pagePath}`);
  session.print(`Data     ${jsonPath}`);
  const isUnlabelled = report.attribution?.unknownModes !== undefined;
  session.print(
    isUnlabelled
      ? `Next     turnwise attribute ${sides.join(" ")} --rule ./my-rule.js   (see --help), or play: --estimator interventional`
      : "Next     turnwise attribute --estimator interventional --env ENV --policy A --policy B",
  );
}

async function attributeByPlaying(
  session: CliSession,
  isJson: boolean,
  options: AttributeByPlayingOptions,
): Promise<void> {
  const { attributeByPlaying: play } = await import("../../commands/index.js");
  const display = session.createProgress();
  const stop = session.listenForStop(display);
  const result = await play({ ...options, events: display, stop });
  display.finish();
  const { folder, written } = result;
  const sides = written?.report.attribution;
  const next =
    sides === undefined
      ? "Next     the same command again"
      : `Next     turnwise attribute ${folder}#${sides.a} ${folder}#${sides.b}`;
  await printRunResult(session, result, { stop, isJson, next });
}
