import { Command, CommanderError } from "@commander-js/extra-typings";
import { addAttribute } from "./commands/attribute.js";
import { addAudit } from "./commands/audit.js";
import { addBudgetmix } from "./commands/budgetmix.js";
import { addCompare, addReport } from "./commands/compare.js";
import { addDemo } from "./commands/demo.js";
import { addDoctor } from "./commands/doctor.js";
import { addDynamics } from "./commands/dynamics.js";
import { addEvalBudget } from "./commands/eval-budget.js";
import { addEvalRecovery } from "./commands/eval-recovery.js";
import { addEvalStep } from "./commands/eval-step.js";
import { addExport } from "./commands/export.js";
import { addImport } from "./commands/import.js";
import { addLikelihood } from "./commands/likelihood.js";
import { addMerge } from "./commands/merge.js";
import { addPoolErrors } from "./commands/pool-errors.js";
import { addPublish } from "./commands/publish/index.js";
import { addSignals } from "./commands/signals.js";
import { addTrain } from "./commands/train.js";
import { createSession, type CliSession, type CliStreams } from "./session.js";

function createProgram(session: CliSession, streams: CliStreams): Command {
  const program = new Command("turnwise")
    .description(
      "Find out what training really improved in a multi-turn LLM agent, at the turn budget it will be deployed with.",
    )
    .option("-V, --version", "print the version")
    .addHelpText(
      "after",
      "\nBegin with:  turnwise demo\nExit codes:  0 done · 1 a check failed · 2 wrong usage · 3 input unusable or stale · 4 internal error",
    )
    .configureOutput({
      writeOut: (text) => streams.stdout.write(text),
      writeErr: (text) => streams.stderr.write(text),
    })
    .showSuggestionAfterError(true)
    .showHelpAfterError("(add --help for what is allowed)")
    .exitOverride();
  addDemo(program, session);
  addDoctor(program, session);
  const evaluation = program.command("eval").description("play agents and measure them");
  addEvalBudget(evaluation, session);
  addEvalStep(evaluation, session);
  addEvalRecovery(evaluation, session);
  addPoolErrors(program.command("pool").description("collect states to play on from"), session);
  addCompare(program, session);
  addAttribute(program, session);
  addAudit(program, session);
  addBudgetmix(program, session);
  addSignals(program, session);
  addLikelihood(program, session);
  addDynamics(program, session);
  addTrain(program, session);
  addPublish(program, session);
  addReport(program, session);
  addImport(program, session);
  addExport(program, session);
  addMerge(program, session);
  return program; // the option types of the root are of no use to callers
}

/**
 * Runs one command line and returns the exit code: 0 done, 1 a check failed, 2 wrong usage, 3 input unusable or
 * stale, 4 internal error.
 */
export async function runCli(args: readonly string[], streams: CliStreams = process): Promise<number> {
  if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
    streams.stdout.write(`${(await import("../commands/index.js")).getPackageVersion()}\n`);
    return 0;
  }
  const session = createSession(streams);
  const program = createProgram(session, streams);
  try {
    await program.parseAsync(args.length === 0 ? ["--help"] : args, { from: "user" });
    return session.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return session.reportFailure(error);
  } finally {
    session.close();
  }
}
