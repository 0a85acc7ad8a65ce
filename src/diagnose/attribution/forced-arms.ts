import type { ForcedArmRow } from "../../core/index.js";
import { cumulativeIncidence, decideVerdict, successIfQuitsCensored, type EpisodeExit } from "../../stats/index.js";
import {
  estimateTaskMean,
  findLimit,
  listSharedTasks,
  tabulate,
  type PlayedCells,
  type TaskMeanOptions,
} from "./played-cells.js";
import type { ChainSide } from "./chain-side.js";
import { modeStride, outcomeIndex } from "./mode-chain.js";

/** Settings of the rows. */
interface ForcedArmOptions extends TaskMeanOptions {
  readonly margin: number;
}

/** Returns what one minus Kaplan-Meier with quits censored predicts at a budget; each task weighs the same. */
function predictKaplanMeier(side: ChainSide, budget: number): number {
  const exits: EpisodeExit[] = [];
  for (const { episodes } of side.byLimit.get(findLimit(side, budget))?.values() ?? []) {
    for (const events of episodes) {
      const outcome = events[events.length - 1] % modeStride;
      const end =
        outcome === outcomeIndex.solved
          ? "success"
          : outcome === outcomeIndex.quit
            ? "quit"
            : outcome === outcomeIndex.wrong
              ? "fail"
              : "censored";
      exits.push({ turn: events.length, end, weight: 1 / episodes.length });
    }
  }
  const rows = cumulativeIncidence(exits, { maxTurns: budget });
  return successIfQuitsCensored(rows)[budget - 1] ?? 0;
}

/**
 * Returns, for each policy that was played with quits disabled and forced, its success as it is and in both arms.
 * Forced-continue minus native is the share of failure that is only giving up; the Kaplan-Meier prediction beside it
 * asks the same of the logs, and differs where those who quit were worse off than those who went on.
 */
export function measureForcedArms(
  played: PlayedCells,
  budgets: readonly number[],
  options: ForcedArmOptions,
): ForcedArmRow[] {
  return (["a", "b"] as const).flatMap((policy) => {
    const arms = played.arms?.[policy];
    if (arms === undefined) return [];
    const native = played[policy];
    const sides = [native, arms.forcedContinue, arms.forcedStop];
    const tasks = listSharedTasks(sides, budgets);
    const shares = tabulate(sides, tasks, budgets);
    const read =
      (side: number, budget: number) =>
      (task: number): number =>
        shares[(task * 3 + side) * budgets.length + budget];
    return budgets.map((maxTurns, budget): ForcedArmRow => {
      const values = [0, 1, 2].map((side) => Float64Array.from(tasks.keys(), read(side, budget)));
      const estimates = values.map((one) => estimateTaskMean(one, options));
      const gain = estimateTaskMean(
        values[1].map((value, task) => value - values[0][task]),
        options,
      );
      const verdict =
        gain.interval === undefined
          ? "undecided"
          : decideVerdict(gain.interval, options.margin, { standardError: gain.standardError ?? 0 });
      return {
        policy,
        maxTurns,
        native: estimates[0],
        forcedContinue: estimates[1],
        persistenceLimited: { estimate: gain, verdict },
        forcedStop: estimates[2],
        kaplanMeier: predictKaplanMeier(native, maxTurns),
      };
    });
  });
}
