import { join } from "node:path";
import type { StepEvaluation } from "../core/index.js";
import { measureSteps } from "../evaluate/index.js";
import { checkAnswered } from "./check-answered.js";
import { warnMissing } from "./eval-budget.js";
import { playPool, toFigureOptions, type PoolPlayOptions } from "./play-pool.js";
import { writePoolReport } from "./pool-report.js";
import type { RunProgress } from "./run-events.js";
import type { WrittenReport } from "./write-report.js";

/** What `turnwise eval step` does. */
export interface EvalStepOptions extends PoolPlayOptions {
  /** Next actions drawn in each state; default 16. */
  readonly samples?: number;
}

/** What a step evaluation did. */
export interface EvalStepResult {
  readonly folder: string;
  readonly progress: RunProgress;
  readonly remaining: number;
  /** Absent while draws are missing. */
  readonly result?: StepEvaluation;
  readonly written?: WrittenReport;
}

/**
 * Draws next actions of policies in the states just before a pool's errors, and in states that its producers visited at
 * random, scores them by the env's oracle, and writes the run and its report. The same command continues a run that was
 * stopped.
 *
 * @throws {TurnwiseError} (usage) for policies that cannot be played; (input) for a pool that was changed or is of
 * another env version, a folder with another run, and when a policy gave no action at all.
 */
export async function evalStep(poolFolder: string, options: EvalStepOptions): Promise<EvalStepResult> {
  const { samples = 16 } = options;
  const played = await playPool(poolFolder, options, "steps", () => ({
    arms: ["before", "visited"],
    contexts: ["full"],
    budgets: [1],
    disclosure: "hidden",
    terminalRule: "act",
    samples,
  }));
  const { folder, progress, remaining, plannedEpisodes, policyIds, pool, env } = played;
  if (progress.kept + progress.played < plannedEpisodes) return { folder, progress, remaining };
  await checkAnswered("evaluate", played.read(), policyIds);
  const result = await measureSteps(env, pool, played.read(), {
    policies: policyIds,
    samples,
    ...toFigureOptions(options),
  });
  const written = await writePoolReport(join(folder, "report"), played, {
    title: options.title ?? `${played.envId}: next actions of ${policyIds.join(" and ")}`,
    question:
      policyIds.length > 1
        ? "Who decides better in the same states?"
        : `How good are the next actions of ${policyIds[0]}?`,
    steps: result,
    ...warnMissing(played),
  });
  return { folder, progress, remaining, result, written };
}
