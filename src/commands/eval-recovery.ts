import { join } from "node:path";
import type { ContextMode, Disclosure, ErrorPool, RecoveryResult, TerminalRule } from "../core/index.js";
import { measureRecovery } from "../evaluate/index.js";
import { checkAnswered } from "./check-answered.js";
import { warnMissing } from "./eval-budget.js";
import { playPool, toFigureOptions, type PoolPlayOptions } from "./play-pool.js";
import { writePoolReport } from "./pool-report.js";
import type { RunProgress } from "./run-events.js";
import type { WrittenReport } from "./write-report.js";

/** What `turnwise eval recovery` does. */
export interface EvalRecoveryOptions extends PoolPlayOptions {
  /** Turns left after the error: the grid of b. Default: doubling up to what most producers had left, at most 16. */
  readonly budgets?: readonly number[];
  /** Episodes of each prefix and arm; default 8. */
  readonly samples?: number;
  /** What the policy is shown of the turns before; default `full`. The first one is that of comparisons. */
  readonly contexts?: readonly ContextMode[];
  /** Default `hidden`. */
  readonly disclosure?: Disclosure;
  /** Default `act`. */
  readonly terminalRule?: TerminalRule;
}

/** What a recovery evaluation did. */
export interface EvalRecoveryResult {
  readonly folder: string;
  readonly progress: RunProgress;
  readonly remaining: number;
  /** Absent while no prefix was played by every policy in every arm. */
  readonly result?: RecoveryResult;
  readonly written?: WrittenReport;
}

/** Returns the doubling grid up to the median of the turns that producers had left, at most 16. */
function chooseBudgets({ prefixes }: ErrorPool): number[] {
  const left = prefixes.map((prefix) => prefix.remainingTurns ?? 16).sort((a, b) => a - b);
  const most = Math.max(1, Math.min(16, left[Math.floor(left.length / 2)]));
  const grid = [1, 2, 4, 8, 16].filter((b) => b < most);
  return [...grid, most];
}

/**
 * Plays policies on from just after the errors of a pool, and from the best action in their place, and writes the run and
 * its report. The same command continues a run that was stopped; figures are written once everything was played.
 *
 * @throws {TurnwiseError} (usage) for policies or budgets that cannot be played; (input) for a pool that was changed or
 * is of another env version, a folder with another run, and when no prefix can be used.
 */
export async function evalRecovery(poolFolder: string, options: EvalRecoveryOptions): Promise<EvalRecoveryResult> {
  const { samples = 8, contexts = ["full"], disclosure = "hidden", terminalRule = "act" } = options;
  const setting = { samples, contexts: [...new Set(contexts)], disclosure, terminalRule };
  let budgets: readonly number[] = options.budgets ?? [];
  const played = await playPool(poolFolder, options, "recovery", (pool) => {
    if (options.budgets === undefined) budgets = chooseBudgets(pool);
    return { ...setting, budgets, arms: ["error", "clean"] };
  });
  const { folder, progress, remaining, plannedEpisodes, policyIds, pool } = played;
  if (progress.kept + progress.played < plannedEpisodes) return { folder, progress, remaining };
  await checkAnswered("evaluate", played.read(), policyIds);
  const result = await measureRecovery(pool, played.read(), {
    ...setting,
    budgets,
    policies: policyIds,
    ...toFigureOptions(options),
  });
  const written = await writePoolReport(join(folder, "report"), played, {
    title: options.title ?? `${played.envId}: recovery of ${policyIds.join(" and ")}`,
    question:
      policyIds.length > 1 ? "Who recovers better from the same errors?" : `Does ${policyIds[0]} recover from errors?`,
    recovery: result,
    ...warnMissing(played),
  });
  return { folder, progress, remaining, result, written };
}
